import type { Rule, ServiceOptions } from '../service/service';
import { BUDGET, PAUSE_MS } from './client';
import type { HttpRequest } from './http';
import { QUESTIONS } from './questions/table';
import { redactor } from './redaction';
import { exitCodeOf, notRunLines } from './report';
import { NO_KEY, readSettings } from './settings';
import type { Circumstances, Run } from './simulation';
import {
	ENVIRONMENT,
	FILE,
	HOST,
	INDEXING,
	KEY,
	probe,
	RECORDS,
	SPARE_UID,
	stopServices,
	UPLOADS,
} from './simulation';

afterAll(stopServices);

const UNKNOWN_UID = '00000000-0000-4000-8000-000000000003';

const of = (operation: NonNullable<NonNullable<Rule['for']>['operation']>) => ({ operation });
const [records, initiate, createText] = [of('records'), of('initiate'), of('createText')];

const service = (options: Partial<ServiceOptions>): Circumstances => ({ service: options });
const rules = (...scripted: Rule[]): Circumstances => ({ rules: scripted });
const always = (rule: Rule): Circumstances => rules({ ...rule, times: Infinity });
/** The rule holds for the request of that number among those that it is for. */
const nth = (at: number, { for: wanted, ...rule }: Rule): Circumstances =>
	rules({ for: wanted, times: at - 1 }, { for: wanted, ...rule });

/** Makes another list of each list of records. */
const listing = (more: (record: object) => object): Circumstances =>
	always({
		for: records,
		transform: (body) => {
			if (typeof body !== 'object' || body === null || !('data' in body)) return body;
			return { ...body, data: Array.isArray(body.data) ? body.data.map(more) : body.data };
		},
	});

/** Everything but uploads is of that type. */
const typed = (type: string): Circumstances =>
	listing((record) =>
		'type' in record && record.type === 'uploads' ? record : { ...record, type },
	);

describe('The verdict', () => {
	const YES = 'holds';
	const NO = 'does not hold';
	const OPEN = 'could not tell';
	const SOURCES = ['source-pages', 'unfinished-pages'];

	/** As the node chose to take it; calls of which the node has no need, the stand-in does not have. */
	const AS_CHOSEN: Circumstances = {
		headers: { 'x-rate-limit': '500', 'x-rate-limit-remaining': '480' },
	};
	const idsOf = ({ report }: Run, word: string) =>
		report.findings.filter(({ verdict }) => verdict === word).map(({ id }) => id);

	test('is that every choice holds where the service is as we chose to take it', async () => {
		const run = await probe(AS_CHOSEN);
		const { report, saved, leftBehind } = run;
		expect(report.findings.map(({ id }) => id)).toEqual(Object.keys(QUESTIONS));
		expect([idsOf(run, NO), idsOf(run, OPEN)]).toEqual([[], [...SOURCES, 'text-statuses']]);
		expect([exitCodeOf(report), report.left, leftBehind]).toEqual([0, [], []]);
		// All but those that ask nothing themselves.
		const quiet = ['record-ids', 'upload-address', 'status-words', 'patch-success', 'rate-headers'];
		const asked = Object.keys(QUESTIONS).filter((id) => !quiet.includes(id));
		expect([...saved.keys()]).toEqual([...asked, 'clean-up'].map((name) => `${name}.json`));
	});

	const done = { status: 200, apply: true };
	const NO_API = { status: 404, code: 'ERR_API_NOT_FOUND' };
	const anyOf = (sourceType: string) => ({
		for: { sourceType },
		status: 400,
		message: 'No such type',
	});
	const nobody = { uid: UNKNOWN_UID };
	const pages = (...numbers: number[]): Circumstances => {
		const pageContent = numbers.map((pageNumber) => ({ pageNumber }));
		return { calls: [/\/pages$/, { data: { pageContent } }] };
	};
	const strangerSays = (status: number): Circumstances => ({
		stranger: { kind: 'response', status, headers: {}, body: { error: { message: 'No.' } } },
	});

	/** What is different, and all choices that do not hold then. */
	test.each<[Circumstances, string[]]>([
		[nth(2, { for: of('list'), status: 400 }), ['agent-pages']],
		[
			service({ startAndEnd: 'require' }),
			['record-bounds', 'uploads-listed', 'text-type', 'record-pages'],
		],
		[
			always({ for: records, body: '{"data":[{"uniqueId":" a","type":"uploads"}]}' }),
			['record-ids', 'uploads-listed', 'text-type'],
		],
		[typed('notion'), ['websites', 'text-type']],
		[always(anyOf('website')), ['source-types']],
		[service({ unknownAgents: 'create', unknownFiles: 'accept' }), ['refusals']],
		[nth(1, { for: nobody, status: 500 }), ['refusals']],
		[nth(1, { for: nobody, status: 401 }), ['refusals']],
		[nth(1, { for: nobody, status: 404, body: '{"code":"ERR_AGENT_NOT_FOUND"}' }), ['refusals']],
		[strangerSays(502), ['wrong-account']],
		[always({ for: initiate, status: 400 }), ['announcing']],
		[nth(1, { for: initiate, apply: true, body: '{"data":1}' }), ['announcing']],
		[{ uploadOrigin: 'http://uploads.test' }, ['upload-address']],
		[service({ uploads: { contentType: 'application/octet-stream' } }), ['sending-bytes']],
		[nth(2, { for: of('upload'), status: 403 }), ['sending-twice']],
		[{ ...service({ indexing: { ms: 1, starts: 'onAttach' } }), indexing: [] }, ['when-indexed']],
		[nth(8, { for: { operation: 'add', sourceType: 'uploads' }, status: 409 }), ['adding-twice']],
		[
			{
				...service({ unknownFiles: 'accept' }),
				...nth(11, { for: { operation: 'add', sourceType: 'uploads' }, status: 400, apply: true }),
			},
			['refusals', 'adding-twice'],
		],
		[nth(2, { for: initiate, status: 409 }), ['same-name']],
		[nth(3, { for: initiate, status: 400 }), ['file-types']],
		[listing((record) => ({ ...record, sourceName: 'x' })), ['uploads-listed']],
		[always({ for: of('poll'), status: 400 }), ['when-indexed', 'without-bytes', 'unknown-status']],
		[listing((record) => ({ ...record, failureReason: 'no text' })), ['failures']],
		[always({ for: of('sync'), status: 400 }), ['retrying']],
		[pages(0, 1), ['source-pages']],
		[{ calls: [/\/pages$/, { data: {} }] }, SOURCES],
		[always({ for: createText, status: 400 }), ['text-writing']],
		[typed('texts'), ['websites', 'text-type']],
		[always(anyOf('text')), ['source-types', 'text-source-type']],
		[{ calls: [/\/text\/[^/]+$/, { data: { status: 'queued' } }] }, ['text-statuses']],
		[service({ agentLists: 'otherIds' }), ['agent-files']],
		[service({ unknownInPoll: 'refuse' }), ['unknown-status']],
		[rules({ for: of('poll'), body: '{"success":true,"data":{"x":"queued"}}' }), ['status-words']],
		[service({ uploads: { maxFileBytes: 10 ** 7 } }), ['file-sizes']],
		[nth(2, { for: createText, status: 400 }), ['text-lengths']],
		[service({ deleting: 'keepAttached' }), ['deleting']],
		[nth(2, { for: of('deleteText'), ...NO_API }), ['deleting-twice']],
		[nth(1, { for: of('remove'), ...done, body: '{"success":"1"}' }), ['patch-success']],
		[{ headers: { 'ratelimit-reset': '30' } }, ['rate-headers']],
	])('is, given %j, that these do not hold: %j', async (circumstances, ids) => {
		const run = await probe({ ...AS_CHOSEN, ...circumstances });
		expect(idsOf(run, NO)).toEqual(ids);
		expect([exitCodeOf(run.report), run.report.left]).toEqual([1, []]);
	});

	test.each<[Circumstances, string, string]>([
		[nth(3, { for: of('list'), status: 400 }), 'agent-pages', YES],
		[service({ envelope: 'agentService' }), 'refusals', YES],
		[service({ uploads: { secondUse: 'accept' } }), 'sending-twice', YES],
		[service({ unindexedFiles: 'refuse' }), 'unindexed', YES],
		[pages(1, 2), 'source-pages', YES],
		[service({ records: [] }), 'record-ids', OPEN],
		[service({ records: RECORDS.slice(0, 1) }), 'websites', OPEN],
		[always({ for: initiate, status: 403 }), 'announcing', OPEN],
		[{ indexing: [{ ms: Infinity }] }, 'when-indexed', OPEN],
		[{ indexing: INDEXING.slice(0, 2) }, 'failures', OPEN],
		[service({ agentLists: 'empty' }), 'adding-twice', OPEN],
		[service({ agentLists: 'empty' }), 'agent-files', OPEN],
		[service({ unknownInPoll: 'refuse' }), 'ids-per-poll', OPEN],
		[{ headers: {} }, 'rate-headers', OPEN],
	])('is, given %j, that %s %s', async (circumstances, id, word) => {
		expect(idsOf(await probe({ ...AS_CHOSEN, ...circumstances }), word)).toContain(id);
	});
});

describe('Nothing is left behind', () => {
	/** Only sentences about what the service has refused, of which nobody can know if the answer is lost. */
	const REFUSED = /^Perhaps there is the (?:upload "\S+large\.pdf"|text "\S+long-text-+…")/;

	const expectNothingLeft = async (circumstances: Circumstances): Promise<Run> => {
		const indexing = [{ ms: 0 }, { ms: Infinity }, { ends: 'failed' as const }];
		const run = await probe({ indexing, ...circumstances });
		expect(run.leftBehind).toEqual([]);
		expect(run.service.files('support-bot', 'uploads')).toEqual([]);
		return run;
	};

	test('whichever making or deletion is the last before Ctrl-C, is lost, or breaks', async () => {
		const { sent } = await expectNothingLeft({});
		// Only these change what there is to delete.
		const isOfInterest = ({ method, url }: HttpRequest) =>
			method === 'DELETE' || (method === 'POST' && !url.endsWith('/poll'));
		const places = sent.flatMap((request, index) => (isOfInterest(request) ? [index + 1] : []));
		expect(places.length).toBeGreaterThan(15);
		for (const at of places) {
			const stopped = await expectNothingLeft({ interruptedAt: at });
			expect(stopped.report.left).toEqual([]);
			// By the time of the last deletions there is nothing more to ask.
			if (sent[at - 1]?.method === 'POST') {
				expect(stopped.report.halted).toBe('the probe was interrupted');
				expect(exitCodeOf(stopped.report)).toBe(1);
			}
			const lost = await expectNothingLeft({ losesAt: at });
			expect(lost.report.left.filter((sentence) => !REFUSED.test(sentence))).toEqual([]);
			await expectNothingLeft({ breaksAt: at });
		}
	}, 180_000);

	const unreadable = { apply: true, body: '{"success":true}', times: Infinity };
	test.each<[string, Circumstances]>([
		[
			'the making is answered with nothing that can be read',
			rules({ ...unreadable, for: initiate }, { ...unreadable, for: createText }),
		],
		[
			'a text is lost, and the list wants start and end',
			{
				...service({ startAndEnd: 'require' }),
				...nth(1, { for: createText, drop: 'afterApplying' }),
			},
		],
		['deletes fail for a while', rules({ for: of('deleteUpload'), status: 503, times: 4 })],
		['one is still being indexed', nth(2, { for: of('deleteUpload'), status: 409 })],
		['the delete of the agent fails for a while', { failingDeletes: 2 }],
		['no agent may be made', { refusesNewAgents: true }],
	])('also if %s', async (_, circumstances) => {
		expect((await expectNothingLeft(circumstances)).report.left).toEqual([]);
	});

	const unlisted = { for: records, status: 403, times: Infinity };
	test.each<[string, Circumstances, RegExp]>([
		[
			'can not be deleted',
			always({ for: of('deleteText'), status: 403 }),
			/^The text "n8n-probe-\S+" \([\da-f-]{36}\) is still there: delete it/,
		],
		[
			'is not found, and no list can be read',
			rules({ for: of('deleteText'), status: 404, times: Infinity }, unlisted),
			/^The text "[^"]+" \S+ may be still there/,
		],
		[
			'is said to be deleted, and still listed',
			always({ for: of('deleteText'), body: '{"success":true}' }),
			/^The text "[^"]+" \S+ is still there/,
		],
		[
			'was lost in the making, and no list shows',
			rules({ for: createText, drop: 'beforeApplying' }, unlisted),
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
		const { service: used } = await probe();
		const changes = used.requests();
		expect(new Set(changes.flatMap(({ uid }) => uid ?? []))).toEqual(
			new Set([SPARE_UID, UNKNOWN_UID]),
		);
		// What is there still was there before.
		const others = used.records().map(({ uniqueId }) => uniqueId);
		const indexedAgain = changes.flatMap(({ uniqueId }) => uniqueId ?? []);
		expect(indexedAgain.length).toBeGreaterThan(0);
		expect(indexedAgain.filter((id) => others.includes(id))).toEqual([]);
		const { sent, printed, service: looked, leftBehind } = await probe({ filesMayBeMade: false });
		expect(sent.filter(({ url }) => /\/(?:initiate|text)$/.test(url))).toEqual([]);
		expect([looked.uploads(), leftBehind]).toEqual([[], []]);
		expect(printed.join()).toContain('allow it with --files-may-be-made');
	});
});

describe('Neither shown nor saved', () => {
	const SIGNATURE = '5ec2e7'.repeat(10);
	const ADDRESS = `${UPLOADS}/bucket/file.txt?X-Amz-Credential=AKIDEXAMPLE0000%2Fus-east-1&X-Amz-Signature=${SIGNATURE}`;
	const MASKED = `${KEY.slice(0, 5)}…${KEY.slice(-5)}`;
	const codeOf = (text: string) => ({ body: `<Code>${text}</Code>`, status: 403 });

	test.each<[string, Circumstances]>([
		['that is given', {}],
		['that the upload host repeats', service({ uploads: { contentType: 'text/odd' } })],
		['that the upload host repeats as a code', always({ for: of('upload'), ...codeOf(SIGNATURE) })],
		['in a message', always({ for: initiate, status: 400, message: `See ${ADDRESS}` })],
		['in a list', always({ for: initiate, body: JSON.stringify([{ presignedUrl: ADDRESS }]) })],
		['where none belongs', always({ for: initiate, body: `{"${ADDRESS}":"${ADDRESS}"}` })],
		['that is no address', { uploadOrigin: 'uploads.test' }],
	])('is an upload address %s', async (_, circumstances) => {
		const { shown, service: used } = await probe(circumstances);
		for (const address of [ADDRESS, ...used.uploads().map(({ path }) => `${UPLOADS}${path}`)]) {
			const query = new URL(address).searchParams;
			expect(shown).not.toContain(query.get('X-Amz-Signature'));
			expect(shown).not.toContain(query.get('X-Amz-Credential')?.split('/')[0]);
		}
		expect(shown).not.toMatch(/X-Amz-|uploads\.test/i);
	});

	test.each<[string, Circumstances]>([
		['in a message', always({ status: 400, message: `The key ${KEY} is odd` })],
		['masked', always({ status: 400, message: `The key ${MASKED} is odd` })],
		['in upper case', always({ status: 400, message: KEY.toUpperCase() })],
		['as a code', always({ status: 400, code: KEY })],
		['in a page', always({ status: 500, body: `<title>${KEY}</title>` })],
		['in a header name', { headers: { [`x-ratelimit-${KEY}`]: KEY } }],
		['as a type', always({ for: records, body: `{"data":[{"uniqueId":"a","type":"${KEY}"}]}` })],
		['as a name', always({ body: `{"${KEY}":"${KEY}"}` })],
		['as the value of success', always({ body: `{"success":"${KEY}"}` })],
		['as a status', always({ for: of('poll'), body: `{"data":{"x":"${KEY}"}}` })],
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
		expect(listed).toMatchObject({ verdict: 'holds', answers: [{ answer: { status: 200 } }] });
		const own = { sourceName: expect.stringMatching(/^n8n-probe-/), appId: '[12 characters]' };
		const kind = expect.stringMatching(/^\[\d+ characters\]$/);
		const foreign = { uniqueId: '[UUID]', sourceName: kind };
		expect(listed).toHaveProperty(
			'answers.0.answer.body.data',
			[own, own, own, own, own, own, foreign, foreign].map(expect.objectContaining),
		);
	});

	test.each([
		[`<a>${SIGNATURE}</a> for AKIDEXAMPLE0000`, '<a>[Address]</a> for [Address]'],
		[`GET ${ADDRESS}`, 'GET [Address]'],
		['see https://s3.test/a?X-Amz-Signature=abc and b', 'see [Address] and b'],
		['or s3.test/a?sig=abc and b', 'or [address] and b'],
		[
			`İ ${KEY}, 01234 and ${MASKED}, but 0123 stays`,
			'İ [API Key], [API Key] and [API Key], but 0123 stays',
		],
	])('is any piece of either: %s', (text, expected) => {
		expect(redactor({ baseUrl: HOST, apiKey: KEY }, [ADDRESS])(text)).toBe(expected);
	});
});

test('The key is sent to the host of the credential and nowhere else, bytes with no header that nobody announced', async () => {
	const redirect = { status: 307, headers: { Location: 'https://elsewhere.test/v3' } };
	const { sent, service: used } = await probe(rules({ ...redirect, for: of('add') }));
	const others = sent.filter(({ url }) => !url.startsWith(`${HOST}/v3/`));
	expect([...new Set(others.map(({ url }) => new URL(url).host))]).toEqual([
		expect.stringMatching(/^probe\w+\.api-us\.cometchat\.io$/),
		expect.stringMatching(/^probe\w+\.api-eu\.cometchat\.io$/),
		new URL(UPLOADS).host,
	]);
	expect(JSON.stringify([others, used.uploads()])).not.toContain(KEY);
	const puts = others.filter(({ method }) => method === 'PUT');
	expect(puts.length).toBeGreaterThan(2);
	for (const { headers } of puts) {
		expect(Object.keys(headers ?? {})).toEqual(['Content-Type', 'Content-Length']);
	}
});

describe('The service is not burdened:', () => {
	const ENDLESS = [{ ms: Infinity, times: Infinity }];
	test.each<[string, Circumstances]>([
		['as chosen', {}],
		[
			'with nothing ever indexed',
			{ indexing: ENDLESS, ...service({ uploads: { maxFileBytes: Infinity } }) },
		],
	])(
		'no more requests than are due, one at a time, each after a pause: %s',
		async (_, circumstances) => {
			const run = await probe({ failingDeletes: 2, ...circumstances });
			const { report, sent, pausesMs, mostAtOnce, leftBehind, shown } = run;
			expect([report.requests, mostAtOnce]).toEqual([sent.length, 1]);
			expect(sent.length).toBeLessThanOrEqual(BUDGET.requests);
			expect(shown).not.toContain('requests are used');
			expect(pausesMs.filter((waitMs) => waitMs === PAUSE_MS)).toHaveLength(sent.length - 1);
			expect([report.left, leftBehind]).toEqual([[], []]);
		},
	);

	test('a request that is not answered ends at its timeout', async () => {
		const stalls = rules({ for: of('add'), stall: true });
		const { report, shown } = await probe({ ...stalls, timeoutMs: 200, filesMayBeMade: false });
		expect(shown).toContain('no answer ECONNABORTED');
		expect(report.left).toEqual([]);
	});

	test('a rate limit ends the questions, and deleting waits as long as it says', async () => {
		const { report, pausesMs, leftBehind } = await probe(
			rules({ for: of('add'), status: 429, retryAfter: '7' }),
		);
		expect(report.halted).toContain('limits the rate');
		expect(pausesMs).toContain(7000);
		expect(report.requests).toBeLessThan(20);
		expect([exitCodeOf(report), report.left, leftBehind]).toEqual([1, [], []]);
	});

	const nearLimit = { headers: { 'x-ratelimit-remaining': '9' } };
	test.each<[string, Circumstances, string]>([
		['comes near the limit', nearLimit, 'close to its rate limit'],
		['is refused its key', { apiKey: 'e'.repeat(40) }, 'did not accept the API key (401'],
		['meets another service', always({ body: '<html>' }), 'answer like CometChat'],
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
