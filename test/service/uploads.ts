import { buf as checksumOf } from 'crc-32';
import { give, lineOf, listen, type Manner, waitUnless } from './http';
import { Exchange, type ReceivedRequest, type RequestLog } from './log';
import type { IncomingMessage } from './nodeHttp';
import type { Records, Source } from './records';
import { type Answer, badRequest, type Failure, KNOWLEDGE_BASE, refused, route } from './routes';
import type { Rule, Script } from './script';
import type { ServiceOptions } from './service';
import { fields, type Given, list, number, text } from './shapes';

export interface UploadOptions {
	/** Whether a file has its record from 'initiate' on, `indexing`, or only when its bytes are there. */
	recorded?: 'fromInitiate' | 'fromBytes';
	/** Bytes for a file whose bytes are there. S3 refuses them if the signature covers `If-None-Match: *`. */
	secondUse?: 'refuse' | 'accept';
}

/** What came of an upload's bytes. They themselves are not kept. */
export interface ReceivedBytes {
	bytes: number;
	/** CRC-32: it tells whether all of them came, in their order. */
	checksum: number;
}

/** A file for which a presigned URL was given. */
export interface Upload extends FileDescription {
	/** Of the URL: what comes behind the origin. */
	path: string;
	expiresAtMs: number;
	/** Undefined until the bytes are there. */
	stored?: ReceivedBytes;
}

/** Whether CometChat's MB is that or 1,000,000 is unknown. */
const MAX_FILE_BYTES = 50 * 1024 * 1024;

/** The five file types of CometChat's 'Properties and constraints', and the usual media types of each. */
const MEDIA_TYPES: Record<string, string[]> = {
	pdf: ['application/pdf'],
	txt: ['text/plain'],
	docx: ['application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
	csv: ['text/csv'],
	md: ['text/markdown', 'text/x-markdown'],
};

/** As 'initiate' is told of it; `fileSize` is in bytes. */
const FILE = { fileName: text(1), mimeType: text(1), fileSize: number(1, MAX_FILE_BYTES) };
type FileDescription = Given<typeof FILE>;
const FILES = { files: list(fields(FILE), 1) };

/**
 * Starts the host that takes the bytes of files at their presigned URLs, and keeps their count and checksum.
 * What it wants is not documented; it is what S3 does with a URL that is signed for a type and a length.
 */
export async function startUploads(
	records: Records,
	log: RequestLog,
	script: Script,
	options: ServiceOptions,
) {
	const manner: Manner = {
		get latencyMs() {
			return options.latencyMs;
		},
		...{ contentType: 'application/xml', write: String, fail },
	};
	const host = await listen(async (request, response, closed) => {
		const line = lineOf(request);
		const source = records.all().find(({ upload }) => upload?.path === line.path);
		const received: ReceivedRequest = {
			...{ request: log.next(), host: 'uploads', ...line, operation: 'upload' },
			uniqueIds: source && [source.record.uniqueId],
			fileNames: source && [source.record.sourceName],
		};
		const exchange = new Exchange(log, received, closed);
		const rule = script.take(received) ?? {};
		const read = await readBytes(request, rule, closed);
		if (closed.aborted) return;
		const make = () => answerTo(received, read, records, source, options.uploads?.secondUse);
		await give(make, rule, manner, exchange, response);
		// What a rule left unread; a client that is still sending may then see the answer.
		request.resume();
	});
	const initiate = route(
		'initiate',
		`POST ${KNOWLEDGE_BASE}/uploads/initiate`,
		FILES,
		({ given: { files } }) => {
			files.forEach(refuseType);
			const prepared = files.map((file) => {
				const record = records.prepare({ sourceName: file.fileName, status: 'indexing' });
				return { record, upload: presign(record.uniqueId, file) };
			});
			const uploads = prepared.map(({ record: { uniqueId: uploadId }, upload }, at) => {
				return { uploadId, ...files[at], presignedUrl: `${host.origin}${upload.path}` };
			});
			const fromMs = options.uploads?.recorded === 'fromBytes' ? Infinity : undefined;
			const change = () => {
				for (const { record, upload } of prepared) records.add(record, fromMs).upload = upload;
			};
			return { status: 201, body: () => ({ uploads }), change };
		},
		({ files }) => files.map(({ fileName }) => fileName),
	);
	return { ...host, routes: [initiate] };
}

/**
 * The documentation says 400 for "invalid file metadata", and names the five types elsewhere; that one leads
 * to the other is chosen here.
 */
function refuseType({ fileName, mimeType }: FileDescription): void {
	const [, ending = ''] = /\.([^.]*)$/.exec(fileName.toLowerCase()) ?? [];
	if (!MEDIA_TYPES[ending]?.includes(mimeType))
		throw badRequest(`${fileName} (${mimeType}) is not of a supported type.`);
}

/** In the form of S3's presigned URLs (Signature Version 4). The key is as in the documentation's example. */
function presign(uniqueId: string, file: FileDescription): Upload {
	const key = `app/uploads/${uniqueId.slice(0, 8)}/${encodeURIComponent(file.fileName)}`;
	const query = new URLSearchParams({
		'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
		'X-Amz-Credential': 'STANDINACCESSKEYID/20260131/us-east-1/s3/aws4_request',
		'X-Amz-Expires': '900',
		'X-Amz-SignedHeaders': 'content-length;content-type;host',
		'X-Amz-Signature': `${crypto.randomUUID()}${crypto.randomUUID()}`.replaceAll('-', ''),
	});
	const path = `/stand-in-bucket/${key}?${query}`;
	return { ...file, path, expiresAtMs: Date.now() + 900_000 };
}

/** Reads to the end, or as far as the rule lets it; each piece is counted and let go. */
async function readBytes(
	request: IncomingMessage,
	{ bytesPerSecond = Infinity, afterBytes = Infinity }: Rule,
	closed: AbortSignal,
): Promise<ReceivedBytes> {
	let [bytes, checksum] = [0, 0];
	const startedMs = Date.now();
	try {
		// Not destroyed, because that would close the connection before the answer.
		for await (const chunk of request.iterator({ destroyOnReturn: false })) {
			bytes += chunk.length;
			checksum = checksumOf(chunk, checksum);
			if (bytes >= afterBytes) break;
			await waitUnless(closed, startedMs + (bytes / bytesPerSecond) * 1000 - Date.now());
		}
	} catch {
		// The client has closed the connection; `closed` tells.
	}
	return { bytes, checksum };
}

/** In the order in which a storage service can tell. */
function answerTo(
	{ method, path, headers }: ReceivedRequest,
	read: ReceivedBytes,
	records: Records,
	source?: Source,
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
	if (read.bytes !== upload.fileSize)
		throw refused(400, 'IncompleteBody', 'There are less bytes than the Content-Length says');
	const change = () => {
		upload.stored = read;
		source.fromMs = Math.min(source.fromMs, Date.now());
		records.index(source);
	};
	return { body: () => '', change };
}

/** Of S3's table: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
const CODES: Record<number, string> = { 403: 'AccessDenied', 404: 'NoSuchKey', 503: 'SlowDown' };

function fail({ status, ...given }: Failure): string {
	const {
		code = CODES[status] ?? (status < 500 ? 'InvalidRequest' : 'InternalError'),
		message = `The stand-in was told to answer ${status}.`,
	} = given;
	const said = message.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
	return `<?xml version="1.0"?>\n<Error><Code>${code}</Code><Message>${said}</Message></Error>`;
}
