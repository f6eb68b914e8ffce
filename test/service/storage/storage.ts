import type { Request, RequestHandler, Response } from 'express';

import type { Answer, Manner } from '../answer';
import { give } from '../answer';
import { Incoming } from './bytes';
import { connectionClosed } from '../exchange';
import type { ReceivedRequest } from '../log';
import { signatureIn } from './presigned';
import { readHeaders } from '../receive';
import type { StorageRefusal } from './manner';
import { errorXml } from './manner';
import type { Traffic } from '../traffic';
import type { Upload, Uploads } from '../uploads';

/**
 * What the upload host wants of a request to a presigned URL. CometChat documents none of it; left
 * out, it is what S3 does with a URL whose signature covers the content's type and length.
 */
export interface StorageOptions {
	/**
	 * The `Content-Type`: 'asInitiated' is the `mimeType` that 'initiate' was told, and 'any' is
	 * any or none; another text is itself. 'asInitiated' if left out.
	 */
	contentType?: string;
	/**
	 * Bytes for a file whose bytes are there. 'refuse', if left out: 412. S3 itself takes them until
	 * the URL expires, unless the signature covers `If-None-Match: *`: 'accept'.
	 */
	secondUse?: 'refuse' | 'accept';
}

/** Takes the bytes of files at their presigned URLs, and keeps their count and checksum. */
export function uploadHandler(
	uploads: Uploads,
	traffic: Traffic,
	manner: Manner,
	options: StorageOptions,
): RequestHandler {
	return async function handle(request: Request, response: Response): Promise<void> {
		const closed = connectionClosed(response);
		const upload = uploads.at(request.originalUrl);
		const received = receiveUpload(request, traffic.next(), upload);
		const exchange = traffic.begin(received, false, closed);
		const rule = traffic.script.take(received) ?? {};
		const incoming = new Incoming();
		exchange.received = () => incoming.received();
		await incoming.read(request, rule, closed);
		if (closed.aborted) return;
		const refused = refuseHeaders(received, upload, options) ?? refuseBytes(incoming, upload);
		const answer =
			refused === undefined && upload !== undefined
				? accept(upload, uploads, incoming)
				: no(refused ?? UNKNOWN);
		await give(answer, rule, manner, exchange, response, closed);
		// What a rule left unread; a client that is still sending may then see the answer.
		request.resume();
	};
}

function receiveUpload(request: Request, count: number, upload?: Upload): ReceivedRequest {
	const { method, originalUrl: path } = request;
	return {
		request: count,
		host: 'uploads',
		method,
		path,
		headers: readHeaders(request),
		body: undefined,
		operation: 'upload',
		uniqueIds: upload === undefined ? undefined : [upload.record.uniqueId],
		fileNames: upload === undefined ? undefined : [upload.file.fileName],
	};
}

function accept(upload: Upload, uploads: Uploads, incoming: Incoming): Answer {
	const received = incoming.received();
	return {
		status: 200,
		headers: { ETag: `"${received.checksum}"` },
		body: () => '',
		change: () => uploads.store(upload, received),
	};
}

function no(refused: StorageRefusal): Answer {
	return {
		status: refused.status,
		headers: { 'Content-Type': 'application/xml' },
		body: () => errorXml(refused),
	};
}

const UNKNOWN = { status: 403, code: 'AccessDenied', message: 'Access Denied' };

/** In the order in which a storage service can tell. */
function refuseHeaders(
	{ method, path, headers }: ReceivedRequest,
	upload: Upload | undefined,
	options: StorageOptions,
): StorageRefusal | undefined {
	if (upload === undefined) return signatureIn(path) === undefined ? UNKNOWN : unsigned(path);
	const { file, presigned, stored } = upload;
	const { contentType = 'asInitiated' } = options;
	if (headers.authorization !== undefined) {
		const message = 'Only one auth mechanism allowed';
		return { status: 400, code: 'InvalidArgument', message };
	}
	if (Date.now() >= presigned.expiresAtMs) return { ...UNKNOWN, message: 'Request has expired' };
	if (method !== 'PUT') return unsigned(path);
	if (Object.keys(headers).some((name) => name.startsWith('x-amz-'))) {
		const message = 'There were headers present in the request which were not signed';
		return { ...UNKNOWN, message };
	}
	const wanted = contentType === 'asInitiated' ? file.mimeType : contentType;
	if (wanted !== 'any' && headers['content-type'] !== wanted) return unsigned(path);
	const given = headers['content-length'];
	if (given === undefined) return withoutLength(headers);
	if (Number(given) !== file.fileSize) return unsigned(path);
	if (stored !== undefined && options.secondUse !== 'accept') {
		const message = 'At least one of the pre-conditions you specified did not hold';
		return { status: 412, code: 'PreconditionFailed', message };
	}
	return undefined;
}

/** S3 repeats what it was sent: a client should not show it. */
function unsigned(path: string): StorageRefusal {
	return {
		status: 403,
		code: 'SignatureDoesNotMatch',
		message: 'The request signature we calculated does not match the signature you provided.',
		more: { SignatureProvided: signatureIn(path) ?? '' },
	};
}

/**
 * As S3 does: https://github.com/Automattic/knox/issues/43, https://github.com/e2b-dev/E2B/issues/1243
 */
function withoutLength(headers: Record<string, string>): StorageRefusal {
	return headers['transfer-encoding'] === undefined
		? {
				status: 411,
				code: 'MissingContentLength',
				message: 'You must provide the Content-Length HTTP header.',
			}
		: {
				status: 501,
				code: 'NotImplemented',
				message: 'A header you provided implies functionality that is not implemented',
				more: { Header: 'Transfer-Encoding' },
			};
}

function refuseBytes(incoming: Incoming, upload: Upload | undefined): StorageRefusal | undefined {
	const isLong = incoming.received().bytes === upload?.file.fileSize;
	if (incoming.complete && isLong) return undefined;
	const message =
		'You did not provide the number of bytes specified by the Content-Length HTTP header';
	return { status: 400, code: 'IncompleteBody', message };
}
