import type { INodeParameters } from 'n8n-workflow';

import type { AgentLists, RecordSeed, Rule, ServiceOptions } from '../../service/service';
import { freshService } from '../fixture';
import type { Run } from '../engine';
import type { OperationName } from '../operations';
import { arrivals, continuing, errorOf, runFiles } from '../operations';

type More = Parameters<typeof runFiles>[2] & object;

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

/** Starts a simulation with these documents. Items fail alone. */
function freshDocuments(options: Partial<ServiceOptions> = {}) {
	const service = freshService({ records: MIXED, ...options });
	const run = async (name: OperationName, parameters: INodeParameters, more: More = {}) =>
		await runFiles(service(), name, { ...continuing, ...more, parameters });
	return {
		service,
		run,
		/** Runs an operation with the IDs in each item's `ids`. */
		runEach: async (name: OperationName, ids: unknown[], more: More = {}) => {
			const items = ids.map((one) => ({ ids: JSON.parse(JSON.stringify(one)) }));
			const parameters = { ...BY_ID, fileIds: '={{ $json.ids }}', ...more.parameters };
			return await run(name, parameters, { ...more, items });
		},
		/** Returns the requests, in order. */
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

	test('a list that does not say how it goes on is no mistake of the item', async () => {
		const body = '{"data":[{"uniqueId":"o"}],"meta":{"next":{"cursor":"x"}}}';
		service().script({ for: { operation: 'records' }, times: Infinity, status: 200, body });
		expect(errorOf(await run('document.delete', { ...BY_ID, fileIds: 'n' }))).toMatchObject({
			description: expect.stringContaining('Not deleted: "n".'),
			message: expect.stringContaining("CometChat's list could not be read"),
			attempts: 1,
		});
	});

	test('each is deleted as what it is, also from agents, and is an item with its name', async () => {
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

	test('for what is no document there, nothing is deleted, and words say what to do', async () => {
		expect(errorOf(await remove('x'))).toMatchObject({
			status: 404,
			effect: 'not applied',
			description: expect.stringMatching(/^Check the ID and the source type .*Not deleted: "x"\./),
		});
		expect(left()).toBe(ALL);
	});

	test("an expression for 'If Used by an Agent' that gives nothing deletes nothing", async () => {
		give('support-bot', ['n']);
		const parameters = { ...BY_ID, fileIds: 'n', ifUsed: '={{ $json.nothing }}' };
		const message = "'If Used by an Agent' is empty";
		expect(errorOf(await run('document.delete', parameters))).toMatchObject({ message });
		expect(left()).toBe(ALL);
	});

	test('what our own request, whose answer was lost, has deleted was not gone before', async () => {
		service().script({ for: { operation: 'deleteUpload' }, drop: 'afterApplying' });
		expect(jsonOf(await remove('n'))).toMatchObject([{ action: 'deleted', uniqueId: 'n' }]);
		expect(sent()).toEqual(['records', 'deleteUpload n', 'deleteUpload n']);
	});

	test.each<[string, Rule]>([
		['an address', { code: 'ERR_API_NOT_FOUND', envelope: 'gateway' }],
		['a page', { body: '<html>Not found</html>', contentType: 'text/html' }],
	])('a 404 for %s is not believed to be one for the file', async (_, rule) => {
		const deletion = { for: { operation: 'deleteUpload' as const } };
		const missing: Rule = { ...deletion, envelope: 'agentService', ...rule, status: 404 };
		service().script({ ...deletion, status: 503, retryAfter: '0' }, missing, missing);
		expect(errorOf(await remove('n'))).toMatchObject({ effect: 'unknown', status: 404 });
	});

	test('a file that several items ask for is deleted by one request, and all of them say so', async () => {
		const done = await runEach('document.delete', ['n,b', 'b,n', 'n'], { parameters: ANYWAY });
		expect(sent().sort()).toEqual(['deleteUpload b', 'deleteUpload n', 'records']);
		expect(jsonOf(done).map(({ uniqueId }) => uniqueId)).toEqual(['n', 'b', 'b', 'n', 'n']);
		expect(done.output.map(({ pairedItem }) => Object(pairedItem).item)).toEqual([0, 0, 1, 1, 2]);
	});

	test('where items with one document differ in an option, they are refused, and the others are deleted', async () => {
		const ifUsed = "={{ $json.ids === 'b' ? 'fail' : 'delete' }}";
		const told = await runEach('document.delete', ['n,b', 'o', 'b'], { parameters: { ifUsed } });
		const message = "Items 1, 3 have different values of 'If Used by an Agent' for the document";
		const refused = { message: expect.stringContaining(message), attempts: 0 };
		expect([0, 1, 2].map((item) => errorOf(told, item))).toMatchObject([
			refused,
			...[undefined, refused],
		]);
		expect(sent()).toEqual(['records', 'deleteUpload o']);
	});

	test('a file that cannot be deleted fails all that ask for it, and keeps no other; the output says which it is', async () => {
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

	test.each<[string, Rule]>([
		['409', { status: 409 }],
		['400 and a code of its own', { status: 400, code: 'ERR_KB_IN_USE' }],
		['success: false', { transform: () => ({ success: false, message: 'In use' }), apply: false }],
	])(
		'a deletion that CometChat refuses with %s names the agents that use the document',
		async (_, rule) => {
			give('support-bot', ['n']);
			service().script({ for: { containsId: 'n' }, message: 'In use', ...rule });
			service().script({ for: { containsId: 'o' }, message: 'In use', ...rule });
			const done = await runEach('document.delete', ['n', 'o'], { parameters: ANYWAY });
			expect(errorOf(done)).toMatchObject({
				description: expect.stringMatching(
					/Remove the document from these agents with 'Remove Files'.* CometChat answered with status \d+.*: In use\. Agents that use the document: "Support Bot"\./,
				),
			});
			expect(String(Object(errorOf(done, 1)).description)).not.toContain('Remove Files');
			expect(left()).toBe(ALL);
		},
	);

	test('where the workflow stops on failure, what an item names behind a file that cannot be deleted stays', async () => {
		service().script({ for: { containsId: 'b' }, status: 400 });
		const { error } = await remove('n,b,o', {}, { onError: 'stopWorkflow' });
		// The list of agents explains the refusal.
		const requests = ['records', 'deleteUpload n', 'deleteUpload b', 'list'];
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

	test('what agents have stays, and the error names it and them; others are deleted', async () => {
		give('support-bot', ['n']);
		give('sales-assistant', ['n']);
		expect(errorOf(await remove('n,b'))).toMatchObject({
			message: '"new.pdf" is used by 2 agents',
			description: expect.stringMatching(
				/'If Used by an Agent' to 'Skip'.*'Remove Files'.* Used by: "Support Bot", "Sales Assistant"\./,
			),
			effect: 'partly applied',
			outcome: { applied: ['b'], notApplied: ['n'], unknown: [] },
		});
		expect(sent().sort()).toEqual(['deleteUpload b', 'list', 'list', 'records']);
	});

	test('a document that another execution added a moment ago stays, although the list of agents is late', async () => {
		give('support-bot', ['n', 'o']);
		const transform = (body: unknown) => JSON.parse(JSON.stringify(body).replace('"n",', ''));
		service().script({ for: { operation: 'list' }, transform });
		expect(errorOf(await remove('n'))).toMatchObject({ message: '"new.pdf" is used by an agent' });
		expect(deletions()).toEqual([]);
	});

	test('with Skip, what agents have stays and names the agents, and others are deleted', async () => {
		give('support-bot', ['n']);
		const skip = { ...BY_ID, fileIds: 'n,b', ifUsed: 'skip' };
		const { output } = await run('document.delete', skip);
		expect(output.map(({ json }) => json)).toMatchObject([
			{ uniqueId: 'n', action: 'skipped', deleted: false, reason: 'Used by: "Support Bot".' },
			{ uniqueId: 'b', action: 'deleted', deleted: true },
		]);
		expect(sent().sort()).toEqual(['deleteUpload b', 'list', 'list', 'records']);
	});

	test.each<[string, AgentLists | undefined, string, string]>([
		['is missing', 'null', 'o', 'uploads'],
		['of websites is missing', 'websitesNull', 'w', 'website'],
		['proves that lists are filled at all', undefined, 'w', 'website'],
	])('what they may have stays: where a list, or none, %s', async (_, shape, id, sourceType) => {
		if (shape) {
			give('sales-assistant', ['n'], sourceType);
			give('support-bot', ['b'], sourceType);
			agentListsOf['support-bot'] = shape;
		}
		const message = expect.stringContaining('Unknown whether an agent uses ');
		expect(errorOf(await remove(id))).toMatchObject({ message });
		expect(deletions()).toEqual([]);
	});

	test.each<[string, AgentLists, string, string]>([
		[
			'a text that an agent has, where lists of files name uploads only',
			'uploadsOnly',
			't',
			'text',
		],
		['a website that an agent has, where lists name addresses', 'addresses', 'w', 'website'],
	])('so does %s', async (_, shape, id, sourceType) => {
		give('sales-assistant', ['n']);
		give('support-bot', ['b']);
		give('support-bot', [id], sourceType);
		agentListsOf['support-bot'] = shape;
		const message = expect.stringContaining('Unknown whether an agent uses ');
		expect(errorOf(await remove(id))).toMatchObject({ message });
		expect(errorOf(await remove('o'))).toBeUndefined();
		expect(deletions()).toEqual(['deleteUpload o']);
	});
});

describe('Document: Delete, with two agents of one time where a page of agents ends', () => {
	const agents = Array.from({ length: 60 }, (_, at) => {
		return { uid: `agent-${at}`, name: `Agent ${at}`, createdAt: 1e12 - (at === 50 ? 49 : at) };
	});
	const { run, sent, give } = freshDocuments({ agents });

	test('an agent at the start of the next page keeps its documents', async () => {
		give('agent-0', ['b']);
		give('agent-50', ['n']);
		const message = '"new.pdf" is used by an agent';
		const deleted = await run('document.delete', { ...BY_ID, fileIds: 'n' });
		expect(errorOf(deleted)).toMatchObject({ message });
		expect(sent()).not.toContain('deleteUpload n');
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

	test('each file is an item with its name, its status and what to do, an unknown one too, in the order asked', async () => {
		const done = await runEach('document.getStatus', [['o', 'x', 'b'], 'n,t,f,s']);
		expect(done.output.map(({ pairedItem }) => pairedItem)).toMatchObject(
			[0, 0, 0, 1, 1, 1, 1].map((item) => ({ item })),
		);
		const said = (words: RegExp) => expect.stringMatching(words);
		expect(jsonOf(done).map((json) => Object.values(json))).toEqual([
			['old.pdf', 'inSync', true, 'o', 'uploads'],
			['notFound', false, 'x', said(/was deleted, or the ID belongs to something/)],
			['bad.pdf', 'failed', false, 'b', 'uploads', said(/Check that the file opens.* upload a/)],
			['new.pdf', 'indexing', false, 'n', 'uploads', said(/^Check again in a minute\./)],
			['Hours', 'indexed', true, 't', 'text'],
			[
				'FAQ',
				'failed',
				false,
				'f',
				'text',
				said(/Retry Indexing.* If indexing fails again.* 'Text Entry: Update'/),
			],
			['site', 'failed', false, 's', 'website', said(/Retry Indexing.* crawl the website again/)],
		]);
		expect(sent().map((line) => line.split(' ')[0])).toEqual(['poll', 'records']);
	});

	test('a question that CometChat refuses for one ID fails the item with this ID alone', async () => {
		const rule: Rule = { status: 404, code: 'ERR_KB_NOT_FOUND', times: Infinity };
		service().script({ for: { operation: 'poll', containsId: 'x' }, ...rule });
		const done = await runEach('document.getStatus', ['n', 'x', 'b']);
		expect(jsonOf(done).map(({ status }) => status)).toEqual(['indexing', undefined, 'failed']);
		expect(errorOf(done, 1)).toMatchObject({ status: 404, uniqueIds: ['x'] });
	});

	test('of what CometChat does not know no list is asked for', async () => {
		await runEach('document.getStatus', ['x']);
		expect(sent()).toEqual(['poll x']);
	});
});
