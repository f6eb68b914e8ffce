import type { Failed, FieldValue, Fields, ItemResult } from '../../../results/itemResult';
import { quoted } from '../../../values/quoting';
import { isRecord } from '../../../values/userError';
import { SOURCE_TYPE } from '../oldUploads';

/** What becomes of a file of the folder, or of one that has left it. */
const ACTIONS = [
	'added',
	'replaced',
	'unchanged',
	'removed',
	'missing',
	'skipped',
	'failed',
] as const;

type Action = (typeof ACTIONS)[number];

/** What stands in the action's place where it is only tried. */
const TRIED: { [action in Action]?: string } = {
	added: 'would be added',
	replaced: 'would be replaced',
	removed: 'would be removed',
};

/** Whose files they are. */
export interface RowsOf {
	uid: string;
	/** Undefined where nobody was asked yet. */
	agentName?: string;
	/** Whether nothing is done, but told. */
	isTried: boolean;
}

/** What is told of a file. */
interface FileRow {
	action: Action;
	name?: string;
	reason: string;
	status?: string;
	uniqueId?: string;
	old?: Fields[];
}

export function fileRow({ uid, agentName, isTried }: RowsOf, { action, ...row }: FileRow): Fields {
	return {
		...row,
		action: (isTried && TRIED[action]) || action,
		success: action !== 'failed' && action !== 'skipped',
		sourceType: SOURCE_TYPE,
		agentName,
		uid,
		...(isTried && { dryRun: true }),
	};
}

/** The same failure, told as that of a file. @param more How far it came, and why in more words. */
export function fileFailed(
	of: RowsOf,
	failed: Failed,
	name?: string,
	{ reason = failed.title, ...more }: Fields & { reason?: string } = {},
): Failed {
	return { ...failed, requested: { ...fileRow(of, { action: 'failed', name, reason }), ...more } };
}

/**
 * What CometChat answers to a question that all files of an agent share, such as that there is no such agent, is
 * explained in full at the first of them; at the others, where that is.
 */
export function explainedOnce(results: ItemResult[]): ItemResult[] {
	const firsts = new Map<string, string>();
	return results.map((result, index) => {
		if (result.kind !== 'failed' || result.detail === undefined) return result;
		const { effect, requested, title, detail } = result;
		// One that came further has more to say.
		if (effect !== 'not applied' || requested.uniqueId !== undefined) return result;
		const name = typeof requested.name === 'string' ? quoted(requested.name) : 'it';
		const reason = JSON.stringify([requested.uid, title, detail]);
		const first = firsts.get(reason);
		if (first === undefined) {
			firsts.set(reason, `${name} (item ${index + 1})`);
			return result;
		}
		const description = `Nothing was changed for ${name}. See ${first} for the reason, and what to do.`;
		return { ...result, description };
	});
}

/** The same with the agent's name also where nobody was asked for it, as for a file that is skipped. */
export function withAgentNames(results: ItemResult[]): ItemResult[] {
	const rows = results.flatMap(rowsIn).filter(({ agentName }) => agentName !== undefined);
	const names = new Map(rows.map(({ agentName, uid }) => [uid, agentName]));
	return results.map((result) =>
		result.kind === 'skipped'
			? { ...result, json: { ...result.json, agentName: names.get(result.json.uid) } }
			: result,
	);
}

/** What is told of the files of a result. */
export function rowsIn(result: ItemResult): Fields[] {
	if (result.kind !== 'failed') return [result.json].flat();
	return [{ action: 'failed', reason: result.title, ...result.requested }];
}

/** The rows of each action, done or only tried. */
export function rowsByAction(rows: Fields[]): Array<[Action, Fields[]]> {
	return ACTIONS.map((action) => [
		action,
		rows.filter((row) => row.action === action || row.action === TRIED[action]),
	]);
}

/** How many files each action stands for, in words; empty for none. */
export function countsIn(rows: Fields[]): string {
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
