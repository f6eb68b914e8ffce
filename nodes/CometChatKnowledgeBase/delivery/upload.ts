import type { ItemLog } from '../operations/itemContext';
import type { FileInfo } from '../fields/fileInfo';
import type { InputFile } from '../fields/inputFiles';
import { withContent } from '../fields/inputFiles';
import { warnIfLarge } from '../fields/neverAccepted';
import { isSuccess } from '../http/attemptResult';
import { RateLimiter } from '../http/rateLimiter';
import { isRetryable, DEFAULT_RETRY_POLICY } from '../http/retryPolicy';
import type { SendResult } from '../http/sendRequest';
import { sendWithRetries } from '../http/sendRequest';
import { deleteOne, isUnknownDocument } from '../api/documents';
import type { Upload } from '../api/uploads';
import {
	initiateRequest,
	isStoredAlready,
	isUploadAddress,
	put,
	readStored,
	readUpload,
} from '../api/uploads';
import { nameWithId } from '../output/itemResult';
import type { Effect, Failure } from '../text/failure';
import { toResult, isFailure, UserError } from '../text/failure';
import { quoted, sentences } from '../text/quoting';
import { UPLOADS } from '../text/sourceTypes';
import type { Batch, Delivery } from './delivery';

/** One attempt to clean up, without a long pause, because retries would delay the item. */
const CLEANUP = { maxAttempts: 1, maxWaitMs: 10_000 };

/** Two attempts without a response are enough to know that the upload host is down. */
const POLICY = { ...DEFAULT_RETRY_POLICY, maxLateAttempts: 2 };

/** The age after which an upload URL may have expired. */
const URL_MS = 60_000;

/** Uploads the file of a delivery once an upload may start, and a second time if its upload URL has expired. */
export async function uploadFile(run: Batch, delivery: Delivery, file: InputFile): Promise<string> {
	return await run.uploads.run(async () => {
		const { clock } = run.finishing;
		const startedMs = clock.nowMs();
		const sent = await toResult(uploadOnce(run, delivery, file));
		if (!isFailure(sent)) return sent;
		if (sent.more.status === 409) throw withExisting(run, delivery, sent);
		const hasExpired = sent.more.status === 403 && clock.nowMs() - startedMs > URL_MS;
		if (!hasExpired) throw sent;
		if (delivery.leftover) noteEmpty(delivery);
		return await uploadOnce(run, delivery, file);
	});
}

/** CometChat may refuse a file that it already has. */
function withExisting(run: Batch, { name }: Delivery, refusal: Failure): Failure {
	const [found] = run.snapshot.documents.named(UPLOADS, name);
	if (found === undefined) return refusal;
	const existing = `CometChat has ${nameWithId({ name, uniqueId: found.uniqueId })}.`;
	return refusal.with({ detail: sentences(refusal.more.detail, existing) });
}

function noteEmpty({ item }: Delivery): void {
	const note = 'CometChat may have created an empty document for this file';
	if (!item.log.remarks.includes(note)) item.remark(note);
}

/**
 * Requests an upload URL, and sends the bytes to it. An empty document is deleted again if the account's list proves
 * that it is new. Otherwise, the row contains its ID.
 *
 * @returns The document's ID.
 */
async function uploadOnce(run: Batch, delivery: Delivery, file: InputFile): Promise<string> {
	const { item, name, agent } = delivery;
	let effect: Effect = 'not applied';
	const onLost = () => {
		effect = 'unknown';
		noteEmpty(delivery);
	};
	const options = { isSecret: true, onLost };
	const upload = await run.starting.call(initiateRequest(file), readUpload, options);
	item.count({ attempts: 1 });
	const { uploadId: uniqueId } = upload;
	if (run.createdIds.has(uniqueId)) throw sameId(file, uniqueId);
	run.createdIds.add(uniqueId);
	const { isListed, documents, agents } = run.snapshot;
	const users = agent === undefined ? [] : agents.usageOf(agent).agentsUsing(uniqueId);
	delivery.isExisting = users.length > 0 || documents.withId(uniqueId) !== undefined;
	const sent = await toResult(putBytes(run, item, upload, file));
	if (isFailure(sent)) {
		if (delivery.isExisting) throw sent.with({ hint: sentences(ofExisting(uniqueId), sent.hint) });
		if (isListed && (await isEntryDeleted(run, delivery, uniqueId))) {
			throw sent.with({ effect });
		}
		delivery.leftover = { uniqueId, name, isEmpty: true };
		item.log.created.push(delivery.leftover);
		throw sent;
	}
	if (!delivery.isExisting) item.log.created.push({ uniqueId, name: file.fileName });
	warnIfLarge(file, item);
	return uniqueId;
}

/** Whether a new empty document could be deleted. */
async function isEntryDeleted(
	run: Batch,
	{ sourceType }: Delivery,
	uniqueId: string,
): Promise<boolean> {
	const answer = await toResult(deleteOne(run.finishing, sourceType, uniqueId, CLEANUP));
	return !isFailure(answer) || isUnknownDocument(answer);
}

/** The advice for an existing document, which is never deleted, because agents may use it. */
function ofExisting(uniqueId: string): string {
	return `Check the content of the document with the ID ${uniqueId}: CometChat returned this ID, although the document existed before.`;
}

async function putBytes(
	run: Batch,
	item: ItemLog,
	{ presignedUrl }: Upload,
	file: InputFile,
): Promise<void> {
	if (!isUploadAddress(presignedUrl, run.account)) {
		throw new UserError(
			`CometChat returned an upload URL for ${quoted(file.fileName)} that is not encrypted`,
			'Contact CometChat support. The file was not uploaded.',
		);
	}
	const sent = await putRepeatedly(run, presignedUrl, file);
	item.count(sent);
	if (sent.value === undefined && !isStoredAlready(sent)) throw notUploaded(sent, file);
}

/** @throws UserError if n8n can't read the file to its end, without another attempt */
async function putRepeatedly(run: Batch, url: string, file: InputFile): Promise<SendResult> {
	const send = async () =>
		await withContent(file, async (content) => await put(run, url, file, content));
	// The host is not CometChat's, so it has its own pauses and limits.
	const pace = { rateLimiter: new RateLimiter(), clock: run.starting.clock };
	return await sendWithRetries(send, readStored, POLICY, pace);
}

/** The failure of two files with the same ID, because one would overwrite the other. */
function sameId({ fileName }: FileInfo, uniqueId: string): UserError {
	return new UserError(
		`CometChat returned the ID ${uniqueId} for ${quoted(fileName)} and for another file`,
		'Upload the file in a separate execution. The file was not uploaded.',
	);
}

/** The failure of an upload. The response may contain the upload URL, so it is not quoted. */
function notUploaded(
	{ lastResult, stopReason, effect }: SendResult,
	{ fileName }: FileInfo,
): Failure {
	const file = quoted(fileName);
	const retryHint = 'Run the item again. If this keeps happening, contact CometChat support.';
	const isStopped = lastResult?.kind === 'network failure' && lastResult.code === 'ERR_CANCELED';
	if (lastResult === undefined || stopReason === 'cancelled' || isStopped) {
		const title = `The execution stopped before ${file} was uploaded`;
		return new UserError(title, '', { retryHint, isCancelled: true, effect });
	}
	const cause = isRetryable(lastResult) ? ('temporarily-unavailable' as const) : undefined;
	const title = `CometChat's file storage did not confirm the upload of ${file}`;
	if (lastResult.kind === 'network failure') {
		const { code } = lastResult;
		const more = { effect, retryHint, cause, ...(code && { code }) };
		return new UserError(title, 'Check that the n8n server can reach the internet.', more);
	}
	const { status } = lastResult;
	const page = isSuccess(lastResult) ? ' and a web page' : '';
	const detail = `The file storage answered with status ${status}${page}.`;
	return new UserError(title, '', { effect, retryHint, cause, detail, status });
}
