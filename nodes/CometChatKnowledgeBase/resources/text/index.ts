import type { Resource } from '../../execution/operation';
import { createText } from './createText';
import { getText } from './getText';
import { updateText } from './updateText';

export const text: Resource = {
	value: 'text',
	name: 'Text',
	operations: [createText, getText, updateText],
	initial: createText,
};
