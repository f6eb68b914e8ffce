import type { INodeProperties } from 'n8n-workflow';

import type { Reader, Ready } from '../../execution/items';
import { itemByItem } from '../../execution/items';
import type { Operation, RunContext } from '../../execution/operation';
import type { Standing } from '../../execution/itemContext';
import { ItemContext } from '../../execution/itemContext';
import { sameName } from '../../input/document';
import { simplifyField } from '../../input/fields';
import { isItemFailure, mayBeDone, ApiError } from '../../results/apiError';
import type { ItemResult } from '../../results/itemResult';
import type { AgentSettings } from '../../service/agents';
import {
	AGENT_FIELDS,
	createAgentRequest,
	listRequest,
	readAgents,
	readCreatedAgent,
	simplifiedAgent,
} from '../../service/agents';
import { listed, quoted } from '../../values/quoting';
import { readSwitch } from '../../values/switches';
import { nameField, readAgentSettings, readName, settingFields } from './agentSettings';
import { attempt } from '../../service/apiClient';

interface NewAgent {
	settings: AgentSettings & { name: string };
	/** Whether the output item has what a person looks for only. */
	simple: boolean;
}

const additionalFields: INodeProperties = {
	displayName: 'Additional Fields',
	name: 'additionalFields',
	type: 'collection',
	placeholder: 'Add Field',
	default: {},
	options: settingFields,
};

export const createAgent: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create an agent',
	description:
		'Make a new agent, which knows nothing yet: Upload, Add Files and Sync Files give it documents',
	fields: [{ ...nameField, required: true }, simplifyField, additionalFields],
	output: [...AGENT_FIELDS, 'action', 'success', 'reason'],
	run: itemByItem(newAgentReader, (run) => ({
		perform: async (item) => await createOne(item, run),
		// The second of a name is told of the first.
		keysOf: async ({ task: { settings } }) => [settings.name.toLowerCase()],
	})),
};

function newAgentReader(run: RunContext): Reader<NewAgent> {
	const nameOf = run.parameter('name');
	const simpleOf = run.parameter('simple');
	return (index) => {
		const name = readName(nameOf(index));
		const simple = readSwitch(simpleOf(index), 'Simplify');
		// Not by `parameter`, which reads a field, and these are several in one.
		const more = run.context.getNodeParameter('additionalFields', index, {});
		const settings = readAgentSettings(more, 'leave out');
		return {
			kind: 'ready',
			task: { settings: { ...settings, name }, simple },
			requested: { name },
		};
	};
}

async function createOne(
	{ task: { settings, simple }, requested }: Ready<NewAgent>,
	run: RunContext,
): Promise<ItemResult> {
	const reason = await namesakes(settings.name, run);
	const steps = new ItemContext(run);
	// Sent again after a lost answer, there could be two.
	const repeat = 'never';
	const agent = await attempt(steps, createAgentRequest(settings), readCreatedAgent, { repeat });
	if (agent instanceof ApiError) {
		return steps.failed(agent, requested, mayBeDone(agent) ? PERHAPS_CREATED : NOT_CREATED);
	}
	steps.noteCreated({ uniqueId: agent.uid, name: settings.name });
	const told = simple
		? { ...simplifiedAgent(agent), action: 'created' as const, success: true }
		: agent;
	return steps.done([{ ...told, ...(reason !== undefined && { reason }) }]);
}

/** Agents that have the name, in words; undefined if there are none, or CometChat gives no list at once. */
async function namesakes(name: string, run: RunContext): Promise<string | undefined> {
	// Of its own: what comes of a question that is asked by the way says nothing of the item.
	const steps = new ItemContext(run);
	const policy = { ...run.limits, maxAttempts: 1 };
	const found = await attempt(steps, listRequest(name), readAgents, { policy });
	if (isItemFailure(found)) return undefined;
	const same = found.entries.filter((one) => isOneName(one.name ?? '', name));
	if (same.length === 0) return undefined;
	const there = same.map((one) => `${quoted(one.name ?? '')} (ID ${one.uid})`);
	return `There was an agent of this name already: ${listed(there)}`;
}

function isOneName(one: string, other: string): boolean {
	return sameName(one.toLowerCase(), other.toLowerCase());
}

const NOT_CREATED: Standing = { effect: 'not applied', consequence: 'The agent was not created.' };

const PERHAPS_CREATED: Standing = {
	effect: 'unknown',
	consequence:
		'It is not known whether the agent was created. It was not sent again, because there could then be two.',
	goOn: 'Look for it with Agent: Get Many before you run it again.',
};
