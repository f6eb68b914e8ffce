import type { Exchange, Finding } from './finding';
import { HOW_TO_RUN } from './given';
import type { Report } from './probe';

/** One line for the question, and one for each request that it took. */
export function findingLines(finding: Finding): string[] {
	const { question, title, word, why, exchanges } = finding;
	return [`${question}. ${title}: ${word} (${why})`, ...exchanges.map(exchangeLine)];
}

function exchangeLine({ asked, status, code, text }: Exchange): string {
	const came = [status, code, text].filter((part) => part !== undefined && part !== '').join(' ');
	return `     ${asked} → ${came}`;
}

/** The first words are for everybody who might take this for a pass. */
export function notRunLines(why: string): string[] {
	return [`not run: ${why}`, '', HOW_TO_RUN];
}

/** What stands below the lines of the single questions. */
export function summaryLines({ findings, requests, halted, left }: Report): string[] {
	const widest = (values: string[]) => Math.max(0, ...values.map(({ length }) => length));
	const titleWidth = widest(findings.map(({ title }) => title));
	const wordWidth = widest(findings.map(({ word }) => word));
	const counts = (['holds', 'does not hold', 'could not tell'] as const).map(
		(word) => `${findings.filter((finding) => finding.word === word).length} ${word}`,
	);
	return [
		'',
		...findings.map(({ question, title, word, choice }) => {
			const number = String(question).padStart(2);
			return `${number}  ${title.padEnd(titleWidth)}  ${word.padEnd(wordWidth)}  the node ${choice}`;
		}),
		'',
		`${counts.join(', ')}; ${requests} requests${halted === undefined ? '' : `; stopped early: ${halted}`}.`,
		...(left.length === 0
			? ['Nothing is left behind: all that was changed has been put back.']
			: ['Not everything could be put back:', ...left.map((sentence) => `  ${sentence}`)]),
	];
}

/** 0: all is well. 1: something does not hold, or was not asked. 2: something is left behind. */
export function exitCodeOf({ findings, halted, left }: Report): number {
	if (left.length > 0) return 2;
	const isWell = halted === undefined && findings.every(({ word }) => word !== 'does not hold');
	return isWell ? 0 : 1;
}
