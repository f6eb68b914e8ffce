import type { AgentLists, RecordSeed } from '../../service/service';
import { freshService } from '../fixture';
import { agent, arrivals, isCut, errorOf, prepareRun } from '../operations';

const RECORDS: RecordSeed[] = [
	{ sourceName: 'new.pdf', uniqueId: 'n', status: 'indexing' },
	{ sourceName: 'Hours', uniqueId: 't', type: 'text-details', createdAt: 1795301932599 },
	{ sourceName: 'https://example.com', uniqueId: 'w', type: 'website' },
	{ sourceName: 'theirs.pdf', uniqueId: 'o', status: 'failed' },
];

const BOT = { uid: agent('support-bot') };
const NAME = 'knowledgeBase.getMany';

describe("Agent's Knowledge Base: Get Many", () => {
	const service = freshService({ records: RECORDS });
	const list = prepareRun(service, NAME, BOT);

	test("only lists the agent's files, texts and websites, with their names in the account", async () => {
		service().attach('support-bot', ['t', 'n']);
		service().attach('support-bot', ['w'], 'website');
		service().attach('sales-assistant', ['o']);
		const { output } = await list();
		expect(output[0]?.json).toEqual({
			name: 'Hours',
			status: 'indexed',
			sourceType: 'text',
			createdAt: '2026-11-21T22:58:52.599Z',
			updatedAt: expect.any(String),
			uniqueId: 't',
			agentName: 'Support Bot',
			uid: 'support-bot',
		});
		expect(output.map(({ json }) => [json.name, json.status, json.sourceType])).toEqual([
			['Hours', 'indexed', 'text'],
			['new.pdf', 'indexing', 'uploads'],
			['https://example.com', 'indexed', 'website'],
		]);
		expect(arrivals(service())).toEqual(['agent support-bot', 'records']);
	});

	test('for any number of items, each agent is requested once, and the list is read once', async () => {
		service().attach('support-bot', ['n']);
		service().attach('sales-assistant', ['o', 't']);
		const uids = ['support-bot', 'sales-assistant', 'support-bot'].map((uid) => ({ uid }));
		const { output } = await list({ uid: agent('={{ $json.uid }}') }, { items: uids });
		expect(output.map(({ json, pairedItem }) => [json.name, pairedItem])).toEqual([
			['new.pdf', { item: 0 }],
			['theirs.pdf', { item: 1 }],
			['Hours', { item: 1 }],
			['new.pdf', { item: 2 }],
		]);
		const agents = ['agent support-bot', 'agent sales-assistant'];
		expect(arrivals(service())).toEqual([...agents, 'records']);
	});

	test('an agent without documents returns no items, and a hint says so', async () => {
		service().attach('sales-assistant', ['o']);
		const { output, hints } = await list();
		expect(output).toEqual([]);
		expect(JSON.stringify(hints)).toContain('CometChat lists no documents for the agent');
	});

	test("an ID that is not in the account's list is shown as not found, among the others", async () => {
		service().attach('support-bot', ['n', 'gone']);
		service().attach('support-bot', ['away'], 'website');
		const { output } = await list();
		expect(output.map(({ json }) => json)).toEqual([
			expect.objectContaining({ name: 'new.pdf', status: 'indexing', uniqueId: 'n' }),
			{
				name: 'gone',
				status: 'notFound',
				reason: "The agent uses this ID, but CometChat's list contains no such document.",
				uniqueId: 'gone',
				sourceType: 'uploads',
				agentName: 'Support Bot',
				uid: 'support-bot',
			},
			expect.objectContaining({ status: 'notFound', sourceType: 'website', uniqueId: 'away' }),
		]);
	});

	test('the row of an unlisted ID is input for Remove Files, which removes the ID from the agent', async () => {
		service().attach('support-bot', ['n', 'gone']);
		service().attach('support-bot', ['away'], 'website');
		const { output } = await list();
		const rows = output.flatMap(({ json }) => (json.status === 'notFound' ? [{ ...json }] : []));
		const ofRow = { sourceType: '={{ $json.sourceType }}', fileIds: '={{ $json.uniqueId }}' };
		const remove = prepareRun(service, 'knowledgeBase.remove', BOT);
		const removed = await remove(ofRow, { items: rows });
		expect(removed.output.map(({ json }) => json.success)).toEqual([true, true]);
		const left = ['uploads', 'website'].flatMap((type) => service().files('support-bot', type));
		expect(left).toEqual(['n']);
	});

	test('an unlisted document has the status of a request for it', async () => {
		service().attach('support-bot', ['n', 't']);
		const transform = (body: unknown) => ({
			...Object(body),
			data: Object(body).data.filter((one: object) => Object(one).uniqueId !== 'n'),
		});
		service().script({ for: { operation: 'records' }, transform, times: Infinity });
		const { output } = await list();
		expect(output.map(({ json: { name, status } }) => [name, status])).toEqual([
			['n', 'indexing'],
			['Hours', 'indexed'],
		]);
		expect(output[0]?.json.reason).toContain("doesn't contain the document yet");
	});

	test('at most Limit items are returned', async () => {
		service().attach('support-bot', ['n', 't', 'o']);
		const run = await list({ limit: 2 });
		expect(run.output).toHaveLength(2);
		expect(isCut(run)).toBe(true);
	});
});

describe('If CometChat does not report the documents of an agent', () => {
	const agentListsOf: Record<string, AgentLists> = {};
	const service = freshService({ records: RECORDS, agentListsOf });
	const list = prepareRun(service, NAME, BOT);

	test.each<[AgentLists, string[], string]>([
		['objects', [], "CometChat doesn't report the files and text entries of the agent"],
		['websitesNull', ['n'], "CometChat doesn't report the websites of the agent"],
		['empty', [], 'CometChat lists no documents for the agent'],
	])('a hint says so: %s', async (shape, ids, words) => {
		service().attach('support-bot', ['n']);
		agentListsOf['support-bot'] = shape;
		const { output, hints } = await list();
		expect(output.map(({ json }) => json.uniqueId)).toEqual(ids);
		expect(JSON.stringify(hints)).toContain(words);
	});

	test('without any list, the item fails', async () => {
		agentListsOf['support-bot'] = 'null';
		expect(errorOf(await list())).toMatchObject({
			message: "CometChat doesn't report which documents the agent uses",
			uid: 'support-bot',
		});
	});
});
