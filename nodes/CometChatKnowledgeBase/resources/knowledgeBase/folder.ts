import type { Shown } from '../../values/shown';
import { composed } from '../../input/document';

/** What becomes of files that are no longer in the folder. */
export const GONE_FILES = ['remove', 'delete', 'keep'] as const;

/** The files that the input of a run names, also those that can't be sent. */
export class Folder {
	private readonly agents = new Map<string, { uid: Shown; counts: Map<string, number> }>();

	/** How many items have named their files. */
	items = 0;

	/** Until an item tells it: nothing is touched. */
	goneFiles: (typeof GONE_FILES)[number] = 'keep';

	/** Whether any item is only tried. */
	isDryRun = false;

	/** Notes what an item says of the whole run. */
	noteSettings(goneFiles: (typeof GONE_FILES)[number], isDryRun: boolean): void {
		this.goneFiles = goneFiles;
		this.isDryRun ||= isDryRun;
	}

	/** Notes the files of an item. */
	note(uid: Shown, fileNames: string[]): void {
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
	spelled(uid: string): Shown | undefined {
		return this.agents.get(uid.toLowerCase())?.uid;
	}
}
