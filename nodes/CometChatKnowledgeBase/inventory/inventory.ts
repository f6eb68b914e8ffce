import { isUnknown } from '../api/apiClient';
import { readList } from '../api/wholeList';
import { ItemContext } from '../execution/itemContext';
import type { RunContext } from '../execution/operation';
import type { Agent } from '../service/agents';
import { agentPages, agentRequest, attachedIds, readAgent, readAgents } from '../service/agents';
import type { Document } from '../service/documents';
import { caught, isFailure, reasonOf } from '../values/failure';
import { listed, quoted } from '../values/quoting';
import { sourceTypeOf } from '../values/sourceTypes';
import type { Records } from './records';
import { RecordList } from './records';
import { possibleTypes, WhoHasIt } from './whoHasIt';

/** An agent, and what it has; no documents where its lists do not tell. */
export interface AgentDocuments {
	agent: Agent;
	documents?: AttachedNow;
}

/** The IDs of what an agent has: by its own answer, and by what the run has changed until now. */
export interface AttachedNow extends Iterable<string> {
	has(uniqueId: string): boolean;
}

/** What is to be true of an agent list that proves who has a document. */
interface Proof {
	/** The agent that has lost it just now; left out: there has to be one agent at least. */
	uid?: string;
	/** What that agent has been given in its place. */
	attached?: string;
}

/**
 * What the account has, and which agents have it: asked for once for all items of a run, no further than
 * they need it, and kept up to date with what the run itself changes. A question that fails fails for each of them.
 */
export class Inventory {
	readonly list = new RecordList();

	readonly agents: AgentList;

	readonly own = new OwnChanges((uid) => this.agents.asked(uid)?.uid ?? uid);

	/** What agents have, by agent and type. */
	private readonly known = new Map<string, Promise<AgentDocuments>>();

	/** What is known of who has what, and of how many records. */
	private last?: { who: WhoHasIt; count: number };

	constructor(readonly run: RunContext) {
		this.agents = new AgentList(run, (uid, agent) => this.own.respell(uid, agent.uid));
	}

	/** A record of those that were read until now. */
	record(uniqueId: string): Document | undefined {
		return this.list.records.withId(uniqueId);
	}

	/**
	 * The agent, with the documents that it has, those of a type among them if it has any: by its own lists, and
	 * only if these prove nothing by those of all agents. No documents if that is unknown.
	 */
	async agentFor(item: ItemContext, uid: string, sourceType = 'uploads'): Promise<AgentDocuments> {
		const agent = await this.agents.one(item, uid);
		const key = JSON.stringify([agent.uid, sourceType]);
		const known = this.known.get(key) ?? this.withDocuments(item, agent, sourceType);
		this.known.set(key, known);
		return await known;
	}

	private async withDocuments(
		item: ItemContext,
		agent: Agent,
		sourceType: string,
	): Promise<AgentDocuments> {
		const tells = async (agents: Agent[]) => {
			await this.list.until(item, () => this.who(agents).isSettled([sourceType], [agent]));
			return !this.who(agents).unknownFor(sourceType).includes(agent);
		};
		const others = async () => {
			const all = await this.agents.all(item);
			return all.filter(({ uid }) => uid !== agent.uid);
		};
		const isKnown = (await tells([agent])) || (await tells([agent, ...(await others())]));
		return isKnown ? { agent, documents: attachedNow(agent, this.own) } : { agent };
	}

	/**
	 * Who has which documents of some types, as far as CometChat's lists prove it, which are read once for a run and
	 * may be late.
	 *
	 * @param more An agent that the list of agents may lack.
	 */
	async whoHas(item: ItemContext, sourceTypes: readonly string[], more?: Agent): Promise<WhoHasIt> {
		await this.list.until(item, () => true);
		const all = await this.agents.all(item);
		const agents = more && !agentNamed(all, more.uid) ? [...all, more] : all;
		await this.list.until(item, () => this.who(agents).isSettled(sourceTypes));
		return this.who(agents);
	}

	/**
	 * Why a document is not deleted: somebody has it, or that is unknown.
	 *
	 * @returns Undefined if no agent has it.
	 */
	async whyToKeep(item: ItemContext, uniqueId: string, proof: Proof): Promise<string | undefined> {
		const [an, agents] = proof.uid === undefined ? ['an', 'Agents'] : ['another', 'Other agents'];
		const has = await caught(this.agentsWith(item, uniqueId, proof));
		if (isFailure(has)) {
			return `Not known whether ${an} agent has it: ${reasonOf(has.title, has.more)}`;
		}
		if (has === undefined) {
			return `Not known whether ${an} agent has it: CometChat's lists do not tell, or not yet`;
		}
		const names = has.map(({ name, uid }) => quoted(name ?? uid));
		return has.length > 0 ? `${agents} have it: ${listed(names)}` : undefined;
	}

	/**
	 * Which agents have a document now, asked anew. An answer only if the list shows each agent that this
	 * run knows, tells what each of its agents has, and proves of this one to be true: it holds what this
	 * run has just attached to it, if anything, and no longer what it has detached.
	 */
	private async agentsWith(
		item: ItemContext,
		uniqueId: string,
		{ uid, attached }: Proof,
	): Promise<Agent[] | undefined> {
		const agents = await this.agents.fresh();
		const { type } = this.record(uniqueId) ?? {};
		await this.list.until(item, () => this.who(agents).isSettled(possibleTypes(type)));
		const own = uid === undefined ? agents[0] : agentNamed(agents, uid);
		// Agents that are not listed may be many, and any of them may have it.
		if (own === undefined || (await this.agents.isHiding(agents))) return undefined;
		const ids = attachedIds(own);
		const lacksNew = attached !== undefined && !ids.includes(attached);
		const showsOld = uid !== undefined && ids.includes(uniqueId);
		const { has, unknown } = this.who(agents).of({ uniqueId, type });
		return lacksNew || showsOld || unknown.length > 0 ? undefined : has;
	}

	/** Made once for what is known: a run may ask for each of ten thousand documents. */
	private who(agents: Agent[]): WhoHasIt {
		const { records } = this.list;
		if (this.last?.who.agents !== agents || this.last.count !== records.count) {
			const who = new WhoHasIt(agents, (id) => records.typeOf(id));
			this.last = { who, count: records.count };
		}
		return this.last.who;
	}
}

/** The account's agents: each is asked for once a run, and so is their list, unless somebody needs it anew. */
class AgentList {
	/** By UID as the user spells it: the service's may be another. */
	private readonly alone = new Map<string, Promise<Agent>>();

	private readonly known = new Map<string, Agent>();

	/** The last list that could be read, or is being read. */
	private listed?: Promise<Agent[]>;

	/** The list that was begun last. */
	private last?: Promise<Agent[]>;

	/** A list that begins after now; undefined if none is waiting to begin. */
	private next?: Promise<Agent[]>;

	/** @param onAnswer What is done with an agent's own answer, by the user's spelling. */
	constructor(
		private readonly run: RunContext,
		private readonly onAnswer: (uid: string, agent: Agent) => void,
	) {}

	/** The agent's own answer to a question for it alone. */
	async one(item: ItemContext, uid: string): Promise<Agent> {
		const asked =
			this.alone.get(uid) ?? item.call(agentRequest(uid), readAgent, { about: 'agent' });
		this.alone.set(uid, asked);
		const agent = await asked;
		this.known.set(uid, agent);
		this.onAnswer(uid, agent);
		return agent;
	}

	/** An agent of those that were asked for alone. */
	asked(uid: string): Agent | undefined {
		return this.known.get(uid);
	}

	/** All of them, as they were when first somebody asked, or later. */
	async all(item: ItemContext): Promise<Agent[]> {
		this.listed ??= this.last = readList(agentPages(item, readAgents));
		return await this.listed;
	}

	/** All of them in a list that began after the call; calls that come before it begins share it. */
	async fresh(): Promise<Agent[]> {
		this.next ??= Promise.allSettled([this.last]).then(async () => {
			this.next = undefined;
			// It is asked for by items that go to their end in any case.
			const item = new ItemContext(this.run);
			item.mustComplete = true;
			this.last = readList(agentPages(item, readAgents));
			const agents = await this.last;
			// One that could not be read is no reason to forget the last that could.
			this.listed = this.last;
			return agents;
		});
		return await this.next;
	}

	/** Whether a list lacks an agent that this run has asked for, unless CometChat says that there is none. */
	async isHiding(agents: Agent[]): Promise<boolean> {
		const asked = await Promise.allSettled(this.alone.values());
		return asked.some((one) =>
			one.status === 'fulfilled'
				? agentNamed(agents, one.value.uid) === undefined
				: !isUnknown(one.reason, 'agent'),
		);
	}
}

/** Two spellings may be one agent, or two: the user's own counts first. */
function agentNamed(agents: Agent[], uid: string): Agent | undefined {
	const spelledAnew = uid.toLowerCase();
	return (
		agents.find((one) => one.uid === uid) ??
		agents.find((one) => one.uid.toLowerCase() === spelledAnew)
	);
}

/** What a run itself has changed, which is later than any list. */
class OwnChanges {
	/** What was attached (true) and detached (false), by agent and ID. */
	private readonly attached = new Map<string, Map<string, boolean>>();

	/** What was brought into CometChat and surely no agent has, by ID. */
	private readonly unattached = new Set<string>();

	/** Which document has taken the place of another for an agent. */
	private readonly replaced = new Map<string, string>();

	/** @param spelled An agent's UID as CometChat gives it, if it was asked for: two spellings may be one agent, or two. */
	constructor(private readonly spelled: (uid: string) => string) {}

	/** An agent was asked for: what was attached to it before stands under the user's spelling. */
	respell(uid: string, spelled: string): void {
		const before = this.attached.get(uid);
		if (before === undefined || uid === spelled) return;
		this.attached.delete(uid);
		this.attached.set(spelled, new Map([...before, ...this.of(spelled)]));
	}

	/** A document of this run, which no agent has yet. */
	addCreated(uniqueId: string): void {
		this.unattached.add(uniqueId);
	}

	recordAttached(uid: string, uniqueId: string, isAttached: boolean): void {
		this.attached.set(this.spelled(uid), this.of(uid).set(uniqueId, isAttached));
	}

	/** It is not known whether an agent has it. */
	recordMaybeAttached(uniqueId: string): void {
		this.unattached.delete(uniqueId);
	}

	recordReplaced(uid: string, oldId: string, newId: string): void {
		// The newest has no successor: a service may give a freed ID again, and the line would go round.
		this.replaced.delete(this.keyOf(uid, newId));
		this.replaced.set(this.keyOf(uid, oldId), newId);
	}

	/** What was attached to an agent, and detached from it, by ID. */
	of(uid: string): Map<string, boolean> {
		return this.attached.get(this.spelled(uid)) ?? new Map<string, boolean>();
	}

	/** Whether an agent may have a document, as far as the run can tell by what it did itself. */
	mayHave(uid: string, uniqueId: string): boolean {
		return this.of(uid).get(uniqueId) ?? !this.unattached.has(uniqueId);
	}

	/** The version that the run has put in the place of a document; the document itself if it has not. */
	currentVersion(uid: string, uniqueId: string): string {
		let current = uniqueId;
		for (;;) {
			const next = this.replaced.get(this.keyOf(uid, current));
			if (next === undefined) return current;
			current = next;
		}
	}

	/** Whoever replaces has asked for the agent. */
	private keyOf(uid: string, uniqueId: string): string {
		return `${this.spelled(uid)}/${uniqueId}`;
	}
}

/** A document that the run has brought, and no agent has yet. */
export function recordCreated({ list, own }: Inventory, document: Document): void {
	own.addCreated(document.uniqueId);
	list.records.add(document);
}

/** What an agent's own answer names, and this run has changed. */
export function attachedNow(agent: Agent, own: OwnChanges): AttachedNow {
	const named = new Set(attachedIds(agent));
	const changed = () => own.of(agent.uid);
	const has = (uniqueId: string) => changed().get(uniqueId) ?? named.has(uniqueId);
	const all = () => [...new Set([...named, ...changed().keys()])].filter(has);
	return { has, [Symbol.iterator]: () => all().values() };
}

/** Ours: twenty pages. An older document is worked with all the same, without its name. */
const MOST_LOOKED_THROUGH = 2000;

/**
 * Looks for documents in the account's list, no further than they are. That it can't be read says nothing of any item.
 *
 * @returns What was sent for it, for a failure that the list is the reason of.
 */
export async function lookFor(
	{ run, list }: Inventory,
	ids: string[],
): Promise<ItemContext['log']> {
	const look = new ItemContext(run);
	if (ids.length === 0) return look.log;
	const missing = new Set(ids);
	const isEnough = (read: Records) => {
		for (const id of missing) if (read.withId(id)) missing.delete(id);
		return missing.size === 0 || read.count >= MOST_LOOKED_THROUGH;
	};
	await caught(list.until(look, isEnough));
	return look.log;
}

/** What the list says of a document, as output fields. */
export function describedBy(inventory: Inventory, uniqueId: string) {
	const { sourceName: name, type } = inventory.record(uniqueId) ?? {};
	return { name, sourceType: type === undefined ? undefined : sourceTypeOf(type) };
}
