import { isDeepStrictEqual } from 'node:util';
import crc32 from 'crc-32';
import type { Service } from '../../service/service.js';
import { KEYS } from '../account.mjs';
import { hoursAgo, type Files } from '../engine/files.mjs';
import { assertHolds } from '../prove.mjs';
import { AGENT } from './workflow.mjs';

const COLLEAGUE = 'sales-assistant';
const BY_HAND = 'added-by-hand';
/** What the agent has from elsewhere. The service is to begin with it: an unknown ID would make its lists doubtful. */
export const FROM_ELSEWHERE = { uniqueId: BY_HAND, sourceName: `${BY_HAND}.pdf` };
const CHANGES = ['add', 'remove'];

/** A folder with which an agent is to be in step, among agents and files that are none of its business. */
export class Folder {
	private readonly documents = new Map<string, { text: string; changedAt: string }>();
	private others: unknown;

	/** @param service With FROM_ELSEWHERE; its other records are given to a colleague of the agent. */
	static async beside(service: Service, files: Files): Promise<Folder> {
		const folder = new Folder(service, files);
		await folder.attach(AGENT, BY_HAND);
		for (const { uniqueId } of service.records()) {
			if (uniqueId !== BY_HAND) await folder.attach(COLLEAGUE, uniqueId);
		}
		folder.others = folder.ofOthers();
		return folder;
	}

	private constructor(
		private readonly service: Service,
		private readonly files: Files,
	) {}

	/**
	 * @param changed The new text of each file; null for one that goes.
	 * @param changedAt What the folder says of them; left out: as of files that were copied into it.
	 */
	lay(changed: Record<string, string | null>, changedAt = hoursAgo(900)): void {
		for (const [name, text] of Object.entries(changed)) {
			if (text === null) this.documents.delete(name);
			else this.documents.set(name, { text, changedAt });
		}
		this.files.lay([...this.documents].map(([name, document]) => ({ name, ...document })));
	}

	/** Gives the agent's upload of a file to its colleague, too. */
	async share(name: string): Promise<void> {
		const upload = this.uploads().find((each) => each.name === name);
		await this.attach(COLLEAGUE, upload?.uniqueId ?? '');
		this.others = this.ofOthers();
	}

	/**
	 * The agent has what is in the folder and no more, and all others have what they had.
	 *
	 * @param different Where the agent differs from the folder: the texts that it has of a file.
	 */
	assertInStep(different: Record<string, string[]> = {}): void {
		const inFolder = [...this.documents].map(([name, { text }]) => [name, [text]] as const);
		const wanted = Object.entries({ ...Object.fromEntries(inFolder), ...different });
		assertSame(
			this.uploads()
				.map(({ name, checksum }) => `${name} ${checksum}`)
				.sort(),
			wanted.flatMap(([name, texts]) => texts.map((text) => `${name} ${crc32.str(text)}`)).sort(),
			'The agent has',
		);
		assertSame(this.ofOthers(), this.others, 'The others have');
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

	private uploads() {
		const ids = this.service.files(AGENT, 'uploads').filter((id) => id !== BY_HAND);
		const records = this.service.records();
		return ids.map((uniqueId) => ({
			uniqueId,
			name: records.find((record) => record.uniqueId === uniqueId)?.sourceName,
			checksum: this.service.stored(uniqueId)?.checksum,
		}));
	}

	private ofOthers(): unknown {
		const ids = this.service.files(COLLEAGUE, 'uploads');
		const records = this.service.records().map(({ uniqueId }) => uniqueId);
		return {
			ids,
			deleted: ids.filter((id) => !records.includes(id)),
			byHand: this.service.files(AGENT, 'uploads').includes(BY_HAND),
		};
	}

	private async attach(uid: string, uniqueId: string): Promise<void> {
		const path = `/ai-agents/agent-builder/agents/${uid}/knowledge-base/uploads/add`;
		const { ok, status } = await fetch(`${this.service.baseUrl}${path}`, {
			method: 'PATCH',
			headers: { apikey: KEYS.apiKey, 'Content-Type': 'application/json' },
			body: JSON.stringify({ uniqueIds: [uniqueId] }),
		});
		assertHolds(ok, `It could not be added: ${status}.`);
	}
}

export function assertSame(found: unknown, wanted: unknown, what: string): void {
	const words = `${what} ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}.`;
	assertHolds(isDeepStrictEqual(found, wanted), words);
}
