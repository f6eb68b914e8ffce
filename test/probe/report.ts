import type { Answer } from './answer';
import { HOW_TO_RUN } from './settings';

const VERDICTS = ['holds', 'does not hold', 'could not tell'] as const;

/** What one question has brought to light; nothing in it has to be redacted any more. */
export interface Finding {
	id: string;
	asks: string;
	ourChoice: string;
	verdict: (typeof VERDICTS)[number];
	/** What it rests on, or why nothing could be told. */
	observed: unknown;
	/** One line for each request. */
	answers: string[];
}

export interface Report {
	findings: Finding[];
	/** What deleting everything was answered. */
	cleanUp: string[];
	requests: number;
	/** Why the probe stopped early; undefined if it did not. */
	halted?: string;
	/** What is, or may be, still there; empty if nothing is. */
	left: string[];
}

const LONGEST_LINE = 160;

const BUILDER = '/ai-agents/agent-builder';

/** What was asked and what came, in a line; of what an account holds nothing. */
export function answerLine(answer: Answer, redact: (text: string) => string): string {
	const { request, status, text } = answer;
	const asked = `${request.method} ${request.url.replace(BUILDER, '')} → ${answer.toJSON()}`;
	const line = redact(status >= 200 && status < 300 ? asked : `${asked} ${text}`)
		.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
		.trim();
	return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line;
}

/** One line for the question, and one for each request that it took. */
export function findingLines({ asks, verdict, observed, answers }: Finding): string[] {
	return [
		`${asks}: ${verdict} ${JSON.stringify(observed)}`,
		...answers.map((one) => `     ${one}`),
	];
}

/** The first words are for everybody who might take this for a pass. */
export function notRunLines(why: string): string[] {
	return [`not run: ${why}`, '', HOW_TO_RUN];
}

/** What stands below the lines of the single questions. */
export function summaryLines({ findings, requests, halted, left }: Report): string[] {
	const asksWidth = Math.max(0, ...findings.map(({ asks }) => asks.length));
	const verdictWidth = Math.max(...VERDICTS.map(({ length }) => length));
	const counts = VERDICTS.map((word) => {
		return `${findings.filter(({ verdict }) => verdict === word).length} ${word}`;
	});
	const early = halted === undefined ? '' : `; stopped early: ${halted}`;
	return [
		'',
		...findings.map(({ asks, verdict, ourChoice }) => {
			return `${asks.padEnd(asksWidth)}  ${verdict.padEnd(verdictWidth)}  the node ${ourChoice}`;
		}),
		'',
		`${counts.join(', ')}; ${requests} requests${early}.`,
		...(left.length === 0
			? ['Nothing is left behind: all that was made has been deleted.']
			: ['Not everything could be deleted:', ...left.map((sentence) => `  ${sentence}`)]),
	];
}

/** 0: all is well. 1: something does not hold, or was not asked. 2: something is left behind. */
export function exitCodeOf({ findings, halted, left }: Report): number {
	if (left.length > 0) return 2;
	const isWell = findings.every(({ verdict }) => verdict !== 'does not hold');
	return isWell && halted === undefined ? 0 : 1;
}
