import type { INodeProperties } from 'n8n-workflow';

import type { Reader, Ready } from '../../execution/items';
import { itemByItem } from '../../execution/items';
import type { Operation, RunContext } from '../../execution/operation';
import type { Standing } from '../../execution/itemContext';
import { ItemContext } from '../../execution/itemContext';
import { agentField } from '../../input/fields';
import { readUid } from '../../input/identifiers';
import { explainedBy, mayBeDone, ApiError } from '../../results/apiError';
import type { ItemResult } from '../../results/itemResult';
import { explainUnknownAgent } from '../../results/messages';
import type { AgentSettings } from '../../service/agents';
import { updateAgentRequest } from '../../service/agents';
import { readSuccess } from '../../service/attachments';
import { UserError } from '../../values/userError';
import { nameField, readAgentSettings, settingFields } from './agentSettings';
import { attempt } from '../../service/apiClient';

interface AgentUpdate {
	uid: string;
	/** At least one. */
	settings: AgentSettings;
}

const changedAgentField: INodeProperties = { ...agentField, description: 'The agent to change' };

const updateFields: INodeProperties = {
	displayName: 'Update Fields',
	name: 'updateFields',
	type: 'collection',
	placeholder: 'Add Field',
	default: {},
	options: [...settingFields, nameField],
};

export const updateAgent: Operation = {
	value: 'update',
	name: 'Update',
	action: 'Update an agent',
	description:
		'Change how an agent is set up, or switch it on or off. Its documents stay as they are.',
	fields: [changedAgentField, updateFields],
	output: ['name', 'action', 'success', 'uid', 'updatedFields'],
	run: itemByItem(updateReader, (run) => ({
		perform: async (item) => await updateOne(item, run),
		// Of two changes of one setting, the later item's has to stay. Two spellings may be one agent.
		keysOf: async ({ task: { uid } }) => [uid.toLowerCase()],
	})),
};

function updateReader(run: RunContext): Reader<AgentUpdate> {
	const uidOf = run.parameter('uid');
	return (index) => {
		const uid = readUid(uidOf(index));
		// Not by `parameter`, which reads a field, and these are several in one.
		const fields = run.context.getNodeParameter('updateFields', index, {});
		const settings = readAgentSettings(fields, 'refuse');
		const updatedFields = Object.keys(settings);
		if (updatedFields.length === 0) throw NOTHING_CHOSEN;
		return {
			kind: 'ready',
			task: { uid, settings },
			requested: { name: settings.name, uid, updatedFields },
		};
	};
}

const NOTHING_CHOSEN = new UserError(
	"'Update Fields' has no field",
	'Add what is to change, such as Instruction.',
);

async function updateOne(
	{ task: { uid, settings }, requested }: Ready<AgentUpdate>,
	run: RunContext,
): Promise<ItemResult> {
	const steps = new ItemContext(run);
	const answer = await attempt(steps, updateAgentRequest(uid, settings), readSuccess);
	if (answer instanceof ApiError) {
		const standing = mayBeDone(answer) ? PERHAPS_CHANGED : NOT_CHANGED;
		return steps.failed(explainedBy(explainUnknownAgent, answer), requested, standing);
	}
	return steps.done([{ ...requested, action: 'updated', success: true }]);
}

const NOT_CHANGED: Standing = { effect: 'not applied', consequence: 'The agent was not changed.' };

const PERHAPS_CHANGED: Standing = {
	effect: 'unknown',
	consequence: 'It is not known whether the agent was changed.',
};
