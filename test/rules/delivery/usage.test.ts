import { Usage, usersIn } from '../../../nodes/CometChatKnowledgeBase/delivery/usage';
import { readAgent } from '../../../nodes/CometChatKnowledgeBase/api/agents';
import { redacted } from '../redacted';

/** The documents of the account: uploads, texts and websites, by the first letter of their IDs. */
const TYPES: Record<string, string> = { u: 'uploads', t: 'text', w: 'website' };
const typeOf = (id: string) => (/^[utw]\d$/.test(id) ? TYPES[id.slice(0, 1)] : undefined);

/** The agents `a`, `b` … with these lists. */
function usage(...lists: object[]): Usage {
	const agents = lists.flatMap(
		(list, at) => readAgent(redacted({ uid: 'abc'[at], ...list })) ?? [],
	);
	return new Usage(agents, typeOf);
}

const both = (files: unknown, websites: unknown = []) => ({ files, websites });
const uids = (agents: Array<{ uid: string }> = []) => agents.map(({ uid }) => uid).join('');

test.each<[string, Usage, string, string, string]>([
	['an agent that lists it uses it', usage(both(['u1'])), 'u1', 'a', ''],
	['an agent that lists another of the type does not', usage(both(['u2'])), 'u1', '', ''],
	['nor does one without any, if another lists one', usage(both([]), both(['u2'])), 'u1', '', ''],
	['if nobody lists any, no list proves anything', usage(both([]), both([])), 'u1', '', 'ab'],
	['a missing list proves nothing', usage({ websites: [] }, both(['u2'])), 'u1', '', 'a'],
	['a list of other IDs proves nothing', usage(both(['x', 'y']), both(['u2'])), 'u1', '', 'a'],
	['uploads prove nothing about texts', usage(both(['u1']), both([])), 't1', '', 'ab'],
	['a text in any list proves texts', usage(both(['u1']), both(['t2'])), 't1', '', ''],
	['URLs prove nothing about websites', usage(both(['u1'], ['https://w1'])), 'w1', '', 'a'],
	['one uses it, and one is not reported', usage(both(['u1']), {}), 'u1', 'a', 'b'],
])('%s', (_, lists, id, ...[users, unreported]) => {
	const type = typeOf(id) ?? '';
	expect([uids(lists.usersOf(id)), uids(lists.unreported(type))]).toEqual([users, unreported]);
	const isKnown = users !== '' || unreported === '';
	expect(
		usersIn(lists, type, id)
			?.map(({ uid }) => uid)
			.join(''),
	).toBe(isKnown ? users : undefined);
});
