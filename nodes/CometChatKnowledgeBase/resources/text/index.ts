import type { Resource } from '../../execution/operation';
import { createText } from './createText';
import { getText } from './getText';
import { updateText } from './updateText';
import { upsertText } from './upsertText';

export const text: Resource = {
	value: 'text',
	name: 'Text',
	operations: [createText, upsertText, getText, updateText],
	initial: createText,
};
