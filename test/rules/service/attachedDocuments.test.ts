import { ApiError } from '../../../nodes/CometChatKnowledgeBase/results/apiError';
import { readAgent } from '../../../nodes/CometChatKnowledgeBase/service/agents';
import type { ApiClient } from '../../../nodes/CometChatKnowledgeBase/service/apiClient';
import {
	documentsTold,
	tellingOf,
} from '../../../nodes/CometChatKnowledgeBase/service/attachedDocuments';
import { redacted } from '../redacted';

const RECORDS = ['a', 'b', 'w'];

function agentWith(lists: unknown) {
	const agent = readAgent({ uid: 'support-bot', ...Object(lists) });
	if (agent === undefined) throw new Error('It is an agent');
	return agent;
}

test.each<[unknown, string]>([
	[{ files: ['a'], websites: [] }, 'told'],
	[{ files: ['a'], websites: null }, 'told'],
	[{ files: [], websites: [] }, 'told if proven'],
	[{ files: [], websites: ['w'] }, 'told if proven'],
	[{ files: ['source-a'], websites: ['w'] }, 'not told'],
	[{ files: null, websites: ['w'] }, 'not told'],
	[{ files: [{ uniqueId: 'a' }], websites: [] }, 'not told'],
])('what an agent has is, by %j alone, %s', (lists, telling) => {
	expect(tellingOf(agentWith(lists), (id) => RECORDS.includes(id))).toBe(telling);
});

const FAILURE = new ApiError({ attempts: 1, effect: 'not applied', stopReason: 'answered' });

/**
 * What an agent has, where the records of `RECORDS` are known, and CometChat has statuses of these IDs.
 *
 * @param proof On which page of the list of agents one names a record.
 */
async function told(lists: unknown, statuses: string[] | ApiError, proof = Infinity) {
	let pages = 0;
	const asked: string[][] = [];
	const client: ApiClient = {
		call: async (_, read) => {
			pages += 1;
			const names = pages === proof ? 'a' : 'unknown';
			const meta = { next: { affix: 'append', createdAt: pages } };
			const agents = [{ uid: `agent-${pages}`, files: [names] }];
			const value = read(redacted({ data: agents, meta }));
			if (value === undefined) throw FAILURE;
			return value;
		},
	};
	const found = await documentsTold(client, agentWith(lists), new Set(RECORDS), async (ids) => {
		asked.push(ids);
		if (statuses instanceof ApiError) return statuses;
		return new Map(statuses.map((id) => [id, id === 'gone' ? 'notFound' : 'indexed']));
	});
	const documents = found instanceof Set ? [...found].join() : found;
	return { documents, asked: asked.map((ids) => ids.length), pages };
}

const HUNDREDS = Array.from({ length: 250 }, (_, at) => `id-${at}`);

test.each<[string, unknown, string[], string | undefined, number[]]>([
	['a record that is known', { files: ['gone', 'a'], websites: ['x'] }, [], 'gone,a,x', []],
	['what has a status', { files: ['older'], websites: ['x'] }, ['older'], 'older,x', [1]],
	['what has none', { files: ['source'] }, ['gone'], undefined, [1]],
	['hundreds, of which one has a status', { files: HUNDREDS }, ['id-9'], HUNDREDS.join(), [100]],
	['no record, and a website', { files: null, websites: ['w'] }, ['w'], undefined, []],
])('what an agent has, by a list that names %s', async (_, lists, statuses, documents, asked) => {
	expect(await told(lists, statuses)).toEqual({ documents, asked, pages: 0 });
});

test('what an agent has is not known where the question for what it names fails', async () => {
	expect(await told({ files: ['source'] }, FAILURE)).toMatchObject({ documents: FAILURE });
});

test.each([
	['the tenth page', 10, 'w', 10],
	['a page that is not read any more', 11, undefined, 10],
])('an empty list is proven by an agent on %s', async (_, proof, documents, pages) => {
	expect(await told({ files: [], websites: ['w'] }, [], proof)).toEqual({
		documents,
		asked: [],
		pages,
	});
});
