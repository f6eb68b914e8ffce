import type { ItemOfFiles } from '../../bundling/splitResult';
import { changeAgents, bundlesOption } from '../../documents/changeOfAgents';
import type { Reader } from '../../execution/items';
import type { Operation, RunResult, RunContext } from '../../execution/operation';
import { attachedFiles } from '../../input/binary';
import { agentField, filesFields, ownFilesFields, sourceTypeField } from '../../input/fields';
import { ifNoFileIdsOption, filesReader, readFileIdsOrSkip, unlikeIds } from '../../input/fileIds';
import { readSourceType, readUid } from '../../input/identifiers';
import type { ChangeOperation } from '../../service/attachments';
import { ValidationIssue } from '../../values/validationIssue';
import { itemsNotToSend, checkIdsOption } from './idCheck';

const changeOptions = [bundlesOption, checkIdsOption, ifNoFileIdsOption];

export const addFiles: Operation = {
	value: 'add',
	name: 'Add Files',
	action: 'Give an agent documents that are in CometChat',
	description: 'Let an agent answer from files that are in CometChat already, by their IDs',
	fields: [agentField, sourceTypeField, ...filesFields],
	options: changeOptions,
	run: async (run) => await changeFiles(run, 'add'),
};

export const removeFiles: Operation = {
	value: 'remove',
	name: 'Remove Files',
	action: 'Take documents from an agent (they stay in CometChat)',
	description: 'Let an agent no longer answer from files. The files themselves stay in CometChat.',
	fields: [agentField, sourceTypeField, ...ownFilesFields],
	options: changeOptions,
	run: async (run) => await changeFiles(run, 'remove'),
};

async function changeFiles(run: RunContext, operation: ChangeOperation): Promise<RunResult> {
	return await changeAgents(run, changeReader(run, operation), { notToSend: itemsNotToSend });
}

function changeReader(run: RunContext, operation: ChangeOperation): Reader<ItemOfFiles> {
	const uidOf = run.parameter('uid');
	const sourceTypeOf = run.parameter('sourceType');
	const filesByOf = run.parameter('filesBy');
	const fileIdsOf = filesReader(run.parameter);
	const ifNoFileIds = run.option(ifNoFileIdsOption);
	return (index) => {
		const uid = readUid(uidOf(index));
		if (uid instanceof ValidationIssue) return uid;
		const sourceType = readSourceType(sourceTypeOf(index));
		if (sourceType instanceof ValidationIssue) return sourceType;
		const requested = { operation, uid, sourceType };
		const attached = attachedFiles(run.context, index);
		const fileIds = readFileIdsOrSkip(fileIdsOf(index), ifNoFileIds, requested, attached);
		if (fileIds instanceof ValidationIssue || 'kind' in fileIds) return fileIds;
		const { ids: uniqueIds, repeated } = fileIds;
		const change = { ...requested, uniqueIds };
		// What CometChat lists is its own, and what it is asked for need not be guessed at.
		const isSure = filesByOf(index) === 'list' || run.option(checkIdsOption);
		const unlike = isSure ? [] : unlikeIds(uniqueIds);
		return { kind: 'ready', task: { change, repeated, unlike, attached }, requested: change };
	};
}
