import type { Reply } from '../../nodes/CometChatKnowledgeBase/reply';
import { atMost } from '../../nodes/CometChatKnowledgeBase/transport';

test('an answer that never comes to its end is given up, as a timeout', async () => {
	const never = new Promise<Reply>(() => undefined);
	expect(await atMost(1, never)).toMatchObject({ kind: 'silence', code: 'ECONNABORTED' });
});

test('an answer in time is the answer', async () => {
	const answer: Reply = { kind: 'answer', status: 200, headers: {}, body: {} };
	expect(await atMost(60_000, Promise.resolve(answer))).toBe(answer);
});
