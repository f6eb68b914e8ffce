import { Complaint } from '../../values/validationIssue';
import { filesFields, ifNoFileIdsOption, optionsField } from '../../input/fields';
import { filesReader, readFileIdsOrSkip } from '../../input/fileIds';
import { isReady, statusesOf } from '../../execution/indexing';
import type { Reader, Ready } from '../../execution/items';
import { itemByItem } from '../../execution/items';
import type { Operation, Session } from '../../execution/operation';
import type { Outcome } from '../../results/itemResult';
import { Refused } from '../../results/itemFailure';
import { Steps } from '../../execution/steps';

export const getStatus: Operation = {
	resource: 'file',
	value: 'getStatus',
	name: 'Get Status',
	action: 'Get the indexing status of files',
	description: 'See which files CometChat has indexed, is indexing, or was not able to read',
	fields: [...filesFields, optionsField([ifNoFileIdsOption])],
	run: itemByItem(reader, (run) => ({ perform: async (item) => await getStatuses(item, run) })),
};

function reader(session: Session): Reader<string[]> {
	const fileIdsOf = filesReader(session.parameter);
	return (index) => {
		const fileIds = readFileIdsOrSkip(fileIdsOf(index), session.settings, {});
		if (fileIds instanceof Complaint || 'kind' in fileIds) return fileIds;
		return { kind: 'ready', task: fileIds.ids, asked: { uniqueIds: fileIds.ids } };
	};
}

/** One output item for each file. */
async function getStatuses(
	{ task: uniqueIds, asked }: Ready<string[]>,
	session: Session,
): Promise<Outcome> {
	const steps = new Steps(session);
	const statuses = await statusesOf(steps, uniqueIds);
	if (statuses instanceof Refused) {
		return steps.failed(statuses, 'not applied', 'Nothing was changed.', asked);
	}
	return steps.done(
		[...statuses].map(([uniqueId, status]) => ({ uniqueId, status, isReady: isReady(status) })),
	);
}
