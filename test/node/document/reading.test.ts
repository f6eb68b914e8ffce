import type { INodeParameters } from 'n8n-workflow';

import type { AgentLists, RecordSeed, ServiceOptions } from '../../service/service';
import { freshService } from '../fixture';
import type { Run } from '../engine';
import type { More } from '../operations';
import { agent, arrivals, isCut, errorOf, prepareRun } from '../operations';

const at = (hour: number) => Date.UTC(2026, 10, 21, hour);
/** Documents of each type and status, newest first, with different times. */
const MIXED: RecordSeed[] = [
	{ sourceName: 'Größen.pdf', uniqueId: 'n', status: 'indexing', createdAt: at(16) },
	{ sourceName: 'Prices 2', uniqueId: 't', type: 'text-details', createdAt: at(15) },
	{
		sourceName: 'prices.pdf',
		uniqueId: 'b',
		status: 'failed',
		createdAt: at(14),
		updatedAt: at(16),
	},
	{ sourceName: 'old.pdf', uniqueId: 'o', status: 'inSync', createdAt: at(13) },
];
const jsonOf = ({ output }: Run) => output.map(({ json }) => json);
const idsOf = (run: Run) => jsonOf(run).map(({ uniqueId, error }) => (error ? '!' : uniqueId));

function freshLists(options: Partial<ServiceOptions>) {
	const service = freshService(options);
	return {
		service,
		getMany: prepareRun(service, 'document.getMany'),
		sent: () => arrivals(service()).map((line) => line.trim()),
		give: (uid: string, ...files: unknown[]) => {
			service().attach(uid, files.map(String));
		},
	};
}

describe('Document: Get Many', () => {
	const { service, getMany } = freshLists({ records: 250 });
	const pages = () =>
		service().log.flatMap(({ kind, path }) =>
			kind === 'arrived' ? [Number(/limit=(\d+)/.exec(path)?.[1])] : [],
		);

	test.each<[INodeParameters, number, number[]]>([
		[{}, 50, [50]],
		[{ limit: 120 }, 120, [100, 20]],
		[{ returnAll: true }, 250, [100, 100, 100]],
	])('with %j it returns the newest %i, and requests no more', async (parameters, count, sizes) => {
		const ids = service()
			.records()
			.map(({ uniqueId }) => uniqueId);
		const run = await getMany(parameters);
		expect(idsOf(run)).toEqual(ids.slice(0, count));
		expect(pages()).toEqual(sizes);
		expect(isCut(run)).toBe(count < ids.length);
	});

	test('an item has its name first and readable times, also a document with only an ID', async () => {
		const record = { uniqueId: 'u', sourceName: 'menu.pdf', type: 'text-details', appId: 'a' };
		const times = { createdAt: 1795301932599, updatedAt: 'yesterday' };
		const data = [{ ...times, ...record, status: 'indexed' }, { uniqueId: 'v' }];
		service().script({ body: JSON.stringify({ data, meta: {} }) });
		const [full, bare] = jsonOf(await getMany());
		expect(Object.entries(full ?? {})).toEqual([
			['name', 'menu.pdf'],
			['status', 'indexed'],
			['uniqueId', 'u'],
			['sourceType', 'text'],
			['createdAt', '2026-11-21T22:58:52.599Z'],
			['updatedAt', 'yesterday'],
		]);
		expect(bare).toEqual({ name: 'v', uniqueId: 'v' });
	});

	test("without Simplify, an item is CometChat's record", async () => {
		expect(jsonOf(await getMany({ simple: false }))[0]).toEqual(service().records()[0]);
	});
});

describe('Filters', () => {
	const { service, getMany } = freshLists({ records: MIXED });
	const items = [{ wanted: 'failed', name: ' PRICES ' }];
	const find = async (filters: INodeParameters, limit = 50) =>
		await getMany({ filters, limit }, { items });

	test.each<[INodeParameters, string]>([
		[{ statuses: ['inSync', 'indexed'] }, 'to'],
		[{ sourceTypes: ['text-details'] }, 't'],
		[{ statuses: ['failed'], sourceTypes: ['text'] }, ''],
		[{ statuses: '={{ "Indexed, failed\\nINDEXING" }}' }, 'ntb'],
		[{ statuses: '={{ "In Sync" }}', sourceTypes: '={{ "Uploads" }}' }, 'o'],
		[{ nameContains: '={{ $json.name }}' }, 'tb'],
		[{ nameContains: 'gro\u0308\u00df' }, 'n'],
		[{ createdAfter: '2026-11-21T14:00:00Z', createdBefore: '2026-11-21T15:00:00Z' }, 'b'],
		[{ createdAfter: `={{ ${at(15)} }}` }, 'nt'],
		[{ createdBefore: `={{ ${at(15) / 1000} }}` }, 'bo'],
		// Another document is as old, and was updated later.
		[{ notUpdatedSince: '2026-11-21T15:00:00Z' }, 'o'],
		// As n8n's date picker returns it: in the workflow's time zone, which is five hours behind.
		[{ createdAfter: '2026-11-21T10:00:00' }, 'nt'],
	])('%j finds %s', async (filters, ids) => {
		expect(idsOf(await find(filters)).join('')).toBe(ids);
	});

	test('the limit counts matching documents, and a note says that there are more', async () => {
		const run = await find({ sourceTypes: ['uploads'] }, 2);
		expect(idsOf(run)).toEqual(['n', 'b']);
		expect(isCut(run)).toBe(true);
		expect(isCut(await find({ sourceTypes: ['uploads'] }, 3))).toBe(false);
		const withAgents = { filters: { sourceTypes: ['uploads'] }, limit: 2 };
		expect(isCut(await getMany({ ...withAgents, showAgents: true }))).toBe(true);
	});

	test('a time is a parameter of the request, and is checked again', async () => {
		service().script({ body: JSON.stringify({ data: service().records(), meta: {} }) });
		const filters = { createdAfter: '2026-11-21T14:00:00Z', createdBefore: '2026-11-21T15:00:00Z' };
		expect(idsOf(await find(filters))).toEqual(['b']);
		expect(service().log[0]?.path).toContain(`startTime=${at(14) - 1}&endTime=${at(15)}`);
	});

	test.each<[INodeParameters, string]>([
		[{ createdAfter: '2026-11-21', createdBefore: '2026-11-21' }, 'is not before'],
		[{ attachedTo: 'agent' }, "'Agent' is missing"],
	])('%j is refused, and returns neither everything nor nothing', async (filters, words) => {
		const message = expect.stringContaining(words);
		expect(errorOf(await find(filters))).toMatchObject({ message });
		expect(service().log).toEqual([]);
	});
});

describe('Used By, and Include Agents', () => {
	const agentListsOf: Record<string, AgentLists> = {};
	const { service, sent, getMany, give } = freshLists({ records: MIXED, agentListsOf });
	const showing = { showAgents: true };
	const bot = { attachedTo: 'agent', uid: agent('support-bot') };
	const NOT_REPORTED = "CometChat doesn't report which documents the agents use";
	beforeEach(() => {
		delete agentListsOf['sales-assistant'];
		give('support-bot', 't', 'n');
		give('sales-assistant', 'n');
	});

	test.each<[INodeParameters, string]>([
		[bot, 'nt'],
		[{ attachedTo: 'any' }, 'nt'],
		[{ attachedTo: 'none' }, 'bo'],
		[{ attachedTo: 'none', statuses: ['failed'] }, 'b'],
	])('%j finds %s, newest first', async (filters, ids) => {
		expect(idsOf(await getMany({ filters })).join('')).toBe(ids);
		expect(sent()).toEqual(['records', filters === bot ? 'agent support-bot' : 'list']);
	});

	test('a limit that equals their number leaves nothing out', async () => {
		expect(isCut(await getMany({ filters: { attachedTo: 'any' }, limit: 2 }))).toBe(false);
		expect(isCut(await getMany({ filters: { attachedTo: 'any' }, limit: 1 }))).toBe(true);
	});

	test('each document names the agents that use it, also without the filter', async () => {
		expect(jsonOf(await getMany(showing))).toMatchObject([
			{ agents: ['Support Bot', 'Sales Assistant'], agentIds: ['support-bot', 'sales-assistant'] },
			{ agents: ['Support Bot'], agentIds: ['support-bot'] },
			{ agents: [], agentIds: [] },
			{ agents: [], agentIds: [] },
		]);
		expect(sent()).toEqual(['records', 'list']);
		expect(jsonOf(await getMany({ filters: bot, ...showing }))[0]?.agents).toHaveLength(2);
	});

	test('an agent whose documents CometChat does not report may use any', async () => {
		agentListsOf['sales-assistant'] = 'null';
		const told = jsonOf(await getMany(showing));
		const one = ['Support Bot'];
		expect(told.map(({ agents }) => agents)).toEqual([one, one, null, null]);
		expect(told[3]?.reason).toContain('CometChat');
		expect(idsOf(await getMany({ filters: bot }))).toEqual(['n', 't']);
		for (const attachedTo of ['any', 'none', 'agent']) {
			const filters = { attachedTo, uid: agent('sales-assistant') };
			expect(errorOf(await getMany({ filters }))).toMatchObject({ message: NOT_REPORTED });
		}
	});

	test('where lists name no document of a type, those are left out, with a warning', async () => {
		service().reset();
		give('support-bot', 'n');
		const none = await getMany({ filters: { attachedTo: 'none' } });
		expect(idsOf(none)).toEqual(['b', 'o']);
		const words = 'Some documents are not included';
		expect(none.hints).toMatchObject([
			{ type: 'warning', message: expect.stringContaining(words) },
		]);
	});
});

const LONG = 'The prices of this year are on the pages behind this one.';
const BREAD = [LONG, 'Bread costs 3.', '', 'Milk costs 2.'];
const WHOLE = BREAD.join('\n\n');
const MANY = Array.from({ length: 30 }, (_, page) => `This is what stands on page ${page}.`);
const CONTENTS = { p: BREAD, s: ['', ' \n', ''], x: ['Closed.'], m: MANY, e: ['a😀'] };
const NAMED = ['prices.pdf', 'scan.pdf', 'x.txt', 'many.pdf', 'emoji.txt'].map((sourceName) => {
	return { sourceName, uniqueId: sourceName.slice(0, 1) };
});

function freshContents(options: Partial<ServiceOptions> = {}) {
	const website: RecordSeed = { sourceName: 'https://example.com', uniqueId: 'w', type: 'website' };
	const service = freshService({
		records: [...NAMED, ...MIXED, website],
		pages: CONTENTS,
		...options,
	});
	return {
		service,
		read: async (id: string, more: More = {}) =>
			await prepareRun(service, 'document.getContent')({ document: agent(id) }, more),
	};
}

describe('Document: Get Content', () => {
	const { service, read } = freshContents();

	test('returns the whole text in one item, page after page', async () => {
		expect(jsonOf(await read('p'))).toEqual([
			{
				name: 'prices.pdf',
				status: 'indexed',
				text: WHOLE,
				characters: 90,
				pages: 4,
				sourceType: 'uploads',
				uniqueId: 'p',
			},
		]);
		expect(arrivals(service()).filter((line) => !/^(records|pages)\b/.test(line))).toEqual([]);
	});

	test('the type is looked up in one list for all items; an unlisted document counts as an upload', async () => {
		const items = ['p', 't', 'w'].map((id) => ({ id }));
		const looked = jsonOf(await read('={{ $json.id }}', { items }));
		expect(looked.map(({ sourceType }) => sourceType)).toEqual(['uploads', 'text', 'website']);
		expect(arrivals(service()).filter((line) => line.startsWith('records'))).toHaveLength(1);
		const body = '{"data":[],"meta":{}}';
		service().script({ for: { operation: 'records' }, status: 200, body });
		expect(jsonOf(await read('p'))).toMatchObject([{ sourceType: 'uploads', uniqueId: 'p' }]);
	});

	test('without the list, the item fails with its ID', async () => {
		service().script({ for: { operation: 'records' }, status: 403 });
		expect(errorOf(await read('t'))).toMatchObject({ status: 403, uniqueId: 't' });
	});

	test('Max Characters ends the text there, over all pages, and says so', async () => {
		const [whole] = jsonOf(await read('p', { options: { maxCharacters: 90 } }));
		expect([whole?.text, whole?.isCut]).toEqual([WHOLE, undefined]);
		const [cut] = jsonOf(await read('p', { options: { maxCharacters: 89 } }));
		const reason = expect.stringContaining("'Max Characters' under Options");
		expect(cut).toMatchObject({ text: WHOLE.slice(0, 89), characters: 89, isCut: true, reason });
	});

	test('the end is never half a character', async () => {
		const [cut] = jsonOf(await read('e', { options: { maxCharacters: 2 } }));
		expect([cut?.text, cut?.isCut]).toEqual(['a', true]);
	});

	test.each<[string, string, RegExp | undefined]>([
		['of a file with pages', 's', /If the file is a scan/],
		['of a text file, which may be short', 'x', undefined],
		['of what is not indexed', 'n', /CometChat is still indexing the document\./],
		['of what could not be read', 'b', /couldn't index the document/],
	])('with little or no text %s, the item says why', async (_, id, reason) => {
		const { output, hints } = await read(id);
		expect(output).toHaveLength(1);
		expect(output[0]?.json.reason).toEqual(reason && expect.stringMatching(reason));
		expect(JSON.stringify(hints).includes('no text in')).toBe(id === 's');
	});

	test('an unknown ID is an error', async () => {
		const message = 'CometChat has no document with this ID';
		expect(errorOf(await read('gone'))).toMatchObject({ message, effect: 'not applied' });
	});

	test('a service that repeats the first page is not asked endlessly, and the item says what is missing', async () => {
		const pageContent = [{ content: 'Page 1', pageNumber: 1 }];
		const body = JSON.stringify({ data: { pageContent, sourceDetails: { totalPages: 30 } } });
		service().script({ for: { operation: 'pages' }, times: Infinity, body });
		const [told] = jsonOf(await read('m'));
		expect(told).toMatchObject({ pages: 30, reason: 'CometChat returned 1 of the 30 pages.' });
		expect(arrivals(service())).toHaveLength(3);
	});

	test.each<[string, string[], number, number, RegExp | undefined]>([
		['the item says which are missing', ['One', 'Two'], 30, 9, /returned 2 of the 30 pages/],
		['blank ones prove nothing of the rest', [' ', ''], 30, 9, /^CometChat returned/],
		['where the text is cut, that is said', ['One', 'Two'], 30, 4, /^The text is cut off here/],
		['to cut it behind a page is to cut it', ['One', 'Two'], 2, 3, /^The text is cut off here/],
		['there are no fewer than have come', ['One', 'Two'], 1, 9, undefined],
	])('of pages, %s', async (_, texts, totalPages, maxCharacters, reason) => {
		const pageContent = texts.map((content, at) => ({ content, pageNumber: at + 1 }));
		const body = JSON.stringify({ data: { pageContent, sourceDetails: { totalPages } } });
		service().script({ for: { operation: 'pages' }, times: Infinity, body });
		const { output, hints } = await read('m', { options: { maxCharacters } });
		expect(output[0]?.json.pages).toBe(Math.max(totalPages, texts.length));
		expect(output[0]?.json.reason).toEqual(reason && expect.stringMatching(reason));
		expect(JSON.stringify(hints)).not.toContain('no text in');
	});
});

describe.each<Partial<ServiceOptions>>([
	{ firstPage: 0, pagesFrom: 'at', mostPages: 10 },
	{ mostPages: 7 },
])('If CometChat numbers pages in this way: %j', (manner) => {
	const { service, read } = freshContents(manner);

	test('each page is returned once, in order, to the end, and no more are requested than are shown', async () => {
		expect(jsonOf(await read('m'))[0]?.text).toBe(MANY.join('\n\n'));
		service().clearLog();
		const [cut] = jsonOf(await read('m', { options: { maxCharacters: 100 } }));
		expect(cut).toMatchObject({ characters: 100, isCut: true });
		expect(arrivals(service()).length).toBeLessThan(4);
	});
});
