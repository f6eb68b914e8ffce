import type { INodeParameters } from 'n8n-workflow';

import { CometChatKnowledgeBase } from '../../../nodes/CometChatKnowledgeBase/CometChatKnowledgeBase.node';
import { testCredential } from '../../../nodes/CometChatKnowledgeBase/methods/credentialTest';
import { isRecord } from '../../../nodes/CometChatKnowledgeBase/values/validationIssue';
import type { RecordSeed, Rule } from '../../service/service';
import { credentialTestContext, listContext, polledNode } from '../engine';
import { add, credentialFor, freshService, KEY } from '../fixture';
import type { OperationName } from '../operations';
import { agent, file, runFiles } from '../operations';

const RECORDS: RecordSeed[] = [
	{ sourceName: 'prices.pdf', uniqueId: 'old' },
	{ sourceName: 'Hours', uniqueId: 'text', type: 'text-details' },
	{ sourceName: 'bad.pdf', uniqueId: 'bad', status: 'failed' },
	{ sourceName: 'https://help.example.com', uniqueId: 'site', type: 'website' },
];
const found = { site: [{ urlId: 'page', url: 'https://help.example.com/a' }] };
const service = freshService({ records: RECORDS, found, indexing: { ms: 0 } });

const SIGNED = 'https://s3.example.com/x?X-Amz-Signature=0123456789abcdef';
const SAID = [KEY, `${KEY.slice(0, 5)}…${KEY.slice(-5)}`, btoa(`key=${KEY}`), SIGNED].join(' ');
const SECRETS = [
	KEY,
	KEY.slice(0, 20),
	`${KEY.slice(0, 5)}…`,
	btoa(`key=${KEY}`).slice(4, 24),
	'X-Amz',
];

/** Without these, nothing could be asked for any more; what they may hold is further down. */
const NEEDED = [
	...['uniqueId', 'uploadId', 'uid', 'model', 'presignedUrl', 'urlId', 'processedUrls'],
	...['id', 'parentId', 'category', 'success', 'type', 'cursor'],
];

/** With another nothing that is waited for would come to an end. */
const STATUSES = ['indexing', 'indexed'];

/** The same answer of a service that repeats the key in every text, and in fields of its own. */
function repeated(body: unknown, name = ''): unknown {
	if (typeof body === 'string') {
		return NEEDED.includes(name) || STATUSES.includes(body) ? body : `${body} ${SAID}`;
	}
	if (Array.isArray(body)) return body.map((entry: unknown) => repeated(entry, name));
	if (!isRecord(body)) return body;
	const entries = Object.entries(body).map(([inner, value]) =>
		// What an agent has is named by IDs.
		['files', 'websites', 'meta'].includes(inner)
			? [inner, value]
			: [inner, repeated(value, inner)],
	);
	return { ...Object.fromEntries(entries), note: SAID, [SAID]: [{ deep: SAID }] };
}

function expectHidden(...shown: unknown[]): void {
	const text = JSON.stringify(shown);
	for (const secret of SECRETS) expect(text).not.toContain(secret);
}

const repeating = { times: Infinity, transform: (body: unknown) => repeated(body) };
const files = [{ data: file('prices.pdf', 'The new prices.') }];
const waiting = { addToAgent: true, waitUntilIndexed: true, uid: agent('support-bot') };
const WITHOUT_FILES = ['document.getMany', 'document.getContent', 'knowledgeBase.getMany'];
const isWithoutFiles = (name: string) =>
	/^(agent|text|website)\./.test(name) || WITHOUT_FILES.includes(name);
const OPERATIONS: Array<[string, OperationName, INodeParameters]> = [
	['Upload', 'document.upload', waiting],
	['Upload, without an agent', 'document.upload', {}],
	['Get Many', 'document.getMany', { simple: false }],
	['Get Many, simplified', 'document.getMany', {}],
	['Get Content', 'document.getContent', { document: 'old' }],
	['Get Status', 'document.getStatus', { fileIds: 'old,bad,none' }],
	['Retry Indexing', 'document.retryIndexing', { fileIds: 'bad' }],
	['Delete', 'document.delete', { fileIds: 'old,none' }],
	[
		'Replace File',
		'knowledgeBase.replace',
		{ uid: agent('support-bot'), oldVersionBy: 'id', oldFile: 'old' },
	],
	['Replace File, by name', 'knowledgeBase.replace', { uid: agent('support-bot') }],
	['Sync Files', 'knowledgeBase.sync', { uid: agent('support-bot') }],
	['Get Many of an agent', 'knowledgeBase.getMany', { uid: agent('support-bot') }],
	['Get an agent', 'agent.get', { uid: agent('support-bot'), simple: false }],
	['Get many agents', 'agent.getMany', { simple: false }],
	['Get many agents, simplified', 'agent.getMany', {}],
	[
		'Ask an agent',
		'agent.ask',
		{ uid: agent('support-bot'), question: 'When?', askAs: 'checker', answerMustContain: 'x' },
	],
	['Create an agent', 'agent.create', { name: 'New', simple: false }],
	['Create an agent, simplified', 'agent.create', { name: 'New' }],
	['Update an agent', 'agent.update', { uid: agent('support-bot'), updateFields: { name: 'New' } }],
	['Get an agent, simplified', 'agent.get', { uid: agent('support-bot') }],
	[
		'Update a text',
		'text.update',
		{ ...waiting, textId: agent('text'), updateFields: { text: 'From 9 to 5.' } },
	],
	['Create or update a text', 'text.upsert', { ...waiting, title: 'Hours', text: 'From 9 to 5.' }],
	['Get a text', 'text.get', { textId: agent('text'), simple: false }],
	['Get a text, simplified', 'text.get', { textId: agent('text') }],
	['Get pages', 'website.getPages', { website: agent('site'), simple: false }],
	['Get pages, simplified', 'website.getPages', { website: agent('site') }],
	[
		'Retry pages',
		'website.retryPages',
		{ website: agent('site'), pagesBy: 'ids', pageIds: 'page,none' },
	],
	['Create a text', 'text.create', { ...waiting, title: 'Hours', text: 'From 9 to 5.' }],
];

describe('A service that repeats the key, or an upload address, in everything it says does not bring it into', () => {
	beforeEach(async () => {
		const both = ['support-bot', 'sales-assistant'];
		await add(
			service(),
			both.map((uid) => ({ agent: uid, files: ['old'] })),
		);
	});

	test.each(OPERATIONS)('an execution: %s', async (_, operation, parameters) => {
		service().script(repeating);
		const more = isWithoutFiles(operation) ? {} : { files };
		for (const onError of ['continueRegularOutput', 'stopWorkflow'] as const) {
			const run = await runFiles(service(), operation, { onError, parameters, ...more });
			expect(run.stored).toContain('CometChat');
			expectHidden(run.stored, run.error, String(run.error?.stack), run.hints, run.staticData);
		}
	});

	test.each(['add', 'remove'])('an execution: %s files', async (operation) => {
		for (const status of [200, 400, 404]) {
			service().reset();
			service().script({ ...repeating, status, apply: true });
			const items = [{ agent: 'support-bot', files: ['old', 'bad'] }];
			for (const onError of ['continueRegularOutput', 'stopWorkflow'] as const) {
				const run = await add(service(), items, { onError, parameters: { operation } });
				expectHidden(run.stored, run.error, String(run.error?.stack), run.hints);
			}
		}
	});

	test('the reason why an old version was kept', async () => {
		service().script(repeating);
		const parameters = { uid: agent('support-bot'), oldVersionBy: 'id', oldFile: 'old' };
		const { output } = await runFiles(service(), 'knowledgeBase.replace', { files, parameters });
		expect(output[0]?.json.notDeleted).toMatch(
			/^Other agents have the old version: "Sales Assistant \[API Key\] \[API Key\]/,
		);
		expectHidden(output);
	});

	test('a refusal, whatever its status', async () => {
		for (const status of [302, 400, 401, 403, 404, 413, 429, 500]) {
			service().script({ status, message: SAID, code: KEY, headers: { Location: SIGNED } });
			const run = await runFiles(service(), 'document.getMany', { options: { maxAttempts: 1 } });
			expect(run.status).toBe('error');
			expectHidden(run.stored, run.error, String(run.error?.stack));
		}
	});

	test('the lists to pick from', async () => {
		const methods = new CometChatKnowledgeBase().methods;
		service().script(repeating);
		const of = async (path: string, operation: string) =>
			await listContext(credentialFor(service()), path, { operation, uid: agent('support-bot') });
		const lists = [
			await methods.listSearch.searchAgents.call(await of('uid', 'add')),
			await methods.loadOptions.getFiles.call(await of('pickedFiles', 'add')),
			await methods.loadOptions.getFiles.call(await of('pickedFiles', 'remove')),
			await methods.listSearch.searchTexts.call(await of('textId', 'get')),
			await methods.listSearch.searchUploads.call(await of('oldFile', 'replace')),
			await methods.loadOptions.getModels.call(await of('model', 'create')),
			await methods.listSearch.searchDocuments.call(await of('document', 'getContent')),
			await methods.listSearch.searchWebsites.call(await of('website', 'getContent')),
		];
		expect(JSON.stringify(lists).match(/prices.pdf \[API Key\]/g)).toHaveLength(4);
		expect(JSON.stringify(lists)).toContain('Sales Assistant [API Key]');
		expectHidden(lists);

		service().reset();
		service().script({ status: 400, message: SAID, times: Infinity });
		const refused = methods.listSearch.searchAgents.call(await of('uid', 'add'));
		const error: unknown = await refused.catch((thrown: unknown) => thrown);
		expectHidden(error, String(Object(error).description), String(Object(error).stack));
	});

	test('the credential test', async () => {
		const { helpers } = credentialTestContext();
		for (const rule of [{ ...repeating }, { status: 400, message: SAID }, { body: SAID }]) {
			service().reset();
			service().script(rule);
			expectHidden(await testCredential(credentialFor(service()), helpers));
		}
	});

	test('the events of the trigger, what it remembers, or its errors', async () => {
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
		service().script({ status: 400, message: SAID, times: Infinity });
		const error: unknown = await trigger.poll().catch((thrown: unknown) => thrown);
		expectHidden(error, String(Object(error).description));
	});
});

describe('An ID that holds the key can be neither shown nor asked for: the answer counts as none', () => {
	const unreadable = 'CometChat gave another answer than its documentation shows';
	const id = `doc-${KEY}`;

	test.each<[string, OperationName, INodeParameters, NonNullable<Rule['for']>['operation']]>([
		['of a record', 'document.getMany', {}, 'records'],
		['of an agent', 'knowledgeBase.sync', { uid: agent('support-bot') }, 'list'],
		['of an agent in a list', 'agent.getMany', {}, 'list'],
		['of a new agent', 'agent.create', { name: 'New' }, 'createAgent'],
		['of an agent alone', 'agent.get', { uid: agent('support-bot') }, 'agent'],
		['of an upload', 'document.upload', {}, 'initiate'],
		['of a text that is there', 'text.get', { textId: agent('text') }, 'getText'],
		['of a text', 'text.create', { title: 'Hours', text: 'From 9 to 5.' }, 'createText'],
	])('%s', async (_, name, parameters, operation) => {
		const transform = (body: unknown) =>
			JSON.parse(JSON.stringify(body).replace(/"(uniqueId|uid|uploadId)":"[^"]*"/, `"$1":"${id}"`));
		service().script({ for: { operation }, transform, times: Infinity });
		const more = isWithoutFiles(name) ? {} : { files };
		const run = await runFiles(service(), name, {
			parameters,
			...more,
			onError: 'continueRegularOutput',
		});
		expect(Object(run.output[0]?.json.error).message).toContain(unreadable);
		expectHidden(run.stored);
	});
});
