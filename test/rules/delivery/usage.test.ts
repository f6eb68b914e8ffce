import { Documents } from '../../../nodes/CometChatKnowledgeBase/delivery/documents';
import { Usage } from '../../../nodes/CometChatKnowledgeBase/delivery/usage';
import { readAgent } from '../../../nodes/CometChatKnowledgeBase/api/agents';
import { redacted } from '../redacted';

/** The source types by the first letter of an ID: uploads, texts and websites. */
const TYPES: Record<string, string> = { u: 'uploads', t: 'text-details', w: 'website' };
const documents = new Documents();
for (const uniqueId of ['u1', 'u2', 't1', 't2', 'w1', 'w2']) {
	documents.add({ uniqueId, type: TYPES[uniqueId.slice(0, 1)] });
}

/** Makes the usage of agents `a`, `b` … with these lists. */
function usage(...lists: object[]): Usage {
	const agents = lists.flatMap(
		(list, at) => readAgent(redacted({ uid: 'abc'[at], ...list })) ?? [],
	);
	return new Usage(agents, documents);
}

const both = (files: unknown, websites: unknown = []) => ({ files, websites });
const UNKNOWN = 'unknown';

test.each<[string, Usage, string, string]>([
	['an agent that lists it uses it', usage(both(['u1'])), 'u1', 'a'],
	['an agent that lists another of the type does not', usage(both(['u2'])), 'u1', ''],
	['nor does one without any, if another lists one', usage(both([]), both(['u2'])), 'u1', ''],
	['nor one with other IDs, if another lists one', usage(both(['x']), both(['u2'])), 'u1', ''],
	['if nobody lists any, no list proves anything', usage(both([]), both([])), 'u1', UNKNOWN],
	['a missing list proves nothing', usage({ websites: [] }, both(['u2'])), 'u1', UNKNOWN],
	['lists of other IDs prove nothing', usage(both(['x', 'y']), both([])), 'u1', UNKNOWN],
	['uploads prove nothing about texts', usage(both(['u1']), both([])), 't1', UNKNOWN],
	['a text in any list proves texts', usage(both(['u1']), both(['t2'])), 't1', ''],
	['URLs prove nothing about websites', usage(both(['u1'], ['https://w1'])), 'w1', UNKNOWN],
	['one uses it, whatever is missing of others', usage(both(['u1']), {}), 'u1', 'a'],
])('%s', (_, lists, id, expected) => {
	const users = lists.agentsUsing(id).map(({ uid }) => uid);
	const isKnown = users.length > 0 || lists.isReported(documents.typeOf(id) ?? '');
	expect(isKnown ? users.join('') : UNKNOWN).toBe(expected);
});
