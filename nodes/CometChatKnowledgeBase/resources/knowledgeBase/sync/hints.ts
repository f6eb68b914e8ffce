import { isFailure } from '../../../text/failure';
import { groupBy } from '../../../text/groups';
import { joinLimited, quoted, sentences } from '../../../text/quoting';
import { shownTime } from '../../../text/times';
import type { Hint } from '../../../output/report';
import type { Folder } from './folder';
import type { MissingFile } from './missing';
import { inFolder } from './record';

/** A file of the agent, with the IDs of its uploads. */
type Absent = MissingFile & { ids: readonly string[] };

/**
 * The hints above the output about the files of an agent that are not in its folder.
 *
 * @param timeZone The workflow's.
 */
export function hintsOn(
	folder: Pick<Folder, 'agent' | 'uid' | 'goneFiles' | 'isDry'>,
	found: Absent[],
	timeZone: string,
): Hint[] {
	const warned = groupBy(found, ({ reason }) => (reason?.isWarned ? [reason.text] : []));
	const warnings = [...warned].map(([text, files]) => warning(agentIn(folder), text, files));
	const due = found.filter(({ dueMs }) => dueMs !== undefined);
	// A dry run notes no file as missing.
	return due.length === 0 || folder.isDry
		? warnings
		: [...warnings, dueHint(folder, due, timeZone)];
}

/** The hints about files that stay because the call says nothing about them. */
export function stayHints(folder: Folder, found: Absent[], isManual: boolean): Hint[] {
	return [...keptHint(folder, found), ...othersHint(folder, isManual)];
}

function agentIn({ agent, uid }: Pick<Folder, 'agent' | 'uid'>): string {
	const name = isFailure(agent) ? undefined : agent?.name;
	return quoted(name ?? uid);
}

function warning(agent: string, reason: string, files: Absent[]): Hint {
	const known = files.filter(({ ids }) => ids.length > 0);
	const message = sentences(
		`Files that are missing from the input were kept for the agent ${agent}. ${reason}.`,
		known.length > 0 && `Files: ${listed(known)}.`,
	);
	return { type: 'warning', message };
}

const MINUTE_MS = 60_000;

/** Announces the files that a later execution removes. */
function dueHint(
	{ goneFiles, ...folder }: Pick<Folder, 'agent' | 'uid' | 'goneFiles'>,
	files: Absent[],
	timeZone: string,
): Hint {
	// Then all of them are due, also to somebody who reads no seconds.
	const dueMs = Math.max(...files.map((file) => file.dueMs ?? 0));
	const time = shownTime(Math.ceil(dueMs / MINUTE_MS) * MINUTE_MS, timeZone);
	const [is, noun] = files.length === 1 ? ['is', 'the file'] : ['are', 'the files'];
	const deletes = goneFiles === 'delete' ? ` and may delete ${noun} permanently` : '';
	const message = sentences(
		`${listed(files)} ${is} no longer in the folder.`,
		`An execution after ${time} removes ${noun} from ${agentIn(folder)}${deletes}.`,
		`To keep ${noun}, put ${noun} back in the folder.`,
	);
	return { type: 'info', message };
}

/** Names the files that stay because the input contains half or less of the files that came with these files. */
function keptHint(folder: Folder, found: Absent[]): Hint[] {
	const told = new Set([...folder.names, ...found.map(({ name }) => name)]);
	const kept = inFolder(folder.known).flatMap(([name]) => (told.has(name) ? [] : { name }));
	if (kept.length === 0) return [];
	const message = `Check that the folder was read completely. Kept for the agent ${agentIn(folder)}: ${listed(kept)}. The input contains only half or less of the files that came with these files, which may also belong to another folder. If the agent should no longer use these files, use 'Remove Files'.`;
	return [{ type: 'info', message }];
}

/** Names the agent's files that neither an item contains nor the record knows: nothing removes them. */
function othersHint(folder: Folder, isManual: boolean): Hint[] {
	const all = folder.isReported ? [...folder.known.others.values()] : [];
	const others = all.filter((name) => name !== '' && !folder.names.has(name));
	if (others.length === 0) return [];
	const message = sentences(
		`The agent ${agentIn(folder)} also uses files that are not in this folder: ${joinLimited(others.map(quoted))}.`,
		isManual && NO_RECORD,
		"To remove these files, use 'Remove Files'. To always remove all other uploaded files, set 'Files to Remove' to 'All Other Files of the Agent'. Turn on 'Dry Run' first.",
	);
	return [{ type: 'warning', message }];
}

function listed(files: ReadonlyArray<Pick<MissingFile, 'name'>>): string {
	return joinLimited(files.map(({ name }) => quoted(name)));
}

const NO_RECORD =
	'This node removes only files in its record, and n8n keeps no record in manual executions.';
