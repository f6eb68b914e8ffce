import {
	contentOfItem,
	contentReader,
	maxCharactersOption,
	outputField,
} from '../../documents/content';
import { itemByItem } from '../../execution/items';
import type { Operation } from '../../execution/operation';
import { documentField } from '../../input/fields';

export const getContent: Operation = {
	value: 'getContent',
	name: 'Get Content',
	action: 'Get the text of a file, text or website',
	description:
		'Read the text that CometChat has extracted from a file, text or website: what agents answer from',
	fields: [documentField, outputField],
	options: [maxCharactersOption],
	output: [
		...(['name', 'status', 'uniqueId', 'sourceType', 'reason', 'text', 'characters'] as const),
		...(['page', 'pages', 'isCut'] as const),
	],
	run: itemByItem(contentReader, contentOfItem),
};
