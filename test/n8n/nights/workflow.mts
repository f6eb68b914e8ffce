import { ACCOUNT } from '../account.mjs';
import type { Files } from '../engine/files.mjs';
import { fieldsOf, listAt, type Fields } from '../fields.mjs';
import { NO_REUSE } from '../rest.mjs';
import { until } from '../until.mjs';
import { readExample, WORKFLOWS } from '../workflows.mjs';

export const AGENT = 'support-bot';
export const SYNC_FILES = 'Sync Files';

const FOLDER = 'nightly-folder';
const SCHEDULE = 'Every Night at Three';

/**
 * A folder's workflow, which a call can begin as well as its schedule: that can't be fired at will, and
 * n8n keeps what a node has noted only of executions that nobody has started by hand. Its list has the
 * names and times of the files, and it downloads each over HTTP.
 *
 * @param path Where the call goes to.
 */
export function nightlyWorkflow(
	{ origin }: Files,
	path: string,
	{ account = ACCOUNT, options = {} }: { account?: string; options?: Fields } = {},
): Fields {
	const replace = { 'https://files.example.com': origin, [ACCOUNT]: account };
	const workflow = readExample(FOLDER, [AGENT], replace, WORKFLOWS);
	const nodes = listAt(workflow, 'nodes').map(fieldsOf);
	const named = (name: string) => nodes.find((node) => node.name === name);
	Object.assign(fieldsOf(named(SYNC_FILES)?.parameters), { options });
	const connections = fieldsOf(workflow.connections);
	const call = {
		...{ name: 'At a Call', id: 'call', webhookId: path, position: [0, 0] },
		...{ type: 'n8n-nodes-base.webhook', typeVersion: 2 },
		parameters: { httpMethod: 'POST', path, responseMode: 'lastNode', options: {} },
	};
	return {
		...workflow,
		nodes: [...nodes, call],
		connections: { ...connections, [call.name]: connections[SCHEDULE] },
	};
}

/** Begins a night and resolves with what n8n answers at its end. */
export async function fireNight(baseUrl: string, path: string): Promise<number> {
	let status = 404;
	// Its address is there some time after n8n has started.
	await until('the night can begin', 60_000, async () => {
		const answer = await fetch(`${baseUrl}/webhook/${path}`, { method: 'POST', headers: NO_REUSE });
		await answer.text();
		status = answer.status;
		return status !== 404;
	});
	return status;
}
