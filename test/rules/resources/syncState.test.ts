import { recordCall } from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/plan/removable';
import {
	inFolder,
	newAgent,
	readStoredAgents,
	sentFile,
	SyncState,
	storedAgents,
} from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/state/state';

const ID = '550e8400-e29b-41d4-a716-446655440000';
const SHA256 = '47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU';

function agentWith(count: number) {
	const agent = newAgent('https://host', 'Support-Bot');
	for (let at = 0; at < count; at++) {
		const file = { ...sentFile(ID, SHA256, 'attached'), isMissing: false, cohort: 365 };
		agent.files.set(`handbook-${at}.pdf`, file);
	}
	return agent;
}

test('What is written is read again as it was', () => {
	const agent = agentWith(3);
	agent.files.set('b.txt', { ...sentFile('new', SHA256, 'uploaded'), old: ['old'], missed: 2 });
	agent.files.set('c.txt', sentFile('out', SHA256, 'removed'));
	agent.others.set('handbook', 'handbook.pdf');
	agent.execution = { id: '7', calls: 2, isWhole: true, before: 'well', goneFiles: 'remove' };
	Object.assign(agent, { lastCalls: 2, cohorts: 5, wasKnown: true });
	agent.missingOf = 4;
	const stored: unknown = JSON.parse(JSON.stringify(storedAgents([agent])));
	expect(readStoredAgents(stored)).toEqual([agent]);
});

test('What is noted changes nothing of what is stored: a call that only tries gives it up', () => {
	const given = agentWith(1);
	given.execution = { id: '7', calls: 1, isWhole: true };
	const stored = storedAgents([given]);
	const before = JSON.stringify(stored);
	const [agent = given] = readStoredAgents(stored);
	recordCall(agent, new Set(['handbook-0.pdf']), false);
	expect(agent.execution).toMatchObject({ calls: 2, isWhole: false });
	expect(JSON.stringify(stored)).toBe(before);
});

test('A file takes 155 bytes at most, of a name of twenty characters', () => {
	const bytesOf = (count: number) => JSON.stringify(storedAgents([agentWith(count)])).length;
	expect((bytesOf(1000) - bytesOf(0)) / 1000).toBeLessThanOrEqual(155);
});

test.each<[unknown]>([
	['a text'],
	[[null, 1, 'a', { uid: 'bot' }, { account: 'https://host' }]],
	[[{ account: 1, uid: 'bot', files: [] }]],
])('What has not the shape is passed over: %j', (stored) => {
	expect(readStoredAgents(stored)).toEqual([]);
});

test.each([{ others: { a: 1 } }, { files: 'none' }])('An agent with %j is passed over', (more) => {
	expect(readStoredAgents([{ account: 'host', uid: 'bot', files: [], ...more }])).toEqual([]);
});

test('Of what has the shape, only that part is read', () => {
	const file = { uniqueId: 'b', sha256: 'B' };
	const files = [
		null,
		{ name: 'a.txt' },
		{ name: 'c.txt', ...file, old: 'a' },
		{ name: 'b.txt', ...file },
	];
	const [agent] = readStoredAgents([{ account: 'host', uid: 'bot', files }]);
	expect(agent).toEqual({
		...newAgent('host', 'bot'),
		files: new Map([['b.txt', { ...sentFile('b', 'B', 'attached'), isMissing: false }]]),
	});
});

test('Two spellings of one agent have one state; another account has its own', () => {
	const stored = {};
	const state = new SyncState(stored, 'trigger', 'https://host');
	state.agentFor('Support-Bot').files.set('a.txt', sentFile('a', 'A', 'attached'));
	expect(state.agentFor('support-bot')).toBe(state.agentFor('SUPPORT-BOT'));
	expect(state.agentFor('support-bot').files.size).toBe(1);
	state.save(() => false);
	const other = new SyncState(stored, 'trigger', 'https://other');
	expect([other.knownAgents(), other.agentFor('support-bot').files.size]).toEqual([[], 0]);
});

test.each<[Parameters<typeof modeOf>[0], boolean, boolean]>([
	['trigger', true, true],
	['manual', true, false],
	['retry', true, false],
	['retry', false, true],
])('In mode %s, empty: %j, what is saved is kept: %j', (mode, isEmpty, isPersisted) => {
	expect(modeOf(mode, isEmpty)).toBe(isPersisted);
});

function modeOf(mode: 'trigger' | 'manual' | 'retry', isEmpty: boolean): boolean {
	const stored = isEmpty ? {} : { syncedFiles: storedAgents([agentWith(1)]) };
	return new SyncState(stored, mode, 'https://host').isPersisted;
}

test('Where all was only tried, what was known stays', () => {
	const stored = { syncedFiles: storedAgents([agentWith(1)]) };
	const before = JSON.stringify(stored);
	const state = new SyncState(stored, 'trigger', 'https://host');
	state.agentFor('support-bot').files.clear();
	state.save(({ uid }) => uid === 'support-bot');
	expect(JSON.stringify(stored)).toBe(before);
});

test('Of files that have left the folder a thousand are remembered, the last ones', () => {
	const agent = newAgent('https://host', 'bot');
	for (let at = 0; at < 1200; at++) {
		agent.files.set(`${at}.txt`, sentFile(`${at}`, SHA256, at % 2 ? 'attached' : 'removed'));
	}
	for (let at = 0; at < 1000; at++) {
		agent.files.set(`out-${at}.txt`, sentFile(`out-${at}`, SHA256, 'removed'));
	}
	const [read] = readStoredAgents(storedAgents([agent]));
	expect(read && [read.files.size, inFolder(read).length]).toEqual([1600, 600]);
	const known = ['0.txt', 'out-0.txt', 'out-999.txt'].map((name) => read?.files.has(name));
	expect(known).toEqual([false, true, true]);
});
