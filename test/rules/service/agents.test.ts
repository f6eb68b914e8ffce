import { readAgent, readAgents } from '../../../nodes/CometChatKnowledgeBase/service/agents';
import { redacted } from '../redacted';
import { UNREADABLE } from '../../../nodes/CometChatKnowledgeBase/service/wholeList';

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
	expect(readAgent(redacted(body))).toEqual(agent);
});

test.each<[unknown, object | undefined]>([
	[{ data: [] }, { entries: [] }],
	[
		{ data: [{ uid: 'a', files: ['1'] }], meta: { next: { createdAt: 5 } } },
		{ entries: [{ uid: 'a', files: ['1'] }], next: '5' },
	],
	[
		{ data: [{ uid: 'a' }], meta: { next: { cursor: '5' } } },
		{ entries: [{ uid: 'a' }], next: UNREADABLE },
	],
	...[null, {}, 'b', { uid: '' }, { uid: 7 }].map((entry): [unknown, undefined] => [
		{ data: [{ uid: 'a' }, entry] },
		undefined,
	]),
	[[], undefined],
	[{ agents: [] }, undefined],
])('A list holds all of its agents, or is none: %j', (body, page) => {
	expect(readAgents(redacted(body))).toEqual(page);
});
