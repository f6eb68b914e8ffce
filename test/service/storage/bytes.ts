import type { Request } from 'express';

import { waitUnless } from '../answer';
import { Checksum } from './checksum';
import type { ReceivedBytes } from '../log';
import type { Rule } from '../script';

/** The bytes of an upload as they come; each piece is counted and let go. */
export class Incoming {
	/** Whether the body came to its end. */
	complete = false;
	private readonly checksum = new Checksum();

	received(): ReceivedBytes {
		return { bytes: this.checksum.bytes, checksum: this.checksum.hex() };
	}

	/** Reads to the end, or as far as the rule lets it. */
	async read(request: Request, rule: Rule, closed: AbortSignal): Promise<void> {
		const { bytesPerSecond = Infinity, afterBytes = Infinity } = rule;
		if (afterBytes <= 0) return;
		const startedMs = Date.now();
		try {
			// Not destroyed, because that would close the connection before the answer.
			for await (const chunk of request.iterator({ destroyOnReturn: false })) {
				if (!(chunk instanceof Uint8Array)) throw new Error('A piece is no bytes.');
				this.checksum.take(chunk);
				const { bytes } = this.checksum;
				if (bytes >= afterBytes) return;
				const dueMs = startedMs + (bytes / bytesPerSecond) * 1000;
				await waitUnless(closed, dueMs - Date.now());
			}
			this.complete = true;
		} catch {
			// The client has closed the connection; `closed` tells.
		}
	}
}
