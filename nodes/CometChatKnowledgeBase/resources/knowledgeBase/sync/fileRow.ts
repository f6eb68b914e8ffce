import type { Inventory } from '../../../ingestion/inventory';
import type { OldVersions } from '../../../ingestion/oldVersions';
import type { Failed, Fields, FieldValue, ItemResult } from '../../../results/itemResult';
import { quoted } from '../../../values/quoting';
import { isRecord } from '../../../values/userError';
import { SOURCE_TYPE } from '../oldUploads';

const ACTIONS = [
	'added',
	'replaced',
	'unchanged',
	'removed',
	'missing',
	'skipped',
	'failed',
] as const;

/** What becomes of a file of the folder, or of one that has left it. */
type Action = (typeof ACTIONS)[number];

/** What is told of a file. */
interface FileRow {
	action: Action;
	name?: string;
	reason: string;
	status?: string;
	uniqueId?: string;
	old?: Fields[];
}

/** What stands in the action's place where it is only tried. */
const TRIED: { [action in Action]?: string } = {
	added: 'would be added',
	replaced: 'would be replaced',
	removed: 'would be removed',
};

/** The rows of an agent's files. */
export class FileRows {
	/** @param inventory Left out where nobody was asked yet. */
	constructor(
		private readonly uid: string,
		private readonly isTried: boolean,
		private readonly inventory?: Inventory,
	) {}

	row({ action, ...row }: FileRow): Fields {
		const { inventory, isTried, uid } = this;
		return {
			...row,
			action: (isTried && TRIED[action]) || action,
			success: !UNDONE.includes(action),
			sourceType: SOURCE_TYPE,
			agentName: inventory?.agentName(uid),
			uid,
			...(isTried && { dryRun: true }),
		};
	}

	/** @param more How far it came, and why in more words. */
	failed(failed: Failed, name?: string, { reason = failed.what, ...more }: Told = {}): Failed {
		const row = this.row({ action: 'failed', name, reason });
		return { ...failed, requested: { ...row, ...more } };
	}
}

type Told = Fields & { reason?: string };

const UNDONE: Action[] = ['failed', 'skipped'];

/**
 * What there was of a file, and where it is; what the agent never had is out of it.
 *
 * @param newId Of the version that is there now.
 */
export function oldRows(
	name: string,
	{ rows: all, held }: OldVersions,
	newId?: string,
): Fields[] | undefined {
	const rows = all
		.filter(({ uniqueId }) => uniqueId !== newId)
		.map(({ action, ...row }) => {
			const isOut = action === 'kept' && !held.includes(row.uniqueId);
			return { ...row, name, action: isOut ? 'removed' : action };
		});
	return rows.length > 0 ? rows : undefined;
}

/**
 * What CometChat answers to a question that all files of an agent share, such as that there is no such agent, is
 * explained in full at the first of them; at the others, where that is.
 */
export function explainedOnce(results: ItemResult[]): ItemResult[] {
	const firsts = new Map<string, string>();
	return results.map((result, index) => {
		if (result.kind !== 'failed' || result.said === undefined) return result;
		const { effect, requested, what, said } = result;
		// One that came further has more to say.
		if (effect !== 'not applied' || requested.uniqueId !== undefined) return result;
		const name = typeof requested.name === 'string' ? quoted(requested.name) : 'it';
		const reason = JSON.stringify([requested.uid, what, said]);
		const first = firsts.get(reason);
		if (first === undefined) firsts.set(reason, `${name} (item ${index + 1})`);
		return first === undefined
			? result
			: {
					...result,
					description: `Nothing was changed for ${name}. See ${first} for the reason, and what to do.`,
				};
	});
}

/** What is told of the files of a result. */
export function rowsOf(result: ItemResult): Fields[] {
	if (result.kind !== 'failed') return [result.json].flat();
	return [{ action: 'failed', reason: result.what, ...result.requested }];
}

/** The rows of each action, done or only tried. */
export function rowsByAction(rows: Fields[]): Array<[Action, Fields[]]> {
	return ACTIONS.map((action) => [
		action,
		rows.filter((row) => row.action === action || row.action === TRIED[action]),
	]);
}

/** How many files each action stands for, in words; empty for none. */
export function countsOf(rows: Fields[]): string {
	return rowsByAction(rows)
		.flatMap(([, those]) => (those[0] ? [`${those.length} ${String(those[0].action)}`] : []))
		.join(', ');
}

/** The names of what was taken from an agent and stays in CometChat; of a file that failed, it is dealt with yet. */
export function leftOver(rows: Fields[]): string[] {
	return rows
		.filter(({ dryRun, success }) => dryRun !== true && success === true)
		.flatMap(({ old }) => (isList(old) ? old : []))
		.flatMap((one) => {
			const { action, name } = isRecord(one) ? one : {};
			return action === 'removed' && typeof name === 'string' ? [name] : [];
		});
}

function isList(value: FieldValue): value is readonly FieldValue[] {
	return Array.isArray(value);
}
