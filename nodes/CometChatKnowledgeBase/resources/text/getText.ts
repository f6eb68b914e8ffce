import { operation } from '../../operations/buildOperation';
import { simplify, textPicker } from '../../fields/fields';
import { simplifiedText, wholeText } from '../../api/texts';

export const getText = operation({
	value: 'get',
	name: 'Get',
	action: 'Get a text',
	description: 'See what a text says, and whether an agent can answer from it yet',
	fields: { uniqueId: textPicker('The text to look at'), simple: simplify },
	output: ['name', 'status', 'uniqueId', 'sourceType', 'text', 'createdAt', 'updatedAt'],
	run: async ({ uniqueId, simple }, item) => {
		const text = await wholeText(item, uniqueId);
		return simple ? simplifiedText(text) : text;
	},
});
