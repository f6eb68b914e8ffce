import { ItemContext } from '../execution/itemContext';
import type { RunContext } from '../execution/operation';
import { ApiError } from '../results/apiError';
import type { Agent } from '../service/agents';
import { agentPages, agentRequest, readAgent, readAgents } from '../service/agents';
import { readWholeList } from '../service/wholeList';

/** The account's agents: each is asked for once a run, and so is their list, unless somebody needs it anew. */
export class AgentList {
	/** By UID as the user spells it: the service's may be another. */
	private readonly alone = new Map<string, Promise<Agent>>();

	private readonly known = new Map<string, Agent>();

	/** The last list that could be read, or is being read. */
	private listed?: Promise<Agent[]>;

	/** The list that was begun last. */
	private last?: Promise<Agent[]>;

	/** A list that begins after now; undefined if none is waiting to begin. */
	private next?: Promise<Agent[]>;

	constructor(private readonly run: RunContext) {}

	/** The agent's own answer to a question for it alone. */
	async one(item: ItemContext, uid: string): Promise<Agent> {
		const asked =
			this.alone.get(uid) ?? item.call(agentRequest(uid), readAgent, { about: 'agent' });
		this.alone.set(uid, asked);
		const agent = await asked;
		this.known.set(uid, agent);
		return agent;
	}

	/** An agent of those that were asked for alone. */
	asked(uid: string): Agent | undefined {
		return this.known.get(uid);
	}

	/** All of them, as they were when first somebody asked, or later. */
	async all(item: ItemContext): Promise<Agent[]> {
		this.listed ??= this.last = readWholeList(agentPages(item, readAgents));
		return await this.listed;
	}

	/** All of them in a list that began after the call; calls that come before it begins share it. */
	async fresh(): Promise<Agent[]> {
		this.next ??= this.afterLast();
		return await this.next;
	}

	private async afterLast(): Promise<Agent[]> {
		await this.last?.catch(() => undefined);
		this.next = undefined;
		// It is asked for by items that go to their end in any case.
		const item = new ItemContext(this.run);
		item.mustComplete = true;
		this.last = readWholeList(agentPages(item, readAgents));
		const agents = await this.last;
		// One that could not be read is no reason to forget the last that could.
		this.listed = this.last;
		return agents;
	}

	/** Whether a list lacks an agent that this run has asked for, unless CometChat says that there is none. */
	async isHiding(agents: Agent[]): Promise<boolean> {
		const asked = await Promise.allSettled(this.alone.values());
		return asked.some((one) =>
			one.status === 'fulfilled'
				? agentNamed(agents, one.value.uid) === undefined
				: !saysThereIsNone(one.reason),
		);
	}
}

function saysThereIsNone(thrown: unknown): boolean {
	return thrown instanceof ApiError && thrown.more.unknown === 'agent';
}

/** Two spellings may be one agent, or two: the user's own counts first. */
export function agentNamed(agents: Agent[], uid: string): Agent | undefined {
	const spelledAnew = uid.toLowerCase();
	return (
		agents.find((one) => one.uid === uid) ??
		agents.find((one) => one.uid.toLowerCase() === spelledAnew)
	);
}
