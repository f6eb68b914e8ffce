import type { INodeProperties } from 'n8n-workflow';

import { deletion, ifAgentsHaveItOption, ifGoneOption } from '../../documents/actions';
import { fileByFile } from '../../documents/fileByFile';
import { itemByItem } from '../../execution/items';
import type { Operation } from '../../execution/operation';
import { websiteField } from '../../input/fields';
import { ofWebsite, websiteReader } from './oneWebsite';

const deleteWebsiteNotice: INodeProperties = {
	displayName:
		'The website and all of its pages are deleted for good: from CometChat, and from every agent that has them. To take it from a single agent, use Remove From Agent.',
	name: 'deleteWebsiteNotice',
	type: 'notice',
	default: '',
};

export const deleteWebsite: Operation = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete a website for good',
	description:
		'Delete a website and all of its pages from CometChat for good, also from every agent that has it',
	fields: [deleteWebsiteNotice, websiteField],
	options: [ifAgentsHaveItOption, ifGoneOption],
	run: itemByItem(
		websiteReader,
		fileByFile((run) => ofWebsite(deletion(run))),
	),
};
