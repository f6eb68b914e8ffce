import type { ApiClient } from '../api/apiClient';
import { allPages } from '../api/pagination';
import type { RunContext } from '../operations/operation';
import type { Agent } from '../api/agents';
import { agentPages, attachedIds, readAgents } from '../api/agents';
import { groupBy } from '../text/groups';
import { WEBSITE } from '../text/sourceTypes';
import type { Documents } from './documents';

/**
 * The agents and their documents, by the agents' lists. CometChat only documents that these are lists of texts. So the
 * lists count for a source type once they contain a document of this type. Then an empty list is an answer, too.
 */
export class Usage {
	private readonly byId: ReadonlyMap<string, Agent[]>;

	private readonly reportedTypes = new Set<string>();

	/** @param documents The known documents of the account. */
	constructor(
		readonly agents: readonly Agent[],
		private readonly documents: Documents,
	) {
		this.byId = groupBy(agents, attachedIds);
	}

	/** Returns the agents whose lists contain a document. */
	agentsUsing(uniqueId: string): Agent[] {
		const users = this.byId.get(uniqueId) ?? [];
		return [...new Map(users.map((agent) => [agent.uid, agent])).values()];
	}

	/** Whether the lists show which documents of a source type the agents use. A missing list shows nothing. */
	isReported(sourceType: string): boolean {
		if (this.reportedTypes.has(sourceType)) return true;
		const isNamed = [...this.byId.keys()].some((id) => this.documents.typeOf(id) === sourceType);
		const isReported = isNamed && this.agents.every((agent) => listFor(agent, sourceType));
		if (isReported) this.reportedTypes.add(sourceType);
		return isReported;
	}
}

/** Returns the agent's list for a source type. CometChat lists text entries among the agent's files. */
export function listFor({ files, websites }: Agent, sourceType: string): string[] | undefined {
	return sourceType === WEBSITE ? websites : files;
}

/** Reads all agents completely. @throws Failure */
export async function readUsage(client: ApiClient, documents: Documents): Promise<Usage> {
	return new Usage(await allPages(agentPages(client, readAgents)), documents);
}

/** Our choice: the time after which a list of agents shows a change. */
const LATE_MS = 5000;

/** Reads all agents twice and joins their lists, because the first may be late. @throws Failure */
export async function readUsageTwice(
	{ finishing }: Pick<RunContext, 'finishing'>,
	documents: Documents,
): Promise<Usage> {
	const first = await readUsage(finishing, documents);
	await finishing.clock.delay(LATE_MS);
	const second = await readUsage(finishing, documents);
	return new Usage([...first.agents, ...second.agents], documents);
}

/** All examples in CometChat's documentation show empty lists, so empty lists alone prove nothing. */
export const NOT_REPORTED =
	"CometChat shows no documents of this source type for any agent, or hides an agent's documents. So it is unknown which agents use them.";
