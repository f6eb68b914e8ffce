import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { documentBytes } from '../test/n8n/engine/files.mjs';
import type { Fields } from '../test/n8n/fields.mjs';
import type { UploadTask } from './cases.mjs';
import { httpRequest, inARow, MEASURED, node, ourNode, start, workflowOf } from './nodes.mjs';
import type { Credentials, WorkflowNode } from './nodes.mjs';
import type { Contestant } from './workflow.mjs';

/** The node that reads the files from disk: the same, and its time the same, for every contestant. */
export const SOURCE = 'Files';

/** The only folder that n8n reads files from unless it is told otherwise. */
const FILES = '.n8n-files';

/** Names for so many files. */
export function fileNames(count: number): string[] {
	return Array.from({ length: count }, (_, index) => {
		return `document-${String(index + 1).padStart(4, '0')}.pdf`;
	});
}

/**
 * Lays files where the n8n of this user folder may read them, all of them different.
 *
 * @returns Their folder.
 */
export async function layFiles(
	userFolder: string,
	names: string[],
	{ bytesEach }: UploadTask,
): Promise<string> {
	const folder = join(userFolder, FILES, String(names.length));
	await mkdir(folder, { recursive: true });
	for (const name of names) await writeFile(join(folder, name), documentBytes(name, bytesEach));
	return folder;
}

/**
 * A workflow that reads all files of a folder, uploads them and waits until all are indexed.
 *
 * @param folder As `layFiles` has given it.
 * @param baseUrl Of the service, as in `http://127.0.0.1:PORT/v3`.
 */
export function uploadWorkflow(
	contestant: Contestant,
	folder: string,
	baseUrl: string,
	credentials: Credentials,
): Fields {
	if (contestant === 'httpRequest') return byRequest(reading(folder), baseUrl, credentials);
	const task = { resource: 'document', operation: 'upload', addToAgent: false };
	return ofFiles(contestant, folder, ourNode(MEASURED, task, credentials));
}

/** A workflow that reads all files of a folder and, if our node is the contestant, hands them to it. */
export function ofFiles(contestant: Contestant, folder: string, ours: WorkflowNode): Fields {
	const nodes = contestant === 'ours' ? [...reading(folder), ours] : reading(folder);
	return workflowOf(`${contestant}, files`, nodes, inARow(nodes.map(({ name }) => name)));
}

function reading(folder: string): WorkflowNode[] {
	const fileSelector = `${folder}/*.pdf`;
	const parameters = { operation: 'read', fileSelector, options: {} };
	return [start(), node(SOURCE, 'n8n-nodes-base.readWriteFile', 1.1, parameters)];
}

/**
 * As a careful user builds it with n8n's own nodes. It is the quicker way wherever there are two:
 * every request starts without waiting for another, one question is for all files, and it is asked
 * again each second. It has no limit of time, sends nothing again, and keeps to no rate limit.
 */
function byRequest(before: WorkflowNode[], baseUrl: string, credentials: Credentials): Fields {
	const knowledgeBase = `${baseUrl}/ai-agents/agent-builder/knowledge-base`;
	const initiate = {
		method: 'POST',
		url: `${knowledgeBase}/uploads/initiate`,
		jsonBody:
			'={{ { files: [{ fileName: $json.fileName, mimeType: $json.mimeType, fileSize: $binary.data.bytes }] } }}',
	};
	const poll = {
		method: 'POST',
		url: `${knowledgeBase}/status/poll`,
		jsonBody: `={{ { uniqueId: $('IDs').first().json.ids } }}`,
	};
	const statuses = 'Object.values($json.data)';
	const isFailed = `${statuses}.includes('failed')`;
	const isReady = `${statuses}.every((status) => ['indexed', 'inSync'].includes(status))`;
	const nodes = [
		...before,
		httpRequest('Initiate', initiate, credentials),
		// The answer has the address, the file's item the bytes.
		node('Address and File', 'n8n-nodes-base.merge', 3.2, {
			mode: 'combine',
			combineBy: 'combineByPosition',
			options: {},
		}),
		node(MEASURED, 'n8n-nodes-base.httpRequest', 4.5, {
			method: 'PUT',
			url: '={{ $json.uploads[0].presignedUrl }}',
			sendBody: true,
			contentType: 'binaryData',
			inputDataFieldName: 'data',
			options: {},
		}),
		{
			...node('IDs', 'n8n-nodes-base.set', 3.4, {
				assignments: {
					assignments: [
						{
							id: 'ids',
							name: 'ids',
							type: 'array',
							value: `={{ $('Initiate').all().map(({ json }) => json.uploads[0].uploadId) }}`,
						},
					],
				},
				options: {},
			}),
			executeOnce: true,
		},
		node('Wait', 'n8n-nodes-base.wait', 1.1, { amount: 1 }),
		httpRequest('Poll', poll, credentials),
		node('Which', 'n8n-nodes-base.switch', 3.2, {
			mode: 'expression',
			numberOutputs: 3,
			output: `={{ ${isFailed} ? 0 : ${isReady} ? 1 : 2 }}`,
		}),
		node('Not Indexed', 'n8n-nodes-base.stopAndError', 1, {
			errorMessage: 'A file could not be indexed.',
		}),
		node('All Indexed', 'n8n-nodes-base.noOp', 1, {}),
	];
	return workflowOf('httpRequest, uploads', nodes, [
		...inARow(['Start', SOURCE, 'Initiate', 'Address and File', MEASURED, 'IDs', 'Wait', 'Poll']),
		{ from: SOURCE, to: 'Address and File', input: 1 },
		{ from: 'Poll', to: 'Which' },
		{ from: 'Which', output: 0, to: 'Not Indexed' },
		{ from: 'Which', output: 1, to: 'All Indexed' },
		{ from: 'Which', output: 2, to: 'Wait' },
	]);
}
