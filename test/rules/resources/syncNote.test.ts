import type { IDataObject, WorkflowExecuteMode } from 'n8n-workflow';

import type {
	NotedAgent,
	NotedFile,
} from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/syncNote';
import {
	newAgent,
	newFile,
	readNote,
	SyncNote,
	writtenNote,
} from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/syncNote';

const own = { isOwn: true };

const FILES = new Map<string, NotedFile>([
	['a.txt', { ...newFile(), current: { uniqueId: 'a', sha256: 'A', ...own } }],
	[
		'b.txt',
		{
			current: { uniqueId: 'b', sha256: 'B', isOwn: false },
			pending: { uniqueId: 'p', sha256: 'P', ...own, mayBeAttached: true },
			old: [
				{ uniqueId: 'o', ...own },
				{ uniqueId: 'f', isOwn: false },
			],
			out: [{ uniqueId: 'q', sha256: 'Q', ...own }],
			unreadable: { sha256: 'U', tries: 2, lastMs: 7 },
		},
	],
	['__proto__', { ...newFile(), pending: { uniqueId: 'p', sha256: 'P', ...own } }],
	['gone.txt', { old: [], out: [{ uniqueId: 'g', sha256: 'G', isOwn: false }] }],
	['left.txt', { old: [{ uniqueId: 'l', ...own }], out: [] }],
]);
const SEEN = new Map([
	['a.txt', { isNamed: true, missed: 0, cohort: 3 }],
	['b.txt', { isNamed: false, missed: 2, cohort: 2 }],
	['__proto__', { isNamed: false, missed: 0, cohort: 0 }],
	['left.txt', { isNamed: false, missed: 1, cohort: 1 }],
]);
const AGENTS: NotedAgent[] = [
	{
		account: 'https://one',
		uid: 'bot',
		files: FILES,
		seen: SEEN,
		otherNames: new Map([
			['handbook', 'handbook.pdf'],
			['a-text', ''],
		]),
		execution: { id: '17', calls: 2, isWhole: true, before: 'not kept', goneFiles: 'remove' },
		lastCalls: 4,
		cohorts: 3,
		wasTold: true,
		isAbsenceTold: true,
		missingOf: 7,
	},
];

test.each(['not kept', 'not well'] as const)(
	'What is written is read again, through the text that n8n keeps: an execution after one that was %s',
	(before) => {
		const agents = AGENTS.map((one) => ({
			...one,
			execution: { id: '17', calls: 2, isWhole: true, before, goneFiles: 'remove' as const },
		}));
		expect(readNote(JSON.parse(JSON.stringify(writtenNote(agents))))).toEqual(agents);
	},
);

test('What is false or empty is left out', () => {
	const agent: NotedAgent = {
		...newAgent('https://one', 'bot'),
		files: new Map([['a.txt', { ...newFile(), current: { uniqueId: 'a', sha256: 'A', ...own } }]]),
		seen: new Map([['a.txt', { isNamed: false, missed: 0, cohort: 0 }]]),
	};
	const files = [{ name: 'a.txt', uniqueId: 'a', sha256: 'A', own: true }];
	const counts = { lastCalls: 0, cohorts: 0 };
	expect(writtenNote([agent]).agents).toStrictEqual([
		{ account: 'https://one', uid: 'bot', wasTold: false, ...counts, files },
	]);
});

test('An agent without files is not written', () => {
	expect(writtenNote([newAgent('https://one', 'bot')]).agents).toEqual([]);
});

test('A file takes at most 220 bytes, so that 10,000 files are 2.2 MB', () => {
	const sha256 = 'x'.repeat(43);
	const uniqueId = crypto.randomUUID();
	const files = new Map([
		['a name of thirty characters.pdf', { ...newFile(), current: { uniqueId, sha256, ...own } }],
	]);
	const seen = new Map([
		['a name of thirty characters.pdf', { isNamed: true, missed: 0, cohort: 1000 }],
	]);
	const [written] = JSON.parse(
		JSON.stringify(writtenNote([{ ...newAgent('', ''), files, seen }]).agents),
	);
	const text = JSON.stringify(written.files);
	expect(text.length).toBeLessThan(220);
	expect(text).not.toContain('"old"');
});

test('It stands under a name that stays: another would lose all notes', () => {
	const data: IDataObject = {};
	new SyncNote(data, 'trigger', 'https://one').save();
	expect(data).toEqual({ syncedFiles: { version: 2, agents: [] } });
});

test.each<[string, unknown]>([
	['nothing', undefined],
	['a text', 'note'],
	['another version', { version: 3, agents: AGENTS.map((one) => ({ ...one, files: [] })) }],
	['no list', { version: 1, agents: {} }],
	[
		'agents that are none',
		{
			version: 1,
			agents: [
				null,
				7,
				{},
				{ account: 'a', uid: 1, files: [] },
				{ account: 1, uid: 'a', files: [] },
			],
		},
	],
])('Foreign data is no note: %s', (_, foreign) => {
	expect(readNote(foreign)).toEqual([]);
});

test('Of a file, what has another shape is passed over', () => {
	const files = [
		null,
		{},
		{
			name: 'a.txt',
			uniqueId: 1,
			sha256: 'A',
			pending: { uniqueId: 'p', sha256: 2 },
			old: ['o', 3],
			out: [4, { uniqueId: 'q', sha256: 'Q' }],
		},
		{
			name: 'b.txt',
			uniqueId: 'b',
			sha256: 'B',
			mayBeAttached: 'yes',
			unreadable: { sha256: 7 },
			missed: '3',
			cohort: -1,
		},
	];
	const [agent] = readNote({ version: 2, agents: [{ account: 'a', uid: 'b', files }] });
	const [a, b] = [...(agent?.files.values() ?? [])];
	expect(agent?.files.size).toBe(2);
	expect(a).toMatchObject({
		old: [{ uniqueId: 'o', isOwn: false }],
		out: [{ uniqueId: 'q', sha256: 'Q', isOwn: false }],
	});
	expect(a).toMatchObject({ current: undefined, pending: undefined });
	expect(b).toStrictEqual({
		...newFile(),
		current: { uniqueId: 'b', sha256: 'B', isOwn: false },
		pending: undefined,
	});
	expect(agent?.seen.get('b.txt')).toEqual({ isNamed: false, missed: 0, cohort: 0 });
});

test("What version 1 has noted is read on, and nothing of it is this node's own", () => {
	const files = [
		{
			name: 'a.txt',
			uniqueId: 'a',
			sha256: 'A',
			pending: { uniqueId: 'p', sha256: 'P' },
			old: ['o'],
		},
	];
	const [agent] = readNote({
		version: 1,
		agents: [{ account: 'a', uid: 'b', files, wasTold: true }],
	});
	expect(agent?.files.get('a.txt')).toEqual({
		current: { uniqueId: 'a', sha256: 'A', isOwn: false },
		pending: { uniqueId: 'p', sha256: 'P', isOwn: false },
		old: [{ uniqueId: 'o', isOwn: false }],
		out: [],
	});
	expect(agent?.seen.get('a.txt')).toEqual({ isNamed: false, missed: 0, cohort: 0 });
	expect(agent?.execution).toBeUndefined();
});

test('Of an agent, what has another shape counts as not noted', () => {
	const files: unknown[] = [];
	const agents = [
		{ account: 'a', uid: 'b', files, wasTold: 'yes', missingOf: '7', isAbsenceTold: 'yes' },
		{ account: 'a', uid: 'c', files, wasTold: true, missingOf: 7, execution: { id: 7 } },
		{
			account: 'a',
			uid: 'd',
			files,
			execution: { id: '7', whole: 'yes', before: 'once', goneFiles: 'x' },
		},
	];
	const read = readNote({ version: 2, agents });
	expect(read).toMatchObject([
		{ uid: 'b', wasTold: false, missingOf: undefined, isAbsenceTold: false },
		{ uid: 'c', wasTold: true, missingOf: 7, execution: undefined },
		{ uid: 'd' },
	]);
	expect(read[2]?.execution).toStrictEqual({ id: '7', calls: 0, isWhole: false });
});

describe('The note of a node', () => {
	const withFile = (account: string, uid: string) => ({
		...newAgent(account, uid),
		files: new Map([['z.txt', { ...newFile(), old: [{ uniqueId: 'z', ...own }] }]]),
	});
	const stored = (): IDataObject => ({
		syncedFiles: writtenNote([
			withFile('https://two', 'bot'),
			...AGENTS,
			withFile('https://one', 'other'),
		]),
	});
	const noteOf = (data: IDataObject, mode: WorkflowExecuteMode = 'trigger') =>
		new SyncNote(data, mode, 'https://one');

	test('has the files of an agent however it is spelled, and of this account alone', () => {
		const note = noteOf(stored());
		expect([...note.filesOf('BOT').keys()]).toEqual([...FILES.keys()]);
		expect(note.filesOf('bot')).toBe(note.filesOf('Bot'));
		expect(note.agentFor('nobody')).toMatchObject({
			files: new Map(),
			wasTold: false,
			isAbsenceTold: false,
		});
		expect(note.notedAgents().map(({ account, uid }) => `${account} ${uid}`)).toEqual([
			'https://one bot',
			'https://one other',
		]);
	});

	test('counts what was noted before the run', () => {
		const note = noteOf(stored());
		note.filesOf('bot').set('new.txt', newFile());
		note.filesOf('new').set('new.txt', newFile());
		expect([note.sizeBefore('bot'), note.sizeBefore('new')]).toEqual([SEEN.size, 0]);
		expect([note.wasEmpty, noteOf({}).wasEmpty]).toEqual([false, true]);
	});

	test('keeps what was noted of an agent for whom all was only tried, and saves the others', () => {
		const data = stored();
		const before = JSON.stringify(readNote(data.syncedFiles).map(({ files }) => [...files]));
		const note = noteOf(data);
		note.filesOf('bot').set('new.txt', newFile());
		note.filesOf('untold').set('new.txt', newFile());
		note.save((uid) => uid !== 'other');
		expect(JSON.stringify(readNote(data.syncedFiles).map(({ files }) => [...files]))).toBe(before);
		note.save((uid) => uid === 'untold');
		expect([...noteOf(data).filesOf('bot').keys()]).toContain('new.txt');
	});

	test.each<[WorkflowExecuteMode, string, boolean]>([
		['trigger', 'nothing', true],
		['webhook', 'a note', true],
		['retry', 'a note', true],
		// n8n hands it no note: what it saved would take the place of the one that there is.
		['retry', 'nothing', false],
		['manual', 'a note', false],
	])('is saved after a run by %s with %s to begin with: %s', (mode, begin, isSaved) => {
		const data = begin === 'nothing' ? {} : stored();
		const before = JSON.stringify(data);
		const note = noteOf(data, mode);
		note.filesOf('bot').set('new.txt', newFile());
		note.save();
		expect(note.isKept).toBe(isSaved);
		if (isSaved) expect([...noteOf(data).filesOf('bot').keys()]).toContain('new.txt');
		else expect(JSON.stringify(data)).toBe(before);
	});
});
