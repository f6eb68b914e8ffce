import type { INodeParameters } from 'n8n-workflow';

import type { Rule } from '../../service/service';
import { freshAccount, HELD, jsonOf, RECORDS } from './replacement';
import { arrivals, continuing, errorOf } from '../operations';

const { service, standings, replace, newest, attached, recordIds } = freshAccount();

/** The same, with `success: false` beside it. */
const denied = (body: unknown) => ({ ...Object(body), success: false });

const LAST_WORD = { maxAttempts: 2, maxWaitSeconds: 0 };
const SEEDED = RECORDS.map(({ uniqueId }) => uniqueId);

/** Whether the answer says that the step was not done, or leaves it open. */
type Answer = 'no' | 'open';
const failures: Array<[string, Rule, Answer]> = [
	['refused', { status: 400 }, 'no'],
	['broken', { status: 500 }, 'open'],
	['broken after it was done', { status: 500, apply: true }, 'open'],
	['cut off before it is done', { drop: 'beforeApplying' }, 'open'],
	['cut off after it is done', { drop: 'afterApplying' }, 'open'],
	['answered with something else', { status: 200, body: '{"ok":1}', apply: true }, 'open'],
	['answered with a web page', { status: 200, body: '<html></html>', apply: true }, 'open'],
	['answered with success false beside data', { transform: denied, apply: false }, 'no'],
];

describe('Whatever fails, the agent has the document all the time, and what is said of it is true', () => {
	interface Step {
		operation: NonNullable<Rule['for']>['operation'];
		reached: string[];
		/** By what the answer says; a step that is left out has no `unknown`. */
		effect: Record<Answer, string>;
		unknown?: string;
	}
	const partly = { no: 'partly applied', open: 'partly applied' };
	const nothing = { no: 'not applied', open: 'not applied' };
	const steps: Step[] = [
		{ operation: 'records', reached: [], effect: nothing },
		{ operation: 'list', reached: [], effect: nothing },
		{ operation: 'initiate', reached: [], effect: { no: 'not applied', open: 'unknown' } },
		// The entry is deleted again, also where its bytes may have arrived.
		{ operation: 'upload', reached: [], effect: nothing },
		{ operation: 'poll', reached: ['uploaded'], effect: partly },
		{
			operation: 'add',
			reached: ['uploaded', 'indexed'],
			effect: partly,
			unknown: 'added',
		},
		{
			operation: 'remove',
			reached: ['uploaded', 'indexed', 'added'],
			effect: partly,
			unknown: 'removed',
		},
		{
			operation: 'deleteUpload',
			reached: ['uploaded', 'indexed', 'added', 'removed'],
			effect: partly,
			unknown: 'deleted',
		},
	];
	const cases = steps.flatMap((step) =>
		failures
			// A storage says nothing beside its yes: of what it says only a web page is none.
			.filter(([how]) => step.operation !== 'upload' || !/something|success/.test(how))
			.map(([how, rule, answer]) => [step.operation, how, { step, rule, answer }] as const),
	);

	/** Compares what is said with what the stand-in holds. */
	function expectTrue(json: ReturnType<typeof jsonOf>) {
		const { newId, unknown, effect } = json;
		const reached = Array.isArray(json.reached) ? json.reached : [];
		const made = service()
			.records()
			.find(({ uniqueId }) => !SEEDED.includes(uniqueId));
		const id = made?.uniqueId ?? 'none';
		const state = {
			uploaded: service().stored(id) !== undefined,
			added: attached().includes(id),
			removed: !attached().includes('old'),
			deleted: !recordIds().includes('old'),
		};
		for (const [step, isDone] of Object.entries(state)) {
			if (step !== unknown) expect([step, isDone]).toEqual([step, reached.includes(step)]);
		}
		expect(newId).toBe(reached.length > 0 ? id : undefined);
		if (effect === 'not applied') {
			expect(recordIds()).toEqual(SEEDED);
			expect(attached()).toEqual(HELD);
		}
	}

	test.each(cases)('%s %s', async (operation, _, { step, rule, answer }) => {
		service().script({ for: { operation }, times: Infinity, ...rule });
		const run = await replace({}, { ...continuing, options: LAST_WORD });
		const { reached, effect, unknown } = step;
		const json = jsonOf(run);
		expect(json).toMatchObject({ reached, effect: effect[answer], uid: 'support-bot' });
		expect(json.unknown).toBe(answer === 'open' ? unknown : undefined);
		expectTrue(json);

		expect(standings.length).toBeGreaterThan(0);
		const id = String(json.newId);
		for (const held of standings) {
			expect(held.includes('old') || held.includes(id)).toBe(true);
			expect(held).toEqual(expect.arrayContaining(HELD.slice(1)));
		}

		// Who is told to go on from here is not told to begin again, and the other way round.
		const words = String(json.description);
		const isBegun = reached.length > 0;
		expect(words.includes('To go on, ')).toBe(isBegun);
		if (isBegun) expect(words).not.toMatch(/\b(?:run|upload|start)\b[^.]* again/i);
		if (isBegun) expect(words).toContain(`(ID ${id})`);
		if (!['records', 'list'].includes(String(operation))) expect(words).toContain('(ID old)');
	});

	test.each(failures)(
		'the list of agents, asked for anew, %s: nothing is deleted, and the output says why',
		async (_, rule) => {
			service().script(
				{ for: { operation: 'list' } },
				{ for: { operation: 'list' }, times: Infinity, ...rule },
			);
			const json = jsonOf(await replace({}, { ...continuing, options: LAST_WORD }));
			expect(json).toMatchObject({
				success: true,
				reached: ['uploaded', 'indexed', 'added', 'removed'],
				notDeleted:
					'Not known whether another agent has the old version: the list of agents could not be read',
			});
			expectTrue(json);
		},
	);
});

test.each<[string, Rule[]]>(
	(['records', 'list', 'initiate', 'upload', 'poll', 'add', 'remove', 'deleteUpload'] as const).map(
		(operation) => [operation, [{ for: { operation } }]],
	),
)(
	'%s is tried again when the service was busy or an answer was lost, and then goes on',
	async (_, [rule]) => {
		service().script({ ...rule, status: 503 }, { ...rule, drop: 'afterApplying' });
		const { output } = await replace({}, { options: { maxWaitSeconds: 0 } });
		expect(output[0]?.json.success).toBe(true);
		expect(attached()).toEqual([...HELD.slice(1), output[0]?.json.newId]);
		expect(recordIds()).not.toContain('old');
	},
);

describe('The words say how to go on after a failure of', () => {
	test.each<[string, Rule['for'], INodeParameters, string]>([
		[
			'the upload',
			{ operation: 'upload' },
			{},
			'The old version of "prices.pdf" (ID old) was not taken from the agent. The new one was not uploaded. Upload it again.',
		],
		[
			'adding',
			{ operation: 'add' },
			{},
			'The old version of "prices.pdf" (ID old) was not taken from the agent. The new one (ID NEW) is in CometChat, and was not added to the agent. To go on, use Add Files and Remove Files with these IDs, or delete the new one: with both there, its name stands for two files.',
		],
		[
			'adding where there is no old version',
			{ operation: 'add' },
			{ oldFileName: 'none.pdf', ifNotFound: 'add' },
			'"prices.pdf" (ID NEW) is in CometChat, and was not added to the agent. To go on, use this ID in Document: Get Status and Add Files; uploading again would make a second copy.',
		],
		[
			'removing',
			{ operation: 'remove' },
			{},
			'The agent has the new version of "prices.pdf" (ID NEW) and still has the old one (ID old). To go on, remove the old one with Remove Files.',
		],
		[
			'deleting',
			{ operation: 'deleteUpload' },
			{},
			'The agent has the new version of "prices.pdf" (ID NEW) and no longer the old one. The old one (ID old) is still in CometChat. To go on, delete the old one with Document: Delete.',
		],
	])('%s', async (_, operation, parameters, words) => {
		service().script({ for: operation, status: 400 });
		const run = await replace(parameters, continuing);
		expect(errorOf(run)).toMatchObject({
			description: expect.stringContaining(` ${words.replaceAll('NEW', newest())}`),
		});
	});
});

describe('An entry that could not be filled', () => {
	const ENTRY =
		'CometChat may show an entry without content: "prices.pdf" (ID NEW). Delete it with';

	test('is deleted again before the item ends, and not spoken of', async () => {
		service().script({ for: { operation: 'upload' }, status: 400 });
		const run = await replace({}, continuing);
		expect(arrivals(service()).at(-1)).toMatch(/^deleteUpload \d/);
		expect(recordIds()).toEqual(SEEDED);
		const json = jsonOf(run);
		expect(json.newId).toBeUndefined();
		expect(json.description).not.toContain('entry');
	});

	test('is named with its ID if deleting it is refused, which is tried once', async () => {
		service().script(
			{ for: { operation: 'upload' }, status: 400 },
			{ for: { operation: 'deleteUpload' }, status: 500, times: Infinity },
		);
		const json = jsonOf(await replace({}, { ...continuing, options: { maxWaitSeconds: 0 } }));
		expect(json).toMatchObject({
			effect: 'not applied',
			newId: newest(),
			unfinished: [{ uniqueId: newest(), fileName: 'prices.pdf' }],
			description: expect.stringContaining(ENTRY.replace('NEW', newest())),
		});
		expect(arrivals(service()).filter((line) => line.startsWith('delete'))).toHaveLength(1);
	});

	test('and may have been, its answer lost and its deletion refused, is unknown, not undone', async () => {
		service().script(
			{ for: { operation: 'upload' }, drop: 'afterApplying' },
			{ for: { operation: 'deleteUpload' }, status: 400 },
		);
		const run = await replace({}, { ...continuing, options: { maxAttempts: 1 } });
		expect(errorOf(run)).toMatchObject({
			effect: 'unknown',
			unknown: 'uploaded',
			description: expect.stringContaining('It is not known whether the new one was uploaded.'),
			newId: newest(),
			reached: [],
		});
		expect(service().stored(newest())).toBeDefined();
	});

	test('because its address was refused is named although another one took the file', async () => {
		service().script(
			{ for: { operation: 'upload' }, status: 403 },
			{ for: { operation: 'deleteUpload' }, status: 400 },
		);
		const json = jsonOf(await replace({ deleteOldVersion: 'never' }));
		const entry = service()
			.records()
			.find(({ uniqueId }) => ![...SEEDED, json.newId].includes(uniqueId));
		expect(json).toMatchObject({
			success: true,
			unfinished: [{ uniqueId: entry?.uniqueId, fileName: 'prices.pdf' }],
		});
		expect(service().stored(String(json.newId))).toBeDefined();
	});

	test('is not taken for the new version where the answer of the second address was lost', async () => {
		service().script(
			{ for: { operation: 'upload' }, status: 403 },
			{ for: { operation: 'upload' }, drop: 'afterApplying' },
			{ for: { operation: 'deleteUpload' }, status: 400, times: Infinity },
		);
		const json = jsonOf(await replace({}, { ...continuing, options: { maxAttempts: 1 } }));
		expect(json).toMatchObject({ effect: 'unknown', unknown: 'uploaded' });
		expect(service().stored(String(json.newId))).toBeDefined();
	});
});
