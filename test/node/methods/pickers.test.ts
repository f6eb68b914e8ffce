import type { INodeListSearchResult, INodeParameters } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import { CometChatKnowledgeBase } from '../../../nodes/CometChatKnowledgeBase/CometChatKnowledgeBase.node';
import type { RecordSeed, Rule } from '../../service/service';
import { listContext } from '../engine';
import { add, credentialFor, freshService } from '../fixture';
import { agent, arrivals } from '../operations';

const { listSearch, loadOptions } = new CometChatKnowledgeBase().methods;
const NAMED = ['support-bot', 'sales-assistant', 'onboarding-guide'];
const AGENTS = [
	...NAMED.map((uid) => ({ uid, name: uid })),
	...Array.from({ length: 127 }, (_, at) => {
		const number = String(at).padStart(3, '0');
		return { uid: `agent-${number}`, name: `Agent ${number}` };
	}),
];
const RECORDS: RecordSeed[] = [
	{ sourceName: 'new.pdf', uniqueId: 'n', status: 'indexing' },
	{ sourceName: 'Hours', uniqueId: 't', type: 'text-details' },
	{ sourceName: 'bad.pdf', uniqueId: 'b', status: 'failed' },
	{ sourceName: 'old.pdf', uniqueId: 'o', status: 'inSync' },
];
const USERS = ['checker', 'Jane'];
const ADDING = { resource: 'knowledgeBase', operation: 'add' };
const service = freshService({ agents: AGENTS, records: RECORDS, answering: { users: USERS } });

/** Returns a function that searches a list, as n8n does for a page of the list. */
const searching =
	(name: keyof typeof listSearch, path: string, parameters: INodeParameters = {}) =>
	async (filter?: string, token?: string, credential = credentialFor(service())) =>
		await listSearch[name].call(await listContext(credential, path, parameters), filter, token);

const agentsFor = searching('searchAgents', 'uid');
const textsFor = searching('searchTexts', 'textId', { resource: 'text', operation: 'get' });
const documentsFor = searching('searchDocuments', 'document', { operation: 'getContent' });
const usersFor = searching('searchUsers', 'askAs', { resource: 'agent', operation: 'ask' });
const websitesFor = searching('searchWebsites', 'website', { resource: 'website' });
const REPLACING = { resource: 'document', operation: 'upload' };
const oldFilesFor = searching('searchUploads', 'options.fileToReplace', REPLACING);

async function filesFor(
	parameters: INodeParameters = ADDING,
	credential = credentialFor(service()),
) {
	const context = await listContext(credential, 'pickedFiles', parameters);
	return await loadOptions.getFiles.call(context);
}

async function modelsFor(credential = credentialFor(service())) {
	return await loadOptions.getModels.call(await listContext(credential, 'model'));
}

/** Returns all pages of a list, as if the user scrolled to its end. */
async function scrolled(list: (token?: string) => Promise<INodeListSearchResult>) {
	const pages: Array<INodeListSearchResult['results']> = [];
	let token: string | undefined;
	do {
		const { results, paginationToken } = await list(token);
		pages.push(results);
		token = typeof paginationToken === 'string' ? paginationToken : undefined;
	} while (token !== undefined);
	return pages;
}

const valuesOf = (pages: Array<INodeListSearchResult['results']>) =>
	pages.flat().map(({ value }) => value);

describe.each<[string, (credential?: ReturnType<typeof credentialFor>) => Promise<unknown>]>([
	['agents', async (credential) => await agentsFor(undefined, undefined, credential)],
	['files', async (credential) => await filesFor(undefined, credential)],
	['texts', async (credential) => await textsFor(undefined, undefined, credential)],
	['old files', async (credential) => await oldFilesFor(undefined, undefined, credential)],
	['models', async (credential) => await modelsFor(credential)],
	['documents', async (credential) => await documentsFor(undefined, undefined, credential)],
	['users', async (credential) => await usersFor(undefined, undefined, credential)],
	['websites', async (credential) => await websitesFor(undefined, undefined, credential)],
])('A list of %s', (_, list) => {
	test('shows the fault of the key', async () => {
		await expect(list(credentialFor(service(), 'wrong'))).rejects.toMatchObject({
			name: 'NodeApiError',
			message: 'CometChat did not accept the API key',
			description: expect.stringContaining('AUTH_ERR_APIKEY_NOT_FOUND'),
		});
	});

	test('shows the fault of the credential, and sends nothing', async () => {
		const credential = { region: 'us', appId: '', baseUrl: '', apiKey: 'key' };
		await expect(list(credential)).rejects.toMatchObject({
			name: 'NodeOperationError',
			message: "The credential's 'App ID' is empty or invalid",
		});
		expect(service().log).toEqual([]);
	});

	test('with `success: false` is no list', async () => {
		const transform = (body: unknown) => ({ ...Object(body), success: false });
		service().script({ transform, times: Infinity });
		await expect(list()).rejects.toMatchObject({
			message: "CometChat reported that it didn't carry out the request",
		});
	});

	test('that drips is closed after 30 s, with a message', async () => {
		service().script({ dripMs: 50 });
		await expect(list()).rejects.toMatchObject({ message: 'CometChat did not answer in time' });
		await sleep(500);
		const [arrived, ended] = service().log;
		expect(ended?.kind).toBe('aborted');
		const openMs = (ended?.atMs ?? 0) - (arrived?.atMs ?? 0);
		expect(openMs).toBeGreaterThan(29_500);
		expect(openMs).toBeLessThan(30_500);
	});
});

describe('The list of Agent', () => {
	test('is paged to the end: every agent once, by name and ID', async () => {
		const found = await scrolled(async (token) => await agentsFor(undefined, token));
		const all = service().agents();
		expect(found.flat().map(({ name }) => name)).toEqual(
			all.map(({ name, uid }) => `${name} (${uid})`),
		);
		expect(service().log.filter(({ kind }) => kind === 'arrived')).toHaveLength(3);
	});

	test('finds agents by a part of the name, with the ID as the value', async () => {
		const { results } = await agentsFor('agent 07');
		const found = service()
			.agents()
			.filter(({ name }) => name.startsWith('Agent 07'));
		expect(results.map(({ value }) => value)).toEqual(found.map(({ uid }) => uid));
		expect(found).toHaveLength(10);
	});

	test('ends if a page is its own next page, and is an error without a next page', async () => {
		const leadingTo = (next: unknown) =>
			service().script({ transform: (body) => ({ ...Object(body), meta: { next } }) });
		leadingTo({ createdAt: 7 });
		expect((await agentsFor(undefined, '7')).paginationToken).toBeUndefined();
		leadingTo('elsewhere');
		await expect(agentsFor()).rejects.toMatchObject({
			message: expect.stringContaining('sent an unexpected answer'),
		});
	});
});

describe('The list of Text Entry', () => {
	test('contains only text entries, with time and status, and the ID as the value', async () => {
		expect((await textsFor()).results).toEqual([
			{ name: 'Hours · 31 Jan 2026, 06:59 GMT-5 · indexed', value: 't' },
		]);
		expect(arrivals(service())).toEqual(['listTexts']);
	});

	test.each(['hOU', 't', 'This is T'])(
		'is searched by title, ID and content: %s',
		async (typed) => {
			expect((await textsFor(typed)).results).toHaveLength(1);
			expect((await textsFor(`${typed}?`)).results).toEqual([]);
		},
	);
});

describe('The list of Website', () => {
	const sites = freshService({
		records: [
			...RECORDS,
			{ sourceName: 'https://help.example.com', uniqueId: 'w', type: 'website', status: 'failed' },
			{ sourceName: 'https://example.com', uniqueId: 'v', type: 'website' },
			...Array.from({ length: 150 }, (_, at) => ({ sourceName: `file-${at}.pdf` })),
			{ sourceName: 'https://old.example.com', uniqueId: 'u', type: 'website' },
		],
	});
	test('contains only websites, by URL, with time and status, to the end of the account', async () => {
		const credential = credentialFor(sites());
		const found = (
			await scrolled(async (token) => await websitesFor(undefined, token, credential))
		).flat();
		expect(found.map(({ value }) => value)).toEqual(['w', 'v', 'u']);
		expect(found[0]?.name).toBe('https://help.example.com · 31 Jan 2026, 06:56 GMT-5 · failed');
	});
});

describe('The list of Document Names or IDs', () => {
	test('has names with the source type of other documents, status, time and ID; newest first', async () => {
		expect(await filesFor({ resource: 'document', operation: 'getStatus' })).toEqual([
			{ name: 'new.pdf', value: 'n', description: 'indexing · 31 Jan 2026, 07:00 GMT-5 · n' },
			{ name: 'Hours', value: 't', description: 'text · indexed · 31 Jan 2026, 06:59 GMT-5 · t' },
			{ name: 'bad.pdf', value: 'b', description: 'failed · 31 Jan 2026, 06:58 GMT-5 · b' },
			{ name: 'old.pdf', value: 'o', description: 'inSync · 31 Jan 2026, 06:57 GMT-5 · o' },
		]);
	});
});

const FROM_BOT = {
	...ADDING,
	operation: 'remove',
	uid: agent('support-bot'),
};

describe('The list of documents to remove or replace', () => {
	const UNKNOWN = "CometChat doesn't report whether the agent uses the document";
	const requests = () => arrivals(service()).map((line) => line.trim());

	beforeEach(async () => {
		await add(service(), [{ agent: 'sales-assistant', files: ['n'] }]);
		await add(service(), [{ agent: 'support-bot', files: ['o', 'b'] }]);
		service().clearLog();
	});

	test("only contains the agent's documents", async () => {
		const found = await filesFor(FROM_BOT);
		expect(found.map(({ value, description }) => [value, description])).toEqual([
			['b', 'failed · 31 Jan 2026, 06:58 GMT-5 · b'],
			['o', 'inSync · 31 Jan 2026, 06:57 GMT-5 · o'],
		]);
		expect(requests()).toEqual(['agent support-bot', 'records']);
	});

	test.each<[string, Rule[]]>([
		[
			'its list names nothing that is there, whatever those of others name',
			[{ for: { operation: 'agent' }, transform: (body) => ({ ...Object(body), files: ['z'] }) }],
		],
		[
			'its list is empty, and that of all agents is not to be had',
			[
				{ for: { operation: 'agent' }, transform: (body) => ({ ...Object(body), files: [] }) },
				{ for: { operation: 'list' }, status: 503 },
			],
		],
		[
			'CometChat asks to wait before it gives the agent',
			[{ for: { operation: 'agent' }, status: 503, retryAfter: '5' }],
		],
	])('is unknown if %s: then it contains all documents, and says so', async (_, rules) => {
		service().script(...rules);
		const found = await filesFor(FROM_BOT);
		expect(found.map(({ value }) => value)).toEqual(['n', 't', 'b', 'o']);
		expect(found[2]?.description).toBe(`failed · 31 Jan 2026, 06:58 GMT-5 · ${UNKNOWN} · b`);
		service().script(...rules);
		const replacing = { ...REPLACING, uid: FROM_BOT.uid };
		const old = await searching('searchUploads', 'options.fileToReplace', replacing)();
		expect(old.results.map(({ value }) => value)).toEqual(['n', 'b', 'o']);
	});

	test('waits at most ten seconds for the agent: then it contains all documents', async () => {
		service().script({ for: { operation: 'agent' }, dripMs: 50 });
		expect(await filesFor(FROM_BOT)).toHaveLength(4);
		const [first, last] = service().log.filter(({ kind }) => kind === 'arrived');
		expect([first?.operation, last?.operation]).toEqual(['agent', 'records']);
		const waitedMs = (last?.atMs ?? 0) - (first?.atMs ?? 0);
		expect([waitedMs > 9500, waitedMs < 10_500]).toEqual([true, true]);
	});

	test.each<[string, INodeParameters]>([
		['no agent is chosen', { uid: { __rl: true, mode: 'list', value: '' } }],
		['an expression is not evaluated in the editor', { uid: agent('={{ $json.agent }}') }],
	])('is unknown if %s, and only the documents are requested', async (_, parameters) => {
		const found = await filesFor({ ...FROM_BOT, ...parameters });
		expect(found.map(({ value }) => value)).toEqual(['n', 't', 'b', 'o']);
		expect(found.every(({ description }) => description?.includes(UNKNOWN))).toBe(true);
		expect(requests()).toEqual(['records']);
	});
});

describe('In a large account', () => {
	const many = freshService({ records: 1200 });

	const idsOf = () =>
		many()
			.records()
			.map(({ uniqueId }) => uniqueId);

	test('each document is found by page or by name, and none is shown twice', async () => {
		const credential = credentialFor(many());
		const all = await scrolled(async (token) => await documentsFor('', token, credential));
		expect(valuesOf(all)).toEqual(idsOf());
		expect(all[0]).toHaveLength(100);
		const named = async (token?: string) => await documentsFor('FILE-1150', token, credential);
		expect(valuesOf(await scrolled(named))).toEqual([idsOf()[1149]]);
		const none = await scrolled(async (token) => await documentsFor('no such', token, credential));
		expect(none).toEqual([[], []]);
	});

	test("the agent's documents are looked for until all are found", async () => {
		const ids = [idsOf()[150] ?? '', idsOf()[3] ?? ''];
		await add(many(), [{ agent: 'support-bot', files: ids }]);
		many().clearLog();
		const found = await filesFor(FROM_BOT, credentialFor(many()));
		expect(found.map(({ value }) => value)).toEqual([ids[1], ids[0]]);
		expect(arrivals(many()).filter((line) => line.startsWith('records'))).toHaveLength(2);
	});
});

describe('The list of models', () => {
	test("contains CometChat's models in its order, without a preselected one", async () => {
		expect((await modelsFor()).slice(0, 2)).toEqual([
			{ name: 'gpt-4o · openai', value: 'gpt-4o' },
			{ name: 'gpt-4o-mini · openai', value: 'gpt-4o-mini' },
		]);
	});

	test.each(['{"data":[]}', '[{"provider":"openai"}]', '["gpt-4o"]'])(
		'%s is none, and said to be none',
		async (body) => {
			service().script({ body });
			await expect(modelsFor()).rejects.toMatchObject({
				message: 'CometChat sent an unexpected answer',
			});
		},
	);
});

describe('The list of Ask as User', () => {
	test("contains the app's users by name and ID, and no agents", async () => {
		const first = await usersFor();
		expect(first).toEqual({ results: [], paginationToken: '2' });
		expect(await usersFor(undefined, '2')).toEqual({
			results: USERS.map((uid) => ({ name: `Name of ${uid} (${uid})`, value: uid })),
		});
	});

	test.each([
		['jan', ['Jane']],
		['support-bot', []],
	])('finds users whose name or ID begins with %s: %j', async (typed, uids) => {
		const { results, paginationToken } = await usersFor(typed);
		expect(results.map(({ value }) => value)).toEqual(uids);
		expect(paginationToken).toBeUndefined();
	});
});
