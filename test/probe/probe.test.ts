import { readFileSync } from 'node:fs';

import { readAccount } from '../../nodes/CometChatKnowledgeBase/account/account';
import type { Rule, Service, ServiceOptions } from '../service/service';
import { startService } from '../service/service';
import type { Sent } from './client';
import { Client, sendOnce } from './client';
import { page } from './page';
import { SUBJECTS } from './questions';
import { exitCodeOf, runProbe, summaryLines } from './run';

const KEY = 'abcdef0123456789'.repeat(2);
const SITE = 'https://docs.example.com/start';

/** Users of the app, and agents that were deleted: the stand-in adds and deletes none of these. */
const [users, deleted]: [string[], string[]] = [[], []];

/** What the person has. */
const OPTIONS: ServiceOptions = {
	apiKey: KEY,
	authKey: 'f'.repeat(32),
	agents: [{ uid: 'own-bot', name: 'A private bot' }],
	records: [{ uniqueId: 'own-file', sourceName: 'a private name.pdf' }],
	sites: { 'https://docs.example.com': { pages: [{ url: SITE }] } },
	indexing: { ms: 10 },
	answering: { ms: 10, users },
	unknownFiles: 'refuse',
	hiddenAgents: deleted,
};

let service: Service;
beforeAll(async () => (service = await startService(OPTIONS)));
afterAll(async () => await service.stop());

/** Undefined where the stand-in answers by itself. */
function added({ method, url, body = '{}' }: Sent) {
	const [, kind, id = ''] = /\/(users|agents)(?:\/([^/]+))?$/.exec(url) ?? [];
	if (kind === 'users' && method === 'POST') users.push(JSON.parse(body).uid);
	else if (kind === 'agents' && method === 'DELETE') deleted.push(id);
	else if (kind === 'users' && method === 'DELETE') users.splice(0);
	else return undefined;
	return { status: 200, headers: {}, body: { success: true, data: { uid: users[0] } } };
}

/** What happens meanwhile. */
interface Circumstances {
	rules?: Rule[];
	mayMake?: boolean;
	/** The request, counted from 1, at which the person stops it, or whose answer is lost. */
	stoppedAt?: number;
	lostAt?: number;
}

/** Runs the whole probe against the stand-in. */
async function probe({ rules = [], mayMake = true, stoppedAt, lostAt }: Circumstances = {}) {
	service.reset();
	service.script(...rules);
	service.scriptIndexing({}, { ends: 'failed' });
	for (const list of [users, deleted]) list.splice(0);
	const account = readAccount({ region: 'custom', baseUrl: service.baseUrl, apiKey: KEY });
	if ('what' in account) throw new Error(account.what);
	const [sent, printed]: [Sent[], string[]] = [[], []];
	const client = new Client(account, {
		send: async (request) => {
			const at = sent.push(request);
			const reply = added(request) ?? (await sendOnce(request));
			return at === lostAt ? { status: 0, headers: {}, body: '' } : reply;
		},
		pause: async (ms) => await new Promise((done) => setTimeout(done, ms < 1000 ? 0 : 12)),
		print: (line) => void printed.push(line),
		isStopped: () => sent.length === stoppedAt,
	});
	const report = await runProbe(client, 'test', { throwaways: mayMake, site: SITE });
	printed.push(...summaryLines(report));
	const agents = service.agents().filter(({ uid }) => !deleted.includes(uid));
	const there = [...agents.map(({ uid }) => uid), ...service.records().map((one) => one.uniqueId)];
	const behind = [...there, ...users].filter((id) => !id.startsWith('own-'));
	const otherwise = report.findings.filter(({ verdict }) => verdict === 'otherwise');
	return {
		...report,
		printed: printed.join('\n'),
		sent,
		behind,
		otherwise,
		code: exitCodeOf(report),
	};
}

test('docs/not-verified.md is what the table gives (npm run probe -- --page writes it)', () => {
	expect(readFileSync('docs/not-verified.md', 'utf8')).toBe(page());
});

test('Where the service is as we took it, each answer is as expected, and nothing is left or changed', async () => {
	const { findings, sent, left, behind, printed, code } = await probe();
	const asked = SUBJECTS.flatMap(({ questions }) => questions).filter(({ steps }) => steps.length);
	expect(findings.map(({ question }) => question)).toEqual(asked.map(({ question }) => question));
	expect(findings.filter(({ verdict }) => verdict !== 'as expected')).toEqual([]);
	expect([left, behind, code]).toEqual([[], [], 0]);
	expect(JSON.stringify(sent.filter(({ method }) => method !== 'GET'))).not.toContain('own-');
	expect(printed).not.toMatch(/abcdef|private|own-|docs\.ex/);
	const elsewhere = sent.filter(({ url }) => !url.startsWith(service.baseUrl));
	expect(elsewhere.length).toBeGreaterThan(0);
	expect(JSON.stringify(elsewhere)).not.toContain(KEY);
});

test('What is otherwise is told, with what to do', async () => {
	const rules = [{ for: { operation: 'upload' as const }, status: 403 }];
	const { otherwise, printed, code } = await probe({ rules });
	expect(otherwise.map(({ advice }) => advice)).toEqual([expect.stringContaining('_Add Files_')]);
	expect([code, printed]).toEqual([1, expect.stringContaining('200  _Add Files_')]);
});

test('Without leave nothing is sent but questions', async () => {
	const { sent, printed } = await probe({ mayMake: false });
	expect(new Set(sent.map(({ method }) => method))).toEqual(new Set(['GET']));
	expect(printed).toContain('which you have not allowed');
});

test.each([{ status: 401 }, { headers: { 'x-ratelimit-remaining': '9' } }])(
	'After the answer %j nothing more is asked',
	async (rule) => {
		const { sent, code } = await probe({ rules: [rule] });
		expect([sent.length, code]).toEqual([1, 1]);
	},
);

test('Nothing is left whichever making is the last before Ctrl-C, or has its answer lost', async () => {
	const { sent } = await probe();
	const makings = sent.flatMap(({ method, body = '' }, index) =>
		method === 'POST' && body.includes('-safe-to-delete-') ? [index + 1] : [],
	);
	expect(makings).toHaveLength(7);
	for (const at of makings) {
		const stopped = await probe({ stoppedAt: at });
		expect([stopped.behind, stopped.left, stopped.code]).toEqual([[], [], 1]);
		const lost = await probe({ lostAt: at });
		expect([lost.behind, lost.left]).toEqual([[], []]);
	}
});

test('What cannot be deleted is named', async () => {
	const rules = [{ for: { operation: 'deleteText' as const }, status: 403, times: Infinity }];
	const { left, printed, code } = await probe({ rules });
	expect(left).toEqual([
		expect.stringMatching(/^The text "n8n-probe-test-\S+" \(\S+\) is still there/),
	]);
	expect([code, printed]).toEqual([2, expect.stringContaining(left[0] ?? '')]);
});

test('No key, ID or signed address that the service repeats is printed', async () => {
	const message = `${KEY} ${KEY.toUpperCase()} https://a.test/?X-Amz-Signature=5ec2e7 ${SITE}`;
	const { printed } = await probe({
		rules: [{ status: 400, code: KEY, message, times: Infinity }],
	});
	expect(printed).toContain('400');
	expect(printed).not.toMatch(/abcdef|5ec2e7|X-Amz|docs\.ex/i);
});
