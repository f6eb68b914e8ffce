import { readFileSync } from 'node:fs';

/** What a moment of the run is spent on. */
export type Category = 'expressions' | 'request helper' | 'our code' | 'garbage' | 'idle' | 'other';

/** Seconds per category, between the first and the last moment in which our package runs. */
export type Shares = Record<Category, number>;

/** The parts of a .cpuprofile that are read here. */
interface CpuProfile {
	nodes: ProfileNode[];
	/** IDs of nodes, one for each sample. */
	samples: number[];
	/** Microseconds between a sample and the one before it. */
	timeDeltas: number[];
}

/** A function, called from one certain place. */
interface ProfileNode {
	id: number;
	callFrame: { functionName: string; url: string };
	/** IDs of the functions that it calls. */
	children?: number[];
}

const OUR_PACKAGE = /n8n-nodes-cometchat\/dist\//;

/** The first that fits is a frame's category. Paths are those of n8n's packages and of Node. */
const RULES: Array<[Category, (frame: ProfileNode['callFrame']) => boolean]> = [
	['garbage', ({ functionName }) => functionName === '(garbage collector)'],
	['idle', ({ functionName }) => functionName === '(idle)'],
	['our code', ({ url }) => OUR_PACKAGE.test(url)],
	[
		'expressions',
		({ functionName, url }) =>
			/getNodeParameter$/i.test(functionName) ||
			/n8n-workflow\/dist\/\w+\/(expression|workflow-expression|workflow-data-proxy|extensions)/.test(
				url,
			) ||
			/@n8n\/expression-runtime\/|expression-observability|isolated-vm|\/luxon\//.test(url),
	],
	[
		'request helper',
		({ url }) =>
			/request-helpers\/|@n8n\/backend-network\/|credentials-helper/.test(url) ||
			/\/(axios|follow-redirects|proxy-from-env|form-data)\//.test(url) ||
			/^node:(_?http|_?tls|net|dns|url|stream|_stream|internal\/(streams?|url|dns|abort))/.test(
				url,
			),
	],
];

/**
 * Where the time of our node goes, by a sampled profile of n8n's process.
 *
 * The self time of each function counts for the category of the nearest function up its calls that
 * has one, itself first: `writev` under `node:net` is the request helper's. So what our package has
 * n8n do for it, such as copying the node's description, is our code, unless it is an expression or
 * a request. What runs after an `await` has lost its caller and counts by its own file: a
 * connection's events for the request helper. What then has no category is 'other'.
 */
export function readShares(file: string): Shares {
	const { nodes, samples, timeDeltas }: CpuProfile = JSON.parse(readFileSync(file, 'utf8'));
	const parents = new Map<number, number>();
	const frames = new Map<number, ProfileNode['callFrame']>();
	for (const { id, callFrame, children = [] } of nodes) {
		frames.set(id, callFrame);
		for (const child of children) parents.set(child, id);
	}
	/** A function and those that called it, nearest first. */
	const callersOf = (sample: number) => {
		const found: Array<ProfileNode['callFrame']> = [];
		for (let id: number | undefined = sample; id !== undefined; id = parents.get(id)) {
			const frame = frames.get(id);
			if (frame !== undefined) found.push(frame);
		}
		return found;
	};

	const isOurs = (sample: number) => callersOf(sample).some(({ url }) => OUR_PACKAGE.test(url));
	const first = samples.findIndex(isOurs);
	const last = samples.findLastIndex(isOurs);
	const shares: Shares = {
		expressions: 0,
		'request helper': 0,
		'our code': 0,
		garbage: 0,
		idle: 0,
		other: 0,
	};
	for (let index = Math.max(0, first); index <= last; index++) {
		const category = categoryOf(callersOf(samples[index] ?? 0));
		shares[category] += (timeDeltas[index] ?? 0) / 1e6;
	}
	return shares;
}

function categoryOf(callers: Array<ProfileNode['callFrame']>): Category {
	for (const frame of callers) {
		const rule = RULES.find(([, fits]) => fits(frame));
		if (rule !== undefined) return rule[0];
	}
	return 'other';
}

/** One line for each category, the largest first. */
export function showShares(shares: Shares): string {
	const total = Object.values(shares).reduce((sum, seconds) => sum + seconds, 0);
	return Object.entries(shares)
		.sort(([, one], [, other]) => other - one)
		.map(([category, seconds]) => {
			const share = `${((100 * seconds) / total).toFixed(1)} %`.padStart(8);
			return `${share}  ${seconds.toFixed(2).padStart(7)} s  ${category}`;
		})
		.join('\n');
}
