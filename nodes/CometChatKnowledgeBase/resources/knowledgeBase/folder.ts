import { composed } from '../../input/document';

/** The files that the input of a run names, also those that can't be sent. */
export class Folder {
	private readonly agents = new Map<string, { uid: string; counts: Map<string, number> }>();

	/** How many items have named their files. */
	items = 0;

	/** Notes the files of an item. */
	note(uid: string, fileNames: string[]): void {
		if (fileNames.length === 0) return;
		this.items += 1;
		// Two spellings may be one agent.
		const key = uid.toLowerCase();
		const agent = this.agents.get(key) ?? { uid, counts: new Map<string, number>() };
		this.agents.set(key, agent);
		for (const name of fileNames) {
			agent.counts.set(composed(name), this.count(uid, name) + 1);
		}
	}

	/** How many items have named a file for an agent. */
	count(uid: string, fileName: string): number {
		return this.agents.get(uid.toLowerCase())?.counts.get(composed(fileName)) ?? 0;
	}

	/** An agent as the input spells it; undefined if no item is for it. */
	spelled(uid: string): string | undefined {
		return this.agents.get(uid.toLowerCase())?.uid;
	}
}
