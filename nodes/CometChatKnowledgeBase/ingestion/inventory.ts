import type { Agent } from '../service/agents';
import { agentRequest, documentsOf, listRequest, readAgent, readAgents } from '../service/agents';
import type { Telling } from '../service/attachedDocuments';
import { tellingOf } from '../service/attachedDocuments';
import { composed } from '../input/document';
import type { RunContext } from '../execution/operation';
import type { KnowledgeBaseRecord } from '../service/records';
import { recordsThat } from '../service/records';
import type { ItemFailure } from '../results/itemFailure';
import { isItemFailure, RequestFailure } from '../results/itemFailure';
import { explainUnknownAgent } from '../results/messages';
import { Steps } from '../execution/steps';
import { NOT_LISTED } from '../service/statuses';
import { askStatuses } from '../service/statusQuestions';
import { readWholeList } from '../service/wholeList';
import { given } from '../values/shown';

/** What a shared list came to, and the requests that it took. */
interface SharedList<Value> {
	value: Value | ItemFailure;
	steps: Steps;
}

/** Which agents have a document, as far as the service's list of agents tells. */
export type Holders = { agents: Agent[] } | { isUnknown: string };

/**
 * What the account has, and which agents have it: listed once for all items of a run, and kept up to
 * date with what the run itself changes.
 */
export class Inventory {
	private records?: Promise<SharedList<Records>>;

	private agents?: Promise<SharedList<Agent[]>>;

	/** The list that was begun last, also one that could not be read. */
	private lastAgents?: Promise<SharedList<Agent[]>>;

	/** A list that begins after now; undefined if none is waiting to begin. */
	private nextAgents?: Promise<SharedList<Agent[]>>;

	/** Those that the list lacks, by UID. */
	private readonly unlisted = new Map<string, Promise<SharedList<Agent>>>();

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

	/** How the service spells an agent, by how the user does. */
	private readonly spellings = new Map<string, string>();

	/** @param noted The names of files that were uploaded in earlier runs, by ID. */
	constructor(
		private readonly run: RunContext,
		private readonly noted: ReadonlyMap<string, string> = new Map(),
	) {}

	/** The records of the account. */
	async recordsFor(steps: Steps): Promise<Records | ItemFailure> {
		this.records ??= this.listRecords();
		return taken(await this.records, steps);
	}

	/** The agent, with the documents that it has; undefined for those if the lists do not tell. */
	async agentFor(
		steps: Steps,
		uid: string,
	): Promise<{ agent: Agent; documents?: ReadonlySet<string> } | ItemFailure> {
		this.agents ??= this.lastAgents = this.listAgents();
		const agents = taken(await this.agents, steps);
		if (isItemFailure(agents)) return agents;
		const agent = agentNamed(agents, uid) ?? taken(await this.single(uid), steps);
		if (isItemFailure(agent)) return agent;
		this.spellings.set(uid, agent.uid);
		const records = await this.recordsFor(steps);
		if (isItemFailure(records)) return records;
		const isTold = this.isTold(agent, agents, records);
		return { agent, ...(isTold ? { documents: this.now(agent) } : {}) };
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
		const isAttached = this.changes.get(this.spellings.get(uid) ?? uid)?.get(uniqueId);
		return isAttached ?? !this.unattached.has(uniqueId);
	}

	/** An upload of this run, which no agent has yet. */
	noteCreated(record: KnowledgeBaseRecord): void {
		this.unattached.add(record.uniqueId);
		void this.records?.then(({ value }) => {
			if (!isItemFailure(value)) value.add(record);
		});
	}

	noteDeleted(uniqueId: string): void {
		void this.records?.then(({ value }) => {
			if (!isItemFailure(value)) value.remove(uniqueId);
		});
	}

	/** It is not known whether an agent has it. */
	noteMayBeAttached(uniqueId: string): void {
		this.unattached.delete(uniqueId);
	}

	noteAttached(uid: string, uniqueId: string, isAttached: boolean): void {
		const agent = this.spellings.get(uid) ?? uid;
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
		return `${this.spellings.get(uid) ?? uid}/${uniqueId}`;
	}

	/**
	 * Which agents have a document now, asked anew. An answer only if the list shows each agent that this
	 * run knows, tells what each of its agents has, and proves of this one to be true: it holds what this
	 * run has just attached to it, if anything, and no longer what it has detached.
	 */
	async holdersOf(
		steps: Steps,
		uniqueId: string,
		proof: { uid: string; attached?: string },
	): Promise<Holders> {
		const agents = taken(await this.freshAgents(), steps);
		if (isItemFailure(agents)) return { isUnknown: 'the list of agents could not be read' };
		const records = await this.recordsFor(steps);
		if (isItemFailure(records)) return { isUnknown: 'the list of files could not be read' };
		const own = agentNamed(agents, proof.uid);
		// Agents that are not listed may be many, and any of them may have it.
		if (own === undefined || (await this.hides(agents))) {
			return { isUnknown: "CometChat's list of agents does not show every agent" };
		}
		const listed: string[] = documentsOf(own);
		if (proof.attached !== undefined && !listed.includes(proof.attached)) {
			return { isUnknown: "CometChat's list of agents does not show the new version" };
		}
		if (listed.includes(uniqueId)) {
			return { isUnknown: "CometChat's list of agents still shows the old version" };
		}
		const isWhole = (one: Agent) => one.websites !== undefined && this.isTold(one, agents, records);
		if (!agents.every(isWhole)) {
			return { isUnknown: "CometChat's list does not show the documents of every agent" };
		}
		return { agents: agents.filter((one) => documentsOf(one).some((id) => id === uniqueId)) };
	}

	/** Whether a list lacks an agent that this run has asked for, unless CometChat says that there is none. */
	private async hides(agents: Agent[]): Promise<boolean> {
		const asked = await Promise.all(this.unlisted.values());
		return asked.some(({ value }) =>
			isItemFailure(value) ? !isUnknown(value) : agentNamed(agents, value.uid) === undefined,
		);
	}

	/** A list that began after the call; calls that come before it begins share it. */
	private async freshAgents(): Promise<SharedList<Agent[]>> {
		this.nextAgents ??= this.afterLast();
		return await this.nextAgents;
	}

	private async afterLast(): Promise<SharedList<Agent[]>> {
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

	private async single(uid: string): Promise<SharedList<Agent>> {
		const requested = this.unlisted.get(uid) ?? this.askFor(uid);
		this.unlisted.set(uid, requested);
		return await requested;
	}

	private async askFor(uid: string): Promise<SharedList<Agent>> {
		const steps = new Steps(this.run);
		return { value: await steps.call(agentRequest(uid), readAgent), steps };
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
	private isTold(agent: Agent, agents: Agent[], records: Records): boolean {
		const telling = this.tellingOf(agent, records);
		if (telling !== 'told if proven') return telling === 'told';
		const isProven =
			this.proofs.get(agents) ?? agents.some((one) => this.tellingOf(one, records) === 'told');
		this.proofs.set(agents, isProven);
		return isProven;
	}

	private tellingOf(agent: Agent, records: Records): Telling {
		const known = this.tellings.get(agent);
		if (known !== undefined) return known;
		const telling = tellingOf(agent, (id) => records.wasThere(id));
		this.tellings.set(agent, telling);
		return telling;
	}

	private async listRecords(): Promise<SharedList<Records>> {
		const steps = new Steps(this.run);
		const found = await recordsThat(steps, undefined);
		if (isItemFailure(found)) return { value: found, steps };
		const records = new Records(found);
		await this.addUnlisted(records, steps, found.at(0));
		return { value: records, steps };
	}

	/** The list may be late: that it lacks what was uploaded once proves nothing. */
	private async addUnlisted(
		records: Records,
		steps: Steps,
		there: KnowledgeBaseRecord | undefined,
	): Promise<void> {
		const unlisted = [...this.noted.keys()].filter((id) => records.withId(id) === undefined);
		const statuses = await askStatuses(steps, unlisted, { there: there?.uniqueId });
		if (isItemFailure(statuses)) return;
		for (const [id, status] of statuses) {
			if (status === NOT_LISTED) continue;
			const sourceName = given(this.noted.get(id));
			records.addUnlisted({ uniqueId: given(id), type: 'uploads', sourceName, status });
		}
	}

	/** @param isFinishing Whether it is asked for by an item that goes to its end in any case. */
	private async listAgents(isFinishing = false): Promise<SharedList<Agent[]>> {
		const steps = new Steps(this.run);
		if (isFinishing) steps.finish();
		const value = await readWholeList<Agent, RequestFailure>(
			async (next) => await steps.call(listRequest(undefined, next), readAgents),
			(page) => page instanceof RequestFailure,
			({ uid }) => uid,
		);
		return { value, steps };
	}
}

/** The records of an account, to look up. */
export class Records {
	private readonly byId = new Map<string, KnowledgeBaseRecord>();

	private readonly uploadsByName = new Map<string, Set<string>>();

	private readonly unlisted = new Set<string>();

	private readonly removed = new Set<string>();

	constructor(records: KnowledgeBaseRecord[]) {
		for (const record of records) this.add(record);
	}

	add(record: KnowledgeBaseRecord): void {
		const { uniqueId, sourceName, type } = record;
		this.byId.set(uniqueId, record);
		if (type !== 'uploads' || sourceName === undefined) return;
		const name = composed(sourceName);
		const ids = this.uploadsByName.get(name) ?? new Set();
		this.uploadsByName.set(name, ids.add(uniqueId));
	}

	/** One that the list lacks, and that has a status. */
	addUnlisted(record: KnowledgeBaseRecord): void {
		this.add(record);
		this.unlisted.add(record.uniqueId);
	}

	isListed(uniqueId: string): boolean {
		return this.byId.has(uniqueId) && !this.unlisted.has(uniqueId);
	}

	remove(uniqueId: string): void {
		const { sourceName } = this.byId.get(uniqueId) ?? {};
		this.byId.delete(uniqueId);
		this.removed.add(uniqueId);
		// Its ID may come again for a file of another name.
		if (sourceName !== undefined) this.uploadsByName.get(composed(sourceName))?.delete(uniqueId);
	}

	withId(uniqueId: string): KnowledgeBaseRecord | undefined {
		return this.byId.get(uniqueId);
	}

	/** Also one that this run has deleted: a list that names it was no worse for that. */
	wasThere(uniqueId: string): boolean {
		return this.byId.has(uniqueId) || this.removed.has(uniqueId);
	}

	uploadsNamed(name: string): KnowledgeBaseRecord[] {
		const ids = this.uploadsByName.get(composed(name)) ?? [];
		return [...ids].flatMap((id) => this.byId.get(id) ?? []);
	}
}

function taken<Value>(
	{ value, steps: shared }: SharedList<Value>,
	steps: Steps,
): Value | ItemFailure {
	steps.include(shared);
	return value;
}

function note(documents: Set<string>, uniqueId: string, isAttached: boolean): void {
	if (isAttached) documents.add(uniqueId);
	else documents.delete(uniqueId);
}

function isUnknown(failure: ItemFailure): boolean {
	const explanation = failure instanceof RequestFailure ? failure.result.explanation : undefined;
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
