import type { INodeParameters } from 'n8n-workflow';

import type { RecordSeed, ServiceOptions } from '../../service/service';
import { add } from '../fixture';
import type { Run } from '../engine';
import { agent, arrivals, errorOf } from '../operations';
import { freshUploads, hinted, itemEach, TO_AGENT } from './uploads';

const INDEXED = { ...TO_AGENT, waitUntilIndexed: true };

describe('After the upload', () => {
	const { service, upload, ids, attached } = freshUploads();
	const endsFailed = (fileName?: string) =>
		service().scriptIndexing({ for: { fileName }, ends: 'failed' });

	test('each file of an item is added as soon as it is indexed, and has its own row', async () => {
		service().scriptIndexing({ for: { fileName: 'slow.txt' }, ms: 3000 });
		const { output } = await upload(['slow.txt', 'a.txt'], { parameters: INDEXED });
		const [slow, a] = ids();
		const added = arrivals(service()).filter((line) => line.startsWith('add'));
		expect(added).toEqual([`add support-bot ${a}`, `add support-bot ${slow}`]);
		const more = { action: 'added', success: true, status: 'indexed', sourceType: 'uploads' };
		const place = { agentName: 'Support Bot', uid: 'support-bot' };
		expect(output.map(({ json }) => json)).toEqual([
			{ name: 'slow.txt', ...more, uniqueId: slow, ...place },
			{ name: 'a.txt', ...more, uniqueId: a, ...place },
		]);
	});

	test('an outage of 20 seconds during indexing fails no file', async () => {
		service().script({ for: { operation: 'poll' }, status: 503, times: 6 });
		const { output } = await upload(['a.txt', 'b.txt', 'c.txt'], { parameters: INDEXED });
		expect(output.map(({ json }) => json.action)).toEqual(['added', 'added', 'added']);
		expect(attached()).toEqual(ids());
	});

	test('a file for an unknown agent is not uploaded', async () => {
		const run = await upload(['a.txt'], { parameters: { ...INDEXED, uid: agent('x') } });
		expect(errorOf(run)).toMatchObject({ status: 404, effect: 'not applied' });
		expect(ids()).toEqual([]);
	});

	test('a stopping execution finishes uploaded files, and waits at most a minute for them', async () => {
		service().scriptIndexing({ for: { fileName: 'slow.pdf' }, ms: 20_000 });
		service().scriptIndexing({ for: { fileName: 'endless.pdf' }, ms: 3_600_000 });
		service().script({
			for: { operation: 'upload', fileName: 'bad.pdf' },
			status: 400,
			latencyMs: 10_000,
		});
		const files = itemEach(['slow.pdf', 'endless.pdf', 'bad.pdf']);
		const beganMs = Date.now();
		const { error } = await upload([], { files, parameters: INDEXED, onError: 'stopWorkflow' });
		expect(Date.now() - beganMs).toBeLessThan(80_000);
		const [slow, endless] = ids();
		expect(attached()).toEqual([slow]);
		expect(error?.message).toMatch(/\[item 3\]$/);
		expect(error?.description).toContain(`"endless.pdf" (ID ${endless}`);
	});

	test.each(['stopWorkflow', 'continueRegularOutput'] as const)(
		'a file that cannot be indexed is an error with advice, and the other files of its item are added (%s)',
		async (onError) => {
			endsFailed('b.pdf');
			const run = await upload(['b.pdf', 'a.txt'], { onError, parameters: INDEXED });
			const [b, a] = ids();
			expect(attached()).toEqual([a]);
			if (onError === 'stopWorkflow') return;
			expect(errorOf(run)).toMatchObject({
				message: `CometChat couldn't index "b.pdf"`,
				description: expect.stringMatching(/'Add Files'\. .*Not added to the agent: "b\.pdf"\./),
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
	{ sourceName: 'theirs.pdf', uniqueId: 'older' },
];

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

describe('If Name Already Exists', () => {
	const { service, upload, uploadAs, attached, sent, ids } = freshNames();

	test.each(['replace', 'skip', 'fail'])(
		'with %s, nothing is uploaded if the account lists nothing and the agent has documents',
		async (choice) => {
			service().script({ for: { operation: 'records' }, body: '{"data":[]}' });
			const run = await uploadAs(choice, ['prices.pdf']);
			expect(errorOf(run)).toMatchObject({
				message: "CometChat lists no documents, but the agent's documents are not empty",
			});
			expect(sent()).toEqual([]);
		},
	);

	test('Add Another adds it without any check', async () => {
		const run = await uploadAs('add', ['prices.pdf', 'prices.pdf']);
		expect(rowsOf(run)).toMatchObject([{ action: 'added' }, { action: 'added' }]);
		expect(attached()).toHaveLength(5);
		expect(hinted(run)).not.toContain('name');
		// The last request reads the names under which CometChat lists the new files.
		const lines = arrivals(service()).filter((line) => /^(records|list|agent|add)/.test(line));
		expect(lines.map((line) => line.split(' ')[0])).toEqual(['agent', 'add', 'records']);
	});

	test.each<[string, string, string[]]>([
		['replace', 'removed', []],
		['replaceAndDelete', 'deleted', ['deleteUpload two', 'deleteUpload one']],
	])(
		'%s removes all files with the name once the agent uses the new one: each is %s',
		async (ifNameExists, action, deletions) => {
			const run = await uploadAs(ifNameExists, ['twice.pdf', 'new.pdf']);
			const [first, second] = rowsOf(run);
			expect(first).toMatchObject({
				...{ action: 'replaced', agentName: 'Support Bot', uid: 'support-bot' },
				old: [old('two', action, 'twice.pdf'), old('one', action, 'twice.pdf')],
			});
			expect([second?.action, second?.old]).toEqual(['added', undefined]);
			const added = `add support-bot ${ids().slice(-2).join()}`;
			expect(sent().slice(4)).toEqual([added, 'remove support-bot two,one', ...deletions]);
		},
	);

	test('Skip leaves out existing files, says so in their rows, and uploads the others', async () => {
		const rows = rowsOf(await uploadAs('skip', ['prices.pdf', 'new.pdf']));
		expect(rows).toMatchObject([
			{ name: 'prices.pdf', action: 'skipped', success: true, uniqueId: 'old' },
			{ name: 'new.pdf', action: 'added' },
		]);
		expect(rows[1]).not.toHaveProperty('reason');
		expect(attached()).toHaveLength(4);
	});

	test('Fail fails before anything is sent', async () => {
		const message = 'The agent already has an uploaded document named "prices.pdf" (ID old)';
		const failed = errorOf(await uploadAs('fail', ['new.pdf', 'prices.pdf']));
		expect(failed).toMatchObject({ message, action: 'failed', effect: 'not applied' });
		expect(sent()).toEqual([]);
	});

	test.each<[string, string, string[], RegExp]>([
		['replace', 'uploaded', ['kept', 'kept'], /'Add to Agent' is off.*Replace and Delete/],
		['replaceAndDelete', 'uploaded', ['kept', 'kept'], /^Used by agents: "Support Bot"$/],
	])('without an agent, %s removes nothing from one', async (choice, action, kept, reason) => {
		const [row] = rowsOf(await uploadAs(choice, ['twice.pdf'], { waitUntilIndexed: true }));
		expect(row).toMatchObject({ action });
		expect(Object(row).old).toMatchObject(
			kept.map((one) => ({ action: one, reason: expect.stringMatching(reason) })),
		);
		expect(attached()).toHaveLength(3);
		expect(sent().join()).not.toMatch(/remove|delete/);
	});

	test('without an agent, Replace and Delete deletes all unused files, once the new one is indexed', async () => {
		const [row] = rowsOf(await uploadAs('replaceAndDelete', ['theirs.pdf'], {}));
		const gone = ['theirs', 'older'].map((id) => old(id, 'deleted', 'theirs.pdf'));
		expect(row).toMatchObject({ action: 'replaced', status: 'indexed', old: gone });
		expect(sent().slice(-2)).toEqual(['deleteUpload theirs', 'deleteUpload older']);
	});

	test('without an agent, a document that another execution added a moment ago is not deleted', async () => {
		const transform = (body: unknown) =>
			JSON.parse(JSON.stringify(body).replace(/,"one"|"one",/, ''));
		service().script({ for: { operation: 'list' }, transform });
		const [row] = rowsOf(await uploadAs('replaceAndDelete', ['twice.pdf'], {}));
		expect(row).toMatchObject({ old: [{ action: 'kept' }, { action: 'kept' }] });
		expect(sent().join()).not.toContain('delete');
	});

	test('without an agent, all documents of the account count', async () => {
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
			const items = itemsFor(['support-bot', 'support-bot', 'support-bot']);
			const parameters = { ...AGENTS, ifNameExists };
			const run = await upload([], { files, items, parameters });
			const message = 'Items 1, 3 have documents with the same name for the same agent: "a.txt"';
			const refused = {
				...{ name: 'a.txt', effect: 'not applied', message: expect.stringContaining(message) },
				description: expect.stringContaining("to 'Add Another'"),
			};
			expect(errorOf(run, 0)).toMatchObject(refused);
			expect(errorOf(run, 2)).toMatchObject(refused);
			expect(run.output[1]?.json).toMatchObject({ success: true });
			const stopped = await upload([], { files, items, parameters, onError: 'stopWorkflow' });
			expect(stopped.error?.message).toContain(message);
			expect(sent().filter((line) => line.includes('a.txt'))).toEqual([]);
		},
	);

	test('a file without an agent deletes no file that another item of the execution adds to one', async () => {
		const files = itemEach(['a.txt', 'a.txt']);
		service().script({ for: { operation: 'add' }, latencyMs: 5000 });
		const items = [{ adds: true }, { adds: false }];
		const parameters = { ...INDEXED, addToAgent: '={{ $json.adds }}' };
		const both = { ...parameters, ifNameExists: 'replaceAndDelete' };
		const run = await upload([], { files, items, parameters: both });
		expect(rowsOf(run)).toMatchObject([{ action: 'added' }, { action: 'uploaded' }]);
		expect(sent().join()).not.toContain('delete');
	});

	test('without the list, files that depend on it are not sent', async () => {
		service().script({ for: { operation: 'records' }, status: 503, times: Infinity });
		expect(errorOf(await uploadAs('replace', ['b.txt']))).toMatchObject({ effect: 'not applied' });
		expect(sent()).toEqual([]);
	});
});

describe('A file that was indexed too slowly to be added', () => {
	const { service, upload, ids } = freshUploads({
		records: [{ sourceName: 'proof.pdf', uniqueId: 'proof' }],
		indexing: { ms: 90_000 },
	});

	test.each(['replace', 'replaceAndDelete', 'skip', 'fail'])(
		'is named by the row of the next one: %s',
		async (ifNameExists) => {
			service().attach('support-bot', ['proof']);
			const more = {
				parameters: { ...INDEXED, ifNameExists },
				options: { maxIndexingMinutes: 1 },
			};
			await upload(['slow.pdf'], more);
			const first = ids().at(-1);
			const { output } = await upload(['slow.pdf'], more);
			expect(output[0]?.json.old).toEqual([
				expect.objectContaining({ name: 'slow.pdf', uniqueId: first, action: 'kept' }),
			]);
		},
	);
});

describe('Two executions at once', () => {
	const { service, uploadAs, attached, names } = freshNames();

	test('leave the agent at most two files with the name, and the next execution leaves one', async () => {
		await Promise.all([
			uploadAs('replaceAndDelete', ['prices.pdf']),
			uploadAs('replaceAndDelete', ['prices.pdf']),
		]);
		await uploadAs('replaceAndDelete', ['prices.pdf']);
		const ids = service()
			.records()
			.flatMap(({ sourceName, type, uniqueId }) =>
				sourceName === 'prices.pdf' && type === 'uploads' ? [uniqueId] : [],
			);
		expect(ids).toHaveLength(1);
		expect(attached()).toEqual(['two', 'one', ...ids]);
		expect(names()).toHaveLength(6);
	});
});

describe('If Name Already Exists, if the lists of agents report nothing', () => {
	const { uploadAs, sent } = freshNames({ agentLists: 'empty' });

	test.each(['skip', 'fail'])('%s sends nothing', async (choice) => {
		const failed = errorOf(await uploadAs(choice, ['prices.pdf']));
		const said = /to 'Replace' or 'Add Another'\. .*whether the agent uses it\./;
		expect(failed).toMatchObject({
			message: 'CometChat already has an uploaded document named "prices.pdf" (ID old)',
			description: expect.stringMatching(said),
		});
		expect(sent()).toEqual([]);
	});

	test('without an agent, Replace and Delete deletes nothing', async () => {
		const [row] = rowsOf(await uploadAs('replaceAndDelete', ['prices.pdf'], {}));
		const reason = expect.stringMatching(/^Unknown whether an agent uses this document/);
		expect(row).toMatchObject({ old: [{ ...old('old', 'kept'), reason }] });
		expect(sent().join()).not.toContain('delete');
	});
});

describe('If Name Already Exists, where the lists of agents do not show the new document', () => {
	const { service, uploadAs, sent } = freshNames();
	const withoutNew = (body: unknown) =>
		JSON.parse(JSON.stringify(body).replace(/,"[0-9a-f]{8}-[0-9a-f-]{27}"/g, ''));

	test.each(['replace', 'replaceAndDelete'])('%s leaves both, with a warning', async (choice) => {
		service().script({ for: { operation: 'agent' }, times: Infinity, transform: withoutNew });
		const run = await uploadAs(choice, ['twice.pdf']);
		const kept = ['two', 'one'].map((id) => old(id, 'kept', 'twice.pdf'));
		const reason = expect.stringContaining("doesn't show whether the agent uses the new version");
		expect(rowsOf(run)[0]).toMatchObject({ old: kept.map((one) => ({ ...one, reason })) });
		expect(run.hints).toMatchObject([{ type: 'warning', message: reason }]);
		expect(sent().join()).not.toMatch(/remove|delete/);
	});

	test('at first, it replaces the old one once they do', async () => {
		service().script({ for: { operation: 'agent' }, times: 3, transform: withoutNew });
		const [row] = rowsOf(await uploadAs('replace', ['prices.pdf']));
		expect(row).toMatchObject({ old: [old('old', 'removed')] });
	});
});

const { service, upload } = freshUploads();

test('A document of the agent that no list shows is not deleted if CometChat returns its ID for a file whose bytes do not arrive', async () => {
	service().attach('support-bot', ['x1']);
	const transform = (body: unknown) =>
		JSON.parse(JSON.stringify(body).replace(/"uploadId":"[^"]+"/, '"uploadId":"x1"'));
	service().script(
		{ for: { operation: 'initiate' }, transform },
		{ for: { operation: 'upload' }, status: 400 },
	);
	const description = expect.stringContaining('the document with the ID x1');
	expect(errorOf(await upload(['list.pdf'], { parameters: TO_AGENT }))).toMatchObject({
		description,
	});
});

test('A name that CometChat lists differently is in the row, with the name to enter for replacing the file', async () => {
	service().script({
		for: { operation: 'records' },
		times: Infinity,
		transform: (page) => JSON.parse(JSON.stringify(page).replaceAll('&', '_')),
	});
	const run = await upload(['A & B.pdf', 'C.pdf'], { parameters: { ifNameExists: 'replace' } });
	const reason = expect.stringMatching(/To replace "A & B.pdf" later, use the name "A _ B.pdf"/);
	expect(rowsOf(run)).toMatchObject([{ success: true, reason }, { success: true }]);
	expect(rowsOf(run)[1]).not.toHaveProperty('reason');
	expect(hinted(run)).toContain('use the name "A _ B.pdf"');
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

	test.each(['undefined-behaviour.txt', 'null hypothesis.txt'])(
		'may contain such a word if the file itself has it: %s',
		async (fileName) => {
			const options = { nameInCometChat: `North/${fileName}` };
			const run = await upload([fileName], { parameters: { options } });
			expect(rowsOf(run)).toMatchObject([{ name: `North - ${fileName}`, success: true }]);
		},
	);

	test.each<[string, string[], string, RegExp]>([
		['={{ null }}', ['a.txt'], "'Name in CometChat' is empty", /leave the field empty/],
		...["'Offer ' + $json.x + '.pdf'", "$json.x + '/a'", "'Offer-' + 2 * $json.x + '-1'"].map(
			(expression): [string, string[], string, RegExp] => {
				const what = ': the expression found nothing';
				return [`={{ ${expression} }}`, ['a.txt'], what, /^Check the expression/];
			},
		),
		['x', ['a.txt', 'b.txt'], `2 files ("file_0", "file_1"), but 'Name in`, /split the item/],
	])('%s for %j is refused before anything is sent', async (name, files, what, how) => {
		const failed = await upload(files, { parameters: { options: { nameInCometChat: name } } });
		expect(errorOf(failed)).toMatchObject({
			message: expect.stringContaining(what),
			description: expect.stringMatching(how),
		});
		expect(service().log).toEqual([]);
	});
});

describe('Skip, if the existing document is not indexed', () => {
	const fresh = freshUploads({
		records: [{ sourceName: 'open.pdf', uniqueId: 'open', status: 'indexing' }],
		indexing: { ms: 0 },
	});
	const skipping = { parameters: { ...INDEXED, ifNameExists: 'skip' } };
	beforeEach(() => fresh.service().attach('support-bot', ['open']));

	test('a document that is being indexed is waited for, and fails the item if it is never indexed', async () => {
		const failed = errorOf(await fresh.upload(['open.pdf'], skipping));
		expect(failed).toMatchObject({ message: expect.stringContaining("didn't finish indexing") });
		expect(arrivals(fresh.service()).join()).not.toContain('initiate');
	});
});

describe("A default name of n8n, such as 'file.txt',", () => {
	const { upload } = freshUploads({ indexing: { ms: 0 } });
	const notes = async (name: string, ifNameExists: string) => {
		const { hints } = await upload([name], { parameters: { ...INDEXED, ifNameExists } });
		return hints.filter(({ message }) => message.includes('by default')).map(({ type }) => type);
	};

	test.each(['file.txt', 'blob.pdf', 'attachment_0.pdf', 'data.csv'])(
		'%s is remarked on, and warned of once it replaces a file',
		async (name) => {
			expect(await notes(name, 'replace')).toEqual(['info']);
			expect(await notes(name, 'replace')).toEqual(['warning']);
		},
	);

	test.each([
		['file.txt', 'add'],
		['file.txt', 'skip'],
		['profile.txt', 'replace'],
		['data sheet.txt', 'replace'],
	])('is none: %s with %s', async (name, choice) => {
		expect(await notes(name, choice)).toEqual([]);
	});
});

describe('The same upload in two executions at once', () => {
	const fresh = freshUploads({ indexing: { ms: 0 } });

	test('is named by the warning of the last execution', async () => {
		fresh.service().script({ for: { operation: 'poll' }, latencyMs: 5000 });
		const uploads = ['replace', 'replace'].map(
			async (ifNameExists) =>
				await fresh.upload(['prices.pdf'], { parameters: { ...INDEXED, ifNameExists } }),
		);
		const runs = await Promise.all(uploads);
		const [a, b] = runs.map(({ output }) => String(output[0]?.json.uniqueId));
		expect(runs.map(hinted).join()).toMatch(
			new RegExp(`another new file named "prices.pdf" \\(ID (?:${a}|${b})\\)`),
		);
	});

	test('is not named if the other file has another name, or existed before', async () => {
		const parameters = { ...INDEXED, ifNameExists: 'replace' };
		await fresh.upload(['prices.pdf'], { parameters });
		const run = await fresh.upload(['prices.pdf', 'other.pdf'], { parameters });
		expect(hinted(run)).not.toContain('another new file');
	});
});
