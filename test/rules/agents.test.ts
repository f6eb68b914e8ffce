import { readAgent, readAgents } from '../../nodes/CometChatKnowledgeBase/service/agents';

test.each<[string, unknown, object | undefined]>([
	[
		'with its lists',
		{ uid: 'a', name: 'A', files: ['1'], websites: [], tools: ['x'] },
		{ uid: 'a', name: 'A', files: ['1'], websites: [] },
	],
	['whose lists are not known', { uid: 'a', name: '' }, { uid: 'a' }],
	[
		'with lists of something else',
		{ uid: 'a', files: ['1', { id: '2' }], websites: '3' },
		{ uid: 'a' },
	],
	['without an ID', { name: 'A', files: ['1'] }, undefined],
	['with an empty ID', { uid: '' }, undefined],
	['in an envelope', { data: { uid: 'a' } }, undefined],
	['in a list', [{ uid: 'a' }], undefined],
	['that is a web page', '<html></html>', undefined],
])('An agent %s is read as what it is known to be', (_, body, agent) => {
	expect(readAgent(body)).toEqual(agent);
});

test.each<[unknown, object | undefined]>([
	[{ data: [] }, { agents: [] }],
	[
		{ data: [{ uid: 'a', files: ['1'] }, null, {}, 'b'], meta: { next: { createdAt: 5 } } },
		{ agents: [{ uid: 'a', files: ['1'] }], next: '5' },
	],
	[{ data: [{ uid: 'a' }], meta: { next: { createdAt: {} } } }, { agents: [{ uid: 'a' }] }],
	[[], undefined],
	[{ agents: [] }, undefined],
])('A list holds the agents in it: %j', (body, page) => {
	expect(readAgents(body)).toEqual(page);
});
