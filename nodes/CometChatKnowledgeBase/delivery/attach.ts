import type { Agent, ChangeOperation } from '../api/agents';
import { agentRequest, readAgent } from '../api/agents';
import { until } from '../http/time';
import { effectOfAnswer, isFailure } from '../text/failure';
import { chunk } from '../text/groups';
import { changeEach, IDS_PER_CHANGE } from './changeAgent';
import type { Delivery, Finishing, Steps } from './delivery';
import { fail, idOf, isStillUsed, isUsed, keepOld } from './delivery';
import { listFor } from './usage';

/** The pauses before requests for an agent that doesn't show a new document yet: its lists may be late. */
const LIST_PAUSES_MS = [0, 1000, 4000];

/** Adds the ready documents of an agent in input order, and then removes their old versions. */
export async function addReady(run: Finishing, ready: readonly Delivery[]): Promise<void> {
	const inOrder = ready
		.filter(({ failure }) => failure === undefined)
		.sort((one, other) => one.index - other.index);
	const agent = inOrder[0]?.agent;
	if (agent === undefined) return;
	const missing = inOrder.filter((one) => !isUsed(one) || one.steps.create === 'applied');
	await changeAll(
		run,
		agent,
		'add',
		missing.map((delivery) => ({ delivery, id: idOf(delivery), steps: delivery.steps })),
	);
	await keepUnlessShown(run, agent, inOrder);
	await removeFromAgent(run, agent, inOrder);
}

/** Removes the old versions from the agent. */
export async function removeFromAgent(
	run: Finishing,
	agent: Agent,
	deliveries: readonly Delivery[],
): Promise<void> {
	const used = deliveries.flatMap((delivery) =>
		oldInUse(delivery).map(({ uniqueId: id, steps }) => ({ delivery, id, steps })),
	);
	await changeAll(run, agent, 'remove', used);
}

function oldInUse({ failure, old }: Delivery) {
	if (failure !== undefined) return [];
	return old.filter((one) => isStillUsed(one) && one.reason === undefined);
}

interface Change {
	delivery: Delivery;
	id: string;
	/** The steps of the document with this ID. */
	steps: Steps;
}

/** Sends an agent's changes, with 100 IDs of a source type per request. If a change fails, its delivery fails. */
async function changeAll(
	run: Finishing,
	{ uid }: Agent,
	operation: ChangeOperation,
	changes: Change[],
): Promise<void> {
	const sourceTypes = new Set(changes.map(({ delivery }) => delivery.sourceType));
	for (const sourceType of sourceTypes) {
		const ofType = changes.filter(({ delivery }) => delivery.sourceType === sourceType);
		for (const part of chunk(ofType, IDS_PER_CHANGE)) {
			const uniqueIds = [...new Set(part.map(({ id }) => id))];
			const change = { operation, uid, sourceType, uniqueIds };
			const results = await changeEach(run.finishing, change);
			for (const { delivery, id, steps } of part) {
				const failure = results.get(id);
				steps[operation] = effectOfAnswer(failure);
				if (failure) fail(run, [delivery], failure);
			}
		}
	}
}

/** Keeps a listed old version if the agent's list doesn't show the new version, or could not be read. */
async function keepUnlessShown(
	run: Finishing,
	{ uid }: Agent,
	deliveries: readonly Delivery[],
): Promise<void> {
	const replacing = deliveries.filter((delivery) => oldInUse(delivery).length > 0);
	const [first] = replacing;
	if (first === undefined) return;
	let shown = new Set<string>();
	const ask = async () => {
		const agent = await run.finishing.call(agentRequest(uid), readAgent, { about: 'agent' });
		shown = new Set(listFor(agent, first.sourceType));
		return replacing.every((delivery) => shown.has(idOf(delivery))) || undefined;
	};
	const answer = await until(run.finishing.clock, Infinity, LIST_PAUSES_MS, ask);
	for (const delivery of replacing) {
		const isOldShown = delivery.old.some(({ uniqueId }) => shown.has(uniqueId));
		const isKept = isFailure(answer) || (isOldShown && !shown.has(idOf(delivery)));
		if (isKept) keepOld(delivery, NOT_SHOWN);
	}
}

const NOT_SHOWN =
	"The old version was not removed, because CometChat doesn't show whether the agent uses the new version. Check the agent in the CometChat dashboard";
