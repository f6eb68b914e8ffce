import type { INodeParameters } from 'n8n-workflow';

import type { RecordSeed } from '../../service/service';
import type { CrawlingOptions, FoundSeed } from '../../service/websites';
import { freshService } from '../fixture';
import type { OperationName } from '../operations';
import { agent, arrivals, continuing, cutOf, errorOf, runFiles } from '../operations';

const HELP = 'https://help.example.com';
const website = (uniqueId: string, more: Partial<RecordSeed> = {}): RecordSeed => {
	return { uniqueId, sourceName: `https://${uniqueId}.example.com`, type: 'website', ...more };
};
const page = (urlId: string, status: FoundSeed['status'] = 'failed'): FoundSeed => {
	return { urlId, url: `${HELP}/${urlId}`, title: `About ${urlId}`, status };
};
const MANY = Array.from({ length: 130 }, (_, at) => page(`p${at}`));
const crawling: CrawlingOptions = {};
const service = freshService({
	records: [
		website('help', { status: 'failed', createdAt: 1795301932599 }),
		website('well'),
		website('large'),
		{ sourceName: 'a.pdf', uniqueId: 'file' },
	],
	found: {
		help: [page('a'), page('b', 'processed'), page('c'), page('d', 'skipped')],
		well: [page('w', 'processed')],
		large: MANY,
	},
	crawling,
	indexing: { ms: 60_000 },
});
const CRAWLING: CrawlingOptions = { processMs: 600_000, statusFilter: 'apply' };
beforeEach(() => Object.assign(crawling, CRAWLING));

type More = Parameters<typeof runFiles>[2] & object;
const site = (value: string): INodeParameters => ({ website: agent(value) });
/** Of the website 'help', in a run that goes on, unless `more` has another. */
const run = async (name: OperationName, parameters: INodeParameters = {}, more: More = {}) =>
	await runFiles(service(), name, {
		...continuing,
		...more,
		parameters: { ...site('help'), uid: agent('support-bot'), ...parameters },
	});
const jsonOf = async (...given: Parameters<typeof run>) =>
	(await run(...given)).output.map(({ json }) => json);
describe('Website: Get Pages', () => {
	const found = async (parameters: INodeParameters) =>
		(await jsonOf('website.getPages', parameters)).map(({ urlId }) => urlId);
	const queries = () =>
		service().log.flatMap(({ kind, path }) =>
			kind === 'arrived' ? [path.split('?')[1]?.replace(/cursor=[^&]*/, 'cursor')] : [],
		);

	test('says what a person looks for: address first, times to read, what to do if it failed', async () => {
		const [failed, processed] = await jsonOf('website.getPages');
		expect(Object.entries(failed ?? {})).toEqual([
			['name', `${HELP}/a`],
			['status', 'failed'],
			['uniqueId', 'help'],
			['reason', expect.stringContaining('Website: Retry Pages')],
			['title', 'About a'],
			['urlId', 'a'],
			['retryCount', 0],
			['createdAt', '2026-11-21T22:58:52.603Z'],
			['updatedAt', expect.any(String)],
			['lastCrawledAt', expect.any(String)],
		]);
		expect(processed).toMatchObject({ status: 'processed' });
		expect(processed).not.toHaveProperty('reason');
	});

	const next = '&affix=append&cursor';
	test.each<[INodeParameters, number, string[]]>([
		[{}, 50, ['limit=50']],
		[{ returnAll: true }, 130, ['limit=100', `limit=100${next}`]],
	])('with %j gives %d of many pages', async (parameters, count, sent) => {
		const ids = MANY.slice(0, count).map(({ urlId }) => urlId);
		expect(await found({ ...site('large'), ...parameters })).toEqual(ids);
		expect(queries()).toEqual(sent);
		const run = await runFiles(service(), 'website.getPages', {
			parameters: { ...site('large'), ...parameters },
		});
		expect(cutOf(run)).toBe(count < MANY.length ? 'are more' : undefined);
	});

	test.each([
		['apply' as const, ['failed'], ['a', 'c'], '&status=failed'],
		['ignore' as const, 'Skipped', ['d'], '&status=skipped'],
	])(
		'filters by status where CometChat may %s that: %j',
		async (statusFilter, pageStatuses, ids, sent) => {
			Object.assign(crawling, { statusFilter });
			expect(await found({ pageFilters: { pageStatuses } })).toEqual(ids);
			expect(queries()).toEqual([`limit=100${sent}`]);
		},
	);
});

describe('Website: Retry Pages', () => {
	const retry = async (parameters: INodeParameters = {}, more: More = {}) =>
		await run('website.retryPages', parameters, more);
	const chosen = (pageIds: string) => ({ pagesBy: 'ids', pageIds });
	const sending = { operation: 'retryUrls' as const };
	/** Beside the list, which tells how the website is called. */
	const asked = () => arrivals(service()).filter((line) => !line.startsWith('records'));

	test.each(['apply', 'ignore'] as const)(
		'the pages that failed are read again, and no others, also where CometChat may %s filters; for another item none has failed then',
		async (statusFilter) => {
			Object.assign(crawling, { statusFilter });
			const { output } = await retry({}, { items: [{}, {}] });
			const looking = 'discoveredUrls help';
			expect(asked()).toEqual([looking, 'retryUrls help,a,c', looking]);
			expect(output.map(({ json }) => json)).toMatchObject([
				{
					name: 'https://help.example.com',
					action: 'retried',
					uniqueId: 'help',
					urlIds: ['a', 'c'],
				},
				{ action: 'unchanged', success: true, reason: expect.stringContaining('no failed page') },
			]);
		},
	);

	test('many pages are sent a hundred at a time, and all of them are named', async () => {
		const { output } = await retry(site('large'));
		const urlIds = MANY.map(({ urlId }) => urlId);
		expect(output[0]?.json).toMatchObject({ action: 'retried', success: true, urlIds });
	});

	test('many pages are sent a hundred at a time, and what was sent before a refusal is told', async () => {
		service().script({ for: { ...sending, containsId: 'p129' }, status: 400 });
		expect(errorOf(await retry(site('large')))).toMatchObject({
			description: expect.stringContaining('CometChat indexes 100 of 130 pages again.'),
			effect: 'partly applied',
		});
	});

	test.each([
		['a text with commas', 'c, a,c'],
		['pages as Get Pages gives them', '={{ [{ urlId: "c", url: "x" }, { urlId: "a" }] }}'],
	])('chosen pages are those that Page IDs names: %s', async (_, pageIds) => {
		const { output } = await retry(chosen(pageIds));
		expect(asked()).toEqual(['retryUrls help,c,a']);
		expect(output[0]?.json).toMatchObject({ action: 'retried', success: true, urlIds: ['c', 'a'] });
	});

	test.each<[string, string]>([
		['={{ [{ url: "x" }] }}', `'Page IDs' is "{"url":"x"}", which is not an ID`],
	])('the page IDs %s are refused before anything is sent', async (pageIds, words) => {
		const refused = errorOf(await retry(chosen(pageIds)));
		expect(service().log).toEqual([]);
		expect(refused).toMatchObject({ message: expect.stringContaining(words) });
	});

	test('pages that CometChat does not read again fail the item, which says how many', async () => {
		expect(errorOf(await retry(chosen('a, d, none')))).toMatchObject({
			message: "CometChat won't index 2 of 3 pages again",
			description: expect.stringContaining('CometChat indexes 1 of 3 pages again.'),
			effect: 'partly applied',
		});
	});

	test.each<[string, object, object]>([
		['nothing', {}, { effect: 'unknown' }],
		[
			'only how many it was asked for',
			{ data: { totalRequested: 2, excludedUrls: 0 } },
			{ effect: 'unknown' },
		],
		[
			'that it indexes one page',
			{ data: { urlsProcessed: 1 } },
			{
				effect: 'partly applied',
				description: expect.stringContaining('CometChat indexes 1 of 2 pages again.'),
			},
		],
		['that it indexes no page', { data: { urlsProcessed: 0 } }, { effect: 'not applied' }],
	])('of a success that says %s, no more is taken for granted', async (_, answer, told) => {
		service().script({
			for: sending,
			apply: false,
			transform: () => ({ success: true, ...answer }),
		});
		expect(errorOf(await retry(chosen('a, c')))).toMatchObject(told);
	});

	test('a success that says how many, and not which, is one', async () => {
		const answer = { success: true, data: { urlsProcessed: 2 } };
		service().script({ for: sending, transform: () => answer });
		const { output } = await retry(chosen('a, c'));
		expect(output[0]?.json).toMatchObject({ action: 'retried', success: true, urlIds: ['a', 'c'] });
	});
});
