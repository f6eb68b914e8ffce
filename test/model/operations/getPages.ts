import fc from 'fast-check';

import type { Variant } from '../serviceBehaviour';
import { variant } from '../serviceBehaviour';
import { askedItems, each } from '../expectations/sending';
import type { Item, Operation, Wanted } from '../operation';
import { MOST_ITEMS, UNKNOWN_IDS } from '../records';
import { same } from '../report';
import { itemOf, pacing, unusable } from '../scenario';

interface Pages extends Wanted {
	ids: [string];
	limit: number;
	statuses: string[];
}

const STATUSES = ['failed', 'processed', 'discovered', 'failed', 'skipped'] as const;

/** One for each item: the first has more than an answer shows, the last has none. */
export const SITES = Array.from({ length: MOST_ITEMS }, (_, at) => `site-${at}`);
const COUNTS = [270, 5, 1, 12, 0];

/** The pages of the websites at the start, newest first. */
export const found: NonNullable<Operation['found']> = Object.fromEntries(
	SITES.map((site, at) => {
		const pages = Array.from({ length: COUNTS[at] ?? 0 }, (__, place) => {
			const url = `https://${site}.example.com/${place}`;
			const fails = place % 4 === 0 ? Infinity : 0;
			return { urlId: `${site}-${place}`, url, status: STATUSES[place % STATUSES.length], fails };
		});
		return [site, pages];
	}),
);

export function pagesOf(site: string) {
	return found[site] ?? [];
}

/** Where websites have pages. */
export const withPages: fc.Arbitrary<Variant> = fc
	.tuple(
		variant,
		fc.record({
			statusFilter: fc.constantFrom('apply' as const, 'ignore' as const),
			unknownWebsite: fc.constantFrom('refuse' as const, 'empty' as const),
			processMs: fc.constantFrom(0, 20, 60_000),
		}),
	)
	.map(([usual, crawling]) => ({ ...usual, web: { crawling, found } }));

/** Most items have a website that no other asks for, so that it is known whose a request is. */
export const someSite = fc
	.option(fc.constantFrom(...SITES, ...UNKNOWN_IDS), { nil: undefined, freq: 3 })
	.map((any) => (index: number) => any ?? SITES[index] ?? '');

export const WEBSITES = SITES.map((uniqueId) => {
	return { uniqueId, sourceName: `https://${uniqueId}.example.com`, type: 'website' as const };
});

const draft = itemOf(
	[
		unusable({ site: '', all: true, limit: 1, statuses: [] }),
		unusable({ site: SITES[0], all: false, limit: 0, statuses: [] }),
		unusable({ site: SITES[0], all: true, limit: 1, statuses: ['indexed'] }),
	],
	fc.record({
		siteOf: someSite,
		all: fc.boolean(),
		limit: fc.constantFrom(1, 4, 100, 101),
		statuses: fc.subarray(['failed', 'processed', 'skipped', 'processing']),
	}),
	({ siteOf, all, limit, statuses }, index): Item<Pages> => {
		const site = siteOf(index);
		const wanted = { ids: [site] as [string], limit: all ? Infinity : limit, statuses };
		return { json: { site, all, limit, statuses }, wanted };
	},
);

export const getPages: Operation<Pages> = {
	name: 'getPages',
	runs: 60,
	parameters: {
		resource: 'website',
		operation: 'getPages',
		website: { __rl: true, mode: 'id', value: '={{ $json.site }}' },
		returnAll: '={{ $json.all }}',
		limit: '={{ $json.limit }}',
		pageFilters: { pageStatuses: '={{ $json.statuses }}' },
	},
	records: WEBSITES,
	found,
	requests: ['discoveredUrls'],
	sharedRequests: [],
	draft,
	mostItems: MOST_ITEMS,
	options: fc.record(pacing),
	variant: withPages,
	isList: true,
	canBeDone: ({ wanted: { ids } }, { scenario }) =>
		SITES.includes(ids[0]) || scenario.variant.web?.crawling?.unknownWebsite === 'empty',
	promises: [
		{
			title:
				'of a website every page that fits is told, each once, newest first; a shorter list is an error',
			contradiction: each(
				askedItems,
				({ index, wanted, reported: { outcome, outputs } }, { run }) => {
					// The items of a run that stopped are not to be seen.
					if (outcome !== 'applied' || (outputs.length === 0 && run.error)) return undefined;
					const { ids, limit, statuses } = wanted;
					const fitting = pagesOf(ids[0])
						.filter(({ status = '' }) => statuses.length === 0 || statuses.includes(status))
						.slice(0, limit)
						.map(({ urlId, url, status }) => [urlId, url, status]);
					const told = outputs.map(({ urlId, url, status }) => [urlId, url, status]);
					return same(told, fitting)
						? undefined
						: `item ${index} tells of ${told.length} pages, ${fitting.length} fit`;
				},
			),
		},
	],
	meets: {
		'pages of several answers': ({ exchanges }) =>
			exchanges.some(({ arrival }) => /cursor=/.test(arrival.path)),
		'a filter that CometChat does not look at': ({ exchanges, scenario }) =>
			scenario.variant.web?.crawling?.statusFilter === 'ignore' &&
			exchanges.some(({ arrival }) => /status=/.test(arrival.path)),
	},
	neverMeets: ['skipped', 'unknown', 'partly applied', 'a connection lost after the change'],
};
