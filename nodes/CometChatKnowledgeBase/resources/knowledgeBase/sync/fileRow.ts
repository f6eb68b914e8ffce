import type { Inventory } from '../../../ingestion/inventory';
import type { Failed, Fields, ItemResult } from '../../../results/itemResult';
import { quoted } from '../../../values/quoting';
import type { Shown, ShownText } from '../../../values/shown';
import { worded } from '../../../values/shown';

const ACTIONS = ['added', 'replaced', 'unchanged', 'removed', 'missing', 'skipped'] as const;

/** What becomes of a file of the folder, or of one that has left it. */
type Action = (typeof ACTIONS)[number] | 'failed';

/** What is told of a file. */
interface FileRow {
	action: Action;
	fileName?: Shown;
	reason: ShownText;
	status?: ShownText;
	notDeleted?: ShownText;
	uniqueId?: Shown;
	oldId?: Shown;
}

/** What stands in the action's place where it is only tried. */
const TRIED: { [action in Action]?: ShownText } = {
	added: 'would be added',
	replaced: 'would be replaced',
	removed: 'would be removed',
};

/** The rows of an agent's files: what a person reads comes first, IDs come last. */
export class FileRows {
	/** @param inventory Left out where nobody was asked yet. */
	constructor(
		private readonly uid: Shown,
		private readonly isTried: boolean,
		private readonly inventory?: Inventory,
	) {}

	/** @param more How far it came, where it is not done. */
	row({ uniqueId, oldId, ...row }: FileRow, more: Fields = {}): Fields {
		const { inventory, isTried, uid } = this;
		const { action, fileName, reason, status, notDeleted } = row;
		return {
			action: (isTried && TRIED[action]) || action,
			fileName,
			reason,
			agentName: inventory?.agentName(uid),
			status,
			notDeleted,
			...more,
			success: !UNDONE.includes(action),
			...(isTried && { dryRun: true }),
			uid,
			uniqueId,
			oldId,
		};
	}

	failed(failed: Failed, fileName?: Shown): Failed {
		const { requested, what } = failed;
		const { uniqueId, oldId, ...more } = requested;
		const row = this.row({ action: 'failed', fileName, reason: what }, more);
		return { ...failed, requested: { ...row, uniqueId, oldId } };
	}
}

const UNDONE: Action[] = ['failed', 'skipped'];

/**
 * What CometChat answers to a question that all files of an agent share, such as that there is no such agent, is
 * explained in full at the first of them; at the others, where that is.
 */
export function explainedOnce(results: ItemResult[]): ItemResult[] {
	const firsts = new Map<string, ShownText>();
	return results.map((result, index) => {
		// One that came further has more to say.
		if (result.kind !== 'failed' || result.said === undefined || 'reached' in result.requested)
			return result;
		const { requested, what, said } = result;
		const name = typeof requested.fileName === 'string' ? quoted(requested.fileName) : 'it';
		const reason = JSON.stringify([requested.uid, what, said]);
		const first = firsts.get(reason);
		if (first === undefined) firsts.set(reason, worded`${name} (item ${index + 1})`);
		return first === undefined
			? result
			: {
					...result,
					description: worded`Nothing was changed for ${name}. See ${first} for the reason, and what to do.`,
				};
	});
}

/** How many files each action stands for, in words; empty for none. */
export function countsOf(rows: Fields[], isTried: boolean): string {
	const those = rows.filter(({ dryRun = false }) => dryRun === isTried);
	return ACTIONS.flatMap((action) => {
		const label = (isTried && TRIED[action]) || action;
		const count = those.filter((row) => row.action === label).length;
		return count === 0 ? [] : [`${count} ${label}`];
	}).join(', ');
}
