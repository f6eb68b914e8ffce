import type { Selection } from '../../../nodes/CometChatKnowledgeBase/resources/website/pageSelection';
import type { SiteThere, Wish } from '../../../nodes/CometChatKnowledgeBase/resources/website/plan';
import {
	decide,
	stageOf,
	superseded,
	YOUNG_MS,
} from '../../../nodes/CometChatKnowledgeBase/resources/website/plan';
import {
	countFields,
	sitePages,
} from '../../../nodes/CometChatKnowledgeBase/resources/website/sitePages';

const NOW = Date.UTC(2026, 10, 25);
const LONG_AGO = NOW - YOUNG_MS;
const LATELY = LONG_AGO + 1;
const ALL: Selection = { include: [], exclude: [] };

const pagesOf = (statuses: string, chosen = ALL) => {
	const each = statuses.split(' ').filter(Boolean);
	const found = each.map((status, at) => ({
		urlId: `${at}`,
		url: `https://a.example/${at}`,
		status,
	}));
	return sitePages(found, chosen);
};
const site = (uniqueId: string, statuses: string, more: Partial<SiteThere> = {}): SiteThere => {
	const times = { createdAt: LONG_AGO, changedAt: LONG_AGO };
	return { uniqueId, ...times, pages: pagesOf(statuses), isHeld: true, ...more };
};
const newer = { createdAt: LATELY, changedAt: LATELY };

test.each<[string, string, string]>([
	['', 'useless', 'useless'],
	['discovered', 'under way', 'useless'],
	['processing failed', 'under way', 'useless'],
	['of its own', 'under way', 'useless'],
	['processed processing', 'under way', 'whole'],
	['processed discovered', 'under way', 'lacking'],
	['processed failed skipped', 'whole', 'whole'],
	['failed skipped', 'useless', 'useless'],
])(
	'A website whose wanted pages are "%s" is %s if it has changed lately, otherwise %s',
	(...given) => {
		const [statuses, lately, longAgo] = given;
		expect(stageOf(site('a', statuses, { changedAt: LATELY }), NOW)).toBe(lately);
		expect(stageOf(site('a', statuses), NOW)).toBe(longAgo);
		expect(stageOf(site('a', statuses, { changedAt: undefined }), NOW)).toBe(longAgo);
	},
);

const whole = site('old', 'processed');
const [lacking, underWay] = [site('old', 'processed discovered'), site('new', 'discovered', newer)];
const left = site('new', 'processed', { ...newer, isHeld: false });
const useless = site('new', 'failed', newer);

test.each<[string, SiteThere[], string, string, string, Partial<Wish>]>([
	['nothing', [], 'crawl', 'crawl', 'crawl', {}],
	['a useless one', [useless], 'crawl', 'crawl', 'crawl', {}],
	['one under way', [whole, underWay], 'goOn new', 'goOn new', 'goOn new', {}],
	['one that lacks pages', [lacking], 'goOn old', 'crawl old', 'goOn old', {}],
	['a whole one', [whole], 'keep old', 'crawl old', 'fail old', {}],
	['a whole one and a useless one', [useless, whole], 'keep old', 'crawl old', 'fail old', {}],
	['one that a run has left', [whole, left], 'keep new', 'take new', 'take new', {}],
	['the same, for no agent', [left], 'keep new', 'crawl new', 'fail new', { hasAgent: false }],
	['one of this run', [whole], 'keep old', 'keep old', 'keep old', { oursId: 'old' }],
	[
		'one of this run that lacks pages',
		[lacking],
		'goOn old',
		'goOn old',
		'goOn old',
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
		const { kind, site: about } = decide(sites, { hasAgent: true, nowMs: NOW, ifThere, ...more });
		return about === undefined ? kind : `${kind} ${about.uniqueId}`;
	};
	expect([come('skip'), come('refresh'), come('fail')]).toEqual([skip, refresh, fail]);
});

test('What it takes the place of: older ones and empty ones, but not what is under way or has much more', () => {
	const wanted = site('wanted', 'processed', { createdAt: NOW - 10 });
	const at = (createdAt: number) => ({ createdAt: NOW - createdAt });
	const sites = [
		site('newer', 'processed', at(5)),
		site('newer and empty', 'failed', at(6)),
		site('newer and under way', 'discovered', { ...at(8), changedAt: LATELY }),
		site('newer and for others', 'processed', {
			...at(7),
			pages: pagesOf('processed', { include: ['x'], exclude: [] }),
		}),
		wanted,
		site('older', 'processed processed', at(20)),
		site('older and larger', 'processed processed processed', at(30)),
		site('older and under way', 'discovered', { ...at(40), changedAt: LATELY }),
		site('older, of no known time', 'processed', { createdAt: undefined }),
	];
	const { old, stays } = superseded(wanted, sites.reverse(), NOW);
	const ids = (all: SiteThere[]) => all.map(({ uniqueId }) => uniqueId);
	expect(ids(old)).toEqual(['newer and empty', 'older', 'older, of no known time']);
	expect(stays.map(({ site: { uniqueId }, why }) => [uniqueId, why])).toEqual([
		['newer and under way', 'under way'],
		['older and larger', 'larger'],
		['older and under way', 'under way'],
	]);
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
	const pages = sitePages(found, { include: ['/help/'], exclude: [] });
	const ids = Object.fromEntries(
		Object.entries(pages).map(([name, all]) => [
			name,
			all.map(({ urlId }: { urlId: string }) => urlId).join(''),
		]),
	);
	expect(ids).toEqual({
		...{ found: 'abcdefgh', read: 'a', failed: '', waiting: 'b', leftOut: 'c', open: 'd' },
		...{ others: 'efgh', hidden: 'h' },
	});
	expect(countFields(pages)).toEqual({
		...{ pagesFound: 8, pagesProcessed: 2, pagesFailed: 1, pagesSkipped: 3, pagesOpen: 2 },
		failedPages: ['https://a.example/blog/3'],
	});
});
