import type { ItemRun, Performer, Ready } from '../execution/items';
import type { RunContext } from '../execution/operation';
import { NOTHING_CHANGED, Steps } from '../execution/steps';
import { RecordList } from '../ingestion/records';
import { adviceFor } from '../results/advice';
import { RequestFailure } from '../results/itemFailure';
import type { ItemResult } from '../results/itemResult';
import { isReady, NOT_LISTED, statusesOf } from '../service/statuses';
import { sourceTypeOf } from '../values/sourceTypes';
import type { FilesOfType } from './fileByFile';

/** One output item for each file. Names make it readable: without them it is an answer all the same. */
export function statusesOfItem(run: ItemRun): Performer<FilesOfType> {
	const list = new RecordList(run);
	return { perform: async (item) => await getStatuses(item, run, list) };
}

/** @param item Its source type is only what it is taken for where the list does not tell. */
async function getStatuses(
	{ task: { uniqueIds, sourceType }, requested }: Ready<FilesOfType>,
	run: RunContext,
	list: RecordList,
): Promise<ItemResult> {
	const steps = new Steps(run);
	const statuses = await statusesOf(steps, uniqueIds);
	if (statuses instanceof RequestFailure) {
		return steps.failed(statuses, requested, NOTHING_CHANGED);
	}
	const known = uniqueIds.filter((id) => statuses.get(id) !== NOT_LISTED);
	if (known.length > 0) await list.until((read) => known.every((id) => read.withId(id)));
	return steps.done(
		uniqueIds.map((uniqueId) => {
			const status = statuses.get(uniqueId) ?? NOT_LISTED;
			const { sourceName: name, type = sourceType } = list.records.withId(uniqueId) ?? {};
			const advice = adviceFor(status, sourceTypeOf(type));
			return {
				...(name === undefined ? {} : { name }),
				status,
				isReady: isReady(status),
				...(advice === undefined ? {} : { advice }),
				uniqueId,
			};
		}),
	);
}
