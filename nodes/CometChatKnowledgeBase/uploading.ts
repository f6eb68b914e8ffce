import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import type { Account } from '../../credentials/account';
import type { Attachment } from './binary';
import { isRecord, quoted } from './complaint';
import type { DocumentInfo } from './document';
import { Gate } from './gate';
import type { Session } from './operation';
import { KNOWLEDGE_BASE } from './records';
import type { Effect, Reply } from './reply';
import { isSuccess, toAnswer, toSilence } from './reply';
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
function initiateRequest(files: DocumentInfo[]) {
	return {
		method: 'POST' as const,
		url: `${KNOWLEDGE_BASE}/uploads/initiate`,
		headers: { 'Content-Type': 'application/json' },
		body: {
			files: files.map(({ fileName, mimeType, fileSize }) => ({ fileName, mimeType, fileSize })),
		},
	};
}

/** Undefined unless there is one address for each file, in the order asked. */
export function readUploads(body: unknown, files: DocumentInfo[]): Upload[] | undefined {
	if (!isRecord(body) || !Array.isArray(body.uploads)) return undefined;
	if (body.uploads.length !== files.length) return undefined;
	const uploads = body.uploads.flatMap((entry, at): Upload[] => {
		if (!isRecord(entry)) return [];
		const { uploadId, presignedUrl } = entry;
		if (typeof uploadId !== 'string' || typeof presignedUrl !== 'string') return [];
		const fileName = files[at]?.fileName ?? '';
		return entry.fileName === fileName ? [{ uploadId, presignedUrl, fileName }] : [];
	});
	return uploads.length === files.length ? uploads : undefined;
}

/**
 * Asks for upload addresses, and sends the bytes there, one file after another.
 *
 * @param done Takes each file whose bytes have arrived; what came before a setback is in there.
 * @returns Why it went no further; undefined if all files have arrived.
 */
export async function uploadAll(
	steps: Steps,
	session: Session,
	files: Attachment[],
	done: Upload[],
): Promise<Setback | undefined> {
	const uploads = await steps.ask(initiateRequest(files), (body) => readUploads(body, files));
	if (uploads instanceof Refused) return uploads;
	for (const [at, upload] of uploads.entries()) {
		const file = files[at];
		if (file === undefined) continue;
		const setback = await sendBytes(steps, session, upload, file);
		if (setback) return setback;
		done.push(upload);
	}
	return undefined;
}

async function sendBytes(
	steps: Steps,
	{ context, account, settings, clock }: Session,
	{ presignedUrl }: Upload,
	file: Attachment,
): Promise<Setback | undefined> {
	if (!isUploadAddress(presignedUrl, account)) {
		return new Stuck(
			'CometChat gave an upload address that is not encrypted',
			'Nothing was sent there. Ask CometChat.',
		);
	}
	const attempt = async () => await put(context, presignedUrl, file, settings.timeoutMs);
	// Another host than the service's: its pauses and limits are its own.
	const sending = await sendUntilAnswered(attempt, settings, new Gate(), clock, {
		effectOf: effectOfUpload,
		isWorthRepeating,
	});
	steps.count(sending);
	return sending.effect === 'applied' || isStoredAlready(sending)
		? undefined
		: notUploaded(sending, file);
}

/**
 * The verb and the headers are not documented; `PUT` with the announced type is what presigned
 * addresses of S3 take. Without n8n's authentication: the API key is the service's alone.
 */
async function put(
	context: IExecuteFunctions,
	url: string,
	{ open, mimeType, fileSize }: Attachment,
	timeoutMs: number,
): Promise<Reply> {
	try {
		const options: IHttpRequestOptions = {
			method: 'PUT',
			url,
			body: await open(),
			headers: { 'Content-Type': mimeType, 'Content-Length': fileSize },
			timeout: timeoutMs,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			// Followed, the client would keep the whole file in memory to send it again.
			disableFollowRedirect: true,
			abortSignal: context.getExecutionCancelSignal(),
		};
		return toAnswer(await context.helpers.httpRequest(options));
	} catch (thrown) {
		return toSilence(thrown);
	}
}

function effectOfUpload(reply: Reply): Effect {
	if (reply.kind === 'silence') return 'unknown';
	return isSuccess(reply) ? 'applied' : 'not applied';
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

function notUploaded({ reply, ended }: Sending, { fileName }: DocumentInfo): Stuck {
	const file = quoted(fileName);
	if (reply === undefined || ended === 'run over') {
		return new Stuck(`The run stopped before ${file} was uploaded`, 'Run it again.');
	}
	if (reply.kind === 'silence') {
		const said = `No answer came from the upload address${reply.code && ` (${reply.code})`}.`;
		return new Stuck(
			`The connection was lost while ${file} was uploaded`,
			"Check that this n8n reaches the internet. 'Timeout (Seconds)' under Options gives it longer.",
			{ said, code: reply.code, cause: 'temporarily-unavailable' },
		);
	}
	const { status } = reply;
	return new Stuck(
		`The upload address did not take ${file}`,
		status === 403
			? 'Such addresses hold for a short time only: run it again. If it stays like this, ask CometChat.'
			: 'Run it again. If it stays like this, ask CometChat.',
		{ said: `The upload address answered with status ${status}.`, status },
	);
}
