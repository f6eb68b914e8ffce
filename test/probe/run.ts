import { randomUUID } from 'node:crypto';

import { Redaction } from '../../nodes/CometChatKnowledgeBase/account/redaction';
import type { Answer } from './answer';
import type { Client, Step } from './client';
import { NotAsked } from './client';
import type { Question } from './questions';
import { QUESTIONS, RECORDS } from './questions';
import { Throwaways } from './throwaways';

/** What the person has allowed. */
export interface Allowed {
	/** Making throwaways, which are deleted again. */
	throwaways: boolean;
	/** Crawling this page. */
	site?: string;
}

/** What one question has brought to light, without anything of the account. */
interface Finding {
	question: string;
	verdict: (typeof VERDICTS)[number];
	/** What to do, or why it was not asked to the end. */
	advice?: string;
	/** What has come. */
	told: string[];
}

const VERDICTS = ['as expected', 'otherwise', 'could not tell'] as const;

export interface Report {
	findings: Finding[];
	/** Why the probe stopped early. */
	halted?: string;
	/** What is, or may be, still there. */
	left: string[];
}

/** Asks one question after another, and deletes all that was made however that ends. */
export async function runProbe(client: Client, mark: string, allowed: Allowed): Promise<Report> {
	const { names, machine } = client;
	names.set('mark', `n8n-probe-${mark}-safe-to-delete-`).set('unknown', randomUUID());
	// Of its own for this run, so that no website of the account is ever taken for the probe's.
	if (allowed.site) names.set('site', `${allowed.site.split('#')[0]}?${names.get('mark')}site`);
	const throwaways = new Throwaways(client);
	const findings: Finding[] = [];
	try {
		for (const question of Object.values(QUESTIONS).flat()) {
			if (question.steps === undefined) continue;
			const finding = await find(question, client, throwaways, allowed);
			findings.push(finding);
			for (const line of linesOf(finding)) machine.print(line);
			// The first tells whether there is a service, and whether it knows the key.
			if (findings.length > 1 || finding.verdict === 'as expected') continue;
			client.halted ??= 'without a list of agents nothing else can be asked';
		}
	} finally {
		await throwaways.deleteAll();
	}
	return { findings, halted: client.halted, left: throwaways.left() };
}

async function find(
	{ question, steps = [], expected, otherwise }: Question,
	client: Client,
	throwaways: Throwaways,
	allowed: Allowed,
): Promise<Finding> {
	const answers: Answer[] = [];
	const found = (verdict: Finding['verdict'], advice?: string): Finding => {
		return { question, verdict, advice, told: answers.map((one) => toldBy(one, client)) };
	};
	try {
		for (const given of steps) {
			const step = typeof given === 'string' ? { send: given } : given;
			await throwUnlessAllowed(step, client, allowed);
			answers.push(await throwaways.send(step));
		}
		const isExpected = expected?.(...answers);
		if (isExpected) return found('as expected');
		const isOpen = isExpected === undefined || answers.some(({ saysNothing }) => saysNothing);
		return isOpen ? found('could not tell') : found('otherwise', otherwise);
	} catch (thrown) {
		return found('could not tell', thrown instanceof NotAsked ? thrown.message : 'it failed');
	}
}

async function throwUnlessAllowed({ send }: Step, client: Client, allowed: Allowed): Promise<void> {
	if (!allowed.throwaways && !send.startsWith('GET ')) {
		throw new NotAsked('it needs throwaways, which you have not allowed');
	}
	if (!send.includes('/website/scrape')) return;
	const { site } = allowed;
	if (site === undefined) throw new NotAsked('name a page to crawl: --site https://…');
	const { entries = [site] } = await client.send({ send: RECORDS });
	if (JSON.stringify(entries).includes(new URL(site).host)) {
		throw new NotAsked('the account has something of this site: name another page');
	}
}

/** An ID, an address, a signature: what a person reads is shorter, but for codes. */
const LONG_WORD = /https?:[^\s"']+|[^\s"'<>,:{}[\]]{25,}/gi;

/** The status, and the code and words of the service. */
function toldBy(answer: Answer, { account }: Client): string {
	const words = ['error/code', 'code', 'error/message', 'message'].map((name) => answer.text(name));
	const text = [answer.status, ...words].filter((word) => word !== '').join(' ');
	const keyless: string = new Redaction(account).text(text);
	return keyless.replace(LONG_WORD, (word) => (/^[A-Z_]+$/.test(word) ? word : '…')).slice(0, 300);
}

function linesOf({ question, verdict, advice = '', told }: Finding): string[] {
	const below = verdict === 'as expected' ? [] : [advice, told.join('; ')];
	return [`${verdict.padEnd(16)}${question}`, ...below.map((line) => `${' '.repeat(16)}${line}`)];
}

/** What stands below the lines of the single questions. */
export function summaryLines({ findings, halted, left }: Report): string[] {
	const counts = VERDICTS.map((word) => {
		return `${findings.filter(({ verdict }) => verdict === word).length} ${word}`;
	});
	const early = halted === undefined ? '' : `; stopped early: ${halted}`;
	return [
		`${counts.join(', ')}${early}.`,
		...(left.length > 0 ? left : ['Nothing is left behind.']),
	];
}

/** 0: all is well. 1: something is otherwise, or was not asked. 2: something is left behind. */
export function exitCodeOf({ findings, halted, left }: Report): number {
	if (left.length > 0) return 2;
	const isWell = findings.every(({ verdict }) => verdict !== 'otherwise');
	return isWell && halted === undefined ? 0 : 1;
}
