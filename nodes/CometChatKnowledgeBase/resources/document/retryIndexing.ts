import { reindexing } from '../../documents/actions';
import { fileByFile } from '../../documents/fileByFile';
import { itemByItem } from '../../execution/items';
import type { Operation } from '../../execution/operation';
import { filesFields } from '../../input/fields';
import { ifNoFileIdsOption } from '../../input/fileIds';
import { deletableTypeField, filesOfTypeReader } from './filesOfType';

export const retryIndexing: Operation = {
	value: 'retryIndexing',
	name: 'Retry Indexing',
	action: 'Retry indexing of documents',
	description: 'Let CometChat read documents again that it was not able to index',
	fields: [deletableTypeField, ...filesFields],
	options: [ifNoFileIdsOption],
	run: itemByItem(filesOfTypeReader, fileByFile(reindexing)),
};
