import { randomInt } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startService, type Service } from '../service/service.js';
import type { Execution } from './execution.mjs';
import { fieldsOf, readJson } from './fields.mjs';
import { REAL_N8N } from './install.mjs';
import { showProgress } from './progress.mjs';
import { assertHolds, type Topic } from './prove.mjs';
import { startN8n, type RunningN8n } from './server.mjs';
import {
	effectByLog,
	effectInOutput,
	misnumbered,
	strayRequests,
	type Asked,
} from './soak/account.mjs';
import { makeFaults, toRule, type Fault } from './soak/faults.mjs';
import { medianBytes, watchMemory, type Sample } from './soak/memory.mjs';

const WORKFLOW = join(import.meta.dirname, 'workflows/soak.json');
const GARBAGE_HOOK = join(import.meta.dirname, 'soak/garbage.mts');
const FOLDER = join(REAL_N8N, 'soak');
const KEYS = { apiKey: 'soak-rest-api-key', authKey: 'soak-auth-key' };

/** As in the workflow `soak`, which has 50 requests under way at once. */
const ITEMS = 20_000;
const AGENTS = 50;
const MAX_ATTEMPTS = 3;

/** How many of the files meet a fault: 5 %. */
const FAULTS = 1000;

const LONGEST_RUN_MS = 600_000;

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
		// Another one each time; with SOAK_SEED the faults of a run that has failed come again.
		const seed = Number(process.env.SOAK_SEED ?? randomInt(2 ** 31));
		console.log(`  The faults are those of SOAK_SEED=${seed}`);
		const asked = Array.from({ length: ITEMS }, (_, index) => ({
			file: `file-${index}`,
			agent: `agent-${String((index % AGENTS) + 1).padStart(3, '0')}`,
		}));
		const files = asked.map(({ file }) => file);
		const faults = makeFaults(files, FAULTS, MAX_ATTEMPTS, seed);
		rmSync(FOLDER, { recursive: true, force: true });
		const service = await startService({ ...KEYS, agents: AGENTS });
		try {
			service.script(...faults.map(toRule));
			const n8n = await showProgress('Starting n8n', () =>
				startN8n({
					userFolder: FOLDER,
					tarball,
					env: { EXTERNAL_HOOK_FILES: GARBAGE_HOOK },
				}),
			);
			try {
				const { execution, samples } = await run(n8n, service);
				await prove(`Every one of ${ITEMS} items ends as the service's log has it`, async () =>
					assertAccounted(execution, service, asked, faults),
				);
				await prove('Nothing is sent that no item asks for', async () => {
					const stray = strayRequests(service, asked);
					assertHolds(stray.length === 0, `${stray.length} requests: ${start(stray)}`);
				});
				await prove('Memory does not grow with the requests', async () =>
					assertFlat(samples, service),
				);
			} finally {
				await n8n.stop();
			}
		} finally {
			await service.stop();
		}
	},
};

/** Runs the workflow, with an eye on the memory of n8n's process. */
async function run({ rest, pid }: RunningN8n, service: Service) {
	await rest.createCredential({
		name: 'CometChat account',
		type: 'cometChatApi',
		data: { appId: '', region: 'custom', baseUrl: service.baseUrl, apiKey: KEYS.apiKey },
	});
	const workflowId = await rest.createWorkflow(fieldsOf(readJson(WORKFLOW)));
	const watch = watchMemory(pid, () => service.log.length);
	try {
		const execution = await showProgress(
			`Sending ${ITEMS} items`,
			async () => await rest.run(workflowId, LONGEST_RUN_MS),
			() => `${service.requests().length} requests`,
		);
		return { execution, samples: watch.stop() };
	} finally {
		watch.stop();
	}
}

function assertAccounted(
	{ status, error, items }: Execution,
	service: Service,
	asked: Asked[],
	faults: Fault[],
): void {
	assertHolds(status === 'success', `The execution ended with "${status}": ${error}`);
	const output = items('Add Files');
	const misplaced = misnumbered(output, asked);
	assertHolds(misplaced.length === 0, `${misplaced.length} items: ${start(misplaced)}`);

	const byLog = effectByLog(service, faults);
	const held = new Set(
		service
			.agents()
			.flatMap(({ uid }) => service.files(uid, 'uploads').map((id) => `${uid} ${id}`)),
	);
	const counts = new Map<string, number>();
	const wrong = asked.flatMap(({ file, agent }, index) => {
		const told = effectInOutput(output[index]);
		const isHeld = held.delete(`${agent} ${file}`);
		counts.set(told, (counts.get(told) ?? 0) + 1);
		const isTrue =
			told === byLog.get(file) && (told === 'unknown' || isHeld === (told === 'applied'));
		const there = isHeld ? 'is there' : 'is not there';
		return isTrue
			? []
			: [`${file} is said to be ${told}, by the log ${byLog.get(file)}, and ${there}`];
	});
	assertHolds(wrong.length === 0, `${wrong.length} items: ${start(wrong)}`);
	assertHolds(held.size === 0, `Nobody has asked for ${start([...held])}`);
	const told = [...counts].map(([effect, count]) => `${count} ${effect}`).join(', ');
	assertHolds(counts.size === 3, `The faults have not led to all outcomes: ${told}.`);
}

function assertFlat(samples: Sample[], service: Service): void {
	const endMs = service.log.at(-1)?.atMs ?? 0;
	const sending = samples.filter(({ atMs }) => atMs <= endMs);
	const all = service.log.length;
	const third = medianBytes(sending, 0.5 * all, 0.75 * all);
	const last = medianBytes(sending, 0.75 * all, all);
	const grown = Math.round((last - third) / MEGABYTE);
	assertHolds(last - third <= MOST_GROWTH_BYTES, `It grew by ${grown} MB.`);
}

/** The first of many. */
function start(texts: string[]): string {
	return texts.slice(0, 5).join('; ');
}
