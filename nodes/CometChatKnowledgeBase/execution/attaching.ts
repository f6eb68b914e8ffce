import type { Change } from '../service/attachments';
import { readSuccess, toRequest } from '../service/attachments';
import type { ItemRun } from './items';
import { RequestFailure } from '../results/itemFailure';
import type { Steps } from './steps';

/**
 * Attaches files to an agent, or detaches them, in one request. Without success the item has failed.
 *
 * The changes of one agent go one at a time, in the order in which their files are ready: at the same
 * time they could overwrite each other.
 */
export async function attach(
	steps: Steps,
	{ stopsOnFailure, cancel, permits, agentQueue }: ItemRun,
	change: Change,
): Promise<true | RequestFailure> {
	// Two spellings may be one agent.
	const agent = change.uid.toLowerCase();
	const ask = async () => {
		const answer = await steps.call(toRequest(change), readSuccess);
		// Here and not later, or the item whose turn is next would still be sent.
		if (answer instanceof RequestFailure && stopsOnFailure) cancel();
		return answer;
	};
	return await permits.without(
		async () => await agentQueue.run([agent], async () => await permits.runFirst(ask)),
	);
}
