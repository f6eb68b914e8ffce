import { collect } from '../api/pagination';
import type { RunContext } from '../operations/operation';
import type { Agent } from '../api/agents';
import { agentPages, attachedIds, readAgents } from '../api/agents';
import { groupBy } from '../text/groups';
import { joinLimited } from '../text/quoting';
import { WEBSITE } from '../text/sourceTypes';

/** The source type of the document with an ID; undefined if the account's list does not show it. */
type TypeOf = (uniqueId: string) => string | undefined;

/**
 * Which agents use which documents, by the agents' lists. CometChat documents only that these are lists of texts. So
 * whether it reports an agent's documents is asked for each source type:
 *
 * | The agent's list for the source type                  | Reported                                             |
 * | ----------------------------------------------------- | ---------------------------------------------------- |
 * | is missing                                            | no                                                   |
 * | has entries, and none is the ID of a known document   | no                                                   |
 * | any other                                             | if the list of any agent names a document of the type |
 */
export class Usage {
	private readonly byId: ReadonlyMap<string, Agent[]>;

	private readonly unreportedByType = new Map<string, Agent[]>();

	constructor(
		readonly agents: readonly Agent[],
		private readonly typeOf: TypeOf,
	) {
		this.byId = groupBy(agents, attachedIds);
	}

	/** The agents whose lists name a document. */
	usersOf(uniqueId: string): Agent[] {
		return this.byId.get(uniqueId) ?? [];
	}

	/** The agents whose documents of a source type CometChat does not report. */
	unreported(sourceType: string): Agent[] {
		const known = this.unreportedByType.get(sourceType);
		if (known) return known;
		const isNamed = [...this.byId.keys()].some((id) => this.typeOf(id) === sourceType);
		const found = this.agents.filter((agent) => !isNamed || !this.holdsIds(agent, sourceType));
		this.unreportedByType.set(sourceType, found);
		return found;
	}

	/** Whether an agent's list for a source type is empty, or names a known document. */
	private holdsIds(agent: Agent, sourceType: string): boolean {
		const list = listFor(agent, sourceType);
		if (list === undefined) return false;
		return list.length === 0 || list.some((id) => this.typeOf(id) !== undefined);
	}
}

/** CometChat lists text entries among an agent's files. */
export function listFor({ files, websites }: Agent, sourceType: string): string[] | undefined {
	return sourceType === WEBSITE ? websites : files;
}

/** Reads all agents, completely. @throws Failure */
export async function readAllAgents({
	finishing,
}: Pick<RunContext, 'finishing'>): Promise<Agent[]> {
	return await collect(agentPages(finishing, readAgents));
}

/** Says for which source types CometChat does not report the documents of agents. */
export function unreportedWords(sourceTypes: Iterable<string>): string {
	return `CometChat doesn't report which agents use documents of the source type ${joinLimited([...sourceTypes])}.`;
}

/** The agents that use a document, or undefined where CometChat does not report it: the document must stay. */
export function usersIn(usage: Usage, sourceType: string, uniqueId: string): Agent[] | undefined {
	const users = usage.usersOf(uniqueId);
	return users.length === 0 && usage.unreported(sourceType).length > 0 ? undefined : users;
}
