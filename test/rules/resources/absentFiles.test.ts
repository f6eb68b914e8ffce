import type {
	AbsentFile,
	Stays,
} from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/absentFiles';
import {
	leftHint,
	missingResult,
	notYet,
	warningsOf,
} from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/absentFiles';
import { FileRows } from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/fileRow';
import { given } from '../../../nodes/CometChatKnowledgeBase/values/shown';

const UID = given('bot');

const absent = (count: number, stays?: Stays): AbsentFile[] =>
	Array.from({ length: count }, (_, at) => ({ fileName: `${at}.txt`, uploads: [], stays }));

test.each<[number, string, string]>([
	[0, 'What is not', ''],
	[1, '1 file not', ': "0.txt"'],
	[2, '2 files not', ': "0.txt", "1.txt"'],
	[5, '5 files not', ': "0.txt", "1.txt", "2.txt", "3.txt", "4.txt"'],
	[7, '7 files not', ': "0.txt", "1.txt", "2.txt", "3.txt", "4.txt", and 2 more'],
])('Of %d files that stayed, the first are named', (count, what, named) => {
	expect(leftHint(UID, 'of the test', absent(count)).message).toBe(
		`${what} among the items stayed with the agent "bot", because of the test${named}.`,
	);
});

test('Each reason that needs somebody is said once, with its own files', () => {
	const warned = { because: given('of this'), isWarned: true };
	const other = { because: given('of that'), isWarned: true };
	const [a, b, c, d] = [warned, other, warned, notYet(1)].map((stays, at) => ({
		fileName: `${'abcd'[at]}.txt`,
		uploads: [],
		stays,
	}));
	const missing = [a, b, c, d].flatMap((one) => one ?? []);
	expect(warningsOf(UID, missing).map(({ message }) => message)).toEqual([
		'2 files not among the items stayed with the agent "bot", because of this: "a.txt", "c.txt".',
		'1 file not among the items stayed with the agent "bot", because of that: "b.txt".',
	]);
});

test.each([
	[true, { dryRun: true }],
	[false, {}],
])('A file that stays is an item; only tried: %s', (isTried, more) => {
	const file = { fileName: 'a.txt', uploads: [{ uniqueId: 'a', isOwn: true }], stays: notYet(2) };
	expect(missingResult(new FileRows(UID, isTried), file)).toEqual({
		kind: 'succeeded',
		json: [
			{
				success: true,
				action: 'missing',
				fileName: 'a.txt',
				uniqueId: 'a',
				reason:
					'Not among the files of this run: it is taken out once 2 more runs have come without it',
				uid: 'bot',
				...more,
			},
		],
		attempts: 0,
		isRepeated: false,
	});
});
