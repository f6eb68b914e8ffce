import { toApiError } from '../../nodes/CometChatKnowledgeBase/http/apiError';
import type { AttemptResult } from '../../nodes/CometChatKnowledgeBase/http/attemptResult';
import { effectOf } from '../../nodes/CometChatKnowledgeBase/http/attemptResult';

export function apiErrorOf(reply: AttemptResult, asked?: Parameters<typeof toApiError>[1]) {
	const sent = { attempts: 1, effect: effectOf(reply), stopReason: 'answered' } as const;
	return toApiError({ ...sent, lastResult: reply }, asked);
}
