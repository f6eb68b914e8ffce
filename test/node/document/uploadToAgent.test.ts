import type { INodeParameters } from 'n8n-workflow';

import type { RecordSeed, Rule, ServiceOptions } from '../../service/service';
import { add } from '../fixture';
import { agent, arrivals, errorOf } from '../operations';
import { freshUploads, hinted, itemEach, TO_AGENT } from './uploads';

const INDEXED = { ...TO_AGENT, waitUntilIndexed: true };
const adding = { operation: 'add' as const };

describe('After the upload', () => {
	const { service, upload, ids, attached } = freshUploads();
	const endsFailed = (fileName?: string) =>
		service().scriptIndexing({ for: { fileName }, ends: 'failed' });

	test('its output goes into Add Files as it is, as IDs and as records', async () => {
		const { output } = await upload(['a.txt', 'b.txt']);
		const items = output.map(({ json }) => ({ agent: 'support-bot', ...json }));
		await add(service(), items, { parameters: { fileIds: '={{ $json.uniqueIds }}' } });
		const sales = { uid: agent('sales-assistant'), fileIds: '={{ $json.uploads }}' };
		await add(service(), items, { parameters: sales });
		expect([attached(), attached('sales-assistant')]).toEqual([ids(), ids()]);
	});

	test('the files of an item are indexed, and then added to the agent in one request', async () => {
		service().scriptIndexing({ for: { fileName: 'slow.txt' }, ms: 1500 });
		const { output } = await upload(['a.txt', 'slow.txt'], { parameters: INDEXED });
		expect(arrivals(service()).at(-2)).toBe(`add support-bot ${ids().join()}`);
		const uploads = [{ status: 'indexed' }, { status: 'indexed' }];
		expect(output[0]?.json).toMatchObject({ uid: 'support-bot', uploads, addedToAgent: true });
	});

	test.each<[string, Rule, INodeParameters, object]>([
		['is refused by the agent', { for: adding, status: 400 }, {}, { addedToAgent: false }],
		['is not known to be', { for: adding, drop: 'afterApplying' }, {}, { addedToAgent: 'unknown' }],
		['has no status', { for: { operation: 'poll' }, status: 500 }, {}, { addedToAgent: false }],
		['is for no agent that there is', { for: {}, times: 0 }, { uid: agent('x') }, { status: 404 }],
	])('what %s keeps its IDs, and the words say to go on with them', async (_, rule, more, told) => {
		if (rule.times !== 0) service().script({ times: Infinity, ...rule });
		const parameters = { ...INDEXED, ...more };
		const run = await upload(['a.txt', 'b.txt'], { parameters });
		expect(errorOf(run)).toMatchObject({
			effect: 'partly applied',
			uniqueIds: ids(),
			description: expect.stringMatching(/To go on, use these IDs .* would make a second copy\./),
			...told,
		});
	});

	test.each(['stopWorkflow', 'continueRegularOutput'] as const)(
		'a file that cannot be indexed keeps none of its item from the agent, and is an error that says what to do (%s)',
		async (onError) => {
			endsFailed('b.pdf');
			const run = await upload(['b.pdf', 'a.txt'], { onError, parameters: INDEXED });
			const [b, a] = ids();
			expect(attached()).toEqual([a]);
			if (onError === 'stopWorkflow') return;
			expect(errorOf(run)).toMatchObject({
				message: 'CometChat was not able to read "b.pdf"',
				description: expect.stringMatching(/Not added: "b\.pdf"\..* only what could not be read\./),
				addedToAgent: 'partly',
				effect: 'partly applied',
				uploads: [
					{ uniqueId: b, status: 'failed' },
					{ uniqueId: a, status: 'indexed' },
				],
			});
		},
	);
});

const RECORDS: RecordSeed[] = [
	{ sourceName: 'prices.pdf', uniqueId: 'old' },
	{ sourceName: 'prices.pdf', uniqueId: 'text', type: 'text-details' },
	{ sourceName: 'twice.pdf', uniqueId: 'two' },
	{ sourceName: 'twice.pdf', uniqueId: 'one' },
	{ sourceName: 'theirs.pdf', uniqueId: 'theirs' },
];

/** An account in which the agent has files of some names. */
function freshNames(options: Partial<ServiceOptions> = {}) {
	const fresh = freshUploads({ records: RECORDS, indexing: { ms: 0 }, ...options });
	beforeEach(async () => {
		await add(fresh.service(), [{ agent: 'support-bot', files: ['old', 'two', 'one'] }]);
		fresh.service().clearLog();
	});
	return {
		...fresh,
		sent: () =>
			arrivals(fresh.service()).filter((line) => /^(initiate|upload|add|remove|delete)/.test(line)),
		uploadAs: async (
			ifNameExists: string,
			names: string[],
			parameters: INodeParameters = INDEXED,
		) => await fresh.upload(names, { options: { ifNameExists }, parameters }),
	};
}

describe('If the Name Is There', () => {
	const { service, upload, uploadAs, attached, sent, ids } = freshNames();

	test('Add Another adds it, and a warning names what is there', async () => {
		const run = await uploadAs('add', ['prices.pdf', 'new.pdf']);
		expect(run.output[0]?.json).toMatchObject({ success: true, addedToAgent: true });
		expect(attached()).toHaveLength(5);
		expect(hinted(run)).toContain('The agent has other documents of the same name');
		expect(hinted(run)).toContain('"prices.pdf" (ID old). Take those');
	});

	test('Replace takes the old one out once the agent has the new one, and deletes it', async () => {
		const { output } = await uploadAs('replace', ['prices.pdf', 'new.pdf']);
		expect(output[0]?.json).toMatchObject({ success: true, replaced: ['old'] });
		const added = `add support-bot ${ids().slice(-2).join()}`;
		expect(sent().slice(3)).toEqual([added, 'remove support-bot old', 'deleteUpload old']);
	});

	test('Skip leaves out what is there, and sends the others', async () => {
		const { output } = await uploadAs('skip', ['prices.pdf', 'new.pdf']);
		expect(output[0]?.json).toMatchObject({
			success: true,
			skipped: [{ name: 'prices.pdf', uniqueId: 'old' }],
			uploads: [{ fileName: 'new.pdf' }],
		});
		expect(attached()).toHaveLength(4);
	});

	test.each<[string, string, string, INodeParameters]>([
		['fail', 'prices.pdf', 'has a file named "prices.pdf" already', INDEXED],
		['replace', 'twice.pdf', 'has 2 files named "twice.pdf"', INDEXED],
		['replace', 'theirs.pdf', "'Add to Agent' is off", {}],
	])('%s with %s fails before anything is sent', async (choice, name, words, parameters) => {
		const message = expect.stringContaining(words);
		const failed = errorOf(await uploadAs(choice, ['new.pdf', name], parameters));
		expect(failed).toMatchObject({ message, effect: 'not applied' });
		expect(sent()).toEqual([]);
	});

	test('without an agent, the account is looked at; of what another agent has, nothing is said', async () => {
		expect(hinted(await upload(['theirs.pdf'], { parameters: INDEXED }))).not.toContain(
			'ID theirs',
		);
		expect(hinted(await upload(['theirs.pdf']))).toContain('of the same name: "theirs.pdf"');
		service().clearLog();
		const { output } = await uploadAs('skip', ['theirs.pdf'], {});
		expect(output[0]?.json).toMatchObject({ success: true, uploads: [] });
		expect(sent()).toEqual([]);
	});

	test.each([
		['add', 2],
		['skip', 1],
		['replace', 1],
	])('of two items of one name, %s leaves the agent with %d', async (ifNameExists, count) => {
		const files = itemEach(['a.txt', 'a.txt']);
		const run = await upload([], { files, options: { ifNameExists }, parameters: INDEXED });
		expect(run.output).toMatchObject(Array(2).fill({ json: { success: true } }));
		expect(attached()).toHaveLength(3 + count);
		expect(hinted(run).includes('"a.txt" (ID ')).toBe(ifNameExists === 'add');
	});

	test('a list that cannot be read keeps what depends on it from being sent, and nothing else, which is said', async () => {
		service().script({ for: { operation: 'records' }, status: 503, times: Infinity });
		const added = await uploadAs('add', ['a.txt']);
		expect(added.output[0]?.json).toMatchObject({ success: true });
		expect(arrivals(service()).filter((line) => line === 'records')).toHaveLength(1);
		expect(hinted(added)).toContain('its list could not be read');
		service().clearLog();
		expect(errorOf(await uploadAs('skip', ['b.txt']))).toMatchObject({ effect: 'not applied' });
		expect(sent()).toEqual([]);
	});
});

describe('If the Name Is There, where the lists of agents do not tell', () => {
	const { uploadAs, sent } = freshNames({ agentLists: 'empty' });

	test('Add Another says so, and Replace deletes nothing', async () => {
		expect(hinted(await uploadAs('add', ['prices.pdf']))).toMatch(/does not tell whether .*ID old/);
		const notDeleted = expect.stringContaining('Not known whether another agent');
		const { output } = await uploadAs('replace', ['theirs.pdf']);
		expect(output[0]?.json).toMatchObject({ replaced: ['theirs'], notDeleted });
		expect(sent().at(-1)).toBe('remove support-bot theirs');
	});

	test('Skip sends nothing', async () => {
		const description = expect.stringContaining('does not tell which of them the agent has');
		expect(errorOf(await uploadAs('skip', ['prices.pdf']))).toMatchObject({ description });
		expect(sent()).toEqual([]);
	});
});
