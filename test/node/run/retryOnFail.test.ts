import type { INodeParameters } from 'n8n-workflow';

import { freshService } from '../fixture';
import type { More, OperationName } from '../operations';
import { agent, arrivals, file, prepareRun } from '../operations';

const SITE = 'https://new.example.com/';
const service = freshService({
	sites: { [SITE.slice(0, -1)]: { pages: [{ url: '/a' }] } },
	answering: { users: ['checker'] },
	indexing: { ms: 0 },
	records: ['A', 'B', 'C'].map((uniqueId) => ({ uniqueId, sourceName: `${uniqueId}.pdf` })),
});

const bot = agent('support-bot');

/** Runs the node, which n8n calls three times if an item fails. */
const play = async (name: OperationName, parameters: INodeParameters, more: More = {}) => {
	const usual = { items: [{ name: '' }, { name: 'B' }], retryOnFail: true };
	return await prepareRun(service, name)(parameters, { ...usual, ...more });
};

const name = '={{ $json.name }}';

describe('With Retry On Fail, an item that succeeded in an earlier try is not run again, and its result is returned', () => {
	const files = [{}, { data: file('B.txt') }];

	test.each<[OperationName, INodeParameters, object, string]>([
		['agent.create', { name }, {}, 'createAgent'],
		['text.create', { title: name, text: 'Open', ifTitleExists: 'add' }, {}, 'createText'],
		['document.upload', {}, { files }, 'initiate'],
		[
			'document.upload',
			{ addToAgent: true, uid: bot, ifNameExists: 'replace' },
			{ files },
			'initiate',
		],
		[
			'website.crawl',
			{ url: `={{ $json.name && "${SITE}" }}`, addToAgent: false, ifSiteExists: 'refresh' },
			{},
			'crawl',
		],
		['agent.ask', { uid: bot, question: name, askAs: 'checker' }, {}, 'sendMessage'],
		['document.delete', { fileIds: name, ifUsed: 'delete' }, {}, 'deleteUpload'],
		['knowledgeBase.add', { uid: bot, fileIds: name }, {}, 'add'],
	])('%s %j', async (operation, parameters, more, request) => {
		const { output } = await play(operation, parameters, more);
		expect(output).toHaveLength(2);
		expect(output[0]?.json.error).toBeDefined();
		expect(output[1]?.json.error).toBeUndefined();
		expect(output[1]?.pairedItem).toEqual({ item: 1 });
		expect(arrivals(service()).filter((one) => one.startsWith(`${request} `))).toHaveLength(1);
	});

	test('also if the execution stops, and the next try ends it', async () => {
		const creation = { for: { operation: 'createAgent' as const } };
		service().script({ ...creation, status: 400, latencyMs: 500 });
		const items = [{ name: 'A' }, { name: 'B' }];
		const run = await play('agent.create', { name }, { items, onError: 'stopWorkflow' });
		expect(run.output.map(({ json }) => json.name)).toEqual(['A', 'B']);
		const names = service()
			.agents()
			.map((one) => one.name);
		expect(names.filter((one) => one === 'B')).toHaveLength(1);
	});
});

describe('With Retry On Fail, an item that failed is not run again if it created something, or may have', () => {
	test('a document that could not be added: the failure names the document', async () => {
		service().script({ for: { operation: 'add' }, status: 400 });
		const parameters = { addToAgent: true, uid: bot, ifNameExists: 'replace' };
		const { output } = await play('document.upload', parameters, {
			files: [{ data: file('B.txt') }],
		});
		const [{ uniqueId } = {}] = service().records();
		expect(JSON.stringify(output[0]?.json.error)).toContain(uniqueId);
		expect(arrivals(service()).filter((one) => one.startsWith('initiate'))).toHaveLength(1);
	});

	test('an agent with a lost response, and no other item is started if it stops', async () => {
		service().script({ for: { operation: 'createAgent' }, drop: 'afterApplying', latencyMs: 50 });
		const items = Array.from({ length: 11 }, (_, at) => ({ name: `A${at}` }));
		const more = { items, onError: 'stopWorkflow' as const };
		const { error } = await play('agent.create', { name }, more);
		expect(error?.message).toContain('[item 1]');
		expect(
			service()
				.agents()
				.filter((one) => one.name === 'A0'),
		).toHaveLength(1);
		const sent = arrivals(service()).filter((one) => one.startsWith('createAgent'));
		expect(sent.length).toBeLessThanOrEqual(11);
	});
});

test('With Retry On Fail, a document of an item that was deleted in an earlier try counts as deleted', async () => {
	service().script({ for: { operation: 'deleteUpload', containsId: 'C' }, status: 400 });
	const ids = { fileIds: 'A,B,C', ifUsed: 'delete' };
	const { output } = await play('document.delete', ids, { items: [{}] });
	expect(output.map(({ json }) => [json.name, json.action, json.deleted])).toEqual([
		['A.pdf', 'deleted', true],
		['B.pdf', 'deleted', true],
		['C.pdf', 'deleted', true],
	]);
});

test('With Retry On Fail, each call of a loop runs its own items', async () => {
	const call = { items: [{ name: 'A' }] };
	const { output } = await play('agent.create', { name }, { calls: [call, call] });
	expect(output).toHaveLength(2);
	expect(
		service()
			.agents()
			.filter((one) => one.name === 'A'),
	).toHaveLength(2);
});

test('With Retry On Fail, Sync Folder runs all files again, and uploads no file twice', async () => {
	service().script({ for: { operation: 'initiate', fileName: 'A.txt' }, status: 400 });
	const files = ['A.txt', 'B.txt'].map((fileName) => ({ data: file(fileName) }));
	const { output } = await play('knowledgeBase.sync', { uid: bot }, { files, mode: 'trigger' });
	expect(output.map(({ json }) => json.action)).toEqual(['added', 'unchanged']);
	const sent = arrivals(service()).filter((one) => one.startsWith('upload '));
	expect(sent.sort()).toEqual(['upload A.txt', 'upload B.txt']);
});
