import { readFileSync } from 'node:fs';

import { readAccount } from '../../nodes/CometChatKnowledgeBase/account/account';
import type { Rule, ServiceOptions } from '../service/service';
import { startService } from '../service/service';
import type { Sent } from './client';
import { Client } from './client';
import { page } from './page';
import { QUESTIONS } from './questions';
import { exitCodeOf, runProbe, summaryLines } from './run';

const KEY = 'abcdef0123456789'.repeat(2);
const SITE = 'https://docs.example.com/start';
const SIGNED = `https://a.test/?X-Amz-Signature=5ec2e7 ${KEY}`;

/** What the person has, and where nobody knows: what the probe expects. */
const OWN = {
	apiKey: KEY,
	authKey: 'f'.repeat(32),
	agents: [{ uid: 'own-bot', name: 'A private bot' }],
	records: [{ uniqueId: 'own-file', sourceName: 'a private name.pdf' }],
	sites: { 'https://docs.example.com': { pages: [{ url: SITE }] } },
	indexing: { ms: 10 },
	unknownFiles: 'refuse' as const,
};

/** How the service is, and what happens meanwhile. */
interface Circumstances {
	service?: Partial<ServiceOptions>;
	rules?: Rule[];
	mayMake?: boolean;
	/** The request, counted from 1, at which the person stops it, or whose answer is lost. */
	stoppedAt?: number;
	lostAt?: number;
}

/** Runs the whole probe against the stand-in, to which it adds that users are made, and agents deleted. */
async function probe({ service: odd, rules = [], ...circumstances }: Circumstances = {}) {
	const [users, deleted, sent, printed]: [string[], string[], Sent[], string[]] = [[], [], [], []];
	const answering = { ms: 10, users, ...odd?.answering };
	const service = await startService({ ...OWN, hiddenAgents: deleted, ...odd, answering });
	service.script({ for: { sourceType: 'no-such-type' }, status: 400 }, ...rules);
	service.scriptIndexing({}, { ends: 'failed' });
	const added = ({ method, url, body = '{}' }: Sent) => {
		const [, kind, id = ''] = /\/(users|agents)(?:\/([^/]+))?$/.exec(url) ?? [];
		if (kind === 'users' && method === 'POST') users.push(JSON.parse(body).uid);
		else if (kind === 'agents' && method === 'DELETE') deleted.push(id);
		else if (kind === 'users' && method === 'DELETE') users.splice(0);
		else return undefined;
		return { status: 200, headers: {}, body: { success: true, data: { uid: users[0] } } };
	};
	const account = readAccount({ region: 'custom', baseUrl: service.baseUrl, apiKey: KEY });
	if ('what' in account) throw new Error(account.what);
	const client = new Client(account, {
		send: async ({ url, ...request }) => {
			const at = sent.push({ url, ...request });
			const given = added({ url, ...request }) ?? (await answerOf(url, request));
			return at === circumstances.lostAt ? { status: 0, headers: {}, body: '' } : given;
		},
		pause: async (ms) => await new Promise((done) => setTimeout(done, ms < 1000 ? 0 : 12)),
		print: (line) => void printed.push(line),
		isStopped: () => sent.length >= (circumstances.stoppedAt ?? Infinity),
	});
	const allowed = { throwaways: circumstances.mayMake ?? true, site: SITE };
	const report = await runProbe(client, 'test', allowed);
	await service.stop();
	printed.push(...summaryLines(report));
	const agents = service.agents().map(({ uid }) => uid);
	const records = service.records().map(({ uniqueId }) => uniqueId);
	const there = [...agents.filter((uid) => !deleted.includes(uid)), ...records, ...users];
	const behind = there.filter((id) => !id.startsWith('own-'));
	const questions = (word: string) =>
		report.findings.filter(({ verdict }) => verdict === word).map(({ question }) => question);
	return { report, printed: printed.join('\n'), sent, behind, questions };
}

async function answerOf(url: string, request: Omit<Sent, 'url'>) {
	const answer = await fetch(url, request);
	const text = await answer.text();
	const body = text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text;
	return { status: answer.status, headers: Object.fromEntries(answer.headers), body };
}

test('Where the service is as we took it, each question is answered as expected, and nothing stays', async () => {
	const { report, sent, behind, printed } = await probe();
	expect(printed).toBe('');
});
