import { firstEntries } from '../../api/pagination';
import { operation } from '../../operations/buildOperation';
import { collectionField, textField } from '../../fields/field';
import { cutWords, limit } from '../../fields/fields';
import { rowShape } from '../../fields/rowShape';
import { AGENT_FIELDS, agentPages, readWholeAgents, simplifiedAgent } from '../../api/agents';

const search = textField({
	displayName: 'Search',
	name: 'search',
	type: 'string',
	default: '',
	placeholder: 'e.g. support',
	description: 'Return only agents with this text in their name, description or ID',
});

export const getManyAgents = operation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many agents',
	description: 'List the agents of the app, with their settings and the IDs of their documents',
	fields: {
		limit,
		shape: rowShape(AGENT_FIELDS),
		filters: collectionField(
			{ displayName: 'Filters', name: 'filters', placeholder: 'Add Filter' },
			{ search },
			// An empty filter is refused: a list of all agents would be a surprise.
			'Enter a part of a name, or remove the filter to list all agents.',
		),
	},
	output: AGENT_FIELDS,
	run: async ({ limit: most, shape, filters }, item) => {
		const pages = agentPages(item, readWholeAgents, filters.search?.trim(), most);
		const { entries, isCut } = await firstEntries(pages, most);
		if (isCut) item.remark(cutWords(most));
		return entries.map((agent) => shape(agent, simplifiedAgent));
	},
});
