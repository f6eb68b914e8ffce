import fc from 'fast-check';

import type { RecordSeed, KnowledgeRecord } from '../service/service';
import { oneIn } from './drafting';

/** All but 'nobody' exist. Two differ only in case. */
export const AGENTS = ['support-bot', 'Support-Bot', 'guide', 'nobody'];

export const KNOWN_AGENTS = AGENTS.filter((uid) => uid !== 'nobody');

/** No scenario has more items. */
export const MOST_ITEMS = 5;

/** How a kind is called where it is deleted, and in the list. */
const TYPE_OF_KIND: Record<string, KnowledgeRecord['type']> = {
	uploads: 'uploads',
	text: 'text-details',
	website: 'website',
};

export const KINDS = Object.keys(TYPE_OF_KIND);

const STATUSES = ['indexed', 'inSync', 'failed', 'indexing'] as const;

/** IDs that only the item at this place asks for. */
function ownId(kind: string, index: number, at: number): string {
	return `${kind}-${index}-${at}`;
}

const SHARED_IDS = ['shared-0', 'shared-1'];

/** Not in the service. */
export const UNKNOWN_IDS: [string, string] = ['nowhere-0', 'nowhere-1'];

/** More than two pages of the list. */
export const DOCUMENTS: RecordSeed[] = [
	...KINDS.flatMap((kind) =>
		Array.from({ length: 3 * MOST_ITEMS }, (_, place) =>
			seed(ownId(kind, Math.floor(place / 3), place % 3), TYPE_OF_KIND[kind], place),
		),
	),
	...SHARED_IDS.map((id, place) => seed(id, 'uploads', place)),
	...Array.from({ length: 160 }, (_, place) =>
		seed(`filler-${place}`, place % 7 === 0 ? 'text-details' : 'uploads', place),
	),
];

/** For operations that look at no other records than their own. */
export const FEW_RECORDS: RecordSeed[] = DOCUMENTS.slice(0, 5);

/** IDs that an item asks for: its own, such as others have, too, and such as are not there. */
export const someIds = fc
	.record({
		own: fc.integer({ min: 0, max: 3 }),
		shared: fc.subarray(SHARED_IDS),
		unknown: oneIn(4, fc.constantFrom(...UNKNOWN_IDS)),
	})
	.map(({ own, shared, unknown }) => (kind: string, index: number): string[] => {
		const owned = Array.from({ length: own }, (_, at) => ownId(kind, index, at));
		// Those that items share are uploads.
		const others = [...(kind === 'uploads' ? shared : []), ...(unknown ? [unknown] : [])];
		const all = [...owned.slice(0, 1), ...others, ...owned.slice(1)];
		return all.length === 0 ? [ownId(kind, index, 0)] : all;
	});

export function seed(
	uniqueId: string,
	type: KnowledgeRecord['type'] = 'uploads',
	place = 0,
): RecordSeed {
	const status = STATUSES[place % STATUSES.length];
	return { uniqueId, sourceName: `${uniqueId}.md`, type, status };
}
