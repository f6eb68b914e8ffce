import { deleteFor } from '../../api/apiClient';
import { operation } from '../../operations/buildOperation';
import { changing } from '../../operations/itemContext';
import { notice } from '../../fields/field';
import { agentPicker } from '../../fields/fields';
import { agentRequest, wholeAgent } from '../../api/agents';

export const deleteAgent = operation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete agent',
	description: "Delete an agent permanently. The agent's documents stay in CometChat.",
	fields: {
		notice: notice(
			'deleteAgentNotice',
			"The agent is deleted permanently, and app users can no longer chat with it. To only turn the agent off, use 'Agent: Update'.",
		),
		uid: agentPicker(),
	},
	output: ['name', 'action', 'success', 'uid', 'deleted'],
	run: async ({ uid }, item) => {
		const { name = uid } = await wholeAgent(item, uid);
		item.shown = { name };
		// https://www.cometchat.com/docs/rest-api/ai-agents-apis/agents/delete-agent, not tried.
		await changing(item, deleteFor(item, agentRequest(uid), 'agent'), {
			not: 'The agent was not deleted.',
			unknown: "CometChat didn't confirm that the agent was deleted.",
			hint: "Run the item again. If CometChat then doesn't know the agent, it was deleted.",
		});
		return { name, action: 'deleted', success: true, uid, deleted: true };
	},
});
