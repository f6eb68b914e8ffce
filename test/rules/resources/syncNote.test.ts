import type { IDataObject, WorkflowExecuteMode } from 'n8n-workflow';

import {
	readNote,
	SyncNote,
	writtenNote,
} from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/syncNote';

const FILES = new Map([
	['a.txt', { current: { uniqueId: 'a', sha256: 'A' }, old: [] }],
	[
		'b.txt',
		{
			current: { uniqueId: 'b', sha256: 'B' },
			pending: { uniqueId: 'p', sha256: 'P' },
			old: ['o'],
		},
	],
	['__proto__', { pending: { uniqueId: 'p', sha256: 'P' }, old: [] }],
]);
const AGENTS = [{ account: 'https://one', uid: 'bot', files: FILES, wasTold: true, missingOf: 7 }];

test('What is written is read again, through the text that n8n keeps', () => {
	expect(readNote(JSON.parse(JSON.stringify(writtenNote(AGENTS))))).toEqual(AGENTS);
});

test('An agent without files is not written', () => {
	expect(
		writtenNote([{ account: 'https://one', uid: 'bot', files: new Map(), wasTold: true }]).agents,
	).toEqual([]);
});

test('A file takes at most 200 bytes, so that 10,000 files are 2 MB', () => {
	const sha256 = 'x'.repeat(43);
	const uniqueId = crypto.randomUUID();
	const files = new Map([
		['a name of thirty characters.pdf', { current: { uniqueId, sha256 }, old: [] }],
	]);
	const text = JSON.stringify(writtenNote([{ account: '', uid: '', files, wasTold: true }]).agents);
	expect(text.length).toBeLessThan(200);
	expect(text).not.toContain('"old"');
});

test('It stands under a name that stays: another would lose all notes', () => {
	const data: IDataObject = {};
	new SyncNote(data, 'trigger', 'https://one').save();
	expect(data).toEqual({ syncedFiles: { version: 1, agents: [] } });
});

test.each<[string, unknown]>([
	['nothing', undefined],
	['a text', 'note'],
	['another version', { version: 2, agents: AGENTS.map((one) => ({ ...one, files: [] })) }],
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
		},
	];
	const [agent] = readNote({ version: 1, agents: [{ account: 'a', uid: 'b', files }] });
	expect([...(agent?.files ?? [])]).toEqual([['a.txt', { old: ['o'] }]]);
});

test('Of an agent, what has another shape counts as not noted', () => {
	const files: unknown[] = [];
	const agents = [
		{ account: 'a', uid: 'b', files, wasTold: 'yes', missingOf: '7' },
		{ account: 'a', uid: 'c', files, wasTold: true, missingOf: 7 },
	];
	expect(readNote({ version: 1, agents })).toMatchObject([
		{ uid: 'b', wasTold: false, missingOf: undefined },
		{ uid: 'c', wasTold: true, missingOf: 7 },
	]);
});

describe('The note of a node', () => {
	const stored = (): IDataObject => ({
		syncedFiles: writtenNote([
			{
				account: 'https://two',
				uid: 'bot',
				files: new Map([['z.txt', { old: ['z'] }]]),
				wasTold: false,
			},
			...AGENTS,
			{
				account: 'https://one',
				uid: 'other',
				files: new Map([['y.txt', { old: ['y'] }]]),
				wasTold: false,
			},
		]),
	});
	const noteOf = (data: IDataObject, mode: WorkflowExecuteMode = 'trigger') =>
		new SyncNote(data, mode, 'https://one');

	test('has the files of an agent however it is spelled, and of this account alone', () => {
		const note = noteOf(stored());
		expect([...note.filesOf('BOT').keys()]).toEqual([...FILES.keys()]);
		expect(note.filesOf('bot')).toBe(note.filesOf('Bot'));
		expect(note.agentFor('nobody')).toMatchObject({ files: new Map(), wasTold: false });
		expect(note.notedAgents().map(({ account, uid }) => `${account} ${uid}`)).toEqual([
			'https://one bot',
			'https://one other',
		]);
	});

	test('counts what was noted before the run', () => {
		const note = noteOf(stored());
		note.filesOf('bot').set('new.txt', { old: [] });
		note.filesOf('new').set('new.txt', { old: [] });
		expect([note.sizeBefore('bot'), note.sizeBefore('new')]).toEqual([FILES.size, 0]);
		expect([note.wasEmpty, noteOf({}).wasEmpty]).toEqual([false, true]);
	});

	test.each<[WorkflowExecuteMode, IDataObject, boolean]>([
		['trigger', {}, true],
		['webhook', stored(), true],
		['retry', stored(), true],
		// n8n hands it no note: what it saved would take the place of the one that there is.
		['retry', {}, false],
		['manual', stored(), false],
	])('is saved after a run by %s', (mode, data, isSaved) => {
		const before = JSON.stringify(data);
		const note = noteOf(data, mode);
		note.filesOf('bot').set('new.txt', { old: ['n'] });
		note.save();
		expect(note.isKept).toBe(isSaved);
		if (isSaved) expect([...noteOf(data).filesOf('bot').keys()]).toContain('new.txt');
		else expect(JSON.stringify(data)).toBe(before);
	});
});
