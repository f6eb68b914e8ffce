import { sleep } from 'n8n-workflow';

import type { Rule } from '../../service/service';
import { add, freshService } from '../fixture';
import { arrivals, continuing, errorOf } from '../operations';

const KNOWN = ['a', 'b', 'c', 'd'];
const RECORDS = KNOWN.map((uniqueId) => ({ uniqueId, sourceName: `${uniqueId}.pdf` }));
const options = { checkIds: true };
const item = (...files: string[]) => ({ agent: 'support-bot', files });
const poll = { for: { operation: 'poll' as const } };

describe('Check IDs First', () => {
	const service = freshService({ records: 150 });
	const questions = () =>
		service().log.filter(({ kind, operation }) => kind === 'arrived' && operation === 'poll');
	const allIds = () =>
		service()
			.records()
			.map(({ uniqueId }) => uniqueId);
	const attached = () => service().files('support-bot', 'uploads');

	test.each(['add', 'remove'])(
		'asks for each ID once, a hundred at a time, and then sends what it would without it: %s',
		async (operation) => {
			const [first = '', ...rest] = allIds();
			const items = [item(first, ...rest), { agent: 'sales-assistant', files: [first] }];
			const { output, hints } = await add(service(), items, { options, parameters: { operation } });
			expect(questions().map(({ uniqueIds }) => uniqueIds)).toEqual([
				allIds().slice(0, 100),
				allIds().slice(100),
			]);
			expect(arrivals(service()).slice(2).sort()).toEqual([
				`${operation} sales-assistant ${first}`,
				`${operation} support-bot ${allIds().join()}`,
			]);
			expect(output.map(({ json }) => json.success)).toEqual([true, true]);
			expect(hints).toEqual([]);
		},
	);

	const failing: Rule = { ...poll, status: 503, message: 'Not now' };
	const once = { ...options, maxAttempts: 1 };

	test('that gets no answer sends nothing for those items, and says why', async () => {
		service().script(failing);
		const ids = allIds();
		const parts = [ids.slice(0, 99), ids.slice(98, 101), ids.slice(149)];
		const items = parts.map((part) => item(...part));
		const run = await add(service(), items, { ...continuing, options: once });
		expect(questions()).toHaveLength(2);
		expect(attached()).toEqual(ids.slice(149));
		for (const index of [0, 1]) {
			expect(errorOf(run, index)).toMatchObject({
				message: `CometChat was not able to carry out the request [item ${index}]`,
				description: expect.stringMatching(
					/^CometChat answered with status 503 .*: Not now\. Nothing was sent for this item, because 'Check IDs First' is on and its file IDs could not be checked\. Run it again later\./,
				),
				attempts: 0,
				effect: 'not applied',
			});
		}
	});

	test('that gets no answer ends a run that is set to stop with its first question', async () => {
		service().script(failing);
		const { error } = await add(service(), [item(...allIds()), item('x')], { options: once });
		expect(arrivals(service())).toHaveLength(1);
		expect(error?.message).toContain('CometChat was not able to carry out the request [item 0]');
		expect(error?.description).toContain('not sent: 0–1');
	});

	test('that is stopped by the user says nothing of any ID', async () => {
		service().script({ ...poll, stall: true });
		const stop = (async () => {
			while (questions().length === 0) await sleep(5);
		})();
		const run = await add(service(), [item('x')], { ...continuing, options, stop });
		expect(run.status).toBe('canceled');
		expect(service().requests()).toEqual([]);
		expect(errorOf(run)).toMatchObject({
			message: 'The run stopped before this item was sent [item 0]',
		});
	});
});

describe.each(['omit', 'refuse'] as const)(
	'An ID that CometChat does not know, where the question for it is answered so: %s',
	(unknownInPoll) => {
		const service = freshService({ records: RECORDS, unknownInPoll });
		const attached = () => service().files('support-bot', 'uploads');
		const items = [item('a'), item('b', 'guide.pdf', 'c', '1AbC'), item('d')];

		test('ends a run that is set to stop before anything is sent', async () => {
			const { error } = await add(service(), items, { options });
			expect(service().requests()).toEqual([]);
			expect(error).toMatchObject({
				name: 'NodeOperationError',
				message:
					'CometChat does not seem to know the file IDs "guide.pdf", "1AbC" [item 1] (0 of 3 items applied, 1 failed, 2 not sent)',
				description: expect.stringContaining('unusable: 1; not sent: 0, 2.'),
			});
		});

		test('fails its item by name before it is sent, and no other', async () => {
			const run = await add(service(), items, { ...continuing, options });
			expect(attached()).toEqual(['a', 'd']);
			// Nor is there a warning of those that look strange, and that it knows.
			expect(run.hints).toMatchObject([{ message: expect.stringMatching(/^1 item failed/) }]);
			expect(errorOf(run, 1)).toMatchObject({
				message: 'CometChat does not seem to know the file IDs "guide.pdf", "1AbC" [item 1]',
				description: expect.stringMatching(
					/^Nothing was sent for this item\. .*Document: Get Many lists names and IDs, and Document: Upload/,
				),
				attempts: 0,
				uniqueIds: ['b', 'guide.pdf', 'c', '1AbC'],
			});
		});

		test('fails also where the run has no other', async () => {
			const run = await add(service(), [item('1AbC')], { ...continuing, options });
			expect(service().requests()).toEqual([]);
			expect(errorOf(run)).toMatchObject({
				message: 'CometChat does not seem to know the file ID "1AbC" [item 0]',
			});
		});
	},
);

describe('An answer that does not tell', () => {
	const service = freshService({ records: RECORDS });

	test.each<[string, unknown]>([
		['nothing of any ID', {}],
		['no status', { a: null }],
		['a word that is none of the statuses', { a: 'notFound' }],
	])('counts as one that CometChat does not know: %s', async (_, data) => {
		service().script({ ...poll, times: Infinity, transform: () => ({ success: true, data }) });
		const run = await add(service(), [item('a')], { ...continuing, options });
		expect(service().requests()).toEqual([]);
		expect(errorOf(run)).toMatchObject({
			message: 'CometChat does not seem to know the file ID "a" [item 0]',
		});
	});
});
