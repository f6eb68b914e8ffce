import type { INodeParameters } from 'n8n-workflow';

import type { AgentLists, RecordSeed, Rule, ServiceOptions } from '../../service/service';
import { add, freshService } from '../fixture';
import type { Run } from '../engine';
import type { OperationName } from '../operations';
import { arrivals, continuing, errorOf, runFiles } from '../operations';

type More = Parameters<typeof runFiles>[2] & object;

/** Of each kind and each status, newest first; the file names itself. */
const MIXED: RecordSeed[] = [
	{ sourceName: 'new.pdf', uniqueId: 'n', status: 'indexing' },
	{ sourceName: 'Hours', uniqueId: 't', type: 'text-details' },
	{ sourceName: 'bad.pdf', uniqueId: 'b', status: 'failed' },
	{ sourceName: 'old.pdf', uniqueId: 'o', status: 'inSync' },
	{ sourceName: 'https://example.com', uniqueId: 'w', type: 'website' },
];
const ALL = 'ntbow';

/** A stand-in with these documents, and what is asked of it, in runs that go on. */
function freshDocuments(options: Partial<ServiceOptions> = {}) {
	const service = freshService({ records: MIXED, ...options });
	const run = async (name: OperationName, parameters: INodeParameters, more: More = {}) =>
		await runFiles(service(), name, { ...continuing, ...more, parameters });
	return {
		service,
		run,
		/** By the IDs in each item's `ids`. */
		runEach: async (name: OperationName, ids: unknown[], more: More = {}) => {
			const items = ids.map((one) => ({ ids: JSON.parse(JSON.stringify(one)) }));
			const parameters = { fileIds: '={{ $json.ids }}', ...more.parameters };
			return await run(name, parameters, { ...more, items });
		},
		/** The requests, in order. */
		sent: () => arrivals(service()).map((line) => line.trim()),
		left: () =>
			service()
				.records()
				.map(({ uniqueId }) => uniqueId)
				.join(''),
		give: async (uid: string, files: string[], sourceType = 'uploads') => {
			await add(service(), [{ agent: uid, files }], { parameters: { sourceType } });
			service().clearLog();
		},
	};
}
const jsonOf = ({ output }: Run) => output.map(({ json }) => json);

describe('Document: Delete', () => {
	const { service, run, runEach, sent, left, give } = freshDocuments();
	const remove = async (fileIds: string, options: INodeParameters = {}, more: More = {}) =>
		await run('document.delete', { fileIds }, { ...more, options });
	const gone = { ifGone: 'deleted' };

	test.each([
		['uploads', 'n,b', ['deleteUpload n', 'deleteUpload b'], 'tow'],
		['text', 't', ['deleteText t'], 'nbow'],
	])(
		'%s: each is deleted by its own request, also from agents',
		async (sourceType, fileIds, requests, rest) => {
			await give('support-bot', [...ALL], sourceType);
			const uniqueIds = fileIds.split(',');
			const told = await run('document.delete', { fileIds, sourceType });
			expect(sent()).toEqual(requests);
			expect(left()).toBe(rest);
			expect(service().files('support-bot', sourceType)).toEqual([...rest]);
			expect(jsonOf(told)).toEqual([{ deleted: true, uniqueIds }]);
		},
	);

	test.each([
		['w', /Document: Get Many lists.*'If Already Gone' under Options/],
		['b.pdf', /"b.pdf" looks like the name of a file/],
	])(
		'for %s, no file there, nothing is deleted, and words say what to do',
		async (fileIds, description) => {
			const more = { status: 404, effect: 'not applied' };
			const words = expect.stringMatching(description);
			expect(errorOf(await remove(fileIds))).toMatchObject({ ...more, description: words });
			expect(left()).toBe(ALL);
		},
	);

	test('what is gone counts as deleted if the user says so, and the output names it', async () => {
		const uniqueIds = ['x', 'n', 'y'];
		expect(jsonOf(await remove('x,n,y', gone))).toEqual([
			{ deleted: true, uniqueIds, alreadyGone: ['x', 'y'] },
		]);
		service().script({ for: { containsId: 'b' }, status: 400 });
		expect(errorOf(await remove('x,b', gone))).toMatchObject({
			effect: 'partly applied',
			alreadyGone: ['x'],
			files: { applied: ['x'], notApplied: ['b'], unknown: [] },
		});
	});

	test('what our own request, whose answer was lost, has deleted was not gone before', async () => {
		service().script({ drop: 'afterApplying' });
		const told = { deleted: true, uniqueIds: ['n'], alreadyGone: [] };
		expect(jsonOf(await remove('n', gone))).toEqual([told]);
		expect(sent()).toEqual(['deleteUpload n', 'deleteUpload n']);
	});

	test.each<[string, Rule]>([
		['an address', { code: 'ERR_API_NOT_FOUND', envelope: 'gateway' }],
		['a page', { body: '<html>Not found</html>', contentType: 'text/html' }],
	])('a 404 for %s is not believed to be one for the file', async (_, rule) => {
		const missing: Rule = { envelope: 'agentService', ...rule, status: 404 };
		service().script({ status: 503, retryAfter: '0' }, missing, missing);
		expect(errorOf(await remove('n'))).toMatchObject({ effect: 'unknown', status: 404 });
		expect(errorOf(await remove('n', gone))).toMatchObject({ status: 404, alreadyGone: [] });
	});

	describe('where CometChat refuses without its codes', () => {
		const plain = freshDocuments();

		test.each<[string, string, Rule[], object]>([
			['does not know it, either', 'x', [], { deleted: true, alreadyGone: ['x'] }],
			['shows it', 'n', [], { alreadyGone: [] }],
		])('whether a file is gone is asked: its status %s', async (_, fileIds, rules, told) => {
			const missing: Rule = { envelope: 'agentService', status: 404 };
			plain.service().script({ for: { operation: 'deleteUpload' }, ...missing }, ...rules);
			const done = await plain.run('document.delete', { fileIds }, { options: gone });
			expect({ ...jsonOf(done)[0], ...Object(errorOf(done)) }).toMatchObject(told);
			expect(plain.sent()).toEqual([`deleteUpload ${fileIds}`, `poll ${fileIds}`]);
			expect(plain.left()).toBe(ALL);
		});
	});

	test('a file that several items ask for is deleted by one request, and all of them say so', async () => {
		const done = await runEach('document.delete', ['n,b', 'b,n', 'n']);
		expect(sent().sort()).toEqual(['deleteUpload b', 'deleteUpload n']);
		expect(jsonOf(done).map(({ uniqueIds }) => uniqueIds)).toEqual([['n', 'b'], ['b', 'n'], ['n']]);
	});

	test('a file that cannot be deleted fails all that ask for it, and keeps no other; the output says which it is', async () => {
		service().script({ for: { containsId: 'b' }, status: 400 });
		const done = await runEach('document.delete', ['n,b,o', 'b']);
		expect(left()).toBe('tbw');
		expect([errorOf(done), errorOf(done, 1)]).toMatchObject([
			{
				description: expect.stringContaining('Of its 3 files, 2 were deleted; not deleted: "b".'),
				effect: 'partly applied',
				uniqueIds: ['n', 'b', 'o'],
				files: { applied: ['n', 'o'], notApplied: ['b'], unknown: [] },
			},
			{ effect: 'not applied', attempts: 1, status: 400 },
		]);
	});
});

describe('Document: Delete, with If Agents Have It set to Fail', () => {
	const agentListsOf: Record<string, AgentLists> = {};
	const { run, sent, give } = freshDocuments({ agentListsOf });
	beforeEach(() => Reflect.deleteProperty(agentListsOf, 'support-bot'));
	const remove = async (fileIds: string, sourceType = 'uploads') => {
		const options = { ifAgentsHaveIt: 'fail' };
		return await run('document.delete', { fileIds, sourceType }, { options });
	};
	const deletions = () => sent().filter((line) => line.startsWith('delete'));

	test('what agents have stays, and the error names it and them; others are deleted', async () => {
		await give('support-bot', ['n']);
		await give('sales-assistant', ['n']);
		expect(errorOf(await remove('n,b'))).toMatchObject({
			description: expect.stringMatching(
				/would lose "new.pdf": "Support Bot", "Sales Assistant"\./,
			),
			effect: 'partly applied',
			files: { applied: ['b'], notApplied: ['n'], unknown: [] },
		});
		expect(sent().sort()).toEqual(['deleteUpload b', 'list', 'records']);
	});

	test.each<[string, AgentLists | undefined, string, string]>([
		['is missing', 'null', 'o', 'uploads'],
		['of websites is missing', 'websitesNull', 'w', 'website'],
		['proves that lists are filled at all', undefined, 'w', 'website'],
	])('what they may have stays: where a list, or none, %s', async (_, shape, id, sourceType) => {
		if (shape) {
			await give('sales-assistant', ['n'], sourceType);
			await give('support-bot', ['b'], sourceType);
			agentListsOf['support-bot'] = shape;
		}
		const message = 'CometChat does not tell which agents have it';
		expect(errorOf(await remove(id, sourceType))).toMatchObject({ message });
		expect(deletions()).toEqual([]);
	});
});

describe('Document: Retry Indexing', () => {
	const { service, run, sent } = freshDocuments({ indexing: { ms: 60_000 } });
	const retry = async (fileIds: string, sourceType = 'uploads', more: More = {}) =>
		await run('document.retryIndexing', { fileIds, sourceType }, more);

	test.each([
		['uploads', ['b', 'o']],
		['text', ['t']],
	])(
		'%s: each is indexed again as what it is, once for all items',
		async (sourceType, uniqueIds) => {
			const done = await retry(uniqueIds.join(), sourceType, { items: [{}, {}] });
			expect(sent()).toEqual(uniqueIds.map((id) => `sync ${id}`));
			expect(service().log[0]).toMatchObject({ sourceType });
			expect(jsonOf(done)).toEqual(Array(2).fill({ success: true, uniqueIds }));
		},
	);
});

describe('Document: Get Status', () => {
	const records = [
		...MIXED,
		{ ...MIXED[1], sourceName: 'FAQ', uniqueId: 'f', status: 'failed' as const },
	];
	const { runEach, sent } = freshDocuments({ records });

	test('each file is an item with its name, its status and what to do, an unknown one too, in the order asked', async () => {
		const done = await runEach('document.getStatus', [['o', 'x', 'b'], 'n,t,f']);
		expect(done.output.map(({ pairedItem }) => pairedItem)).toMatchObject(
			[0, 0, 0, 1, 1, 1].map((item) => ({ item })),
		);
		const said = (words: RegExp) => expect.stringMatching(words);
		expect(jsonOf(done).map((json) => Object.values(json))).toEqual([
			['old.pdf', 'inSync', true, null, 'o'],
			[null, 'notFound', false, said(/was deleted, or the ID is that of something else/), 'x'],
			['bad.pdf', 'failed', false, said(/Check that the file opens.* upload a corrected/), 'b'],
			['new.pdf', 'indexing', false, said(/Ask again in a minute\.$/), 'n'],
			['Hours', 'indexed', true, null, 't'],
			['FAQ', 'failed', false, said(/Retry Indexing; if it fails again.* add it anew/), 'f'],
		]);
		const fields = ['name', 'status', 'isReady', 'advice', 'uniqueId'];
		expect(Object.keys(jsonOf(done)[2] ?? {})).toEqual(fields);
		expect(sent().map((line) => line.split(' ')[0])).toEqual(['poll', 'poll', 'records']);
	});
});
