import { groupBy } from '../../../text/groups';
import type { AgentRecord, FileRecord, NamedFile } from './record';
import { inFolder } from './record';

/*
 * The recorded files that are no longer in the folder.
 *
 * A call proves something about a file only if it contains files that were in the same call as the file last time. So
 * batches, several triggers and executions that stopped halfway need no setting.
 *
 * | A call that does not contain the file                            | The file                        |
 * | ---------------------------------------------------------------- | ------------------------------- |
 * | contains none of the files that were in the same call            | is not mentioned                |
 * | is in an execution in which a call contained the file            | is not mentioned                |
 * | contains half of them or less, and they are more than four       | is kept, with a warning         |
 * | contains files of the call in which it was kept                  | is kept, with a warning         |
 * | contains more: the first such call                               | is recorded as missing          |
 * | contains more: in the same execution, or within an hour          | stays recorded as missing       |
 * | contains more: in another execution, at least an hour later      | is removed                      |
 * | contains more, and its content under a new name                  | is removed                      |
 * | contains the contents of two or more of them under new names     | is kept, or removed if renamed  |
 * | may be incomplete for another reason (`unclear`)                 | stays, and nothing is recorded  |
 *
 * A call that contains the file deletes this entry. An unclear call also deletes the entries of its own execution.
 */

/** The facts about a call of the node that the rule needs. */
export interface Call {
	nowMs: number;
	/** n8n's ID of the execution. */
	execution: string;
	/** The reason why the call may be incomplete. */
	unclear?: string;
	/** The hash of each file that the agent uses since this call. */
	newContents: readonly string[];
}

/** A recorded file that a call does not contain, although it contains other files of the same call. */
export interface MissingFile {
	name: string;
	action: 'removed' | 'missing' | 'kept';
	/** The reason why the file is not removed. */
	reason?: string;
	/** The time after which an execution removes the file; undefined if the file is not removed for another reason. */
	dueMs?: number;
}

/** The hour because two executions in quick succession may have the same incomplete input. */
const LONG_MISSING_MS = 3_600_000;

/** The largest folder in which one present file is enough, because users may well delete the others. */
const FEW_FILES = 4;

/** Finds the missing files of a call, and updates their records. @param names The names of the files in the call. */
export function missingFrom(
	known: AgentRecord,
	names: ReadonlySet<string>,
	call: Call,
): MissingFile[] {
	const files = inFolder(known);
	if (call.unclear) for (const [, file] of files) forget(file, call);
	const next = 1 + files.reduce((most, [, file]) => Math.max(most, callOf(file) ?? 0), 0);
	const { execution } = call;
	if (known.calls?.execution !== execution) known.calls = { execution, first: next };
	const { first } = known.calls;
	const contents = renamedContents(files, names, call);
	const states = files.map((file) => stateOf(file, names, first, contents));
	const groups = groupByCall(files, states);
	const result = files.flatMap(([name, file], at): MissingFile[] => {
		const { all, came, renamed } = groups.get(callOf(file) ?? NaN) ?? NO_FILES;
		const isStillHalf = came === 0 && (groups.get(file.kept ?? NaN) ?? NO_FILES).came > 0;
		// A copy of one file looks like a renamed folder with one file.
		const isMoved = came === 0 && renamed > 1;
		const isPresent = states[at] === 'came' || states[at] === 'came before';
		if (isPresent || (came === 0 && !isStillHalf && !isMoved)) return [];
		if (states[at] === 'renamed') return [{ name, action: 'removed' }];
		if (call.unclear) return [{ name, action: 'missing', reason: call.unclear }];
		const isHalf = came * 2 <= all && (all > FEW_FILES || isMoved);
		if (isStillHalf || isHalf) {
			file.kept = next;
			return [{ name, action: 'kept', reason: HALF }];
		}
		const dueMs = note(file, call, next);
		if (dueMs === undefined) return [{ name, action: 'removed' }];
		return [{ name, action: 'missing', reason: NOT_YET, dueMs }];
	});
	// A new file belongs to the files in the same call.
	const [[usual] = [next]] = [...groups].sort(([, one], [, other]) => other.came - one.came);
	for (const [at, [, file]] of files.entries()) {
		if (states[at] === 'came') noteCame(file, call.unclear ? (callOf(file) ?? usual) : next);
	}
	return result;
}

/** The state of a file in a call. `came before`: in an earlier call of the execution. */
type State = 'came' | 'came before' | 'renamed' | 'missing';

/** @param first The number of the execution's first call. */
function stateOf(
	[name, file]: NamedFile,
	names: ReadonlySet<string>,
	first: number,
	renamed: ReadonlySet<string>,
): State {
	if (names.has(name)) return 'came';
	if (!file.missing && (file.call ?? 0) >= first) return 'came before';
	return renamed.has(file.sha256 ?? '') ? 'renamed' : 'missing';
}

/** Returns the contents of renamed files: a call contains at least as many new names for a content as are missing. */
function renamedContents(
	files: readonly NamedFile[],
	names: ReadonlySet<string>,
	{ unclear, newContents }: Call,
): Set<string> {
	const missing = groupBy(files, ([name, { sha256 }]) =>
		names.has(name) || !sha256 ? [] : [sha256],
	);
	const came = groupBy(unclear ? [] : newContents, (hash) => [hash]);
	const isRenamed = (hash: string) =>
		(missing.get(hash)?.length ?? 0) <= (came.get(hash)?.length ?? 0);
	return new Set([...came.keys()].filter(isRenamed));
}

function noteCame(file: FileRecord, call: number): void {
	file.call = call;
	delete file.missing;
	delete file.kept;
}

/** Returns the call of a file. A missing file belongs to the files in the call that did not contain it. */
function callOf({ call, missing }: FileRecord): number | undefined {
	return missing?.call ?? call;
}

const NO_FILES = { all: 0, came: 0, renamed: 0 };

/** Counts the files of each earlier call: renamed files, other files, and the other files in this call. */
function groupByCall(files: readonly NamedFile[], states: readonly State[]) {
	const groups = new Map<number, typeof NO_FILES>();
	for (const [at, [, file]] of files.entries()) {
		const number = callOf(file);
		if (number === undefined) continue;
		const { all, came, renamed } = groups.get(number) ?? NO_FILES;
		groups.set(number, {
			all: all + (states[at] === 'renamed' ? 0 : 1),
			came: came + (states[at] === 'came' ? 1 : 0),
			renamed: renamed + (states[at] === 'renamed' ? 1 : 0),
		});
	}
	return groups;
}

/** Records that a file is missing. @returns The time from which it may be removed; undefined if that is now. */
function note(file: FileRecord, { nowMs, execution }: Call, call: number): number | undefined {
	const { since, execution: first } = file.missing ?? { since: nowMs, execution };
	file.missing = { since, execution: first, call };
	const dueMs = since + LONG_MISSING_MS;
	return first !== execution && nowMs >= dueMs ? undefined : dueMs;
}

/** Deletes the record by another call of the execution, which could not know that the execution is unclear. */
function forget(file: FileRecord, { execution }: Call): void {
	if (file.missing?.execution !== execution) return;
	file.call = callOf(file);
	delete file.missing;
}

const NOT_YET =
	'Removed once the document is missing in two executions of the published workflow, at least an hour apart';

const HALF =
	'Half or more of the documents were missing at once, so the input is probably incomplete';
