import type { INodeProperties } from 'n8n-workflow';

import {
	deletion,
	dryRunOption,
	ifAgentsHaveItOption,
	ifGoneOption,
} from '../../documents/actions';
import { fileByFile } from '../../documents/fileByFile';
import { itemByItem } from '../../execution/items';
import type { Operation } from '../../execution/operation';
import { filesFields } from '../../input/fields';
import { ifNoFileIdsOption } from '../../input/fileIds';
import type { OutputName } from '../../results/outputFields';
import { documentIdsReader } from './documentIds';

const deleteNotice: INodeProperties = {
	displayName:
		'Documents are deleted for good: from CometChat, and from every agent that has them. To take one from a single agent, use Remove Files.',
	name: 'deleteNotice',
	type: 'notice',
	default: '',
};

const DELETED: OutputName[] = [
	...(['name', 'action', 'success', 'uniqueId', 'sourceType', 'reason'] as const),
	...(['dryRun', 'deleted', 'agents', 'agentIds'] as const),
];

export const deleteDocuments: Operation = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete files, texts or websites for good',
	description:
		'Delete files, texts or websites from CometChat for good, also from every agent that has them',
	fields: [deleteNotice, ...filesFields],
	options: [dryRunOption, ifAgentsHaveItOption, ifGoneOption, ifNoFileIdsOption],
	output: DELETED,
	run: itemByItem(documentIdsReader, fileByFile(deletion)),
};
