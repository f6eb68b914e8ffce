import type { Change } from './change';
import { toRequest } from './change';
import { isRecord } from './complaint';
import type { Session } from './operation';
import type { Steps } from './steps';
import { Refused } from './steps';

/**
 * The changes of one agent, one at a time: at the same time they could overwrite each other. Items
 * come in the order in which their files are ready.
 */
export class Turns {
	private readonly last = new Map<string, Promise<unknown>>();

	async take<Value>(uid: string, work: () => Promise<Value>): Promise<Value> {
		// Two spellings may be one agent.
		const agent = uid.toLowerCase();
		const turn = (this.last.get(agent) ?? Promise.resolve()).then(work, work);
		this.last.set(agent, turn);
		return await turn;
	}
}

/** Attaches files to an agent, or detaches them, in one request. Without success the item has failed. */
export async function attach(
	steps: Steps,
	{ stopsOnFailure, end }: Pick<Session, 'stopsOnFailure' | 'end'>,
	turns: Turns,
	change: Change,
): Promise<true | Refused> {
	return await turns.take(change.uid, async () => {
		const answer = await steps.ask(toRequest(change), readSuccess);
		// Here and not later, or the item whose turn is next would still be sent.
		if (answer instanceof Refused && stopsOnFailure) end();
		return answer;
	});
}

export function readSuccess(body: unknown): true | undefined {
	return isRecord(body) && body.success === true ? true : undefined;
}
