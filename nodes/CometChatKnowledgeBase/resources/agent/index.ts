import type { Resource } from '../../execution/operation';
import { getAgent } from './getAgent';
import { getManyAgents } from './getManyAgents';

export const agent: Resource = {
	value: 'agent',
	name: 'Agent',
	operations: [getAgent, getManyAgents],
	initial: getAgent,
};
