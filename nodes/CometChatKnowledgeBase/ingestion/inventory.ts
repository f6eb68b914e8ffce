import { ItemContext } from '../execution/itemContext';
import type { RunContext } from '../execution/operation';
import { caught, isItemFailure } from '../results/apiError';
import type { Agent } from '../service/agents';
import { attachedIds } from '../service/agents';
import type { Document } from '../service/documents';
import { possibleTypes, WhoHasIt } from '../service/whoHasIt';
import { AgentList, agentNamed } from './agentList';
import { OwnChanges } from './ownChanges';
import type { Records } from './records';
import { RecordList } from './records';

/** Which agents have a document, as far as the service's list of agents tells. */
export type Holders = { agents: Agent[] } | { isUnknown: string };

/** An agent, and what it has; no documents where its lists do not tell. */
export interface AgentDocuments {
	agent: Agent;
	documents?: ReadonlySet<string>;
}

/**
 * What the account has, and which agents have it: asked for once for all items of a run, no further than
 * they need it, and kept up to date with what the run itself changes. A question that fails fails for each of them.
 */
export class Inventory {
	private readonly list: RecordList;

	private readonly agents: AgentList;

	private readonly own = new OwnChanges();

	/** Whether it can be told what an agent has of a type. */
	private readonly tellings = new Map<string, Promise<boolean>>();

	/** What an agent has now: made once, since a run may look for each of ten thousand files. */
	private readonly documents = new Map<string, Set<string>>();

	/** What is told of who has what, and of how many records. */
	private holders?: { who: WhoHasIt; count: number };

	/** @param noted The names of files that were uploaded in earlier runs, by ID. */
	constructor(
		private readonly run: RunContext,
		noted?: ReadonlyMap<string, string>,
	) {
		this.list = new RecordList(noted);
		this.agents = new AgentList(run);
	}

	/**
	 * The records of the account.
	 *
	 * @param isEnough Whether those are enough that were read until now; left out: all of them are needed.
	 */
	async recordsFor(item: ItemContext, isEnough?: (records: Records) => boolean): Promise<Records> {
		return await (isEnough ? this.list.until(item, isEnough) : this.list.whole(item));
	}

	/** A record of those that were read until now. */
	record(uniqueId: string): Document | undefined {
		return this.list.records.withId(uniqueId);
	}

	/** Any record of those that were read until now. */
	get any(): Document | undefined {
		return this.list.records.any;
	}

	/** Whether all records were read, and those asked for that the list may lack. */
	get isComplete(): boolean {
		return this.list.isComplete;
	}

	/** Whether there was a document of an ID before this run: older ones stand behind the newest in the list. */
	async existed(uniqueId: string): Promise<boolean | 'unknown'> {
		const item = new ItemContext(this.run);
		item.mustComplete = true;
		const isFound = (records: Records) => records.withId(uniqueId) !== undefined;
		const records = await caught(this.list.until(item, isFound));
		return isItemFailure(records) ? 'unknown' : isFound(records);
	}

	/**
	 * The agent, with the documents that it has, those of a type among them if it has any: by its own lists, and
	 * only if these prove nothing by those of all agents. No documents if it cannot be told.
	 */
	async agentFor(item: ItemContext, uid: string, sourceType = 'uploads'): Promise<AgentDocuments> {
		const agent = await this.agents.one(item, uid);
		const key = JSON.stringify([agent.uid, sourceType]);
		const telling = this.tellings.get(key) ?? this.isTold(item, agent, sourceType);
		this.tellings.set(key, telling);
		return (await telling) ? { agent, documents: this.documentsNow(agent) } : { agent };
	}

	/** The agent's own answer to a question for it alone. */
	async agentAlone(item: ItemContext, uid: string): Promise<Agent> {
		return await this.agents.one(item, uid);
	}

	/** What people call an agent, as far as this run has asked for it. */
	agentName(uid: string): string | undefined {
		return this.agents.asked(uid)?.name;
	}

	/**
	 * Who has which documents of some types, as far as CometChat's lists prove it, which are read once for a run and
	 * may be late.
	 *
	 * @param more An agent that the list of agents may lack.
	 */
	async whoHas(item: ItemContext, sourceTypes: readonly string[], more?: Agent): Promise<WhoHasIt> {
		await this.list.until(item, () => true);
		const listed = await this.agents.all(item);
		const agents = more && !agentNamed(listed, more.uid) ? [...listed, more] : listed;
		await this.list.until(item, () => this.who(agents).isSettled(sourceTypes));
		return this.who(agents);
	}

	/**
	 * Which agents have a document now, asked anew. An answer only if the list shows each agent that this
	 * run knows, tells what each of its agents has, and proves of this one to be true: it holds what this
	 * run has just attached to it, if anything, and no longer what it has detached. Without an agent, there has
	 * to be one at least.
	 */
	async holdersOf(
		item: ItemContext,
		uniqueId: string,
		proof: { uid?: string; attached?: string },
	): Promise<Holders> {
		const agents = await caught(this.agents.fresh());
		if (isItemFailure(agents)) return { isUnknown: 'the list of agents could not be read' };
		const { type } = this.record(uniqueId) ?? {};
		const isSettled = () => this.who(agents).isSettled(possibleTypes(type));
		const records = await caught(this.list.until(item, isSettled));
		if (isItemFailure(records)) return { isUnknown: 'the list of files could not be read' };
		// Where no agent is meant, any that is listed.
		const own = proof.uid === undefined ? agents[0] : agentNamed(agents, proof.uid);
		// Agents that are not listed may be many, and any of them may have it.
		if (own === undefined || (await this.agents.isHiding(agents))) {
			return { isUnknown: "CometChat's list of agents does not show every agent" };
		}
		const listed = attachedIds(own);
		if (proof.attached !== undefined && !listed.includes(proof.attached)) {
			return { isUnknown: "CometChat's list of agents does not show the new version" };
		}
		if (proof.uid !== undefined && listed.includes(uniqueId)) {
			return { isUnknown: "CometChat's list of agents still shows the old version" };
		}
		const { has, unknown } = this.who(agents).of({ uniqueId, type });
		return unknown.length > 0
			? { isUnknown: "CometChat's list does not show the documents of every agent" }
			: { agents: has };
	}

	/** The version that this run has put in the place of an upload; the upload itself if it has not. */
	currentVersion(uid: string, uniqueId: string): string {
		return this.own.currentVersion(this.spelled(uid), uniqueId);
	}

	/** Whether an agent may have a document, as far as this run can tell by what it did itself. */
	mayHave(uid: string, uniqueId: string): boolean {
		return this.own.mayHave(this.spelled(uid), uniqueId);
	}

	/** Whether this run itself has given a document to an agent. */
	hasGiven(uid: string, uniqueId: string): boolean {
		return this.own.of(this.spelled(uid)).get(uniqueId) === true;
	}

	/** An upload of this run, which no agent has yet. */
	recordCreated(record: Document): void {
		this.own.recordCreated(record.uniqueId);
		this.list.records.add(record);
	}

	recordDeleted(uniqueId: string): void {
		this.list.records.remove(uniqueId);
	}

	/** It is not known whether an agent has it. */
	recordMaybeAttached(uniqueId: string): void {
		this.own.recordMaybeAttached(uniqueId);
	}

	recordAttached(uid: string, uniqueId: string, isAttached: boolean): void {
		const agent = this.spelled(uid);
		this.own.recordAttached(agent, uniqueId, isAttached);
		const documents = this.documents.get(agent);
		if (isAttached) documents?.add(uniqueId);
		else documents?.delete(uniqueId);
	}

	recordReplaced(uid: string, oldId: string, newId: string): void {
		this.own.recordReplaced(this.spelled(uid), oldId, newId);
	}

	/** As CometChat spells it, once the agent was asked for: two spellings may be one agent, or two. */
	private spelled(uid: string): string {
		return this.agents.asked(uid)?.uid ?? uid;
	}

	private documentsNow(agent: Agent): ReadonlySet<string> {
		const known = this.documents.get(agent.uid);
		if (known) return known;
		const documents = new Set(attachedIds(agent));
		for (const [id, isAttached] of this.own.of(agent.uid)) {
			if (isAttached) documents.add(id);
			else documents.delete(id);
		}
		this.documents.set(agent.uid, documents);
		return documents;
	}

	private async isTold(item: ItemContext, agent: Agent, sourceType: string): Promise<boolean> {
		const isTold = async (agents: Agent[]) => {
			await this.list.until(item, () => this.who(agents).isSettled([sourceType], [agent]));
			return !this.who(agents).unknownFor(sourceType).includes(agent);
		};
		if (await isTold([agent])) return true;
		const listed = await this.agents.all(item);
		return await isTold([agent, ...listed.filter(({ uid }) => uid !== agent.uid)]);
	}

	/** Made once for what is known: a run may ask for each of ten thousand documents. */
	private who(agents: Agent[]): WhoHasIt {
		const { records } = this.list;
		if (this.holders?.who.agents !== agents || this.holders.count !== records.count) {
			const who = new WhoHasIt(agents, (id) => records.typeOf(id));
			this.holders = { who, count: records.count };
		}
		return this.holders.who;
	}
}
