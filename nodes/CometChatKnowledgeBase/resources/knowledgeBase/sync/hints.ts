import { isFailure } from '../../../text/failure';
import { joinLimited, quoted } from '../../../text/quoting';
import { shownTime } from '../../../text/times';
import type { Hint } from '../../../output/report';
import type { Folder } from './folder';
import type { MissingFile } from './missing';

const MINUTE_MS = 60_000;

/**
 * Returns the notes on missing documents: documents to remove, and documents that stay because half or more were
 * missing, or because an item has no name.
 */
export function hintsOn(
	folder: Pick<Folder, 'agent' | 'uid' | 'isDry' | 'onMissing'>,
	missing: readonly MissingFile[],
	timeZone: string,
): Hint[] {
	const agent = quoted((isFailure(folder.agent) ? undefined : folder.agent?.name) ?? folder.uid);
	const hints: Hint[] = [];
	const kept = missing.filter(({ action }) => action === 'kept');
	if (kept.length > 0) {
		const message = `The agent ${agent} keeps ${listed(kept)}, because half or more of the documents were missing at once. Check that the input is complete. If you deleted these files or rows, use 'Remove Files'.`;
		hints.push({ type: 'warning', message });
	}
	const heldBack = missing.filter(({ reason }) => reason === UNNAMED);
	if (heldBack.length > 0) {
		const message = `The agent ${agent} keeps ${listed(heldBack)}, because an item has no name and may contain one of these documents. Check the output of the previous node.`;
		hints.push({ type: 'warning', message });
	}
	const due = missing.flatMap(({ dueMs }) => dueMs ?? []);
	// A dry run records no document as missing.
	if (due.length === 0 || folder.isDry) return hints;
	const time = shownTime(Math.ceil(Math.min(...due) / MINUTE_MS) * MINUTE_MS, timeZone);
	const names = listed(missing.filter(({ dueMs }) => dueMs !== undefined));
	const act = folder.onMissing === 'delete' ? 'remove and delete' : 'remove';
	const message = `Missing from the input: ${names}. Executions after ${time} ${act} documents of the agent ${agent} that are still missing. To keep a document, restore its file or row.`;
	return [...hints, { type: 'info', message }];
}

/** The reason why a call with an item without a file removes nothing. */
export const UNNAMED =
	'Some items have no name and may contain these documents. Check the output of the previous node';

function listed(files: readonly MissingFile[]): string {
	return joinLimited(files.map(({ name }) => quoted(name)));
}
