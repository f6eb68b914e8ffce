import type { Rule } from '../../service/service';
import type { Run } from '../engine';
import { add, freshService } from '../fixture';
import { errorOf } from '../operations';

const service = freshService();
const item = (...files: string[]) => ({ agent: 'support-bot', files });
const numbered = (count: number) => Array.from({ length: count }, (_, index) => item(`f${index}`));
const sent = () =>
	service()
		.requests()
		.map(({ uniqueIds }) => uniqueIds?.join());
const attached = () => service().files('support-bot', 'uploads');

const infos = (hints: Run['hints']) =>
	hints.filter(({ type }) => type === 'info').map(({ message }) => message);

/** The service refuses every request that holds this file. */
function refuseFile(id: string): void {
	const answer = { status: 404, code: 'ERR_KB_NOT_FOUND', message: `No record ${id}` };
	service().script({ for: { containsId: id }, times: Infinity, ...answer });
}

describe('Send in Bundles', () => {
	const options = { combineItems: true };

	test('is off by default: one request for each item', async () => {
		await add(service(), numbered(3));
		expect(sent()).toEqual(['f0', 'f1', 'f2']);
	});

	test('puts a hundred files into a request, and each item has an output of its own', async () => {
		const { output, hints } = await add(service(), numbered(250), { options });
		expect(
			service()
				.requests()
				.map(({ uniqueIds }) => uniqueIds?.length),
		).toEqual([100, 100, 50]);
		expect(attached()).toHaveLength(250);
		expect(output).toHaveLength(250);
		expect(output.map(({ json }) => json.uniqueIds)).toEqual(
			numbered(250).map(({ files }) => files),
		);
		expect(output.every(({ json }) => json.success === true)).toBe(true);
		expect(infos(hints)).toEqual(['250 items were sent in 3 requests.']);
	});

	test('an item that is unusable fails alone, and is in no request', async () => {
		const { output } = await add(service(), [item('a'), item(' '), item('b')], {
			options,
			onError: 'continueRegularOutput',
		});
		expect(sent()).toEqual(['a,b']);
		expect(output.map(({ json }) => json.success)).toEqual([true, false, true]);
	});

	test('a request that is sent again is sent again whole', async () => {
		service().script({ status: 503 });
		const { output, hints } = await add(service(), [item('a'), item('b')], {
			options: { ...options, maxWaitSeconds: 0 },
		});
		expect(sent()).toEqual(['a,b', 'a,b']);
		expect(output.every(({ json }) => json.success === true)).toBe(true);
		expect(hints.map(({ message }) => message)).toContain(
			'2 items were sent more than once, because CometChat was busy or the connection was lost (items 0–1, counted from 0).',
		);
	});

	test('one file that is refused fails its item, and no other file suffers for it', async () => {
		refuseFile('f5');
		const { output, hints } = await add(service(), numbered(16), {
			options,
			onError: 'continueRegularOutput',
		});
		expect(attached().sort()).toEqual(
			numbered(16)
				.flatMap(({ files }) => files)
				.filter((id) => id !== 'f5')
				.sort(),
		);
		const failed = output.filter(({ json }) => json.success !== true);
		expect(failed.map((_item, index) => errorOf({ output: failed }, index))).toMatchObject([
			{
				message: 'CometChat does not know one of these files [item 5]',
				description:
					"CometChat answered with status 404 (ERR_KB_NOT_FOUND): No record f5. CometChat refused it together with others (items 0–15, counted from 0), so it was sent again in smaller requests. It was tried 5 times. The files were not added. Check 'File IDs' against what Document: Get Many lists, and that 'Source Type' fits them: the ID of a file with Uploads, that of a text with Text.",
				effect: 'not applied',
				attempts: 5,
				uniqueIds: ['f5'],
			},
		]);
		// One request of sixteen, then two halves of each that was refused: 1 + 4 × 2.
		expect(service().requests()).toHaveLength(9);
		expect(infos(hints)).toEqual([
			'16 items were sent in 1 request.',
			'1 request was refused and sent again in parts to find the cause.',
		]);
	});

	test('of an item with several files, the message names those that are refused', async () => {
		refuseFile('bad');
		const { output } = await add(service(), [item('a', 'bad', 'b'), item('c')], {
			options,
			onError: 'continueRegularOutput',
		});
		expect(attached().sort()).toEqual(['a', 'b', 'c']);
		expect(output[1]?.json.success).toBe(true);
		expect(errorOf({ output })).toMatchObject({
			effect: 'partly applied',
			files: { applied: ['a', 'b'], notApplied: ['bad'], unknown: [] },
			description: expect.stringContaining('Of its 3 files, 2 were added; not added: "bad".'),
		});
	});

	test('without splitting all items of the request fail, and the message says which they are', async () => {
		refuseFile('f1');
		const { output } = await add(
			service(),
			[...numbered(3), { agent: 'sales-assistant', files: 'x' }],
			{
				options: { ...options, splitRefused: false },
				onError: 'continueRegularOutput',
			},
		);
		expect(service().requests()).toHaveLength(2);
		expect(output.map(({ json }) => json.success)).toEqual([false, false, false, true]);
		expect(errorOf({ output }, 2)).toMatchObject({
			effect: 'not applied',
			description: expect.stringContaining(
				'The request held the files of 3 items (items 0–2, counted from 0), and failed for all of them.',
			),
		});
	});

	test('a refusal that concerns no single file is not split: no part would fare better', async () => {
		service().script({ times: Infinity, status: 402, code: 'ERR_PLAN_RESTRICTION' });
		await add(service(), numbered(4), { options, onError: 'continueRegularOutput' });
		expect(service().requests()).toHaveLength(1);
	});

	describe('A refusal that may be for the agent', () => {
		const asked = () =>
			service()
				.log.filter(({ kind, operation }) => kind === 'arrived' && operation === 'agent')
				.map(({ uid }) => uid);
		const nobodys = (count: number) => numbered(count).map((it) => ({ ...it, agent: 'nobody' }));
		const refused = { envelope: 'agentService' as const, message: 'Not so' };
		const continues = { options, onError: 'continueRegularOutput' as const };

		test.each<[string, Rule]>([
			['any refusal', { ...refused, status: 400 }],
			['404 without a code', { ...refused, status: 404 }],
			['success: false', { body: '{"success":false,"message":"Not so"}' }],
		])('ends it with one question if there is no such agent: %s', async (_, rule) => {
			service().script({ for: { operation: 'add' }, times: Infinity, ...rule });
			const { output } = await add(service(), nobodys(150), continues);
			expect(sent()).toHaveLength(2);
			expect(asked()).toEqual(['nobody']);
			expect(output.map((_item, index) => errorOf({ output }, index))).toEqual(
				nobodys(150).map(() => expect.objectContaining({ effect: 'not applied', attempts: 1 })),
			);
			expect(errorOf({ output }, 149)).toMatchObject({
				message: 'CometChat does not know this agent [item 149]',
				description: expect.stringMatching(
					/^CometChat answered with status \d+: Not so\. Asked for the agent: CometChat answered with status 404 \(ERR_AGENT_NOT_FOUND\): Agent with uid nobody not found\. .* Check 'Agent'/,
				),
				status: 404,
				code: 'ERR_AGENT_NOT_FOUND',
			});
		});

		test('ends a run that is set to stop', async () => {
			service().script({ ...refused, for: { operation: 'add' }, status: 400 });
			const { error } = await add(service(), nobodys(150), { options });
			expect(sent()).toHaveLength(1);
			expect(error?.message).toContain('CometChat does not know this agent [item 0]');
		});

		test.each<[string, Rule | undefined]>([
			['the agent is there', undefined],
			['the answer is no agent', { body: '{"success":true}' }],
			['the answer is a web page', { body: '<html></html>' }],
			['the answer is a 404 of another host', { status: 404, body: '<html></html>' }],
			['the answer is a refusal', { status: 400 }],
		])('is looked for among the files, with one question more, if %s', async (_, rule) => {
			const bad = { ...refused, for: { containsId: 'f5' }, times: Infinity, status: 400 };
			service().script(bad, ...(rule ? [{ for: { operation: 'agent' as const }, ...rule }] : []));
			const { output } = await add(service(), numbered(16), continues);
			expect(asked()).toEqual(['support-bot']);
			expect(sent()).toHaveLength(9);
			expect(attached()).toHaveLength(15);
			expect(errorOf({ output }, 5)).toMatchObject({
				message: 'CometChat refused the request [item 5]',
			});
		});

		test.each<[string, Rule]>([
			['names a file', { status: 404, code: 'ERR_KB_NOT_FOUND' }],
			['names what is in a file', { status: 400, code: 'ERR_KB_INDEXING_FAILED' }],
			['is for the size', { status: 413 }],
		])('is none if it %s', async (_, rule) => {
			service().script(rule);
			await add(service(), numbered(4), { options });
			expect(sent()).toEqual(['f0,f1,f2,f3', 'f0,f1', 'f2,f3']);
			expect(asked()).toEqual([]);
		});
	});

	test('what a lost answer may have applied stays unknown when a part is refused later', async () => {
		service().script({ drop: 'beforeApplying' });
		refuseFile('f1');
		const { output } = await add(service(), numbered(2), {
			options: { ...options, maxWaitSeconds: 0 },
			onError: 'continueRegularOutput',
		});
		expect(sent()).toEqual(['f0,f1', 'f0,f1', 'f0', 'f1']);
		expect(output[0]?.json.success).toBe(true);
		expect(errorOf({ output }, 1)).toMatchObject({ effect: 'unknown', attempts: 3 });
	});

	test('when the workflow is set to stop, the cause is found first, and every item accounted for', async () => {
		refuseFile('f2');
		const { error } = await add(service(), [...numbered(4), item('g0'), item('g1')], {
			options: { ...options, maxFileIdsPerRequest: 4 },
		});
		expect(sent()).toEqual(['f0,f1,f2,f3', 'f0,f1', 'f2,f3', 'f2']);
		expect(error?.message).toBe(
			'CometChat does not know one of these files [item 2] (2 of 6 items applied, 2 failed, 2 not sent)',
		);
	});
});

describe('Max File IDs per Request', () => {
	const options = { maxFileIdsPerRequest: 2 };

	test('an item with more is sent in order, and has one output', async () => {
		const { output } = await add(service(), [item('a', 'b', 'c', 'd', 'e')], { options });
		expect(sent()).toEqual(['a,b', 'c,d', 'e']);
		expect(output).toMatchObject([
			{ json: { success: true, uniqueIds: ['a', 'b', 'c', 'd', 'e'] } },
		]);
	});

	test('if one of its requests is refused, the output says which files were added', async () => {
		refuseFile('c');
		const { output } = await add(service(), [item('a', 'b', 'c', 'd', 'e')], {
			options,
			onError: 'continueRegularOutput',
		});
		expect(sent()).toEqual(['a,b', 'c,d', 'e']);
		expect(errorOf({ output })).toMatchObject({
			effect: 'partly applied',
			files: { applied: ['a', 'b', 'e'], notApplied: ['c', 'd'], unknown: [] },
		});
	});
});
