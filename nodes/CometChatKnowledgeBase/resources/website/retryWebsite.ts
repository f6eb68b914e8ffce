import { reindexing } from '../../documents/actions';
import { fileByFile } from '../../documents/fileByFile';
import { itemByItem } from '../../execution/items';
import type { Operation } from '../../execution/operation';
import { websiteField } from '../../input/fields';
import { ofWebsite, websiteReader } from './oneWebsite';

export const retryWebsite: Operation = {
	value: 'retryIndexing',
	name: 'Retry Indexing',
	action: 'Retry indexing of a website',
	description:
		'Let CometChat index again what it has of a website. To fetch the site anew, use Crawl.',
	fields: [websiteField],
	run: itemByItem(
		websiteReader,
		fileByFile(() => ofWebsite(reindexing())),
	),
};
