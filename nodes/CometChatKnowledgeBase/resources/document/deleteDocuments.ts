import type { INodeProperties } from 'n8n-workflow';

import type { ItemRun } from '../../execution/items';
import { itemByItem } from '../../execution/items';
import type { Operation } from '../../execution/operation';
import { filesFields, ifGoneOption, ifNoFileIdsOption, optionsField } from '../../input/fields';
import type { ItemFailure } from '../../results/itemFailure';
import { RequestFailure } from '../../results/itemFailure';
import { deleteOne, isUnknownFile } from '../../service/deletion';
import { worded } from '../../values/shown';
import type { FileAction } from './fileByFile';
import { fileByFile, filesOfTypeReader, deletableTypeField } from './fileByFile';

const deleteNotice: INodeProperties = {
	displayName:
		'Documents are deleted for good: from CometChat, and from every agent that has them. To take one from a single agent, use Remove Files.',
	name: 'deleteNotice',
	type: 'notice',
	default: '',
};

export const deleteDocuments: Operation = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete documents for good',
	description: 'Delete documents from CometChat for good, also from every agent that has them',
	fields: [
		deleteNotice,
		deletableTypeField,
		...filesFields,
		optionsField(ifGoneOption, ifNoFileIdsOption),
	],
	run: itemByItem(filesOfTypeReader, fileByFile(deletion)),
};

/** What n8n expects of a delete is `deleted: true`; the IDs stand beside it. */
function deletion({ options }: ItemRun): FileAction {
	const takesGone = options.ifGone === 'deleted';
	return {
		done: 'deleted',
		success: { deleted: true },
		perform: async (client, kind, uniqueId) => await deleteOne(client, kind, uniqueId),
		isDoneAlready: (failure) => takesGone && isUnknownFile(failure),
		details: (alreadyGone) => (takesGone ? { alreadyGone } : {}),
		explained: withIfGone,
	};
}

/** Where there is no such file, with the way out for one that was deleted before. */
function withIfGone(failure: ItemFailure): ItemFailure {
	if (!(failure instanceof RequestFailure) || !isUnknownFile(failure)) return failure;
	const { explanation, ...result } = failure.result;
	const way = "If it was deleted before, set 'If Already Gone' under Options to Count as Deleted.";
	return new RequestFailure({
		...result,
		explanation: explanation && { ...explanation, remedy: worded`${explanation.remedy} ${way}` },
	});
}
