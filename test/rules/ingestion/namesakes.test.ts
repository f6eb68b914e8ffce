import { NameClaims } from '../../../nodes/CometChatKnowledgeBase/ingestion/namesakes';

const bringing = (names: string, uid?: string) => {
	return { names: names.split(' '), uid, ifNameExists: 'replace' as const };
};
type Bringing = ReturnType<typeof bringing>;

function claiming(...items: Bringing[]) {
	const claims = new NameClaims((documents: Bringing) => documents);
	const tasks = items.map((task, index) => ({ index, task }));
	return { claims, errors: claims.clashes(tasks, 'file', 'rename one') };
}

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
	expect([...claiming(one, other).errors.keys()]).toEqual(areOne ? [0, 1] : []);
});

test.each<[string, Bringing, Bringing, boolean]>([
	['one name for an agent and for none', bringing('a.pdf', 'bot'), bringing('a.pdf'), true],
	['its two Unicode forms', bringing(COMPOSED, 'bot'), bringing(DECOMPOSED), true],
	['two names', bringing('a.pdf', 'bot'), bringing('b.pdf'), false],
	['one name for two agents', bringing('a.pdf', 'bot'), bringing('a.pdf', 'other'), false],
])('items of %s go one after another: %#', (_, one, other, areOne) => {
	const { claims } = claiming(one, other);
	const keys = new Set(claims.keysOf(one));
	expect(claims.keysOf(other).some((key) => keys.has(key))).toBe(areOne);
});
