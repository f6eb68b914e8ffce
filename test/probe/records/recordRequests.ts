import { readPathValue } from '../../../nodes/CometChatKnowledgeBase/input/identifiers';
import { isRecord } from '../../../nodes/CometChatKnowledgeBase/values/complaint';
import type { DocumentInfo } from '../../../nodes/CometChatKnowledgeBase/input/document';
import { recordsRequest } from '../../../nodes/CometChatKnowledgeBase/service/records';
import type { Reply } from '../../../nodes/CometChatKnowledgeBase/requests/reply';
import { isSuccess } from '../../../nodes/CometChatKnowledgeBase/requests/reply';
import type { HttpRequest } from '../client';

/** What an address calls a kind of record that the probe makes. */
export type Kind = 'uploads' | 'text';

/** With the parameters that the service's pages call required, and the node leaves out. */
export function boundedRecordsRequest(nowMs: number): HttpRequest {
	const request = recordsRequest();
	return { ...request, qs: { ...request.qs, start: 0, end: nowMs } };
}

/** An ID that can be deleted by: as part of an address it must not lead to another one. */
export function isSafeId(id: unknown): id is string {
	return typeof id === 'string' && readPathValue(id, '', '') === id;
}

/** An entry of the answer to an initiate, as the node needs it. */
export interface Announced {
	id: string;
	address: string;
}

/** Undefined unless there is one address for each file, in the order asked: the node takes no other. */
export function announcedIn(reply: Reply, files: DocumentInfo[]): Announced[] | undefined {
	const entries = entriesOf(reply);
	if (entries?.length !== files.length) return undefined;
	const announced = entries.flatMap((entry, at): Announced[] => {
		const { uploadId, presignedUrl, fileName } = entry;
		if (!isSafeId(uploadId) || typeof presignedUrl !== 'string') return [];
		const isNamed = files.length === 1 || fileName === files[at]?.fileName;
		return isNamed ? [{ id: uploadId, address: presignedUrl }] : [];
	});
	return announced.length === files.length ? announced : undefined;
}

/** The names in the answer to an initiate, without their values. */
export function announcedFields(reply: Reply): string {
	const body = reply.kind === 'answer' && isRecord(reply.body) ? reply.body : {};
	const [first] = entriesOf(reply) ?? [];
	const fields = `{${Object.keys(body).join(', ')}}`;
	return first === undefined ? fields : `${fields} with {${Object.keys(first).join(', ')}}`;
}

function entriesOf(reply: Reply): Array<Record<string, unknown>> | undefined {
	const uploads = isSuccess(reply) && isRecord(reply.body) ? reply.body.uploads : undefined;
	return Array.isArray(uploads) ? uploads.filter(isRecord) : undefined;
}

/** Of an answer to the making of a text. */
export function textIdIn(reply: Reply): string | undefined {
	const data = isSuccess(reply) && isRecord(reply.body) ? reply.body.data : undefined;
	const id = isRecord(data) ? data.uniqueId : undefined;
	return isSafeId(id) ? id : undefined;
}
