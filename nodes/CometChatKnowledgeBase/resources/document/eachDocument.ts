import type { Snapshot } from '../../delivery/snapshot';
import type { ApiClient } from '../../api/apiClient';
import { findDocument } from '../../delivery/snapshot';
import type { BatchResult } from '../../operations/batchOperation';
import { eachItem } from '../../operations/eachItem';
import type { RunContext } from '../../operations/operation';
import type { Item } from '../../operations/readItems';
import type { Fields } from '../../output/itemResult';
import { describeEach } from '../../output/describeEach';
import type { Document } from '../../api/documents';
import type { Failure } from '../../text/failure';
import { toResult, isFailure } from '../../text/failure';
import { sourceTypeOf } from '../../text/sourceTypes';

/** The request for each document of an execution. */
interface Work<Task> {
	snapshot: Snapshot;
	/** The result of a document in a word, such as 'deleted'. */
	done: string;
	/** A note above the output, if a document is done. */
	note?: string;
	/** @returns More fields of the document's row. @throws Failure */
	perform(client: ApiClient, document: Document, task: Task): Promise<Fields>;
}

/**
 * Sends one request for each document, because CometChat documents no request for several. All items with the same
 * document share its request: a second request would find the effect of the first.
 */
export async function eachDocument<Task extends { uniqueIds: string[] }>(
	run: RunContext,
	items: ReadonlyArray<Item<Task>>,
	work: Work<Task>,
): Promise<BatchResult> {
	const { snapshot, done, note } = work;
	const performed = new Map<string, Promise<Fields | Failure>>();
	return await eachItem(run, items, async ({ task }, item) => {
		// The requests for the lists are shared.
		item.count({ attempts: 1 });
		const rows: Fields[] = [];
		const failures = new Map<string, Failure>();
		for (const uniqueId of task.uniqueIds) {
			if (run.stopsOnFailure && failures.size > 0) break;
			const once = performed.get(uniqueId) ?? performWork(run, work, uniqueId, task);
			performed.set(uniqueId, once);
			const answer = await once;
			if (isFailure(answer)) failures.set(uniqueId, answer);
			else rows.push(answer);
		}
		if (note !== undefined && rows.length > 0) item.remark(note);
		const [failure] = failures.values();
		if (failure === undefined) return rows;
		const applied = new Set(rows.map((row) => row.uniqueId));
		const effectOf = (uniqueId: string) =>
			applied.has(uniqueId) ? 'applied' : (failures.get(uniqueId)?.more.effect ?? 'not applied');
		const effects = new Map(task.uniqueIds.map((uniqueId) => [uniqueId, effectOf(uniqueId)]));
		const nameOf = (uniqueId: string) =>
			snapshot.documents.withId(uniqueId)?.sourceName ?? uniqueId;
		const { outcome, ...state } = describeEach(effects, done, nameOf);
		item.shown = { outcome };
		item.state = state;
		throw failure;
	});
}

/** Does the work for a document, unless an earlier try of the same call has done it. */
async function performWork<Task>(
	run: RunContext,
	{ snapshot, done, perform }: Work<Task>,
	uniqueId: string,
	task: Task,
): Promise<Fields | Failure> {
	const work = async (): Promise<Fields> => {
		const answer = await perform(run.starting, findDocument(snapshot, uniqueId), task);
		return { ...rowOf(uniqueId, snapshot), action: done, ...answer };
	};
	const answer = run.done.rows.get(uniqueId) ?? (await toResult(work()));
	if (!isFailure(answer)) run.done.rows.set(uniqueId, answer);
	return answer;
}

function rowOf(uniqueId: string, { documents }: Snapshot): Fields {
	const { sourceName: name, type } = documents.withId(uniqueId) ?? {};
	return { name, success: true, uniqueId, sourceType: sourceTypeOf(type) };
}
