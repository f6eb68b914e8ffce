import type { Rule } from '../../service/service.js';

/** What goes wrong with the requests of one file. */
export interface Fault {
	file: string;
	/** How often, before the service does as it should. */
	times: number;
	rule: Rule;
	/** What the node can know after an answer with status 200; undefined if it is as it should be. */
	means?: 'not applied' | 'unknown';
}

type Kind = Pick<Fault, 'rule' | 'means'>;

/** In equal parts. */
const FREQUENT: Kind[] = [
	{ rule: { status: 503 } },
	{ rule: { status: 503, retryAfter: '0' } },
	{ rule: { status: 500 } },
	{ rule: { drop: 'beforeApplying' } },
	{ rule: { drop: 'afterApplying' } },
	{ rule: { truncated: true } },
	{ rule: { body: '{"success":tr', apply: true }, means: 'unknown' },
	{ rule: { body: '<html>' }, means: 'unknown' },
	{ rule: { body: '{"success":false}' }, means: 'not applied' },
	{ rule: { status: 404, code: 'ERR_KB_NOT_FOUND' } },
];

/**
 * All requests wait for these. And each 429 can slow down the rest of the run, to 500 requests a
 * minute in the end, as the node takes it for the limit of the plan: with one fault in ten a 429 the
 * run would last half an hour.
 */
const RARE: Kind[] = [
	{ rule: { status: 503, retryAfter: '1' } },
	{ rule: { status: 429, retryAfter: '0' } },
	{ rule: { status: 429, retryAfter: '1' } },
];

const TIMES_OF_EACH_RARE = 2;

/** Faults of all kinds for as many of the files, by chance, and the same for the same seed. */
export function makeFaults(
	files: string[],
	count: number,
	mostTimes: number,
	seed: number,
): Fault[] {
	const random = randomNumbers(seed);
	const rare = Array.from({ length: TIMES_OF_EACH_RARE }, () => RARE).flat();
	return files
		.map((file) => ({ file, place: random() }))
		.sort((one, other) => one.place - other.place)
		.slice(0, count)
		.map(({ file }, index) => {
			const rareKind = rare[index];
			if (rareKind !== undefined) return { ...rareKind, file, times: 1 };
			const kind = FREQUENT[index % FREQUENT.length] ?? { rule: {} };
			return { ...kind, file, times: 1 + Math.floor(random() * mostTimes) };
		});
}

export function toRule({ file, times, rule }: Fault): Rule {
	return { ...rule, for: { containsId: file }, times };
}

/** From 0 to 1 (mulberry32). */
function randomNumbers(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}
