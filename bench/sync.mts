import { createHash } from 'node:crypto';
import type { NotedFile } from '../nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/syncNote.js';
import {
	newAgent,
	writtenNote,
} from '../nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/syncNote.js';
import { documentBytes } from '../test/n8n/engine/files.mjs';
import type { Fields } from '../test/n8n/fields.mjs';
import type { SyncTask } from './cases.mjs';
import { MEASURED, ourNode } from './nodes.mjs';
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
	{ bytesEach, changed }: SyncTask,
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
