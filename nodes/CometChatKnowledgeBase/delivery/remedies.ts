/** Indexing alone is not enough: a document that could not be indexed was added to no agent. */
const RETRY = "run 'Document: Retry Indexing', and then 'Add Files'";

/** Returns the advice for a document that CometChat could not index. CometChat reports no reason for this anywhere. */
export function remedyIfUnreadable(
	sourceType: string,
	{ named = 'the document', isReplacing = false } = {},
): string {
	// Otherwise, the agent would use both versions.
	const retry = isReplacing ? `${RETRY}, and 'Remove Files' for the old version` : RETRY;
	switch (sourceType) {
		case 'uploads':
			return `Check that the file opens, has no password and contains text. If so, ${retry}. If not, delete ${named} with 'Document: Delete', and upload a corrected file.`;
		case 'text':
			return `Run 'Document: Retry Indexing'. If indexing fails again, change ${named} with 'Text Entry: Update'. Its ID and its agents stay the same.`;
		default:
			return `First ${retry}. If indexing fails again, remove ${named} from its agents, delete it with 'Document: Delete', and crawl the website again.`;
	}
}

/** Returns the advice for an indexed document without text, as sentences without the last full stop. */
export function remedyIfEmpty(sourceType: string): string {
	return sourceType === 'website'
		? "Agents can't answer from the website. 'Website: Get Pages' shows which pages were indexed. If a script creates the pages, upload their content as a file instead"
		: "If the file is a scan, agents can't answer from it. Replace it with a searchable version (use OCR)";
}
