import type { AgentRecord, FileRecord, NamedFile } from './record';
import { inFolder } from './record';

/*
 * Which files of the record are no longer in the folder.
 *
 * A call says something about a file only if it contains files that came in the same call as that file last time. So
 * batches, several triggers and executions that stopped halfway need no setting.
 *
 * | A call that does not contain the file                            | The file                        |
 * | ---------------------------------------------------------------- | ------------------------------- |
 * | contains none of the files that came together with it            | is not mentioned                |
 * | is of an execution in which the file came already                | is not mentioned                |
 * | contains half of them or less, and they are more than four       | is kept, with a warning         |
 * | contains files that came when it was kept                        | is kept, with a warning         |
 * | contains more: the first such call                               | is noted as missing             |
 * | contains more: of the same execution, or within an hour          | stays noted                     |
 * | contains more: of another execution, at least an hour later      | is removed                      |
 * | contains its content under a new name, and more or all others    | is removed                      |
 * | may be incomplete for another reason (`unclear`)                 | stays, and nothing is noted     |
 *
 * Any call that contains the file clears the note. An unclear call also clears the notes of its own execution.
 */

/** A call of the node, as far as it matters for the rule. */
export interface Call {
	nowMs: number;
	/** n8n's ID of the execution. */
	execution: string;
	/** Why the call may be incomplete. */
	unclear?: string;
	/** The hashes of the files that the agent uses since this call: a missing file with one of them was renamed. */
	newContents: ReadonlySet<string>;
}

/** A file that a call says something about and does not contain. */
export interface MissingFile {
	name: string;
	action: 'removed' | 'missing' | 'kept';
	/** Why the file is not removed. */
	reason?: string;
	/** If only the time is missing: from when on an execution removes the file. */
	dueMs?: number;
}

/** Two executions in quick succession may have the same incomplete input. */
const LONG_MISSING_MS = 3_600_000;

/** In so small a folder, one file of two may well be deleted: here, one present file is enough. */
const FEW_FILES = 4;

/**
 * Returns what a call says about the files that it does not contain, and notes it in their records.
 *
 * @param known What was recorded of the agent's files.
 * @param names The names of the files that the call contains.
 */
export function missingFrom(
	known: AgentRecord,
	names: ReadonlySet<string>,
	call: Call,
): MissingFile[] {
	const files = inFolder(known);
	if (call.unclear) for (const [, file] of files) forget(file, call);
	const isRenamed = ([name, { sha256 = '' }]: NamedFile) =>
		!call.unclear && !names.has(name) && call.newContents.has(sha256);
	const groups = groupByCall(files, names, isRenamed);
	const next = 1 + Math.max(0, ...groups.keys());
	const { execution } = call;
	if (known.calls?.execution !== execution) known.calls = { execution, first: next };
	const { first } = known.calls;
	const result = files.flatMap(([name, file]): MissingFile[] => {
		const { all, came } = groups.get(callOf(file) ?? NaN) ?? NO_FILES;
		if (isRenamed([name, file])) return came > 0 || all === 0 ? [{ name, action: 'removed' }] : [];
		const isStillHalf = came === 0 && (groups.get(file.kept ?? NaN) ?? NO_FILES).came > 0;
		const hasCome = names.has(name) || (file.missing === undefined && (file.call ?? 0) >= first);
		if (hasCome || (came === 0 && !isStillHalf)) return [];
		if (call.unclear) return [{ name, action: 'missing', reason: call.unclear }];
		if (isStillHalf || (came * 2 <= all && all > FEW_FILES)) {
			file.kept = next;
			return [{ name, action: 'kept', reason: HALF }];
		}
		const dueMs = note(file, call, next);
		if (dueMs === undefined) return [{ name, action: 'removed' }];
		return [{ name, action: 'missing', reason: NOT_YET, dueMs }];
	});
	// A new file belongs to the files that it came with.
	const [[usual] = [next]] = [...groups].sort(([, one], [, other]) => other.came - one.came);
	const came = files.filter(([name]) => names.has(name)).map(([, file]) => file);
	for (const file of came) noteCame(file, call.unclear ? (callOf(file) ?? usual) : next);
	return result;
}

function noteCame(file: FileRecord, call: number): void {
	file.call = call;
	delete file.missing;
	delete file.kept;
}

/** A file that is noted as missing belongs to those that came without it. */
function callOf({ call, missing }: FileRecord): number | undefined {
	return missing?.call ?? call;
}

const NO_FILES = { all: 0, came: 0 };

/** How many files came in each call last time, without those that were renamed, and how many of them come now. */
function groupByCall(
	files: readonly NamedFile[],
	names: ReadonlySet<string>,
	isRenamed: (file: NamedFile) => boolean,
) {
	const groups = new Map<number, { all: number; came: number }>();
	for (const file of files) {
		const number = callOf(file[1]);
		if (number === undefined) continue;
		const { all, came } = groups.get(number) ?? NO_FILES;
		groups.set(number, {
			all: all + (isRenamed(file) ? 0 : 1),
			came: came + (names.has(file[0]) ? 1 : 0),
		});
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

/** Another call of the same execution has noted the file, without the knowledge of this one. */
function forget(file: FileRecord, { execution }: Call): void {
	if (file.missing?.execution !== execution) return;
	file.call = callOf(file);
	delete file.missing;
}

const NOT_YET =
	'An execution at least an hour later removes the file from the agent if the file is still missing';

const HALF =
	'Half or more of the files that came together are missing, so the folder was probably not read completely';
