import { contentOf, outputField } from '../../documents/content';
import type { Operation } from '../../execution/operation';
import {
	contentTypeOption,
	documentField,
	maxCharactersOption,
	optionsField,
} from '../../input/fields';
import { readDocumentId } from '../../input/identifiers';

export const getContent: Operation = {
	value: 'getContent',
	name: 'Get Content',
	action: 'Get the text of a document',
	description:
		'Read the text that CometChat has extracted from a file, text or website: what agents answer from',
	fields: [documentField, outputField, optionsField(maxCharactersOption, contentTypeOption)],
	run: contentOf({
		field: 'document',
		readId: readDocumentId,
		sourceTypeIn: ({ contentType }) => contentType,
	}),
};
