import type { Answer } from './answer';
import type { Holdings } from './holdings';
import type { ReceivedRequest } from './log';
import type { KnowledgeRecord, SourceType } from './records';
import { sourceTypeOf } from './records';
import type { Envelope } from './refusal';
import { noSuchFile, refuse } from './refusal';
import { textFileName } from './texts';

export interface DeletionOptions {
	/** Whether deleting takes a file away from the agents; 'detach' if left out, as documented. */
	deleting?: 'detach' | 'keepAttached';
}

/** What the answer to a deletion says of what was deleted. */
const WORDS: Record<SourceType, { message: string; names(record: KnowledgeRecord): object }> = {
	uploads: {
		message: 'File deleted successfully',
		names: ({ uniqueId, sourceName }) => {
			return { uploadId: uniqueId, fileName: sourceName, s3FileDeleted: true };
		},
	},
	text: {
		message: 'Text detail deleted successfully',
		names: ({ uniqueId }) => ({ uniqueId, fileName: textFileName(uniqueId) }),
	},
	website: {
		message: 'Website deleted successfully',
		names: ({ uniqueId }) => ({ uniqueId }),
	},
};

/** Deletes a source for good. One of another kind is as unknown as any (undocumented). */
export function deleteSource(
	{ uniqueId = '' }: ReceivedRequest,
	type: SourceType,
	{ records, uploads, websites, knowledgeBases }: Holdings,
	{ deleting = 'detach' }: DeletionOptions,
	envelope: Envelope,
): Answer {
	const upload = type === 'uploads' ? uploads.get(uniqueId) : undefined;
	const record = records.get(uniqueId) ?? upload?.record;
	if (record === undefined || sourceTypeOf(record.type) !== type)
		return refuse(noSuchFile(uniqueId, envelope));
	const detaches = deleting === 'detach';
	const done = { deletedFromAgents: detaches, vectorsDeleted: true };
	const { message, names } = WORDS[type];
	const body = { success: true, message, data: { ...names(record), ...done } };
	const change = () => {
		records.remove(uniqueId);
		uploads.remove(uniqueId);
		websites.remove(uniqueId);
		if (detaches) knowledgeBases.detach(uniqueId);
	};
	return { status: 200, body: () => body, change };
}
