import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startService, type Rule, type Service } from '../service/service.js';
import { accountFor, KEYS } from './account.mjs';
import type { Execution, Item } from './execution.mjs';
import { assertSucceeded } from './expectation.mjs';
import { at, textAt } from './fields.mjs';
import { REAL_N8N } from './install.mjs';
import { residentBytes } from './memory.mts';
import { showProgress } from './progress.mjs';
import { assertHolds, type Topic } from './prove.mjs';
import { startN8n, type RunningN8n } from './server.mjs';
import { withStarted } from './withStarted.mjs';
import { readWorkflow } from './workflows.mjs';

const FOLDER = join(REAL_N8N, 'soak');

/** As in the workflow `soak`, which has 50 requests under way at once, and three attempts for each. */
const ITEMS = 20_000;
const AGENTS = 50;

/** One item in so many meets a fault; no divisor of AGENTS, so that each agent has some. */
const FAULT_EVERY = 19;

type Effect = 'applied' | 'not applied' | 'unknown';

/** In turns. What random faults do to an item, and all of them together, is the fault model's. */
const FAULTS: Array<{ rule: Rule; effect: Effect }> = [
	{ rule: { status: 503 }, effect: 'applied' },
	{ rule: { status: 503, retryAfter: '0', times: 2 }, effect: 'applied' },
	{ rule: { status: 500, times: 3 }, effect: 'unknown' },
	{ rule: { drop: 'beforeApplying' }, effect: 'applied' },
	{ rule: { drop: 'afterApplying', times: 2 }, effect: 'applied' },
	{ rule: { truncated: true }, effect: 'applied' },
	{ rule: { body: '<html>' }, effect: 'unknown' },
	{ rule: { body: '{"success":false}' }, effect: 'not applied' },
	{ rule: { status: 404, code: 'ERR_KB_NOT_FOUND' }, effect: 'not applied' },
];

/** What one item asks for, and what becomes of it. */
const ASKED = Array.from({ length: ITEMS }, (_, index) => ({
	file: `file-${index}`,
	agent: `agent-${String((index % AGENTS) + 1).padStart(3, '0')}`,
	fault: index % FAULT_EVERY === 0 ? FAULTS[(index / FAULT_EVERY) % FAULTS.length] : undefined,
}));

const MEGABYTE = 1024 * 1024;

/**
 * Between the middles of the third and the last quarter lie 5,000 requests. Runs were measured to
 * grow by 0 to 2 MB there, what becomes of 5,000 items included: garbage is collected, so what the
 * machine is busy with makes no difference. A node that keeps 13 KB of each request grows by 70 MB.
 */
const MOST_GROWTH_BYTES = 20 * MEGABYTE;

/** One long run with a service that keeps failing. */
export const soak: Topic = {
	name: 'soak',
	async proveAll(prove, tarball) {
		rmSync(FOLDER, { recursive: true, force: true });
		await withStarted(async (start) => {
			const service = await start(startService({ ...KEYS, agents: AGENTS }));
			const rules = ASKED.flatMap(({ file, fault }) =>
				fault === undefined ? [] : [{ ...fault.rule, for: { containsId: file } }],
			);
			service.script(...rules);
			const env = { EXTERNAL_HOOK_FILES: join(import.meta.dirname, 'garbage.mts') };
			const options = { userFolder: FOLDER, tarball, env };
			const n8n = await start(showProgress('Starting n8n', () => startN8n(options)));
			const { execution, samples } = await run(n8n, service);
			await prove(`Every one of ${ITEMS} items ends as what it met makes it end`, async () =>
				assertAccounted(execution, service),
			);
			await prove('Memory does not grow with the requests', async () => {
				const quarter = service.log.length / 4;
				const third = medianBytes(samples, 2 * quarter, 3 * quarter);
				const grown = medianBytes(samples, 3 * quarter, 4 * quarter) - third;
				const inWords = `It grew by ${Math.round(grown / MEGABYTE)} MB.`;
				console.log(`    (${inWords})`);
				assertHolds(grown <= MOST_GROWTH_BYTES, inWords);
			});
		});
	},
};

interface Sample {
	bytes: number;
	/** How many lines the service's log had by then. */
	lines: number;
}

/** Runs the workflow, with an eye on the memory of n8n's process. */
async function run({ rest, pid }: RunningN8n, service: Service) {
	await rest.createCredential(accountFor(service));
	const workflowId = await rest.createWorkflow(readWorkflow('soak'));
	const samples: Sample[] = [];
	const timer = setInterval(() => {
		samples.push({ bytes: residentBytes(pid, 'now'), lines: service.log.length });
	}, 100);
	try {
		const execution = await showProgress(
			`Sending ${ITEMS} items`,
			async () => await rest.run(workflowId, 600_000),
			() => `${service.requests().length} requests`,
		);
		return { execution, samples };
	} finally {
		clearInterval(timer);
	}
}

function assertAccounted(execution: Execution, service: Service): void {
	assertSucceeded(execution);
	const output = execution.items('Add Files');
	assertHolds(output.length === ITEMS, `${output.length} items came out.`);
	const held = new Set(
		service
			.agents()
			.flatMap(({ uid }) => service.files(uid, 'uploads').map((id) => `${uid} ${id}`)),
	);
	const wrong = ASKED.flatMap(({ file, agent, fault }, index) => {
		const effect = fault?.effect ?? 'applied';
		const isThere = held.delete(`${agent} ${file}`);
		const found = `${brief(output[index])}, ${isThere ? 'there' : 'not there'}`;
		const expected = `${index} ${file} ${effect}, ${effect === 'applied' ? 'there' : 'not there'}`;
		return found === expected ? [] : [`${found} and not ${expected}`];
	});
	assertHolds(wrong.length === 0, `${wrong.length} items: ${wrong.slice(0, 5).join('; ')}`);
	assertHolds(held.size === 0, `Nobody has asked for ${[...held].slice(0, 5).join('; ')}`);
}

/** Which input item it is linked to, its only file, and what it says of that. */
function brief(item: Item | undefined): string {
	const { json, pairedItem } = item ?? {};
	const isApplied = at(json, 'success') === true;
	const ids = isApplied ? at(json, 'uniqueIds') : at(json, 'error', 'details', 'uniqueIds');
	const effect = isApplied ? 'applied' : textAt(json, 'error', 'details', 'effect');
	return [at(pairedItem, 'item'), ids, effect].map(String).join(' ');
}

/** The middle value of a part of the run, from one line of the log to before another. */
function medianBytes(samples: Sample[], from: number, to: number): number {
	const part = samples.filter(({ lines }) => lines > from && lines < to);
	const middle = part.map(({ bytes }) => bytes).sort((one, other) => one - other)[part.length >> 1];
	if (middle !== undefined) return middle;
	throw new Error(`Memory was never measured between the lines ${from} and ${to} of the log.`);
}
