import type { Verdict } from './finding';
import type { Session } from './session';

/** One open point of the service's documents. */
export interface Question {
	/** From 1, as in the project's list of open points. */
	question: number;
	title: string;
	/** What the node does, where the documents are silent. */
	choice: string;
	ask(session: Session): Promise<Verdict>;
}
