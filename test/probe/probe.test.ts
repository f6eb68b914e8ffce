import { sleep } from 'n8n-workflow';

import { readAccount } from '../../nodes/CometChatKnowledgeBase/http/account';
import type { Rule, Service } from '../service/service';
import { startService } from '../service/service';
import type { Sent } from './client';
import { Client, sendOnce } from './client';
import { page, subjectsIn } from './questions';
import { exitCodeOf, runProbe, summaryLines } from './run';

const { readFileSync } = jest.requireActual<typeof import('node:fs')>('node:fs');
const TABLE = readFileSync('test/probe/questions.txt', 'utf8');

const KEY = 'abcdef0123456789'.repeat(2);
const SITE = 'https://docs.example.com/start';

/** The app users, because the simulation itself creates and deletes none. */
const users: string[] = [];

let service: Service;

beforeAll(async () => {
	service = await startService({
		apiKey: KEY,
		authKey: 'f'.repeat(32),
		agents: [{ uid: 'own-bot', name: 'A private bot' }],
		records: [{ uniqueId: 'own-file', sourceName: 'a private name.pdf' }],
		sites: { 'https://docs.example.com': { pages: [{ url: SITE }] } },
		indexing: { ms: 10 },
		pages: { 'n8n-probe-test-safe-to-delete-u.txt': ['Grüße'] },
		answering: { ms: 10, users },
		unknownFiles: 'refuse',
	});
});
afterAll(async () => await service.stop());

/** Returns the response to a request for users; undefined for other requests, which the simulation answers. */
function added({ method, url, body = '{}' }: Sent) {
	if (!/\/users(?:\/[^/]+)?$/.test(url)) return undefined;
	if (method === 'POST') users.push(JSON.parse(body).uid);
	else if (method === 'DELETE') users.splice(0);
	else return undefined;
	return { status: 200, headers: {}, body: { data: { uid: users[0] } } };
}

/** Runs the whole probe. Optionally, it is stopped at a request, or its response is lost (counted from 1). */
async function probe({ rules = [] as Rule[], mayMake = true, stoppedAt = -1, lostAt = -1 } = {}) {
	service.reset();
	service.script(...rules);
	service.scriptIndexing({}, { ends: 'failed' });
	users.splice(0);
	const account = readAccount({ region: 'custom', baseUrl: service.baseUrl, apiKey: KEY });
	const [sent, printed]: [Sent[], string[]] = [[], []];
	const client = new Client(account, {
		send: async (request) => {
			const at = sent.push(request);
			const reply = added(request) ?? (await sendOnce(request));
			return at === lostAt ? { status: 0, headers: {}, body: '' } : reply;
		},
		pause: async (ms) => await sleep(ms < 1000 ? 0 : 12),
		print: (line) => void printed.push(line),
		isStopped: () => sent.length === stoppedAt,
	});
	const report = await runProbe(client, TABLE, 'test', mayMake, SITE);
	printed.push(...summaryLines(report));
	const agents = service.agents().map(({ uid }) => uid);
	const ids = [...agents, ...users, ...service.records().map(({ uniqueId }) => uniqueId)];
	const behind = ids.filter((id) => !id.startsWith('own-'));
	return { ...report, printed: printed.join('\n'), sent, behind, code: exitCodeOf(report) };
}

test('docs/not-verified.md is made from the table (npm run probe -- --page)', () => {
	expect(readFileSync('docs/not-verified.md', 'utf8')).toBe(page(TABLE));
});

test('If the service behaves as assumed, each answer is as expected, and nothing is left', async () => {
	const { findings, sent, left, behind, printed, code } = await probe();
	const asked = subjectsIn(TABLE)
		.flatMap(({ questions }) => questions)
		.filter(({ steps }) => steps.length);
	expect(findings.map(({ question }) => question)).toEqual(asked);
	expect(findings.filter(({ verdict }) => verdict !== 'as expected')).toEqual([]);
	expect([left, behind, code]).toEqual([[], [], 0]);
	expect(JSON.stringify(sent.filter(({ method }) => method !== 'GET'))).not.toContain('own-');
	expect(printed).not.toMatch(/abcdef|private|own-|docs\.ex/);
	const elsewhere = JSON.stringify(sent.filter(({ url }) => !url.startsWith(service.baseUrl)));
	expect([elsewhere.includes('PUT'), elsewhere.includes(KEY)]).toEqual([true, false]);
});

test('A different answer is reported with advice', async () => {
	const { findings, printed, code } = await probe({
		rules: [{ for: { operation: 'upload' }, status: 403 }],
	});
	expect(findings.filter(({ verdict }) => verdict === 'otherwise')).toHaveLength(1);
	expect([code, printed]).toEqual([1, expect.stringContaining('use _Add Files_. (201; 403; 200)')]);
});

test('Without permission, it only reads', async () => {
	const { sent, printed } = await probe({ mayMake: false });
	expect([...new Set(sent.map(({ method }) => method))]).toEqual(['GET']);
	expect(printed).toContain('you have not allowed it');
});

test.each([{ status: 401 }, { headers: { 'x-ratelimit-remaining': '9' } }])(
	'After the answer %j nothing more is asked',
	async (rule) => {
		const { sent, code } = await probe({ rules: [rule] });
		expect([sent.length, code]).toEqual([1, 1]);
	},
);

test('Nothing is left after Ctrl-C or a lost response at any creation', async () => {
	const { sent } = await probe();
	const makings = sent.flatMap(({ method, body = '' }, index) =>
		method === 'POST' && body.includes('-safe-to-delete-') ? [index + 1] : [],
	);
	expect(makings).toHaveLength(11);
	for (const at of makings) {
		const stopped = await probe({ stoppedAt: at });
		expect([stopped.behind, stopped.left, stopped.code]).toEqual([[], [], 1]);
		const lost = await probe({ lostAt: at });
		expect([lost.behind, lost.left]).toEqual([[], []]);
	}
});

test('An undeleted object is named', async () => {
	const { left, printed, code } = await probe({
		rules: [{ for: { operation: 'deleteText' }, status: 403, times: Infinity }],
	});
	const named = expect.stringMatching(
		/^The text "n8n-probe-test-\S+" \(\S+\) is still in CometChat/,
	);
	expect([left, code, printed]).toEqual([[named], 2, expect.stringContaining(String(left))]);
});

test('No key and no URL that the service repeats is printed', async () => {
	const message = `${KEY} ${KEY.toUpperCase()} https://a.test/?X-Amz-Signature=5ec2e7 ${SITE}`;
	const refused = { for: { operation: 'crawl' as const }, status: 400, code: KEY, message };
	const { printed } = await probe({ rules: [refused] });
	expect(printed).toContain('(400 ');
	expect(printed).not.toMatch(/abcdef|5ec2e7|X-Amz|docs\.ex/i);
});
