import type { FileRecord, NamedFile } from './record';

/*
 * Which files of the record are no longer in the folder.
 *
 * A call says something about a file only if it contains more than half of the files that came in the same call as that
 * file last time. So loops, batches, several triggers and executions that broke off need no setting.
 *
 * | A call that says something about a file, and does not contain it | The file                        |
 * | ---------------------------------------------------------------- | ------------------------------- |
 * | the first                                                        | is noted as missing             |
 * | another of the same execution, or within an hour                 | stays noted                     |
 * | another of another execution, at least an hour later             | is removed                      |
 * | any, if too many files of the same call are missing at once      | stays, with a warning           |
 * | any that may lack files for another reason (`unclear`)           | stays, and nothing is noted     |
 *
 * Any call that contains the file clears the note.
 */

/** Why a missing file is not removed. */
export interface Reason {
	/** A sentence without a full stop. */
	text: string;
	/** Whether somebody has to do something. */
	isWarned?: boolean;
}

/** A call of the node, as far as it matters for the rule. */
export interface Call {
	nowMs: number;
	/** n8n's ID of the execution. */
	execution: string;
	/** Removal Limit, in percent. */
	limit: number;
	/** Why the call may lack files that are in the folder. */
	unclear?: Reason;
}

/** A file that a call says something about and does not contain. */
export interface MissingFile {
	name: string;
	/** Undefined if it is removed. */
	reason?: Reason;
	/** If only the time is missing: from when on an execution removes the file. */
	dueMs?: number;
}

/** Two executions in quick succession may have the same incomplete input. */
const LONG_MISSING_MS = 3_600_000;

/**
 * Returns what a call says about the files that it does not contain, and notes it in their records.
 *
 * @param files The files in the folder, by the record.
 * @param names The names of the files that the call contains.
 */
export function missingFrom(
	files: readonly NamedFile[],
	names: ReadonlySet<string>,
	call: Call,
): MissingFile[] {
	const groups = groupByCall(files, names);
	const number = 1 + Math.max(0, ...groups.keys());
	const result = files.flatMap(([name, file]): MissingFile[] => {
		const { all, lost } = groups.get(callOf(file) ?? NaN) ?? { all: 0, lost: 0 };
		if (names.has(name) || lost * 2 >= all) return [];
		if (call.unclear) return [{ name, reason: call.unclear }];
		const dueMs = note(file, call, number);
		const reason = tooMany(lost, all, call.limit);
		if (reason !== undefined || dueMs === undefined) return [{ name, reason }];
		return [{ name, reason: NOT_YET, dueMs }];
	});
	for (const [name, file] of files) {
		if (!names.has(name)) continue;
		file.call = call.unclear ? callOf(file) : number;
		delete file.missing;
	}
	return result;
}

/** A file that is noted as missing belongs to those that came without it. */
function callOf({ call, missing }: FileRecord): number | undefined {
	return missing?.call ?? call;
}

/** How many files came in each call, and how many of them are missing now. */
function groupByCall(
	files: readonly NamedFile[],
	names: ReadonlySet<string>,
): Map<number, { all: number; lost: number }> {
	const groups = new Map<number, { all: number; lost: number }>();
	for (const [name, file] of files) {
		const number = callOf(file);
		if (number === undefined) continue;
		const { all, lost } = groups.get(number) ?? { all: 0, lost: 0 };
		groups.set(number, { all: all + 1, lost: lost + (names.has(name) ? 0 : 1) });
	}
	return groups;
}

/** Notes that a file is missing. @returns When it may be removed; undefined if that is now. */
function note(file: FileRecord, { nowMs, execution }: Call, call: number): number | undefined {
	const { since, execution: first } = file.missing ?? { since: nowMs, execution };
	file.missing = { since, execution: first, call };
	const dueMs = since + LONG_MISSING_MS;
	return first !== execution && nowMs >= dueMs ? undefined : dueMs;
}

/** Whether so many files are missing at once that the folder was probably not read completely. */
export function tooMany(lost: number, all: number, limit: number): Reason | undefined {
	if (limit >= 100 || lost * 100 < limit * all) return undefined;
	const needed = Math.min(100, Math.floor((lost * 100) / all) + 1);
	const text = `${lost} of ${all} files are missing at once, so the folder was probably not read completely. If the files were really removed, set 'Removal Limit (Percent)' under Options to ${needed} or more (now ${limit})`;
	return { text, isWarned: true };
}

const NOT_YET: Reason = {
	text: 'An execution at least an hour later removes the file from the agent if the file is still missing',
};
