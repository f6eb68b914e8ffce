import { success } from '../../api/shape';
import { operation } from '../../operations/buildOperation';
import { changing } from '../../operations/itemContext';
import { collectionField } from '../../fields/field';
import { agentPicker } from '../../fields/fields';
import { updateAgentRequest } from '../../api/agents';
import { UserError } from '../../text/failure';
import { agentName, agentSettings } from './agentSettings';

export const updateAgent = operation({
	value: 'update',
	name: 'Update',
	action: 'Update agent',
	description:
		"Change an agent's settings, or turn the agent on or off. The agent's documents stay the same.",
	fields: {
		uid: agentPicker(),
		settings: collectionField(
			{ displayName: 'Update Fields', name: 'updateFields', placeholder: 'Add Field' },
			{ ...agentSettings, name: agentName },
			"Enter a value, or remove the field. Settings that you don't add stay the same.",
		),
	},
	output: ['name', 'action', 'success', 'uid', 'updatedFields'],
	// Items for one agent run in order, so that the later item decides.
	order: ({ uid }) => uid,
	check: ({ settings }) => {
		if (Object.keys(settings).length > 0) return;
		const hint = "Add the fields to change, such as 'Instructions'.";
		throw new UserError("'Update Fields' is empty", hint);
	},
	asked: ({ settings }) => ({ name: settings.name, updatedFields: Object.keys(settings) }),
	run: async ({ uid, settings }, item) => {
		const request = updateAgentRequest(uid, settings);
		await changing(item, item.call(request, success, { about: 'agent' }), {
			not: 'The agent was not changed.',
			unknown: "CometChat didn't confirm that the agent was changed.",
		});
		const updatedFields = Object.keys(settings);
		return { name: settings.name, action: 'updated', success: true, uid, updatedFields };
	},
});
