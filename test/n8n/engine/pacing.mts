import { startService, type Service } from '../../service/service.js';
import { assertHolds, type Prove } from '../prove.mjs';
import { accountFor, KEYS, type Stage } from './stage.mjs';

/** What the workflow `paced` sets: 600 requests a minute. */
const SPACING_MS = 100;

/** How much later than it was sent a request may arrive on a busy machine. */
const LATE_MS = 1000;

/** How many requests may be under way at once, as long as nobody changes 'Parallel Requests'. */
const AT_ONCE = 10;

/**
 * `Retry-After` has whole seconds: asked to wait within the first half second, the node hears 3. So
 * it learns a stretch of time that is longer than the window by half a second at least, and a
 * request that arrives this much late is not one too many for the next window.
 */
const RATE_LIMIT = { requests: 40, windowMs: 2500 };

/** When and how fast requests are sent. */
export async function provePacing(prove: Prove, stage: Stage): Promise<void> {
	const { n8n, large } = stage;

	await prove(
		'Max Requests per Minute: requests of several agents are spaced evenly, from the first on',
		async () => {
			stage.reset();
			const execution = await stage.run('paced');
			assertHolds(execution.status === 'success', `${execution.status}: ${execution.error}`);
			const times = large.requests().map(({ atMs }) => atMs);
			const gaps = times.slice(1).map((atMs, index) => atMs - (times[index] ?? atMs));
			assertHolds(gaps.length === 30, `${times.length} requests arrived, not 31.`);
			// Never too fast: the last can't be early. Too slow is whatever the machine is busy with.
			const tookMs = gaps.reduce((sum, gap) => sum + gap, 0);
			const leastMs = gaps.length * SPACING_MS - LATE_MS;
			assertHolds(tookMs >= leastMs, `All came within ${tookMs} ms; ${leastMs} are the least.`);
			// The middle one: a pause of the machine makes one gap long and some after it short.
			const middle = gaps.sort((one, other) => one - other)[gaps.length / 2] ?? 0;
			assertHolds(middle >= SPACING_MS * 0.8, `The gaps were ${gaps.join()} ms.`);
		},
	);

	await prove(
		'A rate limit, with default options: the first refusals teach the node, none follow, and every item is applied',
		async () => {
			const limited = await startService({ ...KEYS, agents: 8, rateLimit: RATE_LIMIT });
			try {
				await n8n.rest.createCredential(accountFor('Limited account', limited));
				const execution = await stage.run('rate-limited');
				assertHolds(execution.status === 'success', `${execution.status}: ${execution.error}`);
				const items = execution.items('Add Files');
				const applied = items.filter(({ json }) => json.success === true).length;
				assertHolds(applied === 160, `${applied} of ${items.length} items were applied.`);
				const held = limited.agents().flatMap(({ uid }) => limited.files(uid, 'uploads'));
				assertHolds(new Set(held).size === 160, `The agents hold ${held.length} files.`);
				assertOneEpisode(limited);
				const hints = execution.hints('Add Files').join(' ');
				assertHolds(hints.includes('CometChat asked to slow down'), `The hints: ${hints}`);
			} finally {
				await limited.stop();
			}
		},
	);
}

/** The refused requests came one right after the other: those that were under way by then. */
function assertOneEpisode(limited: Service): void {
	const requests = limited.requests();
	const first = requests.findIndex((request) => request.limited);
	const last = requests.findLastIndex((request) => request.limited);
	const refused = requests.filter((request) => request.limited).length;
	assertHolds(first === RATE_LIMIT.requests, `The first refused request is number ${first + 1}.`);
	const found = `${refused} requests were refused, number ${first + 1} to ${last + 1}.`;
	assertHolds(last - first + 1 === refused && refused <= AT_ONCE, found);
}
