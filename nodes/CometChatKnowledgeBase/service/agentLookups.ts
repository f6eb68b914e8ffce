import type { ApiContext } from '../requests/sendRequest';
import { sendRequest } from '../requests/sendRequest';
import type { Explanation } from '../results/messages';
import { explain, explainUnknownAgent } from '../results/messages';
import { agentRequest, readAgent } from './agents';

/** What came of the question for an agent; neither if nobody can tell. */
interface Lookup {
	isThere: boolean;
	whyUnknown?: Explanation;
}

/** Whether the agents of a run are there: the service is asked for each of them once at most. */
export class AgentLookups {
	private readonly lookups = new Map<string, Promise<Lookup>>();

	constructor(private readonly api: ApiContext) {}

	/** What the service says if it does not know the agent; undefined if it does, or nobody can tell. */
	async whyUnknown(uid: string): Promise<Explanation | undefined> {
		return (await this.lookUp(uid)).whyUnknown;
	}

	/** Whether the service has shown the agent. */
	async isThere(uid: string): Promise<boolean> {
		return (await this.lookUp(uid)).isThere;
	}

	private async lookUp(uid: string): Promise<Lookup> {
		const lookup = this.lookups.get(uid) ?? this.ask(uid);
		this.lookups.set(uid, lookup);
		return await lookup;
	}

	private async ask(uid: string): Promise<Lookup> {
		const { value, sendResult } = await sendRequest(this.api, agentRequest(uid), readAgent);
		const { lastResult } = sendResult;
		if (value !== undefined) return { isThere: true };
		const whyUnknown = lastResult && explainUnknownAgent(explain(lastResult, this.api.account));
		return { isThere: false, whyUnknown };
	}
}
