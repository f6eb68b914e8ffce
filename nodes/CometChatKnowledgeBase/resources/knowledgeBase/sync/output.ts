import type { INodeProperties } from 'n8n-workflow';

import type { RunResult } from '../../../execution/operation';
import type { Hint } from '../../../results/hints';
import type { Fields, ItemResult } from '../../../results/itemResult';
import { sentences } from '../../../results/itemResult';
import type { OutputItem } from '../../../results/outputItems';
import { listed, quoted } from '../../../values/quoting';

import { countsIn, leftOver, rowsByAction, rowsIn } from './rows';
import type { SyncState } from './state';

export const OUTPUTS = ['all', 'changes', 'summary'] as const;

export const outputField: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'All Files', value: 'all', description: 'An item for each file' },
		{
			name: 'Only Changes',
			value: 'changes',
			description:
				'Without the files that are the same as before. If all are, the nodes after this one do not run.',
		},
		{
			name: 'A Summary',
			value: 'summary',
			description:
				'One item with counts, names and a text to send. One for each agent; in a loop, one for each round.',
		},
	],
	default: 'all',
	description: 'What the next node gets. It changes nothing of what is done.',
};

/** What the output has in the place of an item for each file. */
export function shapeOf(
	output: (typeof OUTPUTS)[number],
	result: RunResult,
): RunResult['shape'] | undefined {
	switch (output) {
		case 'all':
			return undefined;
		case 'changes':
			return (items) =>
				items.flatMap(({ json, index = OF_NONE }) =>
					json.action === 'unchanged' && json.old === undefined ? [] : [{ json, index }],
				);
		case 'summary':
			return () => summariesOf(result);
	}
}

/** As many as came in may go out, and n8n would take each that names none for the one at its place. */
const OF_NONE: number[] = [];

/** One for each agent; what was only tried apart from what was done. */
function summariesOf({ itemResults, furtherResults = [] }: RunResult): OutputItem[] {
	const agents = new Map<string, { rows: Fields[]; index: number[] }>();
	for (const [index, result] of [...itemResults, ...furtherResults].entries()) {
		for (const row of rowsIn(result)) {
			const { uid, dryRun } = row;
			const key = `${typeof uid === 'string' ? uid.toLowerCase() : ''} ${dryRun === true}`;
			const agent = agents.get(key) ?? { rows: [], index: [] };
			agents.set(key, agent);
			agent.rows.push(row);
			if (index < itemResults.length) agent.index.push(index);
		}
	}
	return [...agents.values()].map(({ rows, index }) => ({ json: summaryOf(rows), index }));
}

function summaryOf(rows: Fields[]): Fields {
	const [{ uid, dryRun } = {}] = rows;
	const agentName = rows.find((row) => row.agentName !== undefined)?.agentName;
	const files: Array<[string, string[]]> = [
		...rowsByAction(rows).map(([action, those]): [string, string[]] => [action, namesIn(those)]),
		['leftOver', leftOver(rows)],
	];
	const named = files.filter(([what]) => what !== 'unchanged');
	return {
		success: rows.every(({ success = false }) => success === true),
		agentName,
		uid,
		reason: told(rows, nameIn(agentName) ?? nameIn(uid) ?? 'Files'),
		...(dryRun === true && { dryRun }),
		counts: Object.fromEntries(files.map(([what, those]) => [what, those.length])),
		names: Object.fromEntries(named.map(([what, those]) => [what, atMost(MOST_NAMES, those)])),
	};
}

/** Who has a thousand new files does not want to read them all. */
const MOST_NAMES = 20;

function atMost(most: number, names: string[]): string[] {
	const more = names.length - most;
	return more > 0 ? [...names.slice(0, most), `and ${more} more`] : names;
}

function namesIn(rows: Fields[]): string[] {
	return rows.map(({ name }) => nameIn(name) ?? 'an item without a file');
}

function nameIn(name: Fields[string]): string | undefined {
	return typeof name === 'string' ? name : undefined;
}

/** A text that can be sent as it is. */
function told(rows: Fields[], agent: string): string {
	const isTried = rows.some(({ dryRun }) => dryRun === true);
	return sentences(
		isTried && DRY,
		`${agent}: ${countsIn(rows)}.`,
		...rowsByAction(rows).flatMap(([action, those]) => {
			const label = TOLD[action];
			return label === undefined ? [] : why(label, those);
		}),
		leftWords(rows) ?? false,
		isTried && SWITCH_OFF,
	);
}

const DRY: string = 'Dry run, nothing was changed.';

/** One that is left on is green every night, and does nothing. */
export const SWITCH_OFF: string = "For them to be changed, switch off 'Dry Run'.";

/** What somebody should know the reason of. */
const TOLD: { [action: string]: string | undefined } = {
	missing: 'Missing',
	skipped: 'Skipped',
	failed: 'Failed',
};

/** More would bury the rest. */
const MOST_REASONS = 3;

function why(label: string, rows: Fields[]): string[] {
	const reasons = new Map<string, Fields[]>();
	for (const row of rows) {
		const reason = String(row.reason);
		const those = reasons.get(reason);
		if (those) those.push(row);
		else reasons.set(reason, [row]);
	}
	const said = [...reasons].slice(0, MOST_REASONS).map(([reason, those]) => {
		const because = reason.replace(/\.?$/, '.');
		return `${label}: ${listed(namesIn(those).map(quoted))}. ${because}`;
	});
	const others = [...reasons.values()].slice(MOST_REASONS).flat();
	const named = listed(namesIn(others).map(quoted));
	return others.length > 0 ? [...said, `${label} for other reasons: ${named}.`] : said;
}

/** Said once: in the run that has taken it out. */
function leftWords(rows: Fields[]): string | undefined {
	const names = [...new Set(leftOver(rows))];
	if (names.length === 0) return undefined;
	return `Taken from the agent, and still in CometChat: ${listed(names.map(quoted))}. If nobody needs it, delete it with Document: Delete.`;
}

/**
 * What became of how many files, for the output panel.
 */
export function summaryHints(results: ItemResult[], state: SyncState, itemsAre: string): Hint[] {
	const rows = results.flatMap(rowsIn);
	const countsIf = (isTried: boolean) =>
		countsIn(rows.filter(({ dryRun = false }) => dryRun === isTried));
	const [done, tried] = [countsIf(false), countsIf(true)];
	const found: Hint[] = [];
	if (tried !== '') {
		const message = `Dry run, nothing was changed for these files: ${tried}. ${SWITCH_OFF}`;
		found.push({ type: 'warning', message });
	}
	if (done !== '' || tried === '') {
		found.push({ type: 'info', message: `Files: ${done || 'none'}.` });
	}
	const left = leftWords(rows);
	if (left) found.push({ type: 'info', message: left });
	if (done !== '' && !state.isPersisted) found.push({ type: 'info', message: NOT_PERSISTED });
	else if (state.wasEmpty) {
		found.push({ type: 'info', message: itemsAre === 'all' ? NOT_NEEDED : NO_RECORD });
	}
	return found;
}

const NOT_PERSISTED =
	'n8n keeps no record of a run by hand, or of a retry: the next run may upload unchanged files again, and replaces what this one has sent. To read the folder anew, use Execute workflow; Execute step may bring the files of the run before.';

const NO_RECORD =
	'No record of earlier runs (normal the first time): nothing is removed, files may be uploaded once more. If you see this every time, read <a href="https://github.com/n8n-nodes-cometchat/n8n-nodes-cometchat/blob/main/docs/behaviour.md#where-is-the-record" target="_blank">what to do about it</a>.';

/** Of All the Agent Should Know, which takes out all the same. */
const NOT_NEEDED =
	"No record of earlier runs (normal the first time, and in queue mode). Only 'Last Changed' tells whether a file has changed; without it, the file is uploaded once more.";
