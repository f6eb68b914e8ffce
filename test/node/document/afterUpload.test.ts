import { sleep } from 'n8n-workflow';

import { add } from '../fixture';
import { agent, arrivals, errorOf } from '../operations';
import { freshUploads, itemEach, TO_AGENT } from './uploads';

const { service, upload, ids, attached } = freshUploads();
const INDEXED = { ...TO_AGENT, waitUntilIndexed: true };

test('the output of an upload goes into Add Files as it is, as IDs and as records', async () => {
	const { output } = await upload(['a.txt', 'b.txt']);
	const items = output.map(({ json }) => ({ agent: 'support-bot', ...json }));
	await add(service(), items, { parameters: { fileIds: '={{ $json.uniqueIds }}' } });
	expect(attached()).toEqual(ids());
	const sales = { uid: agent('sales-assistant'), fileIds: '={{ $json.uploads }}' };
	await add(service(), items, { parameters: sales });
	expect(attached('sales-assistant')).toEqual(ids());
});

describe('After the upload', () => {
	test('the files are added to the agent at once if asked, in one request', async () => {
		const { output } = await upload(['a.txt', 'b.txt'], { parameters: TO_AGENT });
		expect(service().requests()).toHaveLength(1);
		expect(attached()).toEqual(output[0]?.json.uniqueIds);
		expect(output[0]?.json).toMatchObject({ uid: 'support-bot', addedToAgent: true });
	});

	test("one agent's changes never overlap, however its ID is written, and those of several do", async () => {
		const body = '{"success":true}';
		const when = { operation: 'add' as const };
		service().script({ for: when, status: 200, body, latencyMs: 500, times: Infinity });
		const agents = ['support-bot', 'SUPPORT-BOT', 'sales-assistant'];
		await upload([], {
			items: Array.from({ length: 9 }, (_, at) => ({ agent: agents[at % 3] ?? '' })),
			files: itemEach(Array.from({ length: 9 }, (_, at) => `${at}.txt`)),
			parameters: { addToAgent: true, uid: agent('={{ $json.agent }}') },
		});
		expect(service().requests()).toHaveLength(9);
		expect(service().maxInFlight('support-bot')).toBe(1);
		expect(service().maxInFlight()).toBe(2);
	});

	test('the one that is refused ends a run that is set to stop before the next has its turn', async () => {
		service().script({ for: { operation: 'add' }, status: 400, latencyMs: 1000 });
		const files = itemEach(['a.txt', 'b.txt']);
		const more = { onError: 'stopWorkflow' as const, files, parameters: TO_AGENT };
		const { error } = await upload([], more);
		expect(error?.message).toContain('(0 of 2 items applied, 2 failed, 0 not sent)');
		expect(service().requests()).toHaveLength(1);
		expect(attached()).toEqual([]);
	});

	test('the files of an item go to it together: refused, they are not sent in parts', async () => {
		service().script({ for: { operation: 'add' }, status: 400 });
		const run = await upload(['a.txt', 'b.txt'], { parameters: TO_AGENT });
		expect(errorOf(run)).toMatchObject({ addedToAgent: false, effect: 'partly applied' });
		expect(arrivals(service()).slice(3)).toEqual([`add support-bot ${ids().join()}`]);
	});

	test('a status that CometChat does not give says nothing of the agent, which was not asked', async () => {
		service().script({ for: { operation: 'poll' }, status: 500 });
		const run = await upload(['a.txt'], { options: { maxAttempts: 1 }, parameters: INDEXED });
		expect(errorOf(run)).toMatchObject({
			description: expect.stringContaining('Not added to the agent.'),
			addedToAgent: false,
		});
		expect(service().requests()).toEqual([]);
	});

	test('waits until all are indexed before it adds them', async () => {
		service().scriptIndexing({ for: { fileName: 'slow.txt' }, ms: 1500 });
		const { output } = await upload(['a.txt', 'slow.txt'], { parameters: INDEXED });
		expect(arrivals(service()).at(-2)).toMatch(/^add support-bot /);
		expect(output[0]?.json).toMatchObject({
			uploads: [{ status: 'indexed' }, { status: 'indexed' }],
			addedToAgent: true,
		});
	});

	test('waiting keeps no other item: with one at a time the next is uploaded and added meanwhile', async () => {
		service().scriptIndexing({ for: { fileName: 'slow.txt' }, ms: 2500 });
		await upload([], {
			files: itemEach(['slow.txt', 'fast.txt']),
			parameters: INDEXED,
			options: { parallelRequests: 1 },
		});
		const [slow, fast] = ids();
		expect(arrivals(service()).filter((line) => !line.startsWith('poll'))).toEqual([
			'initiate slow.txt',
			'upload slow.txt',
			'initiate fast.txt',
			'upload fast.txt',
			`add support-bot ${fast}`,
			`add support-bot ${slow}`,
			'records',
		]);
	});

	test.each([
		['the connection was lost', { drop: 'afterApplying' as const }],
		['CometChat broke', { status: 500 }],
		['the answer was none', { body: '{}' }],
	])('whether the agent has it is not known if %s, and the words say so', async (_, rule) => {
		service().script({ ...rule, for: { operation: 'add' }, times: Infinity });
		const run = await upload(['a.txt'], { parameters: TO_AGENT, options: { maxAttempts: 1 } });
		expect(errorOf(run)).toMatchObject({
			addedToAgent: 'unknown',
			effect: 'partly applied',
			uniqueIds: ids(),
			description: expect.stringContaining(
				`Uploaded: "a.txt" (ID ${ids()[0]}). It is not known whether the agent has it. To go on, use these IDs in Document: Get Status and Add Files; uploading again would make a second copy.`,
			),
		});
	});

	test.each(['stopWorkflow', 'continueRegularOutput'] as const)(
		'a file that cannot be indexed keeps none of its item from the agent, and is an error that says what to do (%s)',
		async (onError) => {
			service().scriptIndexing({ for: { fileName: 'b.pdf' }, ends: 'failed' });
			service().scriptIndexing({ for: { fileName: 'slow.txt' }, ms: 3000 });
			const run = await upload(['b.pdf', 'a.txt', 'slow.txt'], { onError, parameters: INDEXED });
			const [b, a, slow] = ids();
			expect(attached()).toEqual([a, slow]);
			if (onError === 'stopWorkflow') return;
			expect(errorOf(run)).toMatchObject({
				message: 'CometChat was not able to read "b.pdf" [item 0]',
				description: expect.stringMatching(
					/Added to the agent: "a.txt", "slow.txt"\. Not added: "b.pdf"\. To go on, upload only what could not be read\..* Check that "b.pdf" .ID \S+. opens/,
				),
				addedToAgent: 'partly',
				effect: 'partly applied',
				uploads: [
					{ uniqueId: b, status: 'failed' },
					{ uniqueId: a, status: 'indexed' },
					{ uniqueId: slow, status: 'indexed' },
				],
			});
		},
	);

	test('run again with Skip, the item brings what is missing and doubles nothing', async () => {
		service().scriptIndexing({ for: { fileName: 'b.pdf' }, ends: 'failed' });
		await upload(['b.pdf', 'a.txt'], { parameters: INDEXED });
		const [bad = '', a] = ids();
		service().scriptIndexing({ for: { fileName: 'b.pdf' }, ends: 'indexed' });
		const options = { ifNameExists: 'skip' };
		await upload(['b.pdf', 'a.txt'], { parameters: INDEXED, options });
		expect(attached()).toEqual([a, ids().at(-1)]);
		expect(ids()).toEqual([bad, a, expect.anything()]);
	});

	test('the only file that cannot be indexed leaves nothing to go on with', async () => {
		service().scriptIndexing({ ends: 'failed' });
		const run = await upload(['a.pdf'], { parameters: INDEXED });
		expect(errorOf(run)).toMatchObject({
			description: expect.stringMatching(/\. Not added to the agent\. Check that "a\.pdf"/),
		});
	});

	test('an agent that is unknown does not lose the files: the output has their IDs', async () => {
		const run = await upload(['a.txt'], { parameters: { addToAgent: true, uid: agent('nobody') } });
		expect(errorOf(run)).toMatchObject({
			message: 'CometChat does not know this agent [item 0]',
			description: expect.stringContaining('Not added to the agent. To go on, use these IDs'),
			uniqueIds: ids(),
			effect: 'partly applied',
			status: 404,
		});
	});

	test('the stop button ends the waiting, and no further request is sent', async () => {
		service().scriptIndexing({ ms: Infinity });
		const stop = (async () => {
			while (!arrivals(service()).some((line) => line.startsWith('poll'))) await sleep(5);
			await sleep(50);
		})();
		const startedMs = Date.now();
		const { status } = await upload(['a.txt'], { parameters: INDEXED, stop });
		const sent = arrivals(service()).length;
		expect(Date.now() - startedMs).toBeLessThan(20_000);
		expect(status).toBe('canceled');
		await sleep(1500);
		expect(arrivals(service())).toHaveLength(sent);
		expect(attached()).toEqual([]);
	});
});
