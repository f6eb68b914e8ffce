import { isDeepStrictEqual } from 'node:util';
import crc32 from 'crc-32';
import type { Service } from '../../service/service.js';
import { attach } from '../byHand.mjs';
import { hoursAgo, type Files } from '../engine/files.mjs';
import { assertHolds } from '../prove.mjs';
import { AGENT } from './workflow.mjs';

const BY_HAND = 'added-by-hand';
/** What the agent has from elsewhere. The service is to begin with it: an unknown ID would make its lists doubtful. */
export const FROM_ELSEWHERE = { uniqueId: BY_HAND, sourceName: `${BY_HAND}.pdf` };
const CHANGES = ['add', 'remove'];

/** How many requests of which kind; of the changes of an agent, how many files they have. */
export type Sends = Record<string, number>;

/** A folder with which an agent is to be in step, beside a file that is none of its business. */
export class Folder {
	private readonly documents = new Map<string, { text: string; changedAt: string }>();

	/** @param service With FROM_ELSEWHERE; */
	static async beside(service: Service, files: Files): Promise<Folder> {
		const folder = new Folder(service, files);
		await attach(service, AGENT, [BY_HAND]);
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

	/**
	 * The agent has what is in the folder and what it had from elsewhere, and no more.
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
		const hasItStill = this.service.files(AGENT, 'uploads').includes(BY_HAND);
		assertHolds(hasItStill, 'The agent has lost what it had from elsewhere.');
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
			name: records.find((record) => record.uniqueId === uniqueId)?.sourceName,
			checksum: this.service.stored(uniqueId)?.checksum,
		}));
	}
}

export function assertSame(found: unknown, wanted: unknown, what: string): void {
	const words = `${what} ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}.`;
	assertHolds(isDeepStrictEqual(found, wanted), words);
}
