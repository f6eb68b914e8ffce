import type { INodeParameters } from 'n8n-workflow';

import type { RecordSeed, ServiceOptions } from '../../service/service';
import { freshService } from '../fixture';
import { agent as locator, arrivals, continuing, errorOf, runFiles } from '../operations';

const SITE = 'https://help.example.com';
const CREATED_AT = 1795301932599;
const RECORDS: RecordSeed[] = [
	{ uniqueId: 'site', sourceName: SITE, type: 'website', createdAt: CREATED_AT },
	{ uniqueId: 'large', sourceName: 'https://large.example.com', type: 'website' },
	{ uniqueId: 'file', sourceName: 'a.pdf' },
];
const page = (urlId: string, status: 'processed' | 'failed' | 'skipped') => {
	return { urlId, url: `${SITE}/${urlId}`, title: `About ${urlId}`, status };
};
const PAGES = [
	page('prices', 'failed'),
	page('hours', 'processed'),
	page('blog', 'skipped'),
	page('team', 'failed'),
];
const MANY = Array.from({ length: 230 }, (_, at) => {
	const status = at % 2 === 0 ? ('failed' as const) : ('processed' as const);
	return { urlId: `p${at}`, url: `${SITE}/${at}`, status };
});
const crawling: NonNullable<ServiceOptions['crawling']> = {};
const service = freshService({
	records: RECORDS,
	found: { site: PAGES, large: MANY },
	crawling,
});
beforeEach(() => Object.assign(crawling, { unknownWebsite: 'refuse', statusFilter: 'apply' }));

/** One item, in a run that goes on. */
const getPages = async (parameters: INodeParameters = {}) =>
	await runFiles(service(), 'website.getPages', {
		...continuing,
		parameters: { website: locator('site'), ...parameters },
	});
const ids = ({ output }: Awaited<ReturnType<typeof getPages>>) =>
	output.map(({ json }) => json.urlId);
const queries = () =>
	service().log.flatMap(({ kind, path }) =>
		kind === 'arrived' ? [path.split('?')[1]?.replace(/cursor=[^&]*/, 'cursor')] : [],
	);

test('a page says what a person looks for: address first, times to read, what to do if it failed', async () => {
	const { output } = await getPages();
	expect(Object.entries(output[0]?.json ?? {})).toEqual([
		['url', `${SITE}/prices`],
		['title', 'About prices'],
		['status', 'failed'],
		['advice', expect.stringContaining('Website: Retry Pages')],
		['createdAt', '2026-11-21T22:58:52.603Z'],
		['lastCrawledAt', expect.any(String)],
		['updatedAt', expect.any(String)],
		['retryCount', 0],
		['urlId', 'prices'],
	]);
	expect(output[1]?.json).toMatchObject({ status: 'processed', advice: null });
});

test('without Simplify, it is the page as CometChat gives it', async () => {
	const { output } = await getPages({ simple: false });
	expect(output[1]?.json).toMatchObject({
		content: `The text of ${SITE}/hours.`,
		...{ createdAt: expect.any(Number), vectorizationStatus: 'completed', chunksCreated: 1 },
	});
});

test.each<[string, INodeParameters, number, string[]]>([
	['fifty', {}, 50, ['limit=50']],
	['as many as Limit says', { limit: 120 }, 120, ['limit=100', 'limit=20&affix=append&cursor']],
	[
		'all, page by page, to the end',
		{ returnAll: true },
		230,
		['limit=100', 'limit=100&affix=append&cursor', 'limit=100&affix=append&cursor'],
	],
])('of many pages it gives %s', async (_, parameters, count, sent) => {
	const run = await getPages({ website: locator('large'), ...parameters });
	expect(ids(run)).toEqual(MANY.slice(0, count).map(({ urlId }) => urlId));
	expect(queries()).toEqual(sent);
});

describe.each(['apply', 'ignore'] as const)('Where CometChat filters by status: %s', (filter) => {
	test.each([
		[['failed'], ['prices', 'team'], '&status=failed'],
		[['processed', 'skipped'], ['hours', 'blog'], ''],
		['Skipped', ['blog'], '&status=skipped'],
	])('only pages with %j are given', async (pageStatuses, found, sent) => {
		crawling.statusFilter = filter;
		expect(ids(await getPages({ pageFilters: { pageStatuses } }))).toEqual(found);
		expect(queries()).toEqual([`limit=100${sent}`]);
	});
});

test.each([
	['that is not there', 'none', []],
	['that is a file', 'file', []],
	[
		'that is not there, said without a code',
		'none',
		[{ status: 404, envelope: 'agentService' as const, message: 'Website not found' }],
	],
])('a website %s is one that CometChat does not know', async (_, id, rules) => {
	service().script(...rules);
	expect(errorOf(await getPages({ website: locator(id) }))).toMatchObject({
		message: 'CometChat does not know this website [item 0]',
		description: expect.stringMatching(/not found\. The list .* to its end\. Check 'Website': /),
		uniqueId: id,
	});
});

test('where CometChat has no page of it, there is none', async () => {
	crawling.unknownWebsite = 'empty';
	expect((await getPages({ website: locator('none') })).output).toEqual([]);
});

test.each([
	['has no ID', { url: `${SITE}/a` }],
	['has no address', { urlId: 'a' }],
	['is a text', 'a'],
])('an answer with a page that %s is none', async (_, entry) => {
	service().script({ body: JSON.stringify({ data: [entry], meta: {} }) });
	expect(errorOf(await getPages())).toMatchObject({
		message: expect.stringContaining('another answer than its documentation shows'),
	});
});

test.each<[INodeParameters, string]>([
	[{ website: locator('={{ "" }}') }, "'Website' is empty"],
	[{ website: locator(SITE) }, `'Website' is "${SITE}", and an address can't hold that`],
	[{ simple: '={{ "maybe" }}' }, "'Simplify' is neither true nor false"],
	[{ limit: '={{ 0 }}' }, "'Limit' is not a whole number from 1"],
	[
		{ pageFilters: { pageStatuses: '={{ "indexed" }}' } },
		`The filter 'Status' has "indexed", which is none of its choices`,
	],
])('%j is refused before anything is sent', async (parameters, words) => {
	const run = await getPages(parameters);
	expect(service().log).toEqual([]);
	expect(errorOf(run)).toMatchObject({ message: expect.stringContaining(words) });
});

test('items that name websites of their own have their own pages', async () => {
	const run = await runFiles(service(), 'website.getPages', {
		items: [{ id: 'site' }, { id: 'large' }],
		parameters: { website: locator('={{ $json.id }}'), limit: 1 },
	});
	expect(ids(run)).toEqual(['prices', 'p0']);
	expect(arrivals(service())).toEqual(['discoveredUrls site', 'discoveredUrls large']);
});
