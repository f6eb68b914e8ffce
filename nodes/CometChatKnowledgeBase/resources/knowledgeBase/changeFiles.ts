import type { ApiError } from '../../apiErrors/apiError';
import { operation } from '../../execution/buildOperation';
import { Semaphore } from '../../execution/concurrency';
import { ItemContext } from '../../execution/itemContext';
import type { Operation, RunContext } from '../../execution/operation';
import type { ValuesOf } from '../../input/field';
import { forExecution, switchField } from '../../input/field';
import { sourceType } from '../../input/fields';
import { fileIds, unlikeIds } from '../../input/ids';
import { Inventory, lookFor, nameIn } from '../../inventory/inventory';
import type { Outcome } from '../../pipeline/agentChanges';
import { AgentChanges } from '../../pipeline/agentChanges';
import { agent } from '../../pipeline/fields';
import type { Fields } from '../../results/itemResult';
import { describeEach } from '../../results/progress';
import type { ChangeOperation } from '../../service/agents';
import type { StatusById } from '../../service/documents';
import { askStatuses, NOT_LISTED } from '../../service/documents';
import { UserError, caught, isFailure } from '../../values/failure';
import { itemNumbers, listed, quoted, sentences } from '../../values/quoting';
import { findSourceType, SOURCE_TYPES } from '../../values/sourceTypes';

export const bundlesOption = forExecution(
	switchField({
		displayName: 'Send in Bundles',
		name: 'combineItems',
		type: 'boolean',
		default: false,
		description:
			'Whether items of the same agent and source type share requests. Switch it on for hundreds of items: it is faster, and each input item still has its output item.',
	}),
);

const FIELDS = { uid: agent, sourceType, uniqueIds: fileIds };

export const addFiles = changeOperation('add', {
	name: 'Add Files',
	action: 'Give an agent documents that are in CometChat',
	description:
		'Let an agent answer from files, texts or websites that are in CometChat already, by their IDs',
});

export const removeFiles = changeOperation('remove', {
	name: 'Remove Files',
	action: 'Take documents from an agent (they stay in CometChat)',
	description:
		'Let an agent no longer answer from files, texts or websites, which stay in CometChat',
});

function changeOperation(
	value: ChangeOperation,
	words: Pick<Operation, 'name' | 'action' | 'description'>,
): Operation {
	return operation<ChangeTask, { isInBundles: boolean }, SharedChanges>({
		value,
		...words,
		fields: FIELDS,
		options: { isInBundles: bundlesOption },
		output: ['name', 'action', 'success', 'uniqueIds', 'sourceType', 'uid', 'reason'],
		shared: (run) => ({
			run,
			operation: value,
			changes: changesOf(run, run.option(bundlesOption)),
			inventory: new Inventory(run),
			statuses: new Map(),
		}),
		sharesRequests: (run) => run.option(bundlesOption),
		// Those of an agent go one after another, and none begins before its turn: thousands would take memory.
		order: ({ uid, isInBundles }) => (isInBundles ? [] : [uid.toLowerCase()]),
		lookUp: findRefused,
		run: changeOne,
	});
}

/** Unless requests are shared, the permit of an item is that of its request. */
function changesOf(run: RunContext, areShared: boolean): AgentChanges {
	return new AgentChanges(
		areShared ? run : { ...run, permits: new Semaphore(Infinity) },
		areShared,
	);
}

/** What an item asks for. */
type ChangeTask = ValuesOf<typeof FIELDS>;

/** What the items of a run share. */
interface SharedChanges {
	run: RunContext;
	operation: ChangeOperation;
	changes: AgentChanges;
	inventory: Inventory;
	/** Of the IDs that the list does not show. */
	statuses: StatusById;
}

/** The items that name what is not there, or is of another type. */
async function findRefused(
	items: ReadonlyArray<{ index: number; task: ChangeTask }>,
	shared: SharedChanges,
): Promise<Map<number, UserError>> {
	const { inventory } = shared;
	const ids = [...new Set(items.flatMap(({ task }) => task.uniqueIds))];
	const statuses = await checkIds(shared, ids);
	shared.statuses = statuses;
	return new Map(
		items.flatMap(({ index, task }) => {
			const error = notThere(task, statuses) ?? ofAnotherType(task, inventory);
			return error ? [[index, error] as const] : [];
		}),
	);
}

async function changeOne(
	{ uid, sourceType: type, uniqueIds: ids }: ChangeTask,
	item: ItemContext,
	{ operation: value, changes, statuses, inventory }: SharedChanges,
	index: number,
): Promise<Fields> {
	const change = { uid, sourceType: type, uniqueIds: ids };
	const outcomes = await changes.outcomes(item, { operation: value, ...change }, index);
	const nameOf = (id: string) => nameIn(inventory, id);
	const isNamed = ids.some((id) => nameOf(id) !== id);
	const shown = isNamed ? { name: listed(ids.map(nameOf)) } : {};
	const done = value === 'add' ? 'added' : 'removed';
	const cause = causeAmong([...outcomes.values()]);
	if (cause === undefined) {
		const unlike = unlikeIds(ids.filter((id) => !statuses.has(id) && !inventory.record(id)));
		if (unlike.length > 0) item.warn(notLikeIds(unlike));
		return { ...shown, ...change, action: done, success: true };
	}
	const effects = new Map(
		[...outcomes].map(([id, { failure }]) => [id, failure?.more.effect ?? 'applied'] as const),
	);
	const { outcome, ...state } = describeEach(effects, done, nameOf);
	item.shown = { ...shown, outcome };
	item.state = { ...state, detail: sentences(otherItems(cause, index), state.detail) };
	throw cause.failure;
}

function notLikeIds(ids: string[]): string {
	const them = listed(ids.map(quoted));
	return `CometChat accepted ${them} and did not say whether it has such documents. Its own IDs look otherwise: ${FIND_IDS}`;
}

/** What the item has failed with; one that was not sent because of another item is no cause, if there is any other. */
function causeAmong(outcomes: Outcome[]): (Outcome & { failure: ApiError }) | undefined {
	const failed = outcomes.flatMap(({ failure, ...more }) =>
		failure ? [{ ...more, failure }] : [],
	);
	return failed.find(({ failure }) => failure.more.stopReason !== 'cancelled') ?? failed[0];
}

/** With which other items an item was sent. */
function otherItems({ items }: Outcome, index: number): string {
	if (items.every((other) => other === index)) return '';
	return `The request held the files of ${items.length} items (items ${itemNumbers(items)}), and failed for all of them.`;
}

/** Ours: CometChat's lists may be late, and its pages name no time. */
const ASKED_AGAIN_AFTER_MS = 5000;

/** For somebody who has given something else than an ID of CometChat: a clause. */
const FIND_IDS =
	'Document: Get Many lists names and IDs, and Document: Upload gives the ID of what it uploads';

/**
 * Looks the IDs up: in the first page of the list, which has what came last; then by their status, a hundred at
 * once, which proves that one is there and tells no type; and then in the list as far as needed for names and
 * types. What CometChat does not say speaks against nothing.
 *
 * @returns The status of those that the list does not show; that they are not there only of what is to be added.
 */
async function checkIds(
	{ run, operation: value, inventory }: SharedChanges,
	ids: string[],
): Promise<StatusById> {
	const item = new ItemContext(run);
	const list = ids.length > 0 ? await caught(inventory.list.until(item, () => true)) : undefined;
	// Whoever can't have the list would not have the rest either: each item then says why.
	if (isFailure(list)) return new Map();
	const unlisted = ids.filter((id) => inventory.record(id) === undefined);
	const statuses = await askFor(item, inventory, unlisted);
	const unknown = unlisted.filter((id) => statuses.get(id) === NOT_LISTED);
	for (const id of unknown) statuses.delete(id);
	await lookFor(inventory, [...statuses.keys()]);
	// What is to be taken away may well be gone; of what is to be added, the list may only be late.
	if (value === 'remove' || unknown.length === 0) return statuses;
	await run.clock.delay(ASKED_AGAIN_AFTER_MS);
	return new Map([...statuses, ...(await askFor(item, inventory, unknown))]);
}

async function askFor(item: ItemContext, inventory: Inventory, ids: string[]): Promise<StatusById> {
	const there = inventory.list.records.any?.uniqueId;
	const statuses = await caught(askStatuses(item, ids, { there }));
	return isFailure(statuses) ? new Map<string, string>() : statuses;
}

function notThere({ uniqueIds }: ChangeTask, statuses: StatusById) {
	const missing = uniqueIds.filter((id) => statuses.get(id) === NOT_LISTED).map(quoted);
	if (missing.length === 0) return undefined;
	return new UserError(
		`CometChat does not know the file ${missing.length === 1 ? 'ID' : 'IDs'} ${listed(missing)}`,
		`It was asked twice. Check 'File IDs': the document was deleted, or it is the ID of something else. ${FIND_IDS}.`,
	);
}

/** What is there under another type would be accepted, and never answered from. */
function ofAnotherType({ uniqueIds, sourceType: wanted }: ChangeTask, inventory: Inventory) {
	if (findSourceType(wanted) === undefined) return undefined;
	const others = uniqueIds.flatMap((id) => {
		const type = findSourceType(inventory.record(id)?.type);
		return type === undefined || type === wanted ? [] : [{ id, type }];
	});
	const [first] = others;
	if (first === undefined) return undefined;
	const label = labelOf(first.type);
	const those = others.filter(({ type }) => type === first.type);
	const names = listed(those.map(({ id }) => quoted(nameIn(inventory, id))));
	return new UserError(
		`${names} ${those.length === 1 ? 'is' : 'are'} of the type ${label}, and 'Source Type' is ${labelOf(wanted)}`,
		`Set 'Source Type' to ${label}. If the items differ, drag in the field sourceType that Document: Get Many gives.`,
	);
}

function labelOf(sourceType: string): string {
	return SOURCE_TYPES.find(({ value }) => value === sourceType)?.name ?? sourceType;
}
