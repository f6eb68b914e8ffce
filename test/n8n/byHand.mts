import assert from 'node:assert/strict';
import type { Service } from '../service/service.js';
import { KEYS } from './account.mjs';

export async function write(
	service: Service,
	title: string,
	indexing: { ms: number; ends: 'failed' | 'indexed' },
): Promise<void> {
	service.scriptIndexing({ for: { fileName: title }, ...indexing });
	const path = '/ai-agents/agent-builder/knowledge-base/text';
	await send(service, 'POST', path, { title, text: 'Some text.' });
}

/** Lets CometChat index a file again, which fails after a time. */
export async function failIndexing(service: Service, name: string, ms: number): Promise<void> {
	service.scriptIndexing({ for: { fileName: name }, ms, ends: 'failed' });
	const { uniqueId } = service.records().find(({ sourceName }) => sourceName === name) ?? {};
	const path = `/ai-agents/agent-builder/knowledge-base/uploads/${uniqueId}/sync`;
	await send(service, 'PATCH', path);
}

export async function attach(service: Service, uid: string, uniqueIds: string[]): Promise<void> {
	const path = `/ai-agents/agent-builder/agents/${uid}/knowledge-base/uploads/add`;
	await send(service, 'PATCH', path, { uniqueIds });
}

async function send(service: Service, method: string, path: string, body?: object) {
	const { ok, status } = await fetch(`${service.baseUrl}${path}`, {
		method,
		headers: { apikey: KEYS.apiKey, 'Content-Type': 'application/json' },
		body: JSON.stringify(body),
	});
	assert.ok(ok, `The stand-in refused ${method} ${path}: ${status}.`);
}
