import type { INodeParameters } from 'n8n-workflow';

import type { Rule } from '../../service/service';
import type { Site, Sites } from '../../service/sites';
import type { CrawlingOptions } from '../../service/websites';
import { add, freshService } from '../fixture';
import { agent, arrivals, continuing, errorOf, runFiles } from '../operations';

const DOCS = 'https://docs.example.com';
const SITES: Sites = {
	[DOCS]: {
		pages: [{ url: '/' }, { url: '/help/1' }, { url: '/help/2', fails: 1 }, { url: '/blog/' }],
		sitemap: [`${DOCS}/`, `${DOCS}/help/1`, `${DOCS}/help/2`, `${DOCS}/blog/`],
	},
	'https://empty.example.com': { pages: [] },
	'https://broken.example.com': { pages: [{ url: '/', fails: Infinity }] },
};
/** Looked at with every answer. */
const sites: Sites = {};
const crawling: CrawlingOptions = {};
/** An agent with a file proves that CometChat's lists of documents are filled. */
const PROOF = { uniqueId: 'aaaaaaaa-0000-4000-8000-000000000001', sourceName: 'a.txt' };
const service = freshService({ sites, crawling, records: [PROOF] });

beforeEach(() => {
	for (const name of Object.keys(crawling)) Reflect.deleteProperty(crawling, name);
	Object.assign(sites, SITES);
});
/** What is out there from now on. */
const nowThere = (...pages: Site['pages']) => Object.assign(sites, { [DOCS]: { pages } });

const crawl = async (parameters: INodeParameters = {}, more: Parameters<typeof runFiles>[2] = {}) =>
	await runFiles(service(), 'website.crawl', {
		...continuing,
		...more,
		parameters: { url: DOCS, uid: agent('support-bot'), ...parameters },
	});
const again = { options: { ifSiteExists: 'refresh' } };
const websites = () => service().websites();
const held = () => service().files('support-bot', 'website');
/** Whatever changes something, in order. */
const changes = () =>
	arrivals(service())
		.map((line) => line.split(' ')[0])
		.filter((name) =>
			['crawl', 'processUrls', 'add', 'remove', 'deleteWebsite'].includes(name ?? ''),
		);
const idThere = () => websites()[0]?.uniqueId;

test('a website is found, indexed and then given to the agent; pages that can not be read are counted', async () => {
	const { output, hints } = await crawl();
	expect(changes()).toEqual(['crawl', 'processUrls', 'add']);
	expect(held()).toEqual([idThere()]);
	expect(output.map(({ json }) => Object.entries(json))).toEqual([
		[
			['url', `${DOCS}/`],
			['action', 'crawled'],
			['addedToAgent', true],
			['success', true],
			['pagesFound', 4],
			['pagesProcessed', 3],
			['pagesFailed', 1],
			['pagesSkipped', 0],
			['pagesOpen', 0],
			['uniqueId', idThere()],
			['uid', 'support-bot'],
		],
	]);
	expect(hints.map(({ message }) => message).join()).toContain('Website: Retry Pages');
});

test('what it asks for is what was filled in', async () => {
	await crawl({ maxDepth: 2, maxPages: 7, include: '/help/\n/faq/', exclude: '={{ ["/blog/"] }}' });
	const sent = service().log.find(({ operation }) => operation === 'crawl');
	expect(sent?.body).toEqual({
		url: `${DOCS}/`,
		maxDepth: 2,
		maxPages: 7,
		include: ['/help/', '/faq/'],
		exclude: ['/blog/'],
		fetchSitemap: true,
	});
});

describe('Pages to Index', () => {
	const onlyHelp = { pagesToIndex: 'matching', match: '/help/' };
	const statuses = () => websites()[0]?.pages.map(({ url, status }) => `${url} ${status}`);

	test.each(['skipped', 'discovered'] as const)(
		'only those that match are indexed, where the others are %s then',
		async (excluded) => {
			Object.assign(crawling, { excluded });
			const { output } = await crawl(onlyHelp);
			expect(statuses()).toEqual([
				`${DOCS}/ ${excluded}`,
				`${DOCS}/help/1 processed`,
				`${DOCS}/help/2 failed`,
				`${DOCS}/blog/ ${excluded}`,
			]);
			expect(output[0]?.json).toMatchObject({ pagesProcessed: 1, pagesSkipped: 2, pagesOpen: 0 });
			const { output: second } = await crawl(onlyHelp);
			expect(second[0]?.json).toMatchObject({ action: 'unchanged', pagesSkipped: 2 });
		},
	);

	test('if none matches, no page is indexed, and the item says which there are', async () => {
		const run = await crawl({ pagesToIndex: 'matching', match: '/hlep/' });
		expect(changes()).toEqual(['crawl']);
		expect(errorOf(run)).toMatchObject({
			message: expect.stringContaining('None of the 4 pages that CometChat found matches'),
			description: expect.stringMatching(
				/correct 'Addresses With' and run the item again: .*\/help\/1/,
			),
			effect: 'partly applied',
		});
	});

	test('pages that do not match do not make up for those that do and can not be read', async () => {
		nowThere({ url: '/' }, { url: '/help/1', fails: Infinity });
		Object.assign(crawling, { indexesAtOnce: true });
		const run = await crawl(onlyHelp);
		expect(changes()).toEqual(['crawl']);
		expect(errorOf(run)).toMatchObject({
			message: expect.stringContaining(
				'index any page of "https://docs.example.com/" that matches',
			),
		});
	});

	test('pages that CometChat indexes by itself although they do not match are warned of', async () => {
		Object.assign(crawling, { indexesAtOnce: true, processMs: 0 });
		const { hints } = await crawl(onlyHelp);
		expect(changes()).toEqual(['crawl', 'add']);
		expect(hints.map(({ message }) => message).join()).toContain(`"${DOCS}/blog/"`);
	});
});

test.each<[string, INodeParameters, string]>([
	['no address', { url: '={{ "" }}' }, "'Address' is empty"],
	['an address of the own network', { url: 'http://10.0.0.1/' }, "'Address' leads to"],
	['too many pages', { maxPages: '={{ 10001 }}' }, "'Max Pages' is not a whole number from 1 to"],
	['half a link', { maxDepth: '={{ 1.5 }}' }, "'Max Depth' is not a whole number from 1 to 10"],
	['a wildcard', { include: '/help/*' }, "'Only Addresses With' holds"],
	['parts that are no text', { exclude: '={{ [1] }}' }, "'No Addresses With' holds"],
	['the start among what is left out', { exclude: 'docs.' }, "'No Addresses With' fits 'Address'"],
	[
		'matching nothing',
		{ pagesToIndex: 'matching', match: '={{ "" }}' },
		"'Addresses With' is empty",
	],
	['no agent where one is wanted', { uid: agent('={{ "" }}') }, "'Agent' is empty"],
])('%s is refused before anything is sent', async (_, parameters, message) => {
	const run = await crawl(parameters);
	expect(service().log).toEqual([]);
	expect(errorOf(run)).toMatchObject({ message: expect.stringContaining(message), attempts: 0 });
});

test('an agent that does not exist is found out before the crawl', async () => {
	const run = await crawl({ uid: agent('nobody') });
	expect(changes()).toEqual([]);
	expect(errorOf(run)).toMatchObject({
		message: expect.stringContaining('CometChat does not know this agent'),
		effect: 'not applied',
	});
});

describe('A website is never crawled twice without looking', () => {
	const lost: Array<[string, Rule]> = [
		['the connection is lost', { drop: 'afterApplying' }],
		['the answer is another than documented', { body: '{}', apply: true }],
	];
	test.each(lost)('if %s, the run goes on with the website that is there', async (_, rule) => {
		service().script({ for: { operation: 'crawl' }, times: Infinity, ...rule });
		const { output, hints } = await crawl();
		expect(changes()).toEqual(['crawl', 'processUrls', 'add']);
		expect(output[0]?.json).toMatchObject({ action: 'crawled', pagesProcessed: 3 });
		expect(hints.map(({ message }) => message).join()).toContain('did not say that the crawl');
	});

	test('if it is not there, the item says that nobody knows, and the next run looks first', async () => {
		service().script({ for: { operation: 'crawl' }, drop: 'beforeApplying' });
		const run = await crawl();
		expect(changes()).toEqual(['crawl']);
		expect(errorOf(run)).toMatchObject({
			effect: 'unknown',
			description: expect.stringContaining('it looks first whether the website is there'),
		});
		const { output } = await crawl();
		expect(output[0]?.json).toMatchObject({ action: 'crawled', success: true });
		expect(websites()).toHaveLength(1);
	});

	test('a site that takes too long has a limit of its own', async () => {
		Object.assign(crawling, { ms: 90_000, listedAfterMs: 600_000 });
		const run = await crawl({}, { options: { maxCrawlMinutes: 1 } });
		expect(errorOf(run)).toMatchObject({
			effect: 'unknown',
			description: expect.stringContaining("'Max Crawl Time (Minutes)' under Options"),
		});
	});

	test('a rate limit is no reason to give up: what was refused is sent again', async () => {
		service().script({ for: { operation: 'crawl' }, status: 429 });
		const { output } = await crawl();
		expect(changes().slice(0, 2)).toEqual(['crawl', 'crawl']);
		expect(output[0]?.json.success).toBe(true);
	});

	test('items with one address share a crawl', async () => {
		const items = [{ uid: 'support-bot' }, { uid: 'sales-assistant' }];
		const uid = agent('={{ $json.uid }}');
		const { output } = await crawl({ uid, waitUntilIndexed: true }, { items, ...again });
		expect(changes()).toEqual(['crawl', 'processUrls', 'add', 'add']);
		expect(output.map(({ json }) => json.action)).toEqual(['crawled', 'unchanged']);
		expect(service().files('sales-assistant', 'website')).toEqual([idThere()]);
	});

	test('nor do they send a second one if nobody knows what became of the first', async () => {
		const list = { for: { operation: 'records' as const } };
		service().script(list, { ...list, times: Infinity, status: 400 });
		const run = await crawl({}, { items: [{}, {}] });
		expect(changes()).toEqual(['crawl']);
		expect([errorOf(run), errorOf(run, 1)]).toMatchObject([
			{ effect: 'unknown' },
			{ effect: 'not applied', message: expect.stringContaining('An item before this one had') },
		]);
	});

	test('nor if the first has found nothing', async () => {
		const run = await crawl({ url: 'https://empty.example.com' }, { items: [{}, {}] });
		expect(changes()).toEqual(['crawl']);
		for (const index of [0, 1]) {
			expect(errorOf(run, index)).toMatchObject({
				message: expect.stringContaining('found no page at'),
				description: expect.stringContaining('it is then crawled anew'),
			});
		}
	});

	test('two new websites of the address are no reason to say that nothing was crawled', async () => {
		const list = { for: { operation: 'records' as const } };
		service().script(list, { ...list, times: Infinity, transform: withTwins });
		expect(errorOf(await crawl())).toMatchObject({
			message: expect.stringContaining('has 2 websites with the address'),
			effect: 'unknown',
		});
		expect(changes()).toEqual(['crawl']);
	});
});

/** Each website twice. */
function withTwins(body: unknown) {
	const { data, ...rest } = Object(body);
	const twins = data.filter(({ type }: { type: string }) => type === 'website');
	const named = twins.map((one: object) => ({ ...one, uniqueId: 'another' }));
	return { ...rest, data: [...named, ...data] };
}

describe('Finding the website that a crawl has made', () => {
	test.each([
		['its name has a slash at its end', { sourceName: 'withSlash' as const }],
		['its name has none', { sourceName: 'withoutSlash' as const }],
		['its type is another word', { recordType: 'web-pages' as const }],
		['it is listed late', { listedAfterMs: 20_000 }],
	])('it is found if %s', async (_, how) => {
		Object.assign(crawling, how);
		const { output } = await crawl();
		expect(output[0]?.json).toMatchObject({ success: true, uniqueId: idThere() });
	});

	test('one that is never listed is not guessed, and the words name what is new', async () => {
		Object.assign(crawling, { listedAfterMs: 600_000 });
		const run = await crawl();
		expect(changes()).toEqual(['crawl']);
		expect(errorOf(run)).toMatchObject({
			message: expect.stringContaining('its list shows no new website with that address'),
			effect: 'unknown',
		});
	});
});

describe('A website that is there', () => {
	const there = async (how: CrawlingOptions = {}) => {
		nowThere({ url: '/' }, { url: '/help/1' });
		Object.assign(crawling, how);
		await crawl();
		service().clearLog();
	};

	test('is kept, and nothing is sent', async () => {
		await there();
		const { output } = await crawl();
		expect(changes()).toEqual([]);
		expect(output[0]?.json).toMatchObject({
			action: 'unchanged',
			addedToAgent: true,
			success: true,
			pagesProcessed: 2,
			uniqueId: idThere(),
		});
	});

	test('is given to an agent that lacks it, without a crawl', async () => {
		await there();
		const { output } = await crawl({ uid: agent('sales-assistant') });
		expect(changes()).toEqual(['add']);
		expect(output[0]?.json).toMatchObject({ action: 'unchanged', addedToAgent: true });
	});

	test('is an error with Fail, which says as what it is there', async () => {
		await there();
		const run = await crawl({}, { options: { ifSiteExists: 'fail' } });
		expect(changes()).toEqual([]);
		expect(errorOf(run)).toMatchObject({
			message: expect.stringContaining(`has the website "${DOCS}/" already`),
			description: expect.stringContaining(idThere() ?? 'no website'),
			effect: 'not applied',
		});
	});

	test('is read anew in its place with Refresh, where CometChat does so', async () => {
		await there();
		const before = idThere();
		const { output } = await crawl({}, again);
		expect(changes()).toEqual(['crawl', 'processUrls', 'add']);
		expect(output[0]?.json).toMatchObject({ action: 'refreshed', uniqueId: before });
		expect(held()).toEqual([before]);
		expect(websites()).toMatchObject([{ scrapes: 2 }]);
	});

	test('gives its place to a second one with Refresh: that is with the agent before the old one goes', async () => {
		await add(service(), [{ agent: 'support-bot', files: [PROOF.uniqueId] }]);
		await there({ secondScrape: 'second' });
		const before = idThere();
		const { output } = await crawl({ waitUntilIndexed: false }, again);
		expect(changes()).toEqual(['crawl', 'processUrls', 'add', 'remove', 'deleteWebsite']);
		expect(held()).toEqual([idThere()]);
		expect(idThere()).not.toBe(before);
		expect(output[0]?.json).toMatchObject({ action: 'refreshed', oldId: before, pagesOpen: 0 });
	});

	test('whose second crawl leaves no trace within a minute is warned of', async () => {
		await there({ secondScrape: 'second', listedAfterMs: 0 });
		Object.assign(crawling, { listedAfterMs: 600_000 });
		const { hints } = await crawl({}, again);
		expect(hints.map(({ message }) => message).join()).toContain('neither its pages nor its list');
	});

	test('gives its place to a second one that is listed late, too', async () => {
		await there({ secondScrape: 'second' });
		Object.assign(crawling, { listedAfterMs: 25_000 });
		await crawl({}, again);
		expect(held()).toEqual([idThere()]);
	});

	test('is not deleted where nobody knows which other agent has it', async () => {
		await there({ secondScrape: 'second' });
		const before = idThere();
		const { output, hints } = await crawl({}, again);
		expect(changes()).toEqual(['crawl', 'processUrls', 'add', 'remove']);
		expect(output[0]?.json).toMatchObject({
			oldId: before,
			notDeleted: expect.stringContaining('Not known whether another agent has'),
		});
		expect(hints.map(({ message }) => message).join()).toContain('is still in CometChat');
	});

	test('stays with the agent if the new crawl finds much less', async () => {
		await there({ secondScrape: 'second' });
		const before = idThere();
		nowThere(...Array.from({ length: 5 }, (_, at) => ({ url: `/${at}` })));
		await crawl({}, again);
		nowThere({ url: '/sorry' });
		service().clearLog();
		const { hints } = await crawl({}, again);
		expect(changes()).toEqual(['crawl', 'processUrls', 'add']);
		expect(held()).toHaveLength(2);
		expect(held()).not.toContain(before);
		expect(hints.map(({ message }) => message).join()).toContain('the agent keeps the old website');
	});

	test('stays with the agent if not one page of the new one could be read', async () => {
		await there({ secondScrape: 'second' });
		const before = idThere();
		nowThere({ url: '/', fails: Infinity });
		const run = await crawl({}, again);
		expect(changes()).toEqual(['crawl', 'processUrls']);
		expect(held()).toEqual([before]);
		expect(errorOf(run)).toMatchObject({
			message: expect.stringContaining('was not able to index any page'),
			description: expect.stringContaining('still has what they were to replace'),
		});
	});

	test('is not said to be with the agent if only the old one is', async () => {
		await there({ secondScrape: 'second' });
		const before = idThere();
		service().script({ for: { operation: 'add' }, status: 400 });
		const run = await crawl({}, again);
		expect(held()).toEqual([before]);
		expect(errorOf(run)).toMatchObject({
			addedToAgent: false,
			uniqueId: idThere(),
			description: expect.stringContaining('delete the new one with Website: Delete, and run'),
		});
	});

	test('is an error if there are two, with both IDs, unless the agent has one of them', async () => {
		await there({ secondScrape: 'second' });
		await crawl({ addToAgent: false }, again);
		service().clearLog();
		const run = await crawl({ uid: agent('sales-assistant') });
		expect(changes()).toEqual([]);
		const { description } = Object(errorOf(run));
		for (const { uniqueId } of websites()) expect(description).toContain(uniqueId);
		const { output } = await crawl();
		expect(output[0]?.json).toMatchObject({ action: 'unchanged', uniqueId: held()[0] });
	});
});

describe('The next run goes on instead of beginning anew', () => {
	test('after one that did not wait', async () => {
		Object.assign(crawling, { processMs: 3000 });
		const { output } = await crawl({ waitUntilIndexed: false });
		expect(output[0]?.json).toMatchObject({ success: true, pagesOpen: 4 });
		service().clearLog();
		const { output: then } = await crawl();
		expect(changes()).toEqual([]);
		expect(then[0]?.json).toMatchObject({ action: 'continued', pagesProcessed: 3, pagesOpen: 0 });
	});

	test('also with Refresh, and items of one address that come after it do not crawl anew either', async () => {
		Object.assign(crawling, { processMs: 5000 });
		await crawl({ waitUntilIndexed: false });
		service().clearLog();
		const { output } = await crawl({}, { items: [{}, {}], ...again });
		expect(changes()).toEqual([]);
		expect(output.map(({ json }) => json.action)).toEqual(['continued', 'unchanged']);
	});

	test('after one whose time was over', async () => {
		Object.assign(crawling, { processMs: 90_000 });
		const run = await crawl({}, { options: { maxIndexingMinutes: 1 } });
		expect(errorOf(run)).toMatchObject({
			message: expect.stringContaining("within 'Max Indexing Time (Minutes)'"),
			description: expect.stringContaining('it does not crawl anew'),
			effect: 'partly applied',
		});
		expect(held()).toEqual([]);
		service().clearLog();
		const { output } = await crawl();
		expect(changes()).toEqual(['add']);
		expect(output[0]?.json).toMatchObject({ action: 'continued', addedToAgent: true });
	});

	test('after one that could not tell CometChat to index', async () => {
		service().script({ for: { operation: 'processUrls' }, status: 400 });
		const run = await crawl();
		expect(errorOf(run)).toMatchObject({ effect: 'partly applied' });
		service().clearLog();
		const { output } = await crawl({}, { options: { ifSiteExists: 'fail' } });
		expect(changes()).toEqual(['processUrls', 'add']);
		expect(output[0]?.json).toMatchObject({ action: 'continued', success: true });
	});

	test('also within a run, if only the answer to that was lost', async () => {
		service().script({ for: { operation: 'processUrls' }, drop: 'afterApplying' });
		const { output } = await crawl();
		expect(changes()).toEqual(['crawl', 'processUrls', 'add']);
		expect(output[0]?.json).toMatchObject({ success: true, pagesProcessed: 3 });
	});
});

test.each([
	['nothing at all', 'https://empty.example.com', 'found no page at', ['crawl']],
	[
		'no page that can be read',
		'https://broken.example.com',
		'index any page',
		['crawl', 'processUrls'],
	],
])(
	'a crawl that brings %s fails, and the agent gets nothing',
	async (_, url, message, expected) => {
		const run = await crawl({ url });
		expect(changes()).toEqual(expected);
		expect(errorOf(run)).toMatchObject({ message: expect.stringContaining(message) });
		expect(held()).toEqual([]);
	},
);

test('if not one page could be read, the agent gets nothing also where nobody waits', async () => {
	Object.assign(crawling, { indexesAtOnce: true, processMs: 0 });
	const run = await crawl({ url: 'https://broken.example.com', waitUntilIndexed: false });
	expect(changes()).toEqual(['crawl']);
	expect(errorOf(run)).toMatchObject({ message: expect.stringContaining('index any page') });
});

test('pages that can not be counted until no more come are not indexed', async () => {
	Object.assign(crawling, { answersEarly: true });
	service().script({ for: { operation: 'discoveredUrls' }, status: 400 });
	const run = await crawl();
	expect(changes()).toEqual(['crawl']);
	expect(errorOf(run)).toMatchObject({ status: 400, effect: 'partly applied' });
});

test('a crawl that is answered before its end is waited for, until no more pages come', async () => {
	Object.assign(crawling, { answersEarly: true, ms: 60_000 });
	const { output, hints } = await crawl();
	expect(output[0]?.json).toMatchObject({ pagesFound: 4, pagesProcessed: 3 });
	expect(hints.map(({ message }) => message).join()).toContain('did not say that the crawl');
});

test('as many pages as Max Pages allows are a hint that there may be more', async () => {
	const { hints } = await crawl({ maxPages: 2 });
	expect(hints.map(({ message }) => message).join()).toContain("as many as 'Max Pages' allows");
});

test('a part of an address that the site map does not have is warned of', async () => {
	const { hints } = await crawl({ include: '/help/\n/hlep/' });
	const said = hints.map(({ message }) => message).join();
	expect(said).toContain('"/hlep/": check the spelling');
	expect(said).not.toContain('"/help/",');
});

test('a website without an agent is indexed, and a hint says that nobody answers from it', async () => {
	const { output, hints } = await crawl({ addToAgent: false });
	expect(changes()).toEqual(['crawl', 'processUrls']);
	expect(output[0]?.json).not.toHaveProperty('addedToAgent');
	expect(hints.map(({ message }) => message).join()).toContain('No agent answers from the website');
});

test('a crawl may take longer than other requests', async () => {
	Object.assign(crawling, { ms: 70_000 });
	const { output } = await crawl();
	expect(output[0]?.json).toMatchObject({ action: 'crawled', success: true });
});
