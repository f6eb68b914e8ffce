import type { Resource } from '../../execution/operation';
import { getAgent } from './getAgent';

export const agent: Resource = {
	value: 'agent',
	name: 'Agent',
	operations: [getAgent],
	initial: getAgent,
};
