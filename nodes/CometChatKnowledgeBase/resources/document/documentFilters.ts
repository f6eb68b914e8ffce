import type { Field, FieldGroup, ValuesOf } from '../../fields/field';
import { choiceField, collectionField } from '../../fields/field';
import { agentPicker, choicesFilter, nameContains, sourceTypes } from '../../fields/fields';
import type { Document } from '../../api/documents';
import { matches, STATUSES } from '../../api/documents';
import { UserError } from '../../text/failure';
import { parseTime, timeMs } from '../../text/times';

/** Makes a filter by time. A time without a zone is in the workflow's zone. */
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
	notUpdatedSinceMs: momentFilter(
		'Not Updated Since',
		'notUpdatedSince',
		'Return only documents that CometChat last updated before this time, for example to review old files',
	),
	sourceTypes,
	statuses: choicesFilter(
		{
			displayName: 'Status',
			name: 'statuses',
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
			{
				name: 'No Agent',
				value: 'none',
				description:
					"No agent uses them. New documents may be added to an agent later: also set 'Created Before'.",
			},
		],
		default: 'none',
		description:
			"Return only documents that these agents use. If CometChat doesn't report which documents an agent uses, you get a warning, or the item fails.",
	}),
	uid: agentPicker("The agent for the filter 'Used By'", {
		required: undefined,
		displayOptions: { show: { attachedTo: ['agent'] } },
	}),
};

/** The added filters. `attachedTo`: the agents that use the document. */
export type DocumentFilters = Partial<
	Omit<ValuesOf<typeof FILTERS>, 'uid' | 'attachedTo'> & {
		attachedTo: 'any' | 'none' | { uid: string };
	}
>;

const menu = collectionField(
	{ displayName: 'Filters', name: 'filters', placeholder: 'Add Filter' },
	FILTERS,
	// An invalid filter is refused, because without it all documents would be listed.
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
			"The filter 'Agent' is missing",
			"Add the filter 'Agent' and choose the agent, or set 'Used By' to another value.",
		);
	},
};

/** Whether a document matches all filters except for its agents. */
export function fitsFilters(document: Document, filters: DocumentFilters): boolean {
	const { statuses = [], afterMs, beforeMs, notUpdatedSinceMs } = filters;
	const { status = '', createdAt, updatedAt } = document;
	const ms = timeMs(createdAt) ?? NaN;
	const updatedMs = timeMs(updatedAt) ?? ms;
	return (
		matches(document, filters) &&
		(statuses.length === 0 || statuses.includes(status)) &&
		(afterMs === undefined || afterMs <= ms) &&
		(beforeMs === undefined || ms < beforeMs) &&
		(notUpdatedSinceMs === undefined || updatedMs < notUpdatedSinceMs)
	);
}
