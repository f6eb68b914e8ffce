import type { FilesOfType } from '../../documents/fileByFile';
import { statusesOfItem } from '../../documents/statusesOfItem';
import type { Reader } from '../../execution/items';
import { itemByItem } from '../../execution/items';
import type { Operation, RunContext } from '../../execution/operation';
import { attachedFiles } from '../../input/binary';
import { filesFields } from '../../input/fields';
import { ifNoFileIdsOption, filesReader, readFileIdsOrSkip } from '../../input/fileIds';
import { ValidationIssue } from '../../values/validationIssue';

export const getStatus: Operation = {
	value: 'getStatus',
	name: 'Get Status',
	action: 'Check whether documents could be read',
	description: 'See which documents CometChat has indexed, is indexing, or was not able to read',
	fields: [...filesFields],
	options: [ifNoFileIdsOption],
	run: itemByItem(statusReader, statusesOfItem),
};

function statusReader(run: RunContext): Reader<FilesOfType> {
	const fileIdsOf = filesReader(run.parameter);
	const ifNoFileIds = run.option(ifNoFileIdsOption);
	return (index) => {
		const attached = attachedFiles(run.context, index);
		const fileIds = readFileIdsOrSkip(fileIdsOf(index), ifNoFileIds, {}, attached);
		if (fileIds instanceof ValidationIssue || 'kind' in fileIds) return fileIds;
		const { ids: uniqueIds } = fileIds;
		return { kind: 'ready', task: { sourceType: 'uploads', uniqueIds }, requested: { uniqueIds } };
	};
}
