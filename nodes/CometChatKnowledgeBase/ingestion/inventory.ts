import type { Agent } from '../service/agents';
import { agentRequest, documentsOf, listRequest, readAgent, readAgents } from '../service/agents';
import type { Telling } from '../service/attachedDocuments';
import { tellingOf } from '../service/attachedDocuments';
import type { RunContext } from '../execution/operation';
import type { KnowledgeBaseRecord } from '../service/records';
import type { ItemFailure } from '../results/apiError';
import { explainedBy, isItemFailure, ApiError } from '../results/apiError';
import { explainUnknownAgent } from '../results/messages';
import { ItemContext } from '../execution/itemContext';
import { possibleTypes, WhoHasIt } from '../service/whoHasIt';
import { readWholeList } from '../service/wholeList';
import type { Records, Shared } from './records';
import { RecordList } from './records';
import { sourceTypeOf } from '../values/sourceTypes';
import { attempt } from '../service/apiClient';

/** Which agents have a document, as far as the service's list of agents tells. */
export type Holders = { agents: Agent[] } | { isUnknown: string };

/**
 * What the account has, and which agents have it: asked for once for all items of a run, no further than
 * they need it, and kept up to date with what the run itself changes.
 */
export class Inventory {
	private readonly list: RecordList;

	private agents?: Promise<Shared<Agent[]>>;

	/** The list that was begun last, also one that could not be read. */
	private lastAgents?: Promise<Shared<Agent[]>>;

	/** A list that begins after now; undefined if none is waiting to begin. */
	private nextAgents?: Promise<Shared<Agent[]>>;

	/** Those that were asked for alone, by UID. */
	private readonly singles = new Map<string, Promise<Shared<Agent>>>();

	/** By agent as it was listed, so that a long list is looked through once. */
	private readonly tellings = new WeakMap<Agent, Telling>();

	/** Whether a list has an agent that names a record. */
	private readonly proofs = new WeakMap<Agent[], boolean>();

	/** What this run has attached (true) and detached (false), by agent and ID. */
	private readonly changes = new Map<string, Map<string, boolean>>();

	/** What each listed agent has now: made once, since a run may look for each of ten thousand files. */
	private readonly documents = new Map<Agent, Set<string>>();

	/** What this run has brought into CometChat and surely no agent has, by ID. */
	private readonly unattached = new Set<string>();

	/** Which upload has taken the place of another for an agent. */
	private readonly replaced = new Map<string, string>();

	/** What is told of who has what, and of how many records. */
	private holders?: { who: WhoHasIt; count: number };

	/** The agents that were asked for, by the user's spelling: the service's may be another. */
	private readonly asked = new Map<string, Agent>();

	/** @param noted The names of files that were uploaded in earlier runs, by ID. */
	constructor(
		private readonly run: RunContext,
		noted?: ReadonlyMap<string, string>,
	) {
		this.list = new RecordList(run, noted);
	}

	/**
	 * The records of the account.
	 *
	 * @param isEnough Whether those are enough that were read until now; left out: all of them are needed.
	 */
	async recordsFor(
		steps: ItemContext,
		isEnough?: (records: Records) => boolean,
	): Promise<Records | ItemFailure> {
		return taken(await (isEnough ? this.list.until(isEnough) : this.list.whole()), steps);
	}

	/**
	 * Who has which documents of some types, as far as CometChat's lists prove it, which are read once for a run and
	 * may be late.
	 *
	 * @param more An agent that the list of agents may lack.
	 */
	async whoHas(
		steps: ItemContext,
		sourceTypes: readonly string[],
		more?: Agent,
	): Promise<WhoHasIt | ItemFailure> {
		const begun = await this.recordsFor(steps, () => true);
		if (isItemFailure(begun)) return begun;
		this.agents ??= this.lastAgents = this.listAgents();
		const listed = taken(await this.agents, steps);
		if (isItemFailure(listed)) return listed;
		const agents = more && !agentNamed(listed, more.uid) ? [...listed, more] : listed;
		const read = await this.recordsFor(steps, () => this.who(agents).isSettled(sourceTypes));
		return isItemFailure(read) ? read : this.who(agents);
	}

	/** Made once for what is known: a run may ask for each of ten thousand documents. */
	private who(agents: Agent[]): WhoHasIt {
		const { count } = this.known;
		if (this.holders?.who.agents !== agents || this.holders.count !== count) {
			this.holders = { who: new WhoHasIt(agents, (id) => this.typeOf(id)), count };
		}
		return this.holders.who;
	}

	private typeOf(id: string): string | undefined {
		const record = this.record(id);
		return record && sourceTypeOf(record.type ?? 'uploads');
	}

	/** Any record of those that were read until now. */
	get any(): KnowledgeBaseRecord | undefined {
		return this.known.any;
	}

	/** A record of those that were read until now. */
	record(uniqueId: string): KnowledgeBaseRecord | undefined {
		return this.known.withId(uniqueId);
	}

	/** Whether there was a document of an ID before this run: older ones stand behind the newest in the list. */
	async existed(uniqueId: string): Promise<boolean | 'unknown'> {
		const steps = new ItemContext(this.run);
		steps.finish();
		const isFound = (records: Records) => records.withId(uniqueId) !== undefined;
		const { value } = await this.list.until(isFound, steps);
		return isItemFailure(value) ? 'unknown' : isFound(value);
	}

	/** Whether all records were read, and those asked for that the list may lack. */
	get isComplete(): boolean {
		return this.list.isComplete;
	}

	/** The records as far as they were read. */
	private get known(): Records {
		return this.list.records;
	}

	/**
	 * The agent, with the documents that it has; undefined for those if the lists do not tell, as far as the
	 * records were needed to know.
	 */
	async agentFor(
		steps: ItemContext,
		uid: string,
	): Promise<{ agent: Agent; documents?: ReadonlySet<string> } | ItemFailure> {
		const begun = await this.recordsFor(steps, () => true);
		if (isItemFailure(begun)) return begun;
		this.agents ??= this.lastAgents = this.listAgents();
		const agents = taken(await this.agents, steps);
		if (isItemFailure(agents)) return agents;
		const agent = agentNamed(agents, uid) ?? (await this.agentAlone(steps, uid));
		if (agent instanceof ApiError) return explainedBy(explainUnknownAgent, agent);
		if (isItemFailure(agent)) return agent;
		this.asked.set(uid, agent);
		const isProof = (one: Agent) => tellingBy(this.known, one) === 'told';
		const isEnough = () =>
			agent.files?.length === 0 ? agents.some(isProof) : isSettledBy(this.known, agent);
		await this.recordsFor(steps, isEnough);
		const isTold = this.isTold(agent, agents);
		return { agent, ...(isTold ? { documents: this.now(agent) } : {}) };
	}

	/** The agent's own answer to a question for it alone. */
	async agentAlone(steps: ItemContext, uid: string): Promise<Agent | ItemFailure> {
		const asked = this.singles.get(uid) ?? this.askFor(uid);
		this.singles.set(uid, asked);
		const agent = taken(await asked, steps);
		if (!isItemFailure(agent)) this.asked.set(uid, agent);
		return agent;
	}

	/** What people call an agent, as far as this run has asked for it. */
	agentName(uid: string): string | undefined {
		return this.asked.get(uid)?.name;
	}

	private spelled(uid: string): string {
		return this.asked.get(uid)?.uid ?? uid;
	}

	/** The version that this run has put in the place of an upload; the upload itself if it has not. */
	currentVersion(uid: string, uniqueId: string): string {
		let current = uniqueId;
		for (;;) {
			const next = this.replaced.get(this.place(uid, current));
			if (next === undefined) return current;
			current = next;
		}
	}

	/** Whether an agent may have a document, as far as this run can tell by what it did itself. */
	mayHave(uid: string, uniqueId: string): boolean {
		const isAttached = this.changes.get(this.spelled(uid))?.get(uniqueId);
		return isAttached ?? !this.unattached.has(uniqueId);
	}

	/** Whether this run itself has given a document to an agent. */
	hasGiven(uid: string, uniqueId: string): boolean {
		return this.changes.get(this.spelled(uid))?.get(uniqueId) === true;
	}

	/** An upload of this run, which no agent has yet. */
	noteCreated(record: KnowledgeBaseRecord): void {
		this.unattached.add(record.uniqueId);
		this.known.add(record);
	}

	noteDeleted(uniqueId: string): void {
		this.known.remove(uniqueId);
	}

	/** It is not known whether an agent has it. */
	noteMayBeAttached(uniqueId: string): void {
		this.unattached.delete(uniqueId);
	}

	noteAttached(uid: string, uniqueId: string, isAttached: boolean): void {
		const agent = this.spelled(uid);
		const known = this.changes.get(agent) ?? new Map<string, boolean>();
		this.changes.set(agent, known.set(uniqueId, isAttached));
		for (const [{ uid: listed }, documents] of this.documents) {
			if (listed === agent) note(documents, uniqueId, isAttached);
		}
	}

	noteReplaced(uid: string, oldId: string, newId: string): void {
		// The newest has no successor: a service may give a freed ID again, and the line would go round.
		this.replaced.delete(this.place(uid, newId));
		this.replaced.set(this.place(uid, oldId), newId);
	}

	private place(uid: string, uniqueId: string): string {
		return `${this.spelled(uid)}/${uniqueId}`;
	}

	/**
	 * Which agents have a document now, asked anew. An answer only if the list shows each agent that this
	 * run knows, tells what each of its agents has, and proves of this one to be true: it holds what this
	 * run has just attached to it, if anything, and no longer what it has detached. Without an agent, there has
	 * to be one at least.
	 */
	async holdersOf(
		steps: ItemContext,
		uniqueId: string,
		proof: { uid?: string; attached?: string },
	): Promise<Holders> {
		const agents = taken(await this.freshAgents(), steps);
		if (isItemFailure(agents)) return { isUnknown: 'the list of agents could not be read' };
		const isSettled = () => this.who(agents).isSettled(possibleTypes(this.record(uniqueId)?.type));
		const { value: records } = await this.list.until(isSettled, steps);
		if (isItemFailure(records)) return { isUnknown: 'the list of files could not be read' };
		// Where no agent is meant, any that is listed.
		const own = proof.uid === undefined ? agents[0] : agentNamed(agents, proof.uid);
		// Agents that are not listed may be many, and any of them may have it.
		if (own === undefined || (await this.hides(agents))) {
			return { isUnknown: "CometChat's list of agents does not show every agent" };
		}
		const listed: string[] = documentsOf(own);
		if (proof.attached !== undefined && !listed.includes(proof.attached)) {
			return { isUnknown: "CometChat's list of agents does not show the new version" };
		}
		if (proof.uid !== undefined && listed.includes(uniqueId)) {
			return { isUnknown: "CometChat's list of agents still shows the old version" };
		}
		const { has, unknown } = this.who(agents).of({
			uniqueId: uniqueId,
			type: this.record(uniqueId)?.type,
		});
		return unknown.length > 0
			? { isUnknown: "CometChat's list does not show the documents of every agent" }
			: { agents: has };
	}

	/** Whether a list lacks an agent that this run has asked for, unless CometChat says that there is none. */
	private async hides(agents: Agent[]): Promise<boolean> {
		const asked = await Promise.all(this.singles.values());
		return asked.some(({ value }) =>
			isItemFailure(value) ? !isUnknown(value) : agentNamed(agents, value.uid) === undefined,
		);
	}

	/** A list that began after the call; calls that come before it begins share it. */
	private async freshAgents(): Promise<Shared<Agent[]>> {
		this.nextAgents ??= this.afterLast();
		return await this.nextAgents;
	}

	private async afterLast(): Promise<Shared<Agent[]>> {
		await this.lastAgents;
		this.nextAgents = undefined;
		const begun = this.listAgents(true);
		this.lastAgents = begun;
		const listed = await begun;
		// One that could not be read is no reason to forget the last that could.
		if (!isItemFailure(listed.value)) {
			this.agents = begun;
			this.documents.clear();
		}
		return listed;
	}

	private async askFor(uid: string): Promise<Shared<Agent>> {
		const steps = new ItemContext(this.run);
		return { value: await attempt(steps, agentRequest(uid), readAgent), steps };
	}

	private now(agent: Agent): ReadonlySet<string> {
		const known = this.documents.get(agent);
		if (known) return known;
		const documents = new Set(documentsOf(agent));
		for (const [id, isAttached] of this.changes.get(agent.uid) ?? []) {
			note(documents, id, isAttached);
		}
		this.documents.set(agent, documents);
		return documents;
	}

	/** Whether the lists tell what this agent has, whatever is told of the others. */
	private isTold(agent: Agent, agents: Agent[]): boolean {
		const telling = this.tellingOf(agent);
		if (telling !== 'told if proven') return telling === 'told';
		const isProven =
			this.proofs.get(agents) ?? agents.some((one) => tellingBy(this.known, one) === 'told');
		this.proofs.set(agents, isProven);
		return isProven;
	}

	private tellingOf(agent: Agent): Telling {
		const known = this.tellings.get(agent);
		if (known !== undefined) return known;
		const telling = tellingBy(this.known, agent);
		this.tellings.set(agent, telling);
		return telling;
	}

	/** @param isFinishing Whether it is asked for by an item that goes to its end in any case. */
	private async listAgents(isFinishing = false): Promise<Shared<Agent[]>> {
		const steps = new ItemContext(this.run);
		if (isFinishing) steps.finish();
		const value = await readWholeList<Agent, ApiError>(
			async (next) => await attempt(steps, listRequest(undefined, next), readAgents),
			(page) => page instanceof ApiError,
			({ uid }) => uid,
		);
		return { value, steps };
	}
}

function tellingBy(records: Records, agent: Agent): Telling {
	return tellingOf(agent, (id) => records.wasThere(id));
}

/** Whether no further record can change what an agent's lists tell. */
function isSettledBy(records: Records, agent: Agent): boolean {
	return agent.files === undefined || tellingBy(records, agent) !== 'not told';
}

function taken<Value>(
	{ value, steps: shared }: Shared<Value>,
	steps: ItemContext,
): Value | ItemFailure {
	steps.include(shared);
	return value;
}

function note(documents: Set<string>, uniqueId: string, isAttached: boolean): void {
	if (isAttached) documents.add(uniqueId);
	else documents.delete(uniqueId);
}

function isUnknown(failure: ItemFailure): boolean {
	const explanation = failure instanceof ApiError ? failure.result.explanation : undefined;
	return explanation !== undefined && explainUnknownAgent(explanation) !== undefined;
}

/** Two spellings may be one agent, or two: the user's own counts first. */
function agentNamed(agents: Agent[], uid: string): Agent | undefined {
	const spelledAnew = uid.toLowerCase();
	return (
		agents.find((one) => one.uid === uid) ??
		agents.find((one) => one.uid.toLowerCase() === spelledAnew)
	);
}
