import { readAgent } from '../../../nodes/CometChatKnowledgeBase/service/agents';
import type { ApiClient } from '../../../nodes/CometChatKnowledgeBase/api/apiClient';
import { answersFor, WhoHasIt } from '../../../nodes/CometChatKnowledgeBase/inventory/whoHasIt';
import { redacted } from '../redacted';

/** What CometChat has: uploads, texts and websites, by the first letter of their IDs. */
const TYPES: Record<string, string> = { u: 'uploads', t: 'text', w: 'website' };
const typeOf = (id: string) => (/^[utw]\d$/.test(id) ? TYPES[id.slice(0, 1)] : undefined);

/** The agents `a`, `b` … with these lists. */
function who(...lists: object[]): WhoHasIt {
	const agents = lists.flatMap(
		(list, at) => readAgent(redacted({ uid: 'abc'[at], ...list })) ?? [],
	);
	return new WhoHasIt(agents, typeOf);
}

const both = (files: unknown, websites: unknown = []) => ({ files, websites });

test.each<[string, WhoHasIt, string, string, string]>([
	['an agent that names it has it', who(both(['u1'])), 'u1', 'a', ''],
	['one that names another of the type has it not', who(both(['u2'])), 'u1', '', ''],
	['one that names nothing neither, where another does', who(both([]), both(['u2'])), 'u1', '', ''],
	['where nobody names anything, none can be told', who(both([]), both([])), 'u1', '', 'ab'],
	['without a list it cannot be told', who({ websites: [] }, both(['u2'])), 'u1', '', 'a'],
	['a list of other IDs does not tell', who(both(['x', 'y']), both(['u2'])), 'u1', '', 'a'],
	['uploads in a list tell nothing of texts', who(both(['u1']), both([])), 't1', '', 'ab'],
	['a text in any list tells of texts', who(both(['u1']), both(['t2'])), 't1', '', ''],
	['addresses tell nothing of websites', who(both(['u1'], ['https://w1'])), 'w1', '', 'a'],
	['of two, one has it and one cannot be told', who(both(['u1']), {}), 'u1', 'a', 'b'],
])('%s', (_, lists, id, has, unknown) => {
	const found = lists.of({ uniqueId: id, type: typeOf(id) });
	const uids = (agents: Array<{ uid: string }>) => agents.map(({ uid }) => uid).join('');
	expect([uids(found.has), uids(found.unknown)]).toEqual([has, unknown]);
});

test.each<[string, WhoHasIt, boolean]>([
	['all that agents name is known', who(both(['u1', 't1'])), true],
	['each list holds an ID, and the types are named', who(both(['u1', 'old', 't1'])), true],
	['a type is not named yet, and some IDs are not known', who(both(['u1', 'old'])), false],
	['a list holds nothing that is known', who(both(['u1', 't1']), both(['old'])), false],
])('no more documents are needed where %s: %#', (_, lists, isSettled) => {
	expect(lists.isSettled(['uploads', 'text'])).toBe(isSettled);
});

const record = (uniqueId: string, type: string) => ({ uniqueId, type });
/** Those that were read; the last two are to be told of. */
const RECORDS = [
	record('a', 'uploads'),
	record('t', 'text-details'),
	record('w', 'website'),
	record('u', 'uploads'),
	record('v', 'text-details'),
];
const HUNDREDS = Array.from({ length: 250 }, (_, at) => `id-${at}`);

interface Account {
	/** Of the agent. */
	lists: object;
	/** What has a status, of what was not read. */
	older?: string[];
	/** On which page of the list of agents one names all that was read. */
	proof?: number;
}

/** What is told of an upload and of a text, and what that took. */
async function told({ lists, older = [], proof = Infinity }: Account) {
	let pages = 0;
	const asked: number[] = [];
	const client: ApiClient = {
		call: async ({ body }, read) => {
			const ids: string[] | undefined = Object(body).uniqueId;
			const answer = read(redacted(ids ? { data: statusesFor(ids) } : nextPage()));
			if (answer === undefined) throw new Error('It is an answer');
			return answer;
		},
	};
	const statusesFor = (ids: string[]) => {
		asked.push(ids.length);
		const known = ids.filter(
			(id) => older.includes(id) || RECORDS.some((one) => one.uniqueId === id),
		);
		return Object.fromEntries(known.map((id) => [id, id === 'gone' ? 'notFound' : 'indexed']));
	};
	const nextPage = () => {
		pages += 1;
		const files = pages === proof ? ['a', 't'] : ['unknown'];
		const meta = { next: { affix: 'append', createdAt: pages } };
		return { data: [{ uid: `agent-${pages}`, files }], meta };
	};
	const agent = readAgent(redacted({ uid: 'support-bot', ...lists }));
	if (agent === undefined) throw new Error('It is an agent');
	const documents = RECORDS.slice(-2);
	const answer = await answersFor(client, agent, documents, RECORDS);
	return { answers: documents.map(answer), asked, pages };
}

const NOT = 'has not';

test.each<[string, Account, unknown[], number[], number]>([
	['its own list names both kinds', { lists: both(['a', 't']) }, [NOT, NOT], [], 0],
	['its own list names them', { lists: both(['u', 'v']) }, ['has', 'has'], [], 0],
	['one kind, and the other is proven', { lists: both(['a']), proof: 3 }, [NOT, NOT], [], 10],
	['one kind, and nobody proves the other', { lists: both(['a']) }, [NOT, 'unknown'], [], 10],
	['an older document', { lists: both(['o']), older: ['o'] }, [NOT, 'unknown'], [2], 10],
	[
		'hundreds that are older',
		{ lists: both(HUNDREDS), older: ['id-9'] },
		[NOT, 'unknown'],
		[101],
		10,
	],
	['what is gone', { lists: both(['gone']), older: ['gone'] }, ['unknown', 'unknown'], [2], 10],
	['nothing, and others prove it', { lists: both([]), proof: 10 }, [NOT, NOT], [], 10],
	['nothing, and so do others', { lists: both([]), proof: 11 }, ['unknown', 'unknown'], [], 10],
	['no list', { lists: both(null), proof: 1 }, ['unknown', 'unknown'], [], 10],
])('an agent whose list has %s', async (_, account, answers, asked, pages) => {
	expect(await told(account)).toEqual({ answers, asked, pages });
});
