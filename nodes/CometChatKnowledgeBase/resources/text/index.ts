import type { Resource } from '../../execution/operation';
import { createText } from './createText';
import { getText } from './getText';

export const text: Resource = {
	value: 'text',
	name: 'Text',
	operations: [createText, getText],
	initial: createText,
};
