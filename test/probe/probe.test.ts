import axios from 'axios';

import type { Reply } from '../../nodes/CometChatKnowledgeBase/reply';
import type { Rule, Service, ServiceOptions } from '../service/service';
import { startService } from '../service/service';
import { MOST_REQUESTS } from './asking';
import type { HttpRequest } from './client';
import { throughAxios } from './client';
import type { Front, Ways } from './front';
import { SPARE_UID, startFront } from './front';
import { NO_KEY, readGiven } from './given';
import type { Report } from './probe';
import { runProbe } from './probe';
import { redactor } from './redaction';
import { exitCodeOf, notRunLines, summaryLines } from './report';
import { Undo } from './undo';

const KEY = '0123456789abcdef'.repeat(3).slice(0, 40);
const HOST = 'https://app1.api-us.cometchat.io';
const FILE = '550e8400-e29b-41d4-a716-446655440000';
const OTHER_FILE = '550e8400-e29b-41d4-a716-446655440001';
const ALL_TYPES = ['uploads', 'text', 'website', 'knowledge-base'];

let service: Service;
let front: Front;
/** By their options: a start takes longer than a whole probe. */
const services = new Map<string, Service>();
afterEach(async () => await front?.stop());
afterAll(async () => {
	for (const started of services.values()) await started.stop();
});

interface Circumstances extends Ways {
	service?: Partial<ServiceOptions>;
	/** Attached to support-bot before. */
	attached?: string[];
	rules?: Rule[];
	environment?: Record<string, string>;
	agentMayChange?: boolean;
	/** The person presses Ctrl-C while this request is under way, counted from 1. */
	interruptedAt?: number;
	/** This request is lost by an error of the probe's own. */
	breaksAt?: number;
	/** The answer to this request is lost; the service has done it. */
	losesAt?: number;
	/** What a made-up account meets. */
	stranger?: Reply;
	timeoutMs?: number;
}

interface Seen {
	report: Report;
	printed: string[];
	pausesMs: number[];
	sent: HttpRequest[];
	word: (question: number) => string | undefined;
	why: (question: number) => string | undefined;
}

const NO_HOST: Reply = { kind: 'silence', code: 'ENOTFOUND', text: 'getaddrinfo ENOTFOUND' };

const LOST: Reply = { kind: 'silence', code: 'ECONNRESET', text: 'socket hang up' };

async function serviceWith(options: Partial<ServiceOptions>): Promise<Service> {
	const agents = [
		{ uid: 'support-bot', name: 'Support Bot' },
		{ uid: SPARE_UID, name: 'Spare' },
	];
	const key = JSON.stringify(options);
	const started =
		services.get(key) ??
		(await startService({ apiKey: KEY, authKey: 'f'.repeat(40), agents, ...options }));
	services.set(key, started);
	started.reset();
	return started;
}

async function probe(circumstances: Circumstances = {}): Promise<Seen> {
	const { environment, rules = [], attached = [], agentMayChange = false } = circumstances;
	service = await serviceWith({ envelope: circumstances.envelope, ...circumstances.service });
	front = await startFront(service, KEY, circumstances);
	const through = throughAxios(axios);
	if (attached.length > 0) await hold(attached);
	service.clearLog();
	service.script(...rules);

	const given = readGiven(
		{
			COMETCHAT_APP_ID: 'app1',
			COMETCHAT_REGION: 'us',
			COMETCHAT_API_KEY: KEY,
			COMETCHAT_FILE_IDS: FILE,
			...environment,
		},
		agentMayChange,
	);
	if (given === NO_KEY || !('account' in given)) throw new Error('The environment is unusable');
	const [printed, sent, pausesMs]: [string[], HttpRequest[], number[]] = [[], [], []];
	const startedAtMs = Date.now();
	let ids = 0;
	const report = await runProbe(
		given,
		{
			send: async (request, timeoutMs) => {
				sent.push(request);
				if (sent.length === circumstances.breaksAt) throw new Error('a step failed');
				const isLost = sent.length === circumstances.losesAt;
				if (!request.url.startsWith(HOST)) return circumstances.stranger ?? NO_HOST;
				const url = request.url.replace(`${HOST}/v3`, front.baseUrl);
				const reply = await through({ ...request, url }, timeoutMs);
				return isLost ? LOST : reply;
			},
			pause: async (waitMs) => {
				pausesMs.push(waitMs);
			},
			nowMs: () => startedAtMs + pausesMs.reduce((sum, waitMs) => sum + waitMs, 0),
			newId: () => `00000000-0000-4000-8000-${String((ids += 1)).padStart(12, '0')}`,
			print: (line) => printed.push(line),
			isInterrupted: () => sent.length >= (circumstances.interruptedAt ?? Infinity),
			timeoutMs: circumstances.timeoutMs ?? 5000,
		},
		new Undo(),
	);
	printed.push(...summaryLines(report));
	const found = (number: number) => report.findings.find(({ question }) => question === number);
	return {
		report,
		printed,
		pausesMs,
		sent,
		word: (number) => found(number)?.word,
		why: (number) => found(number)?.why,
	};
}

async function hold(ids: string[]): Promise<void> {
	const url = `${service.baseUrl}/ai-agents/agent-builder/agents/support-bot/knowledge-base/uploads/add`;
	await axios.patch(url, { uniqueIds: ids }, { headers: { apikey: KEY } });
}

/** The service as the documents lead one to expect it, strict where they are silent. */
const STRICT: Ways = { files: [FILE, OTHER_FILE], sourceTypes: ALL_TYPES };

const filesOf = (uid: string) => ALL_TYPES.map((type) => service.files(uid, type));

describe('each way in which the service might turn out has its verdict', () => {
	test('strict, gateway envelope: every choice holds', async () => {
		const headers = { 'X-Rate-Limit': '500', 'X-Rate-Limit-Remaining': '480' };
		const { report } = await probe({ ...STRICT, headers });
		expect(report.findings.map(({ question, word }) => [question, word])).toEqual(
			Array.from({ length: 10 }, (_, index) => [index + 1, 'holds']),
		);
		expect(exitCodeOf(report)).toBe(0);
	});

	type Row = [string, number, Circumstances, string, string];
	test.each<Row>([
		[
			'a type is refused',
			1,
			{ ...STRICT, sourceTypes: ['uploads', 'text'] },
			'does not hold',
			'refuses website like a made-up type',
		],
		['any type is taken', 1, {}, 'could not tell', 'a made-up type like every other (200)'],
		[
			'IDs are 24-hex',
			2,
			{ files: ['60f7b3b3b3b3b3b3b3b3b3b3'] },
			'holds',
			'24-hex (1); types: uploads (1); 0 of 1 named files',
		],
		[
			'agent service envelope',
			3,
			{ ...STRICT, envelope: 'agentService' },
			'holds',
			'unknown agent: 404 in the agent service envelope',
		],
		['unknown files are taken', 3, {}, 'does not hold', 'unknown file: 200 is success'],
		[
			'unknown agents are made',
			3,
			{ ...STRICT, service: { unknownAgents: 'create' } },
			'does not hold',
			'unknown agent: 200 is success',
		],
		[
			'an unknown agent breaks it',
			3,
			{ ...STRICT, rules: [{ for: { uid: '00000000-0000-4000-8000-000000000003' }, status: 500 }] },
			'does not hold',
			'unknown agent: 500 ERR_EXCEPTION is repeated',
		],
		[
			'an unknown agent is blamed on the key',
			3,
			{ ...STRICT, rules: [{ for: { uid: '00000000-0000-4000-8000-000000000003' }, status: 401 }] },
			'does not hold',
			'reads as "CometChat did not accept the API key"',
		],
		[
			'an envelope of its own',
			3,
			{
				...STRICT,
				rules: [
					{
						for: { uid: '00000000-0000-4000-8000-000000000003' },
						status: 404,
						body: '{"fault":"x"}',
					},
				],
			},
			'does not hold',
			'in no known envelope',
		],
		[
			'repetition is refused',
			4,
			{ ...STRICT, refusesRepetition: true },
			'does not hold',
			'a repeated add: 409 ERR_CONFLICT',
		],
		[
			'a list is attached in part',
			4,
			{ ...STRICT, attachesInPart: true },
			'does not hold',
			'yet the known file is attached',
		],
		[
			'an agent shows no files',
			4,
			{ ...STRICT, shows: 'nothing' },
			'could not tell',
			'does not show whether',
		],
		['an agent shows records', 4, { ...STRICT, shows: 'records' }, 'holds', 'none of it applied'],
		[
			'no file is named',
			4,
			{ ...STRICT, environment: { COMETCHAT_FILE_IDS: '' } },
			'could not tell',
			'COMETCHAT_FILE_IDS',
		],
		[
			'any ID is taken and no file named',
			4,
			{ environment: { COMETCHAT_FILE_IDS: '' } },
			'holds',
			'a repeated add: 200, success',
		],
		[
			'the named file is unknown',
			4,
			{ ...STRICT, environment: { COMETCHAT_FILE_IDS: 'gone' } },
			'could not tell',
			"the file can't be attached (404 ERR_KB_NOT_FOUND)",
		],
		['case does not matter', 5, { ...STRICT, uidsInAnyCase: true }, 'holds', 'no difference'],
		['case matters', 5, STRICT, 'holds', 'case matters (404 ERR_AGENT_NOT_FOUND'],
		['pages of 100 are refused', 6, { mostAgents: 99 }, 'holds', 'limit 100 is refused'],
		['pages of 50 are refused', 6, { mostAgents: 49 }, 'does not hold', 'limit 50 is refused'],
		[
			'one agent only',
			6,
			{ service: { agents: [{ uid: SPARE_UID, name: 'Spare' }] } },
			'could not tell',
			'paging needs two agents',
		],
		['no headers', 7, {}, 'could not tell', 'none on'],
		[
			'headers of a third spelling',
			7,
			{ headers: { 'RateLimit-Reset': '30' } },
			'does not hold',
			'ratelimit-reset',
		],
		['a made-up app has no host', 8, {}, 'holds', 'no answer (ENOTFOUND)'],
		[
			'a made-up app is refused',
			8,
			{
				stranger: {
					kind: 'answer',
					status: 404,
					headers: {},
					body: { error: { code: 'AUTH_ERR_INVALID_APPID', message: 'x' } },
				},
			},
			'holds',
			'does not know this app',
		],
		[
			'a made-up app meets a broken gateway',
			8,
			{ stranger: { kind: 'answer', status: 502, headers: {}, body: '' } },
			'does not hold',
			'in vain',
		],
		[
			'success is false',
			9,
			{
				rules: [
					{ for: { operation: 'add' }, times: Infinity, body: '{"success":false}' },
					{ for: { operation: 'remove' }, times: Infinity, body: '{"success":false}' },
				],
			},
			'could not tell',
			'never true',
		],
		[
			'success is a text',
			9,
			{ rules: [{ for: { operation: 'add' }, times: Infinity, body: '{"success":"true"}' }] },
			'does not hold',
			'success is a string',
		],
		[
			'201',
			9,
			{
				rules: [
					{ for: { operation: 'add' }, times: Infinity, status: 201, body: '{"success":true}' },
				],
			},
			'holds',
			'status 201, 200',
		],
		[
			'start and end are needed',
			10,
			{ ...STRICT, needsStartAndEnd: true },
			'holds',
			'are needed (400',
		],
	])('%s', async (_, question, circumstances, word, why) => {
		const seen = await probe(circumstances);
		expect(`${seen.word(question)}: ${seen.why(question)}`).toContain(`${word}: `);
		expect(seen.why(question)).toContain(why);
		expect(seen.report.left).toEqual([]);
		expect(front.madeAgents()).toEqual([]);
	});

	test('a repeated add that a script refuses', async () => {
		const rules = [
			{ for: { operation: 'add' as const, containsId: FILE } },
			{ for: { operation: 'add' as const, containsId: FILE }, status: 409, code: 'ERR_CONFLICT' },
		];
		const { word } = await probe({ ...STRICT, rules });
		expect(word(4)).toBe('does not hold');
	});

	test('a refused key ends it after one request', async () => {
		const { report } = await probe({ environment: { COMETCHAT_API_KEY: 'e'.repeat(40) } });
		expect(report).toMatchObject({ requests: 1, left: [] });
		expect(report.halted).toContain('did not accept the API key (401 AUTH_ERR_APIKEY_NOT_FOUND)');
		expect(exitCodeOf(report)).toBe(1);
	});
});

describe('leaves nothing changed, also when a step fails', () => {
	const NAMED = { COMETCHAT_AGENT_UID: 'support-bot' };

	/** The lists come first: nothing can be changed by then. */
	const BEFORE_ANY_CHANGE = 5;

	/** @returns What the probe says is left, having checked that nothing is. */
	const expectUnchanged = async (circumstances: Circumstances): Promise<Report> => {
		const { report } = await probe(circumstances);
		expect(front.madeAgents()).toEqual([]);
		expect(service.files('support-bot', 'uploads').sort()).toEqual(circumstances.attached ?? []);
		expect(filesOf('support-bot').slice(1)).toEqual([[], [], []]);
		expect(filesOf(SPARE_UID).flat()).not.toContain(FILE);
		await front.stop();
		return report;
	};

	test.each<[string, Circumstances]>([
		['an agent of its own', STRICT],
		['a named agent that had the file', { attached: [FILE, OTHER_FILE], environment: NAMED }],
		['a named agent that did not', { attached: [OTHER_FILE], environment: NAMED }],
	])(
		'%s: whichever request is the last before Ctrl-C, is lost, or breaks',
		async (_, more) => {
			const circumstances = { ...STRICT, ...more };
			const whole = await expectUnchanged(circumstances);
			expect(whole.left).toEqual([]);
			const asking = whole.requests - 1;
			for (let request = BEFORE_ANY_CHANGE; request <= asking; request++) {
				const stopped = await expectUnchanged({ ...circumstances, interruptedAt: request });
				expect(stopped.left).toEqual([]);
				expect(stopped.requests).toBeLessThanOrEqual(request + 5);
				await expectUnchanged({ ...circumstances, breaksAt: request });
				const lost = await expectUnchanged({ ...circumstances, losesAt: request });
				expect(lost.left).toEqual([]);
			}
		},
		60_000,
	);

	test('a delete that fails is repeated', async () => {
		const { left } = await expectUnchanged({ ...STRICT, failingDeletes: 2 });
		expect(left).toEqual([]);
	});

	test('an agent whose making was not answered is found by its name and deleted', async () => {
		const { left } = await expectUnchanged({ ...STRICT, losesNewAgents: true });
		expect(left).toEqual([]);
	});

	test('an agent that can not be deleted is named', async () => {
		const { report, printed } = await probe({ ...STRICT, failingDeletes: Infinity });
		expect(report.left).toEqual([
			`The agent "${front.madeAgents()[0]}" (${SPARE_UID}) is still there: delete it in the dashboard.`,
		]);
		expect(printed.join('\n')).toContain(`  ${report.left[0]}`);
		expect(exitCodeOf(report)).toBe(2);
		expect(service.files(SPARE_UID, 'uploads')).toEqual([]);
	});

	test('a file that can not be put back is named', async () => {
		const rules = [
			{ for: { operation: 'add' as const }, times: 2 },
			{ for: { operation: 'add' as const }, status: 400, times: Infinity },
		];
		const attached = [FILE, OTHER_FILE];
		const interruptedAt = 11; // by then it has been removed
		const { report } = await probe({
			...STRICT,
			attached,
			environment: NAMED,
			interruptedAt,
			rules,
		});
		expect(service.files('support-bot', 'uploads')).toEqual([OTHER_FILE]);
		expect(report.left).toEqual([
			`File ${FILE} (uploads) at agent support-bot was attached and is not any more: add it again.`,
		]);
	});

	const touched = () => service.requests().filter(({ uid }) => uid === 'support-bot');

	test('a named agent gets no other files than those that were named', async () => {
		await probe({ ...STRICT, attached: [FILE, OTHER_FILE], environment: NAMED });
		expect(front.asked.join()).not.toContain('POST');
		expect(touched().length).toBeGreaterThan(4);
		for (const { uniqueIds } of touched()) expect(new Set(uniqueIds)).toEqual(new Set([FILE]));
	});

	test.each<[string, Circumstances]>([
		['shows no files', { attached: [FILE], shows: 'nothing' }],
		['shows files of no type that the named one has', { attached: ['elsewhere'] }],
		['is not there', { environment: { COMETCHAT_AGENT_UID: 'nobody' } }],
	])('a named agent that %s is left alone', async (_, more) => {
		const { report } = await probe({ ...STRICT, environment: NAMED, ...more });
		expect(report.agent.join()).toMatch(/left alone\..*An agent was made/);
		expect(touched()).toEqual([]);
		expect(report.left).toEqual([]);
	});

	test('with --agent-may-change it is used all the same, and its end is told', async () => {
		const unreadable = { shows: 'nothing' as const, attached: [FILE], agentMayChange: true };
		const { report } = await probe({ ...STRICT, environment: NAMED, ...unreadable });
		expect(service.files('support-bot', 'uploads')).toEqual([]);
		expect(report.left).toEqual([
			`File ${FILE} (uploads) at agent support-bot is now detached; nobody knows what it was before.`,
		]);
	});
});

describe('never prints the key', () => {
	const MASKED = `${KEY.slice(0, 5)}…${KEY.slice(-5)}`;
	test.each<[string, Circumstances]>([
		[
			'in a message',
			{ rules: [{ status: 400, message: `The key ${KEY} is odd`, times: Infinity }] },
		],
		['masked', { rules: [{ status: 400, message: `The key ${MASKED} is odd`, times: Infinity }] }],
		['in upper case', { rules: [{ status: 400, message: KEY.toUpperCase(), times: Infinity }] }],
		['as a code', { rules: [{ status: 400, code: KEY, times: Infinity }] }],
		['in a page', { rules: [{ status: 500, body: `<title>${KEY}</title>`, times: Infinity }] }],
		['in a header name', { headers: { [`x-ratelimit-${KEY}`]: '1' } }],
		['as a type of record', { files: [FILE], recordType: KEY }],
		['as the value of success', { rules: [{ body: `{"success":"${KEY}"}`, times: Infinity }] }],
	])('that the service repeats %s', async (_, circumstances) => {
		const { report, printed } = await probe(circumstances);
		const shown = [...printed, JSON.stringify(report)].join('\n').toLowerCase();
		expect(shown).not.toContain(KEY.slice(0, 5));
		expect(shown).not.toContain(KEY.slice(-5));
	});

	test('nor sends it anywhere but to the host of the credential', async () => {
		const location = 'https://elsewhere.test/v3';
		const redirect = { status: 307, headers: { Location: location } };
		const { sent } = await probe({
			...STRICT,
			rules: [{ ...redirect, for: { operation: 'add' } }],
		});
		const others = sent.filter(({ url }) => !url.startsWith(`${HOST}/v3/`));
		expect(others.map(({ url }) => new URL(url).host)).toEqual([
			expect.stringMatching(/^probe\w+\.api-us\.cometchat\.io$/),
			expect.stringMatching(/^probe\w+\.api-eu\.cometchat\.io$/),
		]);
		expect(JSON.stringify(others)).not.toContain(KEY);
		expect(sent.filter(({ headers }) => headers?.apikey === undefined)).toHaveLength(1);
	});

	test('takes out every piece of it', () => {
		const redact = redactor({ baseUrl: HOST, apiKey: KEY });
		expect(redact(`İ ${KEY} and ${MASKED}, but 0123 stays`)).toBe(
			'İ [API Key] and [API Key]…[API Key], but 0123 stays',
		);
		expect(redact(KEY + KEY)).toBe('[API Key]');
		expect(redactor({ baseUrl: HOST, apiKey: 'abc' })('an abc, ab')).toBe('an [API Key], ab');
	});
});

describe('asks at most 40 requests, one at a time', () => {
	test.each<[string, Circumstances]>([
		['as expected', STRICT],
		[
			'at its longest',
			{
				...STRICT,
				needsStartAndEnd: true,
				failingDeletes: 2,
				attached: ['elsewhere'],
				environment: { COMETCHAT_AGENT_UID: 'support-bot' },
			},
		],
	])('%s, with a pause before each', async (_, circumstances) => {
		const { report, sent, pausesMs } = await probe(circumstances);
		expect(report.requests).toBe(sent.length);
		expect(sent.length).toBeGreaterThan(30);
		expect(sent.length).toBeLessThanOrEqual(MOST_REQUESTS);
		expect(front.mostAtOnce()).toBe(1);
		expect(report.left).toEqual([]);
		expect(pausesMs.length).toBeGreaterThanOrEqual(sent.length - 1);
		expect(pausesMs.filter((waitMs) => waitMs === 250)).toHaveLength(sent.length - 1);
	});

	test('a request that is not answered ends at its timeout', async () => {
		const rules = [{ for: { operation: 'add' as const, containsId: FILE }, stall: true }];
		const { report } = await probe({ ...STRICT, rules, timeoutMs: 200 });
		expect(report.findings[3]?.exchanges[0]).toMatchObject({ code: 'ECONNABORTED' });
		expect(report.left).toEqual([]);
	});

	test('a rate limit ends the questions, and putting back waits as long as it says', async () => {
		const rules = [{ for: { operation: 'add' as const }, status: 429, retryAfter: '7' }];
		const { report, pausesMs, word } = await probe({ ...STRICT, rules });
		expect(report.halted).toContain('limits the rate');
		expect(pausesMs).toContain(7000);
		expect(word(8)).toBe('could not tell');
		expect([report.left, front.madeAgents()]).toEqual([[], []]);
	});

	test('it stops before it comes near the limit', async () => {
		const { report } = await probe({ headers: { 'X-RateLimit-Remaining': '9' } });
		expect(report).toMatchObject({ requests: 1, halted: 'the app is close to its rate limit' });
	});
});

describe('says not run without a key', () => {
	test.each([undefined, '', ' '])('given %j', (apiKey) => {
		expect(readGiven({ COMETCHAT_APP_ID: 'app1', COMETCHAT_API_KEY: apiKey }, false)).toBe(NO_KEY);
		expect(notRunLines('there is no key')[0]).toBe('not run: there is no key');
		expect(notRunLines('there is no key').join('\n')).toContain('COMETCHAT_API_KEY=');
	});

	test.each([
		[{}, "'Region' is not one"],
		[{ COMETCHAT_REGION: 'us' }, "'App ID' is empty"],
		[{ COMETCHAT_BASE_URL: 'http://chat.example.com/v3' }, 'must start with https://'],
		[{ COMETCHAT_BASE_URL: 'https://a.example/v3', COMETCHAT_AGENT_UID: '../x' }, "'Agent'"],
		[{ COMETCHAT_BASE_URL: 'https://a.example/v3', COMETCHAT_FILE_IDS: '[1' }, "'File IDs'"],
	])('nor with a key and %j', (environment, what) => {
		const given = readGiven({ ...environment, COMETCHAT_API_KEY: KEY }, false);
		expect(given).toMatchObject({ what: expect.stringContaining(what) });
	});
});
