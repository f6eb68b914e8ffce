import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import type { Account } from '../account/account';
import type { Attachment, Content } from '../input/binary';
import { unreadable } from '../input/binary';
import { readPathValue } from '../input/change';
import { Complaint, isRecord, quoted } from '../values/complaint';
import { deleteOne, isUnknownFile } from './deletion';
import type { DocumentInfo } from '../input/document';
import { sameName } from '../input/document';
import { Gate } from '../requests/gate';
import { sentences } from '../results/outcome';
import { KNOWLEDGE_BASE } from './records';
import type { Effect, Reply } from '../requests/reply';
import { effectOf as effectOfChange, isSuccess, toAnswer, toSilence } from '../requests/reply';
import { uploadTimeoutMs } from '../requests/requestTimeout';
import type { Sending } from '../requests/retry';
import { isWorthRepeating, sendUntilAnswered } from '../requests/retry';
import type { ItemRun } from '../execution/items';
import type { Setback } from '../results/setback';
import { isSetback, mayBeDone, Refused, Stuck } from '../results/setback';
import { Steps } from '../execution/steps';

/** A file that the service has made room for. */
export interface Upload {
	uploadId: string;
	fileName: string;
	/** Where the bytes go; whoever has it may write there. Never shown. */
	presignedUrl: string;
}

/**
 * Initiate file uploads (https://www.cometchat.com/docs/ai-agents/apis/initiate-file-uploads). Built on
 * that page, not tried. Repeated when its answer is lost: what may be left behind is a record without
 * bytes, which no agent has.
 */
export function initiateRequest(files: DocumentInfo[]) {
	return {
		method: 'POST' as const,
		url: `${KNOWLEDGE_BASE}/uploads/initiate`,
		headers: { 'Content-Type': 'application/json' },
		body: {
			files: files.map(({ fileName, mimeType, fileSize }) => ({ fileName, mimeType, fileSize })),
		},
	};
}

/** How far the files of an item have come. */
export interface Uploading {
	/** Those whose bytes have arrived. */
	done: Upload[];
	/** Those that the service has made room for, and whose bytes have not arrived as far as is known. */
	open: Upload[];
	/** Whether the service may have made room for files without this node being told. */
	mayBeOpen: boolean;
}

export function notStarted(): Uploading {
	return { done: [], open: [], mayBeOpen: false };
}

/** Undefined unless there is one address for each file, and it can be told which is whose. */
function readUploads(body: unknown, files: DocumentInfo[]): Upload[] | undefined {
	if (!isRecord(body) || !Array.isArray(body.uploads)) return undefined;
	if (body.uploads.length !== files.length) return undefined;
	const left: Given[] = [];
	for (const entry of body.uploads) {
		const given = readGiven(entry);
		if (given === undefined) return undefined;
		left.push(given);
	}
	const isUnique = (of: (given: Given) => string) => new Set(left.map(of)).size === left.length;
	if (!isUnique(({ uploadId }) => uploadId) || !isUnique((given) => given.presignedUrl)) {
		return undefined;
	}
	const uploads: Upload[] = [];
	for (const file of files) {
		// By name, since nothing promises the order. Files of one name can be told apart by their size;
		// those that are alike in both may have each other's address.
		const at = left.findIndex((given) => isFor(given, file, files.length));
		const [given] = at < 0 ? [] : left.splice(at, 1);
		if (given === undefined) return undefined;
		const { uploadId, presignedUrl } = given;
		uploads.push({ uploadId, presignedUrl, fileName: file.fileName });
	}
	return uploads;
}

/** An entry of the answer. */
interface Given {
	uploadId: string;
	presignedUrl: string;
	fileName: unknown;
	fileSize: unknown;
}

function readGiven(entry: unknown): Given | undefined {
	if (!isRecord(entry)) return undefined;
	const { uploadId, presignedUrl, fileName, fileSize } = entry;
	if (typeof uploadId !== 'string' || typeof presignedUrl !== 'string') return undefined;
	// It will be a part of addresses.
	const id = readPathValue(uploadId, 'uploadId', '');
	return id === uploadId ? { uploadId, presignedUrl, fileName, fileSize } : undefined;
}

/** A file that is alone has no other's address; the service may spell its name in its own way. */
function isFor({ fileName, fileSize }: Given, file: DocumentInfo, count: number): boolean {
	if (count === 1) return true;
	if (typeof fileName !== 'string' || !sameName(fileName, file.fileName)) return false;
	return typeof fileSize !== 'number' || fileSize === file.fileSize;
}

/**
 * Asks for upload addresses, and sends the bytes there, one file after another. What can't be filled
 * is taken away again.
 *
 * @param uploading Is kept up to date.
 * @returns Why it went no further; undefined if all files have arrived.
 */
export async function uploadAll(
	steps: Steps,
	run: ItemRun,
	files: Attachment[],
	uploading: Uploading,
): Promise<Setback | undefined> {
	const setback = await uploadEach(steps, run, files, uploading);
	if (setback === undefined) {
		// An address that was asked for anew has left the entry of the first.
		await takeAway(run, uploading);
		return undefined;
	}
	// Now, or others would still begin while this cleans up.
	if (run.stopsOnFailure) run.end();
	await takeAway(run, uploading);
	return setback;
}

async function uploadEach(
	steps: Steps,
	run: ItemRun,
	files: Attachment[],
	uploading: Uploading,
): Promise<Setback | undefined> {
	const uploads = await initiate(steps, files, uploading);
	if (uploads instanceof Refused) return uploads;
	for (const [at, file] of files.entries()) {
		let upload = uploads[at];
		if (upload === undefined) continue;
		let setback = await sendBytes(steps, run, upload, file);
		if (setback?.more.status === 403) {
			// Such addresses hold for a short time, and its turn may have come late: once more, anew.
			const [another] = await anew(steps, file, uploading);
			if (another) setback = await sendBytes(steps, run, (upload = another), file);
		}
		if (setback) return setback;
		uploading.open = uploading.open.filter((one) => one !== upload);
		uploading.done.push(upload);
	}
	return undefined;
}

async function initiate(
	steps: Steps,
	files: DocumentInfo[],
	uploading: Uploading,
): Promise<Upload[] | Refused> {
	const read = (body: unknown) => readUploads(body, files);
	const uploads = await steps.ask(initiateRequest(files), read, { isSecret: true });
	if (uploads instanceof Refused) uploading.mayBeOpen ||= mayBeDone(uploads);
	else uploading.open.push(...uploads);
	return uploads;
}

/** @returns Empty if there is no other address: the refusal of the first is then the one that counts. */
async function anew(steps: Steps, file: Attachment, uploading: Uploading): Promise<Upload[]> {
	const uploads = await initiate(steps, [file], uploading);
	return uploads instanceof Refused ? [] : uploads;
}

/** One try, and no long pause before it: whoever waits for this item waits for this, too. */
const TAKING_AWAY = { maxAttempts: 1, maxWaitMs: 10_000 };

/** Deletes the entries that have no content, also in a run that ends; not in one that the user stops. */
async function takeAway(run: ItemRun, uploading: Uploading): Promise<void> {
	const left: Upload[] = [];
	for (const upload of uploading.open) {
		const steps = new Steps(run);
		steps.finish();
		const answer = await deleteOne(steps, 'uploads', upload.uploadId, TAKING_AWAY);
		if (isSetback(answer) && !isUnknownFile(answer)) left.push(upload);
	}
	uploading.open = left;
}

async function sendBytes(
	steps: Steps,
	{ context, account, settings, clock, timeouts }: ItemRun,
	{ uploadId, presignedUrl }: Upload,
	file: Attachment,
): Promise<Stuck | undefined> {
	if (!isUploadAddress(presignedUrl, account)) {
		return new Stuck(
			'CometChat gave an upload address that is not encrypted',
			'Nothing was sent there. Ask CometChat.',
		);
	}
	let complaint: Complaint | undefined;
	const notRead = (found: Complaint) => {
		complaint = found;
		return { kind: 'silence' as const, code: '', text: found.what };
	};
	const timeoutMs = uploadTimeoutMs(settings.timeoutMs, file.fileSize);
	const attempt = async () => {
		const content = await opened(file);
		if (content instanceof Complaint) return notRead(content);
		return await timeouts.run(timeoutMs, async (signal) => {
			const reply = await put(context, presignedUrl, file, content, timeoutMs, signal);
			return reply instanceof Complaint ? notRead(reply) : reply;
		});
	};
	// Another host than the service's: its pauses and limits are its own.
	const sending = await sendUntilAnswered(attempt, settings, new Gate(), clock, {
		effectOf: effectOfUpload,
		isWorthRepeating,
	});
	steps.count(sending);
	if (sending.effect === 'applied' || isStoredAlready(sending)) {
		steps.note({ uniqueId: uploadId, name: file.fileName, bytes: file.fileSize });
		return undefined;
	}
	if (complaint) return new Stuck(complaint.what, complaint.remedy);
	return notUploaded(sending, file);
}

async function opened({ field, fileName, open }: Attachment): Promise<Content | Complaint> {
	try {
		return await open();
	} catch (thrown) {
		return unreadable(field, fileName, thrown);
	}
}

/**
 * The verb and the headers are not documented; `PUT` with the announced type is what presigned
 * addresses of S3 take. Without n8n's authentication: the API key is the service's alone.
 */
async function put(
	context: IExecuteFunctions,
	url: string,
	{ field, fileName, mimeType, fileSize }: Attachment,
	content: Content,
	timeoutMs: number,
	signal: AbortSignal,
): Promise<Reply | Complaint> {
	// The request fails then, as if the network were to blame.
	let broken: Complaint | undefined;
	if ('destroy' in content) {
		content.on('error', (error) => {
			if (!signal.aborted) broken ??= unreadable(field, fileName, error);
		});
	}
	try {
		const options: IHttpRequestOptions = {
			method: 'PUT',
			url,
			body: content,
			headers: { 'Content-Type': mimeType, 'Content-Length': fileSize },
			// Not shorter for silence: what the system has taken may be under way still.
			timeout: timeoutMs,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			// Followed, the client would keep the whole file in memory to send it again.
			disableFollowRedirect: true,
			abortSignal: signal,
		};
		return toAnswer(await context.helpers.httpRequest(options));
	} catch (thrown) {
		return broken ?? toSilence(thrown);
	} finally {
		// Answered before its end, it would stay open.
		if ('destroy' in content) content.destroy();
	}
}

/**
 * An answer without success counts as every answer of the service does: a 503 may come too late. A
 * storage says nothing beside its 200; a web page or an error is somebody else's.
 */
function effectOfUpload(reply: Reply): Effect {
	if (!isSuccess(reply)) return effectOfChange(reply);
	const { body } = reply;
	return typeof body === 'string' && /^\s*</.test(body) ? 'unknown' : 'applied';
}

/** An earlier attempt whose answer was lost has arrived, if the address is used up for a later one. */
function isStoredAlready({ effect, reply }: Sending): boolean {
	return effect === 'unknown' && reply?.kind === 'answer' && reply.status === 412;
}

/** Without encryption only where the service itself is on this machine, for tests. */
function isUploadAddress(address: string, { baseUrl }: Account): boolean {
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

/** What the upload host says is not quoted: it repeats the address, which opens the door to it. */
function notUploaded({ reply, ended, effect }: Sending, { fileName }: DocumentInfo): Stuck {
	const file = quoted(fileName);
	const again = 'Upload it again.';
	const isStopped = reply?.kind === 'silence' && reply.code === 'ERR_CANCELED';
	if (reply === undefined || ended === 'run over' || isStopped) {
		const what = `The run stopped before ${file} was uploaded`;
		return new Stuck(what, '', { again, because: 'run over', effect });
	}
	if (reply.kind === 'silence') {
		const { code } = reply;
		const said = `No answer came from the upload address${code && ` (${code})`}.`;
		return new Stuck(
			`The connection was lost while ${file} was uploaded`,
			"Check that this n8n reaches the internet. 'Timeout (Seconds)' under Options gives it longer.",
			{ said, again, ...(code && { code }), cause: 'temporarily-unavailable', effect },
		);
	}
	const { status } = reply;
	const isBusy = isWorthRepeating(reply);
	const isMarkup = isSuccess(reply);
	return new Stuck(
		isMarkup
			? `The upload address did not confirm that ${file} arrived`
			: `The upload address did not take ${file}`,
		'If it stays like this, ask CometChat.',
		{
			said: `The upload address answered with status ${status}${isMarkup ? ' and a page that no storage sends' : ''}.`,
			again: isBusy ? 'Upload it again later.' : again,
			status,
			...(isBusy && { cause: 'temporarily-unavailable' as const }),
			effect,
		},
	);
}

/** The entries without content that the service may show, in words; empty for none. */
export function leftOver({ open, mayBeOpen }: Uploading): string {
	const [entries, them] = open.length === 1 ? ['an entry', 'it'] : ['entries', 'them'];
	const named = open.map(({ fileName, uploadId }) => `${quoted(fileName)} (ID ${uploadId})`);
	return sentences(
		open.length > 0 &&
			`CometChat may show ${entries} without content: ${named.join(', ')}. Delete ${them} with Delete Files.`,
		mayBeOpen &&
			'Whether CometChat made an entry for it is not known; such an entry has no content, and no agent has it.',
	);
}
