/**
 * The five file types of CometChat's 'Properties and constraints', by the ending of the name, with
 * the media types that go with each (the page names no media types; these are the usual ones).
 */
const MEDIA_TYPES: Record<string, string[]> = {
	pdf: ['application/pdf'],
	txt: ['text/plain'],
	docx: ['application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
	csv: ['text/csv'],
	md: ['text/markdown', 'text/x-markdown'],
};

/** Whether name and media type both show one of the five, and the same. */
export function isTakenType(fileName: string, mimeType: string): boolean {
	const ending = fileName.includes('.') ? fileName.split('.').at(-1)?.toLowerCase() : undefined;
	const media = mimeType.split(';')[0]?.trim().toLowerCase() ?? '';
	return Object.entries(MEDIA_TYPES).some(
		([taken, medias]) => ending === taken && medias.includes(media),
	);
}
