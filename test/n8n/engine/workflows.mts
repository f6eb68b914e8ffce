import assert from 'node:assert/strict';
import type { Prove } from '../prove.mjs';
import type { Environment } from './environment.mjs';

/** Proves the node with n8n's own nodes: expressions, links of items, loops, other workflows. */
export async function proveWorkflows(
	prove: Prove,
	{ n8n, importWorkflow, runAsExpected }: Environment,
): Promise<void> {
	for (const [workflow, promise] of [
		[
			'file-ids-from-real-nodes',
			'File IDs in every accepted form, as Edit Fields, Split Out, HTTP Request and Merge hand them over',
		],
		[
			'failing-continues',
			'On Error: Continue: the others are sent, each leads back to its input item',
		],
		['loop-over-items', 'in Loop Over Items, every item is sent once'],
	] as const) {
		await prove(promise, async () => await runAsExpected(workflow));
	}
	await prove('in a sub-workflow, and its output comes back to the caller', async () => {
		const id = await importWorkflow('sub-workflow');
		await runAsExpected('calls-sub-workflow', { ID_OF_THE_SUB_WORKFLOW: id });
		const inner = await n8n.rest.newest(id);
		assert.equal(inner.items('Add Files').length, 2);
	});
}
