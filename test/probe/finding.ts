/** Whether what the node does fits what the service does. */
export interface Verdict {
	word: 'holds' | 'does not hold' | 'could not tell';
	why: string;
}

/** One request and what came back, as it may be shown: without the key. */
export interface Exchange {
	asked: string;
	/** HTTP status; undefined if no answer came. */
	status?: number;
	/** The service's own code, or the network's where no answer came. */
	code?: string;
	text: string;
}

/** What one question has brought to light. */
export interface Finding extends Verdict {
	/** From 1. */
	question: number;
	title: string;
	/** What the node does, where the service's documents are silent. */
	choice: string;
	exchanges: Exchange[];
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
