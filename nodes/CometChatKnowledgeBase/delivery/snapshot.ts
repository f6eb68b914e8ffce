import { pagesUntil } from '../api/pagination';
import type { RunContext } from '../operations/operation';
import type { Agent } from '../api/agents';
import { agentRequest, attachedIds, readAgent } from '../api/agents';
import type { Document } from '../api/documents';
import { documentPages } from '../api/documents';
import type { Failure } from '../text/failure';
import { toResult, isFailure, UserError } from '../text/failure';
import { Documents } from './documents';
import type { ExistingDocument } from './plan';
import { fromDocument } from './plan';
import { listFor, readUsage, Usage } from './usage';

/** The agents of the account, and the known documents that they use. Each request is sent once. */
class Agents {
	private readonly byUid = new Map<string, Promise<Agent>>();

	/** By the UID of the agent. */
	private readonly usages = new Map<string, Usage>();

	private allUsage?: Promise<Usage>;

	constructor(
		private readonly run: RunContext,
		private readonly documents: Documents,
	) {}

	/** Requests the agent with a UID. @throws Failure of the request */
	async withUid(uid: string): Promise<Agent> {
		const { starting } = this.run;
		const known =
			this.byUid.get(uid) ?? starting.call(agentRequest(uid), readAgent, { about: 'agent' });
		this.byUid.set(uid, known);
		return await known;
	}

	/** Returns the documents that an agent uses, by its own lists. */
	usageOf(agent: Agent): Usage {
		const usage = this.usages.get(agent.uid) ?? new Usage([agent], this.documents);
		this.usages.set(agent.uid, usage);
		return usage;
	}

	/** Reads which agents use which documents. @throws Failure of the list of agents */
	async usage(): Promise<Usage> {
		this.allUsage ??= readUsage(this.run.starting, this.documents);
		return await this.allUsage;
	}

	/** Whether CometChat reports the agent's documents of a source type. @throws Failure of the list of agents */
	async isReported(agent: Agent, sourceType: string): Promise<boolean> {
		if (this.usageOf(agent).isReported(sourceType)) return true;
		if (listFor(agent, sourceType) === undefined) return false;
		return (await this.usage()).isReported(sourceType);
	}
}

/** The documents and agents of the account before the execution changed anything. Each request is sent once. */
export class Snapshot {
	readonly documents = new Documents();

	readonly agents: Agents;

	/** Whether the account's list of documents was read completely. */
	isListed = false;

	/** The reason why the account's list could not be read. */
	listFailure?: Failure;

	constructor(private readonly run: RunContext) {
		this.agents = new Agents(run, this.documents);
	}

	/** Reads the account's list, or only until the wanted IDs. A failure is stored for the items that need the list. */
	async readDocuments(wanted?: readonly string[]): Promise<void> {
		const missing = new Set(wanted);
		const isFound = (page: Document[]) => {
			for (const { uniqueId } of page) missing.delete(uniqueId);
			return wanted !== undefined && missing.size === 0;
		};
		const list = await toResult(pagesUntil(documentPages(this.run.starting), isFound));
		if (isFailure(list)) this.listFailure = list;
		else this.documents.addAll(list.entries);
		this.isListed = !isFailure(list) && list.next === undefined;
	}

	/** Returns the existing documents with a name, newest first, and whether the agent uses them. @throws Failure */
	async findByName(
		sourceType: string,
		name: string,
		agent: Agent | undefined,
	): Promise<ExistingDocument[]> {
		if (this.listFailure) throw this.listFailure;
		const isEmpty = this.documents.all().length === 0;
		if (isEmpty && agent && attachedIds(agent).length > 0) throw CONTRADICTION;
		return await this.existing(this.documents.named(sourceType, name), sourceType, agent);
	}

	/** Adds to documents whether the agent uses them, in their order. @throws Failure of the list of agents */
	async existing(
		documents: readonly Document[],
		sourceType: string,
		agent: Agent | undefined,
	): Promise<ExistingDocument[]> {
		if (agent === undefined) return documents.map((one) => fromDocument(one, { isAttached: true }));
		const usage = this.agents.usageOf(agent);
		const isUsed = ({ uniqueId }: Document) => usage.agentsUsing(uniqueId).length > 0;
		const isReported = documents.every(isUsed) || (await this.agents.isReported(agent, sourceType));
		const unlisted = isReported ? false : undefined;
		return documents.map((one) => fromDocument(one, { isAttached: isUsed(one) || unlisted }));
	}
}

const CONTRADICTION = new UserError(
	"CometChat lists no documents, but the agent's documents are not empty",
	'Run the item again in a few minutes. If this keeps happening, contact CometChat support.',
	{ cause: 'temporarily-unavailable' },
);

/**
 * Returns the document with an ID. An unlisted document may be an upload of a moment ago.
 *
 * @throws Failure of the list
 */
export function findDocument({ documents, listFailure }: Snapshot, uniqueId: string): Document {
	const found = documents.withId(uniqueId);
	if (found === undefined && listFailure) throw listFailure;
	return found ?? { uniqueId };
}
