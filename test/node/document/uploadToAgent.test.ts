import type { INodeParameters } from 'n8n-workflow';

import type { RecordSeed, Rule, ServiceOptions } from '../../service/service';
import { add } from '../fixture';
import type { Run } from '../engine';
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
		await add(service(), items, { parameters: { fileIds: '={{ $json.uniqueId }}' } });
		const sales = { uid: agent('sales-assistant'), fileIds: '={{ $json }}' };
		await add(service(), items, { parameters: sales });
		expect([attached(), attached('sales-assistant')]).toEqual([ids(), ids()]);
	});

	test('the files of an item are indexed, then added in one request, and each has its own row', async () => {
		service().scriptIndexing({ for: { fileName: 'slow.txt' }, ms: 1500 });
		const { output } = await upload(['a.txt', 'slow.txt'], { parameters: INDEXED });
		expect(arrivals(service())).toContain(`add support-bot ${ids().join()}`);
		const more = { action: 'added', success: true, status: 'indexed', sourceType: 'uploads' };
		expect(output.map(({ json }) => json)).toEqual(
			['a.txt', 'slow.txt'].map((name, at) => {
				return { name, ...more, uniqueId: ids()[at], uid: 'support-bot' };
			}),
		);
	});

	test.each<[string, Rule, INodeParameters, object]>([
		['is refused by the agent', { for: adding, status: 400 }, {}, {}],
		['is not known to be', { for: adding, drop: 'afterApplying' }, {}, {}],
		['has no status', { for: { operation: 'poll' }, status: 500 }, {}, { status: 500 }],
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

	test.each([
		['replaceAndDelete', 'run the item again'],
		['skip', 'run the item again'],
		['replace', 'use these IDs'],
	])('with %s, the words to go on are: %s', async (ifNameExists, way) => {
		service().script({ for: adding, status: 400 });
		const run = await upload(['a.txt'], { parameters: { ...INDEXED, ifNameExists } });
		const description = expect.stringContaining(`To go on, ${way}`);
		expect(errorOf(run)).toMatchObject({ effect: 'partly applied', description });
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
				description: expect.stringMatching(
					/Not added: "b\.pdf"\..* only what could not be read\..* \(then Add Files, if an agent lacks it\)/,
				),
				effect: 'partly applied',
				...{ uniqueIds: [b, a], status: 'failed, indexed' },
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
		) => await fresh.upload(names, { parameters: { ...parameters, ifNameExists } }),
	};
}

const rowsOf = ({ output }: Run) => output.map(({ json }) => json);
const old = (uniqueId: string, action: string, name = 'prices.pdf') => ({ name, action, uniqueId });

describe('If the Name Is There', () => {
	const { service, upload, uploadAs, attached, sent, ids, names } = freshNames();

	test('Add Another adds it, and asks and says nothing', async () => {
		const run = await uploadAs('add', ['prices.pdf', 'prices.pdf']);
		expect(rowsOf(run)).toMatchObject([{ action: 'added' }, { action: 'added' }]);
		expect(attached()).toHaveLength(5);
		expect(hinted(run)).not.toContain('name');
		expect(arrivals(service()).filter((line) => /^(records|list|agent)/.test(line))).toEqual([]);
	});

	test.each<[string, string, string[]]>([
		['replace', 'removed', []],
		['replaceAndDelete', 'deleted', ['deleteUpload two', 'deleteUpload one']],
	])(
		'%s takes all of the name out once the agent has the new one: each is %s',
		async (ifNameExists, action, deletions) => {
			const run = await uploadAs(ifNameExists, ['twice.pdf', 'new.pdf']);
			const [first, second] = rowsOf(run);
			expect(first).toMatchObject({
				...{ action: 'replaced', agentName: 'Support Bot', uid: 'support-bot' },
				old: [old('two', action, 'twice.pdf'), old('one', action, 'twice.pdf')],
			});
			expect([second?.action, second?.old]).toEqual(['added', undefined]);
			const added = `add support-bot ${ids().slice(-2).join()}`;
			const removals = ['remove support-bot two', 'remove support-bot one'];
			expect(sent().slice(4)).toEqual([added, ...removals, ...deletions]);
		},
	);

	test.each([
		['replace', ['old', 'removed'], 8],
		['replaceAndDelete', ['old', 'deleted'], 5],
	])(
		'with %s, week after week leaves the agent with one of the name',
		async (choice, [first, action], count) => {
			let before = String(first);
			for (let week = 1; week <= 3; week++) {
				const [row] = rowsOf(await uploadAs(choice, ['prices.pdf']));
				expect(row).toMatchObject({ action: 'replaced', old: [old(before, String(action))] });
				before = String(row?.uniqueId);
				expect(attached()).toEqual(['two', 'one', before]);
			}
			expect(names()).toHaveLength(count);
		},
	);

	test('an agent that keeps its copy keeps the old one from being deleted, which is said', async () => {
		await add(service(), [{ agent: 'sales-assistant', files: ['old'] }]);
		const [row] = rowsOf(await uploadAs('replaceAndDelete', ['prices.pdf']));
		const reason = 'Other agents have it: "Sales Assistant"';
		expect(row).toMatchObject({ old: [{ ...old('old', 'removed'), reason }] });
	});

	test('Skip leaves out what is there, says so in its row, and sends the others', async () => {
		const rows = rowsOf(await uploadAs('skip', ['prices.pdf', 'new.pdf']));
		expect(rows).toMatchObject([
			{ name: 'prices.pdf', action: 'skipped', success: true, uniqueId: 'old' },
			{ name: 'new.pdf', action: 'added' },
		]);
		expect(rows[1]).not.toHaveProperty('reason');
		expect(attached()).toHaveLength(4);
	});

	test('Fail fails before anything is sent', async () => {
		const message = expect.stringContaining('has a file named "prices.pdf" already');
		const failed = errorOf(await uploadAs('fail', ['new.pdf', 'prices.pdf']));
		expect(failed).toMatchObject({ message, action: 'failed', effect: 'not applied' });
		expect(sent()).toEqual([]);
	});

	test.each<[string, string, string[], RegExp]>([
		['replace', 'uploaded', ['kept', 'kept'], /^'Add to Agent' is off.*Replace and Delete/],
		['replaceAndDelete', 'uploaded', ['kept', 'kept'], /^Agents have .*: "Support Bot"$/],
	])('without an agent, %s takes nothing from one', async (choice, action, kept, reason) => {
		const [row] = rowsOf(await uploadAs(choice, ['twice.pdf'], { waitUntilIndexed: true }));
		expect(row).toMatchObject({ action });
		expect(Object(row).old).toMatchObject(
			kept.map((one) => ({ action: one, reason: expect.stringMatching(reason) })),
		);
		expect(attached()).toHaveLength(3);
	});

	test('without an agent, Replace and Delete deletes what no agent has, once the new one can be read', async () => {
		const [row] = rowsOf(await uploadAs('replaceAndDelete', ['theirs.pdf'], {}));
		const gone = old('theirs', 'deleted', 'theirs.pdf');
		expect(row).toMatchObject({ action: 'replaced', status: 'indexed', old: [gone] });
		expect(sent().at(-1)).toBe('deleteUpload theirs');
	});

	test('without an agent, the account is looked at', async () => {
		const run = await uploadAs('skip', ['theirs.pdf'], {});
		expect(hinted(run)).not.toContain('uploaded files');
		expect(rowsOf(run)[0]).toMatchObject({ success: true, action: 'skipped', uniqueId: 'theirs' });
		expect(sent()).toEqual([]);
	});

	const AGENTS = { ...INDEXED, uid: agent('={{ $json.agent }}') };
	const itemsFor = (agents: string[]) => agents.map((uid) => ({ agent: uid }));

	test.each(['replace', 'replaceAndDelete', 'skip', 'fail'])(
		'%s: two items of one name for one agent are refused before anything is sent, and name each other',
		async (ifNameExists) => {
			const files = itemEach(['a.txt', 'b.txt', 'a.txt']);
			const items = itemsFor(['support-bot', 'support-bot', 'Support-Bot']);
			const parameters = { ...AGENTS, ifNameExists };
			const run = await upload([], { files, items, parameters });
			const message = 'Items 1, 3 bring a file named "a.txt" for the same agent';
			const refused = {
				...{ name: 'a.txt', effect: 'not applied', message: expect.stringContaining(message) },
				description: expect.stringMatching(/'Name in CometChat'.* to Add Another/),
			};
			expect(errorOf(run, 0)).toMatchObject(refused);
			expect(errorOf(run, 2)).toMatchObject(refused);
			expect(run.output[1]?.json).toMatchObject({ success: true });
			const stopped = await upload([], { files, items, parameters, onError: 'stopWorkflow' });
			expect(stopped.error?.message).toContain(message);
			expect(sent().filter((line) => line.includes('a.txt'))).toEqual([]);
		},
	);

	test('for two agents, or as Add Another, one name may come twice; twice in one item it may not', async () => {
		const files = itemEach(['a.txt', 'a.txt']);
		const items = itemsFor(['support-bot', 'sales-assistant']);
		const parameters = { ...AGENTS, ifNameExists: 'replace' };
		const run = await upload([], { files, items, parameters });
		expect(rowsOf(run)).toMatchObject([{ action: 'added' }, { action: 'added' }]);
		const failed = errorOf(await uploadAs('replace', ['b.txt', 'b.txt']));
		expect(failed).toMatchObject({ message: 'The item has two files named "b.txt"' });
	});

	test('what an item gives to no agent deletes nothing that another item of the run brings to one', async () => {
		const files = itemEach(['a.txt', 'a.txt']);
		service().script({ for: { operation: 'add' }, latencyMs: 5000 });
		const items = [{ adds: true }, { adds: false }];
		const parameters = { ...INDEXED, addToAgent: '={{ $json.adds }}' };
		const both = { ...parameters, ifNameExists: 'replaceAndDelete' };
		const run = await upload([], { files, items, parameters: both });
		expect(rowsOf(run)).toMatchObject([{ action: 'added' }, { action: 'uploaded' }]);
		expect(sent().join()).not.toContain('delete');
	});

	test('a list that cannot be read keeps what depends on it from being sent', async () => {
		service().script({ for: { operation: 'records' }, status: 503, times: Infinity });
		expect(errorOf(await uploadAs('replace', ['b.txt']))).toMatchObject({ effect: 'not applied' });
		expect(sent()).toEqual([]);
	});
});

describe('If the Name Is There, where the lists of agents do not tell', () => {
	const { service, upload, uploadAs, sent } = freshNames({ agentLists: 'empty' });

	test('Replace and Delete takes the only one of the name out, and deletes nothing', async () => {
		const reason = expect.stringContaining('Not known whether another agent');
		const [row] = rowsOf(await uploadAs('replaceAndDelete', ['theirs.pdf']));
		const kept = { ...old('theirs', 'removed', 'theirs.pdf'), reason };
		expect(row).toMatchObject({ action: 'replaced', old: [kept] });
		expect(sent().at(-1)).toBe('remove support-bot theirs');
	});

	test.each(['support-bot', 'Support-Bot'])(
		'what the run itself has added is found where CometChat spells the agent %s',
		async (uid) => {
			const body = JSON.stringify({ uid, name: 'Support Bot', files: [], websites: [] });
			service().script({ for: { operation: 'agent' }, body, times: Infinity });
			const items = [{ choice: 'add' }, { choice: 'replace' }];
			const parameters = { ...INDEXED, ifNameExists: '={{ $json.choice }}' };
			const run = await upload([], { files: itemEach(['a.txt', 'a.txt']), items, parameters });
			expect(rowsOf(run)).toMatchObject([{ action: 'added' }, { action: 'replaced' }]);
		},
	);

	test.each([
		['skip', 'prices.pdf', 'CometChat has a file named "prices.pdf" already', /ID old\.$/],
		[
			'replace',
			'twice.pdf',
			'CometChat has 2 files named "twice.pdf"',
			/Remove Files, and .* Document: Delete\. .* Add Another\. .*ID two; .*ID one\.$/,
		],
	])('%s sends nothing for %s', async (choice, name, message, how) => {
		const said = /does not tell which of them the agent has/;
		const failed = errorOf(await uploadAs(choice, [name]));
		expect(failed).toMatchObject({ message, description: expect.stringMatching(said) });
		expect(failed).toMatchObject({ description: expect.stringMatching(how) });
		expect(sent()).toEqual([]);
	});
});

describe('Name in CometChat', () => {
	const { service, upload, uploaded, attached } = freshUploads({ indexing: { ms: 0 } });
	const named = { options: { nameInCometChat: '={{ $json.folder }}/{{ $json.name }}' } };

	test('an expression puts the folder before it: two files of one name from two subfolders are two', async () => {
		const files = itemEach(['prices.pdf', 'prices.pdf']);
		const items = [
			{ folder: 'North', name: 'prices.pdf' },
			{ folder: '/South/2026', name: 'prices' },
		];
		const parameters = { ...INDEXED, ...named, ifNameExists: 'replace' };
		for (let week = 0; week < 2; week++) await upload([], { files, items, parameters });
		const both = ['North - prices.pdf', 'South - 2026 - prices.pdf'];
		expect(uploaded()).toEqual([...both, ...both]);
		expect(attached()).toHaveLength(2);
	});

	test.each<[string, string[], string, RegExp]>([
		['={{ null }}', ['a.txt'], "'Name in CometChat' is empty", /leave it empty/],
		['x', ['a.txt', 'b.txt'], `2 files, in "file_0", "file_1", and 'Name in`, /split the item/],
	])('%s for %j is refused before anything is sent', async (name, files, what, how) => {
		const failed = await upload(files, { parameters: { options: { nameInCometChat: name } } });
		expect(errorOf(failed)).toMatchObject({
			message: expect.stringContaining(what),
			description: expect.stringMatching(how),
		});
		expect(service().log).toEqual([]);
	});
});
