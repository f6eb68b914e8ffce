import type { Resource } from '../../execution/operation';
import { createText } from './createText';
import { getText } from './getText';
import { updateText } from './updateText';
import { upsertText } from './upsertText';

/** What texts alone have: the rest of their life is that of any document. */
export const text: Resource = {
	value: 'text',
	name: 'Text',
	operations: [upsertText, createText, getText, updateText],
	initial: upsertText,
};
