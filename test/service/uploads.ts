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
	/** The time since which a file has a record: from 'initiate' on, as `indexing`, or once its bytes have arrived. */
	recorded?: 'fromInitiate' | 'fromBytes';
	/** The response to bytes for a stored file. S3 refuses them if the signature covers `If-None-Match: *`. */
	secondUse?: 'refuse' | 'accept';
}

/** The facts about the bytes of an upload, which are not stored. */
export interface ReceivedBytes {
	bytes: number;
	/** CRC-32, which shows whether all bytes arrived in order. */
	checksum: number;
}

export interface Upload extends FileDescription {
	/** The part of the URL after the origin. */
	path: string;
	expiresAtMs: number;
	/** Undefined until the bytes have arrived. */
	stored?: ReceivedBytes;
}

/** It is unknown whether CometChat's MB is this or 1,000,000 bytes. */
const MAX_FILE_BYTES = 50 * 1024 * 1024;

/** The five file types of CometChat's 'Properties and constraints', and their usual MIME types. */
const MEDIA_TYPES: Record<string, string[]> = {
	pdf: ['application/pdf'],
	txt: ['text/plain'],
	docx: ['application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
	csv: ['text/csv'],
	md: ['text/markdown', 'text/x-markdown'],
};

/** A file in the body of 'initiate'; `fileSize` is in bytes. */
const FILE = { fileName: text(1), mimeType: text(1), fileSize: number(1, MAX_FILE_BYTES) };
type FileDescription = Given<typeof FILE>;
const FILES = { files: list(fields(FILE), 1) };

/** Starts the host of the upload URLs, which stores the number and checksum of the bytes, with S3's rules. */
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
		// Reads the rest that a rule left unread, so that a client that is still sending may read the response.
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

/** Refuses other file types with 400: the documentation's status for "invalid file metadata", which is our choice. */
function refuseType({ fileName, mimeType }: FileDescription): void {
	const [, ending = ''] = /\.([^.]*)$/.exec(fileName.toLowerCase()) ?? [];
	if (!MEDIA_TYPES[ending]?.includes(mimeType))
		throw badRequest(`${fileName} (${mimeType}) is not of a supported type.`);
}

/** Makes a URL like S3's presigned URLs (Signature Version 4). The key is as in the documentation's example. */
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

async function readBytes(
	request: IncomingMessage,
	{ bytesPerSecond = Infinity, afterBytes = Infinity }: Rule,
	closed: AbortSignal,
): Promise<ReceivedBytes> {
	let [bytes, checksum] = [0, 0];
	const startedMs = Date.now();
	try {
		// Not destroyed, because that would close the connection before the response.
		for await (const chunk of request.iterator({ destroyOnReturn: false })) {
			bytes += chunk.length;
			checksum = checksumOf(chunk, checksum);
			if (bytes >= afterBytes) break;
			await waitUnless(closed, startedMs + (bytes / bytesPerSecond) * 1000 - Date.now());
		}
	} catch {
		// The client has closed the connection, as `closed` shows.
	}
	return { bytes, checksum };
}

/** Checks an upload in the order of a storage service. */
function answerTo(
	{ method, path, headers }: ReceivedRequest,
	read: ReceivedBytes,
	records: Records,
	source?: Source,
	secondUse?: 'refuse' | 'accept',
): Answer {
	const upload = source?.upload;
	// S3's message contains the URL, which a client must not show.
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

/** From S3's table: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
const CODES: Record<number, string> = { 403: 'AccessDenied', 404: 'NoSuchKey', 503: 'SlowDown' };

function fail({ status, ...given }: Failure): string {
	const {
		code = CODES[status] ?? (status < 500 ? 'InvalidRequest' : 'InternalError'),
		message = `The stand-in was told to answer ${status}.`,
	} = given;
	const said = message.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
	return `<?xml version="1.0"?>\n<Error><Code>${code}</Code><Message>${said}</Message></Error>`;
}
