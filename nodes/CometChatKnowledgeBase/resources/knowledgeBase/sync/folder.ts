import type { InputFile } from '../../../input/binary';
import type { UserError } from '../../../values/userError';
import type { GoneFiles } from './state';
import { GONE_FILES } from './state';

/** The file that an item brings. */
export interface BroughtFile {
	/** Why it can't be sent, in the place of one that can't. */
	file: InputFile | UserError;
	/** By which it is known; also of one that can't be sent. None where an item names no file. */
	names: string[];
}

/** What an item of Sync Files asks for. */
export interface SyncTask {
	uid: string;
	brought: BroughtFile;
	/** When it was changed last; undefined where the workflow does not tell. */
	modifiedMs?: number;
	goneFiles: GoneFiles;
	isDryRun: boolean;
}

/** What the items bring for one agent. */
export interface AgentFolder {
	/** As the first of its items spells it. */
	uid: string;
	/** How many items name a file, by its name. */
	counts: Map<string, number>;
	/** The mildest of what its items say. */
	goneFiles: GoneFiles;
	isAllTried: boolean;
	isAnyTried: boolean;
}

/** What the items of a call bring, by agent in lower case: two spellings may be one agent. */
export function foldersOf(tasks: SyncTask[]): Map<string, AgentFolder> {
	const folders = new Map<string, AgentFolder>();
	for (const { uid, brought, goneFiles, isDryRun } of tasks) {
		const folder = folders.get(uid.toLowerCase()) ?? {
			...{ uid, counts: new Map<string, number>(), goneFiles, isAllTried: true, isAnyTried: false },
		};
		folders.set(uid.toLowerCase(), folder);
		folder.goneFiles = mildest(goneFiles, folder.goneFiles);
		folder.isAllTried &&= isDryRun;
		folder.isAnyTried ||= isDryRun;
		for (const name of brought.names) folder.counts.set(name, (folder.counts.get(name) ?? 0) + 1);
	}
	return folders;
}

/** Where items differ, the one that takes least. */
export function mildest(one: GoneFiles, other: GoneFiles | undefined): GoneFiles {
	return GONE_FILES.find((value) => value === one || value === other) ?? one;
}
