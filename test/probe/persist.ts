import { Gate } from '../../nodes/CometChatKnowledgeBase/requests/gate';
import type { Reply } from '../../nodes/CometChatKnowledgeBase/requests/reply';
import { sendUntilAnswered } from '../../nodes/CometChatKnowledgeBase/requests/retry';
import type { Asker } from './asking';
import { Halt } from './asking';

const POLICY = { maxAttempts: 3, maxWaitMs: 120_000 };

/** Asks again after a failure that may pass, be it the service's or the probe's own. */
export async function persist(asker: Asker, ask: () => Promise<Reply>): Promise<Reply | undefined> {
	const { pause, nowMs } = asker.around;
	const clock = { nowMs, chance: () => 0, pause, isOver: () => false };
	const send = async () => await ask().catch(failureOf);
	const { reply } = await sendUntilAnswered(send, POLICY, new Gate(), clock);
	return reply;
}

function failureOf(thrown: unknown): Reply {
	return {
		kind: 'silence',
		code: thrown instanceof Halt ? '' : 'ERR_NETWORK',
		text: String(thrown),
	};
}
