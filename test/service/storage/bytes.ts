import { buf as checksumOf } from 'crc-32';
import type { Request } from 'express';

import { waitUnless } from '../answer';
import type { ReceivedBytes } from '../log';
import type { Rule } from '../script';

/** The bytes of an upload as they come; each piece is counted and let go. */
export class Incoming {
	/** Whether the body came to its end. */
	complete = false;
	private bytes = 0;
	private checksum = 0;

	received(): ReceivedBytes {
		return { bytes: this.bytes, checksum: this.checksum };
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
				this.bytes += chunk.length;
				this.checksum = checksumOf(chunk, this.checksum);
				if (this.bytes >= afterBytes) return;
				const dueMs = startedMs + (this.bytes / bytesPerSecond) * 1000;
				await waitUnless(closed, dueMs - Date.now());
			}
			this.complete = true;
		} catch {
			// The client has closed the connection; `closed` tells.
		}
	}
}
