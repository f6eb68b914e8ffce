import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { at, fieldsOf, listAt, requiredText, textAt, type Fields } from './fields.mjs';
import { readExecution, type Execution } from './execution.mjs';

export const OWNER = { email: 'owner@example.com', password: 'Demo-Passw0rd' };

export interface Credential {
	name: string;
	type: string;
	data: Fields;
}

/** A signed-in user of n8n's own REST interface, the one that its editor calls. */
export class N8nRest {
	// n8n binds a login to the browser that made it.
	private readonly browserId = randomUUID();
	private cookie = '';

	constructor(private readonly baseUrl: string) {}

	/** Signs the owner in; in a fresh n8n, sets the owner up first. */
	async signIn(): Promise<void> {
		const { email, password } = OWNER;
		const settings = await this.call('GET', '/rest/settings');
		if (at(settings, 'data', 'userManagement', 'showSetupOnFirstLoad') === true) {
			const owner = { email, password, firstName: 'Demo', lastName: 'Owner' };
			await this.call('POST', '/rest/owner/setup', owner);
		}
		await this.call('POST', '/rest/login', { emailOrLdapLoginId: email, password });
	}

	/** The names of all node types that n8n has loaded, such as `n8n-nodes-base.set`. */
	async nodeTypes(): Promise<string[]> {
		const answer = await this.call('GET', '/types/nodes.json');
		return Array.isArray(answer) ? answer.map((type) => textAt(type, 'name')) : [];
	}

	/** Returns the new credential's ID. */
	async createCredential(credential: Credential): Promise<string> {
		return requiredText(await this.call('POST', '/rest/credentials', credential), 'data', 'id');
	}

	/** What the editor's credential dialog shows after 'Save': `OK` or `Error`, and why. */
	async testCredential(
		id: string,
		credential: Credential,
	): Promise<{ status: string; message: string }> {
		const body = { credentials: { id, ...credential } };
		const answer = await this.call('POST', '/rest/credentials/test', body);
		return {
			status: requiredText(answer, 'data', 'status'),
			message: textAt(answer, 'data', 'message'),
		};
	}

	/** Imports a workflow as exported from an editor; returns its ID. */
	async createWorkflow(workflow: Fields): Promise<string> {
		return requiredText(await this.call('POST', '/rest/workflows', workflow), 'data', 'id');
	}

	/** Runs a workflow from its Manual Trigger and waits until it has ended. */
	async run(workflowId: string, longestMs = 300_000): Promise<Execution> {
		const id = await this.start(workflowId);
		const lastPollMs = Date.now() + longestMs;
		for (;;) {
			const execution = await this.getExecution(id);
			if (!['new', 'running'].includes(execution.status)) return execution;
			if (Date.now() > lastPollMs) {
				throw new Error(`Execution ${id} is still ${execution.status} after ${longestMs} ms.`);
			}
			await sleep(100);
		}
	}

	/** Starts a workflow from its Manual Trigger; returns the execution's ID at once. */
	async start(workflowId: string): Promise<string> {
		const workflow = await this.call('GET', `/rest/workflows/${workflowId}`);
		const trigger = listAt(workflow, 'data', 'nodes').find(
			(node) => textAt(node, 'type') === 'n8n-nodes-base.manualTrigger',
		);
		const body = { triggerToStartFrom: { name: requiredText(trigger, 'name') } };
		const answer = await this.call('POST', `/rest/workflows/${workflowId}/run`, body);
		return requiredText(answer, 'data', 'executionId');
	}

	async getExecution(id: string): Promise<Execution> {
		const answer = await this.call('GET', `/rest/executions/${id}`);
		return readExecution(at(answer, 'data'));
	}

	async stopExecution(id: string): Promise<void> {
		await this.call('POST', `/rest/executions/${id}/stop`);
	}

	private async call(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> {
		const response = await fetch(`${this.baseUrl}${path}`, {
			method,
			headers: {
				'Content-Type': 'application/json',
				'browser-id': this.browserId,
				Cookie: this.cookie,
			},
			body: body === undefined ? undefined : JSON.stringify(body),
		});
		const text = await response.text();
		if (!response.ok) {
			throw new Error(`n8n answered ${response.status} to ${method} ${path}: ${text}`);
		}
		const login = response.headers.getSetCookie().find((cookie) => cookie.startsWith('n8n-auth='));
		this.cookie = login?.split(';')[0] ?? this.cookie;
		const answer: unknown = JSON.parse(text);
		return Array.isArray(answer) ? answer : fieldsOf(answer);
	}
}
