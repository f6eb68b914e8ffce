import type { INodeParameters } from 'n8n-workflow';

import type { RecordSeed } from '../../service/service';
import { add } from '../fixture';
import { agent, arrivals, continuing, errorOf, file, runFiles } from '../operations';
import { freshUploads, itemEach, TO_AGENT } from './uploads';

const RECORDS: RecordSeed[] = [
	{ sourceName: 'prices.pdf', uniqueId: 'old' },
	{ sourceName: 'prices.pdf', uniqueId: 'text', type: 'text-details' },
	{ sourceName: 'twice.pdf', uniqueId: 'two' },
	{ sourceName: 'twice.pdf', uniqueId: 'one' },
	{ sourceName: 'theirs.pdf', uniqueId: 'theirs' },
];
const INDEXED = { ...TO_AGENT, waitUntilIndexed: true };
const SENT = /^(initiate|upload|createText|add|remove|delete)/;

describe.each([['uniqueIds'], ['empty']] as const)(
	'Where the lists of agents say %s',
	(agentLists) => {
		const isTold = agentLists === 'uniqueIds';
		const { service, upload, attached, ids } = freshUploads({
			records: RECORDS,
			agentLists,
			indexing: { ms: 0 },
		});
		beforeEach(async () => {
			await add(service(), [{ agent: 'support-bot', files: ['old', 'two', 'one'] }]);
			service().clearLog();
		});
		const uploadAs = async (
			ifNameExists: string,
			names: string[],
			parameters: INodeParameters = INDEXED,
		) => await upload(names, { options: { ifNameExists }, parameters });
		const sent = () => arrivals(service()).filter((line) => SENT.test(line));

		test('Add Another adds it, and a warning names what is there', async () => {
			const { output, hints } = await uploadAs('add', ['prices.pdf', 'new.pdf']);
			expect(output[0]?.json).toMatchObject({ success: true, addedToAgent: true });
			expect(attached()).toHaveLength(5);
			const begin = isTold
				? 'The agent has other documents of the same name, and answers from all of them'
				: 'CometChat has other documents of the same name, and does not tell whether the agent has them';
			const warnings = hints.filter(({ type }) => type === 'warning');
			expect(warnings).toHaveLength(1);
			expect(warnings[0]?.message).toContain(`${begin}: "prices.pdf" (ID old). Take those`);
		});

		test('Replace takes the old one out once the agent has the new one, and deletes it if that is proven', async () => {
			const { output } = await uploadAs('replace', ['prices.pdf', 'new.pdf']);
			expect(output[0]?.json).toMatchObject({
				success: true,
				replaced: ['old'],
				...(isTold
					? {}
					: { notDeleted: expect.stringContaining('Not known whether another agent') }),
			});
			const [first = '', second = ''] = ids().slice(-2);
			expect(attached()).toEqual(['two', 'one', first, second]);
			expect(sent().slice(3)).toEqual([
				`add support-bot ${first},${second}`,
				'remove support-bot old',
				...(isTold ? ['deleteUpload old'] : []),
			]);
		});

		test('Skip leaves out what is there, and sends the others', async () => {
			const run = await uploadAs('skip', ['prices.pdf', 'new.pdf']);
			if (!isTold) {
				expect(errorOf(run)).toMatchObject({
					message: expect.stringContaining('CometChat has a file named "prices.pdf" already'),
					description: expect.stringContaining('does not tell which of them the agent has'),
				});
				expect(sent()).toEqual([]);
				return;
			}
			expect(run.output[0]?.json).toMatchObject({
				success: true,
				skipped: [{ name: 'prices.pdf', uniqueId: 'old' }],
				uploads: [{ fileName: 'new.pdf' }],
			});
			expect(sent()[0]).toBe('initiate new.pdf');
			expect(attached()).toHaveLength(4);
		});

		test.each([
			['fail', 'prices.pdf', 'has a file named "prices.pdf" already'],
			['replace', 'twice.pdf', 'has 2 files named "twice.pdf"'],
		])('%s with %s fails before anything is sent', async (choice, name, message) => {
			const run = await uploadAs(choice, ['new.pdf', name]);
			expect(errorOf(run)).toMatchObject({
				message: expect.stringContaining(message),
				effect: 'not applied',
			});
			expect(sent()).toEqual([]);
		});
	},
);

describe('If the Name Is There', () => {
	const { service, upload, attached, names } = freshUploads({
		records: RECORDS,
		indexing: { ms: 0 },
	});
	const sent = () => arrivals(service()).filter((line) => SENT.test(line));

	test('of a document that another agent has, nothing is said', async () => {
		await add(service(), [{ agent: 'sales-assistant', files: ['theirs'] }]);
		const { hints } = await upload(['theirs.pdf'], { parameters: INDEXED });
		expect(hints.filter(({ type }) => type === 'warning')).toEqual([]);
	});

	test('without an agent, the account is looked at', async () => {
		const { hints } = await upload(['theirs.pdf']);
		expect(hints).toContainEqual(
			expect.objectContaining({
				message: expect.stringContaining(
					'CometChat has other documents of the same name: "theirs.pdf" (ID theirs).',
				),
			}),
		);
		service().clearLog();
		const { output } = await upload(['theirs.pdf'], { options: { ifNameExists: 'skip' } });
		expect(output[0]?.json).toMatchObject({ success: true, uploads: [] });
		expect(sent()).toEqual([]);
	});

	test('Replace needs an agent', async () => {
		const run = await upload(['theirs.pdf'], { options: { ifNameExists: 'replace' } });
		expect(errorOf(run)).toMatchObject({
			message: expect.stringContaining("'Add to Agent' is off"),
		});
		expect(service().log).toEqual([]);
	});

	test.each([
		['add', 2],
		['skip', 1],
		['replace', 1],
	])('of two items of one name, %s leaves the agent with %d', async (ifNameExists, count) => {
		const { output, hints } = await upload([], {
			files: itemEach(['a.txt', 'a.txt']),
			options: { ifNameExists },
			parameters: INDEXED,
		});
		expect(output.map(({ json }) => json.success)).toEqual([true, true]);
		expect(attached()).toHaveLength(count);
		const isWarned = hints.some(({ message }) => message.includes('"a.txt" (ID '));
		expect(isWarned).toBe(ifNameExists === 'add');
	});

	test('of one item with two files of a name, it is not guessed which is meant', async () => {
		const files = [{ file_0: file('a.txt'), file_1: file('a.txt', 'other') }];
		const run = await upload([], { files, options: { ifNameExists: 'skip' } });
		expect(errorOf(run)).toMatchObject({
			message: expect.stringContaining('The item has two files named "a.txt"'),
		});
		expect(sent()).toEqual([]);
	});

	test('a list that cannot be read keeps nothing from being added, and is said', async () => {
		service().script({ for: { operation: 'records' }, status: 503, times: Infinity });
		const { output, hints } = await upload(['a.txt'], { parameters: INDEXED });
		expect(output[0]?.json).toMatchObject({ success: true });
		expect(arrivals(service()).filter((line) => line === 'records')).toHaveLength(1);
		expect(hints.map(({ message }) => message).join()).toContain('its list could not be read');
	});

	test('a list that cannot be read keeps what depends on it from being sent', async () => {
		service().script({ for: { operation: 'records' }, status: 400, times: Infinity });
		const run = await upload(['a.txt'], { options: { ifNameExists: 'skip' }, parameters: INDEXED });
		expect(errorOf(run)).toMatchObject({ effect: 'not applied', status: 400 });
		expect(sent()).toEqual([]);
		expect(names()).not.toContain('a.txt');
	});
});

describe('In an account of many', () => {
	const many = Array.from({ length: 1500 }, (_, at) => ({
		sourceName: `${at}.pdf`,
		uniqueId: `id-${at}`,
	}));
	const { service, upload } = freshUploads({ records: many, indexing: { ms: 0 } });

	test('the warning looks at ten pages, once for all items, and says so', async () => {
		const { hints } = await upload([], { files: itemEach(['new.txt', '2.pdf']) });
		expect(arrivals(service()).filter((line) => line === 'records')).toHaveLength(10);
		expect(hints.map(({ message }) => message).join()).toContain('newest 1,000 documents');
	});
});

describe('A text whose title is there', () => {
	const { service, attached } = freshUploads({
		records: [{ sourceName: 'Opening hours', uniqueId: 'hours', type: 'text-details' }],
		indexing: { ms: 0 },
	});
	const texts = () => service().files('support-bot', 'text');
	const create = async (ifNameExists: string) =>
		await runFiles(service(), 'text.create', {
			...continuing,
			options: { ifNameExists },
			parameters: {
				title: 'Opening hours',
				text: 'We are open.',
				addToAgent: true,
				uid: agent('support-bot'),
				waitUntilIndexed: true,
			},
		});
	beforeEach(async () => {
		const parameters = { sourceType: 'text' };
		await add(service(), [{ agent: 'support-bot', files: ['hours'] }], { parameters });
		service().clearLog();
	});

	test.each<[string, object, number]>([
		['add', { success: true, addedToAgent: true }, 2],
		['replace', { success: true, replaced: ['hours'], addedToAgent: true }, 1],
		['skip', { success: true, skipped: [{ name: 'Opening hours', uniqueId: 'hours' }] }, 1],
	])('%s', async (choice, json, count) => {
		const { output } = await create(choice);
		expect(output[0]?.json).toMatchObject(json);
		expect(texts()).toHaveLength(count);
		expect(texts().includes('hours')).toBe(choice !== 'replace');
		expect(attached()).toEqual([]);
	});

	test('fail', async () => {
		expect(errorOf(await create('fail'))).toMatchObject({
			message: expect.stringContaining('has a text named "Opening hours"'),
		});
		expect(arrivals(service()).filter((line) => SENT.test(line))).toEqual([]);
	});
});
