import type { Claim } from '../../../nodes/CometChatKnowledgeBase/ingestion/namesakes';
import { nameClashes, nameKeys } from '../../../nodes/CometChatKnowledgeBase/ingestion/namesakes';

const bringing = (names: string, uid?: string) => {
	return { names: names.split(' '), uid, ifNameExists: 'replace' as const };
};
type Bringing = ReturnType<typeof bringing>;

const COMPOSED = 'M\u00fcller.pdf';
const DECOMPOSED = 'Mu\u0308ller.pdf';

test.each<[string, Bringing, Bringing, boolean]>([
	['one name for one agent', bringing('a.pdf', 'bot'), bringing('a.pdf', 'bot'), true],
	['a name in two Unicode forms', bringing(COMPOSED, 'bot'), bringing(DECOMPOSED, 'bot'), true],
	['two spellings of one agent', bringing('a.pdf', 'bot'), bringing('a.pdf', 'BOT'), true],
	['one name for no agent', bringing('a.pdf'), bringing('a.pdf'), true],
	['one of several names', bringing('a.pdf b.pdf', 'bot'), bringing('b.pdf', 'bot'), true],
	['two names', bringing('a.pdf', 'bot'), bringing('A.pdf', 'bot'), false],
	['one name for two agents', bringing('a.pdf', 'bot'), bringing('a.pdf', 'other'), false],
	['for an agent and for none', bringing('a.pdf', 'bot'), bringing('a.pdf'), false],
])('two items with %s are about one document: %#', (_, one, other, areOne) => {
	const items = [one, other].map((documents, index) => ({ index, documents }));
	expect([...nameClashes(items, new Map(), 'file', 'rename one').keys()]).toEqual(
		areOne ? [0, 1] : [],
	);
});

test.each<[string, Bringing, Bringing, boolean]>([
	['one name for an agent and for none', bringing('a.pdf', 'bot'), bringing('a.pdf'), true],
	['its two Unicode forms', bringing(COMPOSED, 'bot'), bringing(DECOMPOSED), true],
	['two names', bringing('a.pdf', 'bot'), bringing('b.pdf'), false],
	['one name for two agents', bringing('a.pdf', 'bot'), bringing('a.pdf', 'other'), false],
])('items of %s go one after another: %#', (_, one, other, areOne) => {
	const claims = new Map<string, Claim>();
	const items = [one, other].map((documents, index) => ({ index, documents }));
	nameClashes(items, claims, 'file', 'rename one');
	const keys = new Set(nameKeys(one, claims));
	expect(nameKeys(other, claims).some((key) => keys.has(key))).toBe(areOne);
});
