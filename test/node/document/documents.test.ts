import type { INodeParameters } from 'n8n-workflow';

import type { AgentLists, RecordSeed, Rule, ServiceOptions } from '../../service/service';
import { freshService } from '../fixture';
import type { Run } from '../engine';
import type { More, OperationName } from '../operations';
import { arrivals, errorOf, prepareRun } from '../operations';

/** Documents of each type and status, newest first. The names of files contain their IDs. */
const MIXED: RecordSeed[] = [
	{ sourceName: 'new.pdf', uniqueId: 'n', status: 'indexing' },
	{ sourceName: 'Hours', uniqueId: 't', type: 'text-details' },
	{ sourceName: 'bad.pdf', uniqueId: 'b', status: 'failed' },
	{ sourceName: 'old.pdf', uniqueId: 'o', status: 'inSync' },
	{ sourceName: 'https://example.com', uniqueId: 'w', type: 'website' },
];
const ALL = 'ntbow';

const BY_ID = { filesBy: 'ids' };

function freshDocuments(options: Partial<ServiceOptions> = {}) {
	const service = freshService({ records: MIXED, ...options });
	const run = async (name: OperationName, parameters: INodeParameters, more: More = {}) =>
		await prepareRun(service, name)(parameters, more);
	return {
		service,
		run,
		/** Runs an operation with the IDs in each item's `ids`. */
		runEach: async (name: OperationName, ids: unknown[], more: More = {}) => {
			const items = ids.map((one) => ({ ids: JSON.parse(JSON.stringify(one)) }));
			const parameters = { ...BY_ID, fileIds: '={{ $json.ids }}', ...more.parameters };
			return await run(name, parameters, { ...more, items });
		},
		sent: () => arrivals(service()).map((line) => line.trim()),
		left: () =>
			service()
				.records()
				.map(({ uniqueId }) => uniqueId)
				.join(''),
		give: (uid: string, files: string[], sourceType = 'uploads') =>
			service().attach(uid, files, sourceType),
	};
}
const retrying = freshDocuments({ indexing: { ms: 60_000 } });
const jsonOf = ({ output }: Run) => output.map(({ json }) => json);

describe('Document: Delete', () => {
	const { service, run, runEach, sent, left, give } = freshDocuments();
	const ANYWAY = { ifUsed: 'delete' };
	const remove = async (fileIds: string, options: INodeParameters = {}, more: More = {}) =>
		await run('document.delete', { ...BY_ID, fileIds, ...ANYWAY }, { ...more, options });

	test.each([400, 404])(
		'a list that is refused with the code of an unknown document, and status %i, does not make a document gone',
		async (status) => {
			give('support-bot', ['n']);
			const rule = { status, code: 'ERR_KB_NOT_FOUND', for: { operation: 'records' as const } };
			service().script({ ...rule, times: Infinity });
			const onError = 'continueRegularOutput';
			const told = await run('document.delete', { ...BY_ID, fileIds: 'n' }, { onError });
			expect(jsonOf(told)[0]).toMatchObject({ success: false, error: expect.anything() });
			expect(left()).toContain('n');
		},
	);

	test('each document is deleted by its source type, also from agents, and is an item with its name', async () => {
		give('support-bot', ['n', 'b']);
		give('support-bot', ['t', 'w'], 'text');
		const told = await remove('n,t,w');
		expect(sent()).toEqual(['records', 'deleteUpload n', 'deleteText t', 'deleteWebsite w']);
		expect(left()).toBe('bo');
		expect(service().files('support-bot', 'uploads')).toEqual(['b']);
		const each = { action: 'deleted', success: true, deleted: true };
		expect(jsonOf(told)).toEqual([
			{ ...each, name: 'new.pdf', uniqueId: 'n', sourceType: 'uploads' },
			{ ...each, name: 'Hours', uniqueId: 't', sourceType: 'text' },
			{ ...each, name: 'https://example.com', uniqueId: 'w', sourceType: 'website' },
		]);
	});

	/** Removes all documents except for `o` from the list. */
	const hideOthers = () =>
		service().script({
			...{ for: { operation: 'records' }, times: Infinity },
			transform: (body) => ({
				...Object(body),
				data: Object(body).data.filter((one: object) => Object(one).uniqueId === 'o'),
			}),
		});

	test('an upload that the list does not show yet is deleted as an upload', async () => {
		hideOthers();
		const [told] = jsonOf(await remove('n'));
		expect(told).toMatchObject({ sourceType: 'uploads', deleted: true });
		expect(sent()).toEqual(['records', 'deleteUpload n']);
	});

	test('a text that the list does not show yet does not count as deleted', async () => {
		hideOthers();
		expect(errorOf(await remove('t'))).toMatchObject({ status: 404, effect: 'not applied' });
		expect(sent()).toEqual(['records', 'deleteUpload t']);
		expect(left()).toBe(ALL);
	});

	test('without the list, nothing is deleted', async () => {
		service().script({ for: { operation: 'records' }, status: 403 });
		expect(errorOf(await remove('t'))).toMatchObject({ status: 403, effect: 'not applied' });
		expect(sent()).toEqual(['records']);
	});

	test('a file in several items is deleted by one request, and all items say so', async () => {
		const done = await runEach('document.delete', ['n,b', 'b,n', 'n'], { parameters: ANYWAY });
		expect(sent().sort()).toEqual(['deleteUpload b', 'deleteUpload n', 'records']);
		expect(jsonOf(done).map(({ uniqueId }) => uniqueId)).toEqual(['n', 'b', 'b', 'n', 'n']);
		expect(done.output.map(({ pairedItem }) => Object(pairedItem).item)).toEqual([0, 0, 1, 1, 2]);
	});

	test('items with one document and different options are refused, and other documents are deleted', async () => {
		const ifUsed = "={{ $json.ids === 'b' ? 'fail' : 'delete' }}";
		const told = await runEach('document.delete', ['n,b', 'o', 'b'], { parameters: { ifUsed } });
		const message =
			"Items 1, 3 have different values in 'If Used by an Agent' for the same document: ";
		const refused = { message: expect.stringContaining(message), attempts: 0 };
		expect([0, 1, 2].map((item) => errorOf(told, item))).toMatchObject([
			refused,
			...[undefined, refused],
		]);
		expect(sent()).toEqual(['records', 'deleteUpload o']);
	});

	test('a file that cannot be deleted fails all its items by name, and all other files are deleted', async () => {
		service().script({ for: { containsId: 'b' }, status: 400 });
		const done = await runEach('document.delete', ['n,b,o', 'b'], { parameters: ANYWAY });
		expect(left()).toBe('tbw');
		const words = /Deleted: .*\. Not deleted: "bad.pdf"\./;
		expect([errorOf(done), errorOf(done, 1)]).toMatchObject([
			{
				description: expect.stringMatching(words),
				effect: 'partly applied',
				uniqueIds: ['n', 'b', 'o'],
				outcome: { applied: ['n', 'o'], notApplied: ['b'], unknown: [] },
			},
			{ effect: 'not applied', attempts: 1, status: 400 },
		]);
	});

	test('in an execution that stops, the documents after a file that cannot be deleted stay', async () => {
		service().script({ for: { containsId: 'b' }, status: 400 });
		const { error } = await remove('n,b,o', {}, { onError: 'stopWorkflow' });
		const requests = ['records', 'deleteUpload n', 'deleteUpload b'];
		expect([left(), sent()]).toEqual(['tbow', requests]);
		const words = /Deleted: .*\. Not deleted: "bad.pdf", "old.pdf"\./;
		expect(error?.description).toMatch(words);
	});
});

describe('Document: Delete, by default', () => {
	const agentListsOf: Record<string, AgentLists> = {};
	const { service, run, sent, give } = freshDocuments({ agentListsOf });
	beforeEach(() => Reflect.deleteProperty(agentListsOf, 'support-bot'));
	const remove = async (fileIds: string) => await run('document.delete', { ...BY_ID, fileIds });
	const deletions = () => sent().filter((line) => line.startsWith('delete'));

	test('documents that agents use stay, and the error names them and the agents; others are deleted', async () => {
		give('support-bot', ['n']);
		give('sales-assistant', ['n']);
		expect(errorOf(await remove('n,b'))).toMatchObject({
			message: '"new.pdf" is used by agents: "Support Bot", "Sales Assistant"',
			description: expect.stringMatching(/'If Used by an Agent' to 'Skip'.*'Remove Files'\./),
			effect: 'partly applied',
			outcome: { applied: ['b'], notApplied: ['n'], unknown: [] },
		});
		expect(sent().sort()).toEqual(['deleteUpload b', 'list', 'list', 'records']);
	});

	test('a document that another execution added a moment ago stays, although the list of agents is late', async () => {
		give('support-bot', ['n', 'o']);
		const transform = (body: unknown) => JSON.parse(JSON.stringify(body).replace('"n",', ''));
		service().script({ for: { operation: 'list' }, transform });
		expect(errorOf(await remove('n'))).toMatchObject({
			message: '"new.pdf" is used by agents: "Support Bot"',
		});
		expect(deletions()).toEqual([]);
	});

	test('with Skip, documents that agents use stay and name the agents, and others are deleted', async () => {
		give('support-bot', ['n']);
		const skip = { ...BY_ID, fileIds: 'n,b', ifUsed: 'skip' };
		const { output } = await run('document.delete', skip);
		expect(output.map(({ json }) => json)).toMatchObject([
			{ uniqueId: 'n', action: 'skipped', deleted: false, reason: 'Used by agents: "Support Bot"' },
			{ uniqueId: 'b', action: 'deleted', deleted: true },
		]);
		expect(sent().sort()).toEqual(['deleteUpload b', 'list', 'list', 'records']);
	});

	test('what an agent may use stays: where one list of websites is missing', async () => {
		give('sales-assistant', ['n'], 'website');
		agentListsOf['support-bot'] = 'websitesNull';
		const message = expect.stringContaining('Unknown whether an agent uses ');
		expect(errorOf(await remove('w'))).toMatchObject({ message });
		expect(deletions()).toEqual([]);
	});
});

test('Document: Retry Indexing: each is indexed again by its source type, once for all items', async () => {
	const { service, run, sent } = retrying;
	const done = await run(
		'document.retryIndexing',
		{ ...BY_ID, fileIds: 'b,t' },
		{ items: [{}, {}] },
	);
	expect(sent()).toEqual(['records', 'sync b', 'sync t']);
	const types = service().log.flatMap(({ kind, operation, sourceType = '' }) =>
		kind === 'arrived' && operation === 'sync' ? [sourceType] : [],
	);
	expect(types).toEqual(['uploads', 'text']);
	expect(jsonOf(done)).toHaveLength(4);
	const first = { name: 'bad.pdf', action: 'retried', uniqueId: 'b', sourceType: 'uploads' };
	expect(jsonOf(done)[0]).toEqual({ ...first, success: true });
});

describe('Document: Get Status', () => {
	const records = [
		...MIXED,
		{ ...MIXED[1], sourceName: 'FAQ', uniqueId: 'f', status: 'failed' as const },
		{ sourceName: 'site', uniqueId: 's', type: 'website' as const, status: 'failed' as const },
	];
	const { service, runEach, sent } = freshDocuments({ records });

	test('each file is an item with its name, its status and advice, also an unknown one, in the order of the IDs', async () => {
		const done = await runEach('document.getStatus', [['o', 'x', 'b'], 'n,t,f,s']);
		expect(done.output.map(({ pairedItem }) => pairedItem)).toMatchObject(
			[0, 0, 0, 1, 1, 1, 1].map((item) => ({ item })),
		);
		const said = (words: RegExp) => expect.stringMatching(words);
		expect(jsonOf(done).map((json) => Object.values(json))).toEqual([
			['old.pdf', 'inSync', true, 'o', 'uploads'],
			['notFound', false, said(/is mistyped, or the document was deleted/), 'x'],
			['bad.pdf', 'failed', false, said(/Check that the file opens.* upload a/), 'b', 'uploads'],
			['new.pdf', 'indexing', false, said(/^Check again in a minute\./), 'n', 'uploads'],
			['Hours', 'indexed', true, 't', 'text'],
			[
				...['FAQ', 'failed', false],
				...[said(/Retry Indexing.* If indexing fails again.* 'Text Entry: Update'/), 'f', 'text'],
			],
			['site', 'failed', false, said(/Retry Indexing.* crawl the website again/), 's', 'website'],
		]);
		expect(sent().map((line) => line.split(' ')[0])).toEqual(['poll', 'records']);
	});

	test('a request that CometChat refuses for one ID only fails the item with this ID', async () => {
		const rule: Rule = { status: 404, code: 'ERR_KB_NOT_FOUND', times: Infinity };
		service().script({ for: { operation: 'poll', containsId: 'x' }, ...rule });
		const done = await runEach('document.getStatus', ['n', 'x', 'b']);
		expect(jsonOf(done).map(({ status }) => status)).toEqual(['indexing', undefined, 'failed']);
		expect(errorOf(done, 1)).toMatchObject({ status: 404, uniqueIds: ['x'] });
	});

	test('unknown documents need no list', async () => {
		await runEach('document.getStatus', ['x']);
		expect(sent()).toEqual(['poll x']);
	});
});
