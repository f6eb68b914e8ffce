import { isRecord } from '../../nodes/CometChatKnowledgeBase/values/validationIssue';
import { serviceWords } from '../../nodes/CometChatKnowledgeBase/results/messages';
import type { Exchange, ProbeClient } from './client';
import { inBrief, isSuccessStatus } from './client';
import type { Verdict } from './question';
import { HOW_TO_RUN } from './settings';

/** What one question has brought to light; nothing in it has to be redacted any more. */
export interface Finding extends Verdict {
	id: string;
	asks: string;
	choice: string;
	/** One line for each request. */
	exchanges: string[];
}

export interface Report {
	findings: Finding[];
	/** Which agent was made, or why none. */
	agent?: string;
	/** What making the agent and deleting everything asked beside the questions. */
	aside: string[];
	requests: number;
	/** Why the probe stopped early; undefined if it did not. */
	halted?: string;
	/** What is, or may be, still there; empty if nothing is. */
	left: string[];
}

const LONGEST_TEXT = 140;

/** What was asked and what came, in a line; of data only the kind. */
export function exchangeLine({ what, reply }: Exchange, { redact }: ProbeClient): string {
	const words = reply.kind === 'network failure' ? reply.text : dataInWords(reply.body);
	const text = isSuccessStatus(reply) || reply.kind === 'network failure' ? words : undefined;
	const said = reply.kind === 'response' ? (text ?? serviceWords(reply.body).text) : text;
	const line = redact(`${what} → ${inBrief(reply)} ${said ?? ''}`)
		.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
		.trim();
	return line.length > LONGEST_TEXT ? `${line.slice(0, LONGEST_TEXT)}…` : line;
}

/** What an account holds is its own business. */
function dataInWords(body: unknown): string | undefined {
	if (Array.isArray(body)) return `a bare list of ${body.length}`;
	if (!isRecord(body)) return undefined;
	if ('success' in body) return JSON.stringify({ success: body.success });
	return Array.isArray(body.data) ? `a list of ${body.data.length}` : 'a record';
}

/** One line for the question, and one for each request that it took. */
export function findingLines({ asks, word, why, exchanges }: Finding): string[] {
	return [`${asks}: ${word} (${why})`, ...exchanges.map((line) => `     ${line}`)];
}

/** The first words are for everybody who might take this for a pass. */
export function notRunLines(why: string): string[] {
	return [`not run: ${why}`, '', HOW_TO_RUN];
}

/** What stands below the lines of the single questions. */
export function summaryLines({ findings, requests, halted, left }: Report): string[] {
	const widest = (values: string[]) => Math.max(0, ...values.map(({ length }) => length));
	const asksWidth = widest(findings.map(({ asks }) => asks));
	const wordWidth = widest(findings.map(({ word }) => word));
	const counts = (['holds', 'does not hold', 'could not tell'] as const).map(
		(word) => `${findings.filter((finding) => finding.word === word).length} ${word}`,
	);
	return [
		'',
		...findings.map(
			({ asks, word, choice }) =>
				`${asks.padEnd(asksWidth)}  ${word.padEnd(wordWidth)}  the node ${choice}`,
		),
		'',
		`${counts.join(', ')}; ${requests} requests${halted === undefined ? '' : `; stopped early: ${halted}`}.`,
		...(left.length === 0
			? ['Nothing is left behind: all that was made has been deleted.']
			: ['Not everything could be deleted:', ...left.map((sentence) => `  ${sentence}`)]),
	];
}

/** 0: all is well. 1: something does not hold, or was not asked. 2: something is left behind. */
export function exitCodeOf({ findings, halted, left }: Report): number {
	if (left.length > 0) return 2;
	const isWell = halted === undefined && findings.every(({ word }) => word !== 'does not hold');
	return isWell ? 0 : 1;
}
