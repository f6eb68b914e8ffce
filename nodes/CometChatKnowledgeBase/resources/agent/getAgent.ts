import { operation } from '../../operations/buildOperation';
import { agentPicker, simplify } from '../../fields/fields';
import { AGENT_FIELDS, simplifiedAgent, wholeAgent } from '../../api/agents';

export const getAgent = operation({
	value: 'get',
	name: 'Get',
	action: 'Get agent',
	description: "Retrieve an agent's settings and the IDs of its documents",
	fields: { uid: agentPicker(), simple: simplify },
	output: AGENT_FIELDS,
	run: async ({ uid, simple }, item) => {
		const agent = await wholeAgent(item, uid);
		return simple ? simplifiedAgent(agent) : agent;
	},
});
