import { createHash } from 'node:crypto';

import type { Account } from '../account/account';

const MINUTE_MS = 60_000;

/**
 * When the next request of an account may start, by its `keyOf`: for all executions of this n8n process. Only
 * those whose next one is still to come are in it.
 */
const nextStarts = new Map<string, number>();

/** The even pace that the credential of an account names; executions of the same account share it. */
export class AccountPace {
	private readonly key: string;

	private readonly spacingMs: number;

	constructor(account: Account, requestsPerMinute: number) {
		this.key = keyOf(account);
		this.spacingMs = MINUTE_MS / requestsPerMinute;
	}

	/** How long until a request may start. */
	waitMs(nowMs: number): number {
		const waitMs = (nextStarts.get(this.key) ?? 0) - nowMs;
		// None waits longer than the slowest pace: the system's clock was set back.
		return waitMs > MINUTE_MS ? 0 : Math.max(0, waitMs);
	}

	/** Counts a request that starts. */
	start(nowMs: number): void {
		for (const [key, startMs] of nextStarts) if (startMs <= nowMs) nextStarts.delete(key);
		nextStarts.set(this.key, nowMs + this.spacingMs);
	}
}

/** Undefined if its credential names no pace: then it is as fast as CometChat allows. */
export function paceOf(account: Account): AccountPace | undefined {
	const { requestsPerMinute } = account;
	return requestsPerMinute === undefined ? undefined : new AccountPace(account, requestsPerMinute);
}

/** A hash: nothing keeps the key of an account for longer than its run. */
function keyOf({ baseUrl, appId = '', apiKey }: Account): string {
	const account = JSON.stringify([baseUrl, appId, apiKey]);
	return createHash('sha256').update(account).digest('base64url');
}
