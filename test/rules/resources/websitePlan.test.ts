import type { SiteThere } from '../../../nodes/CometChatKnowledgeBase/resources/website/crawl/plan';
import {
	countFields,
	decideSite,
	hasChangedLately,
	isToRead,
	newestWholeSite,
	othersThan,
	sitePages,
	stageOf,
	YOUNG_MS,
} from '../../../nodes/CometChatKnowledgeBase/resources/website/crawl/plan';

const NOW = Date.UTC(2026, 10, 25);
const LONG_AGO = NOW - YOUNG_MS;
const LATELY = LONG_AGO + 1;

const pagesOf = (statuses: string, ...match: string[]) => {
	const each = statuses.split(' ').filter(Boolean);
	const found = each.map((status, at) => ({
		urlId: `${at}`,
		url: `https://a.example/${at}`,
		status,
	}));
	return sitePages(found, match);
};
const site = (uniqueId: string, statuses: string, more: Partial<SiteThere> = {}): SiteThere => {
	const pages = pagesOf(statuses);
	return { uniqueId, pages, hasChangedLately: false, isAttached: true, ...more };
};
const lately = { hasChangedLately: true };

test.each<[string, string, string]>([
	['', 'useless', 'useless'],
	['discovered', 'under way', 'useless'],
	['processing failed', 'under way', 'useless'],
	['of its own', 'under way', 'useless'],
	['processed processing', 'under way', 'whole'],
	['processed discovered', 'under way', 'whole'],
	['processed failed skipped', 'whole', 'whole'],
	['failed skipped', 'useless', 'useless'],
])(
	'A website whose wanted pages are "%s" is %s if it has changed lately, otherwise %s',
	(...given) => {
		const [statuses, young, longAgo] = given;
		expect(stageOf(site('a', statuses, lately))).toBe(young);
		expect(stageOf(site('a', statuses))).toBe(longAgo);
	},
);

test.each([
	[{ createdAt: LATELY }, {}, true],
	[{ updatedAt: LATELY }, {}, true],
	[{}, { createdAt: LATELY }, true],
	[{}, { updatedAt: LATELY }, true],
	[{}, { lastCrawledAt: LATELY }, true],
	[{ createdAt: LONG_AGO, updatedAt: LONG_AGO }, { lastCrawledAt: LONG_AGO }, false],
	[{}, {}, false],
])('A website changes with each of its pages: %j, %j', (record, more, isLately) => {
	const page = { urlId: 'a', url: 'https://a.example/', createdAt: LONG_AGO };
	const other = { urlId: 'b', url: 'https://a.example/b', createdAt: LONG_AGO, ...more };
	expect(hasChangedLately(record, [page, other], NOW)).toBe(isLately);
});

const whole = site('old', 'processed');
const lacking = site('old', 'processed discovered');
const stuck = site('old', 'processed processing');
const underWay = site('new', 'discovered', lately);
const left = site('left', 'processed', { ...lately, isAttached: false });
const given = site('new', 'processed', lately);
const unclear = site('new', 'processed', { ...lately, isAttached: undefined });
const useless = site('new', 'failed', lately);

test.each<[string, SiteThere[], string, string, string, string?]>([
	['nothing', [], 'crawl', 'crawl', 'crawl'],
	['a useless one', [useless], 'crawl', 'crawl', 'crawl'],
	['one under way', [underWay, whole], 'take new', 'take new', 'take new'],
	['a whole one', [whole], 'take old', 'crawl', 'fail old'],
	['one that lacks pages', [lacking], 'take old', 'crawl', 'fail old'],
	['one with a page that never ends', [stuck], 'take old', 'crawl', 'fail old'],
	['a useless one and a whole one', [useless, whole], 'take old', 'crawl', 'fail old'],
	['one that a run has left', [left, whole], 'take left', 'take left', 'take left'],
	['a new one that it may lack', [unclear, whole], 'take new', 'take new', 'take new'],
	['a new one that nobody lacks', [given, whole], 'take new', 'crawl', 'fail new'],
	['one of this run', [whole], 'take old', 'take old', 'take old', 'old'],
	['one of this run without the pages', [useless], 'take new', 'take new', 'take new', 'new'],
])('Where there is %s: Skip, Refresh and Fail', (_, sites, skip, refresh, fail, ...[oursId]) => {
	const come = (ifThere: 'fail' | 'refresh' | 'skip') => {
		const action = decideSite(sites, ifThere, oursId);
		return action.kind === 'crawl' ? action.kind : `${action.kind} ${action.site.uniqueId}`;
	};
	expect([come('skip'), come('refresh'), come('fail')]).toEqual([skip, refresh, fail]);
});

test.each<[string, SiteThere, boolean]>([
	['under way', underWay, true],
	['that lacks pages', lacking, true],
	['with a page that is read just now', { ...stuck, ...lately }, true],
	['with a page that never ends', stuck, false],
	['of which nothing is read yet, and no time is known', site('new', 'processing'), true],
	['that is whole', whole, false],
])('One %s: whether it is read on', (_, one, isRead) => {
	expect(isToRead(one)).toBe(isRead);
});

test('Agents are to have the newest whole one, and none that is older than the one of the item', () => {
	expect(newestWholeSite([underWay, stuck, left, whole], 'left')).toBe(stuck);
	expect(newestWholeSite([useless, whole], 'new')).toBe(useless);
	expect(newestWholeSite([useless, whole])).toBe(whole);
	expect(newestWholeSite([useless])).toBeUndefined();
});

test('What it takes the place of: older ones and empty ones, but not what is under way or has much more', () => {
	const wanted = site('wanted', 'processed');
	const sites = [
		site('newer', 'processed'),
		site('newer and empty', 'failed'),
		site('newer and for others', '', { pages: pagesOf('processed', '/help/') }),
		site('newer and under way', 'discovered', lately),
		site('newer and begun', '', lately),
		site('newer and to be read for others', '', {
			pages: pagesOf('discovered', '/help/'),
			...lately,
		}),
		wanted,
		site('older', 'processed processed'),
		site('older and larger', 'processed processed processed'),
		site('older and under way', 'discovered', lately),
		site('older and begun', '', lately),
	];
	const { old, underWay: stays, larger } = othersThan(wanted, sites);
	const ids = (all: SiteThere[]) => all.map(({ uniqueId }) => uniqueId);
	expect(ids(old)).toEqual(['newer and empty', 'older']);
	expect(ids(stays)).toEqual([
		...['newer and under way', 'newer and begun'],
		...['older and under way', 'older and begun'],
	]);
	expect(ids(larger)).toEqual(['older and larger']);
	expect(ids(othersThan(undefined, sites).old)).toEqual(['newer and empty']);
});

test('Pages are grouped by what an item wants, and counted whoever wants them', () => {
	const found = [
		{ urlId: 'a', url: 'https://a.example/help/1', status: 'processed' },
		{ urlId: 'b', url: 'https://a.example/help/2', status: 'discovered' },
		{ urlId: 'c', url: 'https://a.example/help/3', status: 'skipped' },
		{ urlId: 'd', url: 'https://a.example/help/4', status: 'processing' },
		{ urlId: 'e', url: 'https://a.example/blog/1', status: 'processed' },
		{ urlId: 'f', url: 'https://a.example/blog/2', status: 'discovered' },
		{ urlId: 'g', url: 'https://a.example/blog/3', status: 'failed' },
		{ urlId: 'h', url: 'https://a.example/blog/4?token=1', status: 'discovered' },
	];
	const pages = sitePages(found, ['/help/']);
	const ids = Object.fromEntries(
		Object.entries(pages).map(([name, all]) => [
			name,
			all.map(({ urlId }: { urlId: string }) => urlId).join(''),
		]),
	);
	expect(ids).toEqual({
		...{ found: 'abcdefgh', read: 'a', failed: '', waiting: 'b', leftOut: 'c', open: 'd' },
		others: 'efgh',
	});
	expect(countFields(pages)).toEqual({
		...{ pagesFound: 8, pagesProcessed: 2, pagesFailed: 1, pagesSkipped: 3, pagesOpen: 2 },
		failedPages: ['https://a.example/blog/3'],
	});
});
