import { reindexing } from '../../documents/actions';
import { fileByFile } from '../../documents/fileByFile';
import { itemByItem } from '../../execution/items';
import type { Operation } from '../../execution/operation';
import { filesFields } from '../../input/fields';
import { ifNoFileIdsOption } from '../../input/fileIds';
import { documentIdsReader } from './documentIds';

export const retryIndexing: Operation = {
	value: 'retryIndexing',
	name: 'Retry Indexing',
	action: 'Retry indexing of files, texts or websites',
	description:
		'Let CometChat read documents again that it was not able to index. Crawl fetches a website anew.',
	fields: filesFields,
	options: [ifNoFileIdsOption],
	output: ['name', 'action', 'success', 'uniqueId', 'sourceType', 'reason'],
	run: itemByItem(documentIdsReader, fileByFile(reindexing)),
};
