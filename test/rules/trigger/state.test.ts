import type { State } from '../../../nodes/CometChatKnowledgeBase/trigger/difference';
import { readState } from '../../../nodes/CometChatKnowledgeBase/trigger/difference';

const ACCOUNT = 'https://app.api-us.cometchat.io/v3';
const NOW_MS = Date.UTC(2026, 0, 31, 12);

const RECORD = {
	uniqueId: 'a',
	sourceName: 'a.pdf',
	type: 'uploads',
	createdAt: 1,
};
const STATE: State = {
	account: ACCOUNT,
	sinceMs: NOW_MS,
	seen: [['a', NOW_MS]],
	watched: [
		{ record: RECORD, sinceMs: NOW_MS },
		{ record: { uniqueId: 'b' }, sinceMs: NOW_MS },
	],
};

test('what a poll has left is taken up by the next one, after n8n has kept it as JSON', () => {
	expect(readState(JSON.stringify(STATE), ACCOUNT)).toEqual(STATE);
});

test.each<[string, unknown]>([
	['nothing', undefined],
	['no state', 'state'],
	['of another account', { ...STATE, account: 'https://other.api-us.cometchat.io/v3' }],
	['of no time', { ...STATE, sinceMs: null }],
	['with a document without a time', { ...STATE, seen: [['a']] }],
	['with a document without an ID', { ...STATE, seen: [[1, NOW_MS]] }],
	['without what is watched', { ...STATE, watched: {} }],
	['with something watched that is none', { ...STATE, watched: [null] }],
	['with nothing to be said of it', { ...STATE, watched: [{ sinceMs: NOW_MS }] }],
	['watched since nobody knows when', { ...STATE, watched: [{ record: RECORD }] }],
	['watched without an ID', { ...STATE, watched: [{ record: {}, sinceMs: NOW_MS }] }],
])('a state that is none of this account is begun afresh, whole: %s', (_, state) => {
	expect(readState(JSON.stringify(state), ACCOUNT)).toBeUndefined();
});
