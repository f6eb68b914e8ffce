import type { INodeParameters } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import { CometChatKnowledgeBase } from '../../../nodes/CometChatKnowledgeBase/CometChatKnowledgeBase.node';
import type { RecordSeed } from '../../service/service';
import { listContext } from '../engine';
import { credentialFor, freshService } from '../fixture';

const { listSearch, loadOptions } = new CometChatKnowledgeBase().methods;
const RECORDS: RecordSeed[] = [
	{ sourceName: 'new.pdf', uniqueId: 'n', status: 'indexing' },
	{ sourceName: 'Hours', uniqueId: 't', type: 'text-details' },
	{ sourceName: 'bad.pdf', uniqueId: 'b', status: 'failed' },
	{ sourceName: 'old.pdf', uniqueId: 'o', status: 'inSync' },
];
const service = freshService({ agents: 130, records: RECORDS });

async function agentsFor(credential = credentialFor(service()), filter?: string, token?: string) {
	const context = await listContext(credential);
	return await listSearch.searchAgents.call(context, filter, token);
}

async function filesFor(
	parameters: INodeParameters = { operation: 'add' },
	credential = credentialFor(service()),
) {
	const context = await listContext(credential, 'pickedFiles', parameters);
	return await loadOptions.getFiles.call(context);
}

describe.each<[string, (credential?: ReturnType<typeof credentialFor>) => Promise<unknown>]>([
	['agents', async (credential) => await agentsFor(credential)],
	['files', async (credential) => await filesFor(undefined, credential)],
])('A list of %s', (_, list) => {
	test('says what is wrong with the key', async () => {
		await expect(list(credentialFor(service(), 'wrong'))).rejects.toMatchObject({
			name: 'NodeApiError',
			message: 'CometChat did not accept the API key',
			description: expect.stringContaining('AUTH_ERR_APIKEY_NOT_FOUND'),
		});
	});

	test('says what is wrong with the credential, and sends nothing', async () => {
		const credential = { region: 'us', appId: '', baseUrl: '', apiKey: 'key' };
		await expect(list(credential)).rejects.toMatchObject({
			name: 'NodeOperationError',
			message: "The credential's 'App ID' is empty",
		});
		expect(service().log).toEqual([]);
	});

	test('that CometChat says it did not give is none', async () => {
		const transform = (body: unknown) => ({ ...Object(body), success: false });
		service().script({ transform, times: Infinity });
		await expect(list()).rejects.toMatchObject({
			message: 'CometChat reported that it did not do this',
		});
	});

	test('that drips is closed after 30 s, with words', async () => {
		service().script({ dripMs: 50 });
		const kinds = () => service().log.map(({ kind }) => kind);
		const tooLate = expect(list()).rejects.toMatchObject({
			message: 'CometChat did not answer in time',
		});
		while (kinds().length === 0) await sleep(1);
		jest.advanceTimersByTime(29_000);
		await sleep(100);
		expect(kinds()).toEqual(['arrived']);
		jest.advanceTimersByTime(1_000);
		await sleep(500);
		expect(kinds()).toEqual(['arrived', 'aborted']);
		await tooLate;
	});
});

describe('The list behind Agent', () => {
	test('is paged to the end: every agent once, by name and ID', async () => {
		const names: string[] = [];
		let token: string | undefined;
		do {
			const page = await agentsFor(undefined, undefined, token);
			names.push(...page.results.map(({ name }) => name));
			token = typeof page.paginationToken === 'string' ? page.paginationToken : undefined;
		} while (token !== undefined);
		const all = service().agents();
		expect(names).toEqual(all.map(({ name, uid }) => `${name} (${uid})`));
		expect(service().log.filter(({ kind }) => kind === 'arrived')).toHaveLength(3);
	});

	test('finds agents by a part of the name, and gives the ID as the value', async () => {
		const { results } = await agentsFor(undefined, 'agent 07');
		const found = service()
			.agents()
			.filter(({ name }) => name.startsWith('Agent 07'));
		expect(results.map(({ value }) => value)).toEqual(found.map(({ uid }) => uid));
		expect(found).toHaveLength(10);
	});

	test('ends where a service names the same next page again and again', async () => {
		const body = JSON.stringify({ data: [{ uid: 'a' }], meta: { next: { createdAt: 5 } } });
		service().script({ times: Infinity, status: 200, body });
		expect((await agentsFor()).paginationToken).toBe('5');
		expect((await agentsFor(undefined, undefined, '5')).paginationToken).toBeUndefined();
	});
});

describe('The list to pick files from', () => {
	test('has names and status, newest first', async () => {
		expect(await filesFor({ resource: 'document', operation: 'getStatus' })).toEqual([
			{ name: 'new.pdf (indexing)', value: 'n', description: 'n' },
			{ name: 'Hours (indexed)', value: 't', description: 't' },
			{ name: 'bad.pdf (failed)', value: 'b', description: 'b' },
			{ name: 'old.pdf (inSync)', value: 'o', description: 'o' },
		]);
	});

	test.each<[INodeParameters, string]>([
		[{ operation: 'add', sourceType: 'uploads' }, 'nbo'],
		[{ operation: 'remove', sourceType: 'text' }, 't'],
		[{ operation: 'add', sourceType: 'knowledge-base' }, 'ntbo'],
		[{ resource: 'document', operation: 'delete', sourceType: 'text' }, 't'],
		[{ resource: 'document', operation: 'delete', sourceType: 'website' }, ''],
	])('has those that the node is set to: %p', async (parameters, ids) => {
		expect((await filesFor(parameters)).map(({ value }) => value).join('')).toBe(ids);
	});

	test('has websites, whose type CometChat does not document, as what is neither of the others', async () => {
		const types = ['website', 'crawled', 'uploads', 'text-details'];
		const data = types.map((type) => ({ uniqueId: type, type }));
		service().script({ body: JSON.stringify({ data, meta: {} }) });
		const found = await filesFor({ operation: 'add', sourceType: 'website' });
		expect(found.map(({ value }) => value)).toEqual(['website', 'crawled']);
	});

	test('that goes round is an error, and not half a list', async () => {
		const meta = { next: { affix: 'append', cursor: '1.1' } };
		const body = JSON.stringify({ data: [{ uniqueId: 'a', type: 'uploads' }], meta });
		service().script({ body, times: Infinity });
		await expect(filesFor()).rejects.toMatchObject({
			message: "CometChat's list does not come to an end",
			description: expect.stringMatching(/./),
		});
	});
});

describe('In a large account', () => {
	const many = freshService({ records: 1200 });

	test('the list to pick files from ends at a thousand', async () => {
		expect(await filesFor(undefined, credentialFor(many()))).toHaveLength(1000);
	});
});
