import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import type { Account } from '../http/account';
import { Redaction } from '../http/redaction';
import { addressId, list, shape, text } from './shape';
import type { FileInfo } from '../fields/fileInfo';
import type { InputFile, Content } from '../fields/inputFiles';
import { watchContent } from '../fields/inputFiles';
import type { AttemptResult } from '../http/attemptResult';
import { toAttemptResult } from '../http/attemptResult';
import type { SendResult } from '../http/sendRequest';
import { UserError } from '../text/failure';
import type { Json } from '../text/json';
import { JSON_BODY, KNOWLEDGE_BASE } from './documents';

/** Where the service has made room for a file. */
export interface Upload {
	uploadId: string;
	/** The bytes go to this URL. Whoever has the URL may write there, so that no row, message or log contains it. */
	presignedUrl: string;
}

/**
 * Initiate file uploads (https://www.cometchat.com/docs/ai-agents/apis/initiate-file-uploads), for one file: of several,
 * nothing promises which address is whose. Built on that page, not tried. Repeated when its answer is lost: what may be
 * left behind is a record without bytes, which no agent has.
 */
export function initiateRequest({ fileName, mimeType, fileSize }: FileInfo) {
	return {
		method: 'POST' as const,
		url: `${KNOWLEDGE_BASE}/uploads/initiate`,
		headers: JSON_BODY,
		body: { files: [{ fileName, mimeType, fileSize }] },
	};
}

const readUploads = shape({
	uploads: list<Upload>(
		shape({
			// It will be a part of addresses.
			uploadId: addressId,
			presignedUrl: text,
		}),
	),
});

/** Undefined unless there is one address. */
export function readUpload(body: Json | undefined): Upload | undefined {
	const [upload, another] = readUploads(body)?.uploads ?? [];
	return another === undefined ? upload : undefined;
}

/**
 * The verb and the headers are not documented; `PUT` with the announced type is what presigned
 * addresses of S3 take. Without n8n's authentication: the API key is the service's alone.
 */
export async function put(
	{ context, account }: { context: IExecuteFunctions; account: Account },
	url: string,
	file: InputFile,
	{ content, timeoutMs, signal }: { content: Content; timeoutMs: number; signal: AbortSignal },
): Promise<AttemptResult> {
	let broken: UserError | undefined;
	watchContent(content, file, (error) => {
		if (!signal.aborted) broken ??= error;
	});
	const options: IHttpRequestOptions = {
		method: 'PUT',
		url,
		body: content,
		headers: { 'Content-Type': file.mimeType, 'Content-Length': file.fileSize },
		// Not shorter for silence: what the system has taken may be under way still.
		timeout: timeoutMs,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// Followed, the client would keep the whole file in memory to send it again.
		disableFollowRedirect: true,
		abortSignal: signal,
	};
	const reply = await toAttemptResult(context.helpers.httpRequest(options), new Redaction(account));
	if (broken && reply.kind === 'network failure') throw broken;
	return reply;
}

/** A storage says nothing beside its 200; a web page or an error is somebody else's. */
export function readStored(body: Json | undefined): true | undefined {
	return typeof body === 'string' && /^\s*</.test(body) ? undefined : true;
}

/** An earlier attempt whose answer was lost has arrived, if the address is used up for a later one. */
export function isStoredAlready({ effect, lastResult }: SendResult): boolean {
	return effect === 'unknown' && lastResult?.kind === 'response' && lastResult.status === 412;
}

/** Without encryption only where the service itself is on this machine, for tests. */
export function isUploadAddress(address: string, { baseUrl }: Account): boolean {
	try {
		const { protocol, hostname } = new URL(address);
		const service = new URL(baseUrl);
		return (
			protocol === 'https:' || (protocol === service.protocol && hostname === service.hostname)
		);
	} catch {
		return false;
	}
}
