import assert from 'node:assert/strict';
import crc32 from 'crc-32';
import type { Service } from '../../service/service.js';
import type { Files } from '../engine/files.mjs';
import { NO_REUSE } from '../rest.mjs';
import type { RunningN8n } from '../server.mjs';
import { until } from '../until.mjs';
import { readWorkflow } from '../workflows.mjs';

const AGENT = 'support-bot';
const SYNC_FILES = 'Sync Files';

export interface Place {
	n8n: RunningN8n;
	service: Service;
	files: Files;
}

/** Starts a night. Resolves with n8n's response, which may arrive at its end. @param path The path of the request. */
export async function fireNight(baseUrl: string, path: string): Promise<void> {
	// Its URL exists some time after n8n has started.
	await until('the night can begin', 60_000, async () => {
		const answer = await fetch(`${baseUrl}/webhook/${path}`, { method: 'POST', headers: NO_REUSE });
		await answer.text();
		return answer.status !== 404;
	});
}

/**
 * A folder and the published workflow `nightly-folder`, which syncs an agent with it. A request starts it in addition
 * to its schedule, which can't be started at will: n8n saves a node's static data only of executions that were not
 * started manually.
 */
export class Nights {
	private texts: Record<string, string> = {};

	/** @param replace The texts of the workflow to replace, with their new texts. */
	static async publish(place: Place, path: string, replace: Record<string, string> = {}) {
		const { rest } = place.n8n;
		const here = { 'https://files.example.com': place.files.origin, '"night"': `"${path}"` };
		const workflow = await rest.createWorkflow(
			readWorkflow('nightly-folder', { ...here, ...replace }),
		);
		await rest.activate(workflow);
		return new Nights(place, path, workflow);
	}

	private constructor(
		private readonly place: Place,
		private readonly path: string,
		private readonly workflow: string,
	) {}

	lay(texts: Record<string, string>): void {
		this.texts = texts;
		const files = Object.entries(texts).map(([name, text]) => {
			// A time long ago, and a different one for each text.
			const changedAt = new Date(Date.UTC(2020, 0) + Math.abs(crc32.str(text))).toISOString();
			return { name, text, changedAt };
		});
		this.place.files.lay(files);
	}

	async fire(): Promise<void> {
		await fireNight(this.place.n8n.baseUrl, this.path);
	}

	/** Runs a night, after which the agent uses the files of the folder, and `kept`, by name and text. */
	async go(said: string, kept: Record<string, string> = {}): Promise<void> {
		const { rest } = this.place.n8n;
		await this.fire();
		const items = (await rest.newest(this.workflow)).items(SYNC_FILES);
		const found = items.map(({ json }) => `${String(json.action)} ${String(json.name)}`);
		assert.deepEqual(found.sort(), said.split(', ').sort(), JSON.stringify(items));
		this.assertHeld(...Object.entries({ ...this.texts, ...kept }));
	}

	/** Asserts that the agent uses exactly these files, by name and text. */
	assertHeld(...expected: Array<[name: string, text: string]>): void {
		const { service } = this.place;
		const records = service.records();
		const held = service.files(AGENT, 'uploads').map((id) => {
			const record = records.find(({ uniqueId }) => uniqueId === id);
			return `${record?.sourceName} ${service.stored(id)?.checksum}`;
		});
		const wanted = expected.map(([name, text]) => `${name} ${crc32.str(text)}`);
		assert.deepEqual(held.sort(), wanted.sort());
	}
}
