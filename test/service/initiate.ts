import type { Answer } from './answer';
import { isTakenType } from './fileTypes';
import type { FileDescription } from './given';
import { readFiles } from './given';
import type { ReceivedRequest } from './log';
import { badRequest, refuse } from './refusal';
import type { Upload, Uploads } from './uploads';

/** Whether CometChat's MB is that or 1,000,000 is unknown. */
const MAX_FILE_BYTES = 50 * 1024 * 1024;

/** @param origin The upload host's, without a slash at its end. */
export function initiateUploads(
	{ body }: ReceivedRequest,
	uploads: Uploads,
	status: number,
	origin: string,
): Answer {
	const files = readFiles(body);
	if (files === undefined) return refuse(badRequest('files must be a list of descriptions.'));
	const complaint = complain(files);
	if (complaint !== undefined) return refuse(badRequest(complaint));
	const prepared = files.map((file) => uploads.prepare(file));
	return {
		status,
		body: () => ({ uploads: prepared.map((upload) => show(upload, origin)) }),
		change: () => prepared.forEach((upload) => uploads.add(upload)),
	};
}

/**
 * Which files are not taken. The documentation says 400 for "invalid file metadata", and names the
 * five types and 50 MB elsewhere; that one leads to the other is chosen here.
 */
function complain(files: FileDescription[]): string | undefined {
	for (const { fileName, mimeType, fileSize } of files) {
		if (fileSize > MAX_FILE_BYTES) return `${fileName} is larger than ${MAX_FILE_BYTES} bytes.`;
		if (!isTakenType(fileName, mimeType)) {
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
