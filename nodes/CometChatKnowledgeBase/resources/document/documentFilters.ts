import type { Field, FieldGroup } from '../../fields/field';
import { choiceField, collectionField } from '../../fields/field';
import { agentPicker, choicesFilter, nameContains, sourceTypes } from '../../fields/fields';
import type { Document } from '../../api/documents';
import { matches, STATUSES } from '../../api/documents';
import { UserError } from '../../text/failure';
import { parseDateTime, timeMs } from '../../text/times';

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
		read: (value, { context }) =>
			parseDateTime(value, `The filter '${displayName}'`, context.getTimezone()),
	};
}

const FILTERS = {
	/** Whose documents; it keeps its name, by which the list behind it knows it. */
	uid: agentPicker("Belongs to 'Attached To': the agent that has the documents", {
		required: undefined,
		displayOptions: { show: { attachedTo: ['agent'] } },
	}),
	attachedTo: choiceField({
		displayName: 'Attached To',
		name: 'attachedTo',
		type: 'options',
		options: [
			{ name: 'An Agent', value: 'agent', description: 'That the agent below has' },
			{ name: 'Any Agent', value: 'any', description: 'That one agent has at least' },
			{ name: 'No Agent', value: 'none', description: 'That no agent answers from' },
		],
		default: 'agent',
		description:
			'Only documents that these agents have. If CometChat does not report the documents of an agent, a warning or an error says so.',
	}),
	afterMs: momentFilter(
		'Created After',
		'createdAfter',
		'Only documents that came to CometChat at this time or later',
	),
	beforeMs: momentFilter(
		'Created Before',
		'createdBefore',
		'Only documents that came to CometChat before this time',
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
			description: 'Only documents with one of these statuses',
		},
		STATUSES,
	),
};

const menu = collectionField(
	{ displayName: 'Filters', name: 'filters', placeholder: 'Add Filter' },
	FILTERS,
	// A filter that cannot be read is no reason to list everything.
	'Give it a value, or take the filter away.',
);

export const documentFilters: FieldGroup<DocumentFilters> = {
	properties: menu.properties,
	read: async (item) => {
		const { uid, attachedTo, ...more } = await menu.read(item);
		const { afterMs, beforeMs } = more;
		if (afterMs !== undefined && beforeMs !== undefined && afterMs >= beforeMs) {
			throw new UserError(
				"'Created After' is not before 'Created Before'",
				'No document can meet both: correct one of them.',
			);
		}
		if (attachedTo !== 'agent') return { ...more, attachedTo };
		if (uid !== undefined) return { ...more, attachedTo: { uid } };
		throw new UserError("'Agent' is empty", 'Pick the agent from the list, or give its ID.');
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
