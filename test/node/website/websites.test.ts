import type { INodeParameters } from 'n8n-workflow';

import type { RecordSeed } from '../../service/service';
import type { CrawlingOptions, FoundSeed } from '../../service/websites';
import { freshService } from '../fixture';
import type { More, OperationName } from '../operations';
import { agent, arrivals, isCut, errorOf, prepareRun } from '../operations';

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

const site = (value: string): INodeParameters => ({ website: agent(value) });
/** Runs an operation for the website 'help' with an item that fails alone. */
const run = async (name: OperationName, parameters: INodeParameters = {}, more: More = {}) =>
	await prepareRun(service, name, { ...site('help'), uid: agent('support-bot') })(parameters, more);
const jsonOf = async (...given: Parameters<typeof run>) =>
	(await run(...given)).output.map(({ json }) => json);
describe('Website: Get Pages', () => {
	const found = async (parameters: INodeParameters) =>
		(await jsonOf('website.getPages', parameters)).map(({ urlId }) => urlId);
	const queries = () =>
		service().log.flatMap(({ kind, path }) =>
			kind === 'arrived' ? [path.split('?')[1]?.replace(/cursor=[^&]*/, 'cursor')] : [],
		);

	test('has the URL first, readable times, and advice for failed pages', async () => {
		const [failed, processed] = await jsonOf('website.getPages');
		expect(Object.entries(failed ?? {})).toEqual([
			['name', `${HELP}/a`],
			['status', 'failed'],
			['reason', expect.stringContaining('Document: Retry Indexing')],
			['uniqueId', 'help'],
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
	])('with %j returns %d of many pages', async (parameters, count, sent) => {
		const ids = MANY.slice(0, count).map(({ urlId }) => urlId);
		expect(await found({ ...site('large'), ...parameters })).toEqual(ids);
		expect(queries()).toEqual(sent);
		const again = await run('website.getPages', { ...site('large'), ...parameters });
		expect(isCut(again)).toBe(count < MANY.length);
	});

	test.each([
		['apply' as const, ['failed'], ['a', 'c'], '&status=failed'],
		['ignore' as const, 'Skipped', ['d'], '&status=skipped'],
	])(
		'filters by status if CometChat may %s that: %j',
		async (statusFilter, pageStatuses, ids, sent) => {
			Object.assign(crawling, { statusFilter });
			expect(await found({ pageFilters: { pageStatuses } })).toEqual(ids);
			expect(queries()).toEqual([`limit=100${sent}`]);
		},
	);
});

describe('Document: Retry Indexing of a website', () => {
	const retry = async (fileIds = 'help', more: More = {}) =>
		await run('document.retryIndexing', { fileIds }, more);
	const sending = { operation: 'retryUrls' as const };
	/** Returns all requests except for the list of documents, which has their names. */
	const asked = () => arrivals(service()).filter((line) => !line.startsWith('records'));

	test.each(['apply', 'ignore'] as const)(
		'indexes its failed pages again, and no others, once for all items, also where CometChat may %s filters',
		async (statusFilter) => {
			Object.assign(crawling, { statusFilter });
			const { output } = await retry('help', { items: [{}, {}] });
			expect(asked()).toEqual(['discoveredUrls help', 'retryUrls help,a,c']);
			const row = { name: 'https://help.example.com', action: 'retried', success: true };
			expect(output.map(({ json }) => json)).toMatchObject([row, row]);
		},
	);

	test('changes nothing if no page failed', async () => {
		const { output } = await retry('well');
		expect(asked()).toEqual(['discoveredUrls well']);
		const reason = expect.stringContaining('no failed page');
		expect(output[0]?.json).toMatchObject({ action: 'unchanged', success: true, reason });
	});

	test('sends many pages a hundred at a time', async () => {
		const { output } = await retry('large');
		const requests = asked().filter((line) => line.startsWith('retryUrls'));
		expect(requests.map((line) => line.split(',').length - 1)).toEqual([100, 30]);
		expect(output[0]?.json).toMatchObject({ action: 'retried', success: true });
	});

	test.each<[string, object, object]>([
		['nothing', {}, { effect: 'unknown' }],
		[
			'only how many pages were requested',
			{ data: { totalRequested: 2, excludedUrls: 0 } },
			{ effect: 'unknown' },
		],
		[
			'that it indexes one page',
			{ data: { urlsProcessed: 1 } },
			{ effect: 'unknown', message: 'CometChat indexes only 1 of 2 failed pages again' },
		],
		['that it indexes no page', { data: { urlsProcessed: 0 } }, { effect: 'not applied' }],
	])('does not count a success that says %s as done', async (_, answer, told) => {
		service().script({
			for: sending,
			apply: false,
			transform: () => ({ success: true, ...answer }),
		});
		expect(errorOf(await retry())).toMatchObject(told);
	});

	test('counts a success with only the number of pages as done', async () => {
		const answer = { success: true, data: { urlsProcessed: 2 } };
		service().script({ for: sending, transform: () => answer });
		const { output } = await retry();
		expect(output[0]?.json).toMatchObject({ action: 'retried', success: true });
	});
});
