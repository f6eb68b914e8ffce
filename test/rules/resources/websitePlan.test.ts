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

const pagesOf = (statuses: string) => {
	const each = statuses.split(' ').filter(Boolean);
	const found = each.map((status, at) => ({
		urlId: `${at}`,
		url: `https://a.example/${at}`,
		status,
	}));
	return groupPages(found);
};
const website = (statuses: string, isAttached?: boolean): ExistingWebsite => {
	return { uniqueId: statuses, website: { pages: pagesOf(statuses) }, isAttached };
};

const READ = 'processed failed';
const UNREAD = 'discovered processing';
const FAILED = 'failed skipped';

test.each<[string[], string, string, string]>([
	[[], 'create', 'create', 'create'],
	[['skipped'], 'create', 'create', 'create'],
	[[FAILED], `use ${FAILED}`, `use ${FAILED}`, `use ${FAILED}`],
	[[UNREAD], `use ${UNREAD}`, 'create', `use ${UNREAD}`],
	[['failed processing'], 'use failed processing', 'create', 'use failed processing'],
	[[READ], `use ${READ}`, 'create', `refuse ${READ}`],
	[['skipped', READ], `use ${READ}`, 'create', `refuse ${READ}`],
	[[UNREAD, READ], `use ${READ}`, 'create', `refuse ${READ}`],
	[[FAILED, READ], `use ${READ}`, `use ${FAILED}`, `refuse ${READ}`],
	[[READ, UNREAD], `use ${READ}`, 'create', `refuse ${READ}`],
	[[FAILED, UNREAD], `use ${FAILED}`, `use ${FAILED}`, `use ${FAILED}`],
])('Of the websites %j, newest first: Skip: %s, Refresh: %s, Fail: %s', (all, ...expected) => {
	const rules: CrawlRule[] = ['skip', 'refresh', 'fail'];
	const plans = rules.map((rule) => {
		const decided = planCrawl(
			all.map((one) => website(one)),
			rule,
		);
		const found = 'found' in decided ? [decided.found].flat() : [];
		return [decided.action, ...found.map(({ uniqueId }) => uniqueId)].join(' ');
	});
	expect(plans).toEqual(expected);
});

test('Only Refresh removes websites: indexed ones, and those that the agent uses or may use', () => {
	const all = [
		website(READ, false),
		website(UNREAD, false),
		website(UNREAD, true),
		website(FAILED, undefined),
	];
	const [read, , attached, maybe] = all;
	expect(planCrawl(all, 'refresh')).toEqual({
		action: 'create',
		retire: [read, attached, maybe],
	});
	expect(planCrawl(all, 'skip')).toMatchObject({ retire: [] });
});

test.each<[string, string, string | undefined]>([
	['processed processed', 'processed processed', undefined],
	['processed processed', 'processed', undefined],
	['processed processed', 'processed failed', "couldn't index some"],
	['processed processed', 'processed processing', "couldn't index some"],
	['processed processed', 'processed discovered', "couldn't index some"],
	['processed failed', 'processed failed', undefined],
	['processed processed processed', 'processed', 'less than half'],
])('A website with the pages "%s" and a new one with "%s": stays because of %s', (...given) => {
	const [before, now, reason] = given;
	const why = whyKept(pagesOf(before), pagesOf(now), false);
	if (reason === undefined) expect(why).toBeUndefined();
	else expect(why).toContain(reason);
});

test.each<[string, string, boolean]>([
	['processed processed', 'processed', true],
	['processed', 'processed', false],
	['processed', 'processed processed', false],
])('With the pages "%s" before and "%s" now, a crawl without an end keeps both: %s', (...given) => {
	const [before, now, isKept] = given;
	expect(whyKept(pagesOf(before), pagesOf(now), true) !== undefined).toBe(isKept);
});

const WALL = 'Just a moment...';
const LONG = 'Menu '.repeat(100).slice(0, 500);

test.each<[string[], string[], boolean]>([
	[['A', 'B', 'C'], ['A2', 'B2', 'C2'], false],
	[['A', 'B', 'C'], [WALL, WALL, WALL], true],
	[['A', 'B', 'C'], ['A', WALL, WALL], true],
	[[WALL, WALL, 'C'], [WALL, WALL, 'C'], false],
	[['A', 'B'], [LONG, LONG], false],
	[['A', 'B', 'C', 'D'], ['A', 'B', '', ' '], true],
	[['A', 'B', 'C', 'D', 'E'], ['A', 'B', 'C', '', ''], false],
	[['', '', 'C'], ['', '', 'C'], false],
])('Pages with the texts %j, now %j: the old website stays: %s', (before, now, isKept) => {
	const withTexts = (texts: string[]) =>
		groupPages(
			pagesOf('processed '.repeat(texts.length)).found.map((page, at) => {
				return { ...page, content: texts[at] };
			}),
		);
	expect(whyKept(withTexts(before), withTexts(now), false) !== undefined).toBe(isKept);
});

test('pages are counted by status', () => {
	expect(countFields(pagesOf('processed processed failed discovered processing skipped'))).toEqual({
		pagesFound: 6,
		pagesProcessed: 2,
		pagesFailed: 1,
		pagesSkipped: 1,
		pagesOpen: 2,
		failedPages: ['https://a.example/2'],
	});
});

test('only ten of the pages that failed are named', () => {
	const many = pagesOf('failed '.repeat(11));
	expect(countFields(many).failedPages).toHaveLength(10);
});
