import { success } from '../../api/shape';
import { operation } from '../../operations/buildOperation';
import type { ItemContext } from '../../operations/itemContext';
import { changing } from '../../operations/itemContext';
import { collectionField } from '../../fields/field';
import { agentPicker } from '../../fields/fields';
import { updateAgentRequest, wholeAgent } from '../../api/agents';
import type { Clock } from '../../http/time';
import { isFailure, toResult, UserError } from '../../text/failure';
import { agentName, agentSettings, warningOfUnkept } from './agentSettings';

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
			'Enter a value, or remove the field. Settings without a field stay the same.',
		),
	},
	output: ['name', 'action', 'success', 'uid', 'updatedFields'],
	shared: ({ clock }) => clock,
	// Of two changes of one setting, the later item's has to stay.
	order: ({ uid }) => uid,
	check: ({ settings }) => {
		if (Object.keys(settings).length > 0) return;
		const hint = "Add the fields to change, such as 'Instructions'.";
		throw new UserError("'Update Fields' is empty", hint);
	},
	asked: ({ settings }) => ({ name: settings.name, updatedFields: Object.keys(settings) }),
	run: async ({ uid, settings }, item, clock) => {
		const request = updateAgentRequest(uid, settings);
		await changing(item, item.call(request, success, { about: 'agent' }), {
			not: 'The agent was not changed.',
			unknown: "CometChat didn't confirm that the agent was changed.",
		});
		const warning = await lookAfter(uid, settings, item, clock);
		if (warning !== undefined) item.warn(warning);
		const updatedFields = Object.keys(settings);
		return { name: settings.name, action: 'updated', success: true, uid, updatedFields };
	},
});

/** CometChat may show a change late. */
const SECOND_LOOK_MS = 4000;

/** The answer to an update contains no agent. A look that fails says nothing: the agent is changed. */
async function lookAfter(
	uid: string,
	sent: Record<string, unknown>,
	item: ItemContext,
	clock: Clock,
): Promise<string | undefined> {
	let warning: string | undefined;
	for (const waitMs of [0, SECOND_LOOK_MS]) {
		await clock.delay(waitMs);
		const agent = await toResult(wholeAgent(item, uid, { maxAttempts: 1 }));
		warning = isFailure(agent) ? undefined : warningOfUnkept(sent, agent);
		if (warning === undefined) break;
	}
	return warning;
}
