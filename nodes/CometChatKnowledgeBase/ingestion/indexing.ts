import type { Semaphore } from '../concurrency/turns';
import type { RunContext, StoppableContext } from '../execution/operation';
import { ItemContext } from '../execution/itemContext';
import type { ItemFailure } from '../results/apiError';
import { ApiError, caught, isItemFailure } from '../results/apiError';
import type { StatusById } from '../service/statuses';
import { FAILED, IDS_PER_QUESTION, isReady, NOT_LISTED, statusesOf } from '../service/statuses';
import { listed, quoted } from '../values/quoting';
import { UserError } from '../values/userError';
import { maxIndexingOption } from './fields';

const FIRST_PAUSE_MS = 1000;

/** Indexing takes from seconds to minutes; asking more often than this only uses up the rate limit. */
const LONGEST_POLL_PAUSE_MS = 15_000;

/** Least time between two rounds of questions, so that items that wait can share one. */
const BETWEEN_ROUNDS_MS = 1000;

/** An item whose files are being indexed. */
interface Waiting {
	steps: ItemContext;
	uniqueIds: string[];
	/** Is kept up to date. */
	statuses: StatusById;
	sinceMs: number;
	/** When it is asked for next. */
	dueMs: number;
	/** When it gives up. */
	lastMs: number;
	/** Whether they are texts, which have been written here and not uploaded. */
	areTexts: boolean;
	settle(failure: ItemFailure | undefined): void;
}

/**
 * Asks how far indexing is, for all items of a run that wait: one request for up to 100 files, and for
 * each item less and less often. Who waits holds nothing that others could use meanwhile.
 */
export class IndexingPoller {
	private readonly waiting = new Set<Waiting>();

	private isPolling = false;

	private nextRoundMs = 0;

	constructor(
		private readonly run: StoppableContext &
			Pick<RunContext, 'stopsOnFailure' | 'cancel' | 'option'>,
		private readonly permits: Semaphore,
	) {}

	/**
	 * Waits until all of the files are ready.
	 *
	 * @param statuses Is kept up to date, for whoever wants to know how far it came.
	 * @throws Why it can't be waited for any longer.
	 */
	async untilIndexed(
		steps: ItemContext,
		uniqueIds: string[],
		statuses: StatusById,
		areTexts = false,
	): Promise<void> {
		if (uniqueIds.every((id) => isReady(statuses.get(id)))) return;
		const { clock, option } = this.run;
		const nowMs = clock.nowMs();
		const failure = await this.permits.without(
			async () =>
				await new Promise<ItemFailure | undefined>((settle) => {
					this.waiting.add({
						steps,
						uniqueIds,
						statuses,
						areTexts,
						sinceMs: nowMs,
						dueMs: nowMs,
						lastMs: nowMs + option(maxIndexingOption),
						settle,
					});
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
			const waitMs = Math.max(this.firstDueMs(), this.nextRoundMs) - nowMs;
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

	private firstDueMs(): number {
		let firstMs = Infinity;
		for (const { dueMs } of this.waiting) firstMs = Math.min(firstMs, dueMs);
		return firstMs;
	}

	/** Those that are due, a request each, with as many others as there is room for. */
	private groups(nowMs: number): Waiting[][] {
		const groups: Waiting[][] = [];
		let room = 0;
		for (const one of [...this.waiting].sort((a, b) => a.dueMs - b.dueMs)) {
			const count = openIds(one).length;
			if (count <= room) {
				groups.at(-1)?.push(one);
				room -= count;
			} else if (one.dueMs <= nowMs) {
				groups.push([one]);
				room = IDS_PER_QUESTION - count;
			} else {
				break;
			}
		}
		return groups;
	}

	private async ask(group: Waiting[]): Promise<void> {
		const steps = new ItemContext(this.run);
		const ids = group.flatMap(openIds);
		// Taken in before another has the permit: a run that stops on failure sends nothing more.
		const isForOneFile = await this.permits.runFirst(async () => {
			const answer = await caught(statusesOf(steps, ids));
			for (const one of group) one.steps.count(steps.log);
			return this.takeIn(answer, group);
		});
		if (!isForOneFile) return;
		const middle = Math.ceil(group.length / 2);
		await this.ask(group.slice(0, middle));
		await this.ask(group.slice(middle));
	}

	/** @returns Whether one of several items may be the cause of a refusal: the others are asked for without it. */
	private takeIn(answer: StatusById | ItemFailure, group: Waiting[]): boolean {
		if (isItemFailure(answer)) {
			const isForOne = answer instanceof ApiError && answer.more.concernsOneFile === true;
			if (isForOne && group.length > 1) return true;
			for (const one of group) this.settle(one, answer);
			return false;
		}
		const nowMs = this.run.clock.nowMs();
		for (const one of group) {
			for (const id of openIds(one)) one.statuses.set(id, answer.get(id) ?? NOT_LISTED);
			const failure = reached(one, nowMs);
			if (failure !== WAITING) {
				this.settle(one, failure);
				continue;
			}
			// Timers know no parts of a millisecond.
			const halfMs = Math.ceil((nowMs - one.sinceMs) / 2);
			const pauseMs = Math.min(Math.max(halfMs, FIRST_PAUSE_MS), LONGEST_POLL_PAUSE_MS);
			one.dueMs = Math.min(nowMs + pauseMs, one.lastMs);
		}
		return false;
	}

	private settle(one: Waiting, failure: ItemFailure | undefined): void {
		this.waiting.delete(one);
		// Here and not later, or items that wait for a permit would still go on before this one.
		if (failure !== undefined && this.run.stopsOnFailure) this.run.cancel();
		one.settle(failure);
	}
}

/** Those of which CometChat has not said how it ended. */
function openIds({ uniqueIds, statuses }: Pick<Waiting, 'uniqueIds' | 'statuses'>): string[] {
	return uniqueIds.filter((id) => !isReady(statuses.get(id)) && statuses.get(id) !== FAILED);
}

const WAITING = Symbol('waiting');

/** How far an item has come: undefined if all of its files are ready. */
function reached(
	{ steps, uniqueIds, statuses, lastMs, areTexts }: Waiting,
	nowMs: number,
): ItemFailure | undefined | typeof WAITING {
	const failed = uniqueIds.filter((id) => statuses.get(id) === FAILED);
	const isOpen = openIds({ uniqueIds, statuses }).length > 0;
	if (isOpen && nowMs < lastMs) return WAITING;
	if (failed.length > 0) return indexingFailed(failed, steps, areTexts);
	return isOpen ? tooSlow(statuses, steps) : undefined;
}

const STOPPED_WHILE_INDEXING = new UserError(
	'The run stopped while CometChat was indexing',
	'Ask for the status later with Document: Get Status.',
	{ because: 'cancelled' },
);

function nameFor({ log: { names, created } }: ItemContext, id: string): string {
	return names.get(id) ?? created.find(({ uniqueId }) => uniqueId === id)?.name ?? id;
}

function tooSlow(statuses: StatusById, steps: ItemContext): UserError {
	const open = [...statuses].filter(([, status]) => !isReady(status));
	const said = open.map(([id, status]) => `${quoted(nameFor(steps, id))} is ${status}`);
	return new UserError(
		"CometChat did not finish indexing within 'Max Indexing Time (Minutes)'",
		'Ask for the status later with Document: Get Status, or raise that option under Options.',
		{ detail: `${listed(said)}.`, cause: 'temporarily-unavailable' },
	);
}

function indexingFailed(ids: string[], steps: ItemContext, areTexts: boolean): UserError {
	const names = listed(ids.map((id) => quoted(nameFor(steps, id))));
	const named = listed(ids.map((id) => `${quoted(nameFor(steps, id))} (ID ${id})`));
	const [check, anew] =
		ids.length === 1
			? ['opens, has no password and holds text; delete it', 'one that can be read']
			: ['open, have no password and hold text; delete them', 'files that can be read'];
	return new UserError(
		`CometChat was not able to read ${names}`,
		areTexts
			? `Change ${named} with Text: Update: its ID stays, and the agents that have it keep it.`
			: `Check that ${named} ${check} with Document: Delete, and upload ${anew}.`,
		{ cause: 'configuration-invalid' },
	);
}
