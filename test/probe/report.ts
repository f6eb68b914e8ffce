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
}

export interface Report {
	findings: Finding[];
	requests: number;
	/** Why the probe stopped early; undefined if it did not. */
	halted?: string;
	/** What is, or may be, still there; empty if nothing is. */
	left: string[];
}

/** Printed as soon as the question is answered. The service's own words are in the saved file. */
export function findingLines({ asks, verdict, ourChoice, observed }: Finding): string[] {
	const width = Math.max(...VERDICTS.map(({ length }) => length)) + 2;
	return [
		`${verdict.padEnd(width)}${asks}: the node ${ourChoice}`,
		`${' '.repeat(width)}${JSON.stringify(observed)}`,
	];
}

/** The first words are for everybody who might take this for a pass. */
export function notRunLines(why: string): string[] {
	return [`not run: ${why}`, '', HOW_TO_RUN];
}

/** What stands below the lines of the single questions. */
export function summaryLines({ findings, requests, halted, left }: Report): string[] {
	const counts = VERDICTS.map((word) => {
		return `${findings.filter(({ verdict }) => verdict === word).length} ${word}`;
	});
	const early = halted === undefined ? '' : `; stopped early: ${halted}`;
	return [
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
