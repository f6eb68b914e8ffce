import type { Clock } from '../http/time';
import { createAbortableClock, pollingDelayMs } from '../http/time';
import { FAILED, isReady } from '../api/documents';
import type { Delivery } from './delivery';

/** Indexing takes seconds to minutes, so more requests would only use up the rate limit. */
const LONGEST_PAUSE_MS = 15_000;

/** The time for which a stopping execution still waits for its created documents. */
const LAST_MINUTE_MS = 60_000;

interface Place {
	readonly delivery: Delivery;
	readonly sinceMs: number;
	/** The time of the next request for the status. */
	dueMs: number;
	/** The end of the wait. */
	lastMs: number;
}

/** The documents of an execution between their creation and the change of their agent. */
export class Line {
	private places: Place[] = [];

	private changed = new AbortController();

	/** Whether no more documents will be added. */
	isEnded = false;

	/** @param stop The stop button. */
	constructor(
		private readonly clock: Clock,
		private readonly stop: AbortSignal,
	) {}

	add(delivery: Delivery): void {
		const nowMs = this.clock.nowMs();
		const lastMs = nowMs + delivery.maxIndexingMs;
		this.places.push({ delivery, sinceMs: nowMs, dueMs: nowMs, lastMs });
		if (!isIndexing(delivery)) this.wake();
	}

	end(): void {
		this.isEnded = true;
		this.wake();
	}

	/** Waits until the time is over, or until `wake` is called. */
	async wait(waitMs: number): Promise<void> {
		await createAbortableClock(AbortSignal.any([this.stop, this.changed.signal])).delay(waitMs);
		this.changed = new AbortController();
	}

	wake(): void {
		this.changed.abort();
	}

	get isEmpty(): boolean {
		return this.places.length === 0;
	}

	/** Returns the documents that are still indexing, with the times of their next requests. */
	indexing(): Array<Readonly<Place>> {
		return this.places.filter(({ delivery }) => isIndexing(delivery));
	}

	/** Sets the times of the next requests. */
	postpone(asked: ReadonlySet<Delivery>, nowMs: number): void {
		for (const place of this.places) {
			if (!asked.has(place.delivery) || !isIndexing(place.delivery)) continue;
			const pauseMs = pollingDelayMs(nowMs - place.sinceMs, LONGEST_PAUSE_MS);
			place.dueMs = Math.min(nowMs + pauseMs, place.lastMs);
		}
	}

	/** Ends all waits within a minute. */
	hurry(): void {
		const lastMs = this.clock.nowMs() + LAST_MINUTE_MS;
		for (const place of this.places) {
			place.lastMs = Math.min(place.lastMs, lastMs);
			place.dueMs = Math.min(place.dueMs, place.lastMs);
		}
	}

	/** Removes and returns the documents that are no longer indexing, except for agents that are being changed. */
	takeSettled(busy: ReadonlyMap<string | undefined, unknown>): Delivery[] {
		const taken: Delivery[] = [];
		const kept: Place[] = [];
		for (const place of this.places) {
			const { delivery } = place;
			const stays = isIndexing(delivery) || busy.has(delivery.agent?.uid);
			if (stays) kept.push(place);
			else taken.push(delivery);
		}
		this.places = kept;
		return taken;
	}
}

/** Whether the execution waits for a document that is neither ready nor failed. */
export function isIndexing({ waits, status, isReadyNow = false, failure }: Delivery): boolean {
	return waits && failure === undefined && !isReadyNow && !isReady(status) && status !== FAILED;
}
