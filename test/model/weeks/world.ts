import type { RecordSeed, ServiceOptions } from '../../service/service';
import { nameOf } from '../serviceBehaviour';

/** Names with no document at the start, with one, and with two. */
export const NAMES = [nameOf(0), nameOf(1), nameOf(2)];
/** The second contains a token. */
export const TITLES = NAMES.map((name, at) => name.replace('.txt', at === 1 ? ' ?token=1' : ' h'));

export const FILE_IDS = ['file-0', 'file-1', 'file-2', 'file-3'];
export const TEXT_IDS = ['text-0', 'text-1', 'text-2'];
export const SITE_IDS = ['site-0', 'site-1', 'site-2'];
export const UNKNOWN_ID = 'nowhere-0';

/** URLs with no website at the start, with none, one and two. The second and third contain tokens. */
export const ADDRESSES = [
	'https://0.example.com/docs',
	'https://1.example.com/docs?key=1234567890abcdef',
	'https://2.example.com/docs?sig=ab%3D&token=fedc',
	'https://3.example.com/docs',
];

/** The documents at the start of a story, newest first. */
export const RECORDS: RecordSeed[] = [
	{ uniqueId: 'file-0', sourceName: NAMES[1] ?? '' },
	{ uniqueId: 'file-1', sourceName: NAMES[2] ?? '' },
	{ uniqueId: 'file-2', sourceName: NAMES[2] ?? '' },
	{ uniqueId: 'file-3', sourceName: 'elsewhere.pdf', status: 'failed' },
	{ uniqueId: 'text-0', sourceName: TITLES[1] ?? '', type: 'text-details' },
	{ uniqueId: 'text-1', sourceName: TITLES[2] ?? '', type: 'text-details' },
	{ uniqueId: 'text-2', sourceName: TITLES[2] ?? '', type: 'text-details' },
	{ uniqueId: 'site-0', sourceName: ADDRESSES[2] ?? '', type: 'website' },
	{ uniqueId: 'site-1', sourceName: ADDRESSES[3] ?? '', type: 'website' },
	{ uniqueId: 'site-2', sourceName: ADDRESSES[3] ?? '', type: 'website' },
	{ uniqueId: 'proof', sourceName: 'proof.pdf' },
	{ uniqueId: 'proof-text', sourceName: 'proof', type: 'text-details' },
	{ uniqueId: 'proof-site', sourceName: 'https://proof.example.com', type: 'website' },
];

/** Documents that prove the lists of agents for their source type. */
export const PROOF = [
	{ uid: 'guide', sourceType: 'uploads', ids: ['proof'] },
	{ uid: 'guide', sourceType: 'text', ids: ['proof-text'] },
	{ uid: 'guide', sourceType: 'website', ids: ['proof-site'] },
];

/** The IDs of documents that an agent may use at the start. */
export const HELD_IDS = [
	...FILE_IDS.map((id) => ({ sourceType: 'uploads', ids: [id] })),
	...TEXT_IDS.map((id) => ({ sourceType: 'text', ids: [id] })),
	...SITE_IDS.map((id) => ({ sourceType: 'website', ids: [id] })),
];

interface Page {
	url: string;
	fails?: number;
}

/** Returns the pages of a website. One can't be indexed, and the URL of another contains a token. */
export function pagesAt(address: string): Page[] {
	const start = address.replace(/\?.*/, '');
	const pages = ['help/1', 'help/2?token=fedcba0987654321', 'blog/1'];
	return [
		...pages.map((page) => ({ url: `${start}/${page}` })),
		{ url: `${start}/blog/2`, fails: Infinity },
	];
}

/** The beginnings of a URL that make no difference. */
export const PREFIXES = ['https://', 'http://', 'https://www.'];

/** A website whose URL is in no item. */
export const ELSEWHERE = 'https://elsewhere.example.org/en';

export const BARRIER = 'Just a moment...';

function sitesWith(more: { content?: string }): NonNullable<ServiceOptions['sites']> {
	const all = ADDRESSES.flatMap((address) =>
		PREFIXES.map((prefix): [string, { pages: Page[] }] => {
			const pages = pagesAt(address).map((page) => ({ ...page, ...more }));
			return [address.replace('https://', prefix), { pages }];
		}),
	);
	return Object.fromEntries(all);
}

export const sites = sitesWith({});

export const sitesWithBarrier = sitesWith({ content: BARRIER });

/** The existing websites are indexed. */
export const found: NonNullable<ServiceOptions['found']> = Object.fromEntries(
	SITE_IDS.map((id, at) => [
		id,
		pagesAt(ADDRESSES[at === 0 ? 2 : 3] ?? '').map(({ url, fails }, page) => ({
			url,
			urlId: `page-${at}-${page}`,
			status: fails === undefined ? ('processed' as const) : ('failed' as const),
		})),
	]),
);

export function kindOf(resource: string): string {
	return resource === 'text' || resource === 'website' ? resource : 'uploads';
}
