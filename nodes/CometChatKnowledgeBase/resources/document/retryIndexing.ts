import { reindexing } from '../../documents/actions';
import { fileByFile } from '../../documents/fileByFile';
import { itemByItem } from '../../execution/items';
import type { Operation } from '../../execution/operation';
import { filesFields, ifNoFileIdsOption, optionsField } from '../../input/fields';
import { deletableTypeField, filesOfTypeReader } from './filesOfType';

export const retryIndexing: Operation = {
	value: 'retryIndexing',
	name: 'Retry Indexing',
	action: 'Retry indexing of documents',
	description: 'Let CometChat read documents again that it was not able to index',
	fields: [deletableTypeField, ...filesFields, optionsField(ifNoFileIdsOption)],
	run: itemByItem(filesOfTypeReader, fileByFile(reindexing)),
};
