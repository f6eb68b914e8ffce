import { agentRequest, readAgent } from '../service/agents';
import type { Explanation } from '../results/messages';
import { explainUnknownAgent } from '../results/messages';
import type { Session } from './operation';
import type { Reply } from '../requests/attemptResult';
import { isSuccess } from '../requests/attemptResult';
import { isWorthRepeating, sendUntilAnswered } from '../requests/retryPolicy';

/** Whether the agents of a run are there: the service is asked for each of them once at most. */
export class AgentLookups {
	private readonly lookups = new Map<string, Promise<Explanation | undefined>>();

	constructor(
		private readonly run: Pick<Session, 'settings' | 'account' | 'send' | 'gate' | 'clock'>,
	) {}

	/** What the service says if it does not know the agent; undefined if it does, or nobody can tell. */
	async whyUnknown(uid: string): Promise<Explanation | undefined> {
		const lookup = this.lookups.get(uid) ?? this.ask(uid);
		this.lookups.set(uid, lookup);
		return await lookup;
	}

	private async ask(uid: string): Promise<Explanation | undefined> {
		const { settings, account, send, gate, clock } = this.run;
		const isAgent = (reply: Reply) => isSuccess(reply) && readAgent(reply.body) !== undefined;
		const { reply } = await sendUntilAnswered(
			async () => await send(agentRequest(uid), settings.timeoutMs),
			settings,
			gate,
			clock,
			{ effectOf: (given) => (isAgent(given) ? 'applied' : 'not applied'), isWorthRepeating },
		);
		return reply === undefined || isAgent(reply) ? undefined : explainUnknownAgent(reply, account);
	}
}
