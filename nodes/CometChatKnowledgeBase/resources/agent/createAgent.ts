import { operation } from '../../operations/buildOperation';
import { changing } from '../../operations/itemContext';
import { collectionField, needed } from '../../fields/field';
import { rowShape } from '../../fields/rowShape';
import {
	AGENT_FIELDS,
	createAgentRequest,
	readCreatedAgent,
	simplifiedAgent,
} from '../../api/agents';
import { agentName, agentSettings } from './agentSettings';

export const createAgent = operation({
	value: 'create',
	name: 'Create',
	action: 'Create agent',
	description:
		"Create an agent. To add documents, use 'Upload', 'Add Files' or 'Sync Folder or Table'.",
	fields: {
		name: needed(agentName),
		shape: rowShape([...AGENT_FIELDS, 'action', 'success']),
		settings: collectionField(
			{ displayName: 'Additional Fields', name: 'additionalFields', placeholder: 'Add Field' },
			agentSettings,
		),
	},
	output: [...AGENT_FIELDS, 'action', 'success'],
	asked: ({ name }) => ({ name }),
	run: async ({ name, shape, settings }, item) => {
		// Not repeated after a lost response, because there could be two agents.
		const request = createAgentRequest({ ...settings, name });
		const creation = item.call(request, readCreatedAgent, { repeat: 'never' });
		const agent = await changing(item, creation, {
			not: 'The agent was not created.',
			unknown:
				"CometChat didn't confirm that the agent was created. The node didn't try again, because that could create a duplicate.",
			hint: "Look for the agent with 'Agent: Get Many' before you run the item again.",
		});
		item.log.created.push({ uniqueId: agent.uid, name });
		return shape(agent, (created) => {
			return { ...simplifiedAgent(created), action: 'created', success: true };
		});
	},
});
