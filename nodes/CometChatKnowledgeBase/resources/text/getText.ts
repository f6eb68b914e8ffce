import { operation } from '../../operations/buildOperation';
import { simplify, textPicker } from '../../fields/fields';
import { simplifiedText, wholeText } from '../../api/texts';

export const getText = operation({
	value: 'get',
	name: 'Get',
	action: 'Get text entry',
	description: 'Retrieve the content and the indexing status of a text entry',
	fields: { uniqueId: textPicker('The text entry to retrieve'), simple: simplify },
	output: ['name', 'status', 'uniqueId', 'sourceType', 'text', 'createdAt', 'updatedAt'],
	run: async ({ uniqueId, simple }, item) => {
		const text = await wholeText(item, uniqueId);
		return simple ? simplifiedText(text) : text;
	},
});
