import type { FileDescription } from '../given';
import { APP_ID } from '../records';

const BUCKET = 'stand-in-bucket';

/** Where a file's bytes go, in the form of S3's presigned URLs (Signature Version 4). */
export interface Presigned {
	/** `APP/uploads/ID8/NAME`, as in the documentation's example. */
	s3Key: string;
	/** What comes behind the origin. */
	path: string;
	/** 64 hexadecimal digits by chance. */
	signature: string;
	expiresAtMs: number;
}

export function presign(
	uniqueId: string,
	{ fileName }: FileDescription,
	expiresMs: number,
): Presigned {
	const nowMs = Date.now();
	const s3Key = `${APP_ID}/uploads/${uniqueId.slice(0, 8)}/${fileName}`;
	const date = new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '');
	const signature = `${crypto.randomUUID()}${crypto.randomUUID()}`.replaceAll('-', '');
	const query = new URLSearchParams({
		'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
		'X-Amz-Credential': `STANDINACCESSKEYID/${date.slice(0, 8)}/us-east-1/s3/aws4_request`,
		'X-Amz-Date': date,
		'X-Amz-Expires': String(Math.ceil(expiresMs / 1000)),
		'X-Amz-SignedHeaders': 'content-length;content-type;host',
		'X-Amz-Signature': signature,
	});
	const key = s3Key.split('/').map(encodeURIComponent).join('/');
	return { s3Key, path: `/${BUCKET}/${key}?${query}`, signature, expiresAtMs: nowMs + expiresMs };
}

/** The signature that a path claims to have. @param path The raw path with its query. */
export function signatureIn(path: string): string | undefined {
	return queryOf(path).get('X-Amz-Signature') ?? undefined;
}

/** Whether a path is the one that was signed; other ways to percent-encode it are as good. */
export function isPath(path: string, { path: signed }: Presigned): boolean {
	return plain(path) === plain(signed);
}

function plain(path: string): string | undefined {
	const query = queryOf(path);
	query.sort();
	try {
		return JSON.stringify([decodeURIComponent(path.split('?')[0] ?? ''), [...query]]);
	} catch {
		return undefined;
	}
}

function queryOf(path: string): URLSearchParams {
	return new URLSearchParams(path.split('?').slice(1).join('?'));
}
