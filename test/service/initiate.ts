import type { Answer } from './answer';
import type { TypeJudge } from './fileTypes';
import { isTakenType } from './fileTypes';
import type { FileDescription } from './given';
import { readFiles } from './given';
import type { ReceivedRequest } from './log';
import { badRequest, refuse } from './refusal';
import type { Upload, Uploads } from './uploads';

/**
 * Which files 'initiate' takes. The documentation says 400 for "invalid file metadata", and names
 * the five types and 50 MB elsewhere; that one leads to the other is chosen here.
 */
export interface InitiateOptions {
	/** Bytes; 50 × 1024 × 1024 if left out. Whether CometChat's MB is that or 1,000,000 is unknown. */
	maxFileBytes?: number;
	/** Files in one request; undocumented, no limit if left out. */
	maxFilesPerCall?: number;
	/** What must show one of the five types; undocumented, 'both' (and they must agree) if left out. */
	typeShownBy?: TypeJudge;
}

/** @param origin The upload host's, without a slash at its end. */
export function initiateUploads(
	{ body }: ReceivedRequest,
	uploads: Uploads,
	options: InitiateOptions,
	status: number,
	origin: string,
): Answer {
	const files = readFiles(body);
	if (files === undefined) return refuse(badRequest('files must be a list of descriptions.'));
	const complaint = complain(files, options);
	if (complaint !== undefined) return refuse(badRequest(complaint));
	const prepared = files.map((file) => uploads.prepare(file));
	return {
		status,
		body: () => ({ uploads: prepared.map((upload) => show(upload, origin)) }),
		change: () => prepared.forEach((upload) => uploads.add(upload)),
	};
}

function complain(files: FileDescription[], options: InitiateOptions): string | undefined {
	const { maxFileBytes = 50 * 1024 * 1024, maxFilesPerCall = Infinity } = options;
	const { typeShownBy = 'both' } = options;
	if (files.length > maxFilesPerCall) return `files must hold at most ${maxFilesPerCall} files.`;
	for (const { fileName, mimeType, fileSize } of files) {
		if (fileSize > maxFileBytes) return `${fileName} is larger than ${maxFileBytes} bytes.`;
		if (!isTakenType(fileName, mimeType, typeShownBy)) {
			return `${fileName} (${mimeType}) is not of a supported type.`;
		}
	}
	return undefined;
}

function show({ file, record, presigned }: Upload, origin: string) {
	const { fileName, mimeType, fileSize } = file;
	return {
		uploadId: record.uniqueId,
		fileName,
		mimeType,
		fileSize,
		s3Key: presigned.s3Key,
		presignedUrl: `${origin}${presigned.path}`,
	};
}
