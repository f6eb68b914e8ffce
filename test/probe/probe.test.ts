import axios from 'axios';
import { sleep } from 'n8n-workflow';

import type { AttemptResult } from '../../nodes/CometChatKnowledgeBase/requests/attemptResult';
import type { IndexingRule, RecordSeed, Rule, Service, ServiceOptions } from '../service/service';
import { startService } from '../service/service';
import { BUDGET, PAUSE_MS } from './client';
import type { HttpRequest } from './http';
import { throughAxios } from './http';
import { runProbe } from './probe';
import { READING, WITH_AGENT } from './questions/table';
import { redactor } from './redaction';
import type { Report } from './report';
import { exitCodeOf, notRunLines, summaryLines } from './report';
import { NO_KEY, readSettings } from './settings';
import type { Ways } from './simulation';
import { simulated, SPARE_UID } from './simulation';
import { Throwaways } from './throwaways';

const KEY = '0123456789abcdef'.repeat(3).slice(0, 40);
const HOST = 'https://app1.api-us.cometchat.io';
const UPLOADS = 'https://uploads.test';
const FILE = '550e8400-e29b-41d4-a716-446655440000';
const UNKNOWN_UID = '00000000-0000-4000-8000-000000000003';
const ENVIRONMENT = { COMETCHAT_APP_ID: 'app1', COMETCHAT_REGION: 'us', COMETCHAT_API_KEY: KEY };
/** Longer pauses of the probe last so long here, and indexing two of them. */
const REAL_PAUSE_MS = 8;
const INDEXING_MS = 15;
/** The second file is surely added before it is indexed, and the third is the broken one. */
const INDEXING: IndexingRule[] = [{}, { ms: Infinity }, { ends: 'failed' }];
/** The account's own. */
const RECORDS: RecordSeed[] = [
	{ uniqueId: FILE, sourceName: 'a private name.pdf' },
	{ uniqueId: FILE.replace(/0$/, '1'), sourceName: 'https://private.example', type: 'website' },
];

/** By their options: a start takes longer than a whole probe. */
const services = new Map<string, Service>();
let service: Service;
afterAll(async () => {
	for (const started of services.values()) await started.stop();
});

interface Circumstances extends Ways {
	service?: Partial<ServiceOptions>;
	rules?: Rule[];
	filesMayBeMade?: boolean;
	apiKey?: string;
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
	stranger?: AttemptResult;
	timeoutMs?: number;
}

interface Run {
	report: Report;
	printed: string[];
	/** By file name. */
	saved: Map<string, string>;
	/** All that a person could see of it. */
	shown: string;
	pausesMs: number[];
	sent: HttpRequest[];
	mostAtOnce: number;
	/** Agents, files and texts that were made and are there. */
	leftBehind: string[];
	finding(id: string): Report['findings'][number];
}

const NO_HOST: AttemptResult = {
	kind: 'network failure',
	code: 'ENOTFOUND',
	text: 'getaddrinfo ENOTFOUND',
};
const LOST: AttemptResult = { kind: 'network failure', code: 'ECONNRESET', text: 'socket hang up' };

async function serviceWith(options: Partial<ServiceOptions>): Promise<Service> {
	const agents = [
		{ uid: 'support-bot', name: 'A private bot', tools: ['a private tool'] },
		{ uid: SPARE_UID, name: 'Spare' },
	];
	const key = JSON.stringify(options, (_, value: unknown) =>
		value === Infinity ? 'Infinity' : value,
	);
	const started =
		services.get(key) ??
		(await startService({ apiKey: KEY, authKey: 'f'.repeat(40), agents, ...options }));
	services.set(key, started);
	started.reset();
	return started;
}

async function probe(circumstances: Circumstances = {}): Promise<Run> {
	const { filesMayBeMade = true, apiKey = KEY, uploadOrigin = UPLOADS } = circumstances;
	service = await serviceWith({
		envelope: circumstances.envelope,
		records: RECORDS,
		indexing: { ms: INDEXING_MS },
		unknownFiles: 'refuse',
		...circumstances.service,
	});
	service.script(...(circumstances.rules ?? []));
	service.scriptIndexing(...(circumstances.indexing ?? INDEXING));
	const { send, madeAgents } = simulated(service, throughAxios(axios), KEY, circumstances);

	const settings = readSettings({ ...ENVIRONMENT, COMETCHAT_API_KEY: apiKey }, filesMayBeMade);
	if (settings === NO_KEY || !('account' in settings)) throw new Error('Unusable settings');
	const [printed, sent, pausesMs]: [string[], HttpRequest[], number[]] = [[], [], []];
	const saved = new Map<string, string>();
	const startedAtMs = Date.now();
	let [ids, atOnce, mostAtOnce] = [0, 0, 0];
	const answerTo = async (request: HttpRequest, timeoutMs: number) => {
		if (![HOST, uploadOrigin].some((origin) => request.url.startsWith(origin))) {
			return circumstances.stranger ?? NO_HOST;
		}
		const url = request.url
			.replace(`${HOST}/v3`, service.baseUrl)
			.replace(uploadOrigin, service.uploadOrigin);
		return leadingTo(uploadOrigin, await send({ ...request, url }, timeoutMs));
	};
	const machine = {
		send: async (request: HttpRequest, timeoutMs: number) => {
			const at = sent.push(request);
			if (at === circumstances.breaksAt) throw new Error('a step failed');
			mostAtOnce = Math.max(mostAtOnce, (atOnce += 1));
			const reply = await answerTo(request, timeoutMs);
			atOnce -= 1;
			return at === circumstances.losesAt ? LOST : reply;
		},
		pause: async (waitMs: number) => {
			pausesMs.push(waitMs);
			if (waitMs >= 1000) await sleep(REAL_PAUSE_MS);
		},
		nowMs: () => startedAtMs + pausesMs.reduce((sum, waitMs) => sum + waitMs, 0),
		newId: () => `00000000-0000-4000-8000-${String((ids += 1)).padStart(12, '0')}`,
		print: (line: string) => void printed.push(line),
		save: (fileName: string, text: string) => void saved.set(fileName, text),
		isInterrupted: () => sent.length >= (circumstances.interruptedAt ?? Infinity),
		timeoutMs: circumstances.timeoutMs ?? 5000,
	};
	const report = await runProbe(settings, machine, new Throwaways());
	printed.push(...summaryLines(report));
	const own = RECORDS.map(({ uniqueId }) => uniqueId);
	const records = service.records().map(({ uniqueId }) => uniqueId);
	return {
		report,
		printed,
		saved,
		shown: [...printed, JSON.stringify(report), ...saved.keys(), ...saved.values()].join('\n'),
		pausesMs,
		sent,
		mostAtOnce,
		leftBehind: [...madeAgents(), ...records.filter((id) => !own.includes(id))],
		finding(id) {
			const found = report.findings.find((finding) => finding.id === id);
			if (found === undefined) throw new Error(`No question ${id}`);
			return found;
		},
	};
}

/** The reply with other addresses for the bytes: the stand-in's own are not encrypted. */
function leadingTo(uploadOrigin: string, reply: AttemptResult): AttemptResult {
	if (reply.kind === 'network failure') return reply;
	const text = JSON.stringify(reply.body).split(service.uploadOrigin).join(uploadOrigin);
	const body: unknown = JSON.parse(text);
	return { ...reply, body };
}

const always = (rule: Rule): Rule[] => [{ ...rule, times: Infinity }];
const secondTime = ({ for: wanted, ...rule }: Rule): Rule[] => [
	{ for: wanted },
	{ for: wanted, ...rule },
];

const [add, createText, deleteText, deleteUpload, initiate, poll, records, remove, upload] = (
	[
		'add',
		'createText',
		'deleteText',
		'deleteUpload',
		'initiate',
		'poll',
		'records',
		'remove',
		'upload',
	] as const
).map((operation) => ({ operation }));

/** Makes another list of each list of records. */
const withEach = (more: (record: object) => object) => (body: unknown) => {
	if (typeof body !== 'object' || body === null || !('data' in body)) return body;
	const { data } = body;
	return { ...body, data: Array.isArray(data) ? data.map(more) : data };
};

/** Everything but uploads is of that type. */
const withType = (type: string) =>
	withEach((record) =>
		'type' in record && record.type === 'uploads' ? record : { ...record, type },
	);

const withReason = withEach((record) => ({ ...record, failureReason: 'no text' }));

/** Calls that the node does not make, so that the stand-in has none of them. */
const NOT_IN_THE_STAND_IN = ['source-pages', 'unfinished-pages', 'text-statuses'];

describe('The verdict', () => {
	/** Asked of a service that behaves as the node chose to take it. */
	const AS_CHOSEN: Circumstances = {
		headers: { 'x-rate-limit': '500', 'x-rate-limit-remaining': '480' },
	};

	test('is that every choice holds where the service is as we chose to take it', async () => {
		const { report, saved, leftBehind } = await probe(AS_CHOSEN);
		const ids = [...READING, ...WITH_AGENT].map(({ id }) => id);
		const wordOf = (id: string) => (NOT_IN_THE_STAND_IN.includes(id) ? OPEN : YES);
		expect(report.findings.map(({ id, word }) => [id, word])).toEqual(
			ids.map((id) => [id, wordOf(id)]),
		);
		expect(new Set(ids).size).toBe(ids.length);
		expect([exitCodeOf(report), report.left, leftBehind]).toEqual([0, [], []]);
		const asked = report.findings.filter(({ exchanges }) => exchanges.length > 0);
		expect([...saved.keys()]).toEqual(asked.map(({ id }) => `${id}.json`));
	});

	const service = (options: Partial<ServiceOptions>): Circumstances => ({ service: options });
	const rules = (...scripted: Rule[]): Circumstances => ({ rules: scripted });
	const strangerSays = (status: number): Circumstances => ({
		stranger: { kind: 'response', status, headers: {}, body: { error: { message: 'No.' } } },
	});
	const YES = 'holds';
	const NO = 'does not hold';
	const OPEN = 'could not tell';
	const EVERY_TYPE = ['uploads', 'text', 'website', 'knowledge-base', 'no-such-type'];
	const OTHER_TYPE = { uploads: { contentType: 'application/octet-stream' } };
	const LATER_INDEXED = service({ indexing: { ms: 1, starts: 'onAttach' } });
	const NO_API = { status: 404, code: 'ERR_API_NOT_FOUND' };
	const nobody = { uid: UNKNOWN_UID };
	const done = { status: 200, apply: true };

	/** Question, what is different, verdict, a part of its reason, and other choices that fail with it. */
	type Row = [string, Circumstances, string, string, string[]?];
	test.each<Row>([
		['agent-pages', { mostAgents: 99 }, YES, 'takes 1; takes 50; limit 100 is refused'],
		['agent-pages', { mostAgents: 49 }, NO, 'limit 50 is refused'],
		[
			'record-bounds',
			service({ startAndEnd: 'require' }),
			NO,
			'are needed (400',
			['uploads-listed', 'text-type', 'record-pages'],
		],
		['record-ids', service({ records: [] }), OPEN, 'no record could be read'],
		['websites', rules({ for: records, transform: withType('notion') }), NO, 'notion (1)'],
		['websites', service({ records: RECORDS.slice(0, 1) }), OPEN, 'types: uploads (1)'],
		['source-types', { sourceTypes: ['uploads', 'text'] }, NO, 'add refuses website (400'],
		[
			'source-types',
			{ ...service({ unknownFiles: 'accept' }), sourceTypes: EVERY_TYPE },
			OPEN,
			'every type alike',
			['refusals'],
		],
		[
			'refusals',
			service({ unknownAgents: 'create', unknownFiles: 'accept' }),
			NO,
			'unknown agent: 200 is success',
		],
		['refusals', { envelope: 'agentService' }, YES, '404 in the agent service envelope'],
		['refusals', rules({ for: nobody, status: 500 }), NO, '500 ERR_EXCEPTION is repeated'],
		['refusals', rules({ for: nobody, status: 401 }), NO, 'did not accept the API key'],
		['refusals', rules({ for: nobody, status: 404, body: '{"fault":1}' }), NO, 'no known envelope'],
		['wrong-account', strangerSays(502), NO, 'in vain'],
		['announcing', rules(...always({ for: initiate, status: 400 })), NO, "can't be announced: 400"],
		['announcing', rules(...always({ for: initiate, status: 403 })), OPEN, '403'],
		[
			'announcing',
			rules({ for: initiate, apply: true, body: '{"data":1}' }),
			NO,
			'it holds {data}',
		],
		['upload-address', { uploadOrigin: 'http://uploads.test' }, NO, 'not encrypted'],
		[
			'sending-bytes',
			service(OTHER_TYPE),
			NO,
			'403 SignatureDoesNotMatch), and also without a type',
		],
		[
			'sending-bytes',
			{ ...service({ uploads: { contentType: 'any' } }), ...rules({ for: upload, status: 403 }) },
			NO,
			'without a type it is taken',
		],
		['sending-twice', service({ uploads: { secondUse: 'accept' } }), YES, 'taken again: 200'],
		['sending-twice', rules(...secondTime({ for: upload, status: 403 })), NO, '403 AccessDenied'],
		[
			'when-indexed',
			{ ...LATER_INDEXED, indexing: [] },
			NO,
			'ready only once an agent had the file',
		],
		['when-indexed', { indexing: [{ ms: Infinity }] }, OPEN, 'then, with an agent, indexing'],
		['when-indexed', { indexing: [{ ends: 'failed' }] }, OPEN, 'failed'],
		['unindexed', service({ unindexedFiles: 'refuse' }), YES, 'while it is "indexing": waiting'],
		['adding-twice', { refusesRepetition: true }, NO, 'a repeated add: 409 ERR_CONFLICT'],
		['adding-twice', { attachesInPart: true }, NO, 'yet the known file is attached'],
		['adding-twice', service({ agentLists: 'empty' }), OPEN, 'does not show'],
		['same-name', rules(...secondTime({ for: initiate, status: 409 })), NO, '409'],
		[
			'file-types',
			rules({ for: initiate }, { for: initiate }, { for: initiate, status: 400 }),
			NO,
			'400',
		],
		['failures', rules(...always({ for: records, transform: withReason })), NO, 'failureReason'],
		['failures', { indexing: INDEXING.slice(0, 2) }, OPEN, 'does not fail: indexing, then indexed'],
		['text-writing', rules(...always({ for: createText, status: 400 })), NO, 'not be written: 400'],
		[
			'text-type',
			rules(...always({ for: records, transform: withType('texts') })),
			NO,
			'listed as "texts"',
			['websites'],
		],
		[
			'text-source-type',
			{ sourceTypes: ['uploads', 'text-details', 'website', 'knowledge-base'] },
			NO,
			'refused (400 ERR_BAD_REQUEST), added as text-details',
		],
		['agent-files', service({ agentLists: 'otherIds' }), NO, 'only other IDs'],
		['agent-files', service({ agentLists: 'empty' }), OPEN, 'no files at all'],
		['unknown-status', service({ unknownInPoll: 'refuse' }), NO, 'refused (404 ERR_KB_NOT_FOUND)'],
		[
			'ids-per-poll',
			service({ unknownInPoll: 'refuse' }),
			OPEN,
			'however many',
			['unknown-status'],
		],
		[
			'status-words',
			rules({ for: poll, body: '{"success":true,"data":{"x":"queued"}}' }),
			NO,
			'unknown to the node: queued',
		],
		[
			'file-sizes',
			service({ uploads: { maxFileBytes: 10 ** 7 } }),
			NO,
			'50000000 bytes are refused',
		],
		['deleting', service({ deleting: 'keepAttached' }), NO, 'still shows the file'],
		[
			'deleting-twice',
			rules(...secondTime({ for: deleteText, ...NO_API })),
			NO,
			'the text: 404 ERR_API_NOT_FOUND',
		],
		['patch-success', rules({ for: remove, ...done, body: '{"success":"1"}' }), NO, 'is a string'],
		['rate-headers', { headers: { 'ratelimit-reset': '30' } }, NO, 'ratelimit-reset'],
		['rate-headers', { headers: undefined }, OPEN, 'none has come'],
	])('on %s, given %j: %s (%s)', async (id, circumstances, word, why, others = []) => {
		const { report, finding } = await probe({ ...AS_CHOSEN, ...circumstances });
		expect(finding(id).word).toBe(word);
		expect(finding(id).why).toContain(why);
		const failed = report.findings.filter((one) => one.id !== id && one.word === NO);
		expect(failed.map((one) => one.id)).toEqual(others);
		expect(report.left).toEqual([]);
	});
});

describe('Nothing is left behind', () => {
	/** Only sentences about what the service has refused, of which nobody can know if the answer is lost. */
	const REFUSED = /^Perhaps there is the (?:upload "\S+large\.pdf"|text "\S+long-text-+…")/;

	const expectNothingLeft = async (circumstances: Circumstances): Promise<Run> => {
		const run = await probe({
			indexing: [{ ms: 0 }, { ms: Infinity }, { ends: 'failed' }],
			...circumstances,
		});
		expect(run.leftBehind).toEqual([]);
		expect(service.files('support-bot', 'uploads')).toEqual([]);
		return run;
	};

	test.each([true, false])(
		'whichever making or deletion is the last before Ctrl-C, is lost, or breaks (files made: %s)',
		async (filesMayBeMade) => {
			const { sent } = await expectNothingLeft({ filesMayBeMade });
			// Only these change what there is to delete.
			const isOfInterest = ({ method, url }: HttpRequest) =>
				method === 'DELETE' || (method === 'POST' && !url.endsWith('/poll'));
			const places = sent.flatMap((request, index) => (isOfInterest(request) ? [index + 1] : []));
			expect(places.length).toBeGreaterThan(1);
			for (const at of places) {
				const stopped = await expectNothingLeft({ filesMayBeMade, interruptedAt: at });
				expect(stopped.report.left).toEqual([]);
				// By the time of the last deletions there is nothing more to ask.
				if (sent[at - 1]?.method === 'POST') {
					expect(stopped.report.halted).toBe('the probe was interrupted');
				}
				const lost = await expectNothingLeft({ filesMayBeMade, losesAt: at });
				expect(lost.report.left.filter((sentence) => !REFUSED.test(sentence))).toEqual([]);
				await expectNothingLeft({ filesMayBeMade, breaksAt: at });
			}
		},
		180_000,
	);

	const unreadable = { apply: true, body: '{"success":true}', times: Infinity };
	test.each<[string, Circumstances]>([
		[
			'the making is answered with nothing that can be read',
			{ rules: [initiate, createText].map((operation) => ({ ...unreadable, for: operation })) },
		],
		[
			'a text is lost, and the list wants start and end',
			{
				service: { startAndEnd: 'require' },
				rules: [{ for: createText, drop: 'afterApplying' }],
			},
		],
		['deletes fail for a while', { rules: [{ for: deleteUpload, status: 503, times: 4 }] }],
		['one is still being indexed', { rules: secondTime({ for: deleteUpload, status: 409 }) }],
		['the delete of the agent fails for a while', { failingDeletes: 2 }],
		['no agent may be made', { refusesNewAgents: true }],
	])('also if %s', async (_, circumstances) => {
		expect((await expectNothingLeft(circumstances)).report.left).toEqual([]);
	});

	const unlisted = always({ for: records, status: 403 });
	test.each<[string, Circumstances, RegExp]>([
		[
			'can not be deleted',
			{ rules: always({ for: deleteText, status: 403 }) },
			/^The text "n8n-probe-\S+" \([\da-f-]{36}\) is still there: delete it/,
		],
		[
			'is not found, and no list can be read',
			{ rules: [...always({ for: deleteText, status: 404 }), ...unlisted] },
			/^The text "[^"]+" \S+ may be still there/,
		],
		[
			'was lost in the making, and no list shows',
			{ rules: [{ for: createText, drop: 'beforeApplying' }, ...unlisted] },
			/^Perhaps there is the text "n8n-probe-\d+-safe-to-delete-text"/,
		],
		[
			'is an agent that can not be deleted',
			{ failingDeletes: Infinity },
			/^The agent "n8n-probe-\S+-agent" \(7d3c0f52-\S+\) is still there: delete it/,
		],
	])('or it names what %s', async (_, circumstances, sentence) => {
		const { report, printed } = await probe(circumstances);
		expect(report.left[0]).toMatch(sentence);
		expect(printed.join('\n')).toContain(`  ${report.left[0]}`);
		expect(exitCodeOf(report)).toBe(2);
	});

	test('and nothing is changed but what the probe has made; files only if they may be', async () => {
		await probe();
		const changes = service.requests();
		const agents = changes.flatMap(({ uid }) => uid ?? []);
		expect(new Set(agents)).toEqual(new Set([SPARE_UID, UNKNOWN_UID]));
		// What is there still was there before.
		const others = service.records().map(({ uniqueId }) => uniqueId);
		const indexedAgain = changes.flatMap(({ uniqueId }) => uniqueId ?? []);
		expect(indexedAgain.length).toBeGreaterThan(0);
		expect(indexedAgain.filter((id) => others.includes(id))).toEqual([]);
		const { sent, finding } = await probe({ filesMayBeMade: false });
		expect(sent.filter(({ url }) => /\/(?:initiate|text)$/.test(url))).toEqual([]);
		expect(service.uploads()).toEqual([]);
		expect(finding('announcing').why).toContain('allow it with --files-may-be-made');
	});
});

describe('Neither shown nor saved', () => {
	const SIGNATURE = '5ec2e7'.repeat(10);
	const ADDRESS = `${UPLOADS}/bucket/file.txt?X-Amz-Credential=AKIDEXAMPLE0000%2Fus-east-1&X-Amz-Signature=${SIGNATURE}`;
	const MASKED = `${KEY.slice(0, 5)}…${KEY.slice(-5)}`;
	const scripted = (rule: Rule): Circumstances => ({ rules: always(rule) });
	const codeOf = (text: string) => ({ body: `<Code>${text}</Code>`, status: 403 });

	test.each<[string, Circumstances]>([
		['that is given', {}],
		['that the upload host repeats', { service: { uploads: { contentType: 'text/odd' } } }],
		['that the upload host repeats as a code', scripted({ for: upload, ...codeOf(ADDRESS) })],
		['in a message', scripted({ for: initiate, status: 400, message: `See ${ADDRESS}` })],
		['in a list', scripted({ for: initiate, body: JSON.stringify([{ presignedUrl: ADDRESS }]) })],
		['where none belongs', scripted({ for: initiate, body: `{"${ADDRESS}":"${ADDRESS}"}` })],
		['that is no address', { uploadOrigin: 'uploads.test' }],
	])('is an upload address %s', async (_, circumstances) => {
		const { shown } = await probe(circumstances);
		const addresses = [ADDRESS, ...service.uploads().map(({ path }) => `${UPLOADS}${path}`)];
		for (const address of addresses) {
			const query = new URL(address).searchParams;
			expect(shown).not.toContain(query.get('X-Amz-Signature'));
			expect(shown).not.toContain(query.get('X-Amz-Credential')?.split('/')[0]);
		}
		expect(shown).not.toMatch(/X-Amz-|uploads\.test/i);
	});

	test.each<[string, Circumstances]>([
		['in a message', scripted({ status: 400, message: `The key ${KEY} is odd` })],
		['masked', scripted({ status: 400, message: `The key ${MASKED} is odd` })],
		['in upper case', scripted({ status: 400, message: KEY.toUpperCase() })],
		['as a code', scripted({ status: 400, code: KEY })],
		['in a page', scripted({ status: 500, body: `<title>${KEY}</title>` })],
		['in a header name', { headers: { [`x-ratelimit-${KEY}`]: KEY } }],
		['as a type', scripted({ for: records, body: `{"data":[{"uniqueId":"a","type":"${KEY}"}]}` })],
		['as a name', scripted({ body: `{"${KEY}":"${KEY}"}` })],
		['as the value of success', scripted({ body: `{"success":"${KEY}"}` })],
		['as a status', scripted({ for: poll, body: `{"data":{"x":"${KEY}"}}` })],
	])('is the key that the service repeats %s', async (_, circumstances) => {
		const shown = (await probe(circumstances)).shown.toLowerCase();
		expect(shown).not.toContain(KEY.slice(0, 5));
		expect(shown).not.toContain(KEY.slice(-5));
	});

	test('is what the account holds: of it only the kind is saved, to be handed on', async () => {
		const { saved, shown } = await probe();
		expect(shown).not.toMatch(/private|support-bot|stand-in-app/);
		expect(shown).not.toContain(FILE);
		const listed: unknown = JSON.parse(saved.get('uploads-listed.json') ?? '');
		expect(listed).toMatchObject({ word: 'holds', answers: [{ answer: { status: 200 } }] });
		const own = { sourceName: expect.stringMatching(/^n8n-probe-/), appId: '[12 characters]' };
		const foreign = {
			uniqueId: '[UUID]',
			sourceName: expect.stringMatching(/^\[\d+ characters\]$/),
		};
		expect(listed).toHaveProperty(
			'answers.0.answer.body.data',
			[own, own, own, own, own, own, foreign, foreign].map(expect.objectContaining),
		);
	});

	test.each([
		[`<a>${SIGNATURE}</a> for AKIDEXAMPLE0000`, '<a>[Upload Address]</a> for [Upload Address]'],
		[`GET ${ADDRESS}.`, 'GET [Upload Address].'],
		['see https://s3.test/a?X-Amz-Signature=abc and b', 'see [Address] and b'],
		[
			`İ ${KEY} and ${MASKED}, but 0123 stays`,
			'İ [API Key] and [API Key]…[API Key], but 0123 stays',
		],
		[KEY + KEY, '[API Key]'],
	])('is any piece of either: %s', (text, expected) => {
		expect(redactor({ baseUrl: HOST, apiKey: KEY }, [ADDRESS])(text)).toBe(expected);
	});
});

test('The key is sent to the host of the credential and nowhere else, bytes with no header that nobody announced', async () => {
	const redirect = { status: 307, headers: { Location: 'https://elsewhere.test/v3' } };
	const { sent } = await probe({ rules: [{ ...redirect, for: add }] });
	const others = sent.filter(({ url }) => !url.startsWith(`${HOST}/v3/`));
	expect([...new Set(others.map(({ url }) => new URL(url).host))]).toEqual([
		expect.stringMatching(/^probe\w+\.api-us\.cometchat\.io$/),
		expect.stringMatching(/^probe\w+\.api-eu\.cometchat\.io$/),
		new URL(UPLOADS).host,
	]);
	expect(JSON.stringify([others, service.uploads()])).not.toContain(KEY);
	const puts = others.filter(({ method }) => method === 'PUT');
	expect(puts.length).toBeGreaterThan(2);
	for (const { headers } of puts) {
		expect(Object.keys(headers ?? {})).toEqual(['Content-Type', 'Content-Length']);
	}
});

describe('The service is not burdened:', () => {
	test.each<[string, boolean, Circumstances]>([
		['as chosen', false, {}],
		['at its longest without files', false, { service: { startAndEnd: 'require' } }],
		[
			'with nothing ever indexed',
			true,
			{
				indexing: [{ ms: Infinity, times: Infinity }],
				service: { uploads: { maxFileBytes: Infinity } },
			},
		],
	])(
		'no more requests than it says, one at a time, with a pause before each: %s',
		async (_, filesMayBeMade, circumstances) => {
			const run = await probe({ failingDeletes: 2, ...circumstances, filesMayBeMade });
			const { report, sent, pausesMs, mostAtOnce, leftBehind } = run;
			const { requests } = filesMayBeMade ? BUDGET.withFiles : BUDGET.withoutFiles;
			expect([report.requests, mostAtOnce]).toEqual([sent.length, 1]);
			expect(sent.length).toBeLessThanOrEqual(requests);
			expect(report.findings.map(({ why }) => why).join()).not.toContain('requests are used');
			expect(pausesMs.filter((waitMs) => waitMs === PAUSE_MS)).toHaveLength(sent.length - 1);
			expect([report.left, leftBehind]).toEqual([[], []]);
		},
	);

	test('a request that is not answered ends at its timeout', async () => {
		const rules = [{ for: add, stall: true }];
		const { report, finding } = await probe({ rules, timeoutMs: 200, filesMayBeMade: false });
		expect(finding('source-types').exchanges[0]).toContain('no answer (ECONNABORTED)');
		expect(report.left).toEqual([]);
	});

	test('a rate limit ends the questions, and deleting waits as long as it says', async () => {
		const rules = [{ for: add, status: 429, retryAfter: '7' }];
		const { report, pausesMs, leftBehind, finding } = await probe({ rules });
		expect(report.halted).toContain('limits the rate');
		expect(pausesMs).toContain(7000);
		expect(finding('wrong-account').word).toBe('could not tell');
		expect([report.left, leftBehind]).toEqual([[], []]);
	});

	const nearLimit = { headers: { 'x-ratelimit-remaining': '9' } };
	test.each<[string, Circumstances, string]>([
		['comes near the limit', nearLimit, 'close to its rate limit'],
		['is refused its key', { apiKey: 'e'.repeat(40) }, 'did not accept the API key (401'],
		['meets another service', { rules: always({ body: '<html>' }) }, 'answer like CometChat'],
	])('it stops after one request where it %s', async (_, circumstances, why) => {
		const { report } = await probe(circumstances);
		expect(report).toMatchObject({ requests: 1, left: [], halted: expect.stringContaining(why) });
		expect(exitCodeOf(report)).toBe(1);
	});

	test.each([
		[{ COMETCHAT_API_KEY: ' ' }, undefined],
		[{ COMETCHAT_REGION: undefined }, "'Region' is not one"],
		[{ COMETCHAT_APP_ID: undefined }, "'App ID' is empty"],
		[{ COMETCHAT_BASE_URL: 'http://chat.example.com/v3' }, 'must start with https://'],
	])('it is not run with %j', (environment, what) => {
		const settings = readSettings({ ...ENVIRONMENT, ...environment }, false);
		if (what === undefined) expect(settings).toBe(NO_KEY);
		else expect(settings).toMatchObject({ what: expect.stringContaining(what) });
		expect(notRunLines('there is no key')[0]).toBe('not run: there is no key');
	});
});
