import type { INodeProperties } from 'n8n-workflow';

import { ValidationIssue, isRecord } from '../../values/validationIssue';
import { readFilter, readSourceTypes } from '../../input/filters';
import {
	limitFields,
	requestOptionsField,
	simplifyField,
	sourceTypesFilter,
} from '../../input/fields';
import { readLimit } from '../../input/limit';
import type { Reader, Ready } from '../../execution/items';
import { itemByItem } from '../../execution/items';
import type { Operation, RunContext } from '../../execution/operation';
import type { ItemResult } from '../../results/itemResult';
import type { KnowledgeBaseRecord } from '../../service/records';
import { recordsThat, simplified, STATUSES } from '../../service/records';
import { isItemFailure } from '../../results/itemFailure';
import { Steps } from '../../execution/steps';
import { sourceTypeOf } from '../../values/sourceTypes';
import { readSwitch } from '../../values/switches';

interface GetManyTask {
	/** Infinity for all. */
	limit: number;
	/** Whether an output item has what a person looks for only. */
	simple: boolean;
	/** Empty for any. */
	statuses: string[];
	/** Empty for any. */
	sourceTypes: string[];
}

const statusFilter: INodeProperties = {
	displayName: 'Status',
	name: 'statuses',
	type: 'multiOptions',
	options: STATUSES,
	default: [],
	description: 'Only files with one of these statuses',
};

const filtersField: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	options: [statusFilter, sourceTypesFilter],
};

export const getManyDocuments: Operation = {
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many documents',
	description:
		'List the files, texts and websites of the account, with their IDs and indexing status',
	fields: [...limitFields, simplifyField, filtersField, requestOptionsField],
	run: itemByItem(getManyReader, (run) => ({ perform: async (item) => await getAll(item, run) })),
};

function getManyReader(run: RunContext): Reader<GetManyTask> {
	const returnAll = run.parameter('returnAll');
	const limitOf = run.parameter('limit');
	const simpleOf = run.parameter('simple');
	return (index) => {
		const simple = readSwitch(simpleOf(index), 'Simplify');
		if (simple instanceof ValidationIssue) return simple;
		const limit = readLimit(returnAll(index), limitOf(index));
		if (limit instanceof ValidationIssue) return limit;
		// Not by `parameter`, which reads a field, and these are several in one.
		const filters = readFilters(run.context.getNodeParameter('filters', index, {}));
		if (filters instanceof ValidationIssue) return filters;
		return { kind: 'ready', task: { limit, simple, ...filters }, requested: {} };
	};
}

function readFilters(
	value: unknown,
): Pick<GetManyTask, 'statuses' | 'sourceTypes'> | ValidationIssue {
	const given = isRecord(value) ? value : {};
	const statuses =
		'statuses' in given ? readFilter(given.statuses, "The filter 'Status'", STATUSES) : [];
	if (statuses instanceof ValidationIssue) return statuses;
	const sourceTypes = readSourceTypes(given);
	return sourceTypes instanceof ValidationIssue ? sourceTypes : { statuses, sourceTypes };
}

async function getAll({ task }: Ready<GetManyTask>, run: RunContext): Promise<ItemResult> {
	const steps = new Steps(run);
	const isFiltered = task.statuses.length + task.sourceTypes.length > 0;
	const fitting = isFiltered
		? (record: KnowledgeBaseRecord) => passesFilters(record, task)
		: undefined;
	const found = await recordsThat(steps, fitting, task.limit);
	const consequence = 'The list could not be read to its end.';
	return isItemFailure(found)
		? steps.failed(found, {}, { effect: 'not applied', consequence })
		: steps.done(task.simple ? found.map(simplified) : found);
}

function passesFilters(
	{ status = '', type = '' }: KnowledgeBaseRecord,
	{ statuses, sourceTypes }: GetManyTask,
): boolean {
	return (
		(statuses.length === 0 || statuses.includes(status)) &&
		(sourceTypes.length === 0 || sourceTypes.includes(sourceTypeOf(type)))
	);
}
