import type { Steps } from '../../execution/steps';
import type { AllHolders, Inventory } from '../../ingestion/inventory';
import type { Records } from '../../ingestion/records';
import type { ItemFailure } from '../../results/itemFailure';
import { isItemFailure, StepFailure } from '../../results/itemFailure';
import type { Fields } from '../../results/itemResult';
import type { Agent } from '../../service/agents';
import type { KnowledgeBaseRecord } from '../../service/records';
import { quoted } from '../../values/quoting';
import { given, listed, worded } from '../../values/shown';
import { sourceTypeOf } from '../../values/sourceTypes';
import type { DocumentFilters } from './documentFilters';

/** Whose the documents of the account are, as far as CometChat tells. */
export interface Owners {
	/** Whether the filter 'Attached To' is for it. */
	isMeant(record: KnowledgeBaseRecord): 'yes' | 'no' | 'unknown';
	/** Whether no record behind these can be meant: all are read that the agent of the filter has. */
	areRead(records: Records): boolean;
	/** What 'Show Agents' shows of it. */
	shownFor(record: KnowledgeBaseRecord): Fields;
	/** Why the filter cannot be applied. */
	notTold: StepFailure;
}

/**
 * @param attachedTo The filter.
 * @param showAgents Whether all agents are needed, whatever the filter is.
 */
export async function ownersFor(
	steps: Steps,
	inventory: Inventory,
	attachedTo: DocumentFilters['attachedTo'],
	showAgents: boolean,
): Promise<Owners | ItemFailure> {
	const isOne = typeof attachedTo === 'object';
	const one = isOne ? await inventory.agentFor(steps, attachedTo.uid) : undefined;
	if (isItemFailure(one)) return one;
	const all = !isOne || showAgents ? await inventory.allHolders(steps) : NOBODY;
	if (isItemFailure(all)) return all;
	const own: AllHolders | undefined = one && {
		agents: [one.agent],
		byId: new Map([...(one.documents ?? [])].map((id) => [id, [one.agent]])),
		untold: one.documents ? [] : [one.agent],
		withoutWebsites: one.agent.websites ? [] : [one.agent],
	};
	const asked = own ?? all;
	return {
		isMeant: (record) => {
			if (attachedTo === undefined) return 'yes';
			const isHeld = holdersIn(asked, record).length > 0;
			if (isHeld) return attachedTo === 'none' ? 'no' : 'yes';
			if (untoldFor(asked, record).length > 0) return 'unknown';
			return attachedTo === 'none' ? 'yes' : 'no';
		},
		areRead: (records) =>
			own !== undefined &&
			own.untold.length + own.withoutWebsites.length === 0 &&
			[...own.byId.keys()].every((id) => records.withId(id)),
		shownFor: (record) => shownOwners(all, record),
		notTold: untoldFailure([...asked.untold, ...asked.withoutWebsites], !own && isNobodys(all)),
	};
}

/** Which agents have a document, as output fields. */
export function shownOwners(all: AllHolders, record: KnowledgeBaseRecord): Fields {
	const holders = holdersIn(all, record);
	const untold = untoldFor(all, record);
	const isKnown = holders.length > 0 || untold.length === 0;
	return {
		// That it is not known is not none.
		agents: isKnown ? holders.map(({ name, uid }) => name ?? uid) : null,
		...(untold.length > 0 && {
			reason: isNobodys(all)
				? NOBODYS
				: worded`CometChat does not tell which documents these agents have: ${agentNames(untold)}.`,
		}),
		agentIds: holders.map(({ uid }) => uid),
	};
}

const NOBODY: AllHolders = { agents: [], byId: new Map(), untold: [], withoutWebsites: [] };

function holdersIn({ byId }: AllHolders, { uniqueId }: KnowledgeBaseRecord): Agent[] {
	return byId.get(uniqueId) ?? [];
}

/** The agents of which nobody knows whether they have it. */
function untoldFor(
	{ untold, withoutWebsites }: AllHolders,
	{ type }: KnowledgeBaseRecord,
): Agent[] {
	const mayBeWebsite = type === undefined || sourceTypeOf(type) === 'website';
	return mayBeWebsite ? [...untold, ...withoutWebsites] : untold;
}

/** Whether all agents have lists, and nothing in them. */
function isNobodys({ byId, untold }: AllHolders): boolean {
	return byId.size === 0 && untold.every(({ files, websites }) => files && websites);
}

const NOBODYS =
	'CometChat lists no document for any agent. That proves nothing until it lists one for some agent.';

export function agentNames(agents: Agent[]) {
	return listed(agents.map(({ name, uid }) => given(quoted(name ?? uid))));
}

function untoldFailure(agents: Agent[], areNobodys: boolean): StepFailure {
	return new StepFailure(
		'CometChat does not tell which documents these agents have',
		"Take the filter 'Attached To' away, and switch on 'Show Agents' under Options: it says for each document what is known.",
		{
			said: areNobodys
				? NOBODYS
				: worded`Their lists name no document that there is: ${agentNames(agents)}. The filter would let through too much or too little.`,
			cause: 'configuration-invalid',
		},
	);
}
