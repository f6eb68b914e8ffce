import { isFailure } from '../../../text/failure';
import { joinLimited, quoted } from '../../../text/quoting';
import { shownTime } from '../../../text/times';
import type { Hint } from '../../../output/report';
import type { Folder } from './folder';
import type { MissingFile } from './missing';

const MINUTE_MS = 60_000;

/**
 * The notes about files of an agent that are not in its folder: those that will be removed, and those that stay because
 * the folder came half, or because an item has no file.
 *
 * @param timeZone The workflow's.
 */
export function hintsOn(
	folder: Pick<Folder, 'agent' | 'uid' | 'isDry'>,
	missing: readonly MissingFile[],
	timeZone: string,
): Hint[] {
	const agent = quoted((isFailure(folder.agent) ? undefined : folder.agent?.name) ?? folder.uid);
	const hints: Hint[] = [];
	const kept = missing.filter(({ action }) => action === 'kept');
	if (kept.length > 0) {
		const message = `The agent ${agent} keeps ${listed(kept)}: half or more of the files that came together are missing. Check that the folder was read completely. If you removed these files, use 'Remove Files'.`;
		hints.push({ type: 'warning', message });
	}
	const heldBack = missing.filter(({ reason }) => reason === UNNAMED);
	if (heldBack.length > 0) {
		const message = `The agent ${agent} keeps ${listed(heldBack)}: an item has no file name and may contain one of these files. Check the output of the previous node.`;
		hints.push({ type: 'warning', message });
	}
	const due = missing.flatMap(({ dueMs }) => dueMs ?? []);
	// A dry run notes no file as missing.
	if (due.length === 0 || folder.isDry) return hints;
	const time = shownTime(Math.ceil(Math.min(...due) / MINUTE_MS) * MINUTE_MS, timeZone);
	const files = listed(missing.filter(({ dueMs }) => dueMs !== undefined));
	const message = `Missing from the folder: ${files}. Executions after ${time} remove files that are still missing from the agent ${agent}. To keep a file, put the file back in the folder.`;
	return [...hints, { type: 'info', message }];
}

/** Why a call with an item without a file removes nothing. */
export const UNNAMED =
	'Some items have no file name and may contain these files. Check the output of the previous node';

function listed(files: readonly MissingFile[]): string {
	return joinLimited(files.map(({ name }) => quoted(name)));
}
