import type { INodeProperties } from 'n8n-workflow';

import type { Attachment, AttachmentFields } from '../input/binary';
import { readAttachments, readOneAttachment } from '../input/binary';
import type { Field, FieldGroup, InputItem } from '../input/field';
import {
	binaryField,
	nameOption,
	oneFileField,
	toAgentFields,
	waitUntilIndexedField,
} from '../input/fields';
import { readUid } from '../input/identifiers';
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

/** As CometChat calls the kind of document that a file becomes. */
export const UPLOADS = 'uploads';

/** The files of an item, with the names that they get. */
export const itemFiles: FieldGroup<Attachment[]> = {
	properties: [binaryField],
	options: [nameOption],
	read: async (item) => await readAttachments(item.context, item.index, filesOf(item)),
	asked: (files) => ({
		name: files.map(({ fileName }) => fileName).join(', '),
		sourceType: UPLOADS,
	}),
};

/** The file of an item, for what takes one. */
export const itemFile: FieldGroup<Attachment> = {
	properties: [oneFileField],
	options: [nameOption],
	read: async (item) => await readOneAttachment(item.context, item.index, filesOf(item)),
	asked: ({ fileName: name }) => ({ name, sourceType: UPLOADS }),
};

function filesOf(item: InputItem): AttachmentFields {
	return {
		names: item.value(binaryField.name),
		newName: item.value(`options.${nameOption.property.name}`),
	};
}
