import type { Checkpoint } from '../../../nodes/CometChatKnowledgeBase/trigger/checkpoint';
import { fromStored, toStored } from '../../../nodes/CometChatKnowledgeBase/trigger/stored';
import { given } from '../../../nodes/CometChatKnowledgeBase/values/shown';

const ACCOUNT = 'https://app.api-us.cometchat.io/v3';
const NOW_MS = Date.UTC(2026, 0, 31, 12);

const CHECKPOINT: Checkpoint = {
	account: ACCOUNT,
	floorMs: NOW_MS,
	recent: [{ id: 'a', createdMs: NOW_MS }],
	unfinished: [
		{
			record: {
				uniqueId: given('a'),
				sourceName: given('a.pdf'),
				type: 'uploads',
				createdAt: 1,
			},
			sinceMs: NOW_MS,
		},
		{ record: { uniqueId: given('b'), type: 'website' }, sinceMs: NOW_MS },
		{
			record: { uniqueId: given('c'), sourceName: given('c'), createdAt: -0.5 },
			sinceMs: NOW_MS + 1,
		},
		{ record: { uniqueId: given('d') }, sinceMs: NOW_MS },
	],
	askFrom: 1,
};
const STORED = toStored(CHECKPOINT);

const again = (checkpoint: Checkpoint) =>
	fromStored(JSON.parse(JSON.stringify(toStored(checkpoint))), ACCOUNT);

test('what a poll has left is taken up by the next one, also after n8n has kept it as JSON', () => {
	expect(again(CHECKPOINT)).toEqual(CHECKPOINT);
	const least = { ...CHECKPOINT, recent: [], unfinished: [], askFrom: 0 };
	expect(again(least)).toEqual(least);
});

const first = { version: 1, account: ACCOUNT, floorMs: NOW_MS, recent: [], unfinished: [] };

test.each<[string, unknown]>([
	['nothing', undefined],
	['of a version to come', { ...STORED, version: 3 }],
	['of another account', { ...STORED, account: 'https://other.api-us.cometchat.io/v3' }],
	['with a document without a time', { ...STORED, recent: [['a']] }],
	['without what is unfinished', { ...STORED, unfinished: {} }],
	['with a place to ask from that is none', { ...STORED, askFrom: 'a' }],
	['of the version before, with nothing known', { ...first, recent: [null] }],
])('a state that is no checkpoint of this account is begun afresh, whole: %s', (_, state) => {
	expect(fromStored(state, ACCOUNT)).toBeUndefined();
});
