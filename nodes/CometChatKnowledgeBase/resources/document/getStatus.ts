import { ValidationIssue } from '../../values/validationIssue';
import { filesFields, ifNoFileIdsOption, optionsField } from '../../input/fields';
import { attachedFiles } from '../../input/binary';
import { filesReader, readFileIdsOrSkip } from '../../input/fileIds';
import { isReady, NOT_LISTED, statusesOf } from '../../service/statuses';
import type { Reader, Ready } from '../../execution/items';
import { itemByItem } from '../../execution/items';
import type { Operation, RunContext } from '../../execution/operation';
import type { ItemResult } from '../../results/itemResult';
import type { Shown } from '../../values/shown';
import { adviceFor } from '../../results/advice';
import { RequestFailure } from '../../results/itemFailure';
import { RecordList } from '../../ingestion/records';
import { NOTHING_CHANGED, Steps } from '../../execution/steps';

export const getStatus: Operation = {
	value: 'getStatus',
	name: 'Get Status',
	action: 'Get the indexing status of documents',
	description: 'See which documents CometChat has indexed, is indexing, or was not able to read',
	fields: [...filesFields, optionsField(ifNoFileIdsOption)],
	run: itemByItem(statusReader, (run) => {
		const list = new RecordList(run);
		return { perform: async (item) => await getStatuses(item, run, list) };
	}),
};

function statusReader(run: RunContext): Reader<Shown[]> {
	const fileIdsOf = filesReader(run.parameter);
	return (index) => {
		const attached = attachedFiles(run.context, index);
		const fileIds = readFileIdsOrSkip(fileIdsOf(index), run.options, {}, attached);
		if (fileIds instanceof ValidationIssue || 'kind' in fileIds) return fileIds;
		return { kind: 'ready', task: fileIds.ids, requested: { uniqueIds: fileIds.ids } };
	};
}

/** One output item for each file. Names make it readable: without them it is an answer all the same. */
async function getStatuses(
	{ task: uniqueIds, requested }: Ready<Shown[]>,
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
			const { sourceName: name, type = 'uploads' } = list.records.withId(uniqueId) ?? {};
			const advice = adviceFor(status, type === 'uploads');
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
