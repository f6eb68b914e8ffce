import type { Answer } from './answer';
import type { KnowledgeBases } from './knowledgeBases';
import type { ReceivedRequest } from './log';
import type { Records, RecordType } from './records';
import type { Envelope } from './refusal';
import { noSuchFile, refuse } from './refusal';
import { textFileName } from './texts';
import type { Uploads } from './uploads';

export interface DeletionOptions {
	/** Whether deleting takes a file away from the agents; 'detach' if left out, as documented. */
	deleting?: 'detach' | 'keepAttached';
}

/** What a deletion touches. */
export interface Deleting {
	records: Records;
	uploads: Uploads;
	knowledgeBases: KnowledgeBases;
}

/** Deletes a file or a text for good. One of the other kind is as unknown as any (undocumented). */
export function deleteSource(
	{ uniqueId = '' }: ReceivedRequest,
	type: RecordType,
	{ records, uploads, knowledgeBases }: Deleting,
	{ deleting = 'detach' }: DeletionOptions,
	envelope: Envelope,
): Answer {
	const upload = type === 'uploads' ? uploads.get(uniqueId) : undefined;
	const record = records.get(uniqueId) ?? upload?.record;
	if (record?.type !== type) return refuse(noSuchFile(uniqueId, envelope));
	const detaches = deleting === 'detach';
	const done = { deletedFromAgents: detaches, vectorsDeleted: true };
	const body =
		type === 'uploads'
			? {
					success: true,
					message: 'File deleted successfully',
					data: {
						uploadId: uniqueId,
						fileName: record.sourceName,
						...done,
						s3FileDeleted: true,
					},
				}
			: {
					success: true,
					message: 'Text detail deleted successfully',
					data: { uniqueId, fileName: textFileName(uniqueId), ...done },
				};
	const change = () => {
		records.remove(uniqueId);
		uploads.remove(uniqueId);
		if (detaches) knowledgeBases.detach(uniqueId);
	};
	return { status: 200, body: () => body, change };
}
