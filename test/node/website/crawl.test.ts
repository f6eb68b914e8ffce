import type { INodeParameters } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import type { AgentLists } from '../../service/agents';
import type { Rule } from '../../service/service';
import type { CrawlingOptions, Site, Sites } from '../../service/websites';
import { freshService } from '../fixture';
import type { Run } from '../engine';
import type { More as Given } from '../operations';
import { agent, arrivals, errorOf, prepareRun } from '../operations';

const DOCS = 'https://docs.example.com';
const EMPTY = 'https://empty.example.com';
const BROKEN = 'https://broken.example.com';
const OTHER = 'https://other.example.com';
const SITES: Sites = {
	[DOCS]: {
		pages: [
			{ url: '/' },
			{ url: '/help/1' },
			{ url: '/help/2', fails: Infinity },
			{ url: '/blog/' },
		],
	},
	[EMPTY]: { pages: [] },
	[BROKEN]: { pages: [{ url: '/', fails: Infinity }] },
};
/** Read for each response. */
const sites: Sites = {};
const crawling: CrawlingOptions = {};
const agentListsOf: Record<string, AgentLists> = {};
const service = freshService({
	...{ sites, crawling, agentListsOf },
	records: [
		{ sourceName: 'a.txt' },
		{ sourceName: `${DOCS}/`, uniqueId: 'file' },
		{ sourceName: `${DOCS}/`, type: 'text-details', uniqueId: 'text' },
	],
});

beforeEach(() => {
	for (const how of [crawling, agentListsOf, sites]) {
		for (const name of Object.keys(how)) Reflect.deleteProperty(how, name);
	}
	Object.assign(sites, SITES);
});
const where = (how: CrawlingOptions) => Object.assign(crawling, how);
const nowThere = (...pages: Site['pages']) => Object.assign(sites, { [DOCS]: { pages } });

/** `rule`: 'If Already Crawled'. */
type More = Given & { rule?: string };
const runCrawl = prepareRun(service, 'website.crawl', { url: DOCS, uid: agent('support-bot') });
const crawl = async (parameters: INodeParameters = {}, { rule, ...more }: More = {}) =>
	await runCrawl({ ...(rule !== undefined && { ifSiteExists: rule }), ...parameters }, more);
const refresh = { rule: 'refresh' };
const twice = { items: [{}, {}] };
const websites = () => service().websites();
const held = () => service().files('support-bot', 'website');
const idThere = () => websites()[0]?.uniqueId;
const said = ({ hints }: Run) => hints.map(({ message }) => message).join();
const changes = () =>
	arrivals(service())
		.map((line) => line.split(' ')[0] ?? '')
		.filter((name) => /^(?:crawl|processUrls|add|remove|deleteWebsite)$/.test(name));
const BROUGHT = ['crawl', 'processUrls', 'add'];

const expectFailed = (run: Run, words: string | RegExp, more: object = {}) => {
	const { message, description } = Object(errorOf(run));
	expect(`${message} ${description}`).toMatch(words);
	expect(errorOf(run)).toMatchObject(more);
};

test('items with one URL and different settings are refused, and nothing is crawled', async () => {
	const options = { maxCrawlMinutes: '={{ $json.minutes }}' };
	const items = [{ minutes: 1 }, { minutes: 60 }];
	expectFailed(
		await crawl({}, { items, options }),
		'Items 1, 2 have different settings for the same website: "docs.example.com/"',
		{ attempts: 0 },
	);
	const pages = { include: '={{ $json.include }}' };
	const run = await crawl({ pages }, { items: [{ include: '/help/' }, { include: '/blog/' }] });
	expectFailed(run, 'Items 1, 2 have different settings');
	expect(service().log).toEqual([]);
});

test('a website is found, indexed and then added to the agent; pages that cannot be indexed are counted', async () => {
	const run = await crawl({ pages: { maxPages: 7, include: '/', exclude: '={{ ["/faq/"] }}' } });
	const sent = { maxDepth: 3, maxPages: 7, include: ['/'], exclude: ['/faq/'] };
	const asked = service().log.find(({ operation }) => operation === 'crawl');
	expect(asked?.body).toEqual({ url: `${DOCS}/`, ...sent });
	expect(changes()).toEqual(BROUGHT);
	expect(held()).toEqual([idThere()]);
	expect(run.output.map(({ json }) => Object.entries(json))).toEqual([
		[
			['name', `${DOCS}/`],
			['action', 'crawled'],
			['success', true],
			['reason', expect.stringContaining('Document: Retry Indexing')],
			['uniqueId', idThere()],
			['sourceType', 'website'],
			['agentName', 'Support Bot'],
			['uid', 'support-bot'],
			['pagesFound', 4],
			['pagesProcessed', 3],
			['pagesFailed', 1],
			['pagesSkipped', 0],
			['pagesOpen', 0],
			['failedPages', [`${DOCS}/help/2`]],
		],
	]);
	expect(said(run)).toContain('Document: Retry Indexing');
});

test('a filter that excludes the website itself is refused before anything is sent', async () => {
	const words = "'Don't Crawl URLs With' matches 'Website URL'";
	expectFailed(await crawl({ pages: { exclude: 'docs.' } }), words, { attempts: 0 });
	expect(service().log).toEqual([]);
});

test.each([
	[400, 'Invalid URL format', 'not applied'],
	[500, 'Failed to scrape website: Timeout exceeded', 'unknown'],
])(
	'a website that CometChat reports it cannot open (%i) fails at once, with what to check',
	async (status, message, effect) => {
		const body = JSON.stringify({ statusCode: status, message, error: 'Bad Request' });
		service().script({ for: { operation: 'crawl' }, status, body });
		const startedMs = Date.now();
		const run = await crawl();
		const words = "CometChat couldn't crawl \"https://docs.example.com/\" Open 'Website URL'";
		expectFailed(run, words, { effect, status });
		expectFailed(run, message);
		expect(Date.now() - startedMs).toBeLessThan(60_000);
	},
);

test('an unknown agent is refused before the crawl', async () => {
	expectFailed(await crawl({ uid: agent('nobody') }), '', { status: 404, effect: 'not applied' });
	expect(changes()).toEqual([]);
});

describe('A website is never crawled twice without looking', () => {
	test.each<[string, Rule]>([
		['the connection is lost', { drop: 'afterApplying' }],
		['the answer is another than documented', { body: '{}', apply: true }],
	])('if %s, the execution continues with the existing website', async (_, rule) => {
		service().script({ for: { operation: 'crawl' }, times: Infinity, ...rule });
		const run = await crawl();
		expect(changes()).toEqual(BROUGHT);
		expect(run.output[0]?.json).toMatchObject({ action: 'crawled', pagesProcessed: 3 });
		expect(said(run)).toContain("didn't report the end of the crawl");
	});

	test('if it does not exist, the item says that the result is unknown, and the next execution looks first', async () => {
		service().script({ for: { operation: 'crawl' }, drop: 'beforeApplying' });
		expectFailed(await crawl(), 'It continues where it stopped', { effect: 'unknown' });
		expect(changes()).toEqual(['crawl']);
		const { output } = await crawl();
		expect(output[0]?.json).toMatchObject({ action: 'crawled', success: true });
		expect(websites()).toHaveLength(1);
	});

	test("its response is waited for until Crawl Timeout, and not until the node's Timeout", async () => {
		service().script({ for: { operation: 'crawl' }, latencyMs: 9 * 60_000 });
		const run = await crawl();
		expect(run.output[0]?.json).toMatchObject({ action: 'crawled', success: true });
		expect(said(run)).not.toContain("didn't report the end of the crawl");
	});

	test('if it takes too long, the item names the option for more time', async () => {
		service().script({ for: { operation: 'crawl' }, status: 504 });
		expectFailed(await crawl(), "'Crawl Timeout (Minutes)'", { effect: 'unknown' });
	});

	test('items with one URL and the same settings share a crawl', async () => {
		const items = [{ uid: 'support-bot' }, { uid: 'sales-assistant' }];
		const { output } = await crawl({ uid: agent('={{ $json.uid }}') }, { items, ...refresh });
		expect(changes()).toEqual([...BROUGHT, 'add']);
		expect(output.map(({ json }) => json.action)).toEqual(['crawled', 'crawled']);
		expect(service().files('sales-assistant', 'website')).toEqual([idThere()]);
	});

	test('items whose URLs differ by http and www. share it, and each names the URL as typed', async () => {
		const urls = ['http://docs.example.com/', 'https://www.docs.example.com/'];
		Object.assign(sites, Object.fromEntries(urls.map((url) => [url, SITES[DOCS]])));
		const items = urls.map((url) => ({ url }));
		const { output } = await crawl({ url: '={{ $json.url }}' }, { items });
		expect(changes()).toEqual(BROUGHT);
		expect(output.map(({ json }) => json.name)).toEqual(urls);
		const options = { maxCrawlMinutes: '={{ $json.url.length }}' };
		const refused = await crawl({ url: '={{ $json.url }}' }, { items, options });
		expectFailed(refused, 'have different settings for the same website: "docs.example.com/"');
	});

	test('a new website whose pages are listed a second late is not deleted', async () => {
		service().script({ for: { operation: 'discoveredUrls' }, transform: () => ({ data: [] }) });
		const { output } = await crawl();
		expect(output[0]?.json).toMatchObject({ success: true, pagesProcessed: 3 });
		expect(changes()).toEqual(BROUGHT);
	});

	test.each(['skip', 'refresh', 'fail'])(
		'nor if the first crawl has found nothing: it is not added to the agent, and it is deleted (%s)',
		async (rule) => {
			const run = await crawl({ url: EMPTY }, { ...twice, rule });
			expect(changes()).toEqual(['crawl', 'deleteWebsite']);
			expectFailed(run, /found no page at .* run the item again/, { effect: 'not applied' });
			expect(errorOf(run, 1)).toMatchObject({ message: expect.stringContaining('found no page') });
			expect(websites()).toEqual([]);
		},
	);
});

describe('The website of a crawl', () => {
	test.each<CrawlingOptions>([
		{ sourceName: 'withoutSlash' },
		{ recordType: 'web-pages' },
		{ listedAfterMs: 20_000 },
		{ answersEarly: true, ms: 60_000 },
	])('is found if CometChat crawls like this: %j', async (how) => {
		where(how);
		const { output } = await crawl();
		const told = { success: true, pagesFound: 4, uniqueId: idThere() };
		expect(output[0]?.json).toMatchObject(told);
	});

	test('is waited for until Crawl Timeout; if it is not listed then, the item says what to do', async () => {
		where({ listedAfterMs: 30 * 60_000 });
		const startMs = Date.now();
		expectFailed(await crawl(), /lists no new website with this URL.*'Document: Get Many'/, {
			effect: 'unknown',
		});
		expect(Math.floor((Date.now() - startMs) / 60_000)).toBe(15);
		expect(changes()).toEqual(['crawl']);
	});

	test.each([
		'http://docs.example.com',
		'https://www.docs.example.com/',
		'https://DOCS.example.com',
	])('is found under %s, and the next execution crawls nothing', async (listedAs) => {
		where({ listedAs });
		const run = await crawl();
		expect(run.output[0]?.json).toMatchObject({
			...{ action: 'crawled', name: `${DOCS}/`, uniqueId: idThere() },
		});
		service().clearLog();
		const then = await crawl();
		expect(then.output[0]?.json).toMatchObject({ action: 'skipped', uniqueId: idThere() });
		expect(changes()).toEqual([]);
	});

	test('is never one with another URL: after Crawl Timeout the item fails and names the URL to enter', async () => {
		where({ listedAs: 'https://example.org/en', breaksOff: true });
		const startMs = Date.now();
		const run = await crawl();
		expect(Date.now() - startMs).toBeGreaterThanOrEqual(15 * 60_000);
		expectFailed(run, /enter "https:\/\/example\.org\/en" in 'Website URL'/, { effect: 'unknown' });
		expect(changes()).toEqual(['crawl']);
		expect([websites().length, held()]).toEqual([1, []]);
	});
});

describe('An existing website', () => {
	const there = async (how: CrawlingOptions = {}) => {
		nowThere({ url: '/' }, { url: '/help/1' });
		where(how);
		await crawl();
		service().clearLog();
		return idThere();
	};
	const apart: CrawlingOptions = { secondScrape: 'second' };

	test('is kept, and nothing is sent; the item and a note say why', async () => {
		const uniqueId = await there();
		const run = await crawl();
		expect(changes()).toEqual([]);
		const reason = expect.stringMatching(
			/^Not crawled again, because 'If Already Crawled' is 'Skip'/,
		);
		const told = { action: 'skipped', success: true, pagesProcessed: 2, reason };
		expect(run.output[0]?.json).toMatchObject({ ...told, uniqueId });
		expect(said(run)).toMatch(/^Not crawled again/);
		const other = await crawl({ uid: agent('sales-assistant') });
		expect(changes()).toEqual(['add']);
		expect(other.output[0]?.json).toMatchObject({ action: 'added' });
		const alone = await crawl({ addToAgent: false });
		expect(alone.output[0]?.json).toMatchObject({ action: 'skipped' });
	});

	test.each([{}, { addToAgent: false }])(
		'is an error with Fail, which says as what it is there, however new it is: %j',
		async (parameters) => {
			const uniqueId = await there();
			const run = await crawl(parameters, { rule: 'fail' });
			expect(changes()).toEqual([]);
			expectFailed(run, `already has the website "${DOCS}/" (ID `, { effect: 'not applied' });
			expectFailed(run, uniqueId ?? 'no website');
		},
	);

	test('is crawled again in place with Refresh, if CometChat does so', async () => {
		const uniqueId = await there();
		const { output } = await crawl({}, refresh);
		expect(changes()).toEqual(BROUGHT);
		expect(output[0]?.json).toMatchObject({ action: 'refreshed', uniqueId });
		expect(held()).toEqual([uniqueId]);
		expect(websites()).toMatchObject([{ scrapes: 2 }]);
	});

	test('is crawled again in place with Refresh, also if pages of an earlier crawl still wait for indexing', async () => {
		const TEN_MINUTES_MS = 600_000;
		where({ ms: TEN_MINUTES_MS, answersEarly: true });
		await crawl();
		const uniqueId = idThere();
		await sleep(TEN_MINUTES_MS);
		const { output } = await crawl({}, refresh);
		expect(output[0]?.json).toMatchObject({ action: 'refreshed', success: true, uniqueId });
	});

	test('is not taken for the crawled one because CometChat finishes a page of it meanwhile', async () => {
		const TEN_MINUTES_MS = 600_000;
		nowThere({ url: '/' }, { url: '/slow', takesMs: TEN_MINUTES_MS });
		where({ secondScrape: 'second' });
		const readMs = Date.now() + TEN_MINUTES_MS;
		await crawl({}, { options: { maxIndexingMinutes: 1 } });
		const oldId = idThere();
		where({ secondScrape: 'second', listedAfterMs: 120_000 });
		await sleep(readMs - 30_000 - Date.now());
		const { output } = await crawl({}, { ...refresh, options: { maxIndexingMinutes: 15 } });
		expect(output[0]?.json).toMatchObject({ action: 'refreshed', uniqueId: idThere() });
		expect(idThere()).not.toBe(oldId);
	});

	test('is replaced by a second one with Refresh, listed late or not: the new one is added before the old one is removed', async () => {
		const oldId = await there(apart);
		where({ listedAfterMs: 25_000 });
		const { output } = await crawl({ waitUntilIndexed: false }, refresh);
		expect(changes()).toEqual([...BROUGHT, 'remove', 'deleteWebsite']);
		expect(held()).toEqual([idThere()]);
		expect(idThere()).not.toBe(oldId);
		expect(output[0]?.json).toMatchObject({
			action: 'refreshed',
			old: [{ name: `${DOCS}/`, action: 'deleted', uniqueId: oldId }],
			pagesOpen: 0,
		});
	});

	test('is not deleted if it is unknown which other agent uses it', async () => {
		const oldId = await there(apart);
		agentListsOf['sales-assistant'] = 'websitesNull';
		const run = await crawl({}, refresh);
		expect(changes()).toEqual([...BROUGHT, 'remove']);
		// A large website takes a hundred requests to read.
		const looks = arrivals(service()).filter((line) => line === `discoveredUrls ${oldId}`);
		expect(looks).toHaveLength(1);
		const reason = expect.stringContaining('Unknown whether another agent uses this document');
		expect(run.output[0]?.json).toMatchObject({
			old: [{ action: 'removed', uniqueId: oldId, reason }],
		});
	});

	test('stays with the agent if pages could not be indexed this time, after one retry, and the item names them', async () => {
		const urls = Array.from({ length: 10 }, (_, at) => ({ url: `/${at}` }));
		nowThere(...urls);
		where(apart);
		await crawl();
		const before = idThere();
		nowThere(...urls.map((page, at) => ({ ...page, fails: at < 4 ? Infinity : 0 })));
		service().clearLog();
		const run = await crawl({}, refresh);
		expect(arrivals(service()).filter((line) => line.startsWith('retryUrls'))).toHaveLength(1);
		expect(held()).toEqual([before, idThere()]);
		expect(run.output[0]?.json).toMatchObject({
			old: [
				{ action: 'kept', uniqueId: before, reason: expect.stringContaining("couldn't index") },
			],
			failedPages: [3, 2, 1, 0].map((at) => `${DOCS}/${at}`),
		});
		// A page that the new crawl did not find may be missing.
		nowThere(...urls.slice(0, 6));
		await crawl({}, refresh);
		expect([websites().length, held()]).toEqual([1, [idThere()]]);
	});

	test('is not deleted either, if the new one is added to no agent', async () => {
		await there(apart);
		const before = idThere();
		nowThere({ url: '/' }, { url: '/help/1', fails: Infinity });
		const run = await crawl({ addToAgent: false }, refresh);
		const old = [
			{ action: 'kept', uniqueId: before, reason: expect.stringContaining("couldn't index") },
		];
		expect(run.output[0]?.json).toMatchObject({ action: 'refreshed', old });
		expect(websites()).toHaveLength(2);
	});

	test('stays with the agent if its pages all have the same text now, and the item says so', async () => {
		const urls = Array.from({ length: 5 }, (_, at) => `/${at}`);
		nowThere(...urls.map((url) => ({ url })));
		where(apart);
		await crawl();
		const before = idThere();
		nowThere(...urls.map((url) => ({ url, content: 'Just a moment...' })));
		const run = await crawl({}, refresh);
		const old = [{ action: 'kept', uniqueId: before, reason: expect.stringContaining('text') }];
		expect(run.output[0]?.json).toMatchObject({ pagesProcessed: 5, old });
		expect(held()).toEqual([before, idThere()]);
	});

	test('is continued, and not crawled again, if each page failed', async () => {
		where(apart);
		nowThere({ url: '/', fails: 2 });
		expectFailed(await crawl(), "couldn't index any page");
		service().clearLog();
		const run = await crawl({}, refresh);
		expect(changes()).toEqual(['add']);
		expect(run.output[0]?.json).toMatchObject({ action: 'continued', pagesProcessed: 1 });
	});

	test('a page that fails once is indexed by the retry', async () => {
		nowThere({ url: '/' }, { url: '/help/1', fails: 1 });
		const { output } = await crawl();
		expect(output[0]?.json).toMatchObject({ pagesProcessed: 2, pagesFailed: 0 });
	});

	test('stays with the agent if no page of the new one could be indexed', async () => {
		const before = await there(apart);
		nowThere({ url: '/', fails: Infinity });
		const run = await crawl({}, refresh);
		expect(changes()).toEqual(['crawl', 'processUrls']);
		expect(held()).toEqual([before]);
		const old = [{ action: 'kept', uniqueId: before }];
		expectFailed(run, /couldn't index any page.*Not removed from the agent: /, { old });
	});
});

test('a website without a wait for its pages is continued, not crawled again', async () => {
	where({ processMs: 5000 });
	const run = await crawl({ waitUntilIndexed: false });
	expect(run.output[0]?.json).toMatchObject({ success: true, pagesOpen: 4 });
	expect(said(run)).not.toContain('no text');
	service().clearLog();
	const then = await crawl({}, twice);
	expect(changes()).toEqual([]);
	expect(then.output.map(({ json }) => json.action)).toEqual(['continued', 'continued']);
});

test.each<[boolean, CrawlingOptions, string[]]>([
	[true, {}, ['crawl', 'processUrls']],
	[false, { indexesAtOnce: true, processMs: 0 }, ['crawl']],
])(
	'if no page could be indexed, nothing is added to the agent, with a wait (%s) or without',
	async (waitUntilIndexed, how, sent) => {
		where(how);
		expectFailed(await crawl({ url: BROKEN, waitUntilIndexed }), "couldn't index any page");
		expect(changes()).toEqual(sent);
	},
);

test('each item has its own page filter', async () => {
	const { output } = await crawl(
		{ pages: { include: '={{ $json.include }}' }, url: '={{ $json.url }}' },
		{
			items: [
				{ url: DOCS, include: '/help/' },
				{ url: BROKEN, include: '' },
			],
		},
	);
	expect(output[0]?.json).toMatchObject({ pagesProcessed: 1, pagesFailed: 1 });
	expect(errorOf({ output }, 1)).toMatchObject({ attempts: 0 });
});

test('a hint says that there may be more pages', async () => {
	const run = await crawl({ pages: { maxPages: 4 } });
	expect(run.output[0]?.json).toMatchObject({ success: true, pagesFound: 4 });
	expect(said(run)).toContain("increase 'Max Pages'");
});

test('a hint says that there is no text on its pages', async () => {
	nowThere({ url: '/', content: '' });
	const run = await crawl();
	expect(run.output[0]?.json.success).toBe(true);
	expect(said(run)).toMatch(/found no text.*'Website: Get Pages' shows/);
});

test('a hint says that no agent answers from it', async () => {
	const run = await crawl({ addToAgent: false });
	expect(said(run)).toContain('No agent uses the website');
	expect(run.output[0]?.json.success).toBe(true);
});

describe('Several executions', () => {
	const apart: CrawlingOptions = { secondScrape: 'second' };
	const of = (uid: string) => service().files(uid, 'website');
	const both = { items: [{ uid: 'support-bot' }, { uid: 'sales-assistant' }] };
	const forBoth = { uid: agent('={{ $json.uid }}') };
	const later = async () => await sleep(7 * 24 * 60 * 60_000);
	const ids = () => websites().map(({ uniqueId }) => uniqueId);

	test('Refresh for two agents in one execution leaves both with the new website only, and no old one in CometChat', async () => {
		where(apart);
		await crawl(forBoth, both);
		await later();
		const { output } = await crawl(forBoth, { ...both, ...refresh });
		expect(output.map(({ json }) => json.error)).toEqual([undefined, undefined]);
		expect(ids()).toHaveLength(1);
		expect([of('support-bot'), of('sales-assistant')]).toEqual([ids(), ids()]);
	});

	test('Skip adds the newest website, and leaves an older one with the agent, which the item names', async () => {
		await crawl(forBoth, both);
		where(apart);
		await later();
		await crawl({}, refresh);
		const [newId, oldId] = ids();
		expect([of('support-bot'), of('sales-assistant')]).toEqual([[newId], [oldId]]);
		for (const action of ['added', 'skipped']) {
			const { output } = await crawl({ uid: agent('sales-assistant') });
			const old = [{ name: `${DOCS}/`, action: 'kept', uniqueId: oldId }];
			expect(output[0]?.json).toMatchObject({ action, uniqueId: newId, old });
		}
		expect([of('sales-assistant'), ids()]).toEqual([
			[oldId, newId],
			[newId, oldId],
		]);
	});

	test.each([{}, refresh])(
		'two at once end well, and Refresh leaves one website: %j',
		async (rule) => {
			where({ ...apart, ms: 5000 });
			const runs = await Promise.all([
				crawl({}, rule),
				sleep(1000).then(async () => await crawl({}, rule)),
			]);
			expect(runs.map(({ output }) => output[0]?.json.success)).toEqual([true, true]);
			await later();
			await crawl({}, refresh);
			expect([ids().length, held()]).toEqual([1, ids()]);
		},
	);

	test('Skip adds the website of an execution that stopped halfway', async () => {
		service().script({ for: { operation: 'add' }, status: 400 });
		expectFailed(await crawl(), 'Not added to the agent');
		service().clearLog();
		const { output } = await crawl();
		expect(changes()).toEqual(['add']);
		expect(output[0]?.json).toMatchObject({ action: 'added' });
	});

	test('a listed website that CometChat no longer knows does not exist', async () => {
		await crawl({ addToAgent: false });
		where(apart);
		service().script({
			for: { operation: 'discoveredUrls' },
			...{ status: 404, code: 'ERR_KB_NOT_FOUND' },
		});
		const { output } = await crawl();
		expect(output[0]?.json).toMatchObject({ action: 'crawled', success: true });
	});

	test('if a refresh fails, the agent keeps its website, and the error names the new one', async () => {
		await crawl();
		const [before] = ids();
		where({ ...apart, processMs: 90_000 });
		await later();
		const run = await crawl({}, { ...refresh, options: { maxIndexingMinutes: 1 } });
		expectFailed(run, "didn't finish indexing", { uniqueId: ids()[0] });
		expectFailed(run, `(ID ${before})`);
		expect(held()).toEqual([before]);
		where({ processMs: 20 });
		await later();
		await crawl({}, refresh);
		expect([ids().length, held()]).toEqual([1, ids()]);
	});

	test('in a stopping execution, a crawled website is named or finished', async () => {
		where({ ...apart, processMs: 3000 });
		const items = [{ url: DOCS }, { url: 'https://nowhere.example.com' }];
		const { error } = await crawl({ url: '={{ $json.url }}' }, { items, onError: 'stopWorkflow' });
		expect(error?.description).toContain(`(ID ${idThere()})`);
		expect(held()).toEqual(ids());
	});

	test('another website or document with a similar name is not mistaken for it', async () => {
		sites[OTHER] = { pages: [{ url: '/' }] };
		await crawl({ url: OTHER });
		const { output } = await crawl();
		expect(output[0]?.json).toMatchObject({ action: 'crawled', success: true });
		expect(held()).toHaveLength(2);
	});

	test('a failed crawl replaces nothing, and leaves nothing', async () => {
		await crawl();
		const before = ids();
		where({ ...apart, breaksOff: true });
		await later();
		expectFailed(await crawl({}, refresh), /reports that the crawl of .* failed/);
		expect([ids(), held()]).toEqual([before, before]);
	});

	test('nor does it delete a website that existed before', async () => {
		await crawl();
		const before = ids();
		where({ breaksOff: true });
		await later();
		expectFailed(await crawl({}, refresh), /reports that the crawl of .* failed/, {
			uniqueId: before[0],
		});
		expect([ids(), held()]).toEqual([before, before]);
	});

	test.each([true, false])(
		'without an agent, an old website is deleted only if an agent is listed with a website: %s',
		async (isListed) => {
			sites[OTHER] = { pages: [{ url: '/' }] };
			await crawl({ url: OTHER });
			await crawl({ addToAgent: false });
			where(apart);
			await later();
			if (!isListed) for (const { uid } of service().agents()) agentListsOf[uid] = 'empty';
			const run = await crawl({ addToAgent: false }, refresh);
			const action = isListed ? 'deleted' : 'kept';
			expect(run.output[0]?.json).toMatchObject({ success: true, old: [{ action }] });
		},
	);

	test('a new website with indexed pages may be of another execution: it is named and not deleted', async () => {
		where({ breaksOff: true, indexesAtOnce: true });
		const run = await crawl();
		expectFailed(run, `ID ${idThere()}`, { effect: 'partly applied', uniqueId: idThere() });
		expect(changes()).toEqual(['crawl']);
	});

	test('its website is named if it cannot be deleted', async () => {
		where({ breaksOff: true });
		service().script({ for: { operation: 'deleteWebsite' }, status: 400 });
		const run = await crawl();
		expectFailed(run, `ID ${idThere()}`, { effect: 'partly applied', uniqueId: idThere() });
	});

	test('a website that was crawled in place with fewer pages: the item says so', async () => {
		await crawl();
		nowThere({ url: '/sorry' });
		await later();
		const run = await crawl({}, refresh);
		expect(run.output[0]?.json).toMatchObject({ action: 'refreshed', success: true });
		expect(said(run)).toContain('fewer pages are indexed than before: 1 instead of 3');
	});

	test('pages that CometChat refuses to index are no success', async () => {
		service().script({ for: { operation: 'processUrls' }, status: 400 });
		expectFailed(await crawl(), `ID ${'0'.repeat(7)}`, { effect: 'partly applied' });
		expect(changes()).toEqual(['crawl', 'processUrls']);
	});

	test('pages that CometChat indexes are waited for, also if its response is lost', async () => {
		service().script({ for: { operation: 'processUrls' }, drop: 'afterApplying' });
		const { output } = await crawl();
		expect(output[0]?.json).toMatchObject({ success: true, pagesProcessed: 3 });
		expect(changes()).toEqual(BROUGHT);
	});

	test('one page that CometChat does not finish does not hold up the others; the item says so', async () => {
		nowThere({ url: '/' }, { url: '/stuck', takesMs: Infinity });
		const run = await crawl({}, { options: { maxIndexingMinutes: 5 } });
		const expected = { success: true, pagesProcessed: 1, pagesOpen: 1 };
		expect(run.output[0]?.json).toMatchObject({ action: 'crawled', ...expected });
		expect(said(run)).toContain('still indexing some pages');
		expect(held()).toEqual(ids());
		await later();
		service().clearLog();
		const { output } = await crawl({}, twice);
		const skipped = { action: 'skipped', ...expected };
		expect(output.map(({ json }) => json)).toMatchObject([skipped, skipped]);
		expect(changes()).toEqual([]);
	});
});

describe('A request without a response for 20 seconds', () => {
	const busy = (operation: 'records' | 'discoveredUrls') => ({
		for: { operation },
		...{ status: 503, times: 8 },
	});

	test('is repeated: which list contains the new website', async () => {
		where({ ms: 1000 });
		const run = crawl();
		await sleep(500);
		service().script(busy('records'));
		expect((await run).output[0]?.json).toMatchObject({ action: 'crawled', pagesProcessed: 3 });
	});

	test('is repeated: the statuses of the pages', async () => {
		where({ processMs: 60_000 });
		const run = crawl();
		await sleep(2500);
		service().script(busy('discoveredUrls'));
		expect((await run).output[0]?.json).toMatchObject({ action: 'crawled', pagesProcessed: 3 });
	});
});

describe('A crawl whose end CometChat does not report', () => {
	const many = (count: number) => Array.from({ length: count }, (_, at) => ({ url: `/${at}` }));
	const looks = () =>
		service().log.filter(
			({ operation, kind }) => operation === 'discoveredUrls' && kind === 'arrived',
		);

	test('is waited for until no more pages are found for a minute', async () => {
		nowThere(...many(6));
		where({ answersEarly: true, ms: 6 * 55_000 });
		const startMs = Date.now();
		const { output } = await crawl();
		expect(output[0]?.json).toMatchObject({ success: true, pagesFound: 6 });
		const begun = service().log.find(({ operation }) => operation === 'processUrls');
		expect((begun?.atMs ?? Infinity) - startMs).toBeLessThan(8 * 60_000);
	});

	test('while a page is open, a check of a large website is one request', async () => {
		nowThere(...many(850));
		where({ processMs: 100_000 });
		await crawl({ pages: { maxPages: 1000 } });
		// The pages are read completely to find them, to start indexing, to check that, and at the end.
		expect(looks().length).toBeLessThan(4 * 9 + 20);
	});

	test('removes no old website: one with more pages stays, and the item says so', async () => {
		nowThere(...many(2));
		where({ secondScrape: 'second' });
		await crawl();
		const before = idThere();
		where({ answersEarly: true, ms: 4 * 60_000 });
		const run = await crawl({}, refresh);
		const reason = expect.stringContaining("didn't report that the crawl has ended");
		expect(run.output[0]?.json).toMatchObject({ old: [{ action: 'kept', reason }] });
		expect(held()).toEqual([before, idThere()]);
	});

	test('is finished in an execution that stops', async () => {
		nowThere(...many(10));
		where({ secondScrape: 'second' });
		await crawl();
		where({ answersEarly: true, ms: 8 * 60_000 });
		const items = [{ url: DOCS }, { url: 'https://nowhere.example.com' }];
		await crawl({ url: '={{ $json.url }}' }, { items, ...refresh, onError: 'stopWorkflow' });
		expect(websites().map(({ pages }) => pages.length)).toEqual([10]);
		expect(held()).toEqual([idThere()]);
	});

	test('is waited for no longer than Crawl Timeout, however many pages are found', async () => {
		nowThere(...many(300));
		where({ answersEarly: true, ms: 60 * 60_000 });
		const startMs = Date.now();
		await crawl({ pages: { maxPages: 2000 } }, { options: { maxCrawlMinutes: 3 } });
		const begun = service().log.find(({ operation }) => operation === 'processUrls');
		expect((begun?.atMs ?? Infinity) - startMs).toBeLessThan(4 * 60_000);
	});
});
