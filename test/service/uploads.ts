import type { FileDescription } from './given';
import type { ReceivedBytes } from './log';
import type { Presigned } from './storage/presigned';
import { isPath, presign, signatureIn } from './storage/presigned';
import type { KnowledgeRecord, Records } from './records';

/** A file for which a presigned URL was given. */
export interface Upload {
	file: FileDescription;
	record: KnowledgeRecord;
	presigned: Presigned;
	/** Undefined until the bytes are there. */
	stored?: ReceivedBytes;
}

/** How records of files come to be. */
export interface UploadRecordOptions {
	/** How long a presigned URL is good, in milliseconds; 900,000 (15 minutes) if left out. */
	expiresMs?: number;
	/**
	 * Undocumented: whether a file has its record (list, poll) from 'initiate' on, with the status
	 * `indexing`, or only from when its bytes are there; 'fromInitiate' if left out.
	 */
	recorded?: 'fromInitiate' | 'fromBytes';
}

/** The files that were announced, with and without their bytes. */
export class Uploads {
	private readonly bySignature = new Map<string, Upload>();
	private readonly byId = new Map<string, Upload>();

	constructor(
		private readonly records: Records,
		private readonly options: UploadRecordOptions = {},
	) {}

	reset(): void {
		this.bySignature.clear();
		this.byId.clear();
	}

	/** Makes an upload with a new ID, which is not yet among the others. */
	prepare(file: FileDescription): Upload {
		const record = this.records.prepare({ sourceName: file.fileName, status: 'indexing' });
		const { expiresMs = 900_000 } = this.options;
		return { file, record, presigned: presign(record.uniqueId, file, expiresMs) };
	}

	add(upload: Upload): void {
		this.bySignature.set(upload.presigned.signature, upload);
		this.byId.set(upload.record.uniqueId, upload);
		if (this.options.recorded !== 'fromBytes') this.records.add(upload.record);
	}

	get(uniqueId: string): Upload | undefined {
		return this.byId.get(uniqueId);
	}

	/** @param path Raw, of a request to the upload host. */
	at(path: string): Upload | undefined {
		const upload = this.bySignature.get(signatureIn(path) ?? '');
		return upload !== undefined && isPath(path, upload.presigned) ? upload : undefined;
	}

	store(upload: Upload, received: ReceivedBytes): void {
		const { uniqueId } = upload.record;
		// Deleted, or forgotten by a reset, while its bytes were on their way.
		if (this.byId.get(uniqueId) !== upload) return;
		const isFirst = upload.stored === undefined;
		upload.stored = received;
		if (this.options.recorded === 'fromBytes' && isFirst) this.records.add(upload.record);
		this.records.index(uniqueId);
	}

	remove(uniqueId: string): void {
		const upload = this.byId.get(uniqueId);
		if (upload !== undefined) this.bySignature.delete(upload.presigned.signature);
		this.byId.delete(uniqueId);
	}
}
