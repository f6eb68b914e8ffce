import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { NotedFile } from '../nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/syncNote.js';
import {
	newAgent,
	writtenNote,
} from '../nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/syncNote.js';
import { documentBytes } from '../test/n8n/engine/files.mjs';
import type { Fields } from '../test/n8n/fields.mjs';
import { readExample } from '../test/n8n/workflows.mjs';
import type { SyncTask } from './cases.mjs';
import { inARow, MEASURED, node, ourNode, start, workflowOf } from './nodes.mjs';
import type { Credentials } from './nodes.mjs';
import type { StoredFile } from './standIn.mjs';
import { ofFiles } from './uploads.mjs';
import type { Contestant } from './workflow.mjs';

/** The first of the stand-in's. */
const AGENT = 'agent-001';

/** A workflow that keeps the agent in step with the files of a folder. */
export function syncWorkflow(
	contestant: Contestant,
	folder: string,
	credentials: Credentials,
): Fields {
	const task = { operation: 'sync', uid: { __rl: true, mode: 'id', value: AGENT } };
	return ofFiles(contestant, folder, ourNode(MEASURED, task, credentials));
}

/**
 * The workflow with our node's note of an earlier night, in which it sent the files as they are now, but for
 * those that have changed since. They lie evenly among the others.
 *
 * @param account The address of the service.
 */
export function withNote(
	workflow: Fields,
	stored: StoredFile[],
	{ bytesEach, changed = 0 }: SyncTask,
	account: string,
): Fields {
	const files = new Map<string, NotedFile>();
	for (const [index, { uniqueId, sourceName }] of stored.entries()) {
		const hash = createHash('sha256');
		for (const piece of documentBytes(sourceName, bytesEach)) hash.update(piece);
		if ((index * changed) % stored.length < changed) hash.update('since taken out');
		const current = { uniqueId, sha256: hash.digest('base64url'), isOwn: true };
		files.set(sourceName, { current, old: [], out: [] });
	}
	const syncedFiles = writtenNote([{ ...newAgent(account, AGENT), wasTold: true, files }]);
	return { ...workflow, staticData: { [`node:${MEASURED}`]: { syncedFiles } } };
}

const WORKFLOWS = join(import.meta.dirname, 'workflows');
const BY_DATE = 'folder-in-step-with-a-data-table';
/** As that workflow names them. */
const TABLE = 'cometchat folder files';
const FOLDER = 'https://files.example.com';

/**
 * What a careful user builds without _Sync Files_: it remembers in a data table which files it has sent and
 * when they were changed last, and downloads those with another time. It does not look into the others.
 *
 * @param origin Of the server with the files.
 */
export function workflowByDate(origin: string): Fields {
	return readExample(BY_DATE, [AGENT], { [FOLDER]: origin }, WORKFLOWS);
}

/** Fills its data table with all that lies in the folder, as an earlier night has left it. */
export function tableByDate(origin: string): Fields {
	const dataTableId = { __rl: true, mode: 'name', value: TABLE };
	const table = (name: string, parameters: Fields) =>
		node(name, 'n8n-nodes-base.dataTable', 1.1, { dataTableId, ...parameters });
	const column = ['name', 'changedAt', 'uniqueId'].map((name) => ({ name }));
	const nodes = [
		start(),
		table('Create', {
			resource: 'table',
			operation: 'create',
			tableName: TABLE,
			columns: { column },
			options: { createIfNotExists: true },
		}),
		table('Clear', { resource: 'table', operation: 'clear' }),
		node('List', 'n8n-nodes-base.httpRequest', 4.2, { url: `${origin}/documents`, options: {} }),
		table(MEASURED, {
			operation: 'insert',
			columns: { mappingMode: 'autoMapInputData', value: null },
			options: { optimizeBulk: true },
		}),
	];
	return workflowOf('byDate, its table', nodes, inARow(nodes.map(({ name }) => name)));
}
