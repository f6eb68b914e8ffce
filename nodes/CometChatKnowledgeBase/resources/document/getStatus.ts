import { ValidationIssue } from '../../values/validationIssue';
import {
	filesFields,
	ifNoFileIdsOption,
	optionsField,
	requestOptionsField,
} from '../../input/fields';
import { filesReader, readFileIdsOrSkip } from '../../input/fileIds';
import { isReady, statusesOf } from '../../execution/indexing';
import type { Reader, Ready } from '../../execution/items';
import { itemByItem } from '../../execution/items';
import type { Operation, RunContext } from '../../execution/operation';
import type { ItemResult } from '../../results/itemResult';
import { RequestFailure } from '../../results/itemFailure';
import { Steps } from '../../execution/steps';

export const getStatus: Operation = {
	value: 'getStatus',
	name: 'Get Status',
	action: 'Get the indexing status of documents',
	description: 'See which documents CometChat has indexed, is indexing, or was not able to read',
	fields: [...filesFields, optionsField([ifNoFileIdsOption]), requestOptionsField],
	run: itemByItem(reader, (run) => ({ perform: async (item) => await getStatuses(item, run) })),
};

function reader(run: RunContext): Reader<string[]> {
	const fileIdsOf = filesReader(run.parameter);
	return (index) => {
		const fileIds = readFileIdsOrSkip(fileIdsOf(index), run.options, {});
		if (fileIds instanceof ValidationIssue || 'kind' in fileIds) return fileIds;
		return { kind: 'ready', task: fileIds.ids, requested: { uniqueIds: fileIds.ids } };
	};
}

/** One output item for each file. */
async function getStatuses(
	{ task: uniqueIds, requested }: Ready<string[]>,
	run: RunContext,
): Promise<ItemResult> {
	const steps = new Steps(run);
	const statuses = await statusesOf(steps, uniqueIds);
	if (statuses instanceof RequestFailure) {
		return steps.failed(statuses, 'not applied', 'Nothing was changed.', requested);
	}
	return steps.done(
		[...statuses].map(([uniqueId, status]) => ({ uniqueId, status, isReady: isReady(status) })),
	);
}
