import { sleep } from 'n8n-workflow';

import { readAccount } from '../../nodes/CometChatKnowledgeBase/account/account';
import { given } from '../../nodes/CometChatKnowledgeBase/values/shown';
import {
	isRecord,
	ValidationIssue,
} from '../../nodes/CometChatKnowledgeBase/values/validationIssue';
import type { Rule, Service, ServiceOptions } from '../service/service';
import { startService } from '../service/service';
import type { HttpRequest, Reply } from './answer';
import { sendOnce } from './answer';
import { Probe } from './probe';
import { exitCodeOf, QUESTIONS, runProbe, summaryLines } from './run';

const KEY = 'abcdef0123456789'.repeat(3).slice(0, 40);
const HOST = 'https://app1.api-us.cometchat.io';
const UPLOADS = 'https://uploads.test';
const FILE = '550e8400-e29b-41d4-a716-446655440000';

/** An agent of the stand-in that is handed out as the one that the probe has made. */
const SPARE_UID = '7d3c0f52-1111-4222-8333-fedcbafedcba';

/** The one that the probe takes for an agent that there is not. */
const UNKNOWN_UID = '00000000-0000-4000-8000-000000000003';

/** The one that the probe makes. */
const USER = 'n8n-probe-000000000001-safe-to-delete-user';

/** The person's own, to be crawled. */
const SITE = 'https://docs.example.com/start';

/** The account's own. */
const OWN: ServiceOptions = {
	sites: { 'https://docs.example.com': { pages: [{ url: SITE }, { url: '/never' }] } },
	apiKey: KEY,
	authKey: 'f'.repeat(40),
	agents: [
		{ uid: 'support-bot', name: 'A private bot', tools: ['a private tool'] },
		{ uid: SPARE_UID, name: 'Spare' },
	],
	records: [
		{ uniqueId: FILE, sourceName: 'a private name.pdf' },
		{ uniqueId: FILE.replace(/0$/, '1'), sourceName: 'https://private.example', type: 'website' },
	],
	indexing: { ms: 15 },
	unknownFiles: 'refuse',
	answering: { ms: 15, users: [USER] },
};

/** In which way the service turns out, and what happens meanwhile. */
interface Circumstances {
	service?: Partial<ServiceOptions>;
	rules?: Rule[];
	filesMayBeMade?: boolean;
	site?: string;
	crawlTwice?: boolean;
	/** How many deletes of an agent fail before one succeeds. */
	failingDeletes?: number;
	/** The request, counted from 1, under which the person presses Ctrl-C, or that throws once it is answered, or whose answer is lost. */
	interruptedAt?: number;
	breaksAt?: number;
	losesAt?: number;
}

/** By their options: a start takes longer than a whole probe. */
const services = new Map<string, Service>();

afterAll(async () => {
	for (const service of services.values()) await service.stop();
});

const answered = (status: number, body: object): Reply => {
	return { kind: 'response', status, headers: {}, body };
};

/** What the stand-in does not have: making, finding and deleting an agent and a user. */
function agentMaker(failures: number) {
	let made: string | undefined;
	let user: string | undefined;
	const replyToUser = (method: string): Reply => {
		if (method === 'POST') user = USER;
		if (user === undefined) return answered(404, { error: { code: 'ERR_UID_NOT_FOUND' } });
		if (method === 'DELETE') user = undefined;
		return answered(200, { data: { success: true, uid: USER } });
	};
	const replyTo = ({ method, url, qs = {}, body }: HttpRequest): Reply | undefined => {
		const isUser = method === 'POST' ? url.endsWith('/users') : /\/users\/[^/]+$/.test(url);
		if (isUser) return replyToUser(method);
		const spare = { uid: SPARE_UID, name: made };
		if (method === 'POST' && url.endsWith('/agents')) {
			made = isRecord(body) ? String(body.name) : '';
			return answered(200, { agent: { ...spare, name: made } });
		}
		if ('search' in qs) return answered(200, { data: made === qs.search ? [spare] : [] });
		if (method !== 'DELETE' || !url.endsWith(SPARE_UID)) return undefined;
		if (failures-- > 0) return answered(503, {});
		made = undefined;
		return answered(200, { success: true });
	};
	return { replyTo, made: () => [made ?? [], user ?? []].flat() };
}

/** Runs the whole probe against the stand-in, with nothing of this machine but its sockets. */
async function probe(circumstances: Circumstances = {}) {
	const options = { ...OWN, ...circumstances.service };
	const service = services.get(JSON.stringify(options)) ?? (await startService(options));
	services.set(JSON.stringify(options), service);
	service.reset();
	const noSuchType = { for: { sourceType: 'no-such-type' }, status: 400, message: 'No such type' };
	service.script(...(circumstances.rules ?? []), { ...noSuchType, times: Infinity });
	// The second file is surely added before it is indexed, and the third is the broken one.
	service.scriptIndexing({}, { ms: Infinity }, { ends: 'failed' });
	const agents = agentMaker(circumstances.failingDeletes ?? 0);
	const replyTo = async (request: HttpRequest): Promise<Reply> => {
		if (![HOST, UPLOADS].some((origin) => request.url.startsWith(origin))) {
			return { kind: 'network failure', code: 'ENOTFOUND', text: '' };
		}
		const url = request.url
			.replace(`${HOST}/v3`, service.baseUrl)
			.replace(UPLOADS, service.uploadOrigin);
		const made = agents.replyTo(request);
		const reply = made ?? (await sendOnce({ ...request, url }, 5000));
		if (reply.kind === 'network failure') return reply;
		// With other addresses for the bytes: the stand-in's own are not encrypted.
		const text = JSON.stringify(reply.body).split(service.uploadOrigin).join(UPLOADS);
		const headers = { ...reply.headers, 'x-rate-limit-remaining': '480' };
		return { ...reply, headers, body: JSON.parse(text) };
	};

	const fields = { region: 'us', appId: 'app1', apiKey: KEY };
	const account = readAccount(fields);
	if (account instanceof ValidationIssue) throw new Error(account.what);
	const [printed, sent, pausesMs]: [string[], HttpRequest[], number[]] = [[], [], []];
	const saved = new Map<string, string>();
	let ids = 0;
	const { filesMayBeMade = true, crawlTwice = true, interruptedAt = Infinity } = circumstances;
	const site = 'site' in circumstances ? circumstances.site : SITE;
	const asked = new Probe(
		{ fields, account, filesMayBeMade, site: site === undefined ? site : given(site), crawlTwice },
		{
			send: async (request) => {
				const at = sent.push(request);
				const reply = await replyTo(request);
				if (at === circumstances.breaksAt) throw new Error('a step failed');
				const lost = { kind: 'network failure' as const, code: 'ECONNRESET', text: '' };
				return at === circumstances.losesAt ? lost : reply;
			},
			pause: async (waitMs) => {
				pausesMs.push(waitMs);
				if (waitMs >= 1000) await sleep(8);
			},
			nowMs: () => pausesMs.reduce((sum, waitMs) => sum + waitMs, 0),
			newId: () => `00000000-0000-4000-8000-${String((ids += 1)).padStart(12, '0')}`,
			print: (line) => void printed.push(line),
			save: (fileName, text) => void saved.set(fileName, text),
			isInterrupted: () => sent.length >= interruptedAt,
		},
	);
	const report = await runProbe(asked);
	printed.push(...summaryLines(report));
	const shown = [...printed, JSON.stringify(report), ...saved.keys(), ...saved.values()].join('\n');
	const records = service.records().map(({ uniqueId }) => uniqueId);
	const leftBehind = [agents.made(), records.filter((id) => !id.startsWith('550e8400'))].flat();
	const of = (word: string) =>
		report.findings.filter(({ verdict }) => verdict === word).map(({ id }) => id);
	const verdicts = { no: of('does not hold'), open: of('could not tell') };
	return { report, verdicts, printed, saved, shown, pausesMs, sent, leftBehind, service };
}

const always = (rule: Rule): Circumstances => ({ rules: [{ ...rule, times: Infinity }] });
const of = (operation: NonNullable<NonNullable<Rule['for']>['operation']>) => ({ operation });

test('Every question is answered, and every choice holds where the service is as we took it', async () => {
	const { report, verdicts, leftBehind, saved, service, sent } = await probe();
	expect(report.findings.map(({ id }) => id)).toEqual(Object.keys(QUESTIONS));
	expect(verdicts).toEqual({ no: [], open: [] });
	expect([exitCodeOf(report), report.left, leftBehind]).toEqual([0, [], []]);
	expect(JSON.parse(saved.get('listed.json') ?? '')).toMatchObject({ verdict: 'holds' });
	// Nothing else is changed than what it has made.
	const changed = new Set(service.requests().flatMap(({ uid }) => uid ?? []));
	expect(changed).toEqual(new Set([SPARE_UID, UNKNOWN_UID]));
	const writes = sent.filter(({ method, url }) => method !== 'GET' && !url.endsWith('/poll'));
	expect(JSON.stringify(writes)).not.toMatch(/550e8400|support-bot/);
	expect([service.records().length, service.agents().length]).toEqual([2, 2]);
});

test.each<[Circumstances, string[]]>([
	[
		{
			...always({ for: of('records'), body: '{"data":[{"uniqueId":" a","type":"uploads"}]}' }),
			site: undefined,
		},
		['record-ids', 'listed'],
	],
	[
		always({ for: { sourceType: 'website' }, status: 400, message: 'No such type' }),
		['source-types', 'website-adding'],
	],
	[{ service: { uploads: { contentType: 'application/pdf' } } }, ['sending-bytes']],
	[
		always({ for: of('poll'), status: 400 }),
		['when-indexed', 'same-name', 'website-status', 'unknown-status'],
	],
	[{ service: { answering: { in: 'nowhere', users: [USER] } } }, ['asking']],
	[always({ for: of('deleteMessage'), status: 403 }), ['asking']],
	[always({ for: of('listUsers'), body: '{"data":[]}' }), ['user-list']],
	[{ service: { agentLists: 'otherIds' } }, ['website-adding', 'agent-files']],
	[{ service: { crawling: { answersEarly: true } } }, ['crawling', 'second-crawl']],
	[always({ for: of('crawl'), status: 400 }), ['crawling']],
	[always({ for: of('discoveredUrls'), body: '{"data":{}}' }), ['website-pages', 'found-pages']],
	[always({ for: of('processUrls'), status: 400 }), ['found-pages']],
	[always({ for: of('retryUrls'), status: 400 }), ['page-retry', 'second-crawl']],
	[{ service: { lagsMs: { texts: 60_000 } } }, ['text-changing']],
	[
		always({ for: of('getText'), body: '{"data":{}}' }),
		['text-statuses', 'text-alone', 'text-changing'],
	],
	[{ service: { agentLists: 'missing' } }, ['agent-alone']],
	[always({ for: { ...of('agent'), uid: UNKNOWN_UID }, status: 400 }), ['agent-alone']],
	[
		always({ for: of('pages'), body: '{"data":{"pages":[]}}' }),
		['source-pages', 'unfinished-pages'],
	],
	[always({ for: of('retryUrls'), status: 200, body: '{"success":true}' }), ['page-retry']],
	[{ service: { deleting: 'keepAttached' } }, ['website-deleting', 'deleting']],
])('Given %j, these choices do not hold: %j', async (circumstances, ids) => {
	const { report, verdicts } = await probe(circumstances);
	expect([verdicts.no, exitCodeOf(report), report.left]).toEqual([ids, 1, []]);
});

test('Where files may not be made, it says so, and makes none', async () => {
	const { sent, printed, leftBehind } = await probe({ filesMayBeMade: false });
	expect(
		sent.filter(({ url }) => /\/(?:initiate|text|users|messages)$|^https:..uploads/.test(url)),
	).toEqual([]);
	expect(printed.join()).toContain('allow it with --files-may-be-made');
	expect(leftBehind).toEqual([]);
});

describe('Of websites', () => {
	const crawls = ({ sent }: Awaited<ReturnType<typeof probe>>) =>
		sent.filter(({ url }) => url.endsWith('/scrape')).map(({ body }) => body);

	test.each<[Circumstances, number, string]>([
		[{}, 2, ''],
		[{ service: { crawling: { secondScrape: 'second' } } }, 2, ''],
		[{ service: { crawling: { indexesAtOnce: true, sourceName: 'withSlash' } } }, 2, ''],
		[{ crawlTwice: false }, 1, 'allow it with --crawl-twice'],
		[{ site: undefined }, 0, 'name one of yours with --site'],
		[{ service: { records: [{ sourceName: SITE, type: 'website' }] } }, 0, 'name another page'],
	])('given %j, one page is crawled %i times', async (circumstances, times, why) => {
		const asked = await probe(circumstances);
		const one = { url: SITE, maxDepth: 1, maxPages: 1, include: [], exclude: [] };
		expect(crawls(asked)).toEqual(Array(times).fill({ ...one, fetchSitemap: false }));
		expect(asked.printed.join()).toContain(why);
		expect([asked.verdicts.no, asked.report.left]).toEqual([[], []]);
		expect(asked.leftBehind.length).toBe(times === 0 && why.endsWith('page') ? 1 : 0);
	});

	test('one of the address that was there before, and is listed late, is not deleted', async () => {
		let isCrawled = false;
		const isSite = (record: unknown) => isRecord(record) && record.sourceName === SITE;
		const records = [
			{ uniqueId: FILE, sourceName: 'a.pdf' },
			{ uniqueId: FILE.replace(/0$/, '1'), sourceName: SITE, type: 'website' as const },
		];
		const crawled = (body: unknown) => {
			isCrawled = true;
			return body;
		};
		const late = (body: unknown) => {
			const { data, ...rest } = Object(body);
			return { ...rest, data: isCrawled ? data : data.filter((one: unknown) => !isSite(one)) };
		};
		const { service, report } = await probe({
			service: { records },
			rules: [
				{ for: of('crawl'), status: 500, transform: crawled },
				{ for: of('records'), times: Infinity, transform: late },
			],
		});
		expect(service.records().map(({ uniqueId }) => uniqueId)).toEqual(
			records.map(({ uniqueId }) => uniqueId),
		);
		expect(report.left).toEqual([expect.stringMatching(/^Perhaps there is the website/)]);
	});
});

test.each<[string, Rule]>([
	['it comes near the rate limit', { headers: { 'x-ratelimit-remaining': '9' } }],
	['its key is refused', { status: 401 }],
])('It stops after one request where %s', async (_, rule) => {
	const { report } = await probe({ rules: [rule] });
	expect([report.requests, exitCodeOf(report)]).toEqual([1, 1]);
});

describe('Nothing is left behind', () => {
	/** Of what was refused nobody can know that, if the answer is lost. */
	const REFUSED =
		/^Perhaps there is the (?:upload "\S+large\.pdf"|text "\S+long-text-+…"|website ")/;

	test('whichever making or deletion is the last before Ctrl-C, is lost, or breaks', async () => {
		const { sent } = await probe();
		const places = sent.flatMap(({ method, url }, index) =>
			method === 'DELETE' || (method === 'POST' && !url.endsWith('/poll')) ? [index + 1] : [],
		);
		expect(places.length).toBeGreaterThan(15);
		for (const at of places) {
			const stopped = await probe({ interruptedAt: at });
			expect([stopped.leftBehind, stopped.report.left]).toEqual([[], []]);
			if (sent[at - 1]?.method === 'POST') {
				expect(stopped.report.halted).toBe('the probe was interrupted');
				expect(exitCodeOf(stopped.report)).toBe(1);
			}
			const lost = await probe({ losesAt: at });
			expect(lost.leftBehind).toEqual([]);
			expect(lost.report.left.filter((sentence) => !REFUSED.test(sentence))).toEqual([]);
			expect((await probe({ breaksAt: at })).leftBehind).toEqual([]);
		}
	}, 300_000);

	const unread = { apply: true, body: '{"success":true}', times: Infinity };
	const lostText = { for: of('createText'), drop: 'afterApplying' as const };
	test.each<[string, Circumstances]>([
		['no making is answered readably', { rules: [{ ...unread, for: of('initiate') }] }],
		['deletes fail for a while', { rules: [{ for: of('deleteUpload'), status: 503, times: 4 }] }],
		['the agent cannot be deleted at first', { failingDeletes: 2 }],
		['a list wants more', { service: { startAndEnd: 'require' }, rules: [lostText] }],
		['the rate is limited', { rules: [{ for: of('add'), status: 429, retryAfter: '7' }] }],
	])('also if %s', async (_, circumstances) => {
		const { leftBehind, report, pausesMs } = await probe(circumstances);
		expect([leftBehind, report.left]).toEqual([[], []]);
		expect(pausesMs.includes(7000)).toBe(report.halted?.includes('limits the rate') ?? false);
	});

	const notFound = { for: of('deleteText'), status: 404 };
	const unlisted = { for: of('records'), status: 403 };
	test.each<[string, Circumstances, RegExp]>([
		[
			'cannot be deleted',
			always({ for: of('deleteText'), status: 403 }),
			/^The text "n8n-probe-\S+" \([\da-f-]{36}\) is still there: delete it/,
		],
		[
			'is not found, and no list can be read',
			{
				rules: [
					{ ...notFound, times: Infinity },
					{ ...unlisted, times: Infinity },
				],
			},
			/^The text "[^"]+" \S+ may be still there/,
		],
		[
			'is said to be deleted, and still listed',
			always({ for: of('deleteText'), body: '{"success":true}' }),
			/^The text "[^"]+" \S+ is still there/,
		],
		[
			'is an agent that cannot be deleted',
			{ failingDeletes: Infinity },
			/^The agent "n8n-probe-\S+-agent" \(7d3c0f52-\S+\) is still there: delete it/,
		],
	])('or it names what %s', async (_, circumstances, sentence) => {
		const { report, printed } = await probe(circumstances);
		expect(report.left[0]).toMatch(sentence);
		expect(printed.join('\n')).toContain(`  ${report.left[0]}`);
		expect(exitCodeOf(report)).toBe(2);
	});
});

describe('Neither printed nor saved', () => {
	const ADDRESS = `${UPLOADS}/a.txt?X-Amz-Credential=AKIDEXAMPLE&X-Amz-Signature=${'5ec2e7'.repeat(9)}`;
	const [MASKED, UPPER] = [`${KEY.slice(0, 5)}…${KEY.slice(-5)}`, KEY.toUpperCase()];

	const XML = `<Code>AccessDenied</Code><AWSAccessKeyId>private</AWSAccessKeyId>${ADDRESS}`;

	test.each<[string, Circumstances]>([
		['of the account, as it is', {}],
		['that the upload host repeats', always({ for: of('upload'), status: 403, body: XML })],
		[
			'in a message',
			always({ status: 400, message: `${ADDRESS} a.test?sig=5ec2e7 ${MASKED} ${UPPER}` }),
		],
		['as a code', always({ status: 400, code: KEY })],
		['of a site', always({ for: of('crawl'), status: 400, message: `Not read: ${SITE}?a=b` })],
		['in a page', always({ status: 500, body: `<title>${KEY} ${ADDRESS}</title>` })],
		['as ID', always({ for: of('createText'), body: `{"data":{"uniqueId":"${KEY}"}}` })],
		['as status', always({ for: of('poll'), body: `{"data":{"${ADDRESS}":"${KEY}"}}` })],
	])('is a key or upload address %s', async (_, circumstances) => {
		const { shown, service, sent } = await probe(circumstances);
		expect(shown.toLowerCase()).not.toContain(KEY.slice(0, 5));
		expect(shown.toLowerCase()).not.toContain(KEY.slice(-5));
		expect(shown).not.toMatch(/X-Amz-|uploads\.test|5ec2e7|private|support-bot|550e8400|docs\.ex/i);
		for (const { path } of service.uploads()) {
			const { searchParams } = new URL(path, UPLOADS);
			expect(shown).not.toContain(searchParams.get('X-Amz-Signature'));
			expect(shown).not.toContain(searchParams.get('X-Amz-Credential')?.split('/')[0]);
		}
		const elsewhere = sent.filter(({ url }) => !url.startsWith(`${HOST}/v3/`));
		expect(JSON.stringify(elsewhere)).not.toContain(KEY);
	});
});
