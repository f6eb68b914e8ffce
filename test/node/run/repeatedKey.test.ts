import type { INodeParameters } from 'n8n-workflow';

import { CometChatKnowledgeBase } from '../../../nodes/CometChatKnowledgeBase/CometChatKnowledgeBase.node';
import type { RecordSeed, Rule } from '../../service/service';
import { listContext, polledNode, testCredential } from '../engine';
import { add, credentialFor, freshService, KEY } from '../fixture';
import type { OperationName } from '../operations';
import { agent, file, runFiles } from '../operations';
import { expectHidden, repeating, SAID, SAID_IN_ERRORS } from './repeatingService';

const RECORDS: RecordSeed[] = [
	{ sourceName: 'prices.pdf', uniqueId: 'old' },
	{ sourceName: 'Hours', uniqueId: 'text', type: 'text-details' },
	{ sourceName: 'bad.pdf', uniqueId: 'bad', status: 'failed' },
	{ sourceName: 'https://help.example.com', uniqueId: 'site', type: 'website' },
];
const found = { site: [{ urlId: 'page', url: 'https://help.example.com/a' }] };
const service = freshService({ records: RECORDS, found, indexing: { ms: 0 } });

const lists = async () => {
	const methods = new CometChatKnowledgeBase().methods;
	const of = async (path: string, operation: string) =>
		await listContext(credentialFor(service()), path, { operation, uid: agent('support-bot') });
	return [
		await methods.listSearch.searchAgents.call(await of('uid', 'add')),
		await methods.loadOptions.getFiles.call(await of('pickedFiles', 'add')),
		await methods.loadOptions.getFiles.call(await of('pickedFiles', 'remove')),
		await methods.listSearch.searchTexts.call(await of('textId', 'get')),
		await methods.listSearch.searchUploads.call(await of('options.fileToReplace', 'upload')),
		await methods.loadOptions.getModels.call(await of('model', 'create')),
		await methods.listSearch.searchDocuments.call(await of('document', 'getContent')),
		await methods.listSearch.searchWebsites.call(await of('website', 'getContent')),
	];
};

describe('A service that repeats the API key in everything, and a signed link in its errors, does not show them in', () => {
	test('the lists of the editor', async () => {
		await add(service(), [{ agent: 'support-bot', files: ['old'] }]);
		service().script(repeating);
		const shown = await lists();
		expect(JSON.stringify(shown).match(/prices.pdf \[API Key\]/g)).toHaveLength(4);
		expectHidden(shown);
		service().reset();
		service().script({ status: 400, message: SAID_IN_ERRORS, times: Infinity });
		const error: unknown = await lists().catch((thrown: unknown) => thrown);
		expectHidden(error, String(Object(error).description), String(Object(error).stack));
	});

	test('the credential test', async () => {
		for (const rule of [
			{ ...repeating },
			{ status: 400, message: SAID_IN_ERRORS },
			{ body: SAID },
		]) {
			service().reset();
			service().script(rule);
			expectHidden(await testCredential(credentialFor(service())));
		}
	});

	test('the events of the trigger, its state, or its errors', async () => {
		const events = ['documentAdded', 'indexingFailed', 'indexingFinished'];
		const trigger = await polledNode(credentialFor(service()), { events });
		service().script(repeating);
		await trigger.poll();
		service().scriptIndexing({ ms: 60_000, for: { fileName: 'Slow' } });
		for (const title of ['Slow', 'Fast']) {
			await runFiles(service(), 'text.create', { parameters: { title, text: 'Some text.' } });
		}
		const found = await trigger.poll();
		expect(JSON.stringify(found)).toContain('Fast [API Key]');
		expectHidden(found, trigger.stored(), trigger.warnings, await trigger.fetchTestEvent());

		service().reset();
		service().script({ status: 400, message: SAID_IN_ERRORS, times: Infinity });
		const error: unknown = await trigger.poll().catch((thrown: unknown) => thrown);
		expectHidden(error, String(Object(error).description));
	});
});

const files = [{ data: file('prices.pdf', 'The new prices.') }];
const BRINGING = ['document.upload', 'knowledgeBase.sync'];

describe('An ID that contains the key can be neither shown nor requested: the response is invalid', () => {
	const unreadable = 'CometChat sent an unexpected answer';
	const id = `doc-${KEY}`;

	test.each<[string, OperationName, INodeParameters, NonNullable<Rule['for']>['operation']]>([
		['of a record', 'document.getMany', {}, 'records'],
		['of an agent', 'agent.getMany', {}, 'list'],
		['of an agent alone', 'agent.get', { uid: agent('support-bot') }, 'agent'],
		['of an upload', 'document.upload', {}, 'initiate'],
		['of a text', 'text.create', { title: 'New', text: 'From 9 to 5.' }, 'createText'],
	])('%s', async (_, name, parameters, operation) => {
		const transform = (body: unknown) =>
			JSON.parse(JSON.stringify(body).replace(/"(uniqueId|uid|uploadId)":"[^"]*"/, `"$1":"${id}"`));
		service().script({ for: { operation }, transform, times: Infinity });
		const run = await runFiles(service(), name, {
			parameters,
			files: BRINGING.includes(name) ? files : undefined,
			onError: 'continueRegularOutput',
		});
		expect(Object(run.output[0]?.json.error).message).toContain(unreadable);
		expectHidden(run.stored);
	});
});
