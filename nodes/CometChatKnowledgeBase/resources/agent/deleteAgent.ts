import { deleteFor } from '../../api/apiClient';
import { operation } from '../../operations/buildOperation';
import { changing } from '../../operations/itemContext';
import { notice } from '../../fields/field';
import { agentPicker } from '../../fields/fields';
import { agentRequest, wholeAgent } from '../../api/agents';

export const deleteAgent = operation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete an agent for good',
	description: 'Delete an agent for good; its documents stay. Agent: Update only switches one off.',
	fields: {
		notice: notice(
			'deleteAgentNotice',
			'The agent is deleted for good, and nobody can chat with it any more. To keep it, switch it off with Update.',
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
			unknown: 'It is not known whether the agent was deleted.',
			hint: 'Run it again: if CometChat does not know the agent then, it is gone.',
		});
		return { name, action: 'deleted', success: true, uid, deleted: true };
	},
});
