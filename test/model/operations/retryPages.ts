import fc from 'fast-check';

import { askedItems, each, first } from '../expectations/sending';
import type { Case, Item, Operation, Wanted } from '../operation';
import { MOST_ITEMS } from '../records';
import { itemOf, pacing, unusable } from '../scenario';
import { found, pagesOf, SITES, someSite, WEBSITES, withPages } from './getPages';

interface PagesAgain extends Wanted {
	ids: [string];
	/** Undefined for all that failed. */
	chosen?: string[];
}

const draft = itemOf(
	[
		unusable({ site: '', by: 'failed', pages: ['x'] }),
		unusable({ site: SITES[1], by: 'ids', pages: [] }),
		unusable({ site: SITES[1], by: 'some', pages: ['x'] }),
	],
	fc.record({
		siteOf: someSite,
		places: fc.option(fc.uniqueArray(fc.nat(5), { minLength: 1, maxLength: 4 }), {
			nil: undefined,
		}),
	}),
	({ siteOf, places }, index): Item<PagesAgain> => {
		const site = siteOf(index);
		const chosen = places?.map((place) => (place === 5 ? 'no-page' : `${site}-${place}`));
		const json = { site, by: chosen ? 'ids' : 'failed', pages: chosen ?? ['unused'] };
		return { json, wanted: { ids: [site], chosen } };
	},
);

/** The pages that an item asks for, as far as they are there. */
function askedPages({ ids, chosen }: PagesAgain): string[] {
	return pagesOf(ids[0])
		.filter(({ urlId, status }) => (chosen ? chosen.includes(urlId) : status === 'failed'))
		.map(({ urlId }) => urlId);
}

/** Those that were to be read at least once. */
function readAgain({ after }: Case<PagesAgain>): Set<string> {
	const pages = after.websites.flatMap((website) => website.pages);
	return new Set(pages.filter(({ reads }) => reads > 0).map(({ urlId }) => urlId));
}

function isLeftOut(site: string, id: string): boolean {
	return pagesOf(site).some(({ urlId, status }) => urlId === id && status === 'skipped');
}

export const retryPages: Operation<PagesAgain> = {
	name: 'retryPages',
	runs: 100,
	parameters: {
		resource: 'website',
		operation: 'retryPages',
		website: { __rl: true, mode: 'id', value: '={{ $json.site }}' },
		pagesBy: '={{ $json.by }}',
		pageIds: '={{ $json.pages }}',
	},
	records: WEBSITES,
	found,
	requests: ['discoveredUrls', 'retryUrls'],
	sharedRequests: [],
	draft,
	mostItems: MOST_ITEMS,
	options: fc.record(pacing),
	variant: withPages,
	canBeDone: ({ wanted: { ids, chosen } }, { scenario }) => {
		const [site] = ids;
		if (chosen === undefined) {
			const isEmpty = scenario.variant.web?.crawling?.unknownWebsite === 'empty';
			return SITES.includes(site) || isEmpty;
		}
		const there = pagesOf(site).map(({ urlId }) => urlId);
		return chosen.every((id) => there.includes(id) && !isLeftOut(site, id));
	},
	promises: [
		{
			title: 'where pages are said to be retried, all that were asked for are read again',
			contradiction: each(askedItems, ({ index, wanted, reported }, given) => {
				if (reported.outcome !== 'applied') return undefined;
				const read = readAgain(given);
				// Of a page that was left out, only a service that lies confirms it.
				const unread = askedPages(wanted).find(
					(id) => !read.has(id) && !isLeftOut(wanted.ids[0], id),
				);
				return unread && `${unread} of item ${index} was not read`;
			}),
		},
		{
			title: 'no page is read again that no item asks for',
			contradiction: (given) => {
				const asked = new Set(given.asked.flatMap(({ wanted }) => askedPages(wanted)));
				return first(readAgain(given), (id) => (asked.has(id) ? undefined : `${id} was read`));
			},
		},
		{
			title: 'where no page is said to be read, none is',
			contradiction: each(askedItems, ({ index, wanted, reported }, given) => {
				if (!['not applied', 'not sent'].includes(reported.outcome)) return undefined;
				const others = given.asked.filter((other) => other.index !== index);
				const [site] = wanted.ids;
				if (others.some((other) => other.wanted.ids[0] === site)) return undefined;
				const read = askedPages(wanted).find((id) => readAgain(given).has(id));
				return read && `${read} of item ${index} was read`;
			}),
		},
		{
			title: 'a request never names no page',
			contradiction: ({ exchanges }) =>
				first(exchanges, ({ arrival, ids }) =>
					arrival.operation === 'retryUrls' && ids.length < 2
						? `request ${arrival.request} names none`
						: undefined,
				),
		},
	],
	meets: {
		'more pages than go into a request': ({ exchanges }) =>
			exchanges.some(({ arrival, ids }) => arrival.operation === 'retryUrls' && ids.length === 101),
		'nothing that failed': (_, reported) =>
			reported.some(({ outputs }) => outputs.some(({ retried }) => retried === 0)),
		'pages that are not taken up': (_, reported) =>
			reported.some(({ error }) => error?.notRetried !== undefined),
	},
	neverMeets: ['skipped'],
};
