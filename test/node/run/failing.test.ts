import { uuid } from '../../service/records';
import { add, credentialFor, freshService, linesOf, openService } from '../fixture';
import { agent, continuing, errorOf, file, runFiles } from '../operations';

const service = freshService();
const good = (...files: string[]) => ({ agent: 'support-bot', files });
const toAdd = { for: { operation: 'add' as const } };
const nobody = { agent: 'nobody', files: ['x'] };

describe('When the workflow is set to stop', () => {
	test('each fault of the input is found before the first request', async () => {
		const { status, error } = await add(service(), [
			good('a'),
			good('b', ' '),
			{ agent: '..', files: ['c'] },
			good('d'),
		]);
		expect(service().log).toEqual([]);
		expect(status).toBe('error');
		expect(error).toMatchObject({
			name: 'NodeOperationError',
			message: "Value 2 of 'File IDs' is empty [item 2]",
			description: expect.stringContaining(
				'0 done. 2 failed: "item 2", "item 3". 2 not started: "a", "d".',
			),
			failure: { cause: 'configuration-invalid' },
		});
	});

	test('the message names the finished and unfinished items, and the failed item', async () => {
		service().script({ for: { uid: 'support-bot' }, latencyMs: 600, times: 2 });
		service().script({ for: { uid: 'nobody' }, latencyMs: 1000 });
		const { error } = await add(service(), [good('a'), good('b'), nobody, good('c')]);
		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: 'CometChat has no agent with this ID [item 3]',
			httpCode: '404',
			failure: { cause: 'configuration-invalid' },
		});
		expect(error?.description).toContain('ERR_AGENT_NOT_FOUND');
		expect(error?.description).toContain("Check 'Agent'");
	});

	test('no new request starts, and open requests are finished and reported', async () => {
		service().script(
			{ for: { uid: 'sales-assistant' }, latencyMs: 2000 },
			{ for: { uid: 'support-bot' }, latencyMs: 600, status: 400, code: 'ERR_BAD_REQUEST' },
		);
		const { error } = await add(service(), [
			good('a'),
			{ agent: 'sales-assistant', files: ['b'] },
			good('c'),
			{ agent: 'sales-assistant', files: ['d'] },
		]);
		expect(linesOf(service()).filter((line) => /bot|assistant/.test(line))).toEqual([
			'arrived support-bot a',
			'arrived sales-assistant b',
			'answered support-bot 400',
			'answered sales-assistant 200',
		]);
		expect(error?.message).toBe('CometChat refused the request [item 1]');
		expect(error?.description).toContain('1 done. 1 failed: "a". 2 not started: "c", "d".');
	});

	test('if items run one by one, none is started after a failed item', async () => {
		service().script({ status: 400, code: 'ERR_BAD_REQUEST' });
		const { error } = await runFiles(service(), 'agent.update', {
			items: [{ name: 'One' }, { name: 'Two' }],
			parameters: { uid: agent('support-bot'), updateFields: { name: '={{ $json.name }}' } },
		});
		expect(service().requests()).toHaveLength(1);
		expect(error?.message).toContain('[item 1]');
	});

	test('a request that waits for a retry is not repeated, and its state is reported', async () => {
		service().script(
			{ for: { uid: 'sales-assistant' }, status: 503, retryAfter: '60' },
			{ for: { uid: 'support-bot' }, latencyMs: 1000, status: 400 },
		);
		const startedMs = Date.now();
		const { error } = await add(service(), [{ agent: 'sales-assistant', files: ['b'] }, good('a')]);
		expect(Date.now() - startedMs).toBeLessThan(30_000);
		expect(service().requests()).toHaveLength(2);
		expect(error?.message).toContain('[item 2]');
		expect(error?.description).toMatch(/2 failed: "b", "a"\. Result unknown, may be added: "b"\./);
	});
});

describe('When the workflow is set to continue', () => {
	const items = [good(uuid(1)), nobody, good(), good(uuid(2))];

	test('a bad item has its error at its position, and the others continue', async () => {
		const { output, hints, status } = await add(service(), items, {
			onError: 'continueRegularOutput',
		});
		expect(status).toBe('success');
		const kinds = [
			/^1 item failed \(item 2\): CometChat has no agent with this ID\./,
			/'File IDs'/,
		];
		expect(hints).toMatchObject(
			kinds.map((kind) => ({ type: 'warning', message: expect.stringMatching(kind) })),
		);
		expect(output.map(({ json }) => json.success)).toEqual([true, false, false, true]);
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2, 3].map((item) => ({ item })),
		);
		expect(output[1]?.json).toEqual({
			action: 'failed',
			success: false,
			uid: 'nobody',
			sourceType: 'uploads',
			uniqueIds: ['x'],
			error: {
				message: 'CometChat has no agent with this ID [item 2]',
				description: expect.stringMatching(
					/^Check 'Agent'.* Not added: "x"\. CometChat answered with status 404 \(ERR_AGENT_NOT_FOUND\): /,
				),
				details: {
					effect: 'not applied',
					item: 1,
					uid: 'nobody',
					sourceType: 'uploads',
					uniqueIds: ['x'],
					attempts: 1,
					status: 404,
					code: 'ERR_AGENT_NOT_FOUND',
				},
			},
		});
		expect(output[2]?.json.error).toMatchObject({
			message: "'File IDs' is empty [item 3]",
			description: expect.stringMatching(/Nothing was sent for this item\.$/),
		});
	});

	test.each([
		['a credential that cannot be right', { region: 'custom', baseUrl: 'http://example.com/v3' }],
		['an option that is none of its choices', {}],
	])('%s fails every item', async (_, fields) => {
		const { output, hints } = await add(service(), [good('a'), good('b')], {
			onError: 'continueRegularOutput',
			credential: { ...credentialFor(service()), ...fields },
			options: Object.keys(fields).length > 0 ? {} : { combineItems: 'guess' },
		});
		expect(service().log).toEqual([]);
		expect(output).toHaveLength(2);
		for (const { json } of output)
			expect(Object.keys(json)).toEqual(['action', 'success', 'error']);
		expect(hints).toMatchObject([{ message: expect.stringMatching(/^2 items failed/) }]);
	});
});

describe('A refusal', () => {
	test('a message that n8n would mistake for a refusal of the system stays unchanged', async () => {
		service().script({ ...toAdd, status: 400, message: 'approvePermissions: EACCES, ENOENT' });
		const { error } = await add(service(), [good('a')]);
		expect(error?.message).toBe('CometChat refused the request');
		expect(error?.description).toContain('approvePermissions: EACCES, ENOENT.');
	});

	test('the name of a file that n8n would mistake for such a refusal stays in the message', async () => {
		service().script({ for: { operation: 'upload' }, status: 400, times: Infinity });
		const { error } = await runFiles(service(), 'document.upload', {
			files: [{ data: file('eacces.txt') }],
		});
		expect(error?.message).toBe(
			'CometChat\'s file storage did not confirm the upload of "eacces.txt"',
		);
	});

	test('that leads to another host does not send the key there', async () => {
		const elsewhere = await openService();
		service().script({ ...toAdd, status: 307, headers: { Location: `${elsewhere.baseUrl}/x` } });
		const { error } = await add(service(), [good('a')]);
		await elsewhere.stop();
		expect(error?.message).toBe('CometChat redirected the request to another URL');
		expect(service().requests()).toHaveLength(1);
		expect(elsewhere.log).toEqual([]);
	});
});

describe('A service that is busy', () => {
	test('for longer than two minutes ends the item with a message, and after a 429 the others, too', async () => {
		service().script({ for: { uid: 'support-bot' }, status: 429, retryAfter: '3600' });
		const { output } = await add(service(), [good('a'), good('b')], continuing);
		expect(service().requests()).toHaveLength(1);
		expect(errorOf({ output })).toMatchObject({
			description: expect.stringContaining('CometChat asked for a pause of 3600 seconds.'),
			attempts: 1,
			retryAfterSeconds: 3600,
		});
		expect(errorOf({ output }, 1)).toMatchObject({
			message: 'CometChat asked for a longer pause than this node allows [item 2]',
			attempts: 0,
		});
	});
});
