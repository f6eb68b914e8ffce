import type { INodeProperties } from 'n8n-workflow';

import type { Field, FieldGroup } from '../input/field';
import { toAgentFields, waitUntilIndexedField } from '../input/fields';
import { readUid } from '../input/ids';
import { readSwitch } from '../values/switches';

/** Fields of operations that bring documents. */

/** The agent that gets them; undefined for none. @param properties In the place of those that most have. */
export function toAgent(properties: INodeProperties[] = toAgentFields) {
	const group: FieldGroup<string | undefined> = {
		properties,
		read: (item) => {
			const adds = readSwitch(item.value('addToAgent'), 'Add to Agent');
			return adds ? readUid(item.value('uid')) : undefined;
		},
		asked: (uid) => (uid === undefined ? {} : { uid }),
	};
	return group;
}

export const waitUntilIndexed: Field<boolean> = {
	property: waitUntilIndexedField,
	read: (value) => readSwitch(value, 'Wait Until Indexed'),
};
