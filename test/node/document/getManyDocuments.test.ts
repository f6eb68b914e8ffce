import type { INodeParameters } from 'n8n-workflow';

import type { AgentLists, RecordSeed } from '../../service/service';
import { add, freshService } from '../fixture';
import { agent, arrivals, continuing, errorOf, runFiles } from '../operations';

const names = (items: Array<{ json: object }>) =>
	items.map(({ json }) => ('name' in json ? json.name : json));
const numbered = (from: number, to: number) =>
	Array.from(
		{ length: to - from + 1 },
		(_, at) => `file-${String(from + at).padStart(3, '0')}.pdf`,
	);
const MIXED: RecordSeed[] = [
	{ sourceName: 'new.pdf', uniqueId: 'n', status: 'indexing' },
	{ sourceName: 'Hours', uniqueId: 't', type: 'text-details' },
	{ sourceName: 'bad.pdf', uniqueId: 'b', status: 'failed' },
	{ sourceName: 'old.pdf', uniqueId: 'o', status: 'inSync' },
];

describe('A list that names its next page in a way that this node does not know', () => {
	const service = freshService({ records: 250, recordsNext: 'after' });

	test('is an error where more is asked for than its first page, and no end', async () => {
		const parameters = { returnAll: true };
		const run = await runFiles(service(), 'document.getMany', { ...continuing, parameters });
		expect(errorOf(run)).toMatchObject({
			message: "CometChat's list goes on in a way that this node cannot follow [item 0]",
			description: expect.stringContaining('Look for a newer version of this node'),
		});
		expect((await runFiles(service(), 'document.getMany')).output).toHaveLength(50);
	});
});

describe('Document: Get Many', () => {
	const service = freshService({ records: 250 });
	const pages = () =>
		service()
			.log.filter(({ kind, operation }) => kind === 'arrived' && operation === 'records')
			.map(({ path }) => Number(/limit=(\d+)/.exec(path)?.[1]));

	test('Return All reads to the end, page by page, newest first', async () => {
		const { output } = await runFiles(service(), 'document.getMany', {
			parameters: { returnAll: true },
		});
		expect(names(output)).toEqual(numbered(1, 250));
		expect(pages()).toEqual([100, 100, 100]);
	});

	test.each([
		[50, undefined, [50]],
		[7, 7, [7]],
		[120, 120, [100, 20]],
		[250, 999, [100, 100, 100]],
	])(
		'gives %i files for a limit of %s, and asks for no more than that',
		async (count, limit, sizes) => {
			const parameters: INodeParameters = limit === undefined ? {} : { limit };
			const { output } = await runFiles(service(), 'document.getMany', { parameters });
			expect(names(output)).toEqual(numbered(1, count));
			expect(pages()).toEqual(sizes);
		},
	);

	test.each(['={{ 0 }}', '={{ 2.5 }}', '={{ "many" }}'])(
		'a limit of %s is refused',
		async (limit) => {
			const run = await runFiles(service(), 'document.getMany', {
				...continuing,
				parameters: { limit },
			});
			expect(service().log).toEqual([]);
			expect(errorOf(run)).toMatchObject({
				message: "'Limit' is not a whole number from 1 [item 0]",
			});
		},
	);

	test('each file is an item, paired with the input item that asked for it', async () => {
		const { output } = await runFiles(service(), 'document.getMany', {
			items: [{ count: 2 }, { count: 1 }],
			parameters: { limit: '={{ $json.count }}' },
		});
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 0 },
			{ item: 1 },
		]);
	});

	test('an item says what a person looks for: name first, times to read', async () => {
		service().script({
			body: JSON.stringify({
				data: [
					{
						uniqueId: 'u',
						appId: 'a',
						sourceName: 'menu.pdf',
						type: 'text-details',
						status: 'indexed',
						lastSynced: 1,
						createdAt: 1795301932599,
						updatedAt: 'yesterday',
					},
					{ uniqueId: 'v' },
				],
				meta: {},
			}),
		});
		const { output } = await runFiles(service(), 'document.getMany');
		expect(output.map(({ json }) => Object.entries(json))).toEqual([
			[
				['name', 'menu.pdf'],
				['sourceType', 'text'],
				['status', 'indexed'],
				['uniqueId', 'u'],
				['createdAt', '2026-11-21T22:58:52.599Z'],
				['updatedAt', 'yesterday'],
			],
			[
				['name', 'v'],
				['sourceType', null],
				['status', null],
				['uniqueId', 'v'],
				['createdAt', null],
				['updatedAt', null],
			],
		]);
	});

	test('without Simplify, an item is the record as CometChat gave it', async () => {
		const { output } = await runFiles(service(), 'document.getMany', {
			parameters: { simple: false },
		});
		expect(output[0]?.json).toEqual(service().records()[0]);
	});

	test('a page that is busy is asked for again', async () => {
		service().script({ status: 503 }, { drop: 'beforeApplying' });
		const { output } = await runFiles(service(), 'document.getMany', {
			parameters: { returnAll: true },
			options: { maxWaitSeconds: 0 },
		});
		expect(output).toHaveLength(250);
		expect(pages()).toHaveLength(5);
	});

	test('a list that breaks off is an error, and never passed on as if it were all', async () => {
		service().script({ times: 1 }, { status: 400, times: Infinity });
		const run = await runFiles(service(), 'document.getMany', {
			...continuing,
			parameters: { returnAll: true },
		});
		expect(run.output).toHaveLength(1);
		expect(errorOf(run)).toMatchObject({
			message: 'CometChat refused the request [item 0]',
			description: expect.stringContaining('The list could not be read to its end.'),
		});
	});

	test.each(['{}', '[]', '{"data":{}}', '<html></html>'])('%s is no list', async (body) => {
		service().script({ body, times: Infinity });
		const run = await runFiles(service(), 'document.getMany', continuing);
		expect(errorOf(run)).toMatchObject({
			message: 'CometChat gave another answer than its documentation shows [item 0]',
		});
	});
});

describe('A list of records', () => {
	const service = freshService();
	const page = (ids: unknown[], cursor?: string) => ({
		body: JSON.stringify({
			data: ids.map((uniqueId) => ({ uniqueId, type: 'uploads', status: 'indexed' })),
			meta: cursor === undefined ? {} : { next: { affix: 'append', cursor } },
		}),
	});
	const getAll = async (filters: INodeParameters = {}) =>
		await runFiles(service(), 'document.getMany', {
			...continuing,
			parameters: { returnAll: true, filters },
		});

	test.each<[string, INodeParameters]>([
		['', {}],
		[', with a filter that finds nothing', { statuses: ['failed'] }],
	])('that goes round is an error, and not half a list%s', async (_, filters) => {
		service().script(page(['a'], '1.1'), page(['b'], '2.2'), page(['a'], '1.1'));
		expect(errorOf(await getAll(filters))).toMatchObject({
			message: "CometChat's list does not come to an end [item 0]",
			description:
				'A page of it shows nothing new, and names a next one all the same; so it cannot be told what is there. The list could not be read to its end. Run it again later. If it stays like this, ask CometChat.',
		});
	});

	test('with an entry without an ID is an error, and not half a list', async () => {
		service().script(page(['a'], '1.1'), page([undefined]));
		const run = await getAll();
		expect(run.output).toHaveLength(1);
		expect(errorOf(run)).toMatchObject({
			message: 'CometChat gave another answer than its documentation shows [item 0]',
		});
	});
});

describe('Filters', () => {
	const service = freshService({ records: MIXED });

	test.each<[string, INodeParameters, string[]]>([
		['none', {}, ['n', 't', 'b', 'o']],
		['a status', { statuses: ['failed'] }, ['b']],
		['several statuses', { statuses: ['inSync', 'indexed'] }, ['t', 'o']],
		['a type', { sourceTypes: ['uploads'] }, ['n', 'b', 'o']],
		['a type as the records call it', { sourceTypes: ['text-details'] }, ['t']],
		['both', { statuses: ['indexed'], sourceTypes: ['text'] }, ['t']],
		['what no file has', { sourceTypes: ['website'] }, []],
		['an expression', { statuses: '={{ [$json.wanted] }}' }, ['b']],
		['an expression for one', { statuses: '={{ $json.wanted }}' }, ['b']],
		['several in one text', { statuses: '={{ "indexed, failed\\nindexing" }}' }, ['n', 't', 'b']],
		['as it is shown', { statuses: '={{ "In Sync" }}', sourceTypes: '={{ "Uploads" }}' }, ['o']],
		['in any case', { statuses: '={{ ["INSYNC", " Failed "] }}' }, ['b', 'o']],
		['added and left empty', { statuses: [] }, ['n', 't', 'b', 'o']],
	])('%s', async (_, filters, ids) => {
		const { output, status } = await runFiles(service(), 'document.getMany', {
			items: [{ wanted: 'failed' }],
			parameters: { filters },
		});
		expect(status).toBe('success');
		expect(output.map(({ json }) => json.uniqueId)).toEqual(ids);
	});

	test('the limit counts those that fit', async () => {
		const { output } = await runFiles(service(), 'document.getMany', {
			parameters: { limit: 2, filters: { sourceTypes: ['uploads'] } },
		});
		expect(output.map(({ json }) => json.uniqueId)).toEqual(['n', 'b']);
	});

	test.each<[INodeParameters, string]>([
		[{ statuses: '={{ 7 }}' }, "The filter 'Status' is not a list of texts"],
		[{ statuses: '={{ ["failed", 7] }}' }, "The filter 'Status' is not a list of texts"],
		[{ statuses: '={{ $json.nothing }}' }, "The filter 'Status' is not a list of texts"],
		[{ sourceTypes: '={{ null }}' }, "The filter 'Source Type' is not a list of texts"],
		[{ statuses: '={{ "" }}' }, "The filter 'Status' is empty"],
		[{ statuses: '={{ " ,\\n" }}' }, "The filter 'Status' is empty"],
		[
			{ statuses: '={{ "indexed,broken" }}' },
			`The filter 'Status' has "broken", which is none of its choices`,
		],
		[
			{ sourceTypes: '={{ [""] }}' },
			`The filter 'Source Type' has "", which is none of its choices`,
		],
		[
			{ sourceTypes: '={{ ["indexed"] }}' },
			`The filter 'Source Type' has "indexed", which is none of its choices`,
		],
	])('%j is refused, and lets neither everything through nor nothing', async (filters, words) => {
		const run = await runFiles(service(), 'document.getMany', {
			...continuing,
			parameters: { filters },
		});
		expect(service().log).toEqual([]);
		const choices =
			'sourceTypes' in filters ? 'Uploads, Text, Website' : 'Failed, In Sync, Indexed, Indexing';
		expect(errorOf(run)).toMatchObject({
			message: `${words} [item 0]`,
			description: expect.stringContaining(choices),
		});
	});

	test('a website, whose type CometChat does not document, is what is neither an upload nor a text', async () => {
		const types = ['website', 'crawled', 'uploads', 'text-details'];
		const data = types.map((type) => ({ type, uniqueId: type, status: 'indexed' }));
		service().script({ body: JSON.stringify({ data, meta: {} }) });
		const { output } = await runFiles(service(), 'document.getMany', {
			parameters: { filters: { sourceTypes: ['website'] } },
		});
		expect(output.map(({ json }) => json.uniqueId)).toEqual(['website', 'crawled']);
	});
});

describe('Filters by name and time', () => {
	const at = (hour: number) => Date.UTC(2026, 10, 21, hour);
	const service = freshService({
		records: [
			{ sourceName: 'Preisliste Gr\u00f6\u00dfen.pdf', uniqueId: 'd', createdAt: at(15) },
			{ sourceName: 'prices.pdf', uniqueId: 'c', createdAt: at(14), status: 'failed' },
			{ sourceName: 'Prices 2', uniqueId: 'b', createdAt: at(13), type: 'text-details' },
			{ sourceName: 'hours.txt', uniqueId: 'a', createdAt: at(12) },
		],
	});
	const ids = async (filters: INodeParameters, more: INodeParameters = {}) => {
		const parameters = { filters, ...more };
		const { output } = await runFiles(service(), 'document.getMany', {
			...continuing,
			parameters,
			items: [{ name: ' PRICES ', time: { ms: at(13) } }],
		});
		return output.map(({ json }) => json.uniqueId ?? json).join('');
	};

	test.each<[INodeParameters, string]>([
		[{ nameContains: 'prices' }, 'cb'],
		[{ nameContains: '={{ $json.name }}' }, 'cb'],
		[{ nameContains: 'GRO\u0308SSEN' }, ''],
		[{ nameContains: 'gro\u0308\u00df' }, 'd'],
		[{ createdAfter: '2026-11-21T13:00:00Z' }, 'dcb'],
		[{ createdBefore: '2026-11-21T13:00:00Z' }, 'a'],
		[{ createdAfter: '2026-11-21T13:00:00Z', createdBefore: '2026-11-21T14:00:00Z' }, 'b'],
		[{ createdAfter: `={{ ${at(14)} }}` }, 'dc'],
		[{ createdAfter: `={{ ${at(14) / 1000} }}` }, 'dc'],
		[{ createdAfter: '={{ DateTime.fromMillis($json.time.ms) }}' }, 'dcb'],
		// As n8n's date picker has it: in the time zone of the workflow, here five hours behind.
		[{ createdAfter: '2026-11-21T09:00:00' }, 'dc'],
		[{ createdBefore: '2026-11-21 09:00' }, 'ba'],
		[{ createdBefore: '2026-11-22' }, 'dcba'],
		[{ nameContains: 'p', statuses: ['failed'], createdBefore: '2026-11-22' }, 'c'],
	])('%j finds %s', async (filters, found) => {
		expect(await ids(filters)).toBe(found);
	});

	test('the limit counts those that fit', async () => {
		expect(await ids({ nameContains: 'prices' }, { limit: 1 })).toBe('c');
	});

	test('a time narrows what is asked for, and is looked at all the same', async () => {
		const all = service().records();
		service().script({ body: JSON.stringify({ data: all, meta: {} }), times: 2 });
		expect(await ids({ createdBefore: '2026-11-21T14:00:00Z' })).toBe('ba');
		expect(await ids({ createdAfter: '2026-11-21T14:00:00Z' })).toBe('dc');
		service().clearLog();
		await ids({ createdAfter: '2026-11-21T13:00:00Z', createdBefore: '2026-11-21T14:00:00Z' });
		const { path = '' } = service().log.find(({ kind }) => kind === 'arrived') ?? {};
		expect(path).toContain(`startTime=${at(13) - 1}&endTime=${at(14)}`);
	});

	test.each<[INodeParameters, string]>([
		[{ nameContains: ' ' }, "The filter 'Name Contains' is empty or not a text"],
		[{ createdAfter: '' }, "The filter 'Created After' is empty or not a time"],
		[{ createdBefore: '={{ "soon" }}' }, "The filter 'Created Before' is empty or not a time"],
		[{ createdBefore: '={{ $json.nothing }}' }, "The filter 'Created Before' is empty or not"],
		[
			{ createdAfter: '2026-11-21', createdBefore: '2026-11-21' },
			"'Created After' is not before 'Created Before'",
		],
		[{ attachedTo: '={{ "all" }}' }, "'Attached To' is not one of its choices"],
		[{ attachedTo: 'agent' }, "'Agent' is empty"],
	])('%j is refused before anything is sent', async (filters, words) => {
		expect(await ids(filters)).toBe('[object Object]');
		expect(service().log).toEqual([]);
		const parameters = { filters };
		const run = await runFiles(service(), 'document.getMany', { ...continuing, parameters });
		expect(errorOf(run)).toMatchObject({ message: expect.stringContaining(words) });
	});
});

describe('Attached To, and Show Agents', () => {
	const agentListsOf: Record<string, AgentLists> = {};
	const service = freshService({ records: MIXED, agentListsOf });
	const lists = () => arrivals(service()).map((line) => line.trim());
	const get = async (filters: INodeParameters, showAgents = false, limit = 50) =>
		await runFiles(service(), 'document.getMany', {
			...continuing,
			options: { showAgents },
			parameters: { filters, limit },
		});
	const idsOf = async (...given: Parameters<typeof get>) =>
		(await get(...given)).output.map(({ json }) => json.uniqueId);
	const bot = { attachedTo: 'agent', uid: agent('support-bot') };

	beforeEach(async () => {
		delete agentListsOf['sales-assistant'];
		await add(service(), [{ agent: 'support-bot', files: ['t', 'n'] }]);
		await add(service(), [{ agent: 'sales-assistant', files: ['n'] }]);
		service().clearLog();
	});

	test.each<[INodeParameters, string[]]>([
		[bot, ['n', 't']],
		[{ attachedTo: 'agent', uid: agent('onboarding-guide') }, []],
		[{ attachedTo: 'any' }, ['n', 't']],
		[{ attachedTo: 'none' }, ['b', 'o']],
		[{ attachedTo: 'none', statuses: ['failed'] }, ['b']],
	])('%j, newest first, of two lists', async (filters, ids) => {
		expect(await idsOf(filters)).toEqual(ids);
		expect(lists()).toEqual(['records', 'list']);
	});

	test('the limit counts those that fit', async () => {
		expect(await idsOf({ attachedTo: 'none' }, false, 1)).toEqual(['b']);
	});

	test('each document names the agents that have it, also where they are not asked for', async () => {
		const { output } = await get({}, true);
		expect(output.map(({ json }) => [json.uniqueId, json.agents, json.agentIds])).toEqual([
			['n', ['Support Bot', 'Sales Assistant'], ['support-bot', 'sales-assistant']],
			['t', ['Support Bot'], ['support-bot']],
			['b', [], []],
			['o', [], []],
		]);
		expect(lists()).toEqual(['records', 'list']);
		expect((await get(bot, true)).output[0]?.json.agents).toHaveLength(2);
	});

	test.each<AgentLists>(['null', 'otherIds', 'objects', 'missing'])(
		'where the list of an agent does not tell (%s), that is not none',
		async (shape) => {
			agentListsOf['sales-assistant'] = shape;
			const { output } = await get({}, true);
			const reason =
				'CometChat does not tell which documents these agents have: "Sales Assistant".';
			expect(output.map(({ json }) => [json.agents, json.reason])).toEqual([
				[['Support Bot'], reason],
				[['Support Bot'], reason],
				[null, reason],
				[null, reason],
			]);
			expect(await idsOf(bot)).toEqual(['n', 't']);
			for (const attachedTo of ['any', 'none']) {
				expect(errorOf(await get({ attachedTo }))).toMatchObject({
					message: 'CometChat does not tell which documents these agents have [item 0]',
					description: expect.stringContaining("switch on 'Show Agents'"),
				});
			}
			const uid = agent('sales-assistant');
			expect(errorOf(await get({ attachedTo: 'agent', uid }))).toMatchObject({
				description: expect.stringContaining('"Sales Assistant"'),
			});
		},
	);

	test('a list of websites that does not tell leaves files and texts told', async () => {
		agentListsOf['sales-assistant'] = 'websitesNull';
		expect(await idsOf({ attachedTo: 'none' })).toEqual(['b', 'o']);
	});

	test('an agent that CometChat does not know is an error', async () => {
		const run = await get({ attachedTo: 'agent', uid: agent('nobody') });
		expect(errorOf(run)).toMatchObject({ message: 'CometChat does not know this agent [item 0]' });
	});
});

describe('Where no agent of an account has anything', () => {
	const service = freshService({ records: MIXED });

	test('nobody knows whether the lists tell: documents of no agent are an error, and none are shown as such', async () => {
		const none = { ...continuing, parameters: { filters: { attachedTo: 'none' } } };
		const said =
			/CometChat lists no document for any agent\. That proves nothing until it lists one/;
		expect(errorOf(await runFiles(service(), 'document.getMany', none))).toMatchObject({
			message: 'CometChat does not tell which documents these agents have [item 0]',
			description: expect.stringMatching(said),
		});
		const shown = await runFiles(service(), 'document.getMany', { options: { showAgents: true } });
		expect(shown.output.map(({ json }) => [json.agents, json.reason])).toEqual(
			MIXED.map(() => [null, expect.stringMatching(said)]),
		);
	});
});

describe('In a large account', () => {
	const service = freshService({ records: 1200, agents: 120 });
	const idAt = (at: number) => service().records()[at]?.uniqueId ?? '';

	test('the agents of all documents are two lists, each read once for all items', async () => {
		await add(service(), [{ agent: 'agent-100', files: [idAt(1100)] }]);
		service().clearLog();
		const { output } = await runFiles(service(), 'document.getMany', {
			items: [{}, {}],
			options: { showAgents: true },
			parameters: { filters: { attachedTo: 'any' } },
		});
		expect(output.map(({ json }) => json.agents)).toEqual([['Agent 100'], ['Agent 100']]);
		const asked = arrivals(service()).map((line) => line.trim());
		expect(asked.filter((line) => line === 'records')).toHaveLength(12);
		expect(asked.filter((line) => line === 'list')).toHaveLength(3);
	});

	test('those of one agent are looked for no further than needed', async () => {
		await add(service(), [{ agent: 'agent-100', files: [idAt(150)] }]);
		service().clearLog();
		const filters = { attachedTo: 'agent', uid: agent('agent-100') };
		const { output } = await runFiles(service(), 'document.getMany', { parameters: { filters } });
		expect(output).toHaveLength(1);
		expect(arrivals(service()).filter((line) => line.startsWith('records'))).toHaveLength(2);
	});
});
