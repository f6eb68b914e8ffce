import type { Steps } from '../execution/steps';
import { quoted } from '../values/quoting';
import type { Words } from '../values/shown';
import { listed } from '../values/shown';
import type { Inventory } from './inventory';

/** When old versions are deleted. */
export const DELETE_OLD = ['ifUnused', 'always', 'never'] as const;
export type DeleteOld = (typeof DELETE_OLD)[number];

/** What an agent has, or may have, of a document. */
export interface OldVersion {
	uniqueId: string;
	/** False where the agent is known not to have it. */
	mayBeAttached: boolean;
	/** Whether it is not to be deleted, whatever the user has chosen, because it came from elsewhere. */
	isForeign?: boolean;
}

/** Those that the agent may have. */
export function asOld(uniqueIds: string[]): OldVersion[] {
	return uniqueIds.map((uniqueId) => ({ uniqueId, mayBeAttached: true }));
}

/**
 * Where it is: with the agent, as far as is known; out of it and still to be dealt with; out of it and left in
 * CometChat for good; deleted.
 */
type OldPlace = 'held' | 'out' | 'kept' | 'deleted';

/** The old versions of a document while a new one takes their place. */
export class OldVersions {
	private all: OldVersion[] = [];

	private readonly places = new Map<string, OldPlace>();

	/** To be named before the first step. */
	set(oldVersions: OldVersion[]): void {
		this.all = oldVersions;
		this.places.clear();
		for (const { uniqueId, mayBeAttached } of oldVersions) {
			this.places.set(uniqueId, mayBeAttached ? 'held' : 'out');
		}
	}

	mark(uniqueId: string, place: OldPlace): void {
		this.places.set(uniqueId, place);
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

	private at(...places: OldPlace[]): OldVersion[] {
		return this.all.filter(({ uniqueId }) => {
			const place = this.places.get(uniqueId);
			return place !== undefined && places.includes(place);
		});
	}
}

/** Why it is not deleted. */
export const FOREIGN: Words = 'Somebody else may have uploaded it';

/**
 * @param name How a person calls it.
 * @returns Undefined if no agent has it.
 */
export async function whyToKeep(
	steps: Steps,
	inventory: Inventory,
	uniqueId: string,
	{ name = 'the old version', ...proof }: { uid: string; attached?: string; name?: Words },
): Promise<Words | undefined> {
	const holders = await inventory.holdersOf(steps, uniqueId, proof);
	if ('isUnknown' in holders) {
		return `Not known whether another agent has ${name}: ${holders.isUnknown}`;
	}
	const names = holders.agents.map((agent) => quoted(agent.name ?? agent.uid));
	return names.length === 0 ? undefined : `Other agents have ${name}: ${listed(names)}`;
}
