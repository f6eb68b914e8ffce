import type { INodeProperties } from 'n8n-workflow';

import { agentField, nameFilter, sourceTypesFilter } from '../input/fields';
import { readFilter, readNameContains, readSourceTypes } from '../input/filters';
import { readUid } from '../input/identifiers';
import type { OutputName } from '../results/outputFields';
import { UserError, isRecord } from '../values/userError';

export type EventName = 'documentAdded' | 'indexingFailed' | 'indexingFinished';

/** What an item may tell. Whoever waits for an end is told where it will not come to know it. */
export type ToldEvent = EventName | 'notWatched';

/** What somebody may wait for. */
export const EVENTS: Array<{ name: string; value: EventName; description: string }> = [
	{
		name: 'Document Added',
		value: 'documentAdded',
		description: 'A file, text or website has come into the account',
	},
	{
		name: 'Indexing Failed',
		value: 'indexingFailed',
		description: 'CometChat was not able to read a document, so that no agent can answer from it',
	},
	{
		name: 'Indexing Finished',
		value: 'indexingFinished',
		description: 'CometChat has read a document, and agents can answer from it',
	},
];

const eventsField: INodeProperties = {
	displayName: 'Events',
	name: 'events',
	type: 'multiOptions',
	required: true,
	options: EVENTS,
	default: ['indexingFailed'],
	description: 'What starts the workflow; each document that it happens to is an item',
};

/** It keeps its name, by which the list behind it knows it. */
const agentFilter: INodeProperties = {
	...agentField,
	required: undefined,
	description:
		'Only documents that this agent has when the event is noticed. An agent often gets a file only after it is indexed, or never if that fails.',
};

const eventFiltersField: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	options: [agentFilter, nameFilter, sourceTypesFilter],
};

export const triggerFields = [eventsField, eventFiltersField];

/** What an item has, in this order. */
export const triggerOutput: OutputName[] = [
	...(['event', 'name', 'status', 'uniqueId', 'sourceType'] as const),
	...(['reason', 'createdAt', 'updatedAt'] as const),
];

/** Under the node's name on the canvas. */
export function triggerSubtitle(): string {
	const names = Object.fromEntries(EVENTS.map(({ name, value }) => [value, name]));
	return `={{ [].concat($parameter["events"]).map((event) => (${JSON.stringify(names)})[event] ?? event).join(", ") }}`;
}

/** What somebody waits for, and for which documents. */
export interface Wanted {
	events: EventName[];
	/** Empty for any. */
	sourceTypes: string[];
	/** As `searchable` writes it. */
	nameContains?: string;
	/** The ID of an agent that has the document. */
	agent?: string;
}

export function readWanted(events: unknown, filters: unknown): Wanted {
	const isEmpty = events === '' || (Array.isArray(events) && events.length === 0);
	if (isEmpty) throw new UserError("'Events' is empty", 'Pick what starts the workflow.');
	const chosen = readFilter(events, "'Events'", EVENTS);
	const given = isRecord(filters) ? filters : {};
	const sourceTypes = readSourceTypes(given);
	const nameContains = readNameContains(given);
	const agent = 'uid' in given ? readUid(given.uid) : undefined;
	return {
		events: EVENTS.map(({ value }) => value).filter((event) => chosen.includes(event)),
		sourceTypes,
		...(nameContains === undefined ? {} : { nameContains }),
		...(agent === undefined ? {} : { agent }),
	};
}

/** Whether somebody waits for this, or for an end that there will be no word of. */
export function isWanted(event: ToldEvent, { events }: Pick<Wanted, 'events'>): boolean {
	return event === 'notWatched'
		? events.some((one) => one !== 'documentAdded')
		: events.includes(event);
}
