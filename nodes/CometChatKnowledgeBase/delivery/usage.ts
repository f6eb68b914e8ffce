import type { ApiClient } from '../api/apiClient';
import { collect } from '../api/pagination';
import type { Agent } from '../api/agents';
import { agentPages, attachedIds, readAgents } from '../api/agents';
import { groupBy } from '../text/groups';
import { joinLimited } from '../text/quoting';
import { WEBSITE } from '../text/sourceTypes';
import type { Documents } from './documents';

/**
 * Which agents use which documents, by the agents' lists. CometChat documents only that these are lists of texts. So
 * the lists count for a source type once one of them names a document of this type. Then an empty list is an answer, too.
 */
export class Usage {
	private readonly byId: ReadonlyMap<string, Agent[]>;

	private readonly reportedTypes = new Set<string>();

	/** @param documents The documents of the account, as far as they are known. */
	constructor(
		private readonly agents: readonly Agent[],
		private readonly documents: Documents,
	) {
		this.byId = groupBy(agents, attachedIds);
	}

	/** The agents whose lists name a document. */
	agentsUsing(uniqueId: string): Agent[] {
		return this.byId.get(uniqueId) ?? [];
	}

	/** Whether the lists say which documents of a source type the agents use. A missing list says nothing. */
	isReported(sourceType: string): boolean {
		if (this.reportedTypes.has(sourceType)) return true;
		const isNamed = [...this.byId.keys()].some((id) => this.documents.typeOf(id) === sourceType);
		const isReported = isNamed && this.agents.every((agent) => listFor(agent, sourceType));
		if (isReported) this.reportedTypes.add(sourceType);
		return isReported;
	}
}

/** CometChat lists text entries among an agent's files. */
export function listFor({ files, websites }: Agent, sourceType: string): string[] | undefined {
	return sourceType === WEBSITE ? websites : files;
}

/** Reads all agents, completely. @throws Failure */
export async function readUsage(client: ApiClient, documents: Documents): Promise<Usage> {
	return new Usage(await collect(agentPages(client, readAgents)), documents);
}

/** Says why the lists of agents say nothing about documents of some source types. */
export function unreportedWords(sourceTypes: Iterable<string>): string {
	return `CometChat shows no document of the source type ${joinLimited([...sourceTypes])} for any agent, or hides an agent's documents. So this node can't tell which agents use such documents.`;
}
