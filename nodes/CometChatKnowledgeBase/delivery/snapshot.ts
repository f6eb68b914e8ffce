import { collect } from '../api/pagination';
import type { RunContext } from '../operations/operation';
import type { Agent } from '../api/agents';
import { agentRequest, readAgent } from '../api/agents';
import type { Document } from '../api/documents';
import { documentPages } from '../api/documents';
import type { Failure } from '../text/failure';
import { toResult, isFailure } from '../text/failure';
import { Documents } from './documents';
import type { Candidate } from './plan';
import { toCandidate } from './plan';
import { listFor, readAllAgents, Usage } from './usage';

/** The agents of the account. Each question is asked once. */
class AccountAgents {
	private readonly byUid = new Map<string, Promise<Agent | Failure>>();

	private list?: Promise<Agent[] | Failure>;

	constructor(private readonly run: RunContext) {}

	/** The agent with a UID, or why it is not known. */
	async one(uid: string): Promise<Agent | Failure> {
		const ask = async () => {
			const asked = this.run.starting.call(agentRequest(uid), readAgent, { about: 'agent' });
			return await toResult(asked);
		};
		const known = this.byUid.get(uid) ?? ask();
		this.byUid.set(uid, known);
		return await known;
	}

	/** All agents, or why they are not known. */
	async all(): Promise<Agent[] | Failure> {
		this.list ??= toResult(readAllAgents(this.run));
		return await this.list;
	}
}

/**
 * The documents and agents of the account as they were before the execution changed anything. Each question is
 * asked once.
 */
export class Snapshot {
	readonly documents = new Documents();

	readonly agents: AccountAgents;

	/** Whether the account's list of documents was read completely. */
	isListed = false;

	/** Why the account's list could not be read. */
	listFailure?: Failure;

	/** By agent and source type. */
	private readonly reported = new Map<string, Promise<boolean>>();

	constructor(private readonly run: RunContext) {
		this.agents = new AccountAgents(run);
	}

	/**
	 * Reads the account's list. A failure is kept, for the items that need the list.
	 *
	 * @param wanted The IDs that end the reading once the list has shown all of them; undefined for the complete list.
	 */
	async readDocuments(wanted?: readonly string[]): Promise<void> {
		const missing = new Set(wanted);
		const isLast = ({ entries }: { entries: Document[] }) => {
			for (const { uniqueId } of entries) missing.delete(uniqueId);
			return wanted !== undefined && missing.size === 0;
		};
		const list = await toResult(collect(documentPages(this.run.starting), { isLast }));
		if (isFailure(list)) this.listFailure = list;
		else this.documents.addAll(list);
		this.isListed = !isFailure(list) && (wanted === undefined || missing.size > 0);
	}

	/** The existing documents with a name, newest first, as candidates for an agent. @throws Failure of the list */
	async findByName(
		sourceType: string,
		name: string,
		agent: Agent | undefined,
	): Promise<Candidate[]> {
		if (this.listFailure) throw this.listFailure;
		return await this.candidates(this.documents.named(sourceType, name), sourceType, agent);
	}

	/**
	 * The candidates among some documents for an agent, in their order.
	 *
	 * @param needsProof Whether it matters that the agent does not have a document that it does not list.
	 */
	async candidates(
		documents: readonly Document[],
		sourceType: string,
		agent: Agent | undefined,
		{ needsProof = true } = {},
	): Promise<Candidate[]> {
		if (agent === undefined) return documents.map((one) => toCandidate(one, { isAttached: true }));
		const attached = toSet(listFor(agent, sourceType));
		const isProven = !needsProof || documents.every(({ uniqueId }) => attached.has(uniqueId));
		const isReported = isProven || (await this.reports(agent, sourceType));
		const isAttached = ({ uniqueId }: Document) =>
			attached.has(uniqueId) ? true : isReported ? false : undefined;
		return documents.map((one) => toCandidate(one, { isAttached: isAttached(one) }));
	}

	/** Whether CometChat reports an agent's documents of a source type. */
	async reports(agent: Agent, sourceType: string): Promise<boolean> {
		const key = JSON.stringify([agent.uid, sourceType]);
		const known = this.reported.get(key) ?? findReported(this, agent, sourceType);
		this.reported.set(key, known);
		return await known;
	}
}

/**
 * The document with an ID. An ID that the list does not show may have been uploaded seconds ago: it has no source
 * type, and so counts as an upload. If it is something else, CometChat does not know it.
 *
 * @throws Failure of the list
 */
export function findDocument({ documents, listFailure }: Snapshot, uniqueId: string): Document {
	const found = documents.withId(uniqueId);
	if (found === undefined && listFailure) throw listFailure;
	return found ?? { uniqueId };
}

/** The agents that use each document. @throws Failure of the list of agents */
export async function readUsage(snapshot: Snapshot): Promise<Usage> {
	const agents = await snapshot.agents.all();
	if (isFailure(agents)) throw agents;
	return usageBy(snapshot, agents);
}

/** Which of some agents use which documents, where the account's list shows the documents. */
function usageBy(snapshot: Snapshot, agents: readonly Agent[]): Usage {
	return new Usage(agents, (id) => snapshot.documents.typeOf(id));
}

async function findReported(
	snapshot: Snapshot,
	agent: Agent,
	sourceType: string,
): Promise<boolean> {
	if (usageBy(snapshot, [agent]).unreported(sourceType).length === 0) return true;
	const all = await snapshot.agents.all();
	if (isFailure(all)) return false;
	const others = all.filter(({ uid }) => uid !== agent.uid);
	const unreported = usageBy(snapshot, [agent, ...others]).unreported(sourceType);
	return !unreported.includes(agent);
}

const sets = new WeakMap<string[], ReadonlySet<string>>();

/** Each list becomes a set once: an agent may have thousands of documents, and as many items look them up. */
function toSet(list: string[] = []): ReadonlySet<string> {
	const set = sets.get(list) ?? new Set(list);
	sets.set(list, set);
	return set;
}
