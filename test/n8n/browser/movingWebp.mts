/** One of the pictures of a film: a lossy WebP, as Chromium makes it. */
export interface Still {
	webp: Buffer;
	shownMs: number;
}

const RIFF_HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;
const ANIMATED = 0b10;

/** Makes a WebP that repeats pictures of this size: https://developers.google.com/speed/webp/docs/riff_container */
export function movingWebp(width: number, height: number, stills: Still[]): Buffer {
	const size = [uint24(width - 1), uint24(height - 1)];
	const chunks = [
		chunk('VP8X', Buffer.from([ANIMATED, 0, 0, 0]), ...size),
		// No background colour, and an endless loop.
		chunk('ANIM', Buffer.alloc(6)),
		...stills.map(({ webp, shownMs }) => {
			const inCorner = [uint24(0), uint24(0)];
			const shown = [uint24(shownMs), Buffer.from([0])];
			return chunk('ANMF', ...inCorner, ...size, ...shown, pictureOf(webp));
		}),
	];
	return chunk('RIFF', Buffer.from('WEBP'), ...chunks);
}

/** Returns the chunk of a WebP with its pixels, without the browser's colour profile. */
function pictureOf(webp: Buffer): Buffer {
	for (let at = RIFF_HEADER_BYTES; at < webp.length;) {
		const end = at + CHUNK_HEADER_BYTES + even(webp.readUInt32LE(at + 4));
		if (webp.toString('latin1', at, at + 4) === 'VP8 ') return webp.subarray(at, end);
		at = end;
	}
	throw new Error('It is no lossy WebP.');
}

function chunk(name: string, ...parts: Buffer[]): Buffer {
	const content = Buffer.concat(parts);
	const header = Buffer.alloc(CHUNK_HEADER_BYTES);
	header.write(name, 'latin1');
	header.writeUInt32LE(content.length, 4);
	return Buffer.concat([header, content, Buffer.alloc(even(content.length) - content.length)]);
}

function uint24(value: number): Buffer {
	const bytes = Buffer.alloc(3);
	bytes.writeUIntLE(value, 0, 3);
	return bytes;
}

function even(bytes: number): number {
	return bytes + (bytes % 2);
}
