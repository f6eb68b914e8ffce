import type { RecordSeed, KnowledgeRecord } from '../../service/service';

/** No scenario has more items. */
export const MOST_ITEMS = 5;

/** How a kind is called where it is deleted, and in the list. */
export const TYPE_OF_KIND: Record<string, KnowledgeRecord['type']> = {
	uploads: 'uploads',
	text: 'text-details',
	website: 'website',
};

export const KINDS = Object.keys(TYPE_OF_KIND);

const STATUSES = ['indexed', 'inSync', 'failed', 'indexing'] as const;

/** IDs that only the item at this place asks for. */
export function ownId(kind: string, index: number, at: number): string {
	return `${kind}-${index}-${at}`;
}

export const SHARED_IDS = ['shared-0', 'shared-1'];

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

/** The old version that the item at this place replaces, and no other. */
export function oldVersion(index: number): { uniqueId: string; sourceName: string } {
	return { uniqueId: `old-${index}`, sourceName: `document-${index}.pdf` };
}

/** A name that two uploads have, one on each page of the list. */
export const TWINS = 'twin.pdf';

/** A name that only a text has. */
export const TEXT_NAME = 'text.pdf';

/** One page of the list and a little more: the oldest come first here, and last there. */
export const OLD_VERSIONS: RecordSeed[] = [
	{ sourceName: TWINS, uniqueId: 'twin-0' },
	...Array.from({ length: MOST_ITEMS }, (_, index) => oldVersion(index)),
	{ sourceName: TEXT_NAME, uniqueId: 'text-0', type: 'text-details' },
	// Of the same name, and no upload.
	{ ...oldVersion(0), uniqueId: 'text-1', type: 'text-details' },
	...Array.from({ length: 96 }, (_, place) => seed(`filler-${place}`, 'uploads', place)),
	oldVersion(MOST_ITEMS),
	{ sourceName: TWINS, uniqueId: 'twin-1' },
];

function seed(uniqueId: string, type: KnowledgeRecord['type'] = 'uploads', place = 0): RecordSeed {
	const status = STATUSES[place % STATUSES.length];
	return { uniqueId, sourceName: `${uniqueId}.md`, type, status };
}
