import type { INodeProperties } from 'n8n-workflow';

import type { Reader, Ready } from '../../execution/items';
import { itemByItem } from '../../execution/items';
import type { Operation, RunContext } from '../../execution/operation';
import { NOTHING_CHANGED, ItemContext } from '../../execution/itemContext';
import { agentField, simplifyField } from '../../input/fields';
import { readUid } from '../../input/identifiers';
import { caught, isItemFailure } from '../../results/apiError';
import type { ItemResult } from '../../results/itemResult';
import { AGENT_FIELDS, simplifiedAgent, wholeAgent } from '../../service/agents';
import { readSwitch } from '../../values/switches';

interface GetAgentTask {
	uid: string;
	/** Whether the output item has what a person looks for only. */
	simple: boolean;
}

const wantedAgentField: INodeProperties = { ...agentField, description: 'The agent to look at' };

export const getAgent: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get an agent',
	description: 'See how an agent is set up, and which files and websites it has',
	fields: [wantedAgentField, simplifyField],
	output: AGENT_FIELDS,
	run: itemByItem(agentReader, (run) => ({ perform: async (item) => await getOne(item, run) })),
};

function agentReader(run: RunContext): Reader<GetAgentTask> {
	const uidOf = run.parameter('uid');
	const simpleOf = run.parameter('simple');
	return (index) => {
		const uid = readUid(uidOf(index));
		const simple = readSwitch(simpleOf(index), 'Simplify');
		return { kind: 'ready', task: { uid, simple }, requested: { uid } };
	};
}

async function getOne(
	{ task: { uid, simple }, requested }: Ready<GetAgentTask>,
	run: RunContext,
): Promise<ItemResult> {
	const steps = new ItemContext(run);
	const agent = await caught(wholeAgent(steps, uid));
	return isItemFailure(agent)
		? steps.failed(agent, requested, NOTHING_CHANGED)
		: steps.done([simple ? simplifiedAgent(agent) : agent]);
}
