import type { INodeProperties } from 'n8n-workflow';

import { ValidationIssue, isRecord } from '../../values/validationIssue';
import { quoted } from '../../values/quoting';
import { requestOptionsField } from '../../input/fields';
import type { Reader, Ready } from '../../execution/items';
import { itemByItem } from '../../execution/items';
import type { Operation, RunContext } from '../../execution/operation';
import type { Fields, ItemResult } from '../../results/itemResult';
import { readableTime } from '../../values/times';
import type { KnowledgeBaseRecord } from '../../service/records';
import { recordsThat, STATUSES } from '../../service/records';
import { isItemFailure } from '../../results/itemFailure';
import { Steps } from '../../execution/steps';
import { SOURCE_TYPES, sourceTypeOf } from '../../values/sourceTypes';
import { readSwitch } from '../../values/switches';

interface Task {
	/** Infinity for all. */
	limit: number;
	/** Whether an output item has what a person looks for only. */
	simple: boolean;
	/** Empty for any. */
	statuses: string[];
	/** Empty for any. */
	sourceTypes: string[];
}

const returnAllField: INodeProperties = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
};

const limitField: INodeProperties = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 50,
	displayOptions: { show: { returnAll: [false] } },
	description: 'Max number of results to return',
};

const simplifyField: INodeProperties = {
	displayName: 'Simplify',
	name: 'simple',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

const statusFilter: INodeProperties = {
	displayName: 'Status',
	name: 'statuses',
	type: 'multiOptions',
	options: STATUSES,
	default: [],
	description: 'Only files with one of these statuses',
};

const typeFilter: INodeProperties = {
	displayName: 'Source Type',
	name: 'sourceTypes',
	type: 'multiOptions',
	options: SOURCE_TYPES.map(({ name, value, description }) => ({ name, value, description })),
	default: [],
	description: 'Only files of one of these types',
};

const filtersField: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	options: [statusFilter, typeFilter],
};

export const getManyDocuments: Operation = {
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many documents',
	description:
		'List the files, texts and websites of the account, with their IDs and indexing status',
	fields: [returnAllField, limitField, simplifyField, filtersField, requestOptionsField],
	run: itemByItem(reader, (run) => ({ perform: async (item) => await getAll(item, run) })),
};

function reader(run: RunContext): Reader<Task> {
	const returnAll = run.parameter('returnAll');
	const limitOf = run.parameter('limit');
	const simpleOf = run.parameter('simple');
	return (index) => {
		const simple = readSwitch(simpleOf(index), 'Simplify');
		if (simple instanceof ValidationIssue) return simple;
		const all = readSwitch(returnAll(index), 'Return All');
		if (all instanceof ValidationIssue) return all;
		const limit = all ? Infinity : limitOf(index);
		if (typeof limit !== 'number' || !(all || Number.isInteger(limit)) || limit < 1) {
			return new ValidationIssue(
				"'Limit' is not a whole number from 1",
				'Correct it, or switch on Return All.',
			);
		}
		// Not by `parameter`, which reads a field, and these are several in one.
		const filters = readFilters(run.context.getNodeParameter('filters', index, {}));
		if (filters instanceof ValidationIssue) return filters;
		return { kind: 'ready', task: { limit, simple, ...filters }, requested: {} };
	};
}

function readFilters(value: unknown): Pick<Task, 'statuses' | 'sourceTypes'> | ValidationIssue {
	const given = isRecord(value) ? value : {};
	const statuses = 'statuses' in given ? readFilter(given.statuses, 'Status', STATUSES) : [];
	if (statuses instanceof ValidationIssue) return statuses;
	const sourceTypes =
		'sourceTypes' in given ? readFilter(given.sourceTypes, 'Source Type', SOURCE_TYPES) : [];
	return sourceTypes instanceof ValidationIssue ? sourceTypes : { statuses, sourceTypes };
}

/**
 * A list of texts, or one text with commas or new lines between them; each a choice of the filter, as it
 * is shown or as the service calls it. Anything else is refused: a filter that can't be read is no reason
 * to return everything, and one that no file can meet would look like an empty account.
 */
function readFilter(
	value: unknown,
	label: string,
	choices: Array<{ name: string; value: string; recordType?: string }>,
): string[] | ValidationIssue {
	const names = choices.map(({ name }) => name).join(', ');
	const remedy = `Pick from its list, or let its expression give any of these: ${names}.`;
	const texts = typeof value === 'string' ? partsOf(value) : value;
	if (!Array.isArray(texts)) {
		return new ValidationIssue(`The filter '${label}' is not a list of texts`, remedy);
	}
	if (texts.length === 0 && typeof value === 'string') {
		return new ValidationIssue(
			`The filter '${label}' is empty`,
			`${remedy} Without it, all are listed.`,
		);
	}
	const found: string[] = [];
	for (const text of texts) {
		if (typeof text !== 'string') {
			return new ValidationIssue(`The filter '${label}' is not a list of texts`, remedy);
		}
		const meant = text.trim().toLowerCase();
		const choice = choices.find(({ name, value: word, recordType }) =>
			[name, word, recordType].some((spelling) => spelling?.toLowerCase() === meant),
		);
		if (choice === undefined) {
			return new ValidationIssue(
				`The filter '${label}' has ${quoted(text)}, which is none of its choices`,
				remedy,
			);
		}
		found.push(choice.value);
	}
	return found;
}

function partsOf(text: string): string[] {
	return text.split(/[,\r\n]/).filter((part) => part.trim() !== '');
}

async function getAll({ task }: Ready<Task>, run: RunContext): Promise<ItemResult> {
	const steps = new Steps(run);
	const isFiltered = task.statuses.length + task.sourceTypes.length > 0;
	const fitting = isFiltered ? (record: KnowledgeBaseRecord) => fits(record, task) : undefined;
	const found = await recordsThat(steps, fitting, task.limit);
	return isItemFailure(found)
		? steps.failed(found, 'not applied', 'The list could not be read to its end.', {})
		: steps.done(task.simple ? found.map(simplified) : found);
}

function fits(
	{ status = '', type = '' }: KnowledgeBaseRecord,
	{ statuses, sourceTypes }: Task,
): boolean {
	return (
		(statuses.length === 0 || statuses.includes(status)) &&
		(sourceTypes.length === 0 || sourceTypes.includes(sourceTypeOf(type)))
	);
}

/** What a person looks for, in that order. */
function simplified(record: KnowledgeBaseRecord): Fields {
	const { uniqueId, sourceName, type, status, createdAt, updatedAt } = record;
	return {
		name: sourceName ?? uniqueId,
		...(type === undefined ? {} : { sourceType: sourceTypeOf(type) }),
		...(status === undefined ? {} : { status }),
		uniqueId,
		...(createdAt === undefined ? {} : { createdAt: readableTime(createdAt) }),
		...(updatedAt === undefined ? {} : { updatedAt: readableTime(updatedAt) }),
	};
}
