import type { Made, Probe } from './probe';

/** Whether what the node does fits what the service does; undefined if that can't be told. */
export type Holds = boolean | undefined;

/** One open point of the service's documents, and what settles it. */
interface Row<Observed extends object, Need extends keyof Made> {
	asks: string;
	/** What the node does, where the documents are silent; follows "the node". */
	ourChoice: string;
	/** What an earlier question must have found or made, for this one to be asked. */
	needs?: Need[];
	/** @returns What it has come to; an `Answer` in it is reported by its status and code. */
	ask(probe: Probe, made: Required<Pick<Made, Need>>): Promise<Observed>;
	/** Whether our choice holds. */
	holds(observed: Observed): Holds;
}

export interface Question extends Pick<Row<object, never>, 'asks' | 'ourChoice'> {
	needs: Array<keyof Made>;
	/** Undefined if what it needs is missing. */
	answer(probe: Probe): Promise<{ observed: object; holds: Holds } | undefined>;
}

/** By the name of the file in which their answers are saved. */
export type Questions = Record<string, Question>;

export function question<Observed extends object, Need extends keyof Made = never>({
	ask,
	holds,
	needs = [],
	...row
}: Row<Observed, Need>): Question {
	return {
		...row,
		needs,
		async answer(probe) {
			const { made } = probe;
			if (!hasAll(made, needs)) return undefined;
			const observed = await ask(probe, made);
			return { observed, holds: holds(observed) };
		},
	};
}

function hasAll<Need extends keyof Made>(
	made: Made,
	needs: Need[],
): made is Made & Required<Pick<Made, Need>> {
	return needs.every((need) => made[need] !== undefined);
}

/** What is said of several parts is what is said of the worst of them; of none nothing. */
export function all(...parts: Holds[]): Holds {
	if (parts.includes(false)) return false;
	return parts.length === 0 || parts.includes(undefined) ? undefined : true;
}
