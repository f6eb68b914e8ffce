import {
	countFields,
	groupPages,
	whyKept,
} from '../../../nodes/CometChatKnowledgeBase/resources/website/crawl/pages';
import type {
	CrawlRule,
	ExistingWebsite,
} from '../../../nodes/CometChatKnowledgeBase/resources/website/crawl/plan';
import { planCrawl } from '../../../nodes/CometChatKnowledgeBase/resources/website/crawl/plan';

const pagesOf = (statuses: string, ...match: string[]) => {
	const each = statuses.split(' ').filter(Boolean);
	const found = each.map((status, at) => ({
		urlId: `${at}`,
		url: `https://a.example/${at}`,
		status,
	}));
	return groupPages(found, match);
};
const website = (statuses: string, isAttached?: boolean): ExistingWebsite => {
	return { uniqueId: statuses, site: { pages: pagesOf(statuses) }, isAttached };
};

const READ = 'processed failed';
const UNREAD = 'discovered processing';
const FAILED = 'failed skipped';
const CRAWLED_MS = 1795301932599;

test.each<[string[], string, string, string]>([
	[[], 'create', 'create', 'create'],
	[[FAILED], 'create', 'create', 'create'],
	[[UNREAD], `use ${UNREAD}`, 'create', `use ${UNREAD}`],
	[[READ], `use ${READ}`, 'create', `refuse ${READ}`],
	[[UNREAD, READ], `use ${READ}`, 'create', `refuse ${READ}`],
	[[FAILED, UNREAD], `use ${UNREAD}`, 'create', `use ${UNREAD}`],
])('Of the websites %j, newest first: Skip: %s, Refresh: %s, Fail: %s', (all, ...expected) => {
	const rules: CrawlRule[] = ['skip', 'refresh', 'fail'];
	const plans = rules.map((rule) => {
		const decided = planCrawl(
			all.map((one) => website(one)),
			{ rule },
		);
		const found = 'found' in decided ? [decided.found].flat() : [];
		return [decided.action, ...found.map(({ uniqueId }) => uniqueId)].join(' ');
	});
	expect(plans).toEqual(expected);
});

test.each<[string, number, string]>([
	['processed', 0, 'use'],
	['processed', 1, 'create'],
	['processed processing', 0, 'create'],
])(
	'Refresh of "%s", if its last crawl must not be older than itself plus %d ms: %s',
	(statuses, laterMs, action) => {
		const one = website(statuses);
		const old = website(READ);
		for (const page of one.site.pages.found) page.lastCrawledAt = CRAWLED_MS;
		const newSinceMs = CRAWLED_MS + laterMs;
		const decided = planCrawl([one, old], { rule: 'refresh', newSinceMs });
		expect(decided).toMatchObject({ action, retire: action === 'use' ? [old] : [one, old] });
	},
);

test('Refresh alone retires: what was read, or what the agent has or may have', () => {
	const all = [
		website(READ, false),
		website(UNREAD, false),
		website(UNREAD, true),
		website(FAILED, undefined),
	];
	const [read, , attached, maybe] = all;
	expect(planCrawl(all, { rule: 'refresh' })).toEqual({
		action: 'create',
		retire: [read, attached, maybe],
	});
	expect(planCrawl(all, { rule: 'skip' })).toMatchObject({ retire: [] });
});

test.each<[string, string, string | undefined]>([
	['processed processed', 'processed processed', undefined],
	['processed processed', 'processed', undefined],
	['processed processed', 'processed failed', 'https://a.example/1'],
	['processed processed', 'processed processing', 'https://a.example/1'],
	['processed processed', 'processed discovered', 'https://a.example/1'],
	['processed failed', 'processed failed', undefined],
	['processed processed processed', 'processed', 'less than half'],
])('A website with the pages "%s" and a new one with "%s": stays because of %s', (...given) => {
	const [before, now, reason] = given;
	const why = whyKept(pagesOf(before), pagesOf(now));
	if (reason === undefined) expect(why).toBeUndefined();
	else expect(why).toContain(reason);
});

test('pages that an item does not want count for nothing but the numbers', () => {
	const pages = pagesOf('processed processed failed discovered skipped', '/1', '/4');
	expect(pages).toMatchObject({
		read: { length: 1 },
		failed: [],
		open: [],
		excluded: { length: 1 },
		others: { length: 3 },
	});
	expect(countFields(pages)).toEqual({
		pagesFound: 5,
		pagesProcessed: 2,
		pagesFailed: 1,
		pagesSkipped: 2,
		pagesOpen: 0,
		failedPages: ['https://a.example/2'],
	});
});

test('only ten of the pages that failed are named', () => {
	const many = pagesOf('failed '.repeat(11));
	expect(countFields(many).failedPages).toHaveLength(10);
});
