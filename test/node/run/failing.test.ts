import { uuid } from '../../service/records';
import { add, credentialFor, freshService, linesOf } from '../fixture';

const service = freshService();
const good = (...files: string[]) => ({ agent: 'support-bot', files });
const nobody = { agent: 'nobody', files: ['x'] };

describe('When the workflow is set to stop', () => {
	test('everything that can be wrong in the input is found before the first request', async () => {
		const { status, error } = await add(service(), [
			good('a'),
			good('b', ' '),
			{ agent: 'a/b', files: ['c'] },
			good('d'),
		]);
		expect(service().log).toEqual([]);
		expect(status).toBe('error');
		expect(error).toMatchObject({
			name: 'NodeOperationError',
			message:
				"The 2nd entry of 'File IDs' is an empty text [item 1] (0 of 4 items applied, 2 failed, 2 not sent)",
			description: expect.stringContaining('unusable: 1–2; not sent: 0, 3'),
			context: { itemIndex: 1 },
			failure: { cause: 'configuration-invalid' },
		});
	});

	test('the message says what was done, what was not, and which item it was', async () => {
		const { error } = await add(service(), [good('a'), good('b'), nobody, good('c')], {
			options: { parallelRequests: 1 },
		});
		expect(error).toMatchObject({
			name: 'NodeApiError',
			message:
				'CometChat does not know this agent [item 2] (2 of 4 items applied, 1 failed, 1 not sent)',
			httpCode: '404',
			context: { itemIndex: 2 },
			failure: { cause: 'configuration-invalid' },
		});
		expect(error?.description).toContain('ERR_AGENT_NOT_FOUND');
		expect(error?.description).toContain("Check 'Agent'");
	});

	test('no new request starts, and those under way are awaited and accounted for', async () => {
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
		expect(linesOf(service())).toEqual([
			'arrived support-bot a',
			'arrived sales-assistant b',
			'answered support-bot 400',
			'answered sales-assistant 200',
		]);
		expect(error?.message).toBe(
			'CometChat refused the request [item 0] (1 of 4 items applied, 1 failed, 2 not sent)',
		);
		expect(error?.description).toContain('applied: 1; sent but not applied: 0; not sent: 2–3');
	});

	test('an item that waits to be sent again is not, and its state is told', async () => {
		service().script(
			{ for: { uid: 'sales-assistant' }, status: 503, retryAfter: '60' },
			{ for: { uid: 'support-bot' }, latencyMs: 1000, status: 400 },
		);
		const startedMs = Date.now();
		const { error } = await add(service(), [{ agent: 'sales-assistant', files: ['b'] }, good('a')]);
		expect(Date.now() - startedMs).toBeLessThan(30_000);
		expect(service().requests()).toHaveLength(2);
		expect(error?.message).toContain('[item 1]');
		expect(error?.description).toContain('sent, and not known whether applied: 0');
	});

	test('a name in the input that n8n would take for a system’s refusal stays in the message', async () => {
		const { error } = await add(service(), [{ agent: 'support-bot', files: [{ EPERM: 1 }] }]);
		expect(error?.message).toBe(
			`'File IDs' is an object without an ID (it holds "EPERM") [item 0]`,
		);
	});

	test('a credential that cannot be right is refused before anything is sent', async () => {
		const { error } = await add(service(), [good('a'), good('b')], {
			credential: { region: 'us', appId: 'a/b', apiKey: 'key' },
		});
		expect(error).toMatchObject({
			name: 'NodeOperationError',
			message: "The credential's 'App ID' can't be part of a host name",
			description: expect.stringMatching(/^Nothing was sent\. In the credential/),
		});
	});

	test('a single item needs no account of the others', async () => {
		const { error } = await add(service(), [nobody]);
		expect(error?.message).toBe('CometChat does not know this agent [item 0]');
	});
});

describe('When the workflow is set to continue', () => {
	const items = [good(uuid(1)), nobody, good(), good(uuid(2))];

	test('a bad item has its words in its place, and the others go on', async () => {
		const { output, hints, status } = await add(service(), items, {
			onError: 'continueRegularOutput',
		});
		expect(status).toBe('success');
		const kinds = [
			/^1 item failed \(item 1, .*: CometChat does not know this agent\./,
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
			success: false,
			operation: 'add',
			uid: 'nobody',
			sourceType: 'uploads',
			uniqueIds: ['x'],
			error: {
				message: 'CometChat does not know this agent [item 1]',
				description: expect.stringMatching(
					/^CometChat answered with status 404 \(ERR_AGENT_NOT_FOUND\): .* The files were not added\. Check 'Agent'/,
				),
				details: {
					effect: 'not applied',
					item: 1,
					operation: 'add',
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
			message: "'File IDs' is empty [item 2]",
			description: expect.stringMatching(/^Nothing was sent/),
		});
	});

	test('the error output takes failed items with the fields of their input', async () => {
		const { output, errorOutput } = await add(service(), items, { onError: 'continueErrorOutput' });
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 3 }]);
		expect(errorOutput).toHaveLength(2);
		expect(errorOutput[0]).toMatchObject({
			json: {
				agent: 'nobody',
				files: ['x'],
				error: { message: expect.any(String), details: { item: 1 } },
			},
			pairedItem: { item: 1 },
		});
	});

	test.each([
		['a credential that cannot be right', { region: 'custom', baseUrl: 'http://example.com/v3' }],
		['an option out of its range', {}],
	])('%s fails every item: none is passed on as if it were done', async (_, fields) => {
		const { output, hints } = await add(service(), [good('a'), good('b')], {
			onError: 'continueRegularOutput',
			credential: { ...credentialFor(service()), ...fields },
			options: { maxAttempts: 'region' in fields ? 3 : 99 },
		});
		expect(service().log).toEqual([]);
		expect(output).toHaveLength(2);
		for (const { json } of output) expect(Object.keys(json)).toEqual(['error']);
		expect(hints).toMatchObject([{ message: expect.stringMatching(/^2 items failed/) }]);
	});
});

test('HTTP 200 alone is not success', async () => {
	service().script({ status: 200, body: '<html><title>Sign in</title></html>' });
	const { error } = await add(service(), [good('a')]);
	expect(error?.message).toBe('CometChat did not confirm the change [item 0]');
	expect(service().requests()).toHaveLength(1);
});

describe('A refusal', () => {
	test.each(['gateway', 'agentService'] as const)(
		'says what happened and what to do, with the service’s own code and text (%s)',
		async (envelope) => {
			service().script({ status: 404, code: 'ERR_KB_NOT_FOUND', message: 'Its words', envelope });
			const { error } = await add(service(), [good('a')]);
			const code = envelope === 'gateway' ? ' (ERR_KB_NOT_FOUND)' : '';
			expect(error?.description).toContain(
				`CometChat answered with status 404${code}: Its words. The files were not added. Check `,
			);
		},
	);

	test('a redirect is not followed, and is named', async () => {
		service().script({ status: 302, headers: { Location: 'http://127.0.0.1:1/elsewhere' } });
		const { error } = await add(service(), [good('a')]);
		expect(error?.message).toBe('CometChat sent the request on to another address [item 0]');
		expect(service().requests()).toHaveLength(1);
	});

	test('words of the service that n8n would take for a system’s refusal stay as they are', async () => {
		service().script({ status: 400, message: 'approvePermissions: EACCES, ENOENT' });
		const { error } = await add(service(), [good('a')]);
		expect(error?.message).toBe('CometChat refused the request [item 0]');
		expect(error?.description).toContain('approvePermissions: EACCES, ENOENT.');
	});
});

test.each([
	['stops sends nothing new', 'stopWorkflow' as const, 10],
	['goes on sends each item', 'continueRegularOutput' as const, 20],
])('after a refused key, a run that %s', async (_, onError, most) => {
	const items = Array.from({ length: 20 }, (__, at) => ({ agent: `agent-${at}`, files: ['a'] }));
	await add(service(), items, { onError, credential: credentialFor(service(), 'wrong') });
	expect(service().requests()).toHaveLength(most);
});

test('a refused key is sent once, not twice', async () => {
	const { error } = await add(service(), [good('a')], {
		credential: credentialFor(service(), 'wrong'),
	});
	expect(service().requests()).toHaveLength(1);
	expect(error).toMatchObject({
		message: 'CometChat did not accept the API key [item 0]',
		failure: { cause: 'credential-invalid' },
	});
});
