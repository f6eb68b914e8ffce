import axios from 'axios';

import type { Service, ServiceOptions } from './service';
import { startService } from './service';

/* Of websites, what would mislead tests of the node without making any of them fail. */

const KEYS = { apiKey: 'k'.repeat(40), authKey: 'a'.repeat(40) };
const KNOWLEDGE_BASE = '/ai-agents/agent-builder/knowledge-base';
const URL = 'https://docs.example.test';
const PAGES = [
	{ url: '/' },
	{ url: '/hours', depth: 1, content: 'Nine to five.' },
	{ url: '/prices', depth: 1, fails: 1 },
	{ url: '/blog/1', depth: 4 },
];

let service: Service;
afterEach(async () => {
	jest.restoreAllMocks();
	await service.stop();
});

/** The service looks at the time when it is asked. */
function minutesLater(minutes: number): void {
	const nowMs = Date.now() + minutes * 60_000;
	jest.spyOn(Date, 'now').mockImplementation(() => nowMs);
}

async function start(options: Partial<ServiceOptions> = {}): Promise<void> {
	service = await startService({ ...KEYS, sites: { [URL]: { pages: PAGES } }, ...options });
}

function call(method: string, path: string, data?: unknown) {
	const url = `${service.baseUrl}${KNOWLEDGE_BASE}${path}`;
	const headers = { apikey: KEYS.apiKey };
	return axios.request<{ data: never }>({ method, url, data, headers, validateStatus: null });
}

const crawl = async (asked: object = {}) =>
	await call('POST', '/website/scrape', { url: URL, ...asked });

/** Where the pages of the newest website are asked for. */
function found(rest = ''): string {
	return `/website/${service.websites()[0]?.uniqueId}/discovered-urls${rest}`;
}

function statuses(): object {
	const pages = service.websites().flatMap(({ pages: all }) => all);
	return Object.fromEntries(pages.map(({ url, status }) => [url.slice(URL.length), status]));
}

function idOf(path: string): string | undefined {
	const pages = service.websites().flatMap(({ pages: all }) => all);
	return pages.find(({ url }) => url === `${URL}${path}`)?.urlId;
}

test.each([
	['as deep as by default', {}, ['/', '/hours', '/prices']],
	['as deep as it is told', { maxDepth: 4 }, ['/', '/hours', '/prices', '/blog/1']],
	['not more than it is told', { maxPages: 2 }, ['/', '/hours']],
	['only what is wanted', { include: ['/hours', '/pri'] }, ['/hours', '/prices']],
	['nothing that is not wanted', { exclude: ['hours'] }, ['/', '/prices']],
])('a crawl finds %s', async (_, asked, urls) => {
	await start();
	expect(await crawl(asked)).toMatchObject({ status: 200, data: { success: true } });
	expect(Object.keys(statuses())).toEqual(urls);
});

test('pages are read when they are chosen, fail as told, and are retried unless left out', async () => {
	await start({ crawling: { processMs: 60_000 } });
	await crawl();
	expect(service.records()).toMatchObject([{ sourceName: URL, type: 'website' }]);
	const exclude = [idOf('/')];
	const counts = { urlsProcessed: 2, totalUrls: 3 };
	expect(await call('POST', found('/process'), { exclude })).toMatchObject({
		data: { data: counts },
	});
	const reading = { '/': 'skipped', '/hours': 'processing', '/prices': 'processing' };
	expect([statuses(), service.records()]).toMatchObject([reading, [{ status: 'indexing' }]]);
	minutesLater(2);
	expect([statuses(), service.records()]).toMatchObject([
		{ '/': 'skipped', '/hours': 'processed', '/prices': 'failed' },
		[{ status: 'indexed', lastSynced: expect.any(Number) }],
	]);
	expect(await call('POST', found('/process'), { exclude: [] })).toMatchObject({ status: 404 });
	const uniqueIds = [idOf('/'), idOf('/prices'), 'x'];
	const answer = { urlsProcessed: 1, totalRequested: 3, excludedUrls: 1 };
	expect(await call('PATCH', found('/sync'), { uniqueIds })).toMatchObject({
		data: { data: { ...answer, processedUrls: [idOf('/prices')] } },
	});
	minutesLater(2);
	const polled = { [`${idOf('/')}`]: 'skipped', [`${idOf('/prices')}`]: 'processed' };
	expect((await call('POST', found('/status/poll'), { uniqueId: uniqueIds })).data).toEqual({
		success: true,
		data: polled,
	});
	const pages = await call('GET', `${found().replace('/discovered-urls', '/pages')}?limit=9`);
	expect(pages.data.data).toMatchObject({ pageContent: [{ content: 'Nine to five.' }, {}] });
});

test('the record follows its pages: failed if none could be read', async () => {
	const sites = { [URL]: { pages: [{ url: '/', fails: Infinity }] } };
	await start({ sites, crawling: { indexesAtOnce: true, processMs: 60_000 } });
	await crawl();
	expect(service.records()).toMatchObject([{ status: 'indexing' }]);
	minutesLater(2);
	expect(service.records()).toMatchObject([{ status: 'failed' }]);
});

test('it lists found pages newest first, page by page, and by their status', async () => {
	await start();
	await crawl({ maxDepth: 4 });
	await call('POST', found('/process'), { exclude: [idOf('/'), idOf('/hours'), idOf('/prices')] });
	const pathsOf = ({ data }: { data: Array<{ url: string }> }) =>
		data.map(({ url }) => url.slice(URL.length));
	const first = await axios.get(`${service.baseUrl}${KNOWLEDGE_BASE}${found('?limit=3')}`, {
		headers: { apikey: KEYS.apiKey },
	});
	expect(pathsOf(first.data)).toEqual(['/blog/1', '/prices', '/hours']);
	const { cursor } = first.data.meta.next;
	const next = await call('GET', found(`?limit=3&affix=append&cursor=${cursor}`));
	expect(pathsOf(next.data)).toEqual(['/']);
	expect(next.data).not.toHaveProperty('meta.next');
	expect(pathsOf((await call('GET', found('?status=skipped'))).data)).toHaveLength(3);
});

test('a crawl takes its time, or is answered early, when its pages come bit by bit', async () => {
	const crawling: NonNullable<ServiceOptions['crawling']> = { ms: 300 };
	await start({ crawling });
	const startedMs = Date.now();
	await crawl();
	expect(Date.now() - startedMs).toBeGreaterThan(290);
	service.reset();
	Object.assign(crawling, { ms: 60_000, answersEarly: true });
	expect(await crawl()).toMatchObject({ data: { data: { status: 'processing' } } });
	expect(Object.keys(statuses())).toEqual(['/']);
	minutesLater(2);
	expect(Object.keys(statuses())).toHaveLength(3);
});

test('a second crawl makes the pages ready to be read anew, or a second record', async () => {
	const crawling: NonNullable<ServiceOptions['crawling']> = { sourceName: 'withSlash' };
	await start({ crawling });
	await crawl();
	const [before] = service.websites();
	await call('POST', found('/process'), { exclude: [] });
	minutesLater(2);
	await crawl({ url: `${URL}/` });
	expect(statuses()).toEqual({
		'/': 'discovered',
		'/hours': 'discovered',
		'/prices': 'discovered',
	});
	expect(service.websites()).toMatchObject([{ uniqueId: before?.uniqueId, scrapes: 2 }]);
	crawling.secondScrape = 'second';
	await crawl();
	const sourceName = `${URL}/`;
	expect(service.records()).toMatchObject([{ sourceName }, { sourceName }]);
});

test('a website is listed as late as told, can be given to an agent, and is gone when deleted', async () => {
	await start({ crawling: { listedAfterMs: 60_000, recordType: 'web-pages' } });
	await crawl();
	expect(service.records()).toEqual([]);
	minutesLater(2);
	const [record] = service.records();
	expect(record?.type).toBe('web-pages');
	const uniqueIds = [record?.uniqueId];
	const agents = `${service.baseUrl}/ai-agents/agent-builder/agents/support-bot`;
	const headers = { apikey: KEYS.apiKey };
	await axios.patch(`${agents}/knowledge-base/website/add`, { uniqueIds }, { headers });
	const agent = await axios.get<object>(agents, { headers });
	expect(agent.data).toMatchObject({ files: [], websites: uniqueIds });
	const there = found();
	await call('DELETE', `/website/${record?.uniqueId}`);
	expect([service.records(), service.websites()]).toEqual([[], []]);
	expect(await call('GET', there)).toMatchObject({ status: 404 });
	expect((await axios.get<object>(agents, { headers })).data).toMatchObject({ websites: [] });
});

test('pages of the start are there, and stay as they are until they are to be read', async () => {
	const page = { urlId: 'a', url: `${URL}/a`, status: 'failed' as const };
	const records = [{ uniqueId: 'site', sourceName: URL, type: 'website' as const }];
	await start({
		records,
		crawling: { processMs: 60_000 },
		found: { site: [page, { ...page, urlId: 'b', status: 'skipped' }] },
	});
	expect(service.websites()).toMatchObject([{ pages: [{ urlId: 'b' }, { urlId: 'a' }] }]);
	expect(service.records()).toMatchObject([{ status: 'indexed' }]);
	await call('PATCH', found('/sync'), { uniqueIds: ['a', 'b'] });
	expect(service.records()).toMatchObject([{ status: 'indexing' }]);
	minutesLater(2);
	expect((await call('GET', found('?status=processed'))).data).toMatchObject({
		data: [{ urlId: 'a', retryCount: 1 }],
	});
});
