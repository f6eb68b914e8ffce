import type {
	Checkpoint,
	Unfinished,
} from '../../../nodes/CometChatKnowledgeBase/trigger/checkpoint';
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

test('what the version before has left is taken up', () => {
	const { recent, unfinished, floorMs } = CHECKPOINT;
	const stored = { version: 1, account: ACCOUNT, floorMs, recent, unfinished };
	expect(fromStored(JSON.parse(JSON.stringify(stored)), ACCOUNT)).toEqual({
		...CHECKPOINT,
		askFrom: 0,
	});
});

const groupOf = (...documents: unknown[]) => ({
	...STORED,
	unfinished: [{ sinceMs: 1, documents }],
});
const first = { version: 1, account: ACCOUNT, floorMs: NOW_MS, recent: [], unfinished: [] };

test.each<[string, unknown]>([
	['nothing', undefined],
	['a text', 'checkpoint'],
	['of a version to come', { ...STORED, version: 3 }],
	['of another account', { ...STORED, account: 'https://other.api-us.cometchat.io/v3' }],
	['without a floor', { ...STORED, floorMs: null }],
	['without what is known', { ...STORED, recent: undefined }],
	['with a document without a time', { ...STORED, recent: [['a']] }],
	['without what is unfinished', { ...STORED, unfinished: {} }],
	['with a group without a time', { ...STORED, unfinished: [{ documents: [] }] }],
	['with a name that is none', groupOf(['a', 1, 'uploads', 7])],
	['with a place to ask from that is none', { ...STORED, askFrom: 'a' }],
	['of the version before, with nothing known', { ...first, recent: [null] }],
])('a state that is no checkpoint of this account is begun afresh, whole: %s', (_, state) => {
	expect(fromStored(state, ACCOUNT)).toBeUndefined();
});

const idOf = (at: number) => `550e8400-e29b-41d4-a716-${String(at).padStart(12, '0')}`;

/** So many as can be known and watched. */
function fullest(titleOf: (at: number) => string): Checkpoint {
	const unfinished = Array.from({ length: 10_000 }, (_, at): Unfinished => {
		const sourceName = given(titleOf(at));
		const uniqueId = given(idOf(at));
		return {
			record: { uniqueId, sourceName, type: 'text-details', createdAt: NOW_MS - at },
			sinceMs: NOW_MS + Math.floor(at / 100),
		};
	});
	const recent = Array.from({ length: 2500 }, (_, at) => ({ id: idOf(at), createdMs: NOW_MS }));
	return { ...CHECKPOINT, recent, unfinished };
}

test.each<[string, (at: number) => string]>([
	['500 letters', (at) => `${at}`.padEnd(500, 'n')],
	['what JSON writes longest', (at) => `${at}`.padEnd(500, '\u0001')],
])(
	'a state has less than 1 MB, with titles of %s as well; nobody but names is missing',
	(_, titleOf) => {
		const full = fullest(titleOf);
		expect(JSON.stringify(toStored(full)).length).toBeLessThan(1_000_000);
		const read = again(full);
		expect(read?.unfinished.map(({ record }) => record.uniqueId)).toEqual(
			full.unfinished.map(({ record }) => record.uniqueId),
		);
		const wrong = read?.unfinished.filter(({ record: { uniqueId, sourceName, createdAt } }) => {
			const at = Number(uniqueId.slice(-12));
			const isNamed = sourceName === undefined || sourceName === titleOf(at);
			return !isNamed || createdAt !== NOW_MS - at;
		});
		expect(wrong).toEqual([]);
	},
);

test.each<[string, number, boolean]>([
	['fills', 249_991, true],
	['is longer than', 249_992, false],
])('of two names, the first of which %s all the room, one is kept', (_, length, isKept) => {
	const unfinished = ['n'.repeat(length), 'b'].map((name, at) => ({
		record: { uniqueId: given(idOf(at)), sourceName: given(name) },
		sinceMs: NOW_MS,
	}));
	const [first, second] = again({ ...CHECKPOINT, unfinished })?.unfinished ?? [];
	expect(first?.record.sourceName !== undefined).toBe(isKept);
	expect(second?.record.sourceName !== undefined).toBe(!isKept);
});
