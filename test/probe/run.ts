import { randomUUID } from 'node:crypto';

import { Redaction } from '../../nodes/CometChatKnowledgeBase/account/redaction';
import type { Answer } from './answer';
import type { Client, Step } from './client';
import { NotAsked } from './client';
import type { Question } from './questions';
import { SUBJECTS } from './questions';
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
	if (allowed.site) names.set('site', `${allowed.site}?${names.get('mark')}site`);
	const throwaways = new Throwaways(client);
	const findings: Finding[] = [];
	try {
		for (const question of SUBJECTS.flatMap(({ questions }) => questions)) {
			if (question.steps.length === 0) continue;
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
	{ question, steps, otherwise }: Question,
	client: Client,
	throwaways: Throwaways,
	allowed: Allowed,
): Promise<Finding> {
	const told: string[] = [];
	const [unmet, either]: [boolean[], boolean[]] = [[], []];
	let why: string | undefined;
	try {
		for (const step of steps) {
			await throwUnlessAllowed(step, client, allowed);
			const answer = await throwaways.send(step);
			told.push(toldBy(answer, client));
			for (const expected of step.expected) {
				if (expected.startsWith('?')) either.push(answer.is(expected.slice(1)));
				else if (!answer.is(expected)) unmet.push(saysNothing(step, answer));
			}
		}
	} catch (thrown) {
		why = thrown instanceof NotAsked ? thrown.message : 'it failed';
	}
	if (either.length > 0 && !either.includes(true)) unmet.push(false);
	if (unmet.includes(false)) return { question, verdict: 'otherwise', advice: otherwise, told };
	const isOpen = why !== undefined || unmet.length > 0;
	return { question, verdict: isOpen ? 'could not tell' : 'as expected', advice: why, told };
}

/** Nobody has answered, or somebody who is broken, busy or does not know the key. */
function saysNothing({ send }: Step, { status }: Answer): boolean {
	if (status === 0 || status >= 500) return true;
	return !send.startsWith('PUT ') && [401, 402, 403, 429].includes(status);
}

async function throwUnlessAllowed({ send }: Step, client: Client, allowed: Allowed): Promise<void> {
	if (!allowed.throwaways && !send.startsWith('GET ')) {
		throw new NotAsked('it needs throwaways, which you have not allowed');
	}
	if (!send.includes('/website/scrape')) return;
	const { site } = allowed;
	if (site === undefined) throw new NotAsked('name a page to crawl: --site https://…');
	const records = (await client.send('GET knowledge-base?limit=100')).at('data');
	if (JSON.stringify(records ?? site).includes(new URL(site).host)) {
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
