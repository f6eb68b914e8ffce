import type { INodeProperties } from 'n8n-workflow';

import { deletion, ifAgentsHaveItOption, ifGoneOption } from '../../documents/actions';
import { fileByFile } from '../../documents/fileByFile';
import { itemByItem } from '../../execution/items';
import type { Operation } from '../../execution/operation';
import { filesFields } from '../../input/fields';
import { ifNoFileIdsOption } from '../../input/fileIds';
import { deletableTypeField, filesOfTypeReader } from './filesOfType';

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
	fields: [deleteNotice, deletableTypeField, ...filesFields],
	options: [ifAgentsHaveItOption, ifGoneOption, ifNoFileIdsOption],
	run: itemByItem(filesOfTypeReader, fileByFile(deletion)),
};
