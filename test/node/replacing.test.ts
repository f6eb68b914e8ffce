import { sleep } from 'n8n-workflow';

import type { RecordSeed, Rule, Service } from '../service/service';
import { add, freshService } from './fixture';
import { agent, arrivals, errorOf, file, runFiles } from './uploaded';

const RECORDS: RecordSeed[] = [
	{ sourceName: 'prices.pdf', uniqueId: 'old' },
	{ sourceName: 'prices.pdf', uniqueId: 'text', type: 'text-details' },
	{ sourceName: 'twice.pdf', uniqueId: 'two' },
	{ sourceName: 'twice.pdf', uniqueId: 'one', status: 'failed' },
	{ sourceName: 'prices.docx', uniqueId: 'other' },
	{ sourceName: 'M\u00fcller.pdf', uniqueId: 'composed' },
];
/** What the agent has had at each moment of which the log knows. */
let standings: string[][] = [];
let watched: Service | undefined;
const service = freshService({
	records: RECORDS,
	indexing: { ms: 0 },
	onEntry: () => standings.push(watched?.files('support-bot', 'uploads') ?? []),
});
beforeEach(async () => {
	watched = service();
	await add(service(), [{ agent: 'support-bot', files: ['old', 'other', 'two', 'one'] }]);
	service().clearLog();
	standings = [];
});

const continuing = { onError: 'continueRegularOutput' as const };
const prices = [{ data: file('prices.pdf', 'The new prices.') }];
const replace = async (parameters: object = {}, more: Parameters<typeof runFiles>[2] = {}) =>
	await runFiles(service(), 'replace', {
		files: prices,
		...more,
		parameters: { uid: agent('support-bot'), ...parameters },
	});
const newest = () => service().records()[0]?.uniqueId ?? '';
const attached = () => service().files('support-bot', 'uploads');

describe('The order', () => {
	test('is: uploaded, indexed, added, removed', async () => {
		const { output } = await replace();
		const id = newest();
		expect(arrivals(service())).toEqual([
			'records',
			'initiate prices.pdf',
			'upload prices.pdf',
			`poll ${id}`,
			`add support-bot ${id}`,
			'remove support-bot old',
		]);
		expect(attached()).toEqual(['other', 'two', 'one', id]);
		expect(service().records()).toHaveLength(RECORDS.length + 1);
		expect(output.map(({ json }) => json)).toEqual([
			{
				success: true,
				uid: 'support-bot',
				fileName: 'prices.pdf',
				oldId: 'old',
				newId: id,
				reached: ['uploaded', 'indexed', 'added', 'removed'],
			},
		]);
	});

	test('ends with deleting the old version, if asked', async () => {
		const { output } = await replace({ deleteOldVersion: true });
		expect(arrivals(service()).slice(-2)).toEqual(['remove support-bot old', 'deleteUpload old']);
		expect(
			service()
				.records()
				.map(({ uniqueId }) => uniqueId),
		).not.toContain('old');
		expect(output[0]?.json.reached).toContain('deleted');
	});

	test('holds while indexing takes its time', async () => {
		service().scriptIndexing({ for: { fileName: 'prices.pdf' }, ms: 1500 });
		await replace();
		const lines = arrivals(service());
		expect(lines.filter((line) => line.startsWith('poll')).length).toBeGreaterThan(1);
		expect(lines.slice(-2)).toEqual([`add support-bot ${newest()}`, 'remove support-bot old']);
	});
});

describe('Whatever fails, the agent has the document all the time, and the output says where it stopped', () => {
	const steps = [
		['records', []],
		['initiate', []],
		['upload', []],
		['poll', ['uploaded']],
		['add', ['uploaded', 'indexed']],
		['remove', ['uploaded', 'indexed', 'added']],
		['deleteUpload', ['uploaded', 'indexed', 'added', 'removed']],
	] as const;
	const failures: Array<[string, Rule]> = [
		['refused', { status: 400 }],
		['broken', { status: 500 }],
		['broken after it was done', { status: 500, apply: true }],
		['cut off before it is done', { drop: 'beforeApplying' }],
		['cut off after it is done', { drop: 'afterApplying' }],
		['answered with something else', { status: 200, body: '{"ok":1}', apply: true }],
	];
	const cases = steps.flatMap(([operation, reached]) =>
		failures.map(([how, rule]) => [operation, how, rule, reached] as const),
	);

	test.each(cases)('%s %s', async (operation, how, rule, reached) => {
		service().script({ for: { operation }, times: Infinity, ...rule });
		const run = await replace(
			{ deleteOldVersion: true },
			{ ...continuing, options: { maxAttempts: 2, maxWaitSeconds: 0 } },
		);
		const id = service()
			.records()
			.find(({ uniqueId }) => uniqueId.includes('-'))?.uniqueId;
		expect(standings.length).toBeGreaterThan(0);
		for (const held of standings) {
			expect(held.includes('old') || (id !== undefined && held.includes(id))).toBe(true);
			expect(held).toEqual(expect.arrayContaining(['other', 'two', 'one']));
		}
		// Bytes count as arrived with any yes of the upload host, and with a 412 after a lost answer.
		const isStored = operation === 'upload' && how === 'answered with something else';
		if (isStored) {
			expect(run.output[0]?.json.success).toBe(true);
			return;
		}
		const error = errorOf(run);
		expect(error).toMatchObject({ reached, uid: 'support-bot', fileName: 'prices.pdf' });
		const words = JSON.stringify(error);
		if (operation !== 'records') expect(words).toContain('(ID old)');
		if (reached.length > 0) expect(words).toContain(`(ID ${id})`);
	});

	test.each(steps.map(([operation]) => operation))(
		'%s is tried again when the service was busy or an answer was lost, and then goes on',
		async (operation) => {
			service().script(
				{ for: { operation }, status: 503 },
				{ for: { operation }, drop: 'afterApplying' },
			);
			const { output } = await replace(
				{ deleteOldVersion: true },
				{ options: { maxWaitSeconds: 0 } },
			);
			expect(output[0]?.json.success).toBe(true);
			expect(attached()).toEqual(['other', 'two', 'one', output[0]?.json.newId]);
		},
	);

	test.each<[string, Rule, string]>([
		[
			'the upload',
			{ for: { operation: 'upload' }, status: 400 },
			'The old version (ID old) was not taken from the agent. The new one was not uploaded. CometChat may show an entry without content (ID NEW): delete it with Delete Files.',
		],
		[
			'adding',
			{ for: { operation: 'add' }, status: 400 },
			'The old version (ID old) was not taken from the agent. The new one (ID NEW) is in CometChat, and was not added to the agent. To go on, use Add Files and Remove Files with these IDs, or delete the new one: with both there, its name stands for two files.',
		],
		[
			'removing',
			{ for: { operation: 'remove' }, status: 400 },
			'The agent has the new version (ID NEW) and still has the old one (ID old). To go on, remove the old one with Remove Files.',
		],
		[
			'deleting',
			{ for: { operation: 'deleteUpload' }, status: 400 },
			'The agent has the new version (ID NEW) and no longer the old one. The old one (ID old) is still in CometChat: delete it with Delete Files.',
		],
	])('the words for a failure of %s say how to go on', async (_, rule, words) => {
		service().script(rule);
		const run = await replace({ deleteOldVersion: true }, continuing);
		expect(errorOf(run)).toMatchObject({
			description: expect.stringContaining(words.replaceAll('NEW', newest())),
		});
	});

	test('an upload whose answer was lost is unknown, not undone: the file may be there', async () => {
		service().script({ for: { operation: 'upload' }, drop: 'afterApplying' });
		const run = await replace({}, { ...continuing, options: { maxAttempts: 1 } });
		expect(errorOf(run)).toMatchObject({
			effect: 'unknown',
			description: expect.stringContaining('It is not known whether the new one was uploaded.'),
			newId: newest(),
			reached: [],
		});
		expect(service().stored(newest())).toBeDefined();
	});

	test('a new version that can not be indexed is not added, and the old one stays', async () => {
		service().scriptIndexing({ ends: 'failed' });
		const run = await replace({ deleteOldVersion: true }, continuing);
		expect(attached()).toEqual(['old', 'other', 'two', 'one']);
		const id = newest();
		expect(errorOf(run)).toMatchObject({
			message: 'CometChat was not able to read the file [item 0]',
			description: `The old version (ID old) was not taken from the agent. The new one (ID ${id}) is in CometChat, and was not added to the agent. Check that the file opens, is not protected by a password and holds text; then delete it ("${id}") and upload it again.`,
			reached: ['uploaded'],
		});
	});

	test('the stop button while it waits leaves the old version in its place', async () => {
		service().scriptIndexing({ ms: Infinity });
		const stop = (async () => {
			while (!arrivals(service()).some((line) => line.startsWith('poll'))) await sleep(5);
		})();
		const { status } = await replace({}, { stop });
		expect(status).toBe('canceled');
		expect(attached()).toEqual(['old', 'other', 'two', 'one']);
	});
});

describe('The old version', () => {
	test('is the one upload that has the name of the new one, and no text of that name', async () => {
		const { output } = await replace();
		expect(output[0]?.json.oldId).toBe('old');
	});

	test('can have another name', async () => {
		const { output } = await replace({ oldFileName: ' prices.docx ' });
		expect(output[0]?.json.oldId).toBe('other');
		expect(attached()).toEqual(['old', 'two', 'one', newest()]);
	});

	test.each([
		['the new one', {}, 'Mu\u0308ller.pdf'],
		['the field', { oldFileName: 'Mu\u0308ller.pdf' }, 'prices.pdf'],
	])('is found if %s has its name as macOS writes it', async (_, parameters, fileName) => {
		const { output } = await replace(parameters, { files: [{ data: file(fileName) }] });
		expect(output[0]?.json.oldId).toBe('composed');
	});

	test('can be given by its ID, and is not looked for then', async () => {
		await replace({ oldVersionBy: 'id', oldFileId: 'two' });
		expect(arrivals(service())[0]).toBe('initiate prices.pdf');
		expect(attached()).toEqual(['old', 'other', 'one', newest()]);
	});

	test('is looked for in all pages', async () => {
		service().script({
			body: JSON.stringify({
				data: [],
				meta: { next: { affix: 'append', cursor: '9999999999999.1' } },
			}),
		});
		const { output } = await replace();
		expect(output[0]?.json.oldId).toBe('old');
	});

	test('is not guessed if two have its name: nothing is uploaded, and the words name both', async () => {
		const run = await replace({ oldFileName: 'twice.pdf' }, continuing);
		expect(arrivals(service())).toEqual(['records']);
		expect(errorOf(run)).toMatchObject({
			message: 'CometChat has 2 uploads named "twice.pdf" [item 0]',
			description:
				"The new one was not uploaded. Their IDs are two (indexed), one (failed). Set 'Find Old Version By' to ID, or delete those that are not needed.",
			effect: 'not applied',
		});
	});

	test('is not guessed either when an upload that broke off has left an entry of its name', async () => {
		service().script({ for: { operation: 'upload' }, status: 403 });
		await replace({}, continuing);
		const id = newest();
		service().clearLog();
		const run = await replace({}, continuing);
		expect(arrivals(service())).toEqual(['records']);
		expect(errorOf(run)).toMatchObject({
			message: 'CometChat has 2 uploads named "prices.pdf" [item 0]',
			description: expect.stringContaining(`${id} (indexing), old (indexed)`),
		});
		await runFiles(service(), 'delete', { parameters: { fileIds: id } });
		expect((await replace()).output[0]?.json.oldId).toBe('old');
	});

	test('that is not there is an error, and nothing is uploaded', async () => {
		const run = await replace({ oldFileName: 'none.pdf' }, continuing);
		expect(arrivals(service())).toEqual(['records']);
		expect(errorOf(run)).toMatchObject({
			message: 'CometChat has no upload named "none.pdf" [item 0]',
			description:
				"The new one was not uploaded. Check the name, or set 'If There Is None' to Add the File.",
		});
	});

	test('that is not there is no error if the user wants the file added then', async () => {
		const { output } = await replace({ oldFileName: 'none.pdf', ifNotFound: 'add' });
		expect(attached()).toEqual(['old', 'other', 'two', 'one', newest()]);
		expect(output[0]?.json).toMatchObject({
			success: true,
			newId: newest(),
			reached: ['uploaded', 'indexed', 'added'],
		});
		expect(output[0]?.json.oldId).toBeUndefined();
	});

	test('of two items of one run is told apart, and the changes of their agent never overlap', async () => {
		service().script({ for: { uid: 'support-bot' }, latencyMs: 40, times: Infinity });
		const files = ['prices.pdf', 'prices.docx'].map((name) => ({ data: file(name) }));
		const { output } = await replace({}, { files });
		expect(output.map(({ json }) => json.oldId)).toEqual(['old', 'other']);
		expect(service().maxInFlight('support-bot')).toBe(1);
		expect(attached()).toHaveLength(4);
	});
});

describe('Before anything is sent', () => {
	test.each<[string, object, string]>([
		[
			'an old ID that could leave the address',
			{ oldVersionBy: 'id', oldFileId: '../x' },
			"'Old File ID' is \"../x\", and an address can't hold that as one ID",
		],
		[
			'an old name that is missing in the item',
			{ oldFileName: '={{ $json.nothing }}' },
			"'Old File Name' is not a text",
		],
		[
			'another way to find it than there is',
			{ oldVersionBy: '={{ "name" }}', oldFileId: 'old' },
			"'Find Old Version By' is not one of its choices",
		],
		[
			'another choice than there is',
			{ ifNotFound: '={{ "maybe" }}' },
			"'If There Is None' is not one of its choices",
		],
		[
			'a switch that is none',
			{ deleteOldVersion: '={{ "no" }}' },
			"'Delete Old Version' is neither true nor false",
		],
		[
			'several files',
			{ binaryPropertyName: '*' },
			"'Input Data Field Name' names several files, and one is replaced at a time",
		],
		['no agent', { uid: agent('={{ "" }}') }, "'Agent' is empty"],
	])('%s is refused', async (_, parameters, message) => {
		const files = [{ data: file('prices.pdf'), more: file('more.pdf') }];
		const run = await replace(parameters, { ...continuing, files });
		expect(service().log).toEqual([]);
		expect(errorOf(run)).toMatchObject({ message: `${message} [item 0]` });
	});
});
