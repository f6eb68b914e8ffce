import assert from 'node:assert/strict';
import crc32 from 'crc-32';
import type { Service } from '../../service/service.js';
import { hoursAgo, type Files } from '../engine/files.mjs';
import { AGENT } from './workflow.mjs';

const CHANGES = ['add', 'remove'];

/** How many requests of which kind; of the changes of an agent, how many files they have. */
export type Sends = Record<string, number>;

/** A folder with which an agent is to be in step. */
export class Folder {
	private readonly texts = new Map<string, string>();

	constructor(
		private readonly service: Service,
		private readonly files: Files,
	) {}

	/** @param changed The new text of each file; null for one that goes. */
	lay(changed: Record<string, string | null>): void {
		for (const [name, text] of Object.entries(changed)) {
			if (text === null) this.texts.delete(name);
			else this.texts.set(name, text);
		}
		// As of files that were copied into the folder: no date says that they have changed.
		const changedAt = hoursAgo(900);
		this.files.lay([...this.texts].map(([name, text]) => ({ name, text, changedAt })));
	}

	/**
	 * The agent has what is in the folder, and no more.
	 *
	 * @param different Where the agent differs from the folder: the texts that it has of a file.
	 */
	assertInStep(different: Record<string, string[]> = {}): void {
		const inFolder = [...this.texts].map(([name, text]) => [name, [text]] as const);
		const wanted = Object.entries({ ...Object.fromEntries(inFolder), ...different });
		const texts = wanted.flatMap(([name, all]) => all.map((text) => `${name} ${crc32.str(text)}`));
		assert.deepEqual(this.uploads().sort(), texts.sort());
	}

	/**
	 * How many requests that may change something have arrived; of the changes of an agent, how many files
	 * they had: those that are ready at the same time may share one.
	 */
	sent(): Record<string, number> {
		const sent: Record<string, number> = {};
		for (const { kind, method, operation = 'unknown', uniqueIds } of this.service.log) {
			if (kind !== 'arrived' || method === 'GET' || operation === 'poll') continue;
			const count = CHANGES.includes(operation) ? (uniqueIds?.length ?? 0) : 1;
			sent[operation] = (sent[operation] ?? 0) + count;
		}
		return sent;
	}

	/** The names of what the agent has, each with a checksum. */
	private uploads(): string[] {
		const records = this.service.records();
		return this.service.files(AGENT, 'uploads').map((id) => {
			const record = records.find(({ uniqueId }) => uniqueId === id);
			return `${record?.sourceName} ${this.service.stored(id)?.checksum}`;
		});
	}
}
