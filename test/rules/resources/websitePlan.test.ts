import type {
	SiteThere,
	Wish,
} from '../../../nodes/CometChatKnowledgeBase/resources/website/crawl/plan';
import {
	countFields,
	decideSite,
	lastChange,
	warningsOf,
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
	return { uniqueId, changedAt: LONG_AGO, pages: pagesOf(statuses), isAttached: true, ...more };
};
const lately = { changedAt: LATELY };

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
		expect(stageOf(site('a', statuses, lately), NOW)).toBe(young);
		expect(stageOf(site('a', statuses), NOW)).toBe(longAgo);
	},
);

test('A website changes with each of its pages', () => {
	const at = (day: number) => Date.UTC(2026, 10, day);
	const page = {
		urlId: 'a',
		url: 'https://a.example/',
		createdAt: at(2),
		lastCrawledAt: at(9),
		updatedAt: '11',
	};
	const [earlier, older] = [
		{ ...page, lastCrawledAt: at(7) },
		{ createdAt: at(1), updatedAt: at(4) },
	];
	expect(lastChange(older, [page, earlier])).toBe(at(9));
	expect(lastChange({ ...older, updatedAt: at(10) }, [page])).toBe(at(10));
	expect(lastChange({}, [])).toBe(0);
});

const whole = site('old', 'processed');
const lacking = site('old', 'processed discovered');
const stuck = site('old', 'processed processing');
const underWay = site('new', 'discovered', lately);
const left = site('new', 'processed', { ...lately, isAttached: false });
const useless = site('new', 'failed', lately);

test.each<[string, SiteThere[], string, string, string, Partial<Wish>]>([
	['nothing', [], 'crawl', 'crawl', 'crawl', {}],
	['a useless one', [useless], 'crawl', 'crawl', 'crawl', {}],
	['one under way', [underWay, whole], 'continue new', 'continue new', 'continue new', {}],
	['one that lacks pages', [lacking], 'continue old', 'crawl', 'fail old', {}],
	['one with a page that never ends', [stuck], 'keep old', 'crawl', 'fail old', {}],
	['a whole one', [whole], 'keep old', 'crawl', 'fail old', {}],
	['a useless one and a whole one', [useless, whole], 'keep old', 'crawl', 'fail old', {}],
	['one that a run has left', [left, whole], 'keep new', 'keep new', 'keep new', {}],
	['the same, for no agent', [left], 'keep new', 'crawl', 'fail new', { hasAgent: false }],
	['one of this run', [whole], 'keep old', 'keep old', 'keep old', { oursId: 'old' }],
	[
		'one of this run that lacks pages',
		[lacking],
		'continue old',
		'continue old',
		'continue old',
		{ oursId: 'old' },
	],
	[
		'one of this run without the pages',
		[useless],
		'keep new',
		'keep new',
		'keep new',
		{ oursId: 'new' },
	],
])('Where there is %s: Skip, Refresh and Fail', (_, sites, skip, refresh, fail, more) => {
	const come = (ifThere: Wish['ifThere']) => {
		const action = decideSite(sites, { hasAgent: true, nowMs: NOW, ifThere, ...more });
		return action.kind === 'crawl' ? action.kind : `${action.kind} ${action.site.uniqueId}`;
	};
	expect([come('skip'), come('refresh'), come('fail')]).toEqual([skip, refresh, fail]);
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
	const { old, underWay: stays, larger } = othersThan(wanted, sites, NOW);
	const ids = (all: SiteThere[]) => all.map(({ uniqueId }) => uniqueId);
	expect(ids(old)).toEqual(['newer and empty', 'older']);
	expect(ids(stays)).toEqual([
		...['newer and under way', 'newer and begun'],
		...['older and under way', 'older and begun'],
	]);
	expect(ids(larger)).toEqual(['older and larger']);
	expect(ids(othersThan(undefined, sites, NOW).old)).toEqual(['newer and empty']);
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
		{ urlId: 'h', url: '[address]', status: 'discovered' },
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

test.each([
	['discovered', /^1 page .* with a secret in the address/],
	['processed', /do not match 'Index Only Addresses With'/],
])('A page whose address holds a secret, and which is %s, is said once', (status, words) => {
	const found = [{ urlId: 'h', url: '[address]', status }];
	const notes = warningsOf(sitePages(found, ['/help/']), 'https://a.example');
	expect(notes).toEqual([expect.stringMatching(words)]);
});
