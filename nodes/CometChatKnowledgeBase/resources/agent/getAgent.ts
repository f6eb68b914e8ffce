import { operation } from '../../operations/buildOperation';
import { agentPicker } from '../../fields/fields';
import { rowShape } from '../../fields/rowShape';
import { AGENT_FIELDS, simplifiedAgent, wholeAgent } from '../../api/agents';

export const getAgent = operation({
	value: 'get',
	name: 'Get',
	action: 'Get agent',
	description: "Retrieve an agent's settings and the IDs of its documents",
	fields: { uid: agentPicker(), shape: rowShape(AGENT_FIELDS) },
	output: AGENT_FIELDS,
	run: async ({ uid, shape }, item) => {
		return shape(await wholeAgent(item, uid), simplifiedAgent);
	},
});
