import { statusesOfItem } from '../../documents/statusesOfItem';
import { itemByItem } from '../../execution/items';
import type { Operation } from '../../execution/operation';
import { websiteField } from '../../input/fields';
import { websiteReader } from './oneWebsite';

export const getWebsiteStatus: Operation = {
	value: 'getStatus',
	name: 'Get Status',
	action: 'Get the indexing status of a website',
	description:
		'See whether CometChat has indexed a website, is indexing it, or was not able to read it',
	fields: [websiteField],
	run: itemByItem(websiteReader, statusesOfItem),
};
