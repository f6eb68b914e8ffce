/** A source type of documents, with its texts for users. */
export interface SourceType {
	name: string;
	/** The part of CometChat's URLs for this type. */
	value: string;
	/** The `type` of CometChat's documents, if it differs. */
	recordType?: string;
	description: string;
}

/** CometChat's source type of uploaded files. */
export const UPLOADS = 'uploads';

export const TEXT = 'text';

export const WEBSITE = 'website';

/** The source types in the URLs of CometChat's public pages. */
export const SOURCE_TYPES: SourceType[] = [
	{
		name: 'Uploaded Files',
		value: 'uploads',
		description: 'Files that were uploaded, such as PDF or Word',
	},
	{
		name: 'Text Entries',
		value: 'text',
		recordType: 'text-details',
		description: 'Text entries that were created in CometChat',
	},
	{ name: 'Websites', value: 'website', description: 'Websites that CometChat crawled' },
];

/** Returns the source type of a value or of a document's `type`; undefined for other values. */
export function findSourceType(value: unknown): string | undefined {
	// Uploads and websites have no `recordType`.
	if (value === undefined) return undefined;
	return SOURCE_TYPES.find((one) => one.value === value || one.recordType === value)?.value;
}

/**
 * Returns the source type of a listed document; without a type, it is an upload. CometChat doesn't document the `type`
 * of websites, so any unknown type means a website.
 */
export function sourceTypeOf(type: string = UPLOADS): string {
	return findSourceType(type) ?? 'website';
}
