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
	action: 'Update an agent',
	description:
		'Change how an agent is set up, or switch it on or off. Its documents stay as they are.',
	fields: {
		uid: agentPicker(),
		settings: collectionField(
			{ displayName: 'Update Fields', name: 'updateFields', placeholder: 'Add Field' },
			{ ...agentSettings, name: agentName },
			'Give what it is to be, or remove the field: what is not there stays as it is.',
		),
	},
	output: ['name', 'action', 'success', 'uid', 'updatedFields'],
	// Of two changes of one setting, the later item's has to stay.
	order: ({ uid }) => uid,
	check: ({ settings }) => {
		if (Object.keys(settings).length > 0) return;
		const hint = 'Add what is to change, such as Instruction.';
		throw new UserError("'Update Fields' has no field", hint);
	},
	asked: ({ settings }) => ({ name: settings.name, updatedFields: Object.keys(settings) }),
	run: async ({ uid, settings }, item) => {
		const request = updateAgentRequest(uid, settings);
		await changing(item, item.call(request, success, { about: 'agent' }), {
			not: 'The agent was not changed.',
			unknown: 'It is not known whether the agent was changed.',
		});
		const updatedFields = Object.keys(settings);
		return { name: settings.name, action: 'updated', success: true, uid, updatedFields };
	},
});
