import type { IDataObject } from 'n8n-workflow';

import type { FileRecord } from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/record';
import {
	inFolder,
	SyncRecord,
} from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/record';

const ID = '550e8400-e29b-41d4-a716-446655440000';
const SHA256 = '47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU';

const HOST = 'https://host';

function storedWith(files: Record<string, FileRecord>, more: object = {}): IDataObject {
	const staticData: IDataObject = {};
	const record = new SyncRecord(staticData, 'trigger', HOST);
	const agent = record.agentFor('bot');
	for (const [name, file] of Object.entries(files)) agent.files.set(name, file);
	Object.assign(agent, more);
	record.save();
	const stored: IDataObject = JSON.parse(JSON.stringify(staticData));
	return stored;
}

const readFrom = (staticData: IDataObject, account = HOST) =>
	new SyncRecord(staticData, 'trigger', account).agentFor('bot');

test('A saved record is read unchanged', () => {
	const files: Record<string, FileRecord> = {
		'a.txt': { uniqueId: 'a', sha256: SHA256, modified: 1, call: 2 },
		'b.txt': { uniqueId: 'b', step: 'uploaded', old: [{ id: 'old', isForeign: true }] },
		'c.txt': { uniqueId: 'c', isForeign: true, missing: { since: 1, execution: '7', call: 3 } },
	};
	const more = { others: new Set(['handbook']), calls: { execution: '7', first: 2 } };
	const read = readFrom(storedWith(files, more));
	expect(read).toEqual({
		account: HOST,
		uid: 'bot',
		files: new Map(Object.entries(files)),
		...more,
	});
});

test('A record without files is read again, too', () => {
	expect(readFrom(storedWith({})).files.size).toBe(0);
});

test('A changed record does not change the stored one before it is saved, nor in a dry run', () => {
	const stored = storedWith({ 'a.txt': { uniqueId: 'a', old: [{ id: 'old' }] } });
	const before = JSON.stringify(stored);
	const record = new SyncRecord(stored, 'trigger', HOST);
	const agent = record.agentFor('bot', { isDry: true });
	agent.files.get('a.txt')?.old?.pop();
	agent.files.set('b.txt', { uniqueId: 'b' });
	readFrom(stored).files.clear();
	record.save();
	expect(JSON.stringify(stored)).toBe(before);
});

test.each([
	[{}, 155],
	[{ modified: 1_795_737_600_000 }, 180],
])('A file of %j takes %d bytes at most, with a name of twenty characters', (more, bytes) => {
	const bytesOf = (count: number) => {
		const names = Array.from({ length: count }, (_, at) => `handbook-${at}.pdf`);
		const file = { uniqueId: ID, sha256: SHA256, call: 365, ...more };
		return JSON.stringify(storedWith(Object.fromEntries(names.map((name) => [name, file])))).length;
	};
	expect((bytesOf(1001) - bytesOf(1)) / 1000).toBeLessThanOrEqual(bytes);
});

test.each<[unknown]>([
	['a text'],
	[[{ account: HOST, uid: 'bot', files: [], others: [] }]],
	[{ format: 0, agents: [{ account: HOST, uid: 'bot', files: [], others: [] }] }],
])('The record of another version of the node is ignored: %j', (syncedFiles) => {
	const record = new SyncRecord(Object({ syncedFiles }), 'trigger', HOST);
	expect([record.wasEmpty, record.agentFor('bot').files.size]).toEqual([true, 0]);
});

test('Each account has its own record', () => {
	const stored = storedWith({ 'a.txt': { uniqueId: 'a' } });
	expect(readFrom(stored, 'https://other').files.size).toBe(0);
	expect(new SyncRecord(stored, 'trigger', 'https://other').uploads.size).toBe(0);
});

test.each<['trigger' | 'manual' | 'retry', boolean, boolean]>([
	['trigger', true, true],
	['manual', true, false],
	['retry', true, false],
	['retry', false, true],
])('In mode %s, empty: %j, n8n keeps the saved record: %j', (mode, isEmpty, isPersisted) => {
	const stored = isEmpty ? {} : storedWith({ 'a.txt': { uniqueId: 'a' } });
	expect(new SyncRecord(stored, mode, HOST).isPersisted).toBe(isPersisted);
});

test('The record contains the last thousand removed files', () => {
	const files: Record<string, FileRecord> = {};
	for (let at = 0; at < 2200; at++) {
		files[`${at}.txt`] = { uniqueId: `${at}`, step: at % 2 ? undefined : 'removed' };
	}
	const read = readFrom(storedWith(files));
	expect([read.files.size, inFolder(read).length]).toEqual([2100, 1100]);
	expect(['198.txt', '200.txt', '2198.txt'].map((name) => read.files.has(name))).toEqual([
		...[false, true, true],
	]);
});
