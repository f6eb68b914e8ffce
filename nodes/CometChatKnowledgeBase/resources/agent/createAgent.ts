import { operation } from '../../operations/buildOperation';
import type { ItemContext } from '../../operations/itemContext';
import { changing } from '../../operations/itemContext';
import { collectionField, needed } from '../../fields/field';
import { rowShape } from '../../fields/rowShape';
import {
	AGENT_FIELDS,
	createAgentRequest,
	listRequest,
	readAgents,
	readCreatedAgent,
	simplifiedAgent,
} from '../../api/agents';
import { toResult, isFailure } from '../../text/failure';
import { foldForSearch } from '../../text/names';
import { joinLimited, quoted } from '../../text/quoting';
import { agentName, agentSettings, warningOfUnkept } from './agentSettings';

export const createAgent = operation({
	value: 'create',
	name: 'Create',
	action: 'Create agent',
	description:
		"Create an agent without documents. To add documents, use 'Upload', 'Add Files' or 'Sync Folder'.",
	fields: {
		name: needed(agentName),
		shape: rowShape([...AGENT_FIELDS, 'action', 'success']),
		settings: collectionField(
			{ displayName: 'Additional Fields', name: 'additionalFields', placeholder: 'Add Field' },
			agentSettings,
		),
	},
	output: [...AGENT_FIELDS, 'action', 'success', 'reason'],
	// The second of a name is told of the first.
	order: ({ name }) => foldForSearch(name),
	asked: ({ name }) => ({ name }),
	run: async ({ name, shape, settings }, item) => {
		const reason = await namesakes(name, item);
		// Sent again after a lost answer, there could be two.
		const request = createAgentRequest({ ...settings, name });
		const creation = item.call(request, readCreatedAgent, { repeat: 'never' });
		const agent = await changing(item, creation, {
			not: 'The agent was not created.',
			unknown:
				"CometChat didn't confirm that the agent was created. The node didn't try again, because that could create a duplicate.",
			hint: "Look for the agent with 'Agent: Get Many' before you run the item again.",
		});
		item.log.created.push({ uniqueId: agent.uid, name });
		const warning = warningOfUnkept({ ...settings, name }, agent);
		if (warning !== undefined) item.warn(warning);
		const row = shape(agent, (created) => {
			return { ...simplifiedAgent(created), action: 'created', success: true };
		});
		return { ...row, ...(reason !== undefined && { reason }) };
	},
});

/**
 * Agents that have the name, in words; undefined if there are none, or CometChat gives no list at once: it is asked by the
 * way.
 */
async function namesakes(name: string, item: ItemContext): Promise<string | undefined> {
	const found = await toResult(item.call(listRequest(name), readAgents, { maxAttempts: 1 }));
	const agents = isFailure(found) ? [] : found.entries;
	const same = agents.filter((one) => foldForSearch(one.name ?? '') === foldForSearch(name));
	if (same.length === 0) return undefined;
	const there = same.map((one) => `${quoted(one.name ?? '')} (ID ${one.uid})`);
	return `An agent with the same name already existed: ${joinLimited(there)}`;
}
