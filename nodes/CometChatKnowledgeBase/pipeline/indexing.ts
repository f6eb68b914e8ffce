import { inHalves } from '../api/apiClient';
import type { ApiError } from '../apiErrors/apiError';
import { ItemContext } from '../execution/itemContext';
import type { RunContext } from '../execution/operation';
import { growingPauseMs } from '../requests/time';
import type { CreatedDocument } from '../results/itemResult';
import type { StatusById } from '../service/documents';
import { FAILED, IDS_PER_QUESTION, isReady, NOT_LISTED, statusesOf } from '../service/documents';
import type { Failure } from '../values/failure';
import { UserError, isFailure } from '../values/failure';
import { listed, quoted } from '../values/quoting';
import { maxIndexingOption } from './fields';

/** Indexing takes from seconds to minutes; asking more often than this only uses up the rate limit. */
const LONGEST_POLL_PAUSE_MS = 15_000;

/** Least time between two rounds of questions, so that items that wait can share one. */
const BETWEEN_ROUNDS_MS = 1000;

/** Documents of an item that are being indexed. */
interface Indexing {
	documents: readonly CreatedDocument[];
	/** Is kept up to date, for whoever wants to know how far they came. */
	statuses: StatusById;
	/** What they are, as CometChat calls it. */
	sourceType: string;
}

interface Waiting extends Indexing {
	item: ItemContext;
	sinceMs: number;
	/** When it is asked for next. */
	dueMs: number;
	/** When it gives up. */
	lastMs: number;
	settle(failure: Failure | undefined): void;
}

/**
 * Asks how far indexing is, for all items of a run that wait: one request for up to 100 files, and for
 * each item less and less often. Who waits holds nothing that others could use meanwhile.
 */
export class IndexingPoller {
	private readonly waiting = new Set<Waiting>();

	private isPolling = false;

	private nextRoundMs = 0;

	constructor(private readonly run: RunContext) {}

	/** Waits until all of the documents are ready. @throws Why they can't be waited for any longer. */
	async untilIndexed(item: ItemContext, indexing: Indexing): Promise<void> {
		const { documents, statuses } = indexing;
		if (documents.every(({ uniqueId }) => isReady(statuses.get(uniqueId)))) return;
		const nowMs = this.run.clock.nowMs();
		const lastMs = nowMs + item.option(maxIndexingOption);
		const times = { sinceMs: nowMs, dueMs: nowMs, lastMs };
		const failure = await this.run.permits.without(
			async () =>
				await new Promise<Failure | undefined>((settle) => {
					this.waiting.add({ ...indexing, ...times, item, settle });
					void this.poll();
				}),
		);
		if (failure !== undefined) throw failure;
	}

	private async poll(): Promise<void> {
		if (this.isPolling) return;
		this.isPolling = true;
		const { clock } = this.run;
		while (this.waiting.size > 0) {
			if (clock.isCancelled()) {
				for (const one of this.waiting) this.settle(one, STOPPED_WHILE_INDEXING);
				break;
			}
			const nowMs = clock.nowMs();
			let dueMs = Infinity;
			for (const one of this.waiting) dueMs = Math.min(dueMs, one.dueMs);
			const waitMs = Math.max(dueMs, this.nextRoundMs) - nowMs;
			if (waitMs > 0) {
				// Not longer than that, since another item may come that is due at once.
				await clock.delay(Math.min(waitMs, BETWEEN_ROUNDS_MS));
				continue;
			}
			this.nextRoundMs = nowMs + BETWEEN_ROUNDS_MS;
			for (const group of this.groups(nowMs)) await this.ask(group);
		}
		this.isPolling = false;
	}

	/** Those that are due, a request each, with as many others as there is room for. */
	private groups(nowMs: number): Waiting[][] {
		const groups: Waiting[][] = [];
		let room = 0;
		for (const one of [...this.waiting].sort((a, b) => a.dueMs - b.dueMs)) {
			const { length } = openIds(one);
			if (length <= room) {
				groups.at(-1)?.push(one);
				room -= length;
			} else if (one.dueMs <= nowMs) {
				groups.push([one]);
				room = IDS_PER_QUESTION - length;
			} else {
				break;
			}
		}
		return groups;
	}

	/** Where one item may be the cause of a refusal, the others are asked for without it. */
	private async ask(group: Waiting[]): Promise<void> {
		const question = new ItemContext(this.run);
		// Taken in before another has the permit: a run that stops on failure sends nothing more.
		await this.run.permits.runFirst(async () => {
			const parts = await inHalves(
				group,
				async (some) => await statusesOf(question, some.flatMap(openIds)),
				async ({ more }) => more.concernsOneDocument === true,
			);
			for (const one of group) one.item.count(question.log);
			for (const { entries, answer } of parts) {
				for (const one of entries) this.record(one, answer);
			}
		});
	}

	private record(one: Waiting, answer: StatusById | ApiError): void {
		if (isFailure(answer)) return this.settle(one, answer);
		const nowMs = this.run.clock.nowMs();
		for (const id of openIds(one)) one.statuses.set(id, answer.get(id) ?? NOT_LISTED);
		if (openIds(one).length === 0 || nowMs >= one.lastMs) return this.settle(one, whyNotReady(one));
		const pauseMs = growingPauseMs(nowMs - one.sinceMs, LONGEST_POLL_PAUSE_MS);
		one.dueMs = Math.min(nowMs + pauseMs, one.lastMs);
	}

	private settle(one: Waiting, failure: Failure | undefined): void {
		this.waiting.delete(one);
		// Here and not later, or items that wait for a permit would still go on before this one.
		if (failure !== undefined && this.run.stopsOnFailure) this.run.cancel();
		one.settle(failure);
	}
}

/** Those of which CometChat has not said how it ended. */
function openIds({ documents, statuses }: Indexing): string[] {
	const isOpen = (id: string) => !isReady(statuses.get(id)) && statuses.get(id) !== FAILED;
	return documents.flatMap(({ uniqueId }) => (isOpen(uniqueId) ? [uniqueId] : []));
}

const STOPPED_WHILE_INDEXING = new UserError(
	'The run stopped while CometChat was indexing',
	'Ask for the status later with Document: Get Status.',
	{ isCancelled: true },
);

/** What has become of documents that are waited for no longer; undefined if all are ready. */
function whyNotReady({ documents, statuses, sourceType }: Indexing): UserError | undefined {
	const failed = documents.filter(({ uniqueId }) => statuses.get(uniqueId) === FAILED);
	if (failed.length > 0) {
		const named = listed(failed.map(({ name, uniqueId }) => `${quoted(name)} (ID ${uniqueId})`));
		return new UserError(
			`CometChat was not able to read ${listed(failed.map(({ name }) => quoted(name)))}`,
			remedyIfUnreadable(sourceType, named),
			{ cause: 'configuration-invalid' },
		);
	}
	const open = documents.filter(({ uniqueId }) => !isReady(statuses.get(uniqueId)));
	if (open.length === 0) return undefined;
	const said = open.map(({ name, uniqueId }) => `${quoted(name)} is ${statuses.get(uniqueId)}`);
	return new UserError(
		"CometChat did not finish indexing within 'Max Indexing Time (Minutes)'",
		'Ask for the status later with Document: Get Status, or raise that option under Options.',
		{ detail: `${listed(said)}.`, cause: 'temporarily-unavailable' },
	);
}

/** What could not be read went to no agent: reading it alone is not enough. */
const ONCE_MORE = 'Document: Retry Indexing (then Add Files, if an agent lacks it)';

/** What to do about a document that CometChat was not able to read. It gives no reason for that anywhere. */
export function remedyIfUnreadable(sourceType: string, named = 'it'): string {
	switch (sourceType) {
		case 'uploads':
			return `A file has to open, to have no password and to hold text: if it does, try ${ONCE_MORE}, otherwise delete ${named} with Document: Delete and upload a corrected one.`;
		case 'text':
			return `Try ${ONCE_MORE}; if it fails again, change ${named} with Text: Update: its ID stays, and the agents that have it keep it.`;
		default:
			return `Try ${ONCE_MORE}; if it fails again, delete ${named} with Document: Delete and crawl it anew.`;
	}
}

/** What to do about one that is indexed and holds no text: a clause, and sentences behind it. */
export function remedyIfEmpty(sourceType: string): string {
	return sourceType === 'website'
		? 'no agent can answer from it. Website: Get Pages shows whether its pages were read; if a script makes them, bring what they say with Document: Upload'
		: 'if it is a scan, no agent can answer from it. Replace it by a file whose text is recognised (OCR)';
}
