import type { ApiClient } from '../../../nodes/CometChatKnowledgeBase/api/apiClient';
import { deleteFor } from '../../../nodes/CometChatKnowledgeBase/api/apiClient';
import { toApiError } from '../../../nodes/CometChatKnowledgeBase/http/apiError';
import { toResult } from '../../../nodes/CometChatKnowledgeBase/text/failure';
import { redacted } from '../redacted';

/** Deletes something with this last response. @param attempts The number of attempts; 1: no response was lost. */
async function deleted(status: number, body: unknown, attempts: number) {
	const client: ApiClient = {
		call: async (_, __, asked) => {
			const lastResult = { kind: 'response', status, headers: {}, body: redacted(body) } as const;
			const effect = attempts > 1 ? 'unknown' : 'not applied';
			throw toApiError({ attempts, effect, stopReason: 'answered', lastResult }, asked);
		},
	};
	const failure = await toResult(deleteFor(client, { url: '/agents/guide' }, 'agent'));
	return failure === undefined ? 'deleted' : 'failed';
}

const coded = (code: string) => ({ error: { code, message: 'No' } });
const GONE = coded('ERR_AGENT_NOT_FOUND');

test.each<[string, number, unknown, number, string]>([
	['not known any more after a lost answer', 404, GONE, 2, 'deleted'],
	['never known', 404, GONE, 1, 'failed'],
	['a 404 for an address after a lost answer', 404, coded('ERR_API_NOT_FOUND'), 2, 'failed'],
	['a 404 without a code after a lost answer', 404, { message: 'No' }, 2, 'deleted'],
	['a page after a lost answer', 404, '<html>Not found</html>', 2, 'failed'],
	['another status with that code after a lost answer', 408, GONE, 2, 'failed'],
])('An unknown object is deleted: %s', async (_, status, body, attempts, done) => {
	expect(await deleted(status, body, attempts)).toBe(done);
});
