import type { Probe } from './probe';

/** Whether what the node does fits what the service does; undefined if that can't be told. */
export type Holds = boolean | undefined;

/** One open point of the service's documents, and what settles it. */
interface Row<Observed extends object> {
	asks: string;
	/** What the node does, where the documents are silent; follows "the node". */
	ourChoice: string;
	/** @returns What it has come to; an `Answer` in it is reported by its status and code. */
	ask(probe: Probe): Promise<Observed>;
	/** Whether our choice holds. */
	holds(observed: Observed): Holds;
}

export interface Question extends Pick<Row<object>, 'asks' | 'ourChoice'> {
	answer(probe: Probe): Promise<{ observed: object; holds: Holds }>;
}

/** By the name of the file in which their answers are saved. */
export type Questions = Record<string, Question>;

export function question<Observed extends object>(row: Row<Observed>): Question {
	const { asks, ourChoice, ask, holds } = row;
	const answer = async (probe: Probe) => {
		const observed = await ask(probe);
		return { observed, holds: holds(observed) };
	};
	return { asks, ourChoice, answer };
}

/** What is said of several parts is what is said of the worst of them; of none nothing. */
export function all(...parts: Holds[]): Holds {
	if (parts.includes(false)) return false;
	return parts.length === 0 || parts.includes(undefined) ? undefined : true;
}
