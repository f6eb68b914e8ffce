import { ItemContext } from '../execution/itemContext';
import type { FileInfo } from '../files/fileInfo';
import type { InputFile } from '../files/inputFiles';
import { withContent } from '../files/inputFiles';
import { isSuccess } from '../requests/attemptResult';
import { RateLimiter } from '../requests/rateLimiter';
import { isRetryable, PATIENCE } from '../requests/retryPolicy';
import type { SendResult } from '../requests/sendRequest';
import { sendWithRetries } from '../requests/sendRequest';
import { sendWithin, uploadTimeoutMs } from '../requests/time';
import type { CreatedDocument } from '../results/itemResult';
import { nameWithId } from '../results/itemResult';
import { deleteOne, isUnknownDocument } from '../service/documents';
import type { Upload } from '../service/uploads';
import {
	initiateRequest,
	isStoredAlready,
	isUploadAddress,
	put,
	readStored,
	readUpload,
} from '../service/uploads';
import type { Failure } from '../values/failure';
import { UserError, caught, isFailure, mayBeDone, onFailure, reasonOf } from '../values/failure';
import type { Json } from '../values/json';
import { quoted } from '../values/quoting';
import type { IngestionRun } from './ingestionRun';

/** One try, and no long pause before it: whoever waits for this item waits for this, too. */
const TAKING_AWAY = { maxAttempts: 1, maxWaitMs: 10_000 };

/** How far the files of an item have come. */
export interface UploadLog {
	/** Those that are in CometChat. */
	documents: CreatedDocument[];
	/** Entries that CometChat has made, and that have no content as far as is known. */
	leftovers: CreatedDocument[];
	/** Whether there may be one of which CometChat has not told. */
	mayHaveLeftover: boolean;
}

/** Sends the files of an item to CometChat, and writes into its log how far they have come. */
export class FileUploads {
	constructor(
		private readonly run: IngestionRun,
		private readonly item: ItemContext,
		private readonly log: UploadLog,
	) {}

	/**
	 * Asks for an upload address, and sends the bytes there, one file after another. What can't be filled is taken away
	 * again: also if all has arrived, since an address that was asked for anew has left the entry of the first.
	 */
	async send(files: InputFile[]): Promise<void> {
		try {
			await this.run.uploadQueue.run(0, async () => {
				await onFailure(this.sendEach(files), () => this.endRun());
			});
		} finally {
			await this.deleteLeftovers();
		}
	}

	/** If it is set to stop: as soon as something fails, or others would still begin meanwhile. */
	private endRun(): void {
		if (this.run.stopsOnFailure) this.run.cancel();
	}

	private async sendEach(files: InputFile[]): Promise<void> {
		const { log } = this;
		for (const file of files) {
			const { uploadId } = await this.sendOne(file);
			// By ID: an address that was asked for anew may belong to the same entry.
			log.leftovers = log.leftovers.filter(({ uniqueId }) => uniqueId !== uploadId);
			log.documents.push({ name: file.fileName, uniqueId: uploadId });
		}
	}

	/** @returns The entry that has the bytes now. */
	private async sendOne(file: InputFile): Promise<Upload> {
		const upload = await this.initiate(file);
		const sent = await caught(this.sendBytes(upload, file));
		if (!isFailure(sent)) return upload;
		if (!isExpired(sent)) throw sent;
		// Such addresses hold for a short time, and its turn may have come late: once more, anew.
		const another = await caught(this.initiate(file));
		// Without another address, the refusal of the first is the one that counts.
		if (isFailure(another)) throw sent;
		await this.sendBytes(another, file);
		return another;
	}

	private async initiate(file: InputFile): Promise<Upload> {
		const { item, log } = this;
		const read = (body: Json | undefined) => {
			const upload = readUpload(body);
			// An answer that came twice: these bytes would take the place of another file's.
			const isFilled = log.documents.some(({ uniqueId }) => uniqueId === upload?.uploadId);
			return isFilled ? undefined : upload;
		};
		const asked = item.call(initiateRequest(file), read, { isSecret: true });
		const upload = await onFailure(asked, (failure) => {
			log.mayHaveLeftover ||= mayBeDone(failure);
		});
		log.leftovers.push({ name: file.fileName, uniqueId: upload.uploadId });
		return upload;
	}

	/** Deletes entries that have no content, also in a run that ends; not in one that the user stops. */
	private async deleteLeftovers(): Promise<void> {
		const { run, item, log } = this;
		// Should CometChat give the ID of a document that was there to the new one, it is none of these.
		const entries = log.leftovers.filter(({ uniqueId }) => !run.inventory.record(uniqueId));
		log.leftovers = [];
		for (const entry of entries) {
			const deletion = new ItemContext(run);
			deletion.mustComplete = true;
			const answer = await caught(deleteOne(deletion, 'uploads', entry.uniqueId, TAKING_AWAY));
			if (!isFailure(answer) || isUnknownDocument(answer)) continue;
			log.leftovers.push(entry);
			const leftover = { ...entry, isEmpty: true };
			item.log.created.push(leftover);
			const why = reasonOf(answer.title, answer.more);
			item.warn(
				`In CometChat now: ${nameWithId(leftover)}. Delete it with Document: Delete. This node could not delete it: ${why}`,
			);
		}
	}

	/** Meanwhile the caller's permit is others'. */
	private async sendBytes(upload: Upload, file: InputFile): Promise<void> {
		await this.run.permits.without(async () => {
			await onFailure(this.putBytes(upload, file), (failure) => {
				if (!isExpired(failure)) this.endRun();
			});
		});
	}

	private async putBytes({ uploadId, presignedUrl }: Upload, file: InputFile): Promise<void> {
		const { run, item } = this;
		if (!isUploadAddress(presignedUrl, run.account)) {
			throw new UserError(
				`CometChat gave an upload address for ${quoted(file.fileName)} that is not encrypted`,
				'Nothing was sent there. Ask CometChat.',
			);
		}
		const sendResult = await putRepeatedly(run, presignedUrl, file);
		item.count(sendResult);
		if (sendResult.value === undefined && !isStoredAlready(sendResult)) {
			throw notUploaded(sendResult, file);
		}
		item.log.created.push({ uniqueId: uploadId, name: file.fileName });
	}
}

/** @throws UserError if n8n cannot read the file to its end, which is not tried again. */
async function putRepeatedly(run: IngestionRun, address: string, file: InputFile) {
	const timeoutMs = uploadTimeoutMs(file.fileSize);
	const send = async () =>
		await withContent(file, async (content) =>
			sendWithin(timeoutMs, AbortSignal.any([run.stop]), async (signal) =>
				put(run, address, file, { content, timeoutMs, signal }),
			),
		);
	// Another host than the service's: its pauses and limits are its own.
	const pace = { rateLimiter: new RateLimiter(), clock: run.clock };
	return await sendWithRetries(send, readStored, PATIENCE, pace);
}

/** The upload address does not take it, or no longer. */
function isExpired({ more }: Failure): boolean {
	return more.status === 403;
}

/** What the upload host says is not quoted: it repeats the address, which opens the door to it. */
function notUploaded(
	{ lastResult, stopReason, effect }: SendResult,
	{ fileName }: FileInfo,
): UserError {
	const file = quoted(fileName);
	const retryHint = 'Upload it again.';
	const isStopped = lastResult?.kind === 'network failure' && lastResult.code === 'ERR_CANCELED';
	if (lastResult === undefined || stopReason === 'cancelled' || isStopped) {
		const what = `The run stopped before ${file} was uploaded`;
		return new UserError(what, '', { retryHint, isCancelled: true, effect });
	}
	const title = `The upload address did not confirm that ${file} arrived`;
	const more = {
		effect,
		...(isRetryable(lastResult)
			? { retryHint: 'Upload it again later.', cause: 'temporarily-unavailable' as const }
			: { retryHint }),
	};
	if (lastResult.kind === 'network failure') {
		const { code } = lastResult;
		const detail = `No answer came from it${code === '' ? '' : ` (${code})`}.`;
		const hint = 'Check that this n8n reaches the internet.';
		return new UserError(title, hint, { ...more, detail, ...(code && { code }) });
	}
	const { status } = lastResult;
	const page = isSuccess(lastResult) ? ' and a page that no storage sends' : '';
	const detail = `It answered with status ${status}${page}.`;
	return new UserError(title, 'If it stays like this, ask CometChat.', { ...more, detail, status });
}
