import type { INodeProperties } from 'n8n-workflow';

import { Complaint, isRecord, quoted } from '../../values/validationIssue';
import { optionsField } from '../../input/fields';
import type { Reader, Ready } from '../../execution/items';
import { itemByItem } from '../../execution/items';
import type { Operation, Session } from '../../execution/operation';
import type { Outcome } from '../../results/itemResult';
import type { KnowledgeBaseRecord } from '../../service/records';
import { RECORD_TYPES, recordsThat, STATUSES } from '../../service/records';
import { isOfType } from '../../service/recordTypes';
import { isSetback } from '../../results/itemFailure';
import { Steps } from '../../execution/steps';
import { readSwitch } from '../../values/switches';

interface Task {
	/** Infinity for all. */
	limit: number;
	/** Empty for any. */
	statuses: string[];
	/** Empty for any. */
	types: string[];
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

const statusFilter: INodeProperties = {
	displayName: 'Status',
	name: 'statuses',
	type: 'multiOptions',
	options: STATUSES,
	default: [],
	description: 'Only files with one of these statuses',
};

const typeFilter: INodeProperties = {
	displayName: 'Type',
	name: 'types',
	type: 'multiOptions',
	options: RECORD_TYPES,
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

export const getManyFiles: Operation = {
	resource: 'file',
	value: 'getMany',
	name: 'Get Many Files',
	action: 'Get many files',
	description: 'List the files, texts and websites of the account, with their indexing status',
	fields: [returnAllField, limitField, filtersField, optionsField([])],
	run: itemByItem(reader, (run) => ({ perform: async (item) => await getAll(item, run) })),
};

function reader(session: Session): Reader<Task> {
	const returnAll = session.parameter('returnAll');
	const limitOf = session.parameter('limit');
	return (index) => {
		const all = readSwitch(returnAll(index), 'Return All');
		if (all instanceof Complaint) return all;
		const limit = all ? Infinity : limitOf(index);
		if (typeof limit !== 'number' || !(all || Number.isInteger(limit)) || limit < 1) {
			return new Complaint(
				"'Limit' is not a whole number from 1",
				'Correct it, or switch on Return All.',
			);
		}
		// Not by `parameter`, which reads a field, and these are several in one.
		const filters = readFilters(session.context.getNodeParameter('filters', index, {}));
		if (filters instanceof Complaint) return filters;
		return { kind: 'ready', task: { limit, ...filters }, asked: {} };
	};
}

function readFilters(value: unknown): Pick<Task, 'statuses' | 'types'> | Complaint {
	const given = isRecord(value) ? value : {};
	const statuses = 'statuses' in given ? readFilter(given.statuses, 'Status', STATUSES) : [];
	if (statuses instanceof Complaint) return statuses;
	const types = 'types' in given ? readFilter(given.types, 'Type', RECORD_TYPES) : [];
	return types instanceof Complaint ? types : { statuses, types };
}

/**
 * A list of texts, or one text with commas or new lines between them; each a choice of the filter, as it
 * is shown or as the service calls it. Anything else is refused: a filter that can't be read is no reason
 * to return everything, and one that no file can meet would look like an empty account.
 */
function readFilter(
	value: unknown,
	label: string,
	choices: Array<{ name: string; value: string }>,
): string[] | Complaint {
	const names = choices.map(({ name }) => name).join(', ');
	const remedy = `Pick from its list, or let its expression give any of these: ${names}.`;
	const texts = typeof value === 'string' ? partsOf(value) : value;
	if (!Array.isArray(texts)) {
		return new Complaint(`The filter '${label}' is not a list of texts`, remedy);
	}
	if (texts.length === 0 && typeof value === 'string') {
		return new Complaint(`The filter '${label}' is empty`, `${remedy} Without it, all are listed.`);
	}
	const found: string[] = [];
	for (const text of texts) {
		if (typeof text !== 'string') {
			return new Complaint(`The filter '${label}' is not a list of texts`, remedy);
		}
		const meant = text.trim().toLowerCase();
		const choice = choices.find(({ name, value: word }) =>
			[name.toLowerCase(), word.toLowerCase()].includes(meant),
		);
		if (choice === undefined) {
			return new Complaint(
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

async function getAll({ task }: Ready<Task>, session: Session): Promise<Outcome> {
	const steps = new Steps(session);
	const isFiltered = task.statuses.length + task.types.length > 0;
	const fitting = isFiltered ? (record: KnowledgeBaseRecord) => fits(record, task) : undefined;
	const found = await recordsThat(steps, fitting, task.limit);
	return isSetback(found)
		? steps.failed(found, 'not applied', 'The list could not be read to its end.', {})
		: steps.done(found);
}

function fits({ status = '', type = '' }: KnowledgeBaseRecord, { statuses, types }: Task): boolean {
	return (
		(statuses.length === 0 || statuses.includes(status)) &&
		(types.length === 0 || types.some((wanted) => isOfType(type, wanted)))
	);
}
