import { readList } from '../api/wholeList';
import { ItemContext } from '../execution/itemContext';
import type { RunContext } from '../execution/operation';
import { Records } from '../inventory/records';
import type { Agent } from '../service/agents';
import { agentPages, agentRequest, readAgent, readAgents } from '../service/agents';
import type { Document } from '../service/documents';
import { documentPages, isUnknownDocument } from '../service/documents';
import { firstPageRequest, readSourcePages } from '../service/sourcePages';
import type { Failure } from '../values/failure';
import { caught, isFailure } from '../values/failure';
import { timeMs } from '../values/times';
import type { Candidate } from './plan';
import { toCandidate } from './plan';

/**
 * The documents and agents of the account as they were before the execution changed anything. Each question is
 * asked once.
 *
 * An agent's lists prove something about a source type only if they name IDs of documents, and if the list of
 * this agent or of another names a document of that type. Otherwise CometChat does not report the agent's
 * documents of that type.
 */
export class Snapshot {
	readonly records = new Records();

	/** Whether the account's list of documents was read completely. */
	isListed = false;

	/** Why the account's list could not be read. */
	listFailure?: Failure;

	/** The source types of documents that are known without the account's list, by ID. */
	readonly knownTypes = new Map<string, string>();

	private readonly agents = new Map<string, Promise<Agent | Failure>>();

	private others?: Promise<Agent[] | Failure>;

	/** By agent. */
	private readonly unnamedIds = new Map<string, Promise<string[]>>();

	constructor(private readonly run: RunContext) {}

	/** Reads the account's list completely. A failure is kept, for the items that need the list. */
	async readDocuments(): Promise<void> {
		const list = await caught(readList(documentPages(new ItemContext(this.run))));
		if (isFailure(list)) this.listFailure = list;
		else this.add(list);
		this.isListed = !isFailure(list);
	}

	add(documents: Iterable<Document>): void {
		for (const document of documents) this.records.add(document);
	}

	/** The agent with a UID, or why it is not known. */
	async agent(uid: string): Promise<Agent | Failure> {
		const ask = async () => {
			const question = new ItemContext(this.run);
			const asked = question.call(agentRequest(uid), readAgent, { about: 'agent' });
			return await caught(asked);
		};
		const known = this.agents.get(uid) ?? this.run.permits.run(ask);
		this.agents.set(uid, known);
		return await known;
	}

	/** The existing documents with a name, newest first, as candidates for an agent. @throws Failure of the list */
	async findByName(
		sourceType: string,
		name: string,
		agent: Agent | undefined,
	): Promise<Candidate[]> {
		if (this.listFailure) throw this.listFailure;
		if (agent) await this.unnamed(agent, sourceType);
		const found = newestFirst(this.records.named(sourceType, name));
		return await this.candidates(found, sourceType, agent);
	}

	/** The IDs of an agent's documents whose names CometChat does not show: one of them may have any name. */
	async unnamed(agent: Agent, sourceType: string): Promise<string[]> {
		const known = this.unnamedIds.get(agent.uid) ?? this.addUnlisted(agent, sourceType);
		this.unnamedIds.set(agent.uid, known);
		return await known;
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
		const attached = new Set(listFor(agent, sourceType));
		const isProven = !needsProof || documents.every(({ uniqueId }) => attached.has(uniqueId));
		const isReported = isProven || (await this.reports(agent, sourceType));
		const isAttached = ({ uniqueId }: Document) =>
			attached.has(uniqueId) ? true : isReported ? false : undefined;
		return documents.map((one) => toCandidate(one, { isAttached: isAttached(one) }));
	}

	/** Whether CometChat reports an agent's documents of a source type. */
	async reports(agent: Agent, sourceType: string): Promise<boolean> {
		if (!this.holdsIds(agent, sourceType)) return false;
		if (this.names(agent, sourceType)) return true;
		this.others ??= caught(readList(agentPages(new ItemContext(this.run), readAgents)));
		const others = await this.others;
		return !isFailure(others) && others.some((other) => this.names(other, sourceType));
	}

	/**
	 * Adds the names of an agent's documents that the account's list does not show, from their pages.
	 *
	 * @returns The IDs whose name stays unknown.
	 */
	private async addUnlisted(agent: Agent, sourceType: string): Promise<string[]> {
		// Where CometChat does not report the agent's documents, its lists may hold anything.
		if (!this.names(agent, sourceType)) return [];
		const unlisted = (listFor(agent, sourceType) ?? []).filter(
			(id) => this.records.withId(id) === undefined,
		);
		const look = async (uniqueId: string) => {
			const request = firstPageRequest(sourceType, uniqueId);
			const answer = await caught(new ItemContext(this.run).call(request, readSourcePages));
			// A document that CometChat does not know has no name that could be in the way.
			if (isFailure(answer)) return isUnknownDocument(answer) ? [] : [uniqueId];
			this.add([{ uniqueId, sourceName: answer.fileName, type: sourceType }]);
			return [];
		};
		const looks = unlisted.map(async (id) => await this.run.permits.run(() => look(id)));
		return (await Promise.all(looks)).flat();
	}

	/** Whether an agent's list for a source type is empty, or names a known document. */
	private holdsIds(agent: Agent, sourceType: string): boolean {
		const list = listFor(agent, sourceType);
		if (list === undefined) return false;
		return list.length === 0 || list.some((id) => typeOf(this, id) !== undefined);
	}

	private names(agent: Agent, sourceType: string): boolean {
		const list = listFor(agent, sourceType) ?? [];
		return list.some((id) => typeOf(this, id) === sourceType);
	}
}

/** The source type of a document; undefined if the ID is not known. */
export function typeOf({ records, knownTypes }: Snapshot, uniqueId: string): string | undefined {
	return records.typeOf(uniqueId) ?? knownTypes.get(uniqueId);
}

/** CometChat lists text entries among an agent's files. */
export function listFor({ files, websites }: Agent, sourceType: string): string[] | undefined {
	return sourceType === 'website' ? websites : files;
}

/** Sorts documents, newest first. A document without a time counts as the newest. */
export function newestFirst<One extends Document>(documents: readonly One[]): One[] {
	const createdMs = ({ createdAt }: One) => timeMs(createdAt) ?? Infinity;
	return [...documents].sort((one, other) => createdMs(other) - createdMs(one));
}
