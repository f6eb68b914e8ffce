import type { Files } from '../engine/files.mjs';
import { fieldsOf, listAt, requiredText, textAt, type Fields } from '../fields.mjs';
import { until } from '../until.mjs';
import { readExample } from '../workflows.mjs';

export const AGENT = 'support-bot';
export const SYNC_FILES = 'Sync Files';

const EXAMPLE = 'keep-a-folder-in-step-nightly';
const SCHEDULE = 'n8n-nodes-base.scheduleTrigger';

/**
 * The example, which a call can begin as well as its schedule: that can't be fired at will, and n8n
 * keeps what a node has noted only of executions that nobody has started by hand.
 *
 * @param path Where the call goes to.
 */
export function nightlyWorkflow(files: Files, path: string): Fields {
	const workflow = readExample(EXAMPLE, [AGENT], { 'https://files.example.com': files.origin });
	const nodes = listAt(workflow, 'nodes');
	const schedule = nodes.find((node) => textAt(node, 'type') === SCHEDULE);
	const connections = fieldsOf(workflow.connections);
	const name = 'At a Call';
	const call = {
		name,
		id: name,
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		webhookId: path,
		position: [0, 0],
		parameters: { httpMethod: 'POST', path, responseMode: 'lastNode', options: {} },
	};
	return {
		...workflow,
		nodes: [...nodes, call],
		connections: { ...connections, [name]: connections[requiredText(schedule, 'name')] },
	};
}

/** Begins a night, and resolves with the status that n8n answers at its end. */
export async function fireNight(baseUrl: string, path: string): Promise<number> {
	let status = 404;
	// Its address is there some time after n8n has started.
	await until('the night can begin', 30_000, async () => {
		const answer = await fetch(`${baseUrl}/webhook/${path}`, { method: 'POST' });
		await answer.text();
		status = answer.status;
		return status !== 404;
	});
	return status;
}
