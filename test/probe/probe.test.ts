import axios from 'axios';
import { sleep } from 'n8n-workflow';

import type { Reply } from '../../nodes/CometChatKnowledgeBase/requests/reply';
import type { IndexingRule, Rule, Service, ServiceOptions } from '../service/service';
import { startService } from '../service/service';
import { MOST_REQUESTS, MOST_WITH_FILES } from './asking';
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
const UPLOADS = 'https://uploads.test';
const FILE = '550e8400-e29b-41d4-a716-446655440000';
const OTHER_FILE = '550e8400-e29b-41d4-a716-446655440001';
/** Longer pauses of the probe last so long here, and indexing two of them. */
const REAL_PAUSE_MS = 8;
const INDEXING_MS = 15;
/** So that the second file is surely added before it is indexed. */
const SECOND_IS_SLOW: IndexingRule[] = [{}, { ms: Infinity }];
const NOTHING_MORE = { agentMayChange: false, filesMayBeMade: false };
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
	filesMayBeMade?: boolean;
	/** How the files and texts are indexed, one after another. */
	indexing?: IndexingRule[];
	/** Where presigned addresses lead to. */
	uploadOrigin?: string;
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
	const { environment, files = [], rules = [], attached = [] } = circumstances;
	const { agentMayChange = false, filesMayBeMade = false } = circumstances;
	service = await serviceWith({
		envelope: circumstances.envelope,
		records: files.map((uniqueId) => ({ uniqueId, sourceName: 'a private name.pdf' })),
		indexing: { ms: INDEXING_MS },
		...circumstances.service,
	});
	front = await startFront(service, KEY, circumstances);
	const through = throughAxios(axios);
	if (attached.length > 0) await hold(attached);
	service.clearLog();
	service.script(...rules);
	service.scriptIndexing(...(circumstances.indexing ?? SECOND_IS_SLOW));

	const given = readGiven(
		{
			COMETCHAT_APP_ID: 'app1',
			COMETCHAT_REGION: 'us',
			COMETCHAT_API_KEY: KEY,
			COMETCHAT_FILE_IDS: FILE,
			...environment,
		},
		{ agentMayChange, filesMayBeMade },
	);
	if (given === NO_KEY || !('account' in given)) throw new Error('The environment is unusable');
	const [printed, sent, pausesMs]: [string[], HttpRequest[], number[]] = [[], [], []];
	const { uploadOrigin = UPLOADS } = circumstances;
	const startedAtMs = Date.now();
	let ids = 0;
	const report = await runProbe(
		given,
		{
			send: async (request, timeoutMs) => {
				sent.push(request);
				if (sent.length === circumstances.breaksAt) throw new Error('a step failed');
				const isLost = sent.length === circumstances.losesAt;
				const isKnown = [HOST, uploadOrigin].some((origin) => request.url.startsWith(origin));
				if (!isKnown) return circumstances.stranger ?? NO_HOST;
				const url = request.url
					.replace(`${HOST}/v3`, front.baseUrl)
					.replace(uploadOrigin, service.uploadOrigin);
				const reply = await through({ ...request, url }, timeoutMs);
				return isLost ? LOST : leadingTo(uploadOrigin, reply);
			},
			pause: async (waitMs) => {
				pausesMs.push(waitMs);
				if (waitMs >= 1000) await sleep(REAL_PAUSE_MS);
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

/** The reply with other addresses for the bytes: the stand-in's own are not encrypted. */
function leadingTo(uploadOrigin: string, reply: Reply): Reply {
	if (reply.kind === 'silence') return reply;
	const text = JSON.stringify(reply.body).split(service.uploadOrigin).join(uploadOrigin);
	const body: unknown = JSON.parse(text);
	return { ...reply, body };
}

async function hold(ids: string[]): Promise<void> {
	const url = `${service.baseUrl}/ai-agents/agent-builder/agents/support-bot/knowledge-base/uploads/add`;
	await axios.patch(url, { uniqueIds: ids }, { headers: { apikey: KEY } });
}

/** The service as the documents lead one to expect it, strict where they are silent. */
const STRICT: Ways = { files: [FILE, OTHER_FILE], sourceTypes: ALL_TYPES };

/** With which the questions about uploads, texts and deletion are asked. */
const ALLOWED: Circumstances = { ...STRICT, filesMayBeMade: true };

/** The IDs of the files and texts that the service has. */
const heldIds = () => service.records().map(({ uniqueId }) => uniqueId);

const filesOf = (uid: string) => ALL_TYPES.map((type) => service.files(uid, type));

describe('each way in which the service might turn out has its verdict', () => {
	test('strict, gateway envelope: every choice holds', async () => {
		const headers = { 'X-Rate-Limit': '500', 'X-Rate-Limit-Remaining': '480' };
		const { report } = await probe({ ...STRICT, ...ALLOWED, headers });
		expect(report.findings.map(({ question, word }) => [question, word])).toEqual(
			Array.from({ length: 29 }, (_, index) => [index + 1, 'holds']),
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
			{ ...STRICT, service: { startAndEnd: 'require' } },
			'does not hold',
			'are needed (400',
		],
		[
			'announcing is refused',
			11,
			{ ...ALLOWED, rules: [{ for: { operation: 'initiate' }, status: 400 }] },
			'does not hold',
			"can't be announced: 400",
		],
		[
			'announcing is not in the plan',
			11,
			{ ...ALLOWED, rules: [{ for: { operation: 'initiate' }, status: 403 }] },
			'could not tell',
			'403',
		],
		[
			'addresses come in another shape',
			11,
			{
				...ALLOWED,
				rules: [{ for: { operation: 'initiate' }, apply: true, body: '{"data":{"uploads":[]}}' }],
			},
			'does not hold',
			'but it holds {data}',
		],
		[
			'announcing answers 200',
			11,
			{ ...ALLOWED, service: { createdStatus: 200 } },
			'holds',
			'200, an address for each',
		],
		[
			'other types are refused',
			12,
			{
				...ALLOWED,
				rules: [
					{ for: { operation: 'initiate' }, times: 2 },
					{ for: { operation: 'initiate' }, status: 400 },
				],
			},
			'does not hold',
			'a PDF, a DOCX and a CSV file',
		],
		[
			'a name can be there once only',
			13,
			{
				...ALLOWED,
				rules: [
					{ for: { operation: 'initiate' } },
					{ for: { operation: 'initiate' }, status: 409 },
				],
			},
			'does not hold',
			'another file of the first name',
		],
		[
			'addresses are explained',
			14,
			ALLOWED,
			'holds',
			'another host; holds for 900 s; its signature covers the length, the type, the host',
		],
		[
			'addresses are not encrypted',
			14,
			{ ...ALLOWED, uploadOrigin: 'http://uploads.test' },
			'does not hold',
			'not encrypted',
		],
		[
			'nothing goes to those',
			15,
			{ ...ALLOWED, uploadOrigin: 'http://uploads.test' },
			'could not tell',
			'bytes are not sent',
		],
		[
			'another type is signed',
			15,
			{ ...ALLOWED, service: { uploads: { contentType: 'application/octet-stream' } } },
			'does not hold',
			'refused (403 SignatureDoesNotMatch), and also without a type',
		],
		[
			'no type is signed',
			15,
			{
				...ALLOWED,
				service: { uploads: { contentType: 'any' } },
				rules: [{ for: { operation: 'upload' }, status: 403 }],
			},
			'does not hold',
			'without a type it is taken',
		],
		[
			'an address takes bytes twice',
			16,
			{ ...ALLOWED, service: { uploads: { secondUse: 'accept' } } },
			'holds',
			'taken again: 200',
		],
		['an address takes bytes once', 16, ALLOWED, 'holds', '412 PreconditionFailed'],
		[
			'an address is gone once it is used',
			16,
			{
				...ALLOWED,
				rules: [{ for: { operation: 'upload' } }, { for: { operation: 'upload' }, status: 403 }],
			},
			'does not hold',
			'403 AccessDenied: after a lost answer',
		],
		['indexing begins with the upload', 17, ALLOWED, 'holds', 'begins with the upload'],
		[
			'indexing begins with an agent',
			17,
			{ ...ALLOWED, service: { indexing: { ms: 1, starts: 'onAttach' } }, indexing: [] },
			'does not hold',
			'ready only once an agent had the file: indexing (watched for 91 s); then',
		],
		[
			'indexing never ends',
			17,
			{ ...ALLOWED, indexing: [{ ms: Infinity }] },
			'could not tell',
			'then, with an agent, indexing (watched for 91 s)',
		],
		[
			'indexing fails',
			17,
			{ ...ALLOWED, indexing: [{ ends: 'failed' }] },
			'could not tell',
			'failed',
		],
		[
			'what is not indexed is refused',
			18,
			{ ...ALLOWED, service: { unindexedFiles: 'refuse' } },
			'holds',
			'refused (400 ERR_BAD_REQUEST) while it is "indexing"',
		],
		['what is not indexed is taken', 18, ALLOWED, 'holds', 'taken (200) while it is "indexing"'],
		[
			'one unknown ID spoils a poll',
			19,
			{ ...STRICT, service: { unknownInPoll: 'refuse' } },
			'does not hold',
			'refused (404 ERR_KB_NOT_FOUND)',
		],
		[
			'a file is in sync at last',
			20,
			{ ...ALLOWED, indexing: [{ ends: 'inSync', ms: 0 }] },
			'holds',
			'inSync',
		],
		[
			'a status has another word',
			20,
			{
				...ALLOWED,
				rules: [{ for: { operation: 'poll' }, body: '{"success":true,"data":{"x":"queued"}}' }],
			},
			'does not hold',
			'unknown to the node: queued',
		],
		[
			'an upload is listed from its bytes on',
			21,
			{ ...ALLOWED, service: { uploads: { recorded: 'fromBytes' } } },
			'holds',
			'not listed as long as its bytes are missing',
		],
		[
			'files can not be listed as the node does',
			21,
			{ ...ALLOWED, service: { startAndEnd: 'require' } },
			'does not hold',
			'no readable answer: 400',
		],
		['an upload without bytes has a status', 22, ALLOWED, 'holds', 'its status is "indexing"'],
		[
			'an upload without bytes has none',
			22,
			{ ...ALLOWED, service: { uploads: { recorded: 'fromBytes' } } },
			'holds',
			'it has no status',
		],
		['two records make two pages', 23, STRICT, 'holds', 'next {affix, cursor}'],
		['one record only', 23, { files: [FILE] }, 'could not tell', 'paging needs two records'],
		[
			'an agent does not show an added file',
			24,
			{ ...ALLOWED, shows: 'nothing' },
			'could not tell',
			'shows no files at all',
		],
		[
			'a text is refused',
			25,
			{ ...ALLOWED, rules: [{ for: { operation: 'createText' }, status: 400 }] },
			'does not hold',
			'can not be written: 400',
		],
		[
			'a text is added as something else',
			26,
			{ ...ALLOWED, sourceTypes: ['uploads', 'text-details'] },
			'does not hold',
			'refused as text (400 ERR_BAD_REQUEST), added as text-details',
		],
		['a megabyte is the larger one', 27, ALLOWED, 'holds', '50 MB is 52428800 bytes'],
		[
			'a megabyte is the smaller one',
			27,
			{ ...ALLOWED, service: { uploads: { maxFileBytes: 50_000_000 } } },
			'holds',
			'50000000 bytes are taken, 52428800 are not',
		],
		[
			'less than 50 MB is taken',
			27,
			{ ...ALLOWED, service: { uploads: { maxFileBytes: 10_000_000 } } },
			'does not hold',
			'50000000 bytes are refused: 400',
		],
		[
			'any announced size is taken',
			27,
			{ ...ALLOWED, service: { uploads: { maxFileBytes: Infinity } } },
			'holds',
			'size is not looked at',
		],
		[
			'a deleted file stays with its agent',
			28,
			{ ...ALLOWED, service: { deleting: 'keepAttached' } },
			'does not hold',
			'still shows the file',
		],
		[
			'deleting twice is not found',
			29,
			ALLOWED,
			'holds',
			'the file: 404 ERR_KB_NOT_FOUND; the text',
		],
		[
			'deleting twice is blamed on the address',
			29,
			{
				...ALLOWED,
				rules: [
					{ for: { operation: 'deleteText' } },
					{ for: { operation: 'deleteText' }, status: 404, code: 'ERR_API_NOT_FOUND' },
				],
			},
			'does not hold',
			'the text: 404 ERR_API_NOT_FOUND, which the node takes for a failure',
		],
	])('%s', async (_, question, circumstances, word, why) => {
		const seen = await probe(circumstances);
		expect(`${seen.word(question)}: ${seen.why(question)}`).toContain(`${word}: `);
		expect(seen.why(question)).toContain(why);
		expect(seen.report.left).toEqual([]);
		expect(front.madeAgents()).toEqual([]);
		expect(heldIds()).toEqual(circumstances.files ?? []);
	});

	test('a type that may be at fault is left out altogether', async () => {
		await probe({ ...ALLOWED, service: { uploads: { contentType: 'application/octet-stream' } } });
		const types = service.uploads().map(({ headers }) => headers['content-type']);
		expect(types).toEqual(['text/plain', undefined, 'text/markdown']);
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
		const posted = front.asked.filter((asked) => asked.startsWith('POST'));
		// A poll changes nothing.
		expect(posted).toEqual([expect.stringContaining('/knowledge-base/status/poll')]);
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

describe('deletes every file and text that it has made', () => {
	/** @returns What the probe says is left, having checked that nothing is. */
	const expectDeleted = async (circumstances: Circumstances): Promise<Seen> => {
		const seen = await probe({ ...ALLOWED, ...circumstances });
		expect(heldIds()).toEqual([FILE, OTHER_FILE]);
		expect(front.madeAgents()).toEqual([]);
		await front.stop();
		return seen;
	};

	/** The service has refused these, and where that answer is lost nobody can know it. */
	const REFUSED = /^Perhaps there is the (?:upload "\S+large\.pdf"|text "\S+long-text-+…")/;

	test('whichever request is the last before Ctrl-C, is lost, or breaks', async () => {
		const indexing = [{ ms: 0 }, { ms: Infinity }];
		const { sent } = await expectDeleted({ indexing });
		const firstMade = sent.findIndex(({ url }) => url.endsWith('/uploads/initiate')) + 1;
		expect(firstMade).toBeGreaterThan(1);
		for (const [index, { method }] of sent.entries()) {
			const request = index + 1;
			if (request < firstMade) continue;
			const stopped = await expectDeleted({ indexing, interruptedAt: request });
			expect(stopped.report.left).toEqual([]);
			if (method === 'GET') continue;
			const lost = await expectDeleted({ indexing, losesAt: request });
			expect(lost.report.left.filter((sentence) => !REFUSED.test(sentence))).toEqual([]);
			await expectDeleted({ indexing, breaksAt: request });
		}
	}, 120_000);

	test('also when their making is answered with nothing that can be read', async () => {
		const nonsense = { apply: true, body: '{"success":true}', times: Infinity };
		const { report } = await expectDeleted({
			rules: [
				{ ...nonsense, for: { operation: 'initiate' } },
				{ ...nonsense, for: { operation: 'createText' } },
			],
		});
		expect(report.left).toEqual([]);
	});

	test('also when the list wants start and end', async () => {
		const lostText = { for: { operation: 'createText' as const }, drop: 'afterApplying' as const };
		const { report } = await expectDeleted({
			service: { startAndEnd: 'require' },
			rules: [lostText],
		});
		expect(report.left).toEqual([]);
	});

	test('a delete that fails is repeated', async () => {
		const { report } = await expectDeleted({
			rules: [{ for: { operation: 'deleteUpload' }, status: 503, times: 4 }],
		});
		expect(report.left).toEqual([]);
	});

	test('one that is still being indexed is deleted a little later', async () => {
		const { report } = await expectDeleted({
			rules: [
				{ for: { operation: 'deleteUpload' }, times: 2 },
				{ for: { operation: 'deleteUpload' }, status: 409 },
			],
		});
		expect(report.left).toEqual([]);
	});

	test('one that can not be deleted is named', async () => {
		const { report, printed } = await probe({
			...ALLOWED,
			rules: [{ for: { operation: 'deleteText' }, status: 403, times: Infinity }],
		});
		const ids = service
			.records()
			.flatMap((record) => (record.type === 'uploads' ? [] : [record.uniqueId]));
		expect(ids).toHaveLength(2);
		expect(report.left).toHaveLength(2);
		for (const id of ids) {
			const sentence = new RegExp(`^The text "n8n-probe-.+" \\(${id}\\) is still there: delete it`);
			expect(report.left).toContainEqual(expect.stringMatching(sentence));
		}
		expect(printed.join('\n')).toContain(`  ${report.left[0]}`);
		expect(exitCodeOf(report)).toBe(2);
	});

	test.each<[string, Rule[]]>([
		['blamed on the address', [{ status: 404, code: 'ERR_API_NOT_FOUND', times: Infinity }]],
		['not found, and no list can be read', [{ status: 404, times: Infinity }]],
	])('one whose deletion is %s is named', async (_, rules) => {
		const { report } = await probe({
			...ALLOWED,
			rules: [
				...rules.map((rule) => ({ ...rule, for: { operation: 'deleteText' as const } })),
				{ for: { operation: 'records' }, status: 403, times: Infinity },
			],
		});
		expect(report.left).toHaveLength(2);
		expect(report.left.join()).toMatch(/^The text "[^"]+" \S+ may be still there/);
	});

	test('one whose making was lost, and that no list shows, is named', async () => {
		const { report } = await probe({
			...ALLOWED,
			rules: [
				{ for: { operation: 'createText' }, drop: 'beforeApplying' },
				{ for: { operation: 'records' } },
				{ for: { operation: 'records' }, status: 403, times: Infinity },
			],
		});
		expect(report.left).toContainEqual(
			expect.stringMatching(/^Perhaps there is the text "n8n-probe-\d+-safe-to-delete-text"/),
		);
		expect(exitCodeOf(report)).toBe(2);
	});

	test('none is made unless that is allowed', async () => {
		const { report, sent } = await probe(STRICT);
		const made = sent.filter(({ url }) => /\/(?:initiate|text)$/.test(url));
		expect([made, service.uploads()]).toEqual([[], []]);
		for (const question of [11, 15, 17, 25, 28]) {
			const { why } = report.findings[question - 1] ?? {};
			expect(why).toContain('allow it with --files-may-be-made');
		}
	});

	test('none is given to a named agent', async () => {
		const environment = { COMETCHAT_AGENT_UID: 'support-bot' };
		const attached = [FILE, OTHER_FILE];
		const { why } = await expectDeleted({ environment, attached });
		const touched = service.requests().filter(({ uid }) => uid === 'support-bot');
		for (const { uniqueIds } of touched) expect(new Set(uniqueIds)).toEqual(new Set([FILE]));
		for (const question of [18, 24, 26]) {
			expect(why(question)).toContain('leave COMETCHAT_AGENT_UID out');
		}
	});
});

describe('never prints an upload address', () => {
	const ADDRESS = `${UPLOADS}/bucket/file.txt?X-Amz-Credential=AKIDEXAMPLE0000%2Fus-east-1&X-Amz-Signature=${'5ec2e7'.repeat(10)}`;
	const initiate: Rule['for'] = { operation: 'initiate' };

	test.each<[string, Circumstances]>([
		['that it is given', {}],
		[
			'that the upload host repeats in a refusal',
			{ service: { uploads: { contentType: 'application/octet-stream' } } },
		],
		[
			'that the upload host repeats as a code',
			{
				rules: [{ for: { operation: 'upload' }, body: `<Code>${ADDRESS}</Code>`, status: 403 }],
			},
		],
		[
			'that stands in a message',
			{ rules: [{ for: initiate, status: 400, message: `See ${ADDRESS} now`, times: Infinity }] },
		],
		[
			'that stands in a bare list',
			{ rules: [{ for: initiate, body: JSON.stringify([{ presignedUrl: ADDRESS }]) }] },
		],
		[
			'that stands where none is expected',
			{ rules: [{ for: initiate, body: JSON.stringify({ [ADDRESS]: ADDRESS }) }] },
		],
		['that is no address', { uploadOrigin: 'uploads.test' }],
	])('%s', async (_, circumstances) => {
		const { report, printed } = await probe({ ...ALLOWED, ...circumstances });
		const shown = [...printed, JSON.stringify(report)].join('\n');
		const addresses = [ADDRESS, ...service.uploads().map(({ path }) => `${UPLOADS}${path}`)];
		for (const address of addresses) {
			const query = new URL(address).searchParams;
			expect(shown).not.toContain(query.get('X-Amz-Signature'));
			expect(shown).not.toContain(query.get('X-Amz-Credential')?.split('/')[0]);
		}
		expect(shown).not.toMatch(/X-Amz-|uploads\.test/i);
	});

	test('nor sends the key there, nor any header that nobody announced', async () => {
		const { sent } = await probe(ALLOWED);
		const puts = sent.filter(({ url }) => url.startsWith(UPLOADS));
		expect(puts.length).toBeGreaterThan(2);
		for (const { method, headers } of puts) {
			expect(method).toBe('PUT');
			expect(Object.keys(headers ?? {})).toEqual(['Content-Type', 'Content-Length']);
		}
		expect(JSON.stringify([puts, service.uploads()])).not.toContain(KEY);
	});

	test('takes out what opens it, wherever it stands', () => {
		const redact = redactor({ baseUrl: HOST, apiKey: KEY }, [ADDRESS]);
		const signature = '5ec2e7'.repeat(10);
		expect(redact(`<Signature>${signature}</Signature> for AKIDEXAMPLE0000`)).toBe(
			'<Signature>[Upload Address]</Signature> for [Upload Address]',
		);
		expect(redact(`GET ${ADDRESS}.`)).toBe('GET [Upload Address].');
		expect(redact('see https://s3.test/a?X-Amz-Signature=abc and b')).toBe('see [Address] and b');
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
		[
			'as a type of record',
			{
				rules: [
					{
						for: { operation: 'records' },
						body: `{"data":[{"uniqueId":"a","type":"${KEY}"}]}`,
						times: Infinity,
					},
				],
			},
		],
		['as the value of success', { rules: [{ body: `{"success":"${KEY}"}`, times: Infinity }] }],
		[
			'as a status',
			{
				...ALLOWED,
				rules: [
					{
						for: { operation: 'poll' },
						body: `{"data":{"x":"${KEY}"}}`,
						times: Infinity,
					},
				],
			},
		],
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

describe('asks no more requests than it says, one at a time', () => {
	test.each<[string, Circumstances]>([
		['as expected', STRICT],
		[
			'at its longest',
			{
				...STRICT,
				service: { startAndEnd: 'require' },
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

	test('with files made and nothing ever indexed, there is enough left to delete them', async () => {
		const { report, sent } = await probe({
			...ALLOWED,
			indexing: [{ ms: Infinity, times: Infinity }],
			service: { uploads: { maxFileBytes: Infinity } },
			failingDeletes: 2,
		});
		expect(report.requests).toBe(sent.length);
		expect(sent.length).toBeGreaterThan(MOST_REQUESTS);
		expect(sent.length).toBeLessThanOrEqual(MOST_WITH_FILES);
		expect(report.findings.map(({ why }) => why).join()).not.toContain('requests are used');
		expect([report.left, heldIds()]).toEqual([[], [FILE, OTHER_FILE]]);
		expect(front.mostAtOnce()).toBe(1);
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
		expect(readGiven({ COMETCHAT_APP_ID: 'app1', COMETCHAT_API_KEY: apiKey }, NOTHING_MORE)).toBe(
			NO_KEY,
		);
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
		const given = readGiven({ ...environment, COMETCHAT_API_KEY: KEY }, NOTHING_MORE);
		expect(given).toMatchObject({ what: expect.stringContaining(what) });
	});
});
