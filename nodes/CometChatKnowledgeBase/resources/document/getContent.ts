import { contentOf, outputField, maxCharactersOption } from '../../documents/content';
import type { Operation } from '../../execution/operation';
import { documentField } from '../../input/fields';
import { readDocumentId } from '../../input/identifiers';
import { choiceOption } from '../../input/options';
import { SOURCE_TYPES } from '../../values/sourceTypes';

const contentTypeOption = choiceOption({
	displayName: 'Source Type',
	name: 'contentType',
	type: 'options',
	options: [
		{
			name: 'As CometChat Lists It',
			value: 'listed',
			description: 'Looked up in the list of the account',
		},
		...SOURCE_TYPES.map(({ name, value, description }) => ({ name, value, description })),
	],
	default: 'listed',
	description:
		'Change it if the document is not in the list yet, or to save looking it up. What kind of document it is.',
});

export const getContent: Operation = {
	value: 'getContent',
	name: 'Get Content',
	action: 'Get the text of a document',
	description:
		'Read the text that CometChat has extracted from a file, text or website: what agents answer from',
	fields: [documentField, outputField],
	options: [maxCharactersOption, contentTypeOption],
	run: contentOf({
		field: 'document',
		readId: readDocumentId,
		sourceTypeIn: (run) => run.option(contentTypeOption),
	}),
};
