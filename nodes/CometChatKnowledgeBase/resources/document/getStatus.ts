import { statusesOfItem } from '../../documents/statusesOfItem';
import { itemByItem } from '../../execution/items';
import type { Operation } from '../../execution/operation';
import { filesFields } from '../../input/fields';
import { ifNoFileIdsOption } from '../../input/fileIds';
import { documentIdsReader } from './documentIds';

export const getStatus: Operation = {
	value: 'getStatus',
	name: 'Get Status',
	action: 'Check whether documents could be read',
	description: 'See which documents CometChat has indexed, is indexing, or was not able to read',
	fields: filesFields,
	options: [ifNoFileIdsOption],
	output: ['name', 'status', 'isReady', 'uniqueId', 'sourceType', 'reason'],
	run: itemByItem(documentIdsReader, statusesOfItem),
};
