import { composed } from '../../../input/document';
import type { GoneFiles } from './state';
import { GONE_FILES } from './state';

/** Where items differ, the one that takes least. */
export function mildest(one: GoneFiles, other: GoneFiles | undefined): GoneFiles {
	return GONE_FILES.find((value) => value === one || value === other) ?? one;
}

/** What the items bring for one agent. */
export interface AgentFolder {
	/** As the first of its items spells it. */
	uid: string;
	/** How many items name a file, by its name. */
	counts: Map<string, number>;
	/** The mildest of what its items say; undefined until one does. */
	goneFiles?: GoneFiles;
	/** How many items are for it, and how many of them are only tried. */
	items: number;
	tried: number;
}

/** The files that the input of a run names, by agent; also those that can't be sent. */
export class Folder {
	private readonly byKey = new Map<string, AgentFolder>();

	/** How many items have named their files. */
	items = 0;

	/** Those that items are for. */
	get agents(): AgentFolder[] {
		return [...this.byKey.values()];
	}

	/** Notes what an item says of an agent's files that no item brings. */
	noteSettings(uid: string, goneFiles: GoneFiles, isDryRun: boolean): void {
		const agent = this.forAgent(uid);
		agent.items += 1;
		if (isDryRun) agent.tried += 1;
		agent.goneFiles = mildest(goneFiles, agent.goneFiles);
	}

	/** Notes the files of an item. */
	note(uid: string, fileNames: string[]): void {
		if (fileNames.length === 0) return;
		this.items += 1;
		const { counts } = this.forAgent(uid);
		for (const name of fileNames) counts.set(composed(name), this.count(uid, name) + 1);
	}

	/** How many items have named a file for an agent. */
	count(uid: string, fileName: string): number {
		return this.byKey.get(uid.toLowerCase())?.counts.get(composed(fileName)) ?? 0;
	}

	/** What is for an agent; undefined if no item is. */
	of(uid: string): AgentFolder | undefined {
		return this.byKey.get(uid.toLowerCase());
	}

	/** Whether all that is for an agent is only tried. */
	isTried(uid: string): boolean {
		const { items = 0, tried = 0 } = this.of(uid) ?? {};
		return tried > 0 && tried === items;
	}

	/** Whether nothing but that is asked for. */
	get isAllTried(): boolean {
		return this.byKey.size > 0 && this.agents.every(({ uid }) => this.isTried(uid));
	}

	/** Two spellings may be one agent. */
	private forAgent(uid: string): AgentFolder {
		const key = uid.toLowerCase();
		const agent = this.byKey.get(key) ?? { uid, counts: new Map(), items: 0, tried: 0 };
		this.byKey.set(key, agent);
		return agent;
	}
}
