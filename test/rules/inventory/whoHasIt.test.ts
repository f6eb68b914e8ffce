import { readAgent } from '../../../nodes/CometChatKnowledgeBase/service/agents';
import { WhoHasIt } from '../../../nodes/CometChatKnowledgeBase/inventory/whoHasIt';
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
