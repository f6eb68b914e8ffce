import { buf as checksumOf } from 'crc-32';

import { give, lineOf, listen, type Manner, waitUnless } from './http';
import { Exchange, type ReceivedRequest, type RequestLog } from './log';
import type { IncomingMessage } from './nodeHttp';
import type { Source } from './records';
import { type Answer, type Failure, refused } from './routes';
import type { Rule, Script } from './script';
import type { ServiceOptions } from './service';
import type { Uploads } from './uploads';

/**
 * What the upload host wants of a request to a presigned URL. CometChat documents none of it; it is what
 * S3 does with a URL whose signature covers the content's type and length.
 */
export interface StorageOptions {
	/** Bytes for a file whose bytes are there. S3 refuses them if the signature covers `If-None-Match: *`. */
	secondUse?: 'refuse' | 'accept';
}

/** Starts the host that takes the bytes of files at their presigned URLs, and keeps their count and checksum. */
export async function startStorage(
	uploads: Uploads,
	log: RequestLog,
	script: Script,
	options: ServiceOptions,
) {
	const { latencyMs } = options;
	const manner: Manner = { latencyMs, contentType: 'application/xml', write: String, fail };
	return await listen(async (request, response, closed) => {
		const line = lineOf(request);
		const source = uploads.at(line.path);
		const received: ReceivedRequest = {
			...{ request: log.next(), host: 'uploads', ...line, operation: 'upload' },
			uniqueIds: source && [source.record.uniqueId],
			fileNames: source && [source.record.sourceName],
		};
		const exchange = new Exchange(log, received, closed);
		const rule = script.take(received) ?? {};
		const incoming = new Incoming();
		await incoming.read(request, rule, closed);
		if (closed.aborted) return;
		const make = () => answerTo(received, incoming, source, uploads, options.uploads?.secondUse);
		await give(make, rule, manner, exchange, response);
		// What a rule left unread; a client that is still sending may then see the answer.
		request.resume();
	});
}

/** The bytes of an upload as they come; each piece is counted and let go. */
class Incoming {
	bytes = 0;
	/** CRC-32: it tells whether all of them came, in their order. */
	checksum = 0;

	/** Reads to the end, or as far as the rule lets it. */
	async read(request: IncomingMessage, rule: Rule, closed: AbortSignal): Promise<void> {
		const { bytesPerSecond = Infinity, afterBytes = Infinity } = rule;
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
		} catch {
			// The client has closed the connection; `closed` tells.
		}
	}
}

/** In the order in which a storage service can tell. */
function answerTo(
	{ method, path, headers }: ReceivedRequest,
	{ bytes, checksum }: Incoming,
	source: Source | undefined,
	uploads: Uploads,
	secondUse?: 'refuse' | 'accept',
): Answer {
	const upload = source?.upload;
	// S3 repeats what it was sent: a client should not show it.
	const unsigned = refused(
		403,
		'SignatureDoesNotMatch',
		`The signature of ${path} does not match.`,
	);
	if (source === undefined || upload === undefined) throw unsigned;
	if (headers.authorization !== undefined)
		throw refused(400, 'InvalidArgument', 'Only one auth mechanism allowed');
	if (Date.now() >= upload.expiresAtMs) throw refused(403, 'AccessDenied', 'Request has expired');
	if (Object.keys(headers).some((name) => name.startsWith('x-amz-')))
		throw refused(403, 'AccessDenied', 'There were headers present which were not signed');
	const isSigned = method === 'PUT' && headers['content-type'] === upload.mimeType;
	if (!isSigned || Number(headers['content-length']) !== upload.fileSize) throw unsigned;
	if (upload.stored !== undefined && secondUse !== 'accept')
		throw refused(412, 'PreconditionFailed', 'A pre-condition did not hold');
	if (bytes !== upload.fileSize)
		throw refused(400, 'IncompleteBody', 'There are less bytes than the Content-Length says');
	return { body: () => '', change: () => uploads.store(source, upload, { bytes, checksum }) };
}

/** Of S3's table: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
const CODES: Record<number, string> = {
	403: 'AccessDenied',
	404: 'NoSuchKey',
	412: 'PreconditionFailed',
	503: 'SlowDown',
};

function fail({ status, ...given }: Failure): string {
	const {
		code = CODES[status] ?? (status < 500 ? 'InvalidRequest' : 'InternalError'),
		message = `The stand-in was told to answer ${status}.`,
	} = given;
	const said = message.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
	return `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${said}</Message></Error>`;
}
