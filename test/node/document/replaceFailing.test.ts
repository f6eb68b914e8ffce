import type { IDataObject } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import type { Rule } from '../../service/service';
import { arrivals, continuing } from '../operations';
import { BY_ITEM, freshAccount, HELD, itemsOf, jsonOf, RECORDS } from './replacement';

const { service, standings, replace, newest, attached, recordIds } = freshAccount();

type Operation = NonNullable<NonNullable<Rule['for']>['operation']>;

const SEEDED = RECORDS.map(({ uniqueId }) => uniqueId);

/** Compares a row with the state of the simulation. Unknown facts must be reported as unknown. */
function expectTrue({ action, uniqueId, effect, old }: IDataObject): void {
	const id = recordIds().find((one) => !SEEDED.includes(one)) ?? 'none';
	const isUploaded = service().stored(id) !== undefined;
	if (isUploaded) expect(uniqueId).toBe(id);
	expect(action).toBe(effect === undefined ? 'replaced' : 'failed');
	for (const one of [old ?? []].flat()) {
		const { action: done, reason } = Object(one);
		const isHeld = attached().includes('old');
		if (reason !== undefined) expect(reason).toMatch(/^CometChat didn't confirm that/);
		else if (done === 'kept') expect(isHeld).toBe(true);
		else expect([isHeld, recordIds().includes('old')]).toEqual([false, done === 'removed']);
	}
	if (effect === 'not applied') expect([recordIds(), attached()]).toEqual([SEEDED, HELD]);
}

describe('Whatever fails, the agent always uses the document, and the output is true', () => {
	/** Whether the response reports that the step was not done, or leaves it open. */
	type Answer = 'no' | 'open';
	const refused: [string, Rule, Answer] = ['refused', { status: 400 }, 'no'];
	const cut: [string, Rule, Answer] = [
		'cut off once it is done',
		{ drop: 'afterApplying' },
		'open',
	];
	interface Step {
		operation: Operation;
		/** The number of finished steps. */
		done: number;
		/** The action in the row of the old version. */
		old?: string;
		/** Whether the response leaves open what happened to the old version. */
		isOfOld?: boolean;
		/** The advice, which must not be to start again after the first change. */
		goOn: RegExp;
	}
	const none = /again|^Check|^Compare/;
	const AGAIN = /Run the item again later: it replaces the old version then\./;
	const steps: Step[] = [
		{ operation: 'records', done: 0, goOn: none },
		{ operation: 'agent', done: 0, goOn: none },
		{ operation: 'initiate', done: 0, old: 'kept', goOn: none },
		// The empty document is deleted again, although its bytes may have arrived.
		{
			operation: 'upload',
			done: 0,
			old: 'kept',
			goOn: /Run the item again\. .*Not in CometChat: "prices\.pdf"\./,
		},
		{ operation: 'poll', done: 1, old: 'kept', goOn: AGAIN },
		{
			operation: 'add',
			done: 2,
			old: 'kept',
			goOn: /may leave an unused copy .*Not removed from the agent: the old version .* \(ID old\)\./,
		},
		{
			operation: 'remove',
			done: 3,
			old: 'kept',
			isOfOld: true,
			goOn: /may leave an unused copy .*(?:Not|may be) removed from the agent: the old version .* \(ID old\)\./,
		},
		{
			operation: 'deleteUpload',
			done: 4,
			old: 'removed',
			isOfOld: true,
			goOn: /Use these IDs.*(?:Not|may be) deleted: the old version .* \(ID old\)\./,
		},
	];
	const cases = steps.flatMap((step) =>
		[refused, cut].map(
			([how, rule, answer]) => [step.operation, how, { step, rule, answer }] as const,
		),
	);

	test.each(cases)('%s %s', async (operation, _, { step, rule, answer }) => {
		service().script({ for: { operation }, times: Infinity, ...rule });
		const json = jsonOf(await replace({}, continuing));
		const isOpen = answer === 'open';
		const standing = isOpen && operation === 'initiate' ? 'unknown' : 'not applied';
		expect(json).toMatchObject({
			effect: step.done > 0 ? 'partly applied' : standing,
			description: expect.stringMatching(step.goOn),
		});
		const reason = isOpen && step.isOfOld ? /^CometChat didn't confirm that/ : undefined;
		const row = { ...{ name: 'prices.pdf', action: step.old, uniqueId: 'old' } };
		const told = [{ ...row, ...(reason && { reason: expect.stringMatching(reason) }) }];
		expect(json.old).toEqual(step.old === undefined ? undefined : told);
		expectTrue(json);
		expect(standings.length).toBeGreaterThan(0);
		for (const held of standings) {
			expect(held.includes('old') || held.includes(String(json.uniqueId))).toBe(true);
			expect(held).toEqual(expect.arrayContaining(HELD.slice(1)));
		}
		if (step.done > 0) expect(json.description).toContain(`(ID ${json.uniqueId})`);
	});
});

describe('A step that is refused with 404', () => {
	const AGENT_404: Rule = { status: 404, envelope: 'agentService', message: 'No such agent' };
	const removal = { for: { operation: 'remove' as const } };
	const addition = { for: { operation: 'add' as const } };
	const deletion = { for: { operation: 'deleteUpload' as const } };
	const ofFile = { status: 404, code: 'ERR_KB_NOT_FOUND' };
	const ofAgent = { status: 404, code: 'ERR_AGENT_NOT_FOUND' };

	test.each<[string, Rule, string, string]>([
		['removing what CometChat does not know', { ...removal, ...ofFile }, 'replace', 'removed'],
		[
			'deleting, without a code',
			{ ...deletion, ...AGENT_404, apply: true },
			'replaceAndDelete',
			'deleted',
		],
	])('counts as done: %s', async (_, rule, ifNameExists, action) => {
		service().script(rule);
		const json = jsonOf(await replace({ ifNameExists }));
		expect(json).toMatchObject({ success: true, old: [{ action }] });
	});

	const unknownAgent = 'CometChat has no agent with this ID';
	const anyOf = 'CometChat found no such agent, document or URL';
	test.each<[string, Rule[], string, string]>([
		['removing, by its code', [{ ...removal, ...ofAgent }], unknownAgent, 'kept'],
		['removing without a code', [{ ...removal, ...AGENT_404 }], anyOf, 'kept'],
		['adding without a code', [{ ...addition, ...AGENT_404 }], anyOf, 'kept'],
	])('does not: %s', async (_, rules, message, action) => {
		service().script(...rules);
		const json = jsonOf(await replace({}, continuing));
		expect(json.message).toContain(message);
		expect(json.old).toMatchObject([{ action }]);
		expect(recordIds()).toContain('old');
		expectTrue(json);
	});
});

describe('An empty document', () => {
	const upload = { for: { operation: 'upload' as const } };
	const deletion = { for: { operation: 'deleteUpload' as const } };

	test.each<[string, Rule, object]>([
		[
			'is named with its ID if deleting it is refused',
			{ status: 400 },
			{ effect: 'not applied', description: expect.stringContaining('an empty document') },
		],
		[
			'and may have been, its answer lost, is unknown, not undone',
			{ drop: 'afterApplying' },
			{
				effect: 'unknown',
				description: expect.stringContaining('Result unknown, may be in CometChat: "prices.pdf"'),
			},
		],
	])('%s', async (_, rule, told) => {
		service().script(
			{ ...upload, ...rule, times: Infinity },
			{ ...deletion, status: 400, times: Infinity },
		);
		const json = jsonOf(await replace({}, continuing));
		expect(json).toMatchObject({ ...told, uniqueId: newest() });
		expect(arrivals(service()).filter((line) => line.startsWith('delete'))).toHaveLength(1);
	});
});

describe('Between adding and removing', () => {
	test("another item's failure, which ends the execution, does not stop an item", async () => {
		const failing = { operation: 'upload' as const, fileName: 'prices.docx' };
		service().script(
			{ for: { operation: 'add' }, latencyMs: 10_000 },
			{ for: failing, latencyMs: 5000, status: 400 },
		);
		const items = itemsOf([{ brings: 'prices.pdf' }, { brings: 'prices.docx' }]);
		const { error } = await replace(BY_ITEM, items);
		expect(attached()).toEqual([...HELD.slice(1), newest()]);
		expect(recordIds()).not.toContain('old');
		expect(error?.message).toBe(
			'CometChat\'s file storage did not confirm the upload of "prices.docx" [item 2]',
		);
		expect(error?.description).toContain(`"prices.pdf" (ID ${newest()}).`);
	});

	test.each<[string, Rule, string, string, RegExp]>([
		[
			'while the new one is indexed',
			{ for: { operation: 'poll' }, latencyMs: 60_000 },
			'arrived poll',
			'old',
			/Run the item again later/,
		],
		[
			'while removing is under way',
			{ for: { operation: 'remove' }, latencyMs: 60_000 },
			'arrived remove',
			'the new one',
			/may be removed from the agent: the old version .* \(ID old\)/,
		],
	])("the user's stop %s stops it, and the output says where", async (_, ...given) => {
		const [rule, moment, held, words] = given;
		service().script(rule);
		const isAt = () =>
			service().log.some(({ kind, operation }) => `${kind} ${operation}` === moment);
		const stop = (async () => {
			while (!isAt()) await sleep(5);
		})();
		const run = await replace({}, { stop });
		expect(run.status).toBe('canceled');
		const json = jsonOf(run);
		expect(json).toMatchObject({
			...{ action: 'failed', effect: 'partly applied', uniqueId: newest() },
			description: expect.stringMatching(words),
		});
		expect(attached()).toContain(held === 'old' ? 'old' : newest());
	});
});
