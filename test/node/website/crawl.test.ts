import type { INodeParameters } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import type { AgentLists } from '../../service/agents';
import type { Rule } from '../../service/service';
import type { CrawlingOptions, Site, Sites } from '../../service/websites';
import { freshService } from '../fixture';
import type { Run } from '../engine';
import { agent, arrivals, continuing, errorOf, runFiles } from '../operations';

const DOCS = 'https://docs.example.com';
const EMPTY = 'https://empty.example.com';
const BROKEN = 'https://broken.example.com';
const OTHER = 'https://other.example.com';
const SITES: Sites = {
	[DOCS]: {
		pages: [{ url: '/' }, { url: '/help/1' }, { url: '/help/2', fails: 1 }, { url: '/blog/' }],
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
	records: [
		{ sourceName: 'a.txt' },
		{ sourceName: `${DOCS}/`, uniqueId: 'file' },
		{ sourceName: `${DOCS}/`, type: 'text-details', uniqueId: 'text' },
	],
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

test('where items with one address differ in an option, they are refused, and nothing is crawled', async () => {
	const options = { maxCrawlMinutes: '={{ $json.minutes }}' };
	const items = [{ minutes: 1 }, { minutes: 60 }];
	expectFailed(
		await crawl({}, { items, options }),
		"Items 1–2 name the same website, and 'Max Crawl Time (Minutes)' differs",
		{ attempts: 0 },
	);
	expect(service().log).toEqual([]);
});

test('a website is found, indexed and then given to the agent; pages that can not be read are counted', async () => {
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
			['uniqueId', idThere()],
			['sourceType', 'website'],
			['uid', 'support-bot'],
			['reason', expect.stringMatching(/^1 of 4 pages .* could not be read/)],
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
		expectFailed(run, /None of the 4 pages .* Correct 'Index Only Addresses With'.*\/help\/1/, {
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
		expectFailed(await crawl(), 'it finds what is there', { effect: 'unknown' });
		expect(changes()).toEqual(['crawl']);
		const { output } = await crawl();
		expect(output[0]?.json).toMatchObject({ action: 'crawled', success: true });
		expect(websites()).toHaveLength(1);
	});

	test("its answer is waited for as long as Max Crawl Time says, and not as the node's Timeout", async () => {
		service().script({ for: { operation: 'crawl' }, latencyMs: 9 * 60_000 });
		const run = await crawl();
		expect(run.output[0]?.json).toMatchObject({ action: 'crawled', success: true });
		expect(said(run)).not.toContain('did not say that the crawl');
	});

	test('if it takes too long, the item says which option gives it more time', async () => {
		service().script({ for: { operation: 'crawl' }, status: 504 });
		expectFailed(await crawl(), "'Max Crawl Time (Minutes)'", { effect: 'unknown' });
	});

	test('items with one address share a crawl', async () => {
		const items = [{ uid: 'support-bot' }, { uid: 'sales-assistant' }];
		const { output } = await crawl({ uid: agent('={{ $json.uid }}') }, { items, ...refresh });
		expect(changes()).toEqual([...BROUGHT, 'add']);
		expect(output[1]?.json).toMatchObject({
			action: 'added',
			reason: expect.stringMatching(
				/^An item before this one has seen to it\. The agent was given it\./,
			),
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
		const reason = expect.stringMatching(/read it anew\.$/);
		expect(alone.output[0]?.json).toMatchObject({ action: 'skipped', reason });
	});

	test.each([{}, { addToAgent: false }])(
		'is an error with Fail, which says as what it is there, however new it is: %j',
		async (parameters) => {
			const uniqueId = await there();
			const run = await crawl(parameters, { options: { ifSiteExists: 'fail' } });
			expect(changes()).toEqual([]);
			expectFailed(run, `has the website "${DOCS}/" already`, { effect: 'not applied' });
			expectFailed(run, uniqueId ?? 'no website');
		},
	);

	test('is read anew in its place with Refresh, where CometChat does so', async () => {
		const uniqueId = await there();
		const { output } = await crawl({}, refresh);
		expect(changes()).toEqual(['crawl', 'processUrls']);
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
		// A large one takes a hundred requests to look at.
		const looks = arrivals(service()).filter((line) => line === `discoveredUrls ${oldId}`);
		expect(looks).toHaveLength(1);
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
		expect(said(run)).toContain('keeps it, too');
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
		expectFailed(run, /has not indexed any page.* still has the old version/, { old });
	});
});

describe('The next run goes on instead of beginning anew', () => {
	test('after one that did not wait, and items of one address after it do not crawl anew, either', async () => {
		where({ processMs: 5000 });
		const run = await crawl({ waitUntilIndexed: false });
		expect(run.output[0]?.json).toMatchObject({ success: true, pagesOpen: 4 });
		expect(said(run)).not.toContain('no text');
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
		expectFailed(await crawl({ url: BROKEN, waitUntilIndexed }), 'has not indexed any page');
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

test.each([true, false])(
	'a hint says that there may be more pages, whether somebody waits (%s) or not',
	async (waitUntilIndexed) => {
		where({ processMs: 5000 });
		const run = await crawl({ pages: { maxPages: 4 }, waitUntilIndexed });
		expect(run.output[0]?.json).toMatchObject({ success: true, pagesFound: 4 });
		expect(said(run)).toContain("as many as 'Max Pages' allows");
	},
);

test('a hint says that there is no text on its pages', async () => {
	nowThere({ url: '/', content: '' });
	const run = await crawl();
	expect(run.output[0]?.json.success).toBe(true);
	expect(said(run)).toMatch(/found no text.*Website: Get Pages shows.*Document: Upload/);
});

test('a hint says that no agent answers from it', async () => {
	const run = await crawl({ addToAgent: false });
	expect(said(run)).toContain('No agent answers from the website');
	expect(run.output[0]?.json.success).toBe(true);
});

describe('What is wanted is compared with what is there', () => {
	const apart: CrawlingOptions = { secondScrape: 'second' };
	const of = (uid: string) => service().files(uid, 'website');
	const both = { items: [{ uid: 'support-bot' }, { uid: 'sales-assistant' }] };
	const forBoth = { uid: agent('={{ $json.uid }}') };
	const later = async () => await sleep(7 * 24 * 60 * 60_000);
	const ids = () => websites().map(({ uniqueId }) => uniqueId);
	/** A second website of the address, as another execution leaves it, and whatever it is with. */
	const another = async (parameters: INodeParameters = { addToAgent: false }) => {
		where(apart);
		await later();
		await crawl(parameters, refresh);
		service().clearLog();
	};

	test('Refresh for two agents in one run gives both the new one alone, and none is left over', async () => {
		where(apart);
		await crawl(forBoth, both);
		await later();
		const { output } = await crawl(forBoth, { ...both, ...refresh });
		expect(output.map(({ json }) => json.error)).toEqual([undefined, undefined]);
		expect(ids()).toHaveLength(1);
		expect([of('support-bot'), of('sales-assistant')]).toEqual([ids(), ids()]);
	});

	test('of two websites the newest whole one wins, the other is deleted by Refresh alone, and then nothing is sent', async () => {
		await crawl(forBoth, both);
		await another({});
		const [newId, oldId] = ids();
		expect([of('support-bot'), of('sales-assistant')]).toEqual([[newId], [oldId]]);
		const { output } = await crawl({ uid: agent('sales-assistant') });
		const old = [{ name: `${DOCS}/`, action: 'removed', uniqueId: oldId }];
		expect(output[0]?.json).toMatchObject({ action: 'added', uniqueId: newId, old });
		expect([of('sales-assistant'), ids()]).toEqual([[newId], [newId, oldId]]);
		service().clearLog();
		await crawl({ uid: agent('sales-assistant') });
		expect(changes()).toEqual([]);
	});

	test('two executions at once that crawl a new address come to one website in the end', async () => {
		where({ ...apart, ms: 5000 });
		await Promise.all([crawl(), sleep(1000).then(async () => await crawl())]);
		const { output } = await crawl();
		expect(output[0]?.json).toMatchObject({ success: true });
		expect([ids().length, held()]).toEqual([1, ids()]);
	});

	test('two executions at once: the slower one is left alone, ends well, and gives way to the newer', async () => {
		where({ ...apart, ms: 5000 });
		nowThere({ url: '/', takesMs: 60_000 });
		const first = crawl();
		await sleep(1000);
		nowThere({ url: '/' });
		const second = crawl();
		const runs = await Promise.all([first, second]);
		expect(runs.map(({ output }) => output[0]?.json.success)).toEqual([true, true]);
		expect(runs[1].output[0]?.json).toMatchObject({ old: [{ action: 'kept' }] });
		expect(runs[0].output[0]?.json).toMatchObject({ old: [{ action: 'deleted' }] });
		expect([ids().length, held()]).toEqual([1, ids()]);
	});

	test('two executions at once that refresh: that one has deleted the old one is no matter to the other', async () => {
		await crawl();
		await later();
		where({ ...apart, ms: 5000 });
		const first = crawl({}, refresh);
		await sleep(1000);
		const runs = await Promise.all([first, crawl({}, refresh)]);
		expect(runs.map(({ output }) => output[0]?.json.success)).toEqual([true, true]);
		await crawl();
		expect([ids().length, held()]).toEqual([1, ids()]);
	});

	test.each(['refresh', 'fail'])(
		'what a run has left that broke off before the agent had it is not crawled again, with %s either',
		async (ifSiteExists) => {
			service().script({ for: { operation: 'add' }, status: 400 });
			expectFailed(await crawl(), 'Not added to the agent');
			service().clearLog();
			const { output } = await crawl({}, { options: { ifSiteExists } });
			expect(changes()).toEqual(['add']);
			expect(output[0]?.json).toMatchObject({
				action: 'added',
				reason: expect.stringContaining('a run which broke off may have left it'),
			});
		},
	);

	test('what one item is given is not crawled again for another that has it', async () => {
		service().script({ for: { operation: 'add' }, status: 400 });
		await crawl(forBoth, both);
		service().clearLog();
		const { output } = await crawl(forBoth, { ...both, ...refresh });
		expect(output.map(({ json }) => json.action)).toEqual(['added', 'skipped']);
		expect(changes()).toEqual(['add']);
	});

	test('two items of one address and agent: the second does not look for the one that is gone', async () => {
		await crawl();
		where(apart);
		await later();
		const { output } = await crawl({}, { ...twice, ...refresh });
		expect(output.map(({ json }) => json.action)).toEqual(['refreshed', 'skipped']);
		expect([ids().length, held()]).toEqual([1, ids()]);
	});

	test('one that is listed, and that CometChat does not know any more, is not there', async () => {
		await crawl({ addToAgent: false });
		service().script({
			for: { operation: 'discoveredUrls' },
			...{ status: 404, code: 'ERR_KB_NOT_FOUND' },
		});
		const { output } = await crawl();
		expect(output[0]?.json).toMatchObject({ action: 'crawled', success: true });
	});

	test('while a refresh fails week after week, the agent has what the week before has come to', async () => {
		where({ ...apart, processMs: 90_000 });
		const slow = { options: { ifSiteExists: 'refresh', maxIndexingMinutes: 1 } };
		for (let week = 0; week < 3; week++) {
			const [last] = ids();
			const has = last === undefined ? '' : `The agent still has the old version (ID ${last})`;
			const run = await crawl({}, slow);
			expectFailed(run, 'did not finish indexing');
			expectFailed(run, has);
			expect(held()).toEqual(last === undefined ? [] : [last]);
			expect(ids().length).toBeLessThanOrEqual(2);
			await later();
		}
		where({ processMs: 20 });
		await crawl({}, refresh);
		expect([ids().length, held()]).toEqual([1, ids()]);
	});

	test('Refresh without an agent leaves the new one alone, and goes on like that', async () => {
		await crawl();
		await crawl({ url: BROKEN, addToAgent: false });
		sites[OTHER] = { pages: [{ url: '/' }] };
		for (let week = 0; week < 3; week++) {
			await another({ url: OTHER, addToAgent: false });
			expect(websites().filter(({ url }) => url === `${OTHER}/`)).toHaveLength(1);
		}
	});

	test('one that is left by a run that broke off is named, and the next run goes on with it', async () => {
		await crawl();
		where({ ...apart, processMs: 3000 });
		await later();
		const items = [{ url: DOCS }, { url: 'https://nowhere.example.com' }];
		const { error } = await crawl(
			{ url: '={{ $json.url }}' },
			{ items, onError: 'stopWorkflow', ...refresh },
		);
		const [left] = ids();
		expect(ids()).toHaveLength(2);
		expect(`${error?.message} ${error?.description}`).toContain(`ID ${left}`);
		service().clearLog();
		const { output } = await crawl({}, refresh);
		expect(output[0]?.json).toMatchObject({ action: 'continued', uniqueId: left, success: true });
		expect(changes()).not.toContain('crawl');
		expect([ids(), held()]).toEqual([[left], [left]]);
	});

	test('one that was read anew in its place, and not to its end, is gone on with', async () => {
		await crawl();
		await later();
		service().script({ for: { operation: 'processUrls' }, status: 400 });
		expectFailed(await crawl({}, refresh), '', { effect: 'partly applied' });
		service().clearLog();
		const { output } = await crawl({}, refresh);
		expect(output[0]?.json).toMatchObject({ action: 'continued', success: true });
		expect(changes()).toEqual(['processUrls']);
	});

	test('one that is read too slowly is gone on with', async () => {
		await crawl();
		where({ ...apart, processMs: 90_000 });
		await later();
		const slow = { options: { ifSiteExists: 'refresh', maxIndexingMinutes: 1 } };
		expectFailed(await crawl({}, slow), 'did not finish indexing', { uniqueId: ids()[0] });
		service().clearLog();
		const { output } = await crawl({}, slow);
		expect(output[0]?.json).toMatchObject({ action: 'continued', success: true });
		expect(changes()).toEqual(['add', 'remove', 'deleteWebsite']);
		expect([ids().length, held()]).toEqual([1, ids()]);
	});

	test.each([
		[120_000, 'refreshed'],
		[600_000, 'kept'],
	])(
		'one that is listed only after %d ms leaves no second one, and the old one is %s',
		async (listedAfterMs, told) => {
			await crawl();
			where({ ...apart, listedAfterMs });
			for (let week = 0; week < 3; week++) {
				await later();
				const [before] = ids();
				const run = await crawl({}, refresh);
				expect(ids().length).toBeLessThanOrEqual(2);
				if (told === 'refreshed') expect(held()).not.toContain(before);
				else if (week === 0) expect(said(run)).toContain('neither its pages nor its list');
			}
		},
	);

	test('a website that the agent has of another address is not taken for it, nor a file or text that is called like it', async () => {
		sites[OTHER] = { pages: [{ url: '/' }] };
		await crawl({ url: OTHER });
		const { output } = await crawl();
		expect(output[0]?.json).toMatchObject({ action: 'crawled', success: true });
		expect(held()).toHaveLength(2);
	});

	test('a crawl that CometChat calls failed replaces nothing, and leaves nothing', async () => {
		await crawl();
		const before = ids();
		where({ ...apart, breaksOff: true });
		await later();
		expectFailed(await crawl({}, refresh), /says that the crawl of .* failed/);
		expect([ids(), held()]).toEqual([before, before]);
	});

	test('what it leaves since nobody knows who has it is named, with what to do', async () => {
		where({ breaksOff: true });
		agentListsOf['sales-assistant'] = 'websitesNull';
		const run = await crawl();
		expectFailed(run, /ID .* delete that with Document: Delete/, { effect: 'partly applied' });
		expectFailed(run, ids()[0] ?? 'none');
	});

	/** A whole website, and a newer one of which no page was read, long ago. @returns The ID of that one. */
	const withUseless = async () => {
		await crawl();
		nowThere({ url: '/', fails: Infinity });
		where(apart);
		await later();
		await crawl({}, refresh);
		await later();
		return ids()[0];
	};

	test('what was deleted before a crawl that fails is said', async () => {
		const useless = await withUseless();
		where({ ...apart, breaksOff: true });
		expectFailed(await crawl({}, refresh), `ID ${useless}`, { effect: 'partly applied' });
		expect(ids()).toHaveLength(1);
	});

	test('one that was deleted before the crawl, and that a late list still shows, is not taken for what it made', async () => {
		const useless = await withUseless();
		nowThere({ url: '/' }, { url: '/help/1' });
		where({ listedAfterMs: 1500 });
		let shown: unknown[] = [];
		const late = (body: unknown) => {
			const { data, ...rest } = Object(body);
			const isUseless = (one: unknown) => Object(one).uniqueId === useless;
			if (data.some(isUseless)) shown = data.filter(isUseless);
			return { ...rest, data: [...shown, ...data.filter((one: unknown) => !isUseless(one))] };
		};
		service().script({ for: { operation: 'records' }, times: Infinity, transform: late });
		const { output } = await crawl({}, refresh);
		expect(output[0]?.json).toMatchObject({ action: 'refreshed', success: true });
		expect([ids().length, held()]).toEqual([1, ids()]);
	});

	test('nor is one that has failed in its place called refreshed; what it has found is read all the same', async () => {
		await crawl();
		where({ breaksOff: true, processMs: 5000 });
		await later();
		const run = await crawl({ waitUntilIndexed: false }, refresh);
		expectFailed(run, /says that the crawl of .* failed/);
		expect(websites()[0]?.pages.map(({ status }) => status)).not.toContain('discovered');
		expect(websites()[0]?.pages.map(({ status }) => status)).toContain('processed');
	});

	test('a site that comes back much smaller in its place is not passed over', async () => {
		await crawl();
		nowThere({ url: '/sorry' });
		await later();
		const run = await crawl({}, refresh);
		expect(run.output[0]?.json).toMatchObject({ action: 'refreshed', success: true });
		expect(said(run)).toMatch(/1 page.*3 before/);
	});

	test('pages that CometChat does not take up are no success', async () => {
		const none = { urlsProcessed: 0, totalUrls: 4, status: 'processing' };
		service().script({
			for: { operation: 'processUrls' },
			body: JSON.stringify({ success: true, data: none }),
		});
		expectFailed(await crawl(), 'none of the 4 pages');
		expect(changes()).toEqual(['crawl', 'processUrls']);
	});

	test('pages that CometChat has taken up are waited for, also if its answer is lost', async () => {
		service().script({ for: { operation: 'processUrls' }, drop: 'afterApplying' });
		const { output } = await crawl();
		expect(output[0]?.json).toMatchObject({ success: true, pagesProcessed: 3 });
		expect(changes()).toEqual(BROUGHT);
	});

	test('one page that CometChat does not come to an end with does not hold up the others; the item names it', async () => {
		nowThere({ url: '/' }, { url: '/stuck', takesMs: Infinity });
		const run = await crawl({}, { options: { maxIndexingMinutes: 5 } });
		const told = { success: true, pagesProcessed: 1, pagesOpen: 1 };
		expect(run.output[0]?.json).toMatchObject({ action: 'crawled', ...told });
		expect(said(run)).toContain(`${DOCS}/stuck`);
		expect(held()).toEqual(ids());
		await later();
		service().clearLog();
		const { output } = await crawl({}, twice);
		const skipped = { action: 'skipped', ...told };
		expect(output.map(({ json }) => json)).toMatchObject([skipped, skipped]);
		expect(changes()).toEqual([]);
	});

	test('what could not be taken from the agent is taken by the next run: the words say so', async () => {
		await crawl();
		await another({ addToAgent: false });
		service().script({ for: { operation: 'remove' }, status: 400 });
		const run = await crawl();
		expectFailed(run, /still has the old version .* run the item again/);
		expect(JSON.stringify(run.output)).not.toContain('Remove Files');
		await crawl();
		expect([ids().length, held()]).toEqual([2, ids().slice(0, 1)]);
	});
});

describe('In an account without files', () => {
	const bare = freshService({
		sites: { [DOCS]: { pages: [{ url: '/' }] } },
		crawling: { secondScrape: 'second' },
		agentListsOf,
	});
	const refreshed = async () => {
		const parameters = { url: DOCS, uid: agent('support-bot') };
		await runFiles(bare(), 'website.crawl', { ...continuing, parameters });
		await sleep(7 * 24 * 60 * 60_000);
		return await runFiles(bare(), 'website.crawl', { ...continuing, ...refresh, parameters });
	};

	test('Refresh leaves no old website', async () => {
		const { output } = await refreshed();
		expect(output[0]?.json).toMatchObject({ action: 'refreshed', old: [{ action: 'deleted' }] });
		const [left, ...more] = bare().websites();
		expect([bare().files('support-bot', 'website'), more]).toEqual([[left?.uniqueId], []]);
	});

	test('it leaves the agent all the same, and is not deleted, where agents list addresses, which do not tell who has it; the item says so', async () => {
		for (const { uid } of bare().agents()) agentListsOf[uid] = 'addresses';
		const run = await refreshed();
		expect(run.output[0]?.json).toMatchObject({ success: true });
		const [newest, ...older] = bare().websites();
		expect([bare().files('support-bot', 'website'), older.length]).toEqual([[newest?.uniqueId], 1]);
		expect(said(run)).toContain('is still in CometChat');
	});
});

describe('The choice of pages', () => {
	const only = (match: string, more: INodeParameters = {}) => ({ pages: { match }, ...more });

	test('that has changed is made good where CometChat still reads the pages, and the item says so', async () => {
		where({ excluded: 'discovered' });
		await crawl(only('/help/'));
		const run = await crawl(only('/blog/'));
		expect(run.output[0]?.json).toMatchObject({ action: 'continued', pagesProcessed: 2 });
		expect(said(run)).toContain(`${DOCS}/help/1`);
		const all = await crawl();
		expect(all.output[0]?.json).toMatchObject({ action: 'continued', pagesProcessed: 3 });
		expect(said(all)).toMatch(/left out.*are read now/);
	});

	test('that has changed is crawled anew where CometChat reads none of them any more', async () => {
		await crawl(only('/help/'));
		const { output } = await crawl(only('/blog/'));
		expect(output[0]?.json).toMatchObject({ action: 'crawled', pagesProcessed: 1 });
	});

	test('of before holds where only some are left out, and the item says so', async () => {
		await crawl(only('/help/'));
		service().clearLog();
		const run = await crawl();
		expect(changes()).toEqual([]);
		expect(run.output[0]?.json.reason).toMatch(/2 pages .* left out .* Refresh/);
	});

	test('of two items with one address is the first one, and the second says so', async () => {
		const items = [{ match: '/help/' }, { match: '/blog/' }];
		const run = await crawl(only('={{ $json.match }}'), { items });
		expect(run.output[0]?.json).toMatchObject({ action: 'crawled', success: true });
		expectFailed(
			{ ...run, output: run.output.slice(1) },
			/earlier choice of pages.* that choice holds/,
		);
		expect(changes()).toEqual(BROUGHT);
	});
});

describe('A crawl that CometChat does not say has ended', () => {
	const many = (count: number) => Array.from({ length: count }, (_, at) => ({ url: `/${at}` }));
	const looks = () =>
		service().log.filter(
			({ operation, kind }) => operation === 'discoveredUrls' && kind === 'arrived',
		);

	test('is waited for until no more pages have come for a minute', async () => {
		nowThere(...many(6));
		where({ answersEarly: true, ms: 6 * 55_000 });
		const startMs = Date.now();
		const { output } = await crawl();
		expect(output[0]?.json).toMatchObject({ success: true, pagesFound: 6 });
		const begun = service().log.find(({ operation }) => operation === 'processUrls');
		expect((begun?.atMs ?? Infinity) - startMs).toBeLessThan(8 * 60_000);
	});

	test('is looked at seldom enough where the site is large, and so is the reading of its pages', async () => {
		nowThere(...many(850));
		where({ answersEarly: true, ms: 60_000, processMs: 100_000 });
		await crawl({ pages: { maxPages: 1000 } });
		const firsts = looks().filter(({ path }) => !path.includes('cursor'));
		const gaps = firsts.slice(1).map(({ atMs }, at) => atMs - (firsts[at]?.atMs ?? 0));
		expect(gaps.length).toBeGreaterThan(8);
		// Looks without a pause before them are those that decide what comes next.
		expect(gaps.filter((gapMs) => gapMs > 1000 && gapMs < 10_000)).toEqual([]);
	});

	test('is waited for no longer than Max Crawl Time, however many come', async () => {
		nowThere(...many(300));
		where({ answersEarly: true, ms: 60 * 60_000 });
		const startMs = Date.now();
		await crawl({ pages: { maxPages: 2000 } }, { options: { maxCrawlMinutes: 3 } });
		const begun = service().log.find(({ operation }) => operation === 'processUrls');
		expect((begun?.atMs ?? Infinity) - startMs).toBeLessThan(4 * 60_000);
	});
});
