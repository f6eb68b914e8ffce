import type { ApiContext } from '../requests/sendRequest';
import { sendRequest } from '../requests/sendRequest';
import type { Explanation } from '../results/messages';
import { explainUnknownAgent } from '../results/messages';
import { agentRequest, readAgent } from '../service/agents';

/** Whether the agents of a run are there: the service is asked for each of them once at most. */
export class AgentLookups {
	private readonly lookups = new Map<string, Promise<Explanation | undefined>>();

	constructor(private readonly api: ApiContext) {}

	/** What the service says if it does not know the agent; undefined if it does, or nobody can tell. */
	async whyUnknown(uid: string): Promise<Explanation | undefined> {
		const lookup = this.lookups.get(uid) ?? this.ask(uid);
		this.lookups.set(uid, lookup);
		return await lookup;
	}

	private async ask(uid: string): Promise<Explanation | undefined> {
		const { value, sendResult } = await sendRequest(this.api, agentRequest(uid), readAgent);
		const { lastResult } = sendResult;
		if (value !== undefined || lastResult === undefined) return undefined;
		return explainUnknownAgent(lastResult, this.api.account);
	}
}
