import type { Reader, Ready } from '../../execution/items';
import { itemByItem } from '../../execution/items';
import type { Operation, RunContext } from '../../execution/operation';
import { NOTHING_CHANGED, ItemContext } from '../../execution/itemContext';
import { simplifyField } from '../../input/fields';
import { readTextLocator } from '../../input/identifiers';
import { ApiError } from '../../results/apiError';
import type { ItemResult } from '../../results/itemResult';
import { simplifiedText, wholeText } from '../../service/texts';
import { readSwitch } from '../../values/switches';
import { textLocatorField } from './textFields';

interface GetTextTask {
	uniqueId: string;
	/** Whether the output item has what a person looks for only. */
	simple: boolean;
}

export const getText: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get a text',
	description: 'See what a text says, and whether an agent can answer from it yet',
	fields: [textLocatorField, simplifyField],
	output: ['name', 'status', 'uniqueId', 'sourceType', 'text', 'createdAt', 'updatedAt'],
	run: itemByItem(wantedTextReader, (run) => ({
		perform: async (item) => await getOneText(item, run),
	})),
};

function wantedTextReader(run: RunContext): Reader<GetTextTask> {
	const textOf = run.parameter('textId');
	const simpleOf = run.parameter('simple');
	return (index) => {
		const uniqueId = readTextLocator(textOf(index));
		const simple = readSwitch(simpleOf(index), 'Simplify');
		return { kind: 'ready', task: { uniqueId, simple }, requested: { uniqueId } };
	};
}

async function getOneText(
	{ task: { uniqueId, simple }, requested }: Ready<GetTextTask>,
	run: RunContext,
): Promise<ItemResult> {
	const steps = new ItemContext(run);
	const text = await wholeText(steps, uniqueId);
	return text instanceof ApiError
		? steps.failed(text, requested, NOTHING_CHANGED)
		: steps.done([simple ? simplifiedText(text) : text]);
}
