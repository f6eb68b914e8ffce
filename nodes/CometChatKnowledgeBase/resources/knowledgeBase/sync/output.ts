import type { FieldValue, Fields, ItemResult } from '../../../output/itemResult';
import type { OutputItem, RunResult } from '../../../output/outputItems';
import type { Hint } from '../../../output/report';
import { reasonOf } from '../../../text/failure';
import { firstOf, joinLimited, quoted, sentences } from '../../../text/quoting';
import type { SyncRecord } from './record';

/** The actions of files that are or were in the folder. */
const ACTIONS = [
	...(['added', 'replaced', 'unchanged', 'removed', 'missing'] as const),
	...(['kept', 'skipped', 'failed'] as const),
];

type Action = (typeof ACTIONS)[number];

/** The actions that change something, which a dry run shows as 'would be'. */
const CHANGES: readonly Action[] = ['added', 'replaced', 'removed'];

/** Returns the row of a file. */
export function fileRow(row: Fields & { action: Action }, isDry: boolean): Fields {
	if (!isDry) return row;
	const action = CHANGES.includes(row.action) ? `would be ${row.action}` : row.action;
	return { ...row, action, dryRun: true };
}

function rowsIn(result: ItemResult): Fields[] {
	if (result.kind !== 'failed') return result.json;
	return [{ action: 'failed', reason: reasonOf(result.title, result), ...result.requested }];
}

/** Returns the names of files by action, in a fixed order, also for actions without files. */
function namesByAction(rows: Fields[]): Array<[Action, string[]]> {
	return ACTIONS.map((one) => {
		const ofAction = rows.filter(({ action }) => action === one || action === `would be ${one}`);
		return [one, ofAction.map(({ name }) => textOf(name) ?? 'an item without a name')];
	});
}

/** Describes the number of files for each action, with the names of files that need attention. */
function countsOf(rows: Fields[], isDry: boolean): string {
	return namesByAction(rows)
		.filter(([, names]) => names.length > 0)
		.map(([action, names]) => {
			const would = isDry && CHANGES.includes(action) ? 'would be ' : '';
			const shown = action === 'kept' || action === 'failed' ? names.map(quoted) : [];
			const named = shown.length > 0 ? ` (${joinLimited(shown)})` : '';
			return `${names.length} ${would}${action}${named}`;
		})
		.join(', ');
}

/** Returns the change of the output for 'Output'; undefined for an item for each file. */
export function shapeOf(output: unknown, result: RunResult): RunResult['shape'] {
	if (output === 'summary') return () => summariesOf(result);
	if (output !== 'changes') return undefined;
	return (items) => items.filter(({ json }) => !isSameAsBefore(json));
}

/** Whether a file is unchanged and needs no attention. */
function isSameAsBefore({ action, success, old }: Fields): boolean {
	if (old !== undefined) return false;
	return action === 'unchanged' || (action === 'skipped' && success === true);
}

/** Returns an item for each agent. */
function summariesOf({ itemResults, furtherResults = [], hints = [] }: RunResult): OutputItem[] {
	const hasRecord = !hints.includes(RECORD_LOST);
	const agents = new Map<string, { rows: Fields[]; index: number[] }>();
	for (const [index, result] of [...itemResults, ...furtherResults].entries()) {
		for (const row of rowsIn(result)) {
			const key = textOf(row.uid) ?? '';
			const agent = agents.get(key) ?? { rows: [], index: [] };
			agents.set(key, agent);
			agent.rows.push(row);
			if (index < itemResults.length) agent.index.push(index);
		}
	}
	return [...agents.values()].map(({ rows, index }) => ({
		json: summaryOf(rows, hasRecord),
		index,
	}));
}

/** Returns the summary of an agent's files. If one of them was in a dry run, all were. */
function summaryOf(rows: Fields[], hasRecord: boolean): Fields {
	const [{ uid } = {}] = rows;
	const isDry = rows.some(({ dryRun }) => dryRun === true);
	const agentName = rows.find((row) => row.agentName !== undefined)?.agentName;
	const files = namesByAction(rows);
	const named = files.filter(([action]) => action !== 'unchanged');
	const counted = `${textOf(agentName) ?? textOf(uid) ?? 'Documents'}: ${countsOf(rows, isDry)}.`;
	return {
		success: rows.every(({ success = false }) => success === true),
		agentName,
		uid,
		reason: sentences(counted, !hasRecord && `${NO_RECORD} ${KEEP_RECORD}`),
		...(isDry && { dryRun: true }),
		...(!hasRecord && { hasRecord }),
		counts: Object.fromEntries(files.map(([action, { length }]) => [action, length])),
		names: Object.fromEntries(named.map(([action, names]) => [action, firstOf(names, MOST_NAMES)])),
	};
}

const MOST_NAMES = 20;

function textOf(name: FieldValue): string | undefined {
	return typeof name === 'string' ? name : undefined;
}

/** Returns the counts of all files, for the output panel. */
export function countHints(results: ItemResult[]): Hint[] {
	const rows = results.flatMap(rowsIn);
	const dry = rows.filter(({ dryRun }) => dryRun === true);
	const real = rows.filter(({ dryRun }) => dryRun !== true);
	const found: Hint[] = [];
	if (dry.length > 0) {
		const message = `Preview only, nothing was changed: ${countsOf(dry, true)}. To make these changes, turn off 'Dry Run'.`;
		found.push({ type: 'warning', message });
	}
	if (real.length > 0)
		found.push({ type: 'info', message: `Documents: ${countsOf(real, false)}.` });
	return found;
}

/** Explains a missing record. In a manual execution, the notice in the panel explains it. */
export function recordHints(
	{ isPersisted, wasEmpty }: Pick<SyncRecord, 'isPersisted' | 'wasEmpty'>,
	isUsed: boolean,
): Hint[] {
	if (!isPersisted || !wasEmpty) return [];
	return [isUsed ? RECORD_LOST : FIRST_TIME];
}

const FIRST_TIME: Hint = {
	type: 'info',
	message:
		'This node has no record of earlier executions. This is normal the first time. No missing document is removed.',
};

const NO_RECORD = 'n8n kept no record of the last execution.';

const KEEP_RECORD = 'In queue mode, put this node into a sub-workflow.';

const RECORD_LOST: Hint = {
	type: 'warning',
	message: `${NO_RECORD} After a manual execution, this is normal once. Documents may be uploaded again, and missing documents stay with the agent. To remove a missing document, use 'Remove Files'. ${KEEP_RECORD} Read <a href="https://github.com/n8n-nodes-cometchat/n8n-nodes-cometchat/blob/main/docs/sync-a-folder.md#the-record-and-queue-mode" target="_blank">how to keep the record</a>.`,
};
