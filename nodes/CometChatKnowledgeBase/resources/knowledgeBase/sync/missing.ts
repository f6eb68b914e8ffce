import { groupBy } from '../../../text/groups';
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
 * | contains the contents of all of them under new names             | is removed                      |
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
	/** The hash of each file that the agent uses since this call. */
	newContents: readonly string[];
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
	const next = 1 + files.reduce((most, [, file]) => Math.max(most, callOf(file) ?? 0), 0);
	const { execution } = call;
	if (known.calls?.execution !== execution) known.calls = { execution, first: next };
	const { first } = known.calls;
	const renamed = renamedContents(files, names, call);
	const states = files.map((file) => stateOf(file, names, first, renamed));
	const groups = groupByCall(files, states);
	const result = files.flatMap(([name, file], at): MissingFile[] => {
		const group = groups.get(callOf(file) ?? NaN) ?? NO_FILES;
		const { came } = group;
		const all = group.all - group.renamed;
		const isStillHalf = came === 0 && (groups.get(file.kept ?? NaN) ?? NO_FILES).came > 0;
		const isMentioned = came > 0 || isStillHalf || (all === 0 && group.renamed > 1);
		if (states[at] === 'came' || states[at] === 'came before' || !isMentioned) return [];
		// A copy of one file looks like a renamed file, until another call contains the original.
		if (states[at] === 'renamed' && all === 0) return [{ name, action: 'removed' }];
		if (call.unclear) return [{ name, action: 'missing', reason: call.unclear }];
		const isHalf = came * 2 <= all && all > FEW_FILES;
		if (isStillHalf || isHalf) {
			file.kept = next;
			return [{ name, action: 'kept', reason: HALF }];
		}
		const dueMs = note(file, call, next);
		if (dueMs === undefined) return [{ name, action: 'removed' }];
		return [{ name, action: 'missing', reason: NOT_YET, dueMs }];
	});
	// A new file belongs to the files that it came with.
	const [[usual] = [next]] = [...groups].sort(([, one], [, other]) => other.came - one.came);
	for (const [at, [, file]] of files.entries()) {
		if (states[at] === 'came') noteCame(file, call.unclear ? (callOf(file) ?? usual) : next);
	}
	return result;
}

/** Of a file, in a call. `came before`: in an earlier call of the execution. */
type State = 'came' | 'came before' | 'renamed' | 'missing';

/** @param first The number of the first call of the execution. */
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

/** The contents of renamed files: no more files with a content are missing than came under new names. */
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

/** A file that is noted as missing belongs to those that came without it. */
function callOf({ call, missing }: FileRecord): number | undefined {
	return missing?.call ?? call;
}

const NO_FILES = { all: 0, came: 0, renamed: 0 };

/** How many files came in each call last time, and how many of them came now or were renamed. */
function groupByCall(files: readonly NamedFile[], states: readonly State[]) {
	const groups = new Map<number, typeof NO_FILES>();
	for (const [at, [, file]] of files.entries()) {
		const number = callOf(file);
		if (number === undefined) continue;
		const { all, came, renamed } = groups.get(number) ?? NO_FILES;
		groups.set(number, {
			all: all + 1,
			came: came + (states[at] === 'came' ? 1 : 0),
			renamed: renamed + (states[at] === 'renamed' ? 1 : 0),
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

const NOT_YET = 'An execution at least an hour later removes the document if it is still missing';

const HALF = 'Half or more of the documents are missing, so the input is probably incomplete';
