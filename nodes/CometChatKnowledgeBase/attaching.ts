import type { Change } from './change';
import { toRequest } from './change';
import { isRecord } from './complaint';
import type { Refused, Steps } from './steps';

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

/** Attaches files to an agent, or detaches them, in one request. */
export async function attach(steps: Steps, turns: Turns, change: Change): Promise<true | Refused> {
	return await turns.take(change.uid, async () => await steps.ask(toRequest(change), readSuccess));
}

export function readSuccess(body: unknown): true | undefined {
	return isRecord(body) && body.success === true ? true : undefined;
}
