import { ItemContext } from '../execution/itemContext';
import type { Attachment } from '../input/binary';
import { withContent } from '../input/binary';
import type { DocumentInfo } from '../input/document';
import { isSuccess } from '../requests/attemptResult';
import { RateLimiter } from '../requests/rateLimiter';
import { isRetryable, PATIENCE } from '../requests/retryPolicy';
import type { SendResult } from '../requests/sendRequest';
import { sendWithRetries } from '../requests/sendRequest';
import { sendWithin, uploadTimeoutMs } from '../requests/time';
import type { ItemFailure } from '../results/apiError';
import { ApiError, caught, isItemFailure, mayBeDone } from '../results/apiError';
import { sentences } from '../results/itemResult';
import { deleteOne, isUnknownFile } from '../service/deletion';
import type { Upload } from '../service/uploads';
import {
	effectOfUpload,
	initiateRequest,
	isStoredAlready,
	isUploadAddress,
	put,
	readUploads,
} from '../service/uploads';
import { quoted } from '../values/quoting';
import { UserError } from '../values/userError';
import type { IngestionRun } from './ingestionRun';
import type { Json } from '../values/json';
import { Secret } from '../values/json';
import { attempt } from '../service/apiClient';

/** One try, and no long pause before it: whoever waits for this item waits for this, too. */
const TAKING_AWAY = { maxAttempts: 1, maxWaitMs: 10_000 };

/** Whether CometChat had a document of an ID before. */
export type Existed = (uniqueId: string) => Promise<boolean | 'unknown'>;

/** The files of an item on their way into CometChat, and how far they have come. */
export class FileUploads {
	/** Those whose bytes have arrived. */
	readonly done: Upload[] = [];

	/** Those that the service has made room for, and whose bytes have not arrived as far as is known. */
	private opened: Upload[] = [];

	private mayHaveMore = false;

	constructor(
		private readonly run: IngestionRun,
		private readonly steps: ItemContext,
	) {}

	/** Entries without content that the service may show. */
	get open(): readonly Upload[] {
		return this.opened;
	}

	/** Whether the service may have made room for files without this node being told. */
	get mayBeOpen(): boolean {
		return this.mayHaveMore;
	}

	/**
	 * Asks for upload addresses, and sends the bytes there, one file after another. What can't be filled
	 * is taken away again.
	 *
	 * @param existed Should the service give the ID of one that was there to the new one, it is not taken
	 *   away; where that is not known, neither, and it is named.
	 * @returns Why it went no further; undefined if all files have arrived.
	 */
	async send(
		files: Attachment[],
		existed: Existed = async () => false,
	): Promise<ItemFailure | undefined> {
		const { run, steps } = this;
		for (const { takenBecause, field } of files) {
			if (takenBecause === undefined) continue;
			steps.remark(`Took the file in ${quoted(field)}, because ${takenBecause}`);
		}
		const heldBytes = Math.max(0, ...files.map((file) => file.heldBytes));
		const failure = await run.uploadQueue.run(heldBytes, async () => {
			const found = await this.sendEach(files);
			this.endAfter(found);
			return found;
		});
		// Also if all has arrived: an address that was asked for anew has left the entry of the first.
		await this.takeAway(existed);
		for (const { uploadId, fileName } of this.opened) {
			steps.noteLeftover({ uniqueId: uploadId, name: fileName });
		}
		return failure;
	}

	/** Ends a run that is set to stop: here and not later, or others would still begin meanwhile. */
	private endAfter(failure: ItemFailure | undefined): void {
		if (failure && this.run.stopsOnFailure) this.run.cancel();
	}

	private async sendEach(files: Attachment[]): Promise<ItemFailure | undefined> {
		const uploads = await this.initiate(files);
		if (uploads instanceof ApiError) return uploads;
		for (const [at, file] of files.entries()) {
			const upload = uploads[at];
			if (upload === undefined) continue;
			const filled = await this.sendOne(upload, file);
			if (isItemFailure(filled)) return filled;
			// By ID: an address that was asked for anew may belong to the same entry.
			this.opened = this.opened.filter(({ uploadId }) => uploadId !== filled.uploadId);
			this.done.push(filled);
		}
		return undefined;
	}

	/** @returns The entry that has the bytes now, or why there is none. */
	private async sendOne(upload: Upload, file: Attachment): Promise<Upload | ItemFailure> {
		const failure = await this.run.uploadQueue.send(async () => {
			const found = await this.sendBytes(upload, file);
			if (!isExpired(found)) this.endAfter(found);
			return found;
		});
		if (failure === undefined) return upload;
		if (!isExpired(failure)) return failure;
		// Such addresses hold for a short time, and its turn may have come late: once more, anew.
		const [another] = await this.anew(file);
		return another ? ((await this.sendBytes(another, file)) ?? another) : failure;
	}

	private async initiate(files: DocumentInfo[]): Promise<Upload[] | ApiError> {
		const isDone = ({ uploadId }: Upload) => this.done.some((one) => one.uploadId === uploadId);
		const read = (body: Json | undefined) => {
			const found = readUploads(body, files);
			// An entry that has its content belongs to another file of the item.
			return found?.some(isDone) ? undefined : found;
		};
		const uploads = await attempt(this.steps, initiateRequest(files), read, { isSecret: true });
		if (uploads instanceof ApiError) this.mayHaveMore ||= mayBeDone(uploads);
		else this.opened.push(...uploads);
		return uploads;
	}

	/** @returns Empty if there is no other address: the refusal of the first is then the one that counts. */
	private async anew(file: Attachment): Promise<Upload[]> {
		const uploads = await this.initiate([file]);
		return uploads instanceof ApiError ? [] : uploads;
	}

	/** Deletes entries that have no content, also in a run that ends; not in one that the user stops. */
	private async takeAway(existed: Existed): Promise<void> {
		const left: Upload[] = [];
		for (const upload of this.opened) {
			const wasThere = await existed(upload.uploadId);
			if (wasThere === 'unknown') left.push(upload);
			if (wasThere) continue;
			const steps = new ItemContext(this.run);
			steps.finish();
			const answer = await caught(deleteOne(steps, 'uploads', upload.uploadId, TAKING_AWAY));
			if (isItemFailure(answer) && !isUnknownFile(answer)) left.push(upload);
		}
		this.opened = left;
	}

	private async sendBytes(
		{ uploadId, presignedUrl }: Upload,
		file: Attachment,
	): Promise<ItemFailure | undefined> {
		const { run, steps } = this;
		if (!isUploadAddress(presignedUrl, run.account)) {
			return new UserError(
				`CometChat gave an upload address for ${quoted(file.fileName)} that is not encrypted`,
				'Nothing was sent there. Ask CometChat.',
			);
		}
		const { sendResult, issue } = await this.putRepeatedly(presignedUrl, file);
		steps.count(sendResult);
		if (sendResult.effect === 'applied' || isStoredAlready(sendResult)) {
			steps.noteCreated({ uniqueId: uploadId, name: file.fileName, bytes: file.fileSize });
			return undefined;
		}
		if (issue) return issue;
		return notUploaded(sendResult, file);
	}

	/** How it went, and why the file could not be read, if that has ended it. */
	private async putRepeatedly(
		address: Secret,
		file: Attachment,
	): Promise<{ sendResult: SendResult; issue?: ItemFailure }> {
		const { run } = this;
		let issue: ItemFailure | undefined;
		const notRead = (found: ItemFailure) => {
			issue = found;
			return { kind: 'network failure' as const, code: '', text: found.message };
		};
		const timeoutMs = uploadTimeoutMs(file.fileSize);
		const attempt = async () => {
			const sent = withContent(
				file,
				async (content) =>
					await sendWithin(timeoutMs, run.stop, async (signal) => {
						const reply = await caught(put(run, address, file, { content, timeoutMs, signal }));
						return isItemFailure(reply) ? notRead(reply) : reply;
					}),
			);
			const reply = await caught(sent);
			return isItemFailure(reply) ? notRead(reply) : reply;
		};
		// Another host than the service's: its pauses and limits are its own.
		const pace = { rateLimiter: new RateLimiter(), clock: run.clock };
		const rules = { effectOf: effectOfUpload, isRetryable };
		const sendResult = await sendWithRetries(attempt, PATIENCE, pace, rules);
		return { sendResult, issue };
	}

	/** The entries without content that the service may show, in words; empty for none. */
	leftOver(): string {
		const { open, mayBeOpen } = this;
		const [entries, them] = open.length === 1 ? ['an entry', 'it'] : ['entries', 'them'];
		const named = open.map(({ fileName, uploadId }) => `${quoted(fileName)} (ID ${uploadId})`);
		return sentences(
			open.length > 0 &&
				`CometChat may show ${entries} without content: ${named.join(', ')}. Delete ${them} with Document: Delete.`,
			mayBeOpen &&
				'It is not known whether CometChat made an entry for it. Such an entry has no content, and no agent has it.',
		);
	}
}

/** The upload address does not take it, or no longer. */
function isExpired(failure: ItemFailure | undefined): boolean {
	return failure instanceof UserError && failure.more.status === 403;
}

/** What the upload host says is not quoted: it repeats the address, which opens the door to it. */
function notUploaded(
	{ lastResult, stopReason, effect }: SendResult,
	{ fileName }: DocumentInfo,
): UserError {
	const file = quoted(fileName);
	const again = 'Upload it again.';
	const isStopped = lastResult?.kind === 'network failure' && lastResult.code === 'ERR_CANCELED';
	if (lastResult === undefined || stopReason === 'cancelled' || isStopped) {
		const what = `The run stopped before ${file} was uploaded`;
		return new UserError(what, '', { again, because: 'cancelled', effect });
	}
	if (lastResult.kind === 'network failure') {
		const code = lastResult.code;
		const named = code === '' ? '' : ` (${code})`;
		const said = `No answer came from the upload address${named}.`;
		return new UserError(
			`The connection was lost while ${file} was uploaded`,
			'Check that this n8n reaches the internet.',
			{ said, again, ...(code && { code }), cause: 'temporarily-unavailable', effect },
		);
	}
	const { status } = lastResult;
	const isBusy = isRetryable(lastResult);
	const isMarkup = isSuccess(lastResult);
	return new UserError(
		isMarkup
			? `The upload address did not confirm that ${file} arrived`
			: `The upload address did not take ${file}`,
		'If it stays like this, ask CometChat.',
		{
			said: `The upload address answered with status ${status}${isMarkup ? ' and a page that no storage sends' : ''}.`,
			again: isBusy ? 'Upload it again later.' : again,
			status,
			...(isBusy && { cause: 'temporarily-unavailable' as const }),
			effect,
		},
	);
}
