import type { Item as ReadItem } from '../../operations/readItems';
import { batchOperation } from '../../operations/batchOperation';
import { until } from '../../http/time';
import { ItemContext } from '../../operations/itemContext';
import type { Operation, RunContext } from '../../operations/operation';
import type { ApiClient } from '../../api/apiClient';
import { pagesUntil } from '../../api/pagination';
import type { ChangeResults } from '../../delivery/changeAgent';
import { changeEach, IDS_PER_CHANGE, sendChange } from '../../delivery/changeAgent';
import type { FieldGroup } from '../../fields/field';
import { forExecution, switchField } from '../../fields/field';
import { addableTypes, sourceType } from '../../fields/fields';
import { documentIds, isFromList } from '../../fields/ids';
import { Documents } from '../../delivery/documents';
import { Snapshot } from '../../delivery/snapshot';
import { agent } from '../../delivery/fields';
import type { Fields, ItemResult } from '../../output/itemResult';
import { notStarted, unusable } from '../../output/itemResult';
import { describeEach } from '../../output/describeEach';
import type { Change as AgentChange, ChangeOperation } from '../../api/agents';
import { attachedIds } from '../../api/agents';
import type { Document, StatusById } from '../../api/documents';
import { knownStatuses, documentPages, NOT_LISTED } from '../../api/documents';
import type { Effect, Failure } from '../../text/failure';
import { UserError, toResult, isFailure } from '../../text/failure';
import { chunk, groupBy } from '../../text/groups';
import { joinLimited, quoted } from '../../text/quoting';
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

/** The chosen documents. */
interface Chosen {
	uniqueIds: string[];
	/** Undefined for documents from the list, whose types are in CometChat's list. */
	sourceType?: string;
}

function chosenDocuments(hint?: string): FieldGroup<Chosen> {
	const ids = documentIds({ hint, beforeIds: [sourceType.property] });
	return {
		properties: ids.properties,
		read: (item) => {
			const uniqueIds = ids.read(item);
			if (isFromList(item)) return { uniqueIds };
			return { uniqueIds, sourceType: sourceType.read(item.value('sourceType'), item) };
		},
		asked: (chosen) => ({ ...chosen }),
	};
}

export const addFiles = changeOperation(
	'add',
	{
		name: 'Add Files',
		action: "Add files to agent's knowledge base",
		description: 'Add files, text entries or websites that are already in CometChat to an agent',
	},
	"For files that are already in CometChat. To upload a new file, use 'Document: Upload'.",
);

export const removeFiles = changeOperation('remove', {
	name: 'Remove Files',
	action: "Remove files from agent's knowledge base",
	description:
		'Remove files, text entries or websites from an agent. The documents stay in CometChat.',
});

interface Change {
	uid: string;
	chosen: Chosen;
	isCombined: boolean;
}
type Item = ReadItem<Change>;

/** CometChat's facts about the IDs of an execution. */
interface Known {
	/** The newest documents of the account. */
	documents: Documents;
	/** The status of each ID that is not in the list. */
	statuses: StatusById;
	/** The reason why CometChat's list could not be read. */
	listFailure?: Failure;
}

function changeOperation(
	value: ChangeOperation,
	words: Pick<Operation, 'name' | 'action' | 'description'>,
	hint?: string,
): Operation {
	return batchOperation({
		value,
		...words,
		fields: { uid: agent, chosen: chosenDocuments(hint) },
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

/** The number of agents that are changed at the same time. More save little time, and reach rate limits sooner. */
const AGENTS_AT_A_TIME = 10;

/** The documents of an item with the same source type. */
interface Part {
	item: Item;
	sourceType: string;
	uniqueIds: string[];
}

/**
 * Sends the requests of an execution: one PATCH per item and source type, in input order for each agent, and agents in
 * parallel.
 */
class Changes {
	private readonly results = new Map<number, ItemResult>();

	constructor(
		private readonly run: RunContext,
		private readonly operation: ChangeOperation,
		private readonly documents: Documents,
	) {}

	/** @returns The results by item. Items that were not started have none. */
	async send(items: readonly Item[]): Promise<Map<number, ItemResult>> {
		const agents = groupBy(items, ({ task }) => [task.uid]).values();
		const work = async () => {
			for (const ofAgent of agents) await this.changeAgent(ofAgent);
		};
		await Promise.all(Array.from({ length: AGENTS_AT_A_TIME }, work));
		return this.results;
	}

	private async changeAgent(items: readonly Item[]): Promise<void> {
		const parts = items.flatMap((item) => this.partsOf(item));
		const isCombined = items[0]?.task.isCombined === true;
		const bundles = isCombined ? groupBy(parts, ({ sourceType: type }) => [type]).values() : [];
		const requests = isCombined ? bundles : parts.map((part) => [part]);
		const results = new Map(items.map((item): [Item, ChangeResults] => [item, new Map()]));
		for (const together of requests) {
			const sent = await this.changeAll(together);
			for (const { item, uniqueIds } of together) {
				for (const id of uniqueIds) if (sent.has(id)) results.get(item)?.set(id, sent.get(id));
			}
		}
		for (const [item, ofItem] of results) this.record(item, ofItem);
	}

	private partsOf(item: Item): Part[] {
		const { uniqueIds, sourceType: type } = item.task.chosen;
		const groups = groupBy(uniqueIds, (id) => [type ?? this.documents.typeOf(id)]);
		return [...groups].flatMap(([found, ids]) =>
			found === undefined ? [] : { item, sourceType: found, uniqueIds: ids },
		);
	}

	/** Sends the documents of an agent and source type. Documents that were not sent have no result. */
	private async changeAll(parts: readonly Part[]): Promise<ChangeResults> {
		const { run, operation } = this;
		const results: ChangeResults = new Map();
		const [first] = parts;
		if (first === undefined) return results;
		const { uid, isCombined } = first.item.task;
		const ids = [...new Set(parts.flatMap(({ uniqueIds }) => uniqueIds))];
		for (const uniqueIds of isCombined ? chunk(ids, IDS_PER_CHANGE) : [ids]) {
			if (run.starting.clock.isCancelled()) break;
			const change = { operation, uid, sourceType: first.sourceType, uniqueIds };
			const sent = isCombined
				? await changeEach(run.starting, change, { endsAtFailure: run.stopsOnFailure })
				: await changeTogether(run.starting, change);
			for (const [id, failure] of sent) results.set(id, failure);
			if (run.stopsOnFailure && [...sent.values()].some(isFailure)) run.cancel();
		}
		return results;
	}

	private record({ index, task, requested }: Item, results: ChangeResults): void {
		if (results.size === 0) return;
		const { uniqueIds } = task.chosen;
		const context = new ItemContext(this.run.starting);
		const done = this.operation === 'add' ? 'added' : 'removed';
		const types = new Set(uniqueIds.map((id) => this.documents.typeOf(id)));
		const shown = {
			...namesOf(uniqueIds, this.documents),
			sourceType: [...types].join(', '),
			...requested,
		};
		const failure = [...results.values()].find(isFailure);
		if (failure === undefined && results.size === uniqueIds.length) {
			context.count({ attempts: 1 });
			this.results.set(index, context.done([{ ...shown, action: done, success: true }]));
			return;
		}
		const effects = new Map(uniqueIds.map((id) => [id, effectOf(results, id)] as const));
		const { outcome, ...state } = describeEach(effects, done, (id) => nameIn(this.documents, id));
		const row = { ...shown, outcome };
		this.results.set(index, context.failed(failure ?? NOT_SENT, row, state));
	}
}

/** Sends an item without bundles as one request: if it is refused, none of its documents is done. */
async function changeTogether(client: ApiClient, change: AgentChange): Promise<ChangeResults> {
	const answer = await toResult(sendChange(client, change));
	return new Map(change.uniqueIds.map((id) => [id, answer]));
}

/** The failure of an item whose last IDs were not sent. */
const NOT_SENT = notStarted();

function effectOf(results: ChangeResults, id: string): Effect {
	const failure = results.get(id);
	if (failure === undefined) return results.has(id) ? 'applied' : 'not applied';
	return failure.more.effect ?? 'not applied';
}

function namesOf(ids: readonly string[], documents: Documents): Fields {
	const isNamed = ids.some((id) => nameIn(documents, id) !== id);
	return isNamed ? { name: joinLimited(ids.map((id) => nameIn(documents, id))) } : {};
}

function nameIn(documents: Documents, id: string): string {
	return documents.withId(id)?.sourceName ?? id;
}

/** Our choice: CometChat's statuses of a new document may be late, and its documentation names no time. */
const PAUSES_MS = { add: [0, 5000], remove: [0] };

/** The number of pages in the list to choose from: 1,000 documents. */
const MOST_PAGES = 10;

/**
 * Looks up the IDs of an execution in the newest documents of the account's list, and by their status, which proves
 * that a document exists. Add Files requests the status of an unknown ID again a few seconds later, because the
 * document may have been uploaded just before. Remove Files accepts an unknown ID that an agent's list contains.
 */
async function lookUp(
	run: RunContext,
	operation: ChangeOperation,
	items: readonly Item[],
): Promise<Known> {
	const client = run.starting;
	const documents = new Documents();
	const statuses: StatusById = new Map();
	const ids = new Set(items.flatMap(({ task }) => task.chosen.uniqueIds));
	const isFound = (page: Document[]) => {
		documents.addAll(page);
		return [...ids].every((id) => documents.withId(id) !== undefined);
	};
	const list = await toResult(pagesUntil(documentPages(client), isFound, MOST_PAGES));
	// Without a list, no ID is refused, and each item fails by itself if it must.
	if (isFailure(list)) return { documents, statuses, listFailure: list };
	if (list.entries.length === 0) return { documents, statuses };
	const ask = async () => {
		const isOpen = (id: string) => (statuses.get(id) ?? NOT_LISTED) === NOT_LISTED;
		const open = [...ids].filter((id) => documents.withId(id) === undefined && isOpen(id));
		for (const id of open) statuses.delete(id);
		for (const [id, status] of await knownStatuses(client, open)) statuses.set(id, status);
		return open.some(isOpen) ? undefined : true;
	};
	const answer = await until(client.clock, Infinity, PAUSES_MS[operation], ask);
	if (answer !== undefined || operation === 'add') return { documents, statuses };
	for (const id of await usedIds(run, items)) statuses.delete(id);
	return { documents, statuses };
}

/** Returns the IDs in the agents' lists, which may contain a deleted document. */
async function usedIds(run: RunContext, items: readonly Item[]): Promise<string[]> {
	const snapshot = new Snapshot(run);
	const uids = [...new Set(items.map(({ task }) => task.uid))];
	const agents = await Promise.all(uids.map(async (uid) => toResult(snapshot.agents.withUid(uid))));
	return agents.flatMap((one) => (isFailure(one) ? [] : attachedIds(one)));
}

/** Returns the results of items with an ID that CometChat doesn't know, or of another or unknown source type. */
function refusedItems(items: readonly Item[], known: Known): Map<number, ItemResult> {
	const refused = new Map<number, ItemResult>();
	for (const { index, task, requested } of items) {
		const { chosen } = task;
		const error =
			unknownIds(chosen, known) ?? unknownType(chosen, known) ?? otherSourceType(chosen, known);
		if (error) refused.set(index, unusable(error, requested));
	}
	return refused;
}

function unknownIds({ uniqueIds }: Chosen, { statuses }: Known): UserError | undefined {
	const missing = uniqueIds.filter((id) => statuses.get(id) === NOT_LISTED).map(quoted);
	if (missing.length === 0) return undefined;
	return new UserError(
		`CometChat has no document with the ID ${joinLimited(missing)}`,
		"Check 'File IDs', or choose the documents again. An ID is mistyped, from another CometChat app, or of a deleted document. 'Document: Get Many' lists names and IDs.",
	);
}

/** Refuses an unknown source type: CometChat would accept it, but the agent would never use the document. */
function unknownType(
	{ uniqueIds, sourceType: type }: Chosen,
	{ documents, listFailure }: Known,
): UserError | undefined {
	const isListed = documents.all().some((one) => one.type === type);
	if (type !== undefined) {
		if (isListed || addableTypes.some(({ value }) => value === type)) return undefined;
		return new UserError(
			`CometChat lists no document of the source type ${quoted(type)}`,
			"Choose 'Source Type' from the list, or use the field sourceType of 'Document: Get Many'.",
		);
	}
	const untyped = uniqueIds.filter((id) => documents.typeOf(id) === undefined).map(quoted);
	if (untyped.length === 0) return undefined;
	const hint = "Set 'Choose Documents' to 'By ID', and choose 'Source Type'.";
	if (listFailure) return new UserError(listFailure.title, hint, listFailure.more);
	return new UserError(`Not among the 1,000 newest documents: ${joinLimited(untyped)}`, hint);
}

/** Refuses a wrong source type: CometChat would accept it, but the agent would never use the document. */
function otherSourceType(
	{ uniqueIds, sourceType: type = '' }: Chosen,
	{ documents }: Known,
): UserError | undefined {
	const wanted = findSourceType(type);
	const [first] = uniqueIds.flatMap((id) => {
		const found = findSourceType(documents.withId(id)?.type);
		const isOther = wanted !== undefined && found !== undefined && found !== wanted;
		return isOther ? { id, type: found } : [];
	});
	if (first === undefined) return undefined;
	return new UserError(
		`${quoted(nameIn(documents, first.id))} has the source type '${labelOf(first.type)}', but 'Source Type' is '${labelOf(type)}'`,
		`Set 'Source Type' to '${labelOf(first.type)}'. For documents of several types, use the field sourceType of 'Document: Get Many', or set 'Choose Documents' to 'From List'.`,
	);
}

function labelOf(type: string): string {
	return SOURCE_TYPES.find(({ value }) => value === type)?.name ?? type;
}
