import type { INodeProperties } from 'n8n-workflow';

import type { ItemRun, Performer, Reader } from '../../execution/items';
import { itemByItem } from '../../execution/items';
import type { Operation, RunContext } from '../../execution/operation';
import type { Destination } from '../../ingestion/destination';
import { destinationReader } from '../../ingestion/destination';
import { maxIndexingOption } from '../../ingestion/indexing';
import { Ingestion } from '../../ingestion/ingestion';
import { ingestionRun } from '../../ingestion/ingestionRun';
import { OF_CHANGED_TEXT } from '../../ingestion/wordings';
import { addToAgentFields } from '../../input/fields';
import { readTextLocator } from '../../input/identifiers';
import type { ItemResult } from '../../results/itemResult';
import { readSuccess } from '../../service/attachments';
import { changeOf, readText } from '../../service/texts';
import { UserError } from '../../values/userError';
import {
	readTextWords,
	readTitle,
	TEXT,
	textField,
	textLocatorField,
	titleField,
} from './textFields';
import type { Json } from '../../values/json';

interface UpdateTask {
	uniqueId: string;
	changes: { title?: string; text?: string };
	destination: Destination;
}

const changesField: INodeProperties = {
	displayName: 'Update Fields',
	name: 'updateFields',
	type: 'collection',
	placeholder: 'Add field',
	default: {},
	description: 'What is not given stays as it is',
	options: [textField, titleField].map((field) => ({ ...field, required: false })),
};

/** Most who change a text want nothing else: the agents keep it. */
const agentFields = addToAgentFields.map((field) =>
	field.name === 'addToAgent'
		? {
				...field,
				default: false,
				description:
					'Whether to add it to an agent as well. The agents that have it keep it in any case.',
			}
		: field,
);

export const updateText: Operation = {
	value: 'update',
	name: 'Update',
	action: 'Update a text',
	description: 'Change a text where it is: its ID stays, and the agents that have it keep it',
	fields: [
		{ ...textLocatorField, description: 'The text to change' },
		changesField,
		...agentFields,
	],
	options: [maxIndexingOption],
	output: [
		...(['name', 'action', 'success', 'status', 'uniqueId', 'sourceType', 'uid'] as const),
		'updatedFields',
	],
	run: itemByItem(textUpdateReader, updater),
};

function textUpdateReader(run: RunContext): Reader<UpdateTask> {
	const locatorOf = run.parameter('textId');
	const titleOf = run.parameter('updateFields.title');
	const textOf = run.parameter('updateFields.text');
	const destinationOf = destinationReader(run);
	return (index) => {
		const uniqueId = readTextLocator(locatorOf(index));
		const title = ifGiven(titleOf(index), readTitle);
		const text = ifGiven(textOf(index), readTextWords);
		const changes = { ...(title && { title }), ...(text && { text }) };
		if (title === undefined && text === undefined) throw NOTHING_TO_CHANGE;
		const destination = destinationOf(index);
		return { kind: 'ready', task: { uniqueId, changes, destination }, requested: { uniqueId } };
	};
}

function ifGiven(value: unknown, read: typeof readTitle) {
	return value === undefined || value === null || value === '' ? undefined : read(value);
}

const NOTHING_TO_CHANGE = new UserError(
	"Neither 'Title' nor 'Text' under 'Update Fields' holds anything",
	'Give one of them, or both; what is not given stays as it is.',
);

function updater(itemRun: ItemRun): Performer<UpdateTask> {
	const run = ingestionRun(itemRun);
	return {
		async perform({ task: { uniqueId, changes, destination } }) {
			const { uid, waitUntilIndexed } = destination;
			let { title } = changes;
			const names = [title ?? uniqueId];
			const target = { sourceType: TEXT, names, uid, wording: OF_CHANGED_TEXT };
			const ingestion = new Ingestion(run, target);
			const read = (body: Json | undefined) => {
				title ??= readText(body)?.title;
				return readSuccess(body);
			};
			const request = changeOf(uniqueId, changes);
			const arrive = async () => await ingestion.update(uniqueId, request, read);
			await ingestion.bring(arrive, waitUntilIndexed, 'never');
			return changeResult(ingestion, { uniqueId, uid, title, changes });
		},
		keysOf: async ({ task: { uniqueId } }) => [uniqueId.toLowerCase()],
	};
}

interface Changed extends Pick<UpdateTask, 'uniqueId' | 'changes'> {
	uid?: string;
	/** Undefined if neither the item nor the answer has it. */
	title?: string;
}

function changeResult(
	ingestion: Ingestion,
	{ uniqueId, uid, title, changes }: Changed,
): ItemResult {
	const { failure, statuses } = ingestion;
	const told = {
		name: title ?? uniqueId,
		status: statuses.get(uniqueId),
		uniqueId,
		uid,
		sourceType: TEXT,
	};
	const updatedFields = FIELDS.filter((name) => changes[name] !== undefined);
	const done = { ...told, action: 'updated', updatedFields } as const;
	if (!failure) return ingestion.succeeded({ ...done, success: true });
	const isChanged = ingestion.uniqueIds.length > 0;
	return ingestion.failed(failure, () => (isChanged ? done : { ...told, action: 'failed' }));
}

const FIELDS = ['title', 'text'] as const;
