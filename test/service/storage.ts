import { buf as checksumOf } from 'crc-32';

import { give, lineOf, type Manner, served, waitUnless } from './http';
import { Exchange, type ReceivedRequest, type RequestLog } from './log';
import type { IncomingMessage } from './nodeHttp';
import type { Source } from './records';
import type { Failure } from './refusal';
import type { Answer } from './routes';
import type { Rule, Script } from './script';
import type { ServiceOptions } from './service';
import { signatureIn, type Upload, type Uploads } from './uploads';

/**
 * What the upload host wants of a request to a presigned URL. CometChat documents none of it; left
 * out, it is what S3 does with a URL whose signature covers the content's type and length.
 */
export interface StorageOptions {
	/** The `Content-Type`: that which 'initiate' was told, if left out; 'any' is any or none. */
	contentType?: string;
	/** Bytes for a file whose bytes are there. S3 refuses them if the signature covers `If-None-Match: *`. */
	secondUse?: 'refuse' | 'accept';
}

/** Takes the bytes of files at their presigned URLs, and keeps their count and checksum. */
export function storageHandler(
	uploads: Uploads,
	log: RequestLog,
	script: Script,
	options: ServiceOptions,
) {
	const { latencyMs = 0 } = options;
	const write = (body: unknown) => (typeof body === 'string' ? body : '');
	const manner: Manner = { latencyMs, contentType: 'application/xml', write, fail: errorXml };
	return served(async (request, response, closed) => {
		const line = lineOf(request);
		const source = uploads.at(line.path);
		const received: ReceivedRequest = {
			...{ request: log.next(), host: 'uploads', ...line, body: undefined, operation: 'upload' },
			uniqueIds: source && [source.record.uniqueId],
			fileNames: source && [source.record.sourceName],
		};
		const incoming = new Incoming();
		const exchange = new Exchange(log, received, closed, false, () => incoming.received());
		const rule = script.take(received) ?? {};
		await incoming.read(request, rule, closed);
		if (closed.aborted) return;
		const answer = answerTo(received, incoming, source, options.uploads ?? {}, uploads);
		await give(answer, rule, manner, exchange, response);
		// What a rule left unread; a client that is still sending may then see the answer.
		request.resume();
	});
}

/** The bytes of an upload as they come; each piece is counted and let go. */
class Incoming {
	/** Whether the body came to its end. */
	complete = false;
	private bytes = 0;
	private checksum = 0;

	received() {
		return { bytes: this.bytes, checksum: this.checksum };
	}

	/** Reads to the end, or as far as the rule lets it. */
	async read(request: IncomingMessage, rule: Rule, closed: AbortSignal): Promise<void> {
		const { bytesPerSecond = Infinity, afterBytes = Infinity } = rule;
		if (afterBytes <= 0) return;
		const startedMs = Date.now();
		try {
			// Not destroyed, because that would close the connection before the answer.
			for await (const chunk of request.iterator({ destroyOnReturn: false })) {
				this.bytes += chunk.length;
				this.checksum = checksumOf(chunk, this.checksum);
				if (this.bytes >= afterBytes) return;
				const dueMs = startedMs + (this.bytes / bytesPerSecond) * 1000;
				await waitUnless(closed, dueMs - Date.now());
			}
			this.complete = true;
		} catch {
			// The client has closed the connection; `closed` tells.
		}
	}
}

function answerTo(
	received: ReceivedRequest,
	incoming: Incoming,
	source: Source | undefined,
	options: StorageOptions,
	uploads: Uploads,
): Answer {
	const upload = source?.upload;
	const { path } = received;
	const refused = (failure: Failure) => ({ ...failure, body: () => errorXml(failure) });
	if (source === undefined || upload === undefined)
		return refused(signatureIn(path) === undefined ? DENIED : unsigned(path));
	const failure = failureOf(received, upload, options);
	if (failure !== undefined) return refused(failure);
	const arrived = incoming.received();
	if (!incoming.complete || arrived.bytes !== upload.fileSize) return refused(PARTIAL);
	const headers = { ETag: `"${arrived.checksum}"` };
	return { headers, body: () => '', change: () => uploads.store(source, upload, arrived) };
}

const DENIED = { status: 403, code: 'AccessDenied', message: 'Access Denied' };

const PARTIAL = {
	status: 400,
	code: 'IncompleteBody',
	message: 'You did not provide the number of bytes specified by the Content-Length HTTP header',
};

/** In the order in which a storage service can tell. */
function failureOf(
	{ method, path, headers }: ReceivedRequest,
	upload: Upload,
	options: StorageOptions,
): Failure | undefined {
	const { contentType = upload.mimeType, secondUse } = options;
	if (headers.authorization !== undefined)
		return { status: 400, code: 'InvalidArgument', message: 'Only one auth mechanism allowed' };
	if (Date.now() >= upload.expiresAtMs) return { ...DENIED, message: 'Request has expired' };
	if (method !== 'PUT') return unsigned(path);
	if (Object.keys(headers).some((name) => name.startsWith('x-amz-')))
		return { ...DENIED, message: 'There were headers present which were not signed' };
	if (contentType !== 'any' && headers['content-type'] !== contentType) return unsigned(path);
	if (Number(headers['content-length']) !== upload.fileSize) return unsigned(path);
	if (upload.stored !== undefined && secondUse !== 'accept')
		return { status: 412, message: 'A pre-condition did not hold' };
	return undefined;
}

/** S3 repeats what it was sent: a client should not show it. */
function unsigned(path: string): Failure {
	return {
		status: 403,
		code: 'SignatureDoesNotMatch',
		message: 'The request signature we calculated does not match the signature you provided.',
		elements: { SignatureProvided: signatureIn(path) ?? '' },
	};
}

/** Of S3's table: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
const CODES: Record<number, string> = {
	403: 'AccessDenied',
	404: 'NoSuchKey',
	412: 'PreconditionFailed',
	503: 'SlowDown',
};

function errorXml({ status, ...given }: Failure): string {
	const {
		code: Code = CODES[status] ?? (status < 500 ? 'InvalidRequest' : 'InternalError'),
		message: Message = `The stand-in was told to answer ${status}.`,
	} = given;
	const elements = { Code, Message, ...given.elements, RequestId: 'STANDIN0REQUEST' };
	const escaped = (said: string) => said.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
	const inner = Object.entries(elements).map(
		([name, said]) => `<${name}>${escaped(said)}</${name}>`,
	);
	return `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${inner.join('')}</Error>`;
}
