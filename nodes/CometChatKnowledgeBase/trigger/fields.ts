import type { INodeProperties } from 'n8n-workflow';

import type { Option } from '../fields/field';
import { readOptions } from '../fields/field';
import { agentPicker, nameContains, readFilter, sourceTypes } from '../fields/fields';
import type { OutputName } from '../output/outputFields';
import { UserError } from '../text/failure';

export type EventName = 'documentAdded' | 'indexingFailed' | 'indexingFinished' | 'stuck';

/** The events in 'Trigger On'. */
export const EVENTS: Array<{ name: string; value: EventName; description: string }> = [
	{
		name: 'Document Added',
		value: 'documentAdded',
		description: 'A file, text entry or website was added to the CometChat app',
	},
	{
		name: 'Indexing Failed',
		value: 'indexingFailed',
		description: "CometChat couldn't index a document, so no agent can answer from it",
	},
	{
		name: 'Indexing Finished',
		value: 'indexingFinished',
		description: 'CometChat indexed a document, so agents can answer from it',
	},
	{
		name: 'Indexing Stuck',
		value: 'stuck',
		description: 'CometChat is still indexing a document after two hours',
	},
];

const eventsField: INodeProperties = {
	displayName: 'Trigger On',
	name: 'events',
	type: 'multiOptions',
	required: true,
	options: EVENTS,
	default: ['indexingFailed'],
};

const agentFilter: Option<string> = {
	...agentPicker('Only documents that this agent uses when the trigger checks CometChat', {
		required: undefined,
		hint: "Don't use this filter to find failed files: they are usually added to an agent only after indexing",
	}),
	ifNotSet: '',
};

const eventFilters = [agentFilter, nameContains, sourceTypes];

const eventFiltersField: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	options: eventFilters.map(({ property }) => property),
};

export const triggerFields = [eventsField, eventFiltersField];

/** The fields of an output item, in this order. */
export const triggerOutput: OutputName[] = [
	...(['event', 'name', 'status', 'uniqueId', 'sourceType'] as const),
	...(['createdAt', 'updatedAt'] as const),
];

/** Returns the text under the node's name on the canvas. */
export function triggerSubtitle(): string {
	const names = Object.fromEntries(EVENTS.map(({ name, value }) => [value, name]));
	return `={{ [].concat($parameter["events"]).map((event) => (${JSON.stringify(names)})[event] ?? event).join(", ") }}`;
}

/** The events and documents that start the workflow. An empty filter matches all documents. */
export type EventFilter = ReturnType<typeof readEventFilter>;

export function readEventFilter(events: unknown, filters: unknown) {
	const isEmpty = events === '' || (Array.isArray(events) && events.length === 0);
	if (isEmpty) throw new UserError("'Trigger On' is empty", "Choose an event in 'Trigger On'.");
	const chosen = readFilter(events, "'Trigger On'", EVENTS);
	// An added filter without a value is refused, because it would match all documents.
	const filter = readOptions(eventFilters, filters);
	return {
		events: EVENTS.map(({ value }) => value).filter((event) => chosen.includes(event)),
		sourceTypes: filter(sourceTypes),
		nameContains: filter(nameContains),
		agent: filter(agentFilter),
	};
}
