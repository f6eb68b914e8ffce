import type { RunResult } from '../../../operations/operation';
import type { FieldValue, Fields, ItemResult } from '../../../output/itemResult';
import type { OutputItem } from '../../../output/outputItems';
import type { Hint } from '../../../output/report';
import { reasonOf } from '../../../text/failure';
import { groupBy } from '../../../text/groups';
import { isRecord } from '../../../text/json';
import { joinLimited, quoted, sentences } from '../../../text/quoting';
import type { SyncRecord } from './record';

/** What becomes of a file of the folder, or of one that has left it. */
const ACTIONS = [
	...(['added', 'replaced', 'unchanged', 'removed', 'missing', 'skipped', 'failed'] as const),
];

type Action = (typeof ACTIONS)[number];

/** Those that change something: where that is only tried, they 'would be'. */
const CHANGES: readonly Action[] = ['added', 'replaced', 'removed'];

/** What is told of a file. @param isTried Whether nothing is done, but told. */
export function fileRow(row: Fields & { action: Action }, isTried: boolean): Fields {
	if (!isTried) return row;
	const action = CHANGES.includes(row.action) ? `would be ${row.action}` : row.action;
	return { ...row, action, dryRun: true };
}

/** The rows of an action, done or only tried. */
function withAction(rows: Fields[], wanted: Action): Fields[] {
	return rows.filter(({ action }) => action === wanted || action === `would be ${wanted}`);
}

/** What is told of the files of a result. */
function rowsIn(result: ItemResult): Fields[] {
	if (result.kind !== 'failed') return result.json;
	return [{ action: 'failed', reason: reasonOf(result.title, result), ...result.requested }];
}

/** Of what succeeded, the reason in the row is warned of for this alone. */
function isWithoutText(result: ItemResult, { reason }: Fields): boolean {
	return result.kind === 'succeeded' && (result.warnings ?? []).some((one) => one === reason);
}

/** How many files each action stands for, in words; empty for none. */
function countsIn(rows: Fields[]): string {
	return ACTIONS.map((action) => withAction(rows, action))
		.flatMap((those) => (those[0] ? [`${those.length} ${String(those[0].action)}`] : []))
		.join(', ');
}

/** The names of what was taken from an agent and stays in CometChat; of a file that failed, it is dealt with yet. */
function leftOver(rows: Fields[]): string[] {
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

/** What the output has in the place of an item for each file. */
export function shapeOf(output: unknown, result: RunResult): RunResult['shape'] {
	if (output === 'summary') return () => summariesOf(result);
	if (output !== 'changes') return undefined;
	return (items) =>
		items.flatMap(({ json, index = OF_NONE }) => (isSameAsBefore(json) ? [] : [{ json, index }]));
}

/** Whether nothing has happened to a file, and nobody has to do anything about it. */
function isSameAsBefore({ action, success, old }: Fields): boolean {
	if (old !== undefined) return false;
	return action === 'unchanged' || (action === 'skipped' && success === true);
}

/** As many as came in may go out, and n8n would take each that names none for the one at its place. */
const OF_NONE: number[] = [];

/** What is told of the files of an agent. */
interface AgentRows {
	rows: Fields[];
	/** Of these, those that hold no text. */
	noText: Fields[];
	/** The items that they are of. */
	index: number[];
}

/** One for each agent: where anything of it was only tried, all was. */
function summariesOf({ itemResults, furtherResults = [] }: RunResult): OutputItem[] {
	const agents = new Map<string, AgentRows>();
	for (const [index, result] of [...itemResults, ...furtherResults].entries()) {
		for (const row of rowsIn(result)) {
			const key = nameIn(row.uid) ?? '';
			const agent = agents.get(key) ?? { rows: [], noText: [], index: [] };
			agents.set(key, agent);
			agent.rows.push(row);
			if (isWithoutText(result, row)) agent.noText.push(row);
			if (index < itemResults.length) agent.index.push(index);
		}
	}
	return [...agents.values()].map((agent) => ({ json: summaryOf(agent), index: agent.index }));
}

function summaryOf({ rows, noText }: AgentRows): Fields {
	const [{ uid } = {}] = rows;
	const isTried = rows.some(({ dryRun }) => dryRun === true);
	const agentName = rows.find((row) => row.agentName !== undefined)?.agentName;
	const files: Array<[string, string[]]> = [
		...ACTIONS.map((one): [string, string[]] => [one, namesIn(withAction(rows, one))]),
		['noText', namesIn(noText)],
		['leftOver', leftOver(rows)],
	];
	const named = files.filter(([what]) => what !== 'unchanged');
	return {
		success: rows.every(({ success = false }) => success === true),
		agentName,
		uid,
		reason: summaryText({ rows, noText }, nameIn(agentName) ?? nameIn(uid) ?? 'Files', isTried),
		...(isTried && { dryRun: true }),
		counts: Object.fromEntries(files.map(([what, those]) => [what, those.length])),
		names: Object.fromEntries(named.map(([what, those]) => [what, firstOf(those)])),
	};
}

/** Who has a thousand new files does not want to read them all. */
const MOST_NAMES = 20;

function firstOf(names: string[]): string[] {
	const more = names.length - MOST_NAMES;
	return more > 0 ? [...names.slice(0, MOST_NAMES), `and ${more} more`] : names;
}

function namesIn(rows: Fields[]): string[] {
	return rows.map(({ name }) => nameIn(name) ?? 'an item without a file');
}

function nameIn(name: Fields[string]): string | undefined {
	return typeof name === 'string' ? name : undefined;
}

/** A text that can be sent as it is. */
function summaryText(
	{ rows, noText }: Pick<AgentRows, 'rows' | 'noText'>,
	agent: string,
	isTried: boolean,
): string {
	return sentences(
		isTried && 'Preview only, nothing was changed.',
		`${agent}: ${countsIn(rows)}.`,
		...why('Missing', withAction(rows, 'missing')),
		...why('Skipped', withAction(rows, 'skipped')),
		...why('Failed', withAction(rows, 'failed')),
		...why('Without text', noText),
		leftWords(rows),
		isTried && TURN_OFF,
	);
}

/** One that is left on is green every night, and does nothing. */
const TURN_OFF = "To make these changes, turn off 'Dry Run'.";

/** More would bury the rest. */
const MOST_REASONS = 3;

function why(label: string, rows: Fields[]): string[] {
	const reasons = groupBy(rows, ({ reason }) => [String(reason)]);
	const said = [...reasons].slice(0, MOST_REASONS).map(([reason, those]) => {
		const clause = reason.replace(/\.?$/, '.');
		return `${label}: ${joinLimited(namesIn(those).map(quoted))}. ${clause}`;
	});
	const others = [...reasons.values()].slice(MOST_REASONS).flat();
	const named = joinLimited(namesIn(others).map(quoted));
	return others.length > 0 ? [...said, `${label} for other reasons: ${named}.`] : said;
}

/** Said once: in the run that has taken it out. */
function leftWords(rows: Fields[]): string | undefined {
	const names = [...new Set(leftOver(rows))];
	if (names.length === 0) return undefined;
	return `Removed from the agent, but still in CometChat: ${joinLimited(names.map(quoted))}. If nobody needs these documents, delete them with 'Document: Delete'.`;
}

/** The counts of all files, for the output panel. */
export function countHints(results: ItemResult[]): Hint[] {
	const rows = results.flatMap(rowsIn);
	const countsIf = (isDry: boolean) =>
		countsIn(rows.filter(({ dryRun = false }) => dryRun === isDry));
	const [done, tried] = [countsIf(false), countsIf(true)];
	const found: Hint[] = [];
	if (tried !== '') {
		const message = `Preview only, nothing was changed: ${tried}. ${TURN_OFF}`;
		found.push({ type: 'warning', message });
	}
	if (done !== '' || tried === '') {
		found.push({ type: 'info', message: `Files: ${done || 'none'}.` });
	}
	const words = leftWords(rows);
	if (words) found.push({ type: 'info', message: words });
	return found;
}

/** Says what a missing record means. */
export function recordHints({
	isPersisted,
	wasEmpty,
}: Pick<SyncRecord, 'isPersisted' | 'wasEmpty'>): Hint[] {
	if (!isPersisted) return [{ type: 'info', message: NOT_PERSISTED }];
	return wasEmpty ? [{ type: 'info', message: NO_RECORD }] : [];
}

const KEPT_COPIES =
	"The replaced versions stay in CometChat. To avoid copies, add 'Last Modified' under Options.";

const NOT_PERSISTED = `n8n keeps no record in manual executions and retries, so the next execution may upload unchanged files again. ${KEPT_COPIES}`;

const NO_RECORD = `No record of earlier executions. This is normal the first time. Unchanged files may be uploaded again, and with 'Files Missing From the Folder' no file is removed. ${KEPT_COPIES} If you see this message every time, read <a href="https://github.com/n8n-nodes-cometchat/n8n-nodes-cometchat/blob/main/docs/sync-a-folder.md#the-record" target="_blank">how to keep the record</a>.`;
