/** What could not be read went to no agent: reading it alone is not enough. */
const ONCE_MORE = 'Document: Retry Indexing (then Add Files, if an agent lacks it)';

/** What to do about a document that CometChat was not able to read. It gives no reason for that anywhere. */
export function remedyIfUnreadable(sourceType: string, named = 'it'): string {
	switch (sourceType) {
		case 'uploads':
			return `A file has to open, to have no password and to hold text: if it does, try ${ONCE_MORE}, otherwise delete ${named} with Document: Delete and upload a corrected one.`;
		case 'text':
			return `Try ${ONCE_MORE}; if it fails again, change ${named} with Text: Update: its ID stays, and the agents that have it keep it.`;
		default:
			return `Try ${ONCE_MORE}; if it fails again, delete ${named} with Document: Delete and crawl it anew.`;
	}
}

/** What to do about one that is indexed and holds no text: a clause, and sentences behind it. */
export function remedyIfEmpty(sourceType: string): string {
	return sourceType === 'website'
		? 'no agent can answer from it. Website: Get Pages shows whether its pages were read; if a script makes them, bring what they say with Document: Upload'
		: 'if it is a scan, no agent can answer from it. Replace it by a file whose text is recognised (OCR)';
}
