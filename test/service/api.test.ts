import axios from 'axios';
import { sleep } from 'n8n-workflow';

import { RateLimiter } from './rateLimit';
import type { Agent, AgentPage, Rule, Service, ServiceOptions } from './service';
import { startService } from './service';

const KEYS = { apiKey: 'k'.repeat(40), authKey: 'a'.repeat(40) };
interface Call {
	data?: unknown;
	apikey?: string | null;
	timeout?: number;
}
const AGENTS = '/ai-agents/agent-builder/agents';
const ADD = `${AGENTS}/support-bot/knowledge-base/uploads/add`;
const ACCEPTED = { status: 200, data: { success: true } };

let service: Service;
afterEach(() => service.stop());

async function start(options: Partial<ServiceOptions> = {}): Promise<void> {
	service = await startService({ ...KEYS, ...options });
}

function call<T>(method: string, path: string, { data, apikey = KEYS.apiKey, timeout }: Call = {}) {
	const url = `${service.baseUrl}${path}`;
	const headers = { 'Content-Type': 'application/json', apikey };
	const plain = { validateStatus: null, maxRedirects: 0 };
	return axios.request<T>({ method, url, data, headers, timeout, ...plain });
}

function change(operation: 'add' | 'remove', uniqueIds: string[], uid = 'support-bot') {
	const data = { uniqueIds };
	return call('PATCH', `${AGENTS}/${uid}/knowledge-base/uploads/${operation}`, { data });
}

const held = () => service.files('support-bot', 'uploads');
const ends = () => service.log.filter(({ kind }) => kind !== 'arrived');

describe('well behaved, the stand-in', () => {
	it('logs the path as it came and acts on the decoded one', async () => {
		await start({ unknownAgents: 'create' });
		for (const uid of ['a%20b', '..%2Fx']) await change('add', ['1'], uid);
		expect(service.requests().map(({ path }) => path)).toEqual([
			`/v3${AGENTS}/a%20b/knowledge-base/uploads/add`,
			`/v3${AGENTS}/..%2Fx/knowledge-base/uploads/add`,
		]);
		expect(service.requests().map(({ uid }) => uid)).toEqual(['a b', '../x']);
		expect(service.files('a b', 'uploads')).toEqual(['1']);
		expect(service.files('../x', 'uploads')).toEqual(['1']);
	});
});

describe('the list of agents', () => {
	const page = async (query: string) => {
		const { data } = await call<AgentPage>('GET', `${AGENTS}?${query}`);
		return { uids: data.data.map(({ uid }) => uid), meta: data.meta };
	};

	it('can name the next page in another way', async () => {
		await start({ agents: 30, agentsNext: 'cursor' });
		const { data } = await call<AgentPage>('GET', AGENTS);
		const cursor = data.data.at(-1)?.createdAt;
		expect(data.meta.next).toEqual({ affix: 'append', cursor });
	});

	it('has a way back', async () => {
		await start({ agents: 30 });
		const first = await page('limit=10');
		const second = await page(`limit=10&affix=append&createdAt=${first.meta.next?.createdAt}`);
		const before = second.meta.previous?.createdAt;
		expect(first.meta.previous).toBeUndefined();
		expect((await page(`limit=10&affix=prepend&createdAt=${before}`)).uids).toEqual(first.uids);
	});

	it.each([
		['search=SALES', ['sales-assistant']],
		['search=about%20orders', ['support-bot']],
		['search=-guide', ['onboarding-guide']],
		['search=nobody', []],
		['search=', ['support-bot', 'sales-assistant', 'onboarding-guide']],
	])('for %s holds %j', async (query, uids) => {
		await start();
		expect(await page(query)).toMatchObject({ uids, meta: { current: { limit: 10 } } });
	});
});

describe('an agent, in the list and alone,', () => {
	const UID = 'support-bot';
	const attach = async (sourceType: string, uniqueIds: string[]) => {
		const path = `${AGENTS}/${UID}/knowledge-base/${sourceType}/add`;
		await call('PATCH', path, { data: { uniqueIds } });
	};
	const shown = async () => {
		const { data: alone } = await call<Agent>('GET', `${AGENTS}/${UID}`);
		const { data: page } = await call<AgentPage>('GET', AGENTS);
		expect(page.data.filter(({ uid }) => uid === UID)).toEqual([alone]);
		const { uid, files, websites } = alone;
		return { uid, files, websites };
	};

	const OBJECTS = ['b', 'a', 'c'].map((uniqueId) => ({ uniqueId }));
	it.each<[ServiceOptions['agentLists'], unknown, unknown]>([
		['uniqueIds', ['b', 'a', 'c'], ['w']],
		['null', null, null],
		['missing', undefined, undefined],
		['objects', OBJECTS, [{ uniqueId: 'w' }]],
		['websitesNull', ['b', 'a', 'c'], null],
		['otherIds', ['source-b', 'source-a', 'source-c'], ['source-w']],
		['empty', [], []],
		['stale', [], []],
	])('shows what is attached to it as %s', async (agentLists, files, websites) => {
		await start({ agentLists, staleMs: 60_000 });
		await attach('uploads', ['b', 'a']);
		await attach('website', ['w']);
		await attach('text', ['c', 'a']);
		expect(await shown()).toEqual({ uid: UID, files, websites });
	});

	it('shows one agent in another way than the others', async () => {
		await start({ agentListsOf: { 'sales-assistant': 'null' } });
		const { data } = await call<AgentPage>('GET', AGENTS);
		expect(data.data.map(({ files }) => files)).toEqual([[], null, []]);
	});

	it('may be there alone, and not in the list', async () => {
		await start({ hiddenAgents: [UID] });
		const { data: page } = await call<AgentPage>('GET', AGENTS);
		expect(page.data.map(({ uid }) => uid)).toEqual(['sales-assistant', 'onboarding-guide']);
		expect(await call('GET', `${AGENTS}/${UID}`)).toMatchObject({ status: 200 });
	});

	it('is behind in the list, and not alone, as long as it is told', async () => {
		const lagsMs = { agents: 60_000 };
		await start({ lagsMs });
		await attach('uploads', ['a']);
		const listed = async () => {
			const { data: page } = await call<AgentPage>('GET', AGENTS);
			return page.data.find(({ uid }) => uid === UID)?.files;
		};
		expect(await listed()).toEqual([]);
		expect(await call('GET', `${AGENTS}/${UID}`)).toMatchObject({ data: { files: ['a'] } });
		lagsMs.agents = 0;
		expect(await listed()).toEqual(['a']);
	});

	it('shows what was attached a while ago, and in time what is', async () => {
		await start({ agentLists: 'stale', staleMs: 200 });
		await attach('uploads', ['a']);
		await sleep(300);
		await attach('uploads', ['b']);
		expect(await shown()).toMatchObject({ files: ['a'] });
		await sleep(300);
		expect(await shown()).toMatchObject({ files: ['a', 'b'] });
	});
});

describe('the stand-in refuses', () => {
	const GOOD = { uniqueIds: ['1'] };
	it.each([
		['no key', 401, 'AUTH_ERR_EMPTY_APIKEY', null],
		['an unknown key', 401, 'AUTH_ERR_APIKEY_NOT_FOUND', '1111122222333334444411111'],
		['the Auth Key', 403, 'AUTH_ERR_NO_ACCESS', KEYS.authKey],
	])('%s with %i %s, the key masked', async (_, status, code, apikey) => {
		await start({ envelope: 'agentService' });
		const reply = await call('PATCH', ADD, { data: GOOD, apikey });
		expect(reply).toMatchObject({ status, data: { error: { code, source: 'chat-api' } } });
		expect(JSON.stringify(reply.data)).not.toContain(String(apikey));
		expect(held()).toEqual([]);
	});

	it.each([
		['a body without uniqueIds', ADD, {}],
		['an ID that is no string', ADD, { uniqueIds: ['1', 2] }],
		['a property of no meaning', ADD, { ...GOOD, force: true }],
		['a body that is a list', ADD, ['1']],
		['broken JSON', ADD, '{"uniqueIds":['],
		['a path that cannot be decoded', ADD.replace('support-bot', '%ZZ'), GOOD],
	])('%s with 400', async (_, path, data) => {
		await start();
		const refused = { statusCode: 400, message: expect.any(String), error: 'Bad Request' };
		const reply = await call('PATCH', path, { data });
		expect(reply).toMatchObject({ status: 400, data: refused });
		expect(held()).toEqual([]);
	});

	it.each(['limit=0', 'limit=101', 'affix=next', 'createdAt=now', 'page=2'])(
		'a list by %s with 400',
		async (query) => {
			await start();
			expect(await call('GET', `${AGENTS}?${query}`)).toMatchObject({ status: 400 });
		},
	);

	it.each([
		['gateway' as const, { error: { code: 'ERR_AGENT_NOT_FOUND' } }],
		['agentService' as const, { statusCode: 404, error: 'Not Found' }],
	])('an unknown agent in the envelope of the %s', async (envelope, data) => {
		await start({ envelope });
		expect(await change('add', ['1'], 'nobody')).toMatchObject({ status: 404, data });
		expect(await call('GET', `${AGENTS}/nobody`)).toMatchObject({ status: 404, data });
	});

	it.each(['/users', `${AGENTS}/`, `${AGENTS}/support-bot/`])(
		'the path %s with 404',
		async (path) => {
			await start();
			const data = { error: { code: 'ERR_API_NOT_FOUND' } };
			expect(await call('GET', path)).toMatchObject({ status: 404, data });
		},
	);

	it.each([
		['seconds' as const, '60'],
		['date' as const, expect.stringMatching(/ GMT$/)],
		['none' as const, undefined],
	])('what is over the rate limit, Retry-After as %s', async (header, retryAfter) => {
		await start({ rateLimit: { requests: 1, windowMs: 60_000, header } });
		service.script({ for: { containsId: '2' }, status: 500 });
		await change('add', ['1']);
		const { status, data, headers } = await change('add', ['2']);
		expect(status).toBe(429);
		expect(data).toMatchObject({ error: { code: 'ERR_TOO_MANY_REQUESTS' } });
		expect(headers['retry-after']).toEqual(retryAfter);
		expect(headers['x-ratelimit-remaining']).toBe('0');
		expect(ends().map(({ limited, applied }) => [limited, applied])).toEqual([
			[false, true],
			[true, false],
		]);
	});
});

it('The rate limit opens anew when its window has ended, and says when that is', () => {
	const limiter = new RateLimiter({ requests: 2, windowMs: 1500 });
	const waits = [0, 100, 400, 600, 1499, 1500, 1600, 1700].map(
		(atMs) => limiter.take(10_000 + atMs)?.headers?.['Retry-After'],
	);
	expect(waits).toEqual([undefined, undefined, '2', '1', '1', undefined, undefined, '2']);
});

describe('told to misbehave, the stand-in', () => {
	it.each<[string, Rule, object, boolean]>([
		[
			'a no that holds the yes',
			{ status: 500, apply: true, transform: (body) => ({ error: { details: body } }) },
			{ status: 500, data: { error: { details: ACCEPTED.data } } },
			true,
		],
		['yes, without doing it', { apply: false }, ACCEPTED, false],
	])('answers with %s', async (_, rule, reply, applied) => {
		await start();
		service.script(rule);
		expect(await change('add', ['1'])).toMatchObject(reply);
		expect(held()).toEqual(applied ? ['1'] : []);
		expect(ends()).toMatchObject([{ kind: 'answered', applied }]);
		expect(await change('add', ['1'])).toMatchObject(ACCEPTED);
	});

	it('has made the change at once, if told so, though the client does not wait', async () => {
		await start();
		service.script({ latencyMs: 60_000, apply: true });
		const reply = call('PATCH', ADD, { data: { uniqueIds: ['1'] }, timeout: 200 });
		await expect(reply).rejects.toMatchObject({ code: 'ECONNABORTED' });
		expect(held()).toEqual(['1']);
	});

	it('refuses in the envelope of the service, but 429 in that of the gateway', async () => {
		await start({ envelope: 'agentService' });
		service.script({ status: 409 }, { status: 429 });
		expect(await change('add', ['1'])).toMatchObject({ data: { error: 'Conflict' } });
		const data = { error: { code: 'ERR_TOO_MANY_REQUESTS' } };
		expect(await change('add', ['1'])).toMatchObject({ data });
	});

	it('takes the first rule that fits, as often as it says', async () => {
		await start();
		service.script({ for: { operation: 'remove' }, status: 501 });
		service.script({ for: { uid: 'support-bot', containsId: '2' }, status: 502, times: 2 });
		service.script({ for: { containsId: '2' }, status: 503 });
		const statuses: number[] = [];
		for (const id of ['1', '2', '2', '2', '2']) statuses.push((await change('add', [id])).status);
		expect(statuses).toEqual([200, 502, 502, 503, 200]);
		expect((await change('remove', ['1'])).status).toBe(501);
	});
});

it('Stopping the stand-in cuts every answer that is still due', async () => {
	await start({ latencyMs: 60_000 });
	const reply = expect(change('add', ['1'])).rejects.toMatchObject({ code: 'ECONNRESET' });
	while (service.requests().length === 0) await sleep(1);
	await service.stop();
	await reply;
	expect(ends()).toMatchObject([{ kind: 'dropped', applied: false }]);
});
