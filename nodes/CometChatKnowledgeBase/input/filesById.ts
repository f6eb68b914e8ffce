import type { INodeProperties } from 'n8n-workflow';

import type { FieldGroup, InputItem } from './field';
import { choiceField, SkippedItem } from './field';
import type { WantedIds } from './ids';
import { isAddressPart, readIds } from './ids';
import { quoted } from '../values/quoting';
import { UserError } from '../values/userError';

const by = choiceField({
	displayName: 'Documents',
	name: 'filesBy',
	type: 'options',
	options: [
		{ name: 'By ID', value: 'ids', description: 'From a step before, or typed in' },
		{ name: 'From List', value: 'list', description: 'Picked from what is in CometChat' },
	],
	default: 'ids',
	description: 'Pick From List if no earlier step gives the IDs',
});

function picked(hint: string): INodeProperties {
	return {
		displayName: 'File Names or IDs',
		name: 'pickedFiles',
		type: 'multiOptions',
		typeOptions: {
			loadOptionsMethod: 'getFiles',
			// Of a resource locator n8n compares the value: 'uid' would be one text for every agent.
			loadOptionsDependsOn: ['sourceType', 'operation', 'uid.value'],
		},
		required: true,
		default: [],
		displayOptions: { show: { filesBy: ['list'] } },
		hint,
		description:
			'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
	};
}

const typed: INodeProperties = {
	displayName: 'File IDs',
	name: 'fileIds',
	displayOptions: { show: { filesBy: ['ids'] } },
	type: 'string',
	typeOptions: { rows: 3 },
	required: true,
	default: '',
	placeholder: 'e.g. 550e8400-e29b-41d4-a716-446655440000',
	hint: 'Drag in a field with the IDs, or type them: separated by commas or new lines',
	description:
		'The IDs of files, texts or websites: one ID, several separated by commas or new lines, a list of IDs, or a list of objects that have it as uniqueId or uploadId',
};

const ifNone = choiceField({
	displayName: 'If No File IDs',
	name: 'ifNoFileIds',
	type: 'options',
	options: [
		{
			name: 'Fail',
			value: 'fail',
			description: 'The item fails, because an empty list is often an accident',
		},
		{
			name: 'Skip the Item',
			value: 'skip',
			description: 'Nothing is sent for it, and the item says so',
		},
	],
	default: 'fail',
	description:
		'Change it if some items name no file on purpose. What to do with an item that has no file IDs.',
});

/**
 * Where an upload's record carries its ID, best first: `uniqueId` in the list of knowledge base records and on text
 * entries, `uploadId` in the answer to an upload (https://www.cometchat.com/docs/ai-agents/apis/initiate-file-uploads).
 * After them comes `id`, which is what n8n's own nodes call it; that of a file is another service's.
 */
export const FILE_IDS: WantedIds = {
	label: "'File IDs'",
	hint: 'Give the IDs of files that are in CometChat, as Document: Upload and Document: Get Many give them: a list, or a text with commas or new lines between them. For a file itself, use Document: Upload: it brings the file there, and can add it to an agent at once.',
	idIn: ({ uniqueId, uploadId, id, ...more }) => {
		const isFile = [more.mimeType, more.mimetype].some(Boolean) || more.type === 'file';
		return uniqueId ?? uploadId ?? (isFile ? undefined : id);
	},
};

async function readFileIds(item: InputItem): Promise<string[]> {
	// Not just one of the two: the other may still hold what was meant before.
	const isPicked = by.read(item.value('filesBy')) === 'list';
	const ids = await readIds(item.value(isPicked ? 'pickedFiles' : 'fileIds'), FILE_IDS, item.pause);
	if (ids.length > 0) return ids;
	if (ifNone.read(item.value('options.ifNoFileIds')) === 'skip') {
		const reason = "The item has no file IDs, and 'If No File IDs' is set to skip it";
		throw new SkippedItem(reason, { uniqueIds: [] });
	}
	const leaveOut = "To leave such items out, set 'If No File IDs' under Options to Skip the Item.";
	throw new UserError("'File IDs' is empty", `${FILE_IDS.hint} ${leaveOut}`);
}

/** Which files, by ID or from the list: IDs, each once, never none. */
export const fileIds: FieldGroup<string[]> = {
	properties: [
		by.property,
		picked('Shows the newest 1,000 of the account; pick others by ID or by expression'),
		typed,
	],
	options: [ifNone],
	read: readFileIds,
	asked: (uniqueIds) => ({ uniqueIds }),
};

/** Which files of those that an agent has. */
export const ownFileIds: FieldGroup<string[]> = {
	...fileIds,
	properties: [
		by.property,
		picked(
			"Shows the agent's own files where CometChat tells which they are, otherwise the newest 1,000 of the account",
		),
		typed,
	],
};

/** The same for requests in whose address an ID stands. */
export const documentIds: FieldGroup<string[]> = {
	...fileIds,
	read: async (item) => {
		const ids = await readFileIds(item);
		const unfit = ids.find((id) => !isAddressPart(id));
		if (unfit === undefined) return ids;
		throw new UserError(`'File IDs' has ${quoted(unfit)}, which is no ID`, FILE_IDS.hint);
	},
};

/** The IDs that CometChat's pages show: UUIDs, and 24 hexadecimal digits in the example of Add Files. */
const SHOWN_ON_PAGES = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{24})$/i;

/** Those that look otherwise, which proves nothing: of the live service nobody here knows more than its pages. */
export function unlikeIds(ids: string[]): string[] {
	return ids.filter((id) => !SHOWN_ON_PAGES.test(id));
}
