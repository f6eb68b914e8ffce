import { randomUUID } from 'node:crypto';
import { at, fieldsOf, listAt, requiredText, textAt, type Fields } from './fields.mjs';
import { readExecution, type Execution } from './execution.mjs';
import { until } from './until.mjs';

export const OWNER = { email: 'owner@example.com', password: 'Demo-Passw0rd' };

export interface Credential {
	name: string;
	type: string;
	data: Fields;
}

/** Without reuse, because n8n may close a connection at the moment of its reuse. */
export const NO_REUSE = { Connection: 'close' };

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** A signed-in user of n8n's own REST interface, which its editor uses. */
export class N8nRest {
	// n8n binds a login to its browser.
	private readonly browserId = randomUUID();
	private cookie = '';

	constructor(private readonly baseUrl: string) {}

	/** Signs the owner in. In a new n8n, creates the owner first. */
	async signIn(): Promise<void> {
		const { email, password } = OWNER;
		const settings = await this.call('GET', '/rest/settings');
		if (at(settings, 'data', 'userManagement', 'showSetupOnFirstLoad') === true) {
			const owner = { email, password, firstName: 'Demo', lastName: 'Owner' };
			await this.call('POST', '/rest/owner/setup', owner);
		}
		await this.call('POST', '/rest/login', { emailOrLdapLoginId: email, password });
	}

	async nodeTypes(): Promise<string[]> {
		const answer = await this.call('GET', '/types/nodes.json');
		return Array.isArray(answer) ? answer.map((type) => textAt(type, 'name')) : [];
	}

	async createCredential(credential: Credential): Promise<string> {
		return requiredText(await this.call('POST', '/rest/credentials', credential), 'data', 'id');
	}

	/** Saves and tests a credential like the editor. Returns the shown text. */
	async testCredential(credential: Credential): Promise<string> {
		const credentials = { ...credential, id: await this.createCredential(credential) };
		const answer = await this.call('POST', '/rest/credentials/test', { credentials });
		return `${textAt(answer, 'data', 'status')}: ${textAt(answer, 'data', 'message')}`;
	}

	async createTable(name: string, columns: string[], rows: Fields[]): Promise<string> {
		const tables = await this.tablesPath();
		const table = { name, columns: columns.map((column) => ({ name: column, type: 'string' })) };
		const id = requiredText(await this.call('POST', tables, table), 'data', 'id');
		if (rows.length > 0) await this.call('POST', `${tables}/${id}/insert`, { data: rows });
		return id;
	}

	async fillTable(id: string, rows: Fields[]): Promise<void> {
		const table = `${await this.tablesPath()}/${id}`;
		const all = { filters: [{ columnName: 'id', condition: 'gt', value: 0 }] };
		await this.call('DELETE', `${table}/rows?filter=${encodeURIComponent(JSON.stringify(all))}`);
		await this.call('POST', `${table}/insert`, { data: rows });
	}

	private async tablesPath(): Promise<string> {
		const project = await this.call('GET', '/rest/projects/personal');
		return `/rest/projects/${requiredText(project, 'data', 'id')}/data-tables`;
	}

	async createWorkflow(workflow: Fields): Promise<string> {
		return requiredText(await this.call('POST', '/rest/workflows', workflow), 'data', 'id');
	}

	/** Publishes a workflow, so that its webhooks and schedules run it. */
	async activate(workflowId: string): Promise<void> {
		const workflow = await this.call('GET', `/rest/workflows/${workflowId}`);
		const versionId = requiredText(workflow, 'data', 'versionId');
		await this.call('POST', `/rest/workflows/${workflowId}/activate`, { versionId });
	}

	/** Publishes a workflow again, with new positions of its nodes. */
	async republish(workflowId: string): Promise<void> {
		const workflow = await this.call('GET', `/rest/workflows/${workflowId}`);
		const nodes = listAt(workflow, 'data', 'nodes').map((node, at) => {
			return { ...fieldsOf(node), position: [at * 220, 100] };
		});
		const changed = { nodes, versionId: requiredText(workflow, 'data', 'versionId') };
		await this.call('PATCH', `/rest/workflows/${workflowId}`, changed);
		await this.activate(workflowId);
	}

	async run(workflowId: string, longestMs?: number): Promise<Execution> {
		return await this.untilEnded(await this.start(workflowId), longestMs);
	}

	/** Returns n8n's data of a workflow's newest execution after its end. */
	async newest(workflowId: string): Promise<Execution> {
		const [newest] = await this.executions(workflowId);
		return await this.untilEnded(newest?.id ?? 'none');
	}

	async untilEnded(id: string, longestMs = 300_000): Promise<Execution> {
		let execution = await this.getExecution(id);
		await until(`execution ${id} has ended`, longestMs, async () => {
			if (!isUnderWay(execution)) return true;
			execution = await this.getExecution(id);
			return false;
		});
		return execution;
	}

	/** Starts a workflow at a trigger, and returns the execution's ID immediately. @param item The trigger's output. */
	async start(
		workflowId: string,
		trigger = 'n8n-nodes-base.manualTrigger',
		item?: { json: Fields; binary?: Fields },
	): Promise<string> {
		const workflow = await this.call('GET', `/rest/workflows/${workflowId}`);
		const nodes = listAt(workflow, 'data', 'nodes');
		const name = requiredText(
			nodes.find((node) => textAt(node, 'type') === trigger),
			'name',
		);
		const triggerToStartFrom = item === undefined ? { name } : { name, data: putOut(item) };
		const answer = await this.call('POST', `/rest/workflows/${workflowId}/run`, {
			// An older n8n runs the sent workflow, the newest the saved one.
			workflowData: at(workflow, 'data'),
			triggerToStartFrom,
		});
		return requiredText(answer, 'data', 'executionId');
	}

	async getExecution(id: string): Promise<Execution> {
		const answer = await this.call('GET', `/rest/executions/${id}`);
		return readExecution(at(answer, 'data'));
	}

	async executionText(id: string): Promise<string> {
		return await this.callForText('GET', `/rest/executions/${id}`);
	}

	/** Returns the newest hundred executions of a workflow, or of all, newest first, without their data. */
	async executions(workflowId?: string): Promise<Array<{ id: string; status: string }>> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const answer = await this.call('GET', `/rest/executions?filter=${filter}&limit=100`);
		return listAt(answer, 'data', 'results').map((execution) => ({
			id: requiredText(execution, 'id'),
			status: textAt(execution, 'status'),
		}));
	}

	async evaluate(workflowId: string): Promise<Fields> {
		const path = `/rest/workflows/${workflowId}/test-runs`;
		await this.call('POST', `${path}/new`, {});
		let run: unknown;
		await until('the evaluation has ended', 300_000, async () => {
			[run] = listAt(await this.call('GET', path), 'data');
			return !isUnderWay({ status: textAt(run, 'status') });
		});
		return fieldsOf(at(run, 'metrics'));
	}

	async stopExecution(id: string): Promise<void> {
		await this.call('POST', `/rest/executions/${id}/stop`);
	}

	private async call(method: Method, path: string, body?: object): Promise<unknown> {
		const answer: unknown = JSON.parse(await this.callForText(method, path, body));
		return Array.isArray(answer) ? answer : fieldsOf(answer);
	}

	private async callForText(method: Method, path: string, body?: object): Promise<string> {
		const response = await fetch(`${this.baseUrl}${path}`, {
			method,
			headers: {
				'Content-Type': 'application/json',
				'browser-id': this.browserId,
				Cookie: this.cookie,
				...NO_REUSE,
			},
			body: body === undefined ? undefined : JSON.stringify(body),
		});
		const text = await response.text();
		if (!response.ok) {
			throw new Error(`n8n answered ${response.status} to ${method} ${path}: ${text}`);
		}
		const login = response.headers.getSetCookie().find((cookie) => cookie.startsWith('n8n-auth='));
		this.cookie = login?.split(';')[0] ?? this.cookie;
		return text;
	}
}

export function isUnderWay({ status }: { status: string }): boolean {
	return status === 'new' || status === 'running';
}

/** Returns an item in n8n's form for the output of a trigger. */
function putOut(item: { json: Fields; binary?: Fields }) {
	return {
		startTime: Date.now(),
		executionIndex: 0,
		executionTime: 0,
		source: [],
		executionStatus: 'success',
		data: { main: [[item]] },
	};
}
