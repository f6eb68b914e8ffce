import fc from 'fast-check';

import type { WebsiteShown } from '../../service/service';
import { attachedTo, broughtBy, isUncertain, nameIn } from '../attribution';
import { maybe, oneIn } from '../drafting';
import { askedItems, each, first } from '../expectations/sending';
import type { Exchange } from '../exchanges';
import { meaningOf } from '../exchanges';
import type { Asked, Case, Item, Operation, Options, Played, Wanted } from '../operation';
import { KNOWN_AGENTS, MOST_ITEMS } from '../records';
import {
	AFTERWARDS,
	afterwards,
	itemOf,
	maxIndexingMinutes,
	pacing,
	unusable,
	wantedOf,
} from '../scenario';
import { variant } from '../serviceBehaviour';

interface SiteWanted extends Wanted {
	addresses: string[];
	/** Whether only pages with /help/ in their addresses are to be indexed. */
	isMatching: boolean;
}

type Given = Case<SiteWanted, Options>;

const PLAIN = { pages: 'all', waits: false, adds: false, agent: 'unused' };

/** Without a slash at its end. */
function addressOf(site: number): string {
	return `https://${site}.example.com/docs`;
}

/** At these places there is a website already, at the last twice; at the others none. */
const THERE = [2, 3, 3];
const PLACES = [0, 1, 2, 3];

const WEBSITES = THERE.map((site, at) => ({
	uniqueId: `website-${at}`,
	type: 'website' as const,
	sourceName: addressOf(site),
}));

/** It proves that the lists of agents are filled. */
const PROOF = { uniqueId: 'proof', sourceName: 'proof.txt' };

const draft = itemOf(
	[unusable({ ...PLAIN, url: 'docs.example.com' }), unusable({ ...PLAIN, url: 'http://10.0.0.1' })],
	fc.record({
		site: fc.constantFrom(...PLACES, 0, 0, 2, 2),
		hasSlash: fc.boolean(),
		isMatching: oneIn(3, fc.constant(true)),
		afterwards,
	}),
	({ site, hasSlash, isMatching = false, afterwards: then }): Item<SiteWanted> => {
		const address = addressOf(site);
		const addresses = [address, `${address}/`];
		const there = WEBSITES.filter(({ sourceName }) => sourceName === address);
		const adds = there.map(({ uniqueId }) => uniqueId);
		return {
			json: {
				url: addresses[hasSlash ? 1 : 0],
				pages: isMatching ? 'matching' : 'all',
				...then.json,
			},
			wanted: { addresses, isMatching, sourceType: 'website', adds, ...then.wanted },
		};
	},
);

const page = fc.record({
	folder: fc.constantFrom('help', 'help', 'blog'),
	fails: fc.constantFrom(0, 0, 0, 1, Infinity),
	status: fc.constantFrom('discovered', 'processed', 'processed', 'failed', 'skipped'),
});

/** What is out there, what of it was found before, and how CometChat goes about it. */
const web = fc
	.record({
		pages: fc.tuple(...PLACES.map(() => fc.array(page, { maxLength: 4 }))),
		isAllRead: fc.constantFrom(true, true, false),
		crawling: fc.record({
			ms: maybe(fc.constantFrom(500, 30_000)),
			answersEarly: oneIn(4, fc.constant(true)),
			processMs: maybe(fc.constantFrom(0, 700, 20_000, 90_000)),
			atOnce: maybe(fc.constantFrom(1, 2)),
			indexesAtOnce: oneIn(4, fc.constant(true)),
			recordType: maybe(fc.constantFrom('website', 'web-pages')),
			sourceName: maybe(fc.constantFrom('withSlash', 'withoutSlash')),
			secondScrape: maybe(fc.constantFrom('refresh', 'second', 'second')),
			listedAfterMs: oneIn(3, fc.constantFrom(5000, 50_000)),
			excluded: maybe(fc.constantFrom('skipped', 'discovered')),
			parentBefore: maybe(fc.constantFrom('indexing', 'inSync')),
			ends: maybe(fc.constantFrom('indexed', 'inSync')),
		}),
	})
	.map(({ pages, isAllRead, crawling }) => {
		const drawn = pages.map((all, site) =>
			all.map(({ folder, fails, status }, at) => ({
				url: `${addressOf(site)}/${folder}/${at}`,
				urlId: `page-${site}-${at}`,
				fails,
				status: isAllRead && status === 'discovered' ? 'processed' : status,
			})),
		);
		const sites = drawn.map((all, site) => [
			addressOf(site),
			{ pages: all.map(({ url, fails }) => ({ url, fails })) },
		]);
		const found = WEBSITES.map(({ uniqueId }, at) => [uniqueId, drawn[THERE[at] ?? 0]]);
		return {
			sites: Object.fromEntries(sites),
			found: Object.fromEntries(found),
			crawling,
		};
	});

export const crawlWebsite: Operation<SiteWanted> = {
	name: 'crawlWebsite',
	runs: 400,
	parameters: {
		resource: 'website',
		operation: 'crawl',
		url: '={{ $json.url }}',
		pagesToIndex: '={{ $json.pages }}',
		match: '/help/',
		...AFTERWARDS,
	},
	records: [...WEBSITES, PROOF],
	requests: [
		'agent',
		'records',
		'crawl',
		'discoveredUrls',
		'processUrls',
		'add',
		'remove',
		'list',
		'deleteWebsite',
	],
	sharedRequests: [],
	asksAnew: ['records', 'discoveredUrls', 'list'],
	runsAgain: true,
	draft,
	mostItems: MOST_ITEMS - 1,
	options: fc.record({
		...pacing,
		maxIndexingMinutes,
		ifSiteExists: maybe(fc.constantFrom('skip', 'refresh', 'refresh', 'fail')),
	}),
	variant: fc
		.record({ variant, web })
		.map(({ variant: usual, web: drawn }) => ({ ...usual, web: drawn })),
	heldBefore: fc
		.record({
			uids: fc.uniqueArray(fc.constantFrom(...KNOWN_AGENTS), { maxLength: 2 }),
			ids: fc.subarray(WEBSITES.map(({ uniqueId }) => uniqueId)),
			isHeld: fc.boolean(),
		})
		.map(({ uids, ids, isHeld }) => ({
			of: (items) => [
				{ uid: 'guide', sourceType: 'uploads', ids: [PROOF.uniqueId] },
				...uids.map((uid) => ({ uid, sourceType: 'website', ids })).filter(() => ids.length > 0),
				...wantedOf({ items }).flatMap(({ uid, adds = [] }) =>
					isHeld && uid !== undefined && KNOWN_AGENTS.includes(uid) && adds.length === 1
						? [{ uid, sourceType: 'website', ids: adds }]
						: [],
				),
			],
		})),
	ownersOf,
	mayTake: ({ addresses, uid }, { id, name }, place) =>
		WEBSITES.some(({ uniqueId }) => uniqueId === id) &&
		addresses.includes(name) &&
		(place === 'service' || place === `${uid}/website`),
	mayBeUnknown: ({ wanted }, { exchanges }) =>
		exchanges.some((one) => isCrawlOf(one, wanted) && meaningOf(one) !== 'refused'),
	// What a lost answer or a refusal means, the lists tell.
	isNoFailure: (sent) =>
		sent.some(
			({ arrival: { operation }, ids }) =>
				operation === 'crawl' ||
				operation === 'processUrls' ||
				operation === 'list' ||
				(operation === 'add' && ids.length > 1),
		),
	isSentAfterFailure: ({ arrival: { operation = '' } }) =>
		['agent', 'add', 'remove', 'list', 'records', 'deleteWebsite'].includes(operation),
	canBeDone,
	promises: [
		{
			title: 'no website is crawled again in a run, unless the crawl before was surely not done',
			contradiction: (given) => crawledTwice(given, given.exchanges),
		},
		{
			title:
				'nor in the next run, where it is to be refreshed or where it has no page, at most once',
			contradiction: (given) => crawledTwice(given, given.next?.exchanges ?? []),
		},
		{
			title:
				'the next run does not crawl what is there, unless it is to be refreshed or has no page',
			contradiction: each(askedItems, ({ wanted }, given) => {
				const isAgain = (given.next?.exchanges ?? []).some((one) => isCrawlOf(one, wanted));
				const there = given.after.websites.filter((one) => isSite(one, wanted));
				const isRefreshed = given.scenario.options.ifSiteExists === 'refresh';
				const isThere = there.some(({ pages }) => pages.length > 0);
				const own = given.asked.map((one) => one.wanted).filter((one) => isSameSite(one, wanted));
				// Of several, the one that the agent has is meant, whatever became of the others.
				const isOpen =
					there.length === 1 && there.some(({ pages }) => pages.some((one) => isOpenFor(one, own)));
				if (!isAgain || !isThere || (isRefreshed && !isOpen)) return undefined;
				return `${wanted.addresses[0]} is crawled again`;
			}),
		},
		{
			title:
				'an address has one website after the next run, unless it had two before, or a crawl of what was there made another',
			contradiction: each(askedItems, ({ wanted }, { scenario, before, next }) => {
				const { sites = {}, crawling = {} } = scenario.variant.web ?? {};
				const isEmpty = sites[wanted.addresses[0] ?? '']?.pages.length === 0;
				const isCrawledAnew = isEmpty || scenario.options.ifSiteExists === 'refresh';
				if (crawling.secondScrape === 'second' && isCrawledAnew) return undefined;
				const count = (all: Played['before'] | undefined) =>
					all?.records.filter(({ sourceName }) => wanted.addresses.includes(sourceName)).length ??
					0;
				return count(next?.after) > Math.max(count(before), 1)
					? `${wanted.addresses[0]} is there ${count(next?.after)} times`
					: undefined;
			}),
		},
		{
			title: 'what is said to be with the agent is that very website',
			contradiction: each(askedItems, ({ index, wanted, reported }, given) => {
				const told = toldOf(reported);
				if (told.addedToAgent !== true || told.uniqueId === undefined) return undefined;
				const id = String(told.uniqueId);
				if (!wanted.addresses.includes(nameIn(given, id))) return `item ${index} has ${id}`;
				return attachedTo(wanted, given.after).includes(id)
					? undefined
					: `item ${index} is not at ${wanted.uid}`;
			}),
		},
		{
			title: 'an item that is done has its agent, and if it waits, a chosen page that was read',
			contradiction: each(askedItems, ({ index, wanted, reported }, given) => {
				const told = toldOf(reported);
				// A run that is set to stop says no more than that.
				if (reported.outputs.length === 0) return undefined;
				if (wanted.uid !== undefined && told.addedToAgent !== true) return `item ${index} has none`;
				if (!wanted.waits) return undefined;
				const isRead = given.sites
					.flat()
					.some(
						(site) =>
							site.uniqueId === told.uniqueId &&
							site.pages.some((one) => isChosen(one, wanted) && one.status === 'processed'),
					);
				return isRead && told.pagesOpen === 0 ? undefined : `item ${index} has no page`;
			}),
		},
		{
			title: 'the pages are counted as they were at some moment of the run',
			contradiction: each(askedItems, ({ index, wanted, reported }, { sites }) => {
				const told = toldOf(reported);
				if (told.pagesFound === undefined) return undefined;
				const isTrue = sites.some((all) =>
					all.some((site) => site.uniqueId === told.uniqueId && isCounted(site, told, wanted)),
				);
				return isTrue ? undefined : `item ${index} counts otherwise`;
			}),
		},
		{
			title: 'pages that no item of the address chooses are never asked for',
			contradiction: (given) =>
				first(given.exchanges, ({ arrival, ids: [id = ''] }) => {
					if (arrival.operation !== 'processUrls') return undefined;
					const excluded: unknown = Object(arrival.body).exclude;
					const name = nameIn(given, id);
					const own = given.asked.filter(({ wanted }) => wanted.addresses.includes(name));
					const at = given.log.findIndex(({ request }) => request === arrival.request);
					const site = given.sites[at + 1]?.find(({ uniqueId }) => uniqueId === id);
					const foreign = site?.pages.find(
						(one) =>
							!own.some(({ wanted }) => isChosen(one, wanted)) &&
							!(Array.isArray(excluded) && excluded.includes(one.urlId)) &&
							// While a crawl goes on, a page may come after the look.
							!given.scenario.variant.web?.crawling?.answersEarly,
					);
					return foreign && `${foreign.url} is asked for`;
				}),
		},
		{
			title:
				'a website leaves an agent only once another of the address is there, and read, for it',
			contradiction: ({ moments, sites, ...given }) =>
				first(moments.slice(1), (attached, at) =>
					first(attached, ([place, ids]) => {
						const left = (moments[at]?.get(place) ?? []).find((id) => !ids.includes(id));
						if (left === undefined || !place.endsWith('/website')) return undefined;
						const name = withoutSlash(nameIn({ ...given, moments, sites }, left));
						const isReplaced = sites[at + 1]?.some(
							(site) =>
								withoutSlash(site.url) === name &&
								ids.includes(site.uniqueId) &&
								site.pages.some(({ status }) => status === 'processed'),
						);
						return isReplaced ? undefined : `${left} leaves ${place}`;
					}),
				),
		},
		{
			title: 'a website that any agent has is not deleted',
			contradiction: ({ log, moments, exchanges }) =>
				first(exchanges, ({ arrival, ids: [id = ''] }) => {
					if (arrival.operation !== 'deleteWebsite') return undefined;
					const at = log.findIndex(({ request }) => request === arrival.request);
					const [place] = [...(moments[at] ?? [])].find(([, ids]) => ids.includes(id)) ?? [];
					return place && `${id} is deleted, and ${place} has it`;
				}),
		},
		{
			title:
				'an item that is said not to be done has brought nothing, and one that nobody knows of may have',
			contradiction: each(askedItems, (one, given) => {
				const { index, wanted, reported, requests } = one;
				if (isShared(one, given)) return undefined;
				const crawls = requests.filter((sent) => isCrawlOf(sent, wanted));
				const isBrought = broughtBy(one, given).length > 0 || crawls.some(({ applied }) => applied);
				switch (reported.outcome) {
					case 'not applied':
					case 'not sent':
						return isBrought ? `item ${index} is there` : undefined;
					case 'unknown':
						return isBrought || isUncertain(crawls, 'crawl') || given.stoppedAtMs !== undefined
							? undefined
							: `nobody needs to wonder about item ${index}`;
					case 'partly applied': {
						if (reported.error === undefined) return undefined;
						const id = String(reported.error.uniqueId);
						return wanted.addresses.includes(nameIn(given, id))
							? undefined
							: `item ${index}: ${id}`;
					}
					default:
						return undefined;
				}
			}),
		},
		{
			title: 'a website is not looked at without end',
			contradiction: (given) => {
				const minutes = given.scenario.options.maxIndexingMinutes ?? 10;
				// Four looks a minute, those at the beginning that are less far apart, and those before that.
				const most = given.scenario.items.length * (4 * minutes + 40);
				const looks = given.exchanges.filter(
					(one) => one.arrival.operation === 'discoveredUrls' && meaningOf(one) === 'done',
				).length;
				return looks > most ? `its pages are looked at ${looks} times` : undefined;
			},
		},
	],
	meets: {
		'a website crawled, read and given to an agent': hasTold(
			(told) => told.action === 'crawled' && told.addedToAgent === true && told.pagesOpen === 0,
		),
		'a website refreshed': hasTold(({ action }) => action === 'refreshed'),
		'a website gone on with': hasTold(({ action }) => action === 'continued'),
		'a website left alone': hasTold(({ action }) => action === 'unchanged'),
		'a website refused because it is there': hasSaid('already'),
		'two of an address': hasSaid('websites with the address'),
		'a crawl without a page': hasSaid('found no page at'),
		'no page that matches': hasSaid('matches '),
		'no page that can be read': hasSaid('was not able to index any page'),
		'waited for in vain': hasSaid('did not finish indexing'),
		'a lost crawl that is found': ({ exchanges }, reported) =>
			isUncertain(exchanges, 'crawl') && reported.some(({ outcome }) => outcome === 'applied'),
		'an old website taken from its agent, and deleted': ({ exchanges }) =>
			exchanges.some(({ arrival, applied }) => applied && arrival.operation === 'deleteWebsite'),
		'several items of one address': ({ scenario: { items } }) =>
			items.filter(({ json }) => String(json.url).startsWith(addressOf(0))).length > 1,
	},
	neverMeets: ['skipped'],
};

function ownersOf({ arrival, ids }: Exchange, played: Played<SiteWanted>): number[] {
	const names = [...(arrival.fileNames ?? []), ...ids.map((id) => nameIn(played, id))];
	const owners = played.scenario.items.flatMap(({ wanted }, index) => {
		if (typeof wanted === 'string') return [];
		const isThere = arrival.uid === undefined || arrival.uid === wanted.uid;
		const isOwn = names.length === 0 || wanted.addresses.some((name) => names.includes(name));
		return isThere && isOwn ? [index] : [];
	});
	// Which one of them has sent it, nobody can see.
	return owners.length > 1 ? [] : owners;
}

/** Undefined where it depends on more than what is said here. */
function canBeDone(one: Asked<SiteWanted>, given: Case<SiteWanted, Options>): boolean | undefined {
	const { wanted } = one;
	const { web: { sites = {}, crawling = {} } = {}, unindexedFiles } = given.scenario.variant;
	const address = withoutSlash(wanted.addresses[0] ?? '');
	if (wanted.uid === 'nobody') return false;
	if (isShared(one, given) || WEBSITES.some(({ sourceName }) => sourceName === address)) {
		return undefined;
	}
	const chosen = sites[address]?.pages.filter((page) => isChosen(page, wanted)) ?? [];
	if (chosen.length === 0) return false;
	const isReadable = chosen.some(({ fails = 0 }) => fails === 0);
	if (!wanted.waits) return isReadable && unindexedFiles !== 'refuse' ? true : undefined;
	if (!isReadable) return false;
	const isSlow =
		(crawling.processMs ?? 20) * 4 > (given.scenario.options.maxIndexingMinutes ?? 10) * 50_000;
	return isSlow || crawling.answersEarly ? undefined : true;
}

function crawledTwice({ asked }: Given, exchanges: Exchange[]): string | undefined {
	return first(asked, ({ wanted }) => {
		const crawls = exchanges.filter((one) => isCrawlOf(one, wanted));
		const open = crawls.filter((one) => meaningOf(one) !== 'refused');
		const again = crawls.find(
			({ arrival }) => arrival.request > (open[0]?.arrival.request ?? Infinity),
		);
		return again && `${again.arrival.fileNames?.join()} is crawled again`;
	});
}

function isCrawlOf({ arrival }: Exchange, { addresses }: SiteWanted): boolean {
	return (
		arrival.operation === 'crawl' &&
		addresses.some((address) => arrival.fileNames?.includes(address))
	);
}

function isSite({ url }: WebsiteShown, { addresses }: SiteWanted): boolean {
	return addresses.includes(url);
}

/** Whether another item may have done what this one says. */
function isShared({ index, wanted }: Asked<SiteWanted>, { asked }: Given): boolean {
	return asked.some((other) => other.index !== index && isSameSite(other.wanted, wanted));
}

function isSameSite(one: SiteWanted, other: SiteWanted): boolean {
	return one.addresses[0] === other.addresses[0];
}

function isChosen({ url }: { url: string }, { isMatching }: SiteWanted): boolean {
	return !isMatching || url.includes('/help/');
}

function isOpenFor(page: WebsiteShown['pages'][number], wanted: SiteWanted[]): boolean {
	const isOpen = page.status === 'discovered' || page.status === 'processing';
	return isOpen && wanted.every((one) => isChosen(page, one));
}

function isCounted({ pages }: WebsiteShown, told: Told, wanted: SiteWanted): boolean {
	const count = (...statuses: string[]) =>
		pages.filter(({ status }) => statuses.includes(status)).length;
	const open = pages.filter((one) => isOpenFor(one, [wanted])).length;
	return (
		told.pagesFound === pages.length &&
		told.pagesProcessed === count('processed') &&
		told.pagesFailed === count('failed') &&
		told.pagesOpen === open
	);
}

type Told = Record<string, unknown>;

function toldOf({ outputs: [told], error = {} }: Asked<SiteWanted>['reported']): Told {
	return told ?? error;
}

function hasTold(isTrue: (told: Told) => boolean): Operation<SiteWanted>['meets'][string] {
	return (_, reported) => reported.some((one) => isTrue(toldOf(one)));
}

function hasSaid(words: string): Operation<SiteWanted>['meets'][string] {
	return ({ run }) => run.stored.includes(words);
}

function withoutSlash(url: string): string {
	return url.replace(/\/$/, '');
}
