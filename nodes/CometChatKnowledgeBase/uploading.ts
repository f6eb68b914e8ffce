import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import type { Account } from '../../credentials/account';
import type { Attachment, Content } from './binary';
import { unreadable } from './binary';
import { Complaint, isRecord, quoted } from './complaint';
import type { DocumentInfo } from './document';
import { Gate } from './gate';
import type { Session } from './operation';
import { KNOWLEDGE_BASE } from './records';
import type { Effect, Reply } from './reply';
import { effectOf as effectOfChange, isSuccess, toAnswer, toSilence } from './reply';
import { uploadTimeoutMs } from './requestTimeout';
import type { Sending } from './retry';
import { isWorthRepeating, sendUntilAnswered } from './retry';
import type { Setback, Steps } from './steps';
import { Refused, Stuck } from './steps';

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
	/** Those that the service has made room for, and may show from then on. */
	announced: Upload[];
	/** Those whose bytes have arrived. */
	done: Upload[];
}

export function notStarted(): Uploading {
	return { announced: [], done: [] };
}

/** Undefined unless there is one address for each file, in the order asked. */
function readUploads(body: unknown, files: DocumentInfo[]): Upload[] | undefined {
	if (!isRecord(body) || !Array.isArray(body.uploads)) return undefined;
	if (body.uploads.length !== files.length) return undefined;
	const uploads = body.uploads.flatMap((entry, at): Upload[] => {
		if (!isRecord(entry)) return [];
		const { uploadId, presignedUrl } = entry;
		if (typeof uploadId !== 'string' || typeof presignedUrl !== 'string') return [];
		const fileName = files[at]?.fileName ?? '';
		// Of several files, the name tells that none has another's address.
		const isNamed = files.length === 1 || entry.fileName === fileName;
		return isNamed ? [{ uploadId, presignedUrl, fileName }] : [];
	});
	return uploads.length === files.length ? uploads : undefined;
}

/**
 * Asks for upload addresses, and sends the bytes there, one file after another.
 *
 * @param uploading Is kept up to date.
 * @returns Why it went no further; undefined if all files have arrived.
 */
export async function uploadAll(
	steps: Steps,
	session: Session,
	files: Attachment[],
	uploading: Uploading,
): Promise<Setback | undefined> {
	const uploads = await steps.ask(initiateRequest(files), (body) => readUploads(body, files));
	if (uploads instanceof Refused) return uploads;
	uploading.announced = uploads;
	for (const [at, upload] of uploads.entries()) {
		const file = files[at];
		if (file === undefined) continue;
		const setback = await sendBytes(steps, session, upload, file);
		if (setback) return setback;
		uploading.done.push(upload);
	}
	return undefined;
}

async function sendBytes(
	steps: Steps,
	{ context, account, settings, clock, timeouts }: Session,
	{ uploadId, presignedUrl }: Upload,
	file: Attachment,
): Promise<Setback | undefined> {
	if (!isUploadAddress(presignedUrl, account)) {
		return new Stuck(
			'CometChat gave an upload address that is not encrypted',
			'Nothing was sent there. Ask CometChat.',
		);
	}
	let complaint: Complaint | undefined;
	const attempt = async () => {
		const content = await opened(file);
		if (!(content instanceof Complaint)) {
			return await timeouts.run(
				uploadTimeoutMs(settings.timeoutMs, file.fileSize),
				async (signal) =>
					await put(context, presignedUrl, file, content, settings.timeoutMs, signal),
			);
		}
		complaint = content;
		return { kind: 'silence' as const, code: '', text: content.what };
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
	{ mimeType, fileSize }: DocumentInfo,
	content: Content,
	silenceMs: number,
	signal: AbortSignal,
): Promise<Reply> {
	try {
		const options: IHttpRequestOptions = {
			method: 'PUT',
			url,
			body: content,
			headers: { 'Content-Type': mimeType, 'Content-Length': fileSize },
			// Without a byte either way; the signal limits all of it.
			timeout: silenceMs,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			// Followed, the client would keep the whole file in memory to send it again.
			disableFollowRedirect: true,
			abortSignal: signal,
		};
		return toAnswer(await context.helpers.httpRequest(options));
	} catch (thrown) {
		return toSilence(thrown);
	} finally {
		// Answered before its end, it would stay open.
		if ('destroy' in content) content.destroy();
	}
}

/** An answer without success counts as every answer of the service does: a 503 may come too late. */
function effectOfUpload(reply: Reply): Effect {
	return isSuccess(reply) ? 'applied' : effectOfChange(reply);
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
	const isStopped = reply?.kind === 'silence' && reply.code === 'ERR_CANCELED';
	if (reply === undefined || ended === 'run over' || isStopped) {
		return new Stuck(`The run stopped before ${file} was uploaded`, 'Upload it again.', {
			because: 'run over',
			effect,
		});
	}
	if (reply.kind === 'silence') {
		const { code } = reply;
		const said = `No answer came from the upload address${code && ` (${code})`}.`;
		return new Stuck(
			`The connection was lost while ${file} was uploaded`,
			"Check that this n8n reaches the internet. 'Timeout (Seconds)' under Options gives it longer.",
			{ said, ...(code && { code }), cause: 'temporarily-unavailable', effect },
		);
	}
	const { status } = reply;
	const isBusy = isWorthRepeating(reply);
	const asking = 'If it stays like this, ask CometChat.';
	return new Stuck(
		`The upload address did not take ${file}`,
		status === 403
			? `Such addresses hold for a short time only: upload it again. ${asking}`
			: `Upload it again${isBusy ? ' later' : ''}. ${asking}`,
		{
			said: `The upload address answered with status ${status}.`,
			status,
			...(isBusy && { cause: 'temporarily-unavailable' as const }),
			effect,
		},
	);
}

/** The files that the service may show though their bytes never came, in words; empty for none. */
export function leftOver({ announced, done }: Uploading): string {
	const ids = announced.slice(done.length).map(({ uploadId }) => uploadId);
	if (ids.length === 0) return '';
	const [entries, them] = ids.length === 1 ? ['an entry', 'it'] : ['entries', 'them'];
	return `CometChat may show ${entries} without content (ID ${ids.join(', ')}): delete ${them} with Delete Files.`;
}
