import { randomUUID } from 'node:crypto';
import { Redaction } from '../../nodes/CometChatKnowledgeBase/http/redaction';
import type { Answer } from './answer';
import type { Client } from './client';
import { NotAsked } from './client';
import type { Question, Step } from './questions';
import { subjectsIn } from './questions';
import { Throwaways } from './throwaways';

const VERDICTS = ['as expected', 'otherwise', 'could not tell'] as const;

interface Finding {
	question: Question;
	verdict: (typeof VERDICTS)[number];
	/** The reason if the question was not asked completely. */
	why?: string;
	answers: Answer[];
}

type Report = Awaited<ReturnType<typeof runProbe>>;

/** Asks all questions, and in any case deletes the documents that it created. */
export async function runProbe(
	client: Client,
	table: string,
	mark: string,
	mayMake: boolean,
	site?: string,
) {
	client.names.set('mark', `n8n-probe-${mark}-safe-to-delete-`).set('unknown', randomUUID());
	// A URL of this run only, so that the probe never deletes a website of the account.
	if (site !== undefined) client.names.set('site', `${site}?n8n-probe-${mark}-safe-to-delete-site`);
	const throwaways = new Throwaways(client);
	const findings: Finding[] = [];
	try {
		for (const question of subjectsIn(table).flatMap(({ questions }) => questions)) {
			if (question.steps.length === 0) continue;
			const finding = await find(question, async (step) => {
				if (!mayMake && !step.send.startsWith('GET '))
					throw new NotAsked('you have not allowed it');
				if (step.send.includes('/scrape')) await throwIfKnown(site, client);
				return await throwaways.send(step);
			});
			findings.push(finding);
			for (const line of linesOf(finding, client)) client.machine.print(line);
			// The first question shows whether the service responds and accepts the key.
			if (findings.length > 1 || finding.verdict === 'as expected') continue;
			client.halted ??= 'without a list of agents, no other question is possible';
		}
	} finally {
		await throwaways.deleteAll();
	}
	return { findings, halted: client.halted, left: throwaways.left() };
}

/** Refuses a known website, because a crawl could change its pages in the account. */
async function throwIfKnown(site: string | undefined, client: Client): Promise<void> {
	const documents = (await client.send('GET knowledge-base?limit=100')).at('data');
	if (site !== undefined && JSON.stringify(documents ?? site).includes(new URL(site).host)) {
		throw new NotAsked('your account already contains this website: enter another page');
	}
}

async function find(question: Question, send: (step: Step) => Promise<Answer>): Promise<Finding> {
	const answers: Answer[] = [];
	/** For each unmet expectation, whether its response proves nothing; and the results of expectations with `?`. */
	const [unmet, either]: [boolean[], boolean[]] = [[], []];
	let why: string | undefined;
	try {
		for (const step of question.steps) {
			const answer = await send(step);
			answers.push(answer);
			for (const expected of step.expected) {
				if (expected.startsWith('?')) either.push(answer.is(expected.slice(1)));
				else if (!answer.is(expected)) unmet.push(saysNothing(step, answer));
			}
		}
	} catch (thrown) {
		why = thrown instanceof NotAsked ? thrown.message : 'it failed';
	}
	if (either.length > 0 && !either.includes(true)) unmet.push(false);
	if (unmet.includes(false)) return { question, verdict: 'otherwise', answers };
	const isOpen = why !== undefined || unmet.length > 0;
	return { question, verdict: isOpen ? 'could not tell' : 'as expected', why, answers };
}

/** Whether a response proves nothing: no response, an error of the service, a limit, or a refused key. */
function saysNothing({ send }: Step, { status }: Answer): boolean {
	if (status === 0 || status >= 500) return true;
	return !send.startsWith('PUT ') && [401, 402, 403, 429].includes(status);
}

/** An ID, a URL or a signature, which is too long to read. Error codes are shown. */
const LONG_WORD = /https?:[^\s"']+|[^\s"'<>,:{}[\]]{25,}/gi;

/** Returns the status, and the code and message of the service. */
function toldBy(answer: Answer, { account }: Client): string {
	const words = ['error/code', 'code', 'error/message', 'message'].map((name) => answer.text(name));
	const text = [answer.status, ...words].filter((word) => word !== '').join(' ');
	const keyless: string = new Redaction(account).text(text);
	return keyless.replace(LONG_WORD, (word) => (/^[A-Z_]+$/.test(word) ? word : '…')).slice(0, 300);
}

function linesOf({ question, verdict, why, answers }: Finding, client: Client): string[] {
	const first = `${verdict.padEnd(16)}${question.question}`;
	if (verdict === 'as expected') return [first];
	const told = answers.map((answer) => toldBy(answer, client)).join('; ');
	return [first, `  ${why ?? question.otherwise} (${told})`];
}

export function summaryLines({ findings, halted, left }: Report): string[] {
	const counts = VERDICTS.map((word) => {
		return `${findings.filter(({ verdict }) => verdict === word).length} ${word}`;
	});
	const early = halted === undefined ? '' : `; stopped early: ${halted}`;
	const end = left.length > 0 ? left : ['Everything that the probe created is deleted.'];
	return [`${counts.join(', ')}${early}.`, ...end];
}

/** 0: all is well. 1: an answer is different, or a question was not asked. 2: a document was not deleted. */
export function exitCodeOf({ findings, halted, left }: Report): number {
	if (left.length > 0) return 2;
	const isWell = findings.every(({ verdict }) => verdict !== 'otherwise');
	return isWell && halted === undefined ? 0 : 1;
}
