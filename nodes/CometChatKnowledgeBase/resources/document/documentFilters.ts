import type { INodeProperties } from 'n8n-workflow';

import { agentField, nameFilter, sourceTypesFilter } from '../../input/fields';
import { readFilter, readNameContains, readSourceTypes, searchable } from '../../input/filters';
import { readUid } from '../../input/identifiers';
import type { KnowledgeBaseRecord } from '../../service/records';
import { STATUSES } from '../../service/records';
import { sourceTypeOf } from '../../values/sourceTypes';
import { readChoice } from '../../values/switches';
import { inMs, readMoment } from '../../values/times';
import { UserError, isRecord } from '../../values/userError';

/** Which documents are wanted. */
export interface DocumentFilters {
	/** Empty for any. */
	statuses: string[];
	/** Empty for any. */
	sourceTypes: string[];
	/** As `searchable` writes it. */
	nameContains?: string;
	/** Unix time in milliseconds: not before this. */
	afterMs?: number;
	/** Before this. */
	beforeMs?: number;
	/** Whose they are; left out: of no interest. */
	attachedTo?: 'any' | 'none' | { uid: string };
}

const statusFilter: INodeProperties = {
	displayName: 'Status',
	name: 'statuses',
	type: 'multiOptions',
	options: STATUSES,
	default: [],
	description: 'Only documents with one of these statuses',
};

const afterFilter: INodeProperties = {
	displayName: 'Created After',
	name: 'createdAfter',
	type: 'dateTime',
	default: '',
	description: 'Only documents that came to CometChat at this time or later',
};

const beforeFilter: INodeProperties = {
	displayName: 'Created Before',
	name: 'createdBefore',
	type: 'dateTime',
	default: '',
	description: 'Only documents that came to CometChat before this time',
};

const attachedFilter: INodeProperties = {
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
		'Only documents that these agents have. If CometChat does not tell, it is an error: nothing is left out in silence.',
};

/** It keeps its name, by which the list behind it knows it. */
const ownerFilter: INodeProperties = {
	...agentField,
	required: undefined,
	displayOptions: { show: { attachedTo: ['agent'] } },
	description: "Belongs to 'Attached To': the agent that has the documents",
};

export const filtersField: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	options: [
		...[ownerFilter, attachedFilter, afterFilter, beforeFilter],
		...[nameFilter, sourceTypesFilter, statusFilter],
	],
};

export function readFilters(value: unknown, timeZone: string): DocumentFilters {
	const given = isRecord(value) ? value : {};
	const statuses =
		'statuses' in given ? readFilter(given.statuses, "The filter 'Status'", STATUSES) : [];
	const sourceTypes = readSourceTypes(given);
	const nameContains = readNameContains(given);
	const afterMs = readMomentOf(given, 'createdAfter', timeZone);
	const beforeMs = readMomentOf(given, 'createdBefore', timeZone);
	if (afterMs !== undefined && beforeMs !== undefined && afterMs >= beforeMs) {
		throw new UserError(
			"'Created After' is not before 'Created Before'",
			'No document can meet both: correct one of them.',
		);
	}
	const attachedTo = readAttachedTo(given);
	return { statuses, sourceTypes, nameContains, afterMs, beforeMs, attachedTo };
}

function readMomentOf(
	given: Record<string, unknown>,
	name: 'createdAfter' | 'createdBefore',
	timeZone: string,
): number | undefined {
	if (!(name in given)) return undefined;
	const { displayName } = name === 'createdAfter' ? afterFilter : beforeFilter;
	return readMoment(given[name], `The filter '${displayName}'`, timeZone);
}

function readAttachedTo(given: Record<string, unknown>): DocumentFilters['attachedTo'] {
	if (!('attachedTo' in given)) return undefined;
	const choice = readChoice(given.attachedTo, 'Attached To', ['agent', 'any', 'none']);
	if (choice !== 'agent') return choice;
	const uid = readUid(given.uid);
	return { uid };
}

/** Whether any filter but that of the agents is set. */
export function isFiltered(filters: DocumentFilters): boolean {
	const { statuses, sourceTypes, nameContains, afterMs, beforeMs } = filters;
	return (
		statuses.length + sourceTypes.length > 0 ||
		[nameContains, afterMs, beforeMs].some((filter) => filter !== undefined)
	);
}

/** Whether a document is wanted by all but its agents. */
export function fits(
	{ uniqueId, sourceName, status = '', type = '', createdAt }: KnowledgeBaseRecord,
	{
		statuses,
		sourceTypes,
		nameContains,
		afterMs = -Infinity,
		beforeMs = Infinity,
	}: DocumentFilters,
): boolean {
	const isTimed = afterMs > -Infinity || beforeMs < Infinity;
	const ms = typeof createdAt === 'number' ? inMs(createdAt) : NaN;
	return (
		(statuses.length === 0 || statuses.includes(status)) &&
		(sourceTypes.length === 0 || sourceTypes.includes(sourceTypeOf(type))) &&
		(nameContains === undefined || searchable(sourceName ?? uniqueId).includes(nameContains)) &&
		(!isTimed || (afterMs <= ms && ms < beforeMs))
	);
}
