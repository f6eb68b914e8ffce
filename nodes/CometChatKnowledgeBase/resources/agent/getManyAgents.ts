import type { INodeProperties } from 'n8n-workflow';

import type { Reader, Ready } from '../../execution/items';
import { itemByItem } from '../../execution/items';
import type { Operation, RunContext } from '../../execution/operation';
import { ItemContext } from '../../execution/itemContext';
import { limitFields, simplifyField } from '../../input/fields';
import type { Listing } from '../../input/limit';
import { cutWords, listingReader } from '../../input/limit';
import { caught, isItemFailure } from '../../results/apiError';
import type { ItemResult } from '../../results/itemResult';
import { AGENT_FIELDS, simplifiedAgent, wholeAgents } from '../../service/agents';
import { UserError, isRecord } from '../../values/userError';

interface AgentsTask extends Listing {
	/** Empty for any. */
	search: string;
}

const agentFilters: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	options: [
		{
			displayName: 'Search',
			name: 'search',
			type: 'string',
			default: '',
			placeholder: 'e.g. support',
			description: 'Only agents with this text in their name, description or ID',
		},
	],
};

export const getManyAgents: Operation = {
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many agents',
	description: 'List the agents of the account, with their IDs and what each of them has',
	fields: [...limitFields, simplifyField, agentFilters],
	output: AGENT_FIELDS,
	run: itemByItem(agentsReader, (run) => ({
		perform: async (item) => await findAgents(item, run),
	})),
};

function agentsReader(run: RunContext): Reader<AgentsTask> {
	const listingOf = listingReader(run.parameter);
	return (index) => {
		const listing = listingOf(index);
		// Not by `parameter`, which reads a field, and this is one in another.
		const search = readSearch(run.context.getNodeParameter('filters', index, {}));
		return { kind: 'ready', task: { ...listing, search }, requested: {} };
	};
}

function readSearch(filters: unknown): string {
	const { search = '' } = isRecord(filters) ? filters : {};
	if (typeof search === 'string' && search.trim() !== '') return search.trim();
	// All agents instead of one that an expression did not find would be a surprise.
	if (isRecord(filters) && 'search' in filters)
		throw new UserError(
			"The filter 'Search' is empty or not a text",
			'Give a part of a name, or remove the filter for all agents.',
		);
	return '';
}

async function findAgents(
	{ task: { limit, search, simple } }: Ready<AgentsTask>,
	run: RunContext,
): Promise<ItemResult> {
	const steps = new ItemContext(run);
	const onCut = (isSure: boolean) => steps.remark(cutWords(limit, isSure));
	const found = await caught(wholeAgents(steps, search, limit, onCut));
	const consequence = 'The list could not be read to its end.';
	return isItemFailure(found)
		? steps.failed(found, {}, { effect: 'not applied', consequence })
		: steps.done(simple ? found.map(simplifiedAgent) : found);
}
