import type { Answer } from './answer';
import { readTextEntry } from './given';
import type { ReceivedRequest } from './log';
import type { Records } from './records';
import { APP_ID } from './records';
import { badRequest, refuse } from './refusal';

export function createText({ body }: ReceivedRequest, records: Records, status: number): Answer {
	const entry = readTextEntry(body);
	if (entry === undefined) return refuse(badRequest('title and text must be texts.'));
	const { title } = entry;
	const record = records.prepare({ sourceName: title, type: 'text-details', status: 'indexing' });
	const { uniqueId } = record;
	const fileName = textFileName(uniqueId);
	const s3Key = `${APP_ID}/text/${uniqueId.slice(0, 8)}/${fileName}`;
	return {
		status,
		body: () => ({
			success: true,
			message: 'Text detail created successfully',
			data: { uniqueId, title, fileName, s3Key, status: 'indexing' },
		}),
		change: () => {
			records.add(record);
			records.index(uniqueId);
		},
	};
}

/** Documented is only that a text is kept as a Markdown file. */
export function textFileName(uniqueId: string): string {
	return `${uniqueId}.md`;
}
