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
import { attachedIds } from '../api/agents';
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
import type { Failure } from '../text/failure';
import { toResult, isFailure, UserError } from '../text/failure';
import { quoted, sentences } from '../text/quoting';
import { UPLOADS } from '../text/sourceTypes';
import type { Batch, Delivery } from './delivery';
import { detailsOfEach } from './existing';

/** One cleanup attempt, without a long pause: retries would hold up the item. */
const CLEANUP = { maxAttempts: 1, maxWaitMs: 10_000 };

/** A dead upload host answers neither the first attempt nor the second. */
const POLICY = { ...DEFAULT_RETRY_POLICY, maxLateAttempts: 2 };

/** An upload URL that is older may have expired. */
const URL_MS = 60_000;

/** Uploads the file of a delivery when there is a place for it, and once more if its upload URL has expired. */
export async function uploadFile(run: Batch, delivery: Delivery, file: InputFile): Promise<string> {
	return await run.uploads.run(async () => {
		const { clock } = run.finishing;
		const startedMs = clock.nowMs();
		const sent = await toResult(uploadOnce(run, delivery, file));
		if (!isFailure(sent)) return sent;
		if (sent.more.status === 409) throw sent.with({ detail: withExisting(run, delivery, sent) });
		const hasExpired = sent.more.status === 403 && clock.nowMs() - startedMs > URL_MS;
		if (!hasExpired) throw sent;
		if (delivery.leftover) noteEmpty(delivery);
		return await uploadOnce(run, delivery, file);
	});
}

/** CometChat may refuse a file that it has already. */
function withExisting(run: Batch, { name }: Delivery, { more }: Failure): string {
	const existing = detailsOfEach(run, run.snapshot.documents.named(UPLOADS, name));
	return sentences(more.detail, existing !== '' && `CometChat has ${quoted(name)}: ${existing}.`);
}

function noteEmpty({ item }: Delivery): void {
	const note = 'CometChat may have created an empty document for this file';
	if (!item.log.remarks.includes(note)) item.remark(note);
}

/**
 * Asks CometChat for an upload URL, and sends the bytes there. An entry that got no bytes is deleted again if the account's
 * list proves that it is new; otherwise the row names it.
 *
 * @returns The ID of the document.
 */
async function uploadOnce(run: Batch, delivery: Delivery, file: InputFile): Promise<string> {
	const { item, name, agent } = delivery;
	const options = { isSecret: true, onLost: () => noteEmpty(delivery) };
	const upload = await run.starting.call(initiateRequest(file), readUpload, options);
	item.count({ attempts: 1 });
	const { uploadId: uniqueId } = upload;
	if (run.createdIds.has(uniqueId)) throw sameId(file, uniqueId);
	run.createdIds.add(uniqueId);
	const { isListed, documents } = run.snapshot;
	const isOfAgent = agent !== undefined && attachedIds(agent).includes(uniqueId);
	delivery.isExisting = isOfAgent || documents.withId(uniqueId) !== undefined;
	const sent = await toResult(putBytes(run, item, upload, file));
	if (isFailure(sent)) {
		if (delivery.isExisting) throw sent.with({ hint: sentences(ofExisting(uniqueId), sent.hint) });
		if (isListed && (await isEntryDeleted(run, delivery, uniqueId))) {
			throw sent.with({ effect: 'not applied' });
		}
		delivery.leftover = { uniqueId, name, isEmpty: true };
		item.log.created.push(delivery.leftover);
		throw sent;
	}
	if (!delivery.isExisting) item.log.created.push({ uniqueId, name: file.fileName });
	warnIfLarge(file, item);
	return uniqueId;
}

/** Tries to delete a new entry without content. */
async function isEntryDeleted(
	run: Batch,
	{ sourceType }: Delivery,
	uniqueId: string,
): Promise<boolean> {
	const answer = await toResult(deleteOne(run.finishing, sourceType, uniqueId, CLEANUP));
	return !isFailure(answer) || isUnknownDocument(answer);
}

/** An existing document is never deleted, since agents may use it. */
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

/** @throws UserError if n8n cannot read the file to its end, which is not tried again. */
async function putRepeatedly(run: Batch, url: string, file: InputFile): Promise<SendResult> {
	const send = async () =>
		await withContent(file, async (content) => await put(run, url, file, content));
	// The host is another than CometChat's: it has its own pauses and limits.
	const pace = { rateLimiter: new RateLimiter(), clock: run.starting.clock };
	return await sendWithRetries(send, readStored, POLICY, pace);
}

/** Two files with one ID would overwrite each other. */
function sameId({ fileName }: FileInfo, uniqueId: string): UserError {
	return new UserError(
		`CometChat returned the ID ${uniqueId} for ${quoted(fileName)} and for another file`,
		'Upload the file in a separate execution. The file was not uploaded.',
	);
}

/** The response of the upload host is not quoted: it repeats the URL, and whoever has the URL may write there. */
function notUploaded(
	{ lastResult, stopReason, effect }: SendResult,
	{ fileName }: FileInfo,
): Failure {
	const file = quoted(fileName);
	const retryHint = 'Upload the file again. If this keeps happening, contact CometChat support.';
	const isStopped = lastResult?.kind === 'network failure' && lastResult.code === 'ERR_CANCELED';
	if (lastResult === undefined || stopReason === 'cancelled' || isStopped) {
		const title = `The execution stopped before ${file} was uploaded`;
		return new UserError(title, '', { retryHint, isCancelled: true, effect });
	}
	const more = {
		effect,
		retryHint,
		...(isRetryable(lastResult) && { cause: 'temporarily-unavailable' as const }),
	};
	const title = `The upload URL did not confirm that ${file} arrived`;
	if (lastResult.kind === 'network failure') {
		const { code } = lastResult;
		const detail = `The upload host didn't answer${code === '' ? '' : ` (${code})`}.`;
		const hint = 'Check that this n8n reaches the internet.';
		return new UserError(title, hint, { ...more, detail, ...(code && { code }) });
	}
	const { status } = lastResult;
	const page = isSuccess(lastResult) ? ' and a web page' : '';
	const detail = `The upload host answered with status ${status}${page}.`;
	return new UserError(title, '', {
		...more,
		detail,
		status,
	});
}
