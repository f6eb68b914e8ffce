import { readAgent } from '../../../nodes/CometChatKnowledgeBase/service/agents';
import { tellingOf } from '../../../nodes/CometChatKnowledgeBase/service/attachedDocuments';

const RECORDS = ['a', 'b', 'w'];

test.each<[unknown, string]>([
	[{ files: ['a'], websites: [] }, 'told'],
	[{ files: ['gone', 'b'], websites: [] }, 'told'],
	[{ files: ['a'] }, 'told'],
	[{ files: ['a'], websites: null }, 'told'],
	[{ files: [], websites: [] }, 'told if proven'],
	[{ files: [], websites: ['w'] }, 'told if proven'],
	[{ files: ['source-a'], websites: ['w'] }, 'not told'],
	[{ files: null, websites: ['w'] }, 'not told'],
	[{ files: [{ uniqueId: 'a' }], websites: [] }, 'not told'],
	[{ files: ['a', 7], websites: [] }, 'not told'],
	[{ websites: ['w'] }, 'not told'],
	[{}, 'not told'],
])('what an agent has is, by %j alone, %s', (lists, telling) => {
	const agent = readAgent({ uid: 'support-bot', ...Object(lists) });
	if (agent === undefined) throw new Error('It is an agent');
	expect(tellingOf(agent, (id) => RECORDS.includes(id))).toBe(telling);
});
