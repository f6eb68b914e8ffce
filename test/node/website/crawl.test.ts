import type { INodeParameters } from 'n8n-workflow';

import type { AgentLists } from '../../service/agents';
import type { Rule } from '../../service/service';
import type { CrawlingOptions, Site, Sites } from '../../service/websites';
import { freshService } from '../fixture';
import type { Run } from '../engine';
import { agent, arrivals, continuing, errorOf, runFiles } from '../operations';

const DOCS = 'https://docs.example.com';
const EMPTY = 'https://empty.example.com';
const BROKEN = 'https://broken.example.com';
const SITES: Sites = {
	[DOCS]: {
		pages: [{ url: '/' }, { url: '/help/1' }, { url: '/help/2', fails: 1 }, { url: '/blog/' }],
		sitemap: [`${DOCS}/`, `${DOCS}/help/1`, `${DOCS}/help/2`, `${DOCS}/blog/`],
	},
	[EMPTY]: { pages: [] },
	[BROKEN]: { pages: [{ url: '/', fails: Infinity }] },
};
/** Looked at with every answer. */
const sites: Sites = {};
const crawling: CrawlingOptions = {};
const agentListsOf: Record<string, AgentLists> = {};
const service = freshService({
	...{ sites, crawling, agentListsOf },
	records: [{ sourceName: 'a.txt' }],
});

beforeEach(() => {
	for (const how of [crawling, agentListsOf]) {
		for (const name of Object.keys(how)) Reflect.deleteProperty(how, name);
	}
	Object.assign(sites, SITES);
});
/** How CometChat crawls from now on. */
const where = (how: CrawlingOptions) => Object.assign(crawling, how);
/** What is out there from now on. */
const nowThere = (...pages: Site['pages']) => Object.assign(sites, { [DOCS]: { pages } });

const crawl = async (parameters: INodeParameters = {}, more: Parameters<typeof runFiles>[2] = {}) =>
	await runFiles(service(), 'website.crawl', {
		...continuing,
		...more,
		parameters: { url: DOCS, uid: agent('support-bot'), ...parameters },
	});
const refresh = { options: { ifSiteExists: 'refresh' } };
const twice = { items: [{}, {}] };
const websites = () => service().websites();
const held = () => service().files('support-bot', 'website');
const idThere = () => websites()[0]?.uniqueId;
const said = ({ hints }: Run) => hints.map(({ message }) => message).join();
/** Whatever changes something, in order. */
const changes = () =>
	arrivals(service())
		.map((line) => line.split(' ')[0] ?? '')
		.filter((name) => /^(?:crawl|processUrls|add|remove|deleteWebsite)$/.test(name));
const BROUGHT = ['crawl', 'processUrls', 'add'];

/** It failed, and says so in these words. */
const expectFailed = (run: Run, words: string | RegExp, more: object = {}) => {
	const { message, description } = Object(errorOf(run));
	expect(`${message} ${description}`).toMatch(words);
	expect(errorOf(run)).toMatchObject(more);
};

test('a website is found, indexed and then given to the agent; pages that can not be read are counted', async () => {
	const run = await crawl({ pages: { maxPages: 7, include: '/', exclude: '={{ ["/faq/"] }}' } });
	const sent = { maxDepth: 3, maxPages: 7, include: ['/'], exclude: ['/faq/'], fetchSitemap: true };
	const asked = service().log.find(({ operation }) => operation === 'crawl');
	expect(asked?.body).toEqual({ url: `${DOCS}/`, ...sent });
	expect(changes()).toEqual(BROUGHT);
	expect(held()).toEqual([idThere()]);
	expect(run.output.map(({ json }) => Object.entries(json))).toEqual([
		[
			['name', `${DOCS}/`],
			['action', 'crawled'],
			['success', true],
			['uniqueId', idThere()],
			['sourceType', 'website'],
			['uid', 'support-bot'],
			['pagesFound', 4],
			['pagesProcessed', 3],
			['pagesFailed', 1],
			['pagesSkipped', 0],
			['pagesOpen', 0],
			['failedPages', [`${DOCS}/help/2`]],
		],
	]);
	expect(said(run)).toContain('Website: Retry Pages');
});

test.each<[INodeParameters, string]>([
	[{ pages: { exclude: 'docs.' } }, "'No Addresses With' fits 'Address'"],
	[{ pages: { match: '={{ "" }}' } }, "'Index Only Addresses With' is empty"],
])('%j is refused before anything is sent', async (parameters, message) => {
	expectFailed(await crawl(parameters), message, { attempts: 0 });
	expect(service().log).toEqual([]);
});

test('an agent that does not exist is found out before the crawl', async () => {
	expectFailed(await crawl({ uid: agent('nobody') }), '', { status: 404, effect: 'not applied' });
	expect(changes()).toEqual([]);
});

describe('Index Only Addresses With', () => {
	const onlyHelp = { pages: { match: '/help/' } };

	test.each(['skipped', 'discovered'] as const)(
		'only those that match are indexed, where the others are %s then',
		async (excluded) => {
			where({ excluded });
			const { output } = await crawl(onlyHelp);
			const statuses = ['processed', 'failed'];
			expect(websites()[0]?.pages.map(({ status }) => status)).toEqual([
				...[excluded, ...statuses, excluded],
			]);
			expect(output[0]?.json).toMatchObject({ pagesProcessed: 1, pagesSkipped: 2, pagesOpen: 0 });
			const { output: second } = await crawl(onlyHelp);
			expect(second[0]?.json).toMatchObject({ action: 'skipped', pagesSkipped: 2 });
		},
	);

	test('if none matches, no page is indexed, and the item says which there are', async () => {
		const run = await crawl({ pages: { match: '/hlep/' } });
		expect(changes()).toEqual(['crawl']);
		expectFailed(run, /None of the 4 pages .* correct 'Index Only Addresses With' .*\/help\/1/, {
			effect: 'partly applied',
		});
	});
});

describe('A website is never crawled twice without looking', () => {
	test.each<[string, Rule]>([
		['the connection is lost', { drop: 'afterApplying' }],
		['the answer is another than documented', { body: '{}', apply: true }],
	])('if %s, the run goes on with the website that is there', async (_, rule) => {
		service().script({ for: { operation: 'crawl' }, times: Infinity, ...rule });
		const run = await crawl();
		expect(changes()).toEqual(BROUGHT);
		expect(run.output[0]?.json).toMatchObject({ action: 'crawled', pagesProcessed: 3 });
		expect(said(run)).toContain('did not say that the crawl');
	});

	test('if it is not there, the item says that nobody knows, and the next run looks first', async () => {
		service().script({ for: { operation: 'crawl' }, drop: 'beforeApplying' });
		expectFailed(await crawl(), 'looks first whether the website', { effect: 'unknown' });
		expect(changes()).toEqual(['crawl']);
		const { output } = await crawl();
		expect(output[0]?.json).toMatchObject({ action: 'crawled', success: true });
		expect(websites()).toHaveLength(1);
	});

	test('items with one address share a crawl', async () => {
		const items = [{ uid: 'support-bot' }, { uid: 'sales-assistant' }];
		const { output } = await crawl({ uid: agent('={{ $json.uid }}') }, { items, ...refresh });
		expect(changes()).toEqual([...BROUGHT, 'add']);
		expect(output[1]?.json).toMatchObject({
			action: 'added',
			reason: 'An item before this one had it crawled. The agent was given it.',
		});
		expect(service().files('sales-assistant', 'website')).toEqual([idThere()]);
	});

	test('nor if the first has found nothing, which the agent does not get', async () => {
		const run = await crawl({ url: EMPTY }, twice);
		expect(changes()).toEqual(['crawl']);
		expectFailed(run, /found no page at .* it is then crawled anew/);
		expect(errorOf(run, 1)).toMatchObject({ message: expect.stringContaining('found no page') });
	});
});

describe('The website that a crawl has made', () => {
	test.each<CrawlingOptions>([
		{ sourceName: 'withoutSlash' },
		{ recordType: 'web-pages' },
		{ listedAfterMs: 20_000 },
		{ answersEarly: true, ms: 60_000 },
	])('is found where CometChat crawls like this: %j', async (how) => {
		where(how);
		const { output } = await crawl();
		const told = { success: true, pagesFound: 4, uniqueId: idThere() };
		expect(output[0]?.json).toMatchObject(told);
	});

	test('is not guessed if it is never listed, and the words name what is new', async () => {
		where({ listedAfterMs: 600_000 });
		expectFailed(await crawl(), 'shows no new website with that', { effect: 'unknown' });
		expect(changes()).toEqual(['crawl']);
	});
});

describe('A website that is there', () => {
	const there = async (how: CrawlingOptions = {}) => {
		nowThere({ url: '/' }, { url: '/help/1' });
		where(how);
		await crawl();
		service().clearLog();
		return idThere();
	};
	const apart: CrawlingOptions = { secondScrape: 'second' };

	test('is kept, and nothing is sent; the item says when it was crawled, and what the agent had', async () => {
		const uniqueId = await there();
		const { output } = await crawl();
		expect(changes()).toEqual([]);
		const told = { action: 'skipped', success: true, pagesProcessed: 2 };
		expect(output[0]?.json).toMatchObject({ ...told, uniqueId });
		expect(output[0]?.json.reason).toMatch(
			/^Last crawled \d+ \w+ \d{4}, .* Refresh would read it anew\. The agent had it already\.$/,
		);
		const other = await crawl({ uid: agent('sales-assistant') });
		expect(changes()).toEqual(['add']);
		expect(other.output[0]?.json).toMatchObject({
			action: 'added',
			reason: expect.stringMatching(/Refresh would read it anew\. The agent was given it\.$/),
		});
		const alone = await crawl({ addToAgent: false });
		expect(alone.output[0]?.json.reason).toMatch(/read it anew\.$/);
	});

	test('is an error with Fail, which says as what it is there', async () => {
		const uniqueId = await there();
		const run = await crawl({}, { options: { ifSiteExists: 'fail' } });
		expect(changes()).toEqual([]);
		expectFailed(run, `has the website "${DOCS}/" already`, { effect: 'not applied' });
		expectFailed(run, uniqueId ?? 'no website');
	});

	test('is read anew in its place with Refresh, where CometChat does so', async () => {
		const uniqueId = await there();
		const { output } = await crawl({}, refresh);
		expect(changes()).toEqual(BROUGHT);
		expect(output[0]?.json).toMatchObject({ action: 'refreshed', uniqueId });
		expect(held()).toEqual([uniqueId]);
		expect(websites()).toMatchObject([{ scrapes: 2 }]);
	});

	test('gives its place to a second one with Refresh, listed late or not: that is with the agent before the old one goes', async () => {
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

	test('is not deleted where nobody knows which other agent has it', async () => {
		const oldId = await there(apart);
		agentListsOf['sales-assistant'] = 'websitesNull';
		const run = await crawl({}, refresh);
		expect(changes()).toEqual([...BROUGHT, 'remove']);
		const reason = expect.stringContaining('Not known whether another agent has');
		expect(run.output[0]?.json).toMatchObject({
			old: [{ action: 'removed', uniqueId: oldId, reason }],
		});
		expect(said(run)).toContain('is still in CometChat');
	});

	test('stays with the agent if the new crawl finds much less', async () => {
		nowThere(...Array.from({ length: 5 }, (_, at) => ({ url: `/${at}` })));
		where(apart);
		await crawl();
		const before = idThere();
		nowThere({ url: '/sorry' });
		const run = await crawl({}, refresh);
		expect(said(run)).toContain('the agent keeps the old website');
		expect(run.output[0]?.json).toMatchObject({ old: [{ action: 'kept', uniqueId: before }] });
		expect(held()).toEqual([before, idThere()]);
	});

	test('stays with the agent if not one page of the new one could be read', async () => {
		const before = await there(apart);
		nowThere({ url: '/', fails: Infinity });
		const run = await crawl({}, refresh);
		expect(changes()).toEqual(['crawl', 'processUrls']);
		expect(held()).toEqual([before]);
		const old = [{ action: 'kept', uniqueId: before }];
		expectFailed(run, /not able to index any page.* still has what they were to replace/, { old });
	});

	test('is an error if there are two, with both IDs, unless the agent has one of them', async () => {
		await there(apart);
		await crawl({ addToAgent: false }, refresh);
		service().clearLog();
		const run = await crawl({ uid: agent('sales-assistant') });
		expect(changes()).toEqual([]);
		for (const { uniqueId } of websites()) expectFailed(run, uniqueId);
		const { output } = await crawl();
		expect(output[0]?.json).toMatchObject({ action: 'skipped', uniqueId: held()[0] });
	});
});

describe('The next run goes on instead of beginning anew', () => {
	test('after one that did not wait, and items of one address after it do not crawl anew, either', async () => {
		where({ processMs: 5000 });
		const { output } = await crawl({ waitUntilIndexed: false });
		expect(output[0]?.json).toMatchObject({ success: true, pagesOpen: 4 });
		service().clearLog();
		const then = await crawl({}, { ...twice, ...refresh });
		expect(changes()).toEqual([]);
		expect(then.output.map(({ json }) => json.action)).toEqual(['continued', 'skipped']);
	});
});

test.each<[boolean, CrawlingOptions, string[]]>([
	[true, {}, ['crawl', 'processUrls']],
	[false, { indexesAtOnce: true, processMs: 0 }, ['crawl']],
])(
	'if not one page could be read, the agent gets nothing, whether somebody waits (%s) or not',
	async (waitUntilIndexed, how, sent) => {
		where(how);
		expectFailed(await crawl({ url: BROKEN, waitUntilIndexed }), 'index any page');
		expect(changes()).toEqual(sent);
	},
);

test('each item has its own Pages', async () => {
	const { output } = await crawl(
		{ pages: { match: '={{ $json.match }}' }, url: '={{ $json.url }}' },
		{
			items: [
				{ url: DOCS, match: '/help/' },
				{ url: BROKEN, match: '' },
			],
		},
	);
	expect(output[0]?.json).toMatchObject({ pagesProcessed: 1, pagesSkipped: 2 });
	expect(errorOf({ output }, 1)).toMatchObject({ attempts: 0 });
});

test.each<[string, INodeParameters, string]>([
	[
		'a part that no address has',
		{ pages: { include: '/help/\n/hlep/' } },
		'"/hlep/": check the spelling',
	],
	['no agent', { addToAgent: false }, 'No agent answers from the website'],
])('a hint says what may be unexpected: %s', async (_, parameters, words) => {
	const run = await crawl(parameters);
	expect(said(run)).toContain(words);
	expect(run.output[0]?.json.success).toBe(true);
});
