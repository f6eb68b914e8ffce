import type { Resource } from '../../execution/operation';
import { createText } from './createText';

export const text: Resource = {
	value: 'text',
	name: 'Text',
	operations: [createText],
	initial: createText,
};
