import { operation } from '../../operations/buildOperation';
import { textPicker } from '../../fields/fields';
import { rowShape } from '../../fields/rowShape';
import type { OutputName } from '../../output/outputFields';
import { simplifiedText, wholeText } from '../../api/texts';

const TEXT_FIELDS: OutputName[] = [
	...(['name', 'status', 'uniqueId', 'sourceType', 'text', 'createdAt', 'updatedAt'] as const),
];

export const getText = operation({
	value: 'get',
	name: 'Get',
	action: 'Get text entry',
	description: 'Retrieve the content and the indexing status of a text entry',
	fields: { uniqueId: textPicker('The text entry to retrieve'), shape: rowShape(TEXT_FIELDS) },
	output: TEXT_FIELDS,
	run: async ({ uniqueId, shape }, item) => {
		return shape(await wholeText(item, uniqueId), simplifiedText);
	},
});
