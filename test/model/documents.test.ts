import fc from 'fast-check';

import { AUTH_KEY, freshService, KEY } from '../node/fixture';
import { agent, file, runFiles } from '../node/uploaded';
import type { Rule } from '../service/service';
import { startService } from '../service/service';

/** Set by `npm run test:model`, see main.mts. */
declare const MODEL: { runs?: number; seed?: number } | undefined;

const { runs = 2000, seed = 1 } = typeof MODEL === 'undefined' ? {} : MODEL;
/** One of these costs as much as several of the others. */
const RUNS_EACH = Math.ceil(runs / 20);

const UID = 'support-bot';

const answers = fc.constantFrom<Rule>(
	{ status: 400 },
	{ status: 404 },
	{ status: 429 },
	{ status: 429, retryAfter: '60' },
	{ status: 500 },
	{ status: 500, apply: true },
	{ status: 503, retryAfter: '0' },
	{ drop: 'beforeApplying' },
	{ drop: 'afterApplying' },
	{ truncated: true },
	{ status: 200, body: '{"ok":1}', apply: true },
);

function misbehaviourOf(...operations: Array<NonNullable<Rule['for']>['operation']>) {
	const rule = fc.record({
		operation: fc.constantFrom(...operations),
		times: fc.constantFrom(1, 2, Infinity),
		answer: answers,
	});
	return fc.array(
		rule.map(({ operation, times, answer }) => ({ for: { operation }, times, ...answer })),
		{ maxLength: 4 },
	);
}

const service = freshService({ indexing: { ms: 0 } });
const options = fc.record({
	maxAttempts: fc.integer({ min: 1, max: 3 }),
	maxWaitSeconds: fc.constant(0),
	parallelRequests: fc.integer({ min: 1, max: 3 }),
});
const continuing = { onError: 'continueRegularOutput' as const };

test(`in ${RUNS_EACH} random runs of Upload Files what is said to be uploaded or added is, and nothing else (seed ${seed})`, async () => {
	const scenario = fc.record({
		rules: misbehaviourOf('initiate', 'upload', 'poll', 'add'),
		items: fc.integer({ min: 1, max: 3 }),
		files: fc.integer({ min: 1, max: 2 }),
		waitUntilIndexed: fc.boolean(),
		addToAgent: fc.boolean(),
		options,
	});
	const property = fc.asyncProperty(scenario, async (given) => {
		service().reset();
		service().script(...given.rules);
		const files = Array.from({ length: given.items }, (_, item) =>
			Object.fromEntries(
				Array.from({ length: given.files }, (_unused, at) => [
					`file_${at}`,
					file(`f${item}-${at}.txt`),
				]),
			),
		);
		const { waitUntilIndexed, addToAgent } = given;
		const run = await runFiles(service(), 'upload', {
			files,
			...continuing,
			options: given.options,
			parameters: {
				binaryPropertyName: 'file_*',
				waitUntilIndexed,
				addToAgent,
				...(addToAgent ? { uid: agent(UID) } : {}),
			},
		});
		expect(run.output).toHaveLength(given.items);
		const announced = new Set(
			service()
				.records()
				.map(({ uniqueId }) => uniqueId),
		);
		const attached = service().files(UID, 'uploads');
		for (const { json } of run.output) {
			const told: Record<string, unknown> = { ...Object(json.error ?? json) };
			const uniqueIds: unknown[] = Array.isArray(told.uniqueIds) ? told.uniqueIds : [];
			for (const id of uniqueIds) expect(service().stored(String(id))).toBeDefined();
			if (json.success === true) {
				expect(uniqueIds).toHaveLength(given.files);
				expect(told.addedToAgent).toBe(addToAgent);
			}
			if (told.addedToAgent === true) expect(attached).toEqual(expect.arrayContaining(uniqueIds));
		}
		for (const id of attached) expect(announced.has(id) && addToAgent).toBe(true);
		expect(service().maxInFlight(UID)).toBeLessThanOrEqual(1);
		expect(JSON.stringify(service().uploads())).not.toContain(KEY);
		expect(run.stored).not.toContain(KEY);
		expect(run.stored).not.toContain('X-Amz-Signature');
	});
	await fc.assert(property, { numRuns: RUNS_EACH, seed });
}, 3_600_000);

test(`in ${RUNS_EACH} random runs of Add Text no text is there twice, and one that may be there is not called refused (seed ${seed})`, async () => {
	const scenario = fc.record({ rules: misbehaviourOf('createText'), options });
	const property = fc.asyncProperty(scenario, async (given) => {
		service().reset();
		service().script(...given.rules);
		const run = await runFiles(service(), 'addText', {
			...continuing,
			options: given.options,
			parameters: { title: 'Hours', text: 'From 9 to 5.' },
		});
		const there = service().records().length;
		expect(there).toBeLessThanOrEqual(1);
		const { success, error } = run.output[0]?.json ?? {};
		if (success === true) expect(there).toBe(1);
		if (there === 1 && success !== true) expect(Object(error).effect).toBe('unknown');
	});
	await fc.assert(property, { numRuns: RUNS_EACH, seed });
}, 3_600_000);

test(`in ${RUNS_EACH} random runs of Delete Files what is said to be deleted is, and nothing else (seed ${seed})`, async () => {
	const records = ['a', 'b', 'c', 'kept'].map((uniqueId) => ({
		uniqueId,
		sourceName: `${uniqueId}.txt`,
	}));
	const scenario = fc.record({
		rules: misbehaviourOf('deleteUpload'),
		ids: fc.uniqueArray(fc.constantFrom<string>('a', 'b', 'c'), { minLength: 1 }),
		options,
	});
	const seeded = await startService({ apiKey: KEY, authKey: AUTH_KEY, records });
	const property = fc.asyncProperty(scenario, async ({ rules, ids, options: set }) => {
		seeded.reset();
		seeded.script(...rules);
		const run = await runFiles(seeded, 'delete', {
			...continuing,
			options: set,
			parameters: { fileKind: 'uploads', fileIds: ids.join() },
		});
		const left = seeded.records().map(({ uniqueId }) => uniqueId);
		const { deleted, error } = run.output[0]?.json ?? {};
		const files: Record<string, string[]> = Object(Object(error).files);
		const gone = deleted === true ? ids : (files.applied ?? []);
		for (const id of gone) expect(left).not.toContain(id);
		for (const id of files.notApplied ?? []) expect(left).toContain(id);
		for (const { uniqueId } of records) {
			if (!ids.includes(uniqueId)) expect(left).toContain(uniqueId);
		}
	});
	await fc.assert(property, { numRuns: RUNS_EACH, seed });
	await seeded.stop();
}, 3_600_000);
