import { APP_ID } from './lists';
import type { Records, Source } from './records';
import { badRequest, KNOWLEDGE_BASE, route } from './routes';
import type { ServiceOptions } from './service';
import { fields, list, number, text, type Given } from './shapes';

/** How records of files come to be. */
export interface UploadRecordOptions {
	/** Whether a file has its record from 'initiate' on, `indexing`, or only when its bytes are there. */
	recorded?: 'fromInitiate' | 'fromBytes';
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
const FILE = { fileName: text(1), mimeType: text(1), fileSize: number(1) };
type FileDescription = Given<typeof FILE>;

/** The files that were announced, with and without their bytes. */
export class Uploads {
	readonly routes = [
		route(
			'initiate',
			`POST ${KNOWLEDGE_BASE}/uploads/initiate`,
			{ files: list(fields(FILE), 1) },
			({ given: { files } }) => {
				files.forEach(refuseFile);
				const prepared = files.map((file) => {
					const record = this.records.prepare({ sourceName: file.fileName, status: 'indexing' });
					return { record, upload: presign(record.uniqueId, file) };
				});
				const uploads = prepared.map(({ record: { uniqueId: uploadId }, upload }, at) => {
					return { uploadId, ...files[at], presignedUrl: `${this.origin}${upload.path}` };
				});
				const isLate = this.options.uploads?.recorded === 'fromBytes';
				const fromMs = isLate ? Infinity : undefined;
				const change = () => {
					for (const { record, upload } of prepared)
						this.records.add(record, fromMs).upload = upload;
				};
				return { status: 201, body: () => ({ uploads }), change };
			},
			({ files }) => files.map(({ fileName }) => fileName),
		),
	];

	/** Where presigned URLs lead to, without a slash at its end. */
	origin = '';

	constructor(
		private readonly records: Records,
		private readonly options: ServiceOptions,
	) {}

	/** @param path Raw, of a request to the upload host. */
	at(path: string): Source | undefined {
		return this.records.all().find(({ upload }) => upload?.path === path);
	}

	store(source: Source, upload: Upload, received: ReceivedBytes): void {
		if (!this.records.has(source)) return;
		upload.stored = received;
		source.fromMs = Math.min(source.fromMs, Date.now());
		this.records.index(source);
	}
}

/**
 * The documentation says 400 for "invalid file metadata", and names the five types and 50 MB elsewhere;
 * that one leads to the other is chosen here.
 */
function refuseFile({ fileName, mimeType, fileSize }: FileDescription): void {
	if (fileSize > MAX_FILE_BYTES)
		throw badRequest(`${fileName} is larger than ${MAX_FILE_BYTES} bytes.`);
	const [, ending = ''] = /\.([^.]*)$/.exec(fileName.toLowerCase()) ?? [];
	const media = mimeType.split(';')[0]?.trim().toLowerCase() ?? '';
	if (!MEDIA_TYPES[ending]?.includes(media))
		throw badRequest(`${fileName} (${mimeType}) is not of a supported type.`);
}

/** In the form of S3's presigned URLs (Signature Version 4). The key is as in the documentation's example. */
function presign(uniqueId: string, file: FileDescription): Upload {
	const key = `${APP_ID}/uploads/${uniqueId.slice(0, 8)}/${encodeURIComponent(file.fileName)}`;
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
