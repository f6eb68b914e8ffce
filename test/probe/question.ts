import type { Context, Need } from './context';

/** Whether what the node does fits what the service does. */
export interface Verdict {
	word: 'holds' | 'does not hold' | 'could not tell';
	why: string;
}

/** One open point of the service's documents, and what settles it. */
interface Row<Answer> {
	/** Names the file of its answers. */
	id: string;
	asks: string;
	/** What the node does, where the documents are silent; follows "the node". */
	choice: string;
	/** What there must be, for the question to be asked. */
	needs?: Need[];
	run(context: Context): Promise<Answer>;
	/** Whether that choice holds. */
	judge(answer: Answer, context: Context): Verdict;
}

export type Question = Omit<Row<never>, 'run' | 'judge'> & {
	ask(context: Context): Promise<Verdict>;
};

export function question<Answer>({ run, judge, ...row }: Row<Answer>): Question {
	return { ...row, ask: async (context) => judge(await run(context), context) };
}

export const holds = (why: string): Verdict => ({ word: 'holds', why });
export const doesNotHold = (why: string): Verdict => ({ word: 'does not hold', why });
export const couldNotTell = (why: string): Verdict => ({ word: 'could not tell', why });

/** The verdict over several parts is that of the worst of them. */
export function together(...parts: Verdict[]): Verdict {
	const worst = (['does not hold', 'could not tell', 'holds'] as const).find((word) =>
		parts.some((part) => part.word === word),
	);
	if (worst === undefined) return couldNotTell('nothing was asked');
	const whys = parts.filter((part) => part.word === worst).map(({ why }) => why);
	return { word: worst, why: [...new Set(whys)].join('; ') };
}
