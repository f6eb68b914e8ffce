import { UnkeptUploads } from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/unkeptUploads';

const account = { baseUrl: 'https://one/v3', apiKey: 'key' };
const place = { account, uid: 'bot', fileName: 'M\u00fcller.txt' };
const sent = { uniqueId: 'a', sha256: 'A' };

test.each([
	['the same', place, sent],
	['another spelling', { ...place, uid: 'Bot', fileName: ' Mu\u0308ller.txt' }, sent],
	['another key of the account', { ...place, account: { ...account, apiKey: 'new' } }, sent],
	['another file', { ...place, fileName: 'b.txt' }, undefined],
	['another host', { ...place, account: { ...account, baseUrl: 'https://two/v3' } }, undefined],
])('What was sent is known by account, agent and file: %s', (_, asked, known) => {
	const unkept = new UnkeptUploads(2);
	unkept.remember(place, sent);
	expect(unkept.of(asked)).toEqual(known);
});

test('It has room for so many: the one that was sent the longest ago goes first', () => {
	const unkept = new UnkeptUploads(2);
	const all = ['a', 'b', 'c'].map((fileName) => ({ ...place, fileName }));
	const [a = place, b = place, c = place] = all;
	for (const one of [a, b, a, c]) unkept.remember(one, sent);
	expect(all.map((one) => unkept.of(one))).toEqual([sent, undefined, sent]);
	unkept.forget(a);
	expect(unkept.of(a)).toBeUndefined();
});
