/** A kind of document in a knowledge base, as a user picks it. */
export interface SourceType {
	name: string;
	/** The part of the service's addresses that says it. */
	value: string;
	/** The `type` of the service's records, where it differs. */
	recordType?: string;
	description: string;
}

/** As CometChat calls the kind of document that a file becomes. */
export const UPLOADS = 'uploads';

/** The source type of text entries. */
export const TEXT = 'text';

/** The source type of websites. */
export const WEBSITE = 'website';

/** Those that the service's public addresses name. */
export const SOURCE_TYPES: SourceType[] = [
	{
		name: 'Uploads',
		value: 'uploads',
		description: 'Files that were uploaded, such as PDF or Word',
	},
	{
		name: 'Text',
		value: 'text',
		recordType: 'text-details',
		description: 'Text entries that were created in CometChat',
	},
	{ name: 'Website', value: 'website', description: 'Websites that CometChat crawled' },
];

/** Undefined for anything that is none of `SOURCE_TYPES`, by value or as the records' `type` says it. */
export function findSourceType(value: unknown): string | undefined {
	// Uploads and websites have no `recordType`.
	if (value === undefined) return undefined;
	return SOURCE_TYPES.find((one) => one.value === value || one.recordType === value)?.value;
}

/**
 * The source type of a record of the list.
 *
 * The service's word for a website is not documented; `website` is what its other addresses say. Whatever
 * is neither an upload nor a text therefore counts as one: better too much than nothing.
 *
 * @param type The record's own; left out where it has none: most are uploads.
 */
export function sourceTypeOf(type: string = UPLOADS): string {
	return findSourceType(type) ?? 'website';
}
