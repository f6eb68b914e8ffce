// At hand, because a look-up for each byte takes long inside a test runner's sandbox.
const { imul } = Math;

/**
 * A running FNV-1a of 32 bits over the bytes that pass. It tells whether all of them came, in their
 * order; it is no proof against someone who means to deceive it. (n8n's lint allows no Node builtins
 * here, and the web's `crypto.subtle` cannot be fed piece by piece.)
 */
export class Checksum {
	bytes = 0;
	private hash = 0x811c9dc5;

	take(chunk: Uint8Array): void {
		const { length } = chunk;
		let { hash } = this;
		// Not for…of, which takes several times as long: megabytes come this way.
		for (let at = 0; at < length; at += 1) hash = imul(hash ^ (chunk[at] ?? 0), 0x01000193);
		this.hash = hash;
		this.bytes += length;
	}

	/** Eight hexadecimal digits. */
	hex(): string {
		return (this.hash >>> 0).toString(16).padStart(8, '0');
	}
}

/** The checksum of bytes that are all at hand, to compare with. */
export function checksumOf(bytes: Uint8Array): string {
	const checksum = new Checksum();
	checksum.take(bytes);
	return checksum.hex();
}
