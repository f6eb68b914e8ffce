import type { INodeParameters } from 'n8n-workflow';

import { isRecord } from '../../../nodes/CometChatKnowledgeBase/values/validationIssue';
import type { Rule } from '../../service/service';
import { add, freshService } from '../fixture';
import type { OperationName } from '../operations';
import { agent, continuing, errorOf, file, runFiles } from '../operations';

const service = freshService({
	records: [
		{ sourceName: 'old.txt', uniqueId: 'o' },
		{ sourceName: 'Old', uniqueId: 't', type: 'text-details' },
		{ sourceName: 'https://help.example.com', uniqueId: 'w', type: 'website' },
	],
	found: { w: [{ urlId: 'p', url: 'https://help.example.com/p', status: 'failed' }] },
});
const question = { uid: agent('support-bot'), question: 'When?', askAs: 'checker' };
const text = { title: 'Hours', text: 'From 9 to 5.' };
const files = [{ data: file('a.txt') }];
const toAgent = { addToAgent: true, uid: agent('support-bot') };

type Requested = NonNullable<Rule['for']>['operation'];

/** The true answer, with all that it holds, and the word that it is none. */
function transform(body: unknown) {
	return { ...(isRecord(body) ? body : { data: body }), success: false };
}

describe('What CometChat says it did not do', () => {
	test.each<[OperationName, Requested, INodeParameters]>([
		['text.create', 'createText', text],
		['text.create', 'add', { ...text, ...toAgent }],
		['document.upload', 'initiate', {}],
		['document.upload', 'poll', { waitUntilIndexed: true }],
		['document.upload', 'add', toAgent],
		['document.getStatus', 'poll', { fileIds: 'o' }],
		['document.getMany', 'records', {}],
		['document.getContent', 'pages', { document: 'o' }],
		['document.delete', 'deleteUpload', { fileIds: 'o' }],
		['website.delete', 'deleteWebsite', { website: 'w' }],
		['website.retryIndexing', 'sync', { website: 'w' }],
		['website.getMany', 'records', {}],
		['website.add', 'add', { website: 'w', uid: agent('support-bot') }],
		['agent.get', 'agent', { uid: agent('support-bot') }],
		['text.upsert', 'listTexts', text],
		['text.upsert', 'createText', text],
		['text.update', 'updateText', { textId: agent('t'), updateFields: { text: 'x' } }],
		['text.get', 'getText', { textId: agent('t') }],
		['website.getPages', 'discoveredUrls', { website: agent('w') }],
		['website.retryPages', 'discoveredUrls', { website: agent('w') }],
		['website.retryPages', 'retryUrls', { website: agent('w') }],
		['agent.getMany', 'list', {}],
		['agent.ask', 'sendMessage', question],
		['agent.ask', 'thread', question],
		['agent.create', 'createAgent', { name: 'New' }],
		['agent.update', 'updateAgent', { uid: agent('support-bot'), updateFields: { name: 'New' } }],
		['knowledgeBase.getMany', 'list', { uid: agent('support-bot') }],
		['knowledgeBase.getMany', 'records', { uid: agent('support-bot') }],
		['knowledgeBase.replace', 'list', { uid: agent('support-bot') }],
		['knowledgeBase.replace', 'records', { uid: agent('support-bot') }],
	])(
		'is not done, although the answer holds all else: %s, %s',
		async (operation, request, parameters) => {
			service().script({ for: { operation: request }, transform, times: Infinity });
			const run = await runFiles(service(), operation, {
				...continuing,
				files: ['document.upload', 'knowledgeBase.replace'].includes(operation) ? files : undefined,
				parameters,
			});
			expect(run.output).toHaveLength(1);
			expect(errorOf(run)).toMatchObject({
				message: 'CometChat reported that it did not do this [item 0]',
				effect: expect.stringMatching(/^(?:not|partly) applied$/),
				status: expect.any(Number),
			});
		},
	);

	test('is not done: Add Files', async () => {
		service().script({ transform, times: Infinity });
		const run = await add(service(), [{ agent: 'support-bot', files: ['o'] }], continuing);
		expect(errorOf(run)).toMatchObject({
			effect: 'not applied',
		});
	});
});
