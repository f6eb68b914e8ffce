import fc from 'fast-check';

import { add, freshService, KEY } from '../node/fixture';
import { agent, file, runFiles } from '../node/uploaded';
import type { LogEntry, Rule, Service } from '../service/service';

/** Set by `npm run test:model`, see main.mts. */
declare const MODEL: { runs?: number; seed?: number } | undefined;

const { runs = 2000, seed = 1 } = typeof MODEL === 'undefined' ? {} : MODEL;
/** One of these costs as much as several of the others. */
const RUNS_EACH = Math.ceil(runs / 8);

const UID = 'support-bot';
const OLD = 'old';
const NAME = 'prices.pdf';

const operations = [
	'records',
	'initiate',
	'upload',
	'poll',
	'add',
	'remove',
	'deleteUpload',
] as const;

const misbehaviour: fc.Arbitrary<Rule> = fc
	.record({
		operation: fc.constantFrom(...operations),
		times: fc.constantFrom(1, 2, Infinity),
		answer: fc.constantFrom<Rule>(
			{ status: 400 },
			{ status: 403 },
			{ status: 404, code: 'ERR_KB_NOT_FOUND' },
			{ status: 429 },
			{ status: 429, retryAfter: '0' },
			{ status: 500 },
			{ status: 500, apply: true },
			{ status: 503, retryAfter: '60' },
			{ drop: 'beforeApplying' },
			{ drop: 'afterApplying' },
			{ truncated: true },
			{ status: 200, body: '{"success":false}' },
			{ status: 200, body: '{"ok":1}', apply: true },
			{ status: 200, body: '<html>', contentType: 'text/html' },
		),
	})
	.map(({ operation, times, answer }) => {
		// A host that says 'stored' and has not would be waited for until the end of the indexing time.
		const apply = operation === 'upload' && answer.status === 200 ? true : answer.apply;
		return { for: { operation }, times, ...answer, apply };
	});

const scenarios = fc.record({
	rules: fc.array(misbehaviour, { maxLength: 4 }),
	by: fc.constantFrom('fileName', 'id'),
	ifNotFound: fc.constantFrom('fail', 'add'),
	exists: fc.boolean(),
	deleteOldVersion: fc.boolean(),
	canBeRead: fc.boolean(),
	maxAttempts: fc.integer({ min: 1, max: 3 }),
});

/** What the agent has had at each moment of which the log knows. */
let standings: string[][] = [];
let watched: Service | undefined;
const service = freshService({
	indexing: { ms: 0 },
	records: [{ sourceName: NAME, uniqueId: OLD }],
	onEntry: () => standings.push(watched?.files(UID, 'uploads') ?? []),
});

test(`in ${RUNS_EACH} random runs of Replace File the agent never stands without the document, and what is said is so (seed ${seed})`, async () => {
	watched = service();
	const property = fc.asyncProperty(scenarios, async (scenario) => {
		const { rules, by, ifNotFound, exists, deleteOldVersion, canBeRead, maxAttempts } = scenario;
		service().reset();
		if (exists) await add(service(), [{ agent: UID, files: [OLD] }]);
		service().clearLog();
		standings = [];
		service().script(...rules);
		if (!canBeRead) service().scriptIndexing({ ends: 'failed' });

		const run = await runFiles(service(), 'replace', {
			files: [{ data: file(NAME, 'The new prices.') }],
			onError: 'continueRegularOutput',
			options: { maxAttempts, maxWaitSeconds: 0 },
			parameters: {
				uid: agent(UID),
				oldVersionBy: by,
				oldFileId: OLD,
				ifNotFound,
				deleteOldVersion,
			},
		});
		const output = run.output[0]?.json ?? {};
		const error: Record<string, unknown> = { ...Object(output.error) };
		const isDone = output.success === true;
		const told: Record<string, unknown> = isDone ? output : error;
		const reached = Array.isArray(told.reached) ? told.reached : [];
		const newId = String(told.newId);
		const { log } = service();
		const applied = (operation: string, id: string) =>
			log.some((line) => line.operation === operation && line.applied && names(line, id));

		// The promise.
		if (exists) {
			expect(standings.every((files) => files.some((id) => id === OLD || id === newId))).toBe(true);
		}
		expect(run.output).toHaveLength(1);
		expect(isDone).toBe(output.error === undefined);
		// What is said to be done is done.
		if (reached.includes('uploaded')) expect(service().stored(newId)).toBeDefined();
		if (reached.includes('added')) expect(applied('add', newId)).toBe(true);
		if (reached.includes('removed')) expect(applied('remove', OLD)).toBe(true);
		if (reached.includes('deleted')) expect(ids(service())).not.toContain(OLD);
		if (isDone) {
			expect(service().files(UID, 'uploads')).toEqual([newId]);
			expect(ids(service()).includes(OLD)).toBe(!deleteOldVersion);
		}
		// Nothing that nobody asked for, and not before its turn.
		const sent = log.filter(({ kind }) => kind === 'arrived');
		for (const line of sent) {
			if (line.operation === 'add') expect(line.uniqueIds).toEqual([newId]);
			if (line.operation === 'remove') expect(line.uniqueIds).toEqual([OLD]);
			if (line.host === 'uploads') expect(JSON.stringify(line)).not.toContain(KEY);
		}
		const order = sent.map(({ operation }) => operation);
		if (order.includes('remove')) expect(applied('add', newId)).toBe(true);
		if (order.includes('deleteUpload')) {
			expect(deleteOldVersion && applied('remove', OLD)).toBe(true);
		}
		for (const operation of operations) {
			const times = order.filter((each) => each === operation).length;
			expect(times).toBeLessThanOrEqual(maxAttempts);
		}
		expect(run.stored).not.toContain(KEY);
		expect(run.stored).not.toContain('X-Amz-Signature');
	});
	await fc.assert(property, { numRuns: RUNS_EACH, seed });
}, 3_600_000);

function ids(from: Service): string[] {
	return from.records().map(({ uniqueId }) => uniqueId);
}

function names({ uniqueIds = [], uniqueId }: LogEntry, id: string): boolean {
	return uniqueId === id || uniqueIds.includes(id);
}
