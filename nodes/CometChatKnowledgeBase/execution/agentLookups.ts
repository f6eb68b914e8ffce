import { agentRequest, readAgent } from '../service/agents';
import type { Explanation } from '../results/messages';
import { explainUnknownAgent } from '../results/messages';
import type { RunContext } from './operation';
import type { AttemptResult } from '../requests/attemptResult';
import { isSuccess } from '../requests/attemptResult';
import { isRetryable } from '../requests/retryPolicy';
import { sendWithRetries } from '../requests/sendWithRetries';

/** Whether the agents of a run are there: the service is asked for each of them once at most. */
export class AgentLookups {
	private readonly lookups = new Map<string, Promise<Explanation | undefined>>();

	constructor(
		private readonly run: Pick<
			RunContext,
			'options' | 'account' | 'send' | 'rateLimiter' | 'clock'
		>,
	) {}

	/** What the service says if it does not know the agent; undefined if it does, or nobody can tell. */
	async whyUnknown(uid: string): Promise<Explanation | undefined> {
		const lookup = this.lookups.get(uid) ?? this.ask(uid);
		this.lookups.set(uid, lookup);
		return await lookup;
	}

	private async ask(uid: string): Promise<Explanation | undefined> {
		const { options, account, send, rateLimiter, clock } = this.run;
		const isAgent = (reply: AttemptResult) =>
			isSuccess(reply) && readAgent(reply.body) !== undefined;
		const { lastResult } = await sendWithRetries(
			async () => await send(agentRequest(uid), options.timeoutMs),
			options,
			rateLimiter,
			clock,
			{ effectOf: (given) => (isAgent(given) ? 'applied' : 'not applied'), isRetryable },
		);
		return lastResult === undefined || isAgent(lastResult)
			? undefined
			: explainUnknownAgent(lastResult, account);
	}
}
