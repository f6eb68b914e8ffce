import type { Resource } from '../../execution/operation';
import { askAgent } from './askAgent';
import { createAgent } from './createAgent';
import { deleteAgent } from './deleteAgent';
import { getAgent } from './getAgent';
import { getManyAgents } from './getManyAgents';
import { updateAgent } from './updateAgent';

export const agent: Resource = {
	value: 'agent',
	name: 'Agent',
	operations: [askAgent, createAgent, deleteAgent, getAgent, getManyAgents, updateAgent],
	initial: getAgent,
};
