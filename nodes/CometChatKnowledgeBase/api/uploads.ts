import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import type { Account } from '../http/account';
import { Redaction } from '../http/redaction';
import { addressId, list, shape, text } from './shape';
import type { FileInfo } from '../fields/fileInfo';
import type { InputFile, Content, Progress } from '../fields/inputFiles';
import { watchContent } from '../fields/inputFiles';
import type { AttemptResult } from '../http/attemptResult';
import { toAttemptResult } from '../http/attemptResult';
import type { SendResult } from '../http/sendRequest';
import type { Clock } from '../http/time';
import { createAbortableClock, sendUntil } from '../http/time';
import { optionsFor } from '../http/transport';
import { UserError } from '../text/failure';
import type { Json } from '../text/json';
import { toUrl } from '../text/text';
import { JSON_BODY, KNOWLEDGE_BASE } from './documents';

/** The reserved place for a file. */
export interface Upload {
	uploadId: string;
	/** The URL that accepts the bytes. It allows anybody to write the file, so no row, message or log contains it. */
	presignedUrl: string;
}

/**
 * The request "Initiate file uploads" (https://www.cometchat.com/docs/ai-agents/apis/initiate-file-uploads), for one
 * file: for several files, nothing promises which URL belongs to which file. Built on that page, not tried. It is
 * repeated after a lost response: that may leave an empty document, which no agent uses.
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
			// Valid as a part of a URL, because other requests contain it there.
			uploadId: addressId,
			presignedUrl: text,
		}),
	),
});

/** Reads an upload; undefined unless there is exactly one. */
export function readUpload(body: Json | undefined): Upload | undefined {
	const [upload, another] = readUploads(body)?.uploads ?? [];
	return another === undefined ? upload : undefined;
}

/**
 * Sends a file to its upload URL. The method and the headers are not documented; S3's presigned URLs accept `PUT` with
 * the announced type. Sent without n8n's authentication: the API key is only for CometChat.
 */
export async function put(
	run: { context: IExecuteFunctions; account: Account; stop: AbortSignal },
	url: string,
	file: InputFile,
	content: Content,
): Promise<AttemptResult> {
	const late = new AbortController();
	const ended = new AbortController();
	const clock = createAbortableClock(AbortSignal.any([run.stop, ended.signal]));
	return await sendUntil(late.signal, run.stop, async (signal) => {
		let broken: UserError | undefined;
		const progress = watchContent(content, file, (error) => {
			if (!signal.aborted) broken ??= error;
		});
		void untilSilent(clock, progress).then(() => late.abort());
		const request = putRequest(url, file, content);
		const sent = run.context.helpers.httpRequest(optionsFor(request, DAY_MS, signal));
		const reply = await toAttemptResult(sent, new Redaction(run.account));
		if (broken && reply.kind === 'network failure') throw broken;
		return reply;
	}).finally(() => ended.abort());
}

function putRequest(url: string, file: InputFile, content: Content): IHttpRequestOptions {
	return {
		method: 'PUT',
		url,
		body: content,
		headers: { 'Content-Type': file.mimeType, 'Content-Length': file.fileSize },
		// To follow a redirect, the client would keep the whole file in memory.
		disableFollowRedirect: true,
	};
}

const SILENCE_MS = 60_000;

/** Twenty uploads share a connection of 2.6 megabits per second. */
const SLOWEST_BYTES_PER_SECOND = 16 * 1024;

/**
 * Ends when an upload is to be stopped: no byte was accepted for a minute. Bytes that the system may buffer get more
 * time, because the system accepts no more until it has sent a part of them.
 */
export async function untilSilent(clock: Clock, progress: Readonly<Progress>): Promise<void> {
	const sendingMs = Math.round((progress.heldBytes / SLOWEST_BYTES_PER_SECOND) * 1000);
	for (let before = -1; before !== progress.bytes;) {
		before = progress.bytes;
		await clock.delay(SILENCE_MS + sendingMs);
	}
}

/** `untilSilent` ends a slow upload: without a value, n8n would end it after five minutes. */
const DAY_MS = 86_400_000;

/** Reads the response of a storage, which has no text. A web page comes from another server. */
export function readStored(body: Json | undefined): true | undefined {
	return typeof body === 'string' && /^\s*</.test(body) ? undefined : true;
}

/** Whether an earlier attempt with a lost response stored the file: a used upload URL refuses another attempt. */
export function isStoredAlready({ effect, lastResult }: SendResult): boolean {
	return effect === 'unknown' && lastResult?.kind === 'response' && lastResult.status === 412;
}

/** Whether an upload URL is safe: HTTPS, or the host and protocol of a local CometChat in tests. */
export function isUploadAddress(address: string, { baseUrl }: Account): boolean {
	const url = toUrl(address);
	const service = new URL(baseUrl);
	const isLocal = url?.protocol === service.protocol && url.hostname === service.hostname;
	return isLocal || url?.protocol === 'https:';
}
