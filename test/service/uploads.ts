import { KNOWLEDGE_BASE } from './address';
import type { ReceivedBytes } from './log';
import type { KnowledgeRecord, Records, Source } from './records';
import { badRequest } from './refusal';
import { route } from './routes';
import { APP_ID } from './seeds';
import type { ServiceOptions } from './service';
import { fields, list, number, text, type Given } from './shapes';

/** How records of files come to be. */
export interface UploadRecordOptions {
	/** How long a presigned URL is good; 15 minutes if left out. */
	expiresMs?: number;
	/** Whether a file has its record from 'initiate' on, `indexing`, or only when its bytes are there. */
	recorded?: 'fromInitiate' | 'fromBytes';
}

/** A file for which a presigned URL was given. */
export interface Upload extends FileDescription {
	s3Key: string;
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
				const { expiresMs, recorded } = this.options.uploads ?? {};
				const prepared = files.map((file) => {
					const record = this.records.prepare({ sourceName: file.fileName, status: 'indexing' });
					return { record, upload: presign(record, file, expiresMs) };
				});
				const shown = prepared.map(({ record, upload: { path, s3Key } }, at) => {
					const presignedUrl = `${this.origin}${path}`;
					return { uploadId: record.uniqueId, ...files[at], s3Key, presignedUrl };
				});
				const fromMs = recorded === 'fromBytes' ? Infinity : undefined;
				const change = () => {
					for (const { record, upload } of prepared)
						this.records.add(record, fromMs).upload = upload;
				};
				const status = this.options.createdStatus ?? 201;
				return { status, body: () => ({ uploads: shown }), change };
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
		const signature = signatureIn(path);
		const isSame = ({ upload }: Source) =>
			upload && signatureIn(upload.path) === signature && plain(upload.path) === plain(path);
		return this.records.all().find(isSame);
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
function presign(record: KnowledgeRecord, file: FileDescription, expiresMs = 900_000): Upload {
	const nowMs = Date.now();
	const s3Key = `${APP_ID}/uploads/${record.uniqueId.slice(0, 8)}/${file.fileName}`;
	const date = new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '');
	const query = new URLSearchParams({
		'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
		'X-Amz-Credential': `STANDINACCESSKEYID/${date.slice(0, 8)}/us-east-1/s3/aws4_request`,
		'X-Amz-Date': date,
		'X-Amz-Expires': String(Math.ceil(expiresMs / 1000)),
		'X-Amz-SignedHeaders': 'content-length;content-type;host',
		'X-Amz-Signature': `${crypto.randomUUID()}${crypto.randomUUID()}`.replaceAll('-', ''),
	});
	const key = s3Key.split('/').map(encodeURIComponent).join('/');
	const path = `/stand-in-bucket/${key}?${query}`;
	return { ...file, s3Key, path, expiresAtMs: nowMs + expiresMs };
}

/** The signature that a path claims to have. */
export function signatureIn(path: string): string | undefined {
	return /[?&]X-Amz-Signature=(\w*)/.exec(path)?.[1];
}

/** Other ways to percent-encode a path are as good. */
function plain(path: string): string {
	const [place = '', query = ''] = path.split('?');
	return `${decodeURIComponent(place)}?${new URLSearchParams(query)}`;
}
