import type { Field, FieldGroup } from '../../fields/field';
import { choiceField, collectionField } from '../../fields/field';
import { agentPicker, choicesFilter, nameContains, sourceTypes } from '../../fields/fields';
import type { Document } from '../../api/documents';
import { matches, STATUSES } from '../../api/documents';
import { UserError } from '../../text/failure';
import { parseTime, timeMs } from '../../text/times';

/** Which documents are wanted. */
export interface DocumentFilters {
	/** Empty for any. */
	statuses?: string[];
	/** Empty for any. */
	sourceTypes?: string[];
	/** As `searchable` writes it. */
	nameContains?: string;
	/** Unix time in milliseconds: not before this. */
	afterMs?: number;
	/** Before this. */
	beforeMs?: number;
	/** Whose they are; left out: of no interest. */
	attachedTo?: 'any' | 'none' | { uid: string };
}

/** A point in time; without a zone it is one of the workflow's own. */
function momentFilter(displayName: string, name: string, description: string): Field<number> {
	return {
		property: { displayName, name, type: 'dateTime', default: '', description },
		read: (value, { context }) => {
			const ms = parseTime(value, `The filter '${displayName}'`, context.getTimezone());
			if (ms !== undefined) return ms;
			throw new UserError(
				`The filter '${displayName}' is empty`,
				'Choose a date, or remove this field.',
			);
		},
	};
}

const FILTERS = {
	afterMs: momentFilter(
		'Created After',
		'createdAfter',
		'Return only documents that were added to CometChat at this time or later',
	),
	beforeMs: momentFilter(
		'Created Before',
		'createdBefore',
		'Return only documents that were added to CometChat before this time',
	),
	nameContains,
	sourceTypes,
	statuses: choicesFilter(
		{
			displayName: 'Status',
			name: 'statuses',
			type: 'multiOptions',
			options: STATUSES,
			default: [],
			description: 'Return only documents with these statuses',
		},
		STATUSES,
	),
	attachedTo: choiceField({
		displayName: 'Used By',
		name: 'attachedTo',
		type: 'options',
		options: [
			{ name: 'A Specific Agent', value: 'agent', description: "The agent in 'Agent' uses them" },
			{ name: 'Any Agent', value: 'any', description: 'At least one agent uses them' },
			{ name: 'No Agent', value: 'none', description: 'No agent uses them' },
		],
		default: 'agent',
		description:
			"Return only documents that these agents use. If CometChat doesn't report the documents of an agent, the node warns or the item fails.",
	}),
	/** It keeps its name, by which the list behind it knows it. */
	uid: agentPicker("The agent for the filter 'Used By'", {
		required: undefined,
		displayOptions: { show: { attachedTo: ['agent'] } },
	}),
};

const menu = collectionField(
	{ displayName: 'Filters', name: 'filters', placeholder: 'Add Filter' },
	FILTERS,
	// A filter that cannot be read is no reason to list everything.
	'Enter a value, or remove the filter.',
);

export const documentFilters: FieldGroup<DocumentFilters> = {
	properties: menu.properties,
	read: async (item) => {
		const { uid, attachedTo, ...more } = await menu.read(item);
		const { afterMs, beforeMs } = more;
		if (afterMs !== undefined && beforeMs !== undefined && afterMs >= beforeMs) {
			throw new UserError(
				"'Created After' is not before 'Created Before'",
				'Correct one of the filters: no document can match both.',
			);
		}
		if (attachedTo !== 'agent') return { ...more, attachedTo };
		if (uid !== undefined) return { ...more, attachedTo: { uid } };
		throw new UserError(
			"The filter 'Agent' is empty",
			"Add the filter 'Agent' and choose the agent, or set 'Used By' to another value.",
		);
	},
};

/** Whether a document is wanted by all but its agents. */
export function fitsFilters(document: Document, filters: DocumentFilters): boolean {
	const { statuses = [], afterMs, beforeMs } = filters;
	const { status = '', createdAt } = document;
	const ms = timeMs(createdAt) ?? NaN;
	return (
		matches(document, filters) &&
		(statuses.length === 0 || statuses.includes(status)) &&
		(afterMs === undefined || afterMs <= ms) &&
		(beforeMs === undefined || ms < beforeMs)
	);
}
