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
		const sent = run.context.helpers.httpRequest(optionsFor(url, file, content, signal));
		const reply = await toAttemptResult(sent, new Redaction(run.account));
		if (broken && reply.kind === 'network failure') throw broken;
		return reply;
	}).finally(() => ended.abort());
}

const SILENCE_MS = 60_000;

/** Twenty uploads share a line of 2.6 megabits a second. */
const SLOWEST_BYTES_PER_SECOND = 16 * 1024;

/**
 * Ends when an upload is to be closed: no byte was taken for a minute. There is more time for the bytes that the system
 * may hold, because it takes no more until it has sent a part of them.
 */
export async function untilSilent(clock: Clock, progress: Readonly<Progress>): Promise<void> {
	const sendingMs = Math.round((progress.heldBytes / SLOWEST_BYTES_PER_SECOND) * 1000);
	for (let before = -1; before !== progress.bytes;) {
		before = progress.bytes;
		await clock.delay(SILENCE_MS + sendingMs);
	}
}

function optionsFor(
	url: string,
	file: InputFile,
	content: Content,
	signal: AbortSignal,
): IHttpRequestOptions {
	return {
		method: 'PUT',
		url,
		body: content,
		headers: { 'Content-Type': file.mimeType, 'Content-Length': file.fileSize },
		// `untilSilent` decides: without a value, n8n would close a slow upload after five minutes.
		timeout: DAY_MS,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// Followed, the client would keep the whole file in memory to send it again.
		disableFollowRedirect: true,
		get abortSignal() {
			return signal;
		},
		// In an execution, the helper would put the execution's own here, which knows nothing of a silent upload.
		set abortSignal(_) {},
	};
}

const DAY_MS = 86_400_000;

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
