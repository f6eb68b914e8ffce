import type { ItemContext } from '../execution/itemContext';
import { listed, quoted } from '../values/quoting';
import type { Fields } from '../results/itemResult';
import type { KnowledgeBaseRecord } from '../service/records';
import type { Inventory } from './inventory';

/** When old versions are deleted. */
export const DELETE_OLD = ['ifUnused', 'always', 'never'] as const;
export type DeleteOld = (typeof DELETE_OLD)[number];

/** What an agent has, or may have, of a document. */
export interface OldVersion {
	uniqueId: string;
	/** How a person calls it, where that is known. */
	name?: string;
	/** False where the agent is known not to have it. */
	mayBeAttached: boolean;
	/** Whether it is not to be deleted, whatever the user has chosen, because it came from elsewhere. */
	isForeign?: boolean;
}

export function asOld(
	records: Array<Pick<KnowledgeBaseRecord, 'uniqueId' | 'sourceName'>>,
	mayBeAttached = true,
): OldVersion[] {
	return records.map(({ uniqueId, sourceName: name }) => ({ uniqueId, name, mayBeAttached }));
}

/**
 * Where it is: with the agent, as far as is known; out of it and still to be dealt with; out of it and left in
 * CometChat for good; deleted.
 */
type OldPlace = 'held' | 'out' | 'kept' | 'deleted';

/** What a person is told of an old version. */
interface OldRow extends Fields {
	name: string;
	action: 'kept' | 'removed' | 'deleted';
	uniqueId: string;
	reason?: string;
}

/** The old versions of a document while a new one takes their place. */
export class OldVersions {
	private all: OldVersion[] = [];

	private readonly places = new Map<string, OldPlace>();

	/** Why one is still there. */
	private readonly reasons = new Map<string, string>();

	/** To be named before the first step. */
	set(oldVersions: OldVersion[]): void {
		this.all = oldVersions;
		this.places.clear();
		this.reasons.clear();
		for (const { uniqueId, mayBeAttached } of oldVersions) {
			this.places.set(uniqueId, mayBeAttached ? 'held' : 'out');
		}
	}

	mark(uniqueId: string, place: OldPlace, reason?: string): void {
		this.places.set(uniqueId, place);
		if (reason !== undefined) this.reasons.set(uniqueId, reason);
	}

	/** The new version has its ID. */
	forget(uniqueId: string): void {
		this.places.delete(uniqueId);
	}

	/** All of them, dealt with or not. */
	get ids(): string[] {
		return this.all.map(({ uniqueId }) => uniqueId);
	}

	/** Those that the agent may have. */
	get held(): string[] {
		return this.at('held').map(({ uniqueId }) => uniqueId);
	}

	/** Those that are not dealt with. */
	get left(): OldVersion[] {
		return this.at('held', 'out');
	}

	/** Those that the agent has no longer and CometChat still has, and that are dealt with. */
	get kept(): string[] {
		return this.at('kept').map(({ uniqueId }) => uniqueId);
	}

	/** Those that are with no agent, as far as is known, and not dealt with. */
	get out(): OldVersion[] {
		return this.at('out');
	}

	/** Why the first that is still there was not deleted. */
	get reason(): string | undefined {
		return this.reasons.values().next().value;
	}

	/** What has become of each. */
	get rows(): OldRow[] {
		return this.at('held', 'out', 'kept', 'deleted').map(({ uniqueId, name, mayBeAttached }) => {
			const place = this.places.get(uniqueId);
			const isRemoved = mayBeAttached && place !== 'held';
			const action = place === 'deleted' ? 'deleted' : isRemoved ? 'removed' : 'kept';
			const reason = this.reasons.get(uniqueId);
			const id = uniqueId;
			return { name: name ?? id, action, uniqueId: id, ...(reason !== undefined && { reason }) };
		});
	}

	private at(...places: OldPlace[]): OldVersion[] {
		return this.all.filter(({ uniqueId }) => {
			const place = this.places.get(uniqueId);
			return place !== undefined && places.includes(place);
		});
	}
}

/** Why it is not deleted. */
export const FOREIGN: string = 'Somebody else may have uploaded it';

/**
 * @param name How a person calls it.
 * @returns Undefined if no agent has it.
 */
export async function whyToKeep(
	steps: ItemContext,
	inventory: Inventory,
	uniqueId: string,
	{ name = 'the old version', ...proof }: { uid?: string; attached?: string; name?: string },
): Promise<string | undefined> {
	const holders = await inventory.holdersOf(steps, uniqueId, proof);
	const hasAgent = proof.uid !== undefined;
	if ('isUnknown' in holders) {
		return `Not known whether ${hasAgent ? 'another' : 'an'} agent has ${name}: ${holders.isUnknown}`;
	}
	const names = holders.agents.map((agent) => quoted(agent.name ?? agent.uid));
	if (names.length === 0) return undefined;
	return `${hasAgent ? 'Other agents' : 'Agents'} have ${name}: ${listed(names)}`;
}
