import type { Steps } from '../../execution/steps';
import type { AllHolders, Inventory } from '../../ingestion/inventory';
import type { ItemFailure } from '../../results/itemFailure';
import { isItemFailure, StepFailure } from '../../results/itemFailure';
import type { Agent } from '../../service/agents';
import { quoted } from '../../values/quoting';
import { given, worded } from '../../values/shown';
import { agentNames } from './owners';

/**
 * Why a document is not deleted with 'If Agents Have It' set to Fail: agents have it, or CometChat does not
 * tell. As the lists have it, which are read once for a run and may be late.
 */
export async function whyKept(
	steps: Steps,
	inventory: Inventory,
	sourceType: string,
	uniqueId: string,
): Promise<ItemFailure | undefined> {
	const all = await inventory.allHolders(steps);
	if (isItemFailure(all)) return all;
	const isSite = sourceType === 'website';
	if (isSite) {
		const isEnough = () => all.agents.every((one) => isEmpty(one) || namesSite(one, inventory));
		const read = await inventory.recordsFor(steps, isEnough);
		if (isItemFailure(read)) return read;
	}
	const holders = all.byId.get(uniqueId) ?? [];
	const name = quoted(inventory.record(uniqueId)?.sourceName ?? given(uniqueId));
	if (holders.length > 0) {
		return new StepFailure(
			"Agents have it, and 'If Agents Have It' is set to Fail",
			"Take it from these agents first, or set 'If Agents Have It' under Options to Delete.",
			{ said: worded`These would lose ${name}: ${agentNames(holders)}.` },
		);
	}
	const untold = isSite ? untoldOfSites(all, inventory) : all.untold;
	return untold.length === 0
		? undefined
		: new StepFailure(
				'CometChat does not tell which agents have it',
				"See in the CometChat dashboard who has it. If nobody needs it, set 'If Agents Have It' under Options to Delete.",
				{ said: worded`Whether these have ${name} is not told: ${agentNames(untold)}.` },
			);
}

/** Of a website that list alone tells, and only if it names a document: what it holds is not documented. */
function untoldOfSites({ agents, untold }: AllHolders, inventory: Inventory): Agent[] {
	const isProven = agents.some((one) => namesSite(one, inventory));
	return agents.filter((one) => {
		if (one.websites === undefined) return true;
		return isEmpty(one) ? !isProven && untold.includes(one) : !namesSite(one, inventory);
	});
}

function isEmpty({ websites = [] }: Agent): boolean {
	return websites.length === 0;
}

function namesSite({ websites = [] }: Agent, inventory: Inventory): boolean {
	return websites.some((id) => inventory.record(id) !== undefined);
}
