import type { INodeParameters } from 'n8n-workflow';

import type { Rule, ServiceOptions } from '../../service/service';
import { freshService } from '../fixture';
import { agent as locator, arrivals, continuing, errorOf, runFiles } from '../operations';

const SITE = 'https://help.example.com';
const page = (urlId: string, status: 'processed' | 'failed' | 'skipped' = 'failed') => {
	return { urlId, url: `${SITE}/${urlId}`, status };
};
const MANY = Array.from({ length: 130 }, (_, at) => page(`p${at}`));
const crawling: NonNullable<ServiceOptions['crawling']> = {};
const service = freshService({
	records: [
		{ uniqueId: 'site', sourceName: SITE, type: 'website' },
		{ uniqueId: 'well', sourceName: 'https://well.example.com', type: 'website' },
		{ uniqueId: 'large', sourceName: 'https://large.example.com', type: 'website' },
	],
	found: {
		site: [page('a'), page('b', 'processed'), page('c'), page('d', 'skipped')],
		well: [page('w', 'processed')],
		large: MANY,
	},
	crawling,
});
beforeEach(() => Object.assign(crawling, { processMs: 600_000, statusFilter: 'apply' }));

/** One item, in a run that goes on. */
const retry = async (parameters: INodeParameters = {}, options: INodeParameters = {}) =>
	await runFiles(service(), 'website.retryPages', {
		...continuing,
		options,
		parameters: { website: locator('site'), ...parameters },
	});
const chosen = (pageIds: string) => ({ pagesBy: 'ids', pageIds });
/** The pages that are being read. */
const reading = () =>
	service()
		.websites()
		.flatMap(({ pages }) => pages)
		.filter(({ status }) => status === 'processing')
		.map(({ urlId }) => urlId);
const resultOf = (rule: object): Rule => ({
	for: { operation: 'retryUrls' },
	body: JSON.stringify({ success: true, ...rule }),
});

test.each(['apply', 'ignore'] as const)(
	'the pages that failed are read again, and no others, also where CometChat filters none: %s',
	async (statusFilter) => {
		Object.assign(crawling, { statusFilter });
		const { output } = await retry();
		expect(arrivals(service())).toEqual(['discoveredUrls site', 'retryUrls site,a,c']);
		expect(reading().sort()).toEqual(['a', 'c']);
		expect(output.map(({ json }) => json)).toEqual([
			{ success: true, retried: 2, uniqueId: 'site', urlIds: ['a', 'c'] },
		]);
	},
);

test('where no page has failed, nothing is sent, and the output says so', async () => {
	const { output } = await retry({ website: locator('well') });
	expect(arrivals(service())).toEqual(['discoveredUrls well']);
	expect(output[0]?.json).toEqual({
		success: true,
		retried: 0,
		reason: 'CometChat lists no page of this website that failed.',
		uniqueId: 'well',
	});
});

test('many pages are sent a hundred at a time', async () => {
	const { output } = await retry({ website: locator('large') });
	const sizes = service().log.flatMap(({ kind, operation, uniqueIds = [] }) =>
		kind === 'arrived' && operation === 'retryUrls' ? [uniqueIds.length - 1] : [],
	);
	expect(sizes).toEqual([100, 30]);
	expect(output[0]?.json).toMatchObject({ success: true, retried: 130 });
});

test.each([
	['a text with commas', 'c, a,c'],
	['a list', '={{ ["c", "a"] }}'],
	['a list as a text', '["c","a"]'],
	['pages as Get Pages gives them', '={{ [{ urlId: "c", url: "x" }, { urlId: "a" }] }}'],
])('chosen pages are those that Page IDs names: %s', async (_, pageIds) => {
	const { output } = await retry(chosen(pageIds));
	expect(arrivals(service())).toEqual(['retryUrls site,c,a']);
	expect(output[0]?.json).toMatchObject({ retried: 2, urlIds: ['c', 'a'] });
});

test.each<[INodeParameters, RegExp]>([
	[{ website: locator('={{ "" }}') }, /^'Website' is empty/],
	[{ pagesBy: '={{ "some" }}', pageIds: 'a' }, /^'Pages' is not one of its choices/],
	[chosen('={{ [] }}'), /^'Page IDs' is empty/],
	[chosen('={{ [,] }}'), /^An entry of 'Page IDs' is empty/],
	[chosen('={{ [{ url: "x" }] }}'), /^An entry of 'Page IDs' is empty/],
	[chosen('={{ [true] }}'), /^An entry of 'Page IDs' is not a text/],
	[chosen('["a"'), /^'Page IDs' starts like JSON/],
	[chosen(`a, ${SITE}/b`), /^'Page IDs' holds "https:.*", which is the address of a page/],
])('%j is refused before anything is sent', async (parameters, words) => {
	const run = await retry(parameters);
	expect(service().log).toEqual([]);
	expect(errorOf(run)).toMatchObject({ message: expect.stringMatching(words) });
});

test('pages that CometChat does not take up fail the item, which names them by address', async () => {
	const run = await retry(chosen('a, d, none'));
	expect(reading()).toEqual(['a']);
	expect(errorOf(run)).toMatchObject({
		message: 'CometChat did not take up 2 of 3 pages [item 0]',
		description: expect.stringMatching(
			/^Not taken up: https:\/\/help.example.com\/d, none\. Of 3 pages, 1 was sent to be read again\. Website: Get Pages/,
		),
		effect: 'partly applied',
		retried: 1,
		notRetried: [
			{ url: `${SITE}/d`, urlId: 'd' },
			{ url: null, urlId: 'none' },
		],
	});
});

test('without the list, they have their IDs', async () => {
	service().script({ for: { operation: 'discoveredUrls' }, times: Infinity, status: 400 });
	expect(errorOf(await retry(chosen('a, d')))).toMatchObject({
		description: expect.stringContaining('Not taken up: d.'),
		effect: 'partly applied',
	});
});

test.each<[string, object, object]>([
	['names them', { data: { processedUrls: ['a', 'c'], urlsProcessed: 0 } }, { retried: 2 }],
	['only counts them', { data: { urlsProcessed: 2 } }, { retried: 2 }],
	['names them otherwise', { data: { urlsProcessed: 2, processedUrls: ['x'] } }, { retried: 2 }],
	['says nothing else', {}, { retried: 2 }],
])('that the pages are taken up is known from an answer that %s', async (_, body, told) => {
	service().script(resultOf(body));
	expect((await retry()).output[0]?.json).toMatchObject({ success: true, ...told });
});

test.each<[string, object, string, string]>([
	['one fewer', { data: { urlsProcessed: 1 } }, '1 of 2', 'It does not say which.'],
	['one left out', { data: { excludedUrls: 1 } }, '1 of 2', 'It does not say which.'],
	['none', { data: { urlsProcessed: 0 } }, '2 of 2', `Not taken up: ${SITE}/a, ${SITE}/c.`],
	['one by name', { data: { processedUrls: ['a'] } }, '1 of 2', `Not taken up: ${SITE}/c.`],
])('that some are not is known from an answer with %s', async (_, body, count, said) => {
	service().script(resultOf(body));
	expect(errorOf(await retry())).toMatchObject({
		message: `CometChat did not take up ${count} pages [item 0]`,
		description: expect.stringContaining(said),
	});
});

test('a request whose answer is lost is sent again: a page that is read twice is there once all the same', async () => {
	service().script({ for: { operation: 'retryUrls' }, drop: 'afterApplying' });
	const { output } = await retry(chosen('a'), { maxWaitSeconds: 0 });
	expect(arrivals(service())).toEqual(['retryUrls site,a', 'retryUrls site,a']);
	expect(output[0]?.json).toMatchObject({ success: true, retried: 1 });
});

test('where no answer comes at all, it is said that nobody knows', async () => {
	service().script({ for: { operation: 'retryUrls' }, times: Infinity, status: 500 });
	expect(errorOf(await retry({}, { maxAttempts: 1 }))).toMatchObject({
		description: expect.stringContaining('It is not known whether the pages are read again.'),
		effect: 'unknown',
		retried: 0,
	});
});

test('what was sent before a refusal is told', async () => {
	service().script({ for: { operation: 'retryUrls', containsId: 'p129' }, status: 400 });
	expect(errorOf(await retry({ website: locator('large') }))).toMatchObject({
		message: 'CometChat refused the request [item 0]',
		description: expect.stringContaining('Of 130 pages, 100 were sent to be read again.'),
		effect: 'partly applied',
		retried: 100,
	});
});

test('pages that the website does not have are refused in words for pages', async () => {
	expect(errorOf(await retry(chosen('none')))).toMatchObject({
		message: 'CometChat has no such pages to read [item 0]',
		description: expect.stringContaining('No page is read again. Compare them'),
		effect: 'not applied',
	});
});

test('a website that is not there is one that CometChat does not know', async () => {
	expect(errorOf(await retry({ website: locator('none') }))).toMatchObject({
		message: 'CometChat does not know this website [item 0]',
		description: expect.stringContaining('Nothing was changed.'),
	});
});

test('items that name the same website go one after another', async () => {
	const { output } = await runFiles(service(), 'website.retryPages', {
		items: [{}, {}],
		parameters: { website: locator('site') },
	});
	expect(arrivals(service())).toEqual([
		'discoveredUrls site',
		'retryUrls site,a,c',
		'discoveredUrls site',
	]);
	expect(output.map(({ json }) => json.retried)).toEqual([2, 0]);
});
