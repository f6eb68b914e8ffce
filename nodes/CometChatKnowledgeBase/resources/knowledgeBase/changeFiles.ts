import type { Item as ReadItem } from '../../operations/readItems';
import { batchOperation } from '../../operations/batchOperation';
import { ItemContext } from '../../operations/itemContext';
import type { Operation, RunContext } from '../../operations/operation';
import { collect } from '../../api/pagination';
import type { ChangeResults } from '../../delivery/changeAgent';
import { changeEach, changeTogether, IDS_PER_CHANGE } from '../../delivery/changeAgent';
import type { ValuesOf } from '../../fields/field';
import { forExecution, switchField } from '../../fields/field';
import { sourceType } from '../../fields/fields';
import { documentIdsById } from '../../fields/ids';
import { Documents } from '../../delivery/documents';
import { Snapshot } from '../../delivery/snapshot';
import { agent } from '../../delivery/fields';
import type { Fields, ItemResult } from '../../output/itemResult';
import { notStarted, unusable } from '../../output/itemResult';
import { describeEach } from '../../output/describeEach';
import type { ChangeOperation } from '../../api/agents';
import { attachedIds } from '../../api/agents';
import type { StatusById } from '../../api/documents';
import { knownStatuses, documentPages, NOT_LISTED } from '../../api/documents';
import type { Effect } from '../../text/failure';
import { UserError, toResult, isFailure } from '../../text/failure';
import { chunk, groupBy } from '../../text/groups';
import { itemNumbers, joinLimited, quoted, sentences } from '../../text/quoting';
import { findSourceType, SOURCE_TYPES } from '../../text/sourceTypes';

export const combineOption = forExecution(
	switchField({
		displayName: 'Combine Requests',
		name: 'combineItems',
		type: 'boolean',
		default: false,
		description:
			'Whether to send several items in one request if they have the same agent and source type. Combining is faster for hundreds of items. You still get one output item per input item.',
	}),
);

const FIELDS = { uid: agent, uniqueIds: documentIdsById, sourceType };

export const addFiles = changeOperation('add', {
	name: 'Add Files',
	action: "Add files to agent's knowledge base",
	description: 'Add files, text entries or websites that are already in CometChat to an agent',
});

export const removeFiles = changeOperation('remove', {
	name: 'Remove Files',
	action: "Remove files from agent's knowledge base",
	description:
		'Remove files, text entries or websites from an agent. The documents stay in CometChat.',
});

/** The values of an item. */
type Change = ValuesOf<typeof FIELDS> & { isCombined: boolean };
type Item = ReadItem<Change>;

/** What CometChat says about the IDs of an execution. */
interface Known {
	/** The newest documents of the account. */
	documents: Documents;
	/** The status of each ID that is not among them. */
	statuses: StatusById;
}

function changeOperation(
	value: ChangeOperation,
	words: Pick<Operation, 'name' | 'action' | 'description'>,
): Operation {
	return batchOperation<ValuesOf<typeof FIELDS>, { isCombined: boolean }>({
		value,
		...words,
		fields: FIELDS,
		options: { isCombined: combineOption },
		output: ['name', 'action', 'success', 'uniqueIds', 'sourceType', 'uid', 'reason'],
		runAll: async (items, run) => {
			const known = await lookUp(run, value, items);
			const refused = refusedItems(items, known);
			const isOver = run.stopsOnFailure && refused.size > 0;
			const accepted = items.filter(({ index }) => !refused.has(index));
			const changes = new Changes(run, value, known.documents);
			const results = isOver ? [] : await changes.send(accepted);
			return { results: new Map([...refused, ...results]) };
		},
	});
}

/** How many agents are changed at a time: more gain little, and meet rate limits sooner. */
const AGENTS_AT_A_TIME = 10;

/** The requests of an execution: one PATCH per item, in input order for each agent, and agents in parallel. */
class Changes {
	private readonly results = new Map<number, ItemResult>();

	constructor(
		private readonly run: RunContext,
		private readonly operation: ChangeOperation,
		private readonly documents: Documents,
	) {}

	/** @returns The results by item. Items that were not reached have none. */
	async send(items: readonly Item[]): Promise<Map<number, ItemResult>> {
		const agents = groupBy(items, ({ task }) => [task.uid]).values();
		const work = async () => {
			for (const ofAgent of agents) await this.changeAgent(ofAgent);
		};
		await Promise.all(Array.from({ length: AGENTS_AT_A_TIME }, work));
		return this.results;
	}

	private async changeAgent(items: readonly Item[]): Promise<void> {
		for (const together of requestsOf(items)) {
			if (this.run.starting.clock.isCancelled()) return;
			await this.changeAll(together);
		}
	}

	/** Sends the IDs of some items of one agent and source type. */
	private async changeAll(items: readonly Item[]): Promise<void> {
		const { run, operation } = this;
		const [first] = items;
		if (first === undefined) return;
		const { uid, sourceType: type, isCombined } = first.task;
		const ids = [...new Set(items.flatMap(({ task }) => task.uniqueIds))];
		const results: ChangeResults = new Map();
		for (const uniqueIds of isCombined ? chunk(ids, IDS_PER_CHANGE) : [ids]) {
			if (run.starting.clock.isCancelled()) break;
			const change = { operation, uid, sourceType: type, uniqueIds };
			const sent = isCombined
				? await changeEach(run.starting, change, { endsAtFailure: run.stopsOnFailure })
				: await changeTogether(run.starting, change);
			for (const [id, failure] of sent) results.set(id, failure);
			if (run.stopsOnFailure && [...sent.values()].some(isFailure)) run.cancel();
		}
		for (const item of items) this.record(item, results, items);
	}

	private record(item: Item, results: ChangeResults, together: readonly Item[]): void {
		const { index, task, requested } = item;
		const sent = task.uniqueIds.filter((id) => results.has(id));
		if (sent.length === 0) return;
		const context = new ItemContext(this.run.starting);
		const done = this.operation === 'add' ? 'added' : 'removed';
		const named = namesOf(task.uniqueIds, this.documents);
		const failure = sent.map((id) => results.get(id)).find(isFailure);
		if (failure === undefined && sent.length === task.uniqueIds.length) {
			context.count({ attempts: 1 });
			const row = { ...named, ...requested, action: done, success: true };
			this.results.set(index, context.done([row]));
			return;
		}
		const effects = new Map(task.uniqueIds.map((id) => [id, effectOf(results, id)] as const));
		const { outcome, ...state } = describeEach(effects, done, (id) => nameIn(this.documents, id));
		const detail = sentences(sharedWords(together, results), state.detail);
		const shown = { ...requested, ...named, outcome };
		this.results.set(index, context.failed(failure ?? NOT_SENT, shown, { ...state, detail }));
	}
}

/** The failure of an item whose last IDs were not sent. */
const NOT_SENT = notStarted();

function effectOf(results: ChangeResults, id: string): Effect {
	const failure = results.get(id);
	if (failure === undefined) return results.has(id) ? 'applied' : 'not applied';
	return failure.more.effect ?? 'not applied';
}

/** The items that one request has together. */
function requestsOf(items: readonly Item[]): Item[][] {
	const requests: Item[][] = [];
	for (const item of items) {
		const last = requests.at(-1);
		const [first] = last ?? [];
		const isTogether =
			item.task.isCombined &&
			first?.task.isCombined &&
			first.task.sourceType === item.task.sourceType;
		if (isTogether) last?.push(item);
		else requests.push([item]);
	}
	return requests;
}

/** Says with which other items a failed request was shared. */
function sharedWords(items: readonly Item[], results: ChangeResults): string {
	if (items.length < 2 || [...results.values()].some((failure) => failure === undefined)) return '';
	const numbers = itemNumbers(items.map(({ index }) => index));
	return `The request contained the documents of ${items.length} items (items ${numbers}), and failed for all these items.`;
}

function namesOf(ids: readonly string[], documents: Documents): Fields {
	const isNamed = ids.some((id) => nameIn(documents, id) !== id);
	return isNamed ? { name: joinLimited(ids.map((id) => nameIn(documents, id))) } : {};
}

function nameIn(documents: Documents, id: string): string {
	return documents.withId(id)?.sourceName ?? id;
}

/** CometChat's lists may be late; its documentation names no time. */
const ASKED_AGAIN_AFTER_MS = 5000;

/** Where to find IDs: a clause. */
const FIND_IDS =
	"'Document: Get Many' lists names and IDs, and 'Document: Upload' returns the ID of each file";

/**
 * Looks up the IDs of an execution: in the first page of the account's list, which has the newest documents, and by
 * their status, which proves that a document exists. Add Files asks for an unknown ID again a few seconds later, because
 * the document may have been uploaded just before. Remove Files accepts an unknown ID that an agent's list contains.
 */
async function lookUp(
	run: RunContext,
	operation: ChangeOperation,
	items: readonly Item[],
): Promise<Known> {
	const client = run.starting;
	const documents = new Documents();
	const statuses: StatusById = new Map();
	const list = await toResult(collect(documentPages(client), { isLast: () => true }));
	// Without a list, nothing speaks against an ID, and each item fails by itself if it has to.
	if (isFailure(list) || list.length === 0) return { documents, statuses };
	for (const document of list) documents.add(document);
	const ids = [...new Set(items.flatMap(({ task }) => task.uniqueIds))];
	const ask = async (some: string[]) => {
		const answer = await toResult(knownStatuses(client, some));
		for (const [id, status] of isFailure(answer) ? [] : answer) statuses.set(id, status);
	};
	await ask(ids.filter((id) => documents.withId(id) === undefined));
	const unknown = [...statuses.keys()].filter((id) => statuses.get(id) === NOT_LISTED);
	if (unknown.length === 0) return { documents, statuses };
	if (operation === 'remove') {
		for (const id of await usedIds(run, items)) statuses.delete(id);
		return { documents, statuses };
	}
	for (const id of unknown) statuses.delete(id);
	await run.starting.clock.delay(ASKED_AGAIN_AFTER_MS);
	await ask(unknown);
	return { documents, statuses };
}

/** The IDs in the agents' lists. A list may contain a document that was deleted in CometChat. */
async function usedIds(run: RunContext, items: readonly Item[]): Promise<string[]> {
	const snapshot = new Snapshot(run);
	const uids = [...new Set(items.map(({ task }) => task.uid))];
	const agents = await Promise.all(uids.map(async (uid) => await snapshot.agents.one(uid)));
	return agents.flatMap((one) => (isFailure(one) ? [] : attachedIds(one)));
}

/** The results of items with an ID that CometChat does not know, or has under another source type. */
function refusedItems(items: readonly Item[], known: Known): Map<number, ItemResult> {
	const refused = new Map<number, ItemResult>();
	for (const { index, task, requested } of items) {
		const error = unknownIds(task, known) ?? otherSourceType(task, known);
		if (error) refused.set(index, unusable(error, requested));
	}
	return refused;
}

function unknownIds({ uniqueIds }: Change, { statuses }: Known): UserError | undefined {
	const missing = uniqueIds.filter((id) => statuses.get(id) === NOT_LISTED).map(quoted);
	if (missing.length === 0) return undefined;
	return new UserError(
		missing.length === 1
			? `CometChat has no document with the ID ${joinLimited(missing)}`
			: `CometChat has no documents with the IDs ${joinLimited(missing)}`,
		`Check 'File IDs': the document was deleted, or the ID belongs to something else. To choose documents by name, set 'Choose Documents' to 'From List'. ${FIND_IDS}.`,
	);
}

/** CometChat accepts a document under another source type, and the agent never uses it. */
function otherSourceType(
	{ uniqueIds, ...task }: Change,
	{ documents }: Known,
): UserError | undefined {
	const wanted = findSourceType(task.sourceType);
	const others = uniqueIds.flatMap((id) => {
		const type = findSourceType(documents.withId(id)?.type);
		return wanted === undefined || type === undefined || type === wanted ? [] : [{ id, type }];
	});
	const [first] = others;
	if (first === undefined) return undefined;
	const ofType = others.filter(({ type }) => type === first.type);
	const names = joinLimited(ofType.map(({ id }) => quoted(nameIn(documents, id))));
	return new UserError(
		`${names} ${ofType.length === 1 ? 'has' : 'have'} the source type '${labelOf(first.type)}', but 'Source Type' is '${labelOf(task.sourceType)}'`,
		`To add documents of several types, use one node for each 'Source Type', or an expression with the field sourceType of 'Document: Get Many'. If all items are of this type, set 'Source Type' to '${labelOf(first.type)}'.`,
	);
}

function labelOf(type: string): string {
	return SOURCE_TYPES.find(({ value }) => value === type)?.name ?? type;
}
