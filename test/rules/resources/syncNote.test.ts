import {
	readNote,
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
const AGENTS = [{ account: 'https://one', uid: 'bot', files: FILES }];

test('What is written is read again, through the text that n8n keeps', () => {
	expect(readNote(JSON.parse(JSON.stringify(writtenNote(AGENTS))))).toEqual(AGENTS);
});

test('An agent without files is not written', () => {
	expect(writtenNote([{ account: 'https://one', uid: 'bot', files: new Map() }]).agents).toEqual(
		[],
	);
});

test('A file takes at most 200 bytes, so that 10,000 files are 2 MB', () => {
	const sha256 = 'x'.repeat(43);
	const uniqueId = crypto.randomUUID();
	const files = new Map([
		['a name of thirty characters.pdf', { current: { uniqueId, sha256 }, old: [] }],
	]);
	const text = JSON.stringify(writtenNote([{ account: '', uid: '', files }]).agents);
	expect(text.length).toBeLessThan(200);
});

test.each<[string, unknown]>([
	['nothing', undefined],
	['a text', 'note'],
	['another version', { version: 2, agents: [] }],
	['no list', { version: 1, agents: {} }],
	[
		'agents that are none',
		{ version: 1, agents: [null, 7, {}, { account: 'a', uid: 1, files: [] }] },
	],
])('Foreign data is no note: %s', (_, foreign) => {
	expect(readNote(foreign)).toEqual([]);
});

test('Of a file, what has another shape is passed over', () => {
	const files = [
		null,
		{},
		{ name: 'a.txt', uniqueId: 1, sha256: 'A', pending: 'p', old: ['o', 3] },
	];
	const [agent] = readNote({ version: 1, agents: [{ account: 'a', uid: 'b', files }] });
	expect([...(agent?.files ?? [])]).toEqual([['a.txt', { old: ['o'] }]]);
});
