import type { IDataObject } from 'n8n-workflow';

import { uuid } from '../../service/records';
import { add, freshService, FROM_ITEM, KEY, linesOf } from '../fixture';
import { arrivals, continuing, errorOf, file } from '../operations';

const service = freshService();

test('each item is one PATCH, exactly as the contract shows it', async () => {
	await add(service(), [
		{ agent: 'support-bot', files: ['a', 'b'] },
		{ agent: 'sales-assistant', files: 'c' },
	]);
	const [first, second] = service().requests();
	expect(service().requests()).toHaveLength(2);
	expect(first).toMatchObject({
		method: 'PATCH',
		path: '/v3/ai-agents/agent-builder/agents/support-bot/knowledge-base/uploads/add',
		headers: { 'content-type': 'application/json', apikey: KEY },
		body: { uniqueIds: ['a', 'b'] },
	});
	expect(second).toMatchObject({ uid: 'sales-assistant', body: { uniqueIds: ['c'] } });
});

test('Remove Files differs in one word of the path', async () => {
	await add(service(), [{ agent: 'support-bot', files: ['a', 'b'] }]);
	await add(service(), [{ agent: 'support-bot', files: ['a'] }], {
		parameters: { operation: 'remove' },
	});
	expect(service().requests()[1]?.path).toBe(
		'/v3/ai-agents/agent-builder/agents/support-bot/knowledge-base/uploads/remove',
	);
	expect(service().files('support-bot', 'uploads')).toEqual(['b']);
});

test('each output item says what was asked and answered, and is linked to its input item', async () => {
	const [a, b, c] = [uuid(1), uuid(2), '60f7b3b3b3b3b3b3b3b3b3b3'];
	const { output, hints } = await add(service(), [
		{ agent: 'support-bot', files: [a] },
		{ agent: 'sales-assistant', files: `${b}, ${c}` },
	]);
	const asked = { success: true, operation: 'add', sourceType: 'uploads' };
	expect(output).toEqual([
		{ json: { ...asked, uid: 'support-bot', uniqueIds: [a] }, pairedItem: { item: 0 } },
		{ json: { ...asked, uid: 'sales-assistant', uniqueIds: [b, c] }, pairedItem: { item: 1 } },
	]);
	expect(hints).toEqual([]);
});

test('output stands in input order, whoever is answered first', async () => {
	service().script({ for: { uid: 'support-bot' }, latencyMs: 1000 });
	const { output } = await add(service(), [
		{ agent: 'support-bot', files: ['slow'] },
		{ agent: 'sales-assistant', files: ['fast'] },
	]);
	expect(linesOf(service()).filter((line) => line.startsWith('answered'))).toEqual([
		'answered sales-assistant 200',
		'answered support-bot 200',
	]);
	expect(output.map(({ json }) => json.uid)).toEqual(['support-bot', 'sales-assistant']);
});

test('items of one agent go one after another in input order, different agents side by side', async () => {
	service().script({ times: Infinity, latencyMs: 300 });
	await add(service(), [
		{ agent: 'support-bot', files: ['1'] },
		{ agent: 'sales-assistant', files: ['2'] },
		{ agent: 'support-bot', files: ['3'] },
		{ agent: 'support-bot', files: ['4'] },
	]);
	const ofSupport = linesOf(service()).filter((line) => line.includes('support-bot'));
	expect(ofSupport).toEqual([
		'arrived support-bot 1',
		'answered support-bot 200',
		'arrived support-bot 3',
		'answered support-bot 200',
		'arrived support-bot 4',
		'answered support-bot 200',
	]);
	expect(service().maxInFlight()).toBe(2);
});

const sixOfOne = Array.from({ length: 6 }, (_, index) => ({
	agent: 'support-bot',
	files: [`f${index}`],
}));

test.each([
	['with the order kept, one at a time', { keepOrder: true, parallelRequests: 4 }, 1],
	[
		'with the order given up, as many as Parallel Requests',
		{ keepOrder: false, parallelRequests: 4 },
		4,
	],
])('items of one agent: %s', async (_, options, most) => {
	service().script({ times: Infinity, latencyMs: 300 });
	await add(service(), sixOfOne, { options });
	expect(service().maxInFlight()).toBe(most);
	expect(service().files('support-bot', 'uploads')).toHaveLength(6);
});

test('no more requests at once than Parallel Requests, over all agents', async () => {
	service().script({ times: Infinity, latencyMs: 300 });
	const items = service()
		.agents()
		.map(({ uid }) => ({ agent: uid, files: ['a'] }));
	await add(service(), items, { options: { parallelRequests: 2 } });
	expect(service().maxInFlight()).toBe(2);
});

test('a repeated file ID is sent once, and a hint says so', async () => {
	const { hints } = await add(service(), [
		{ agent: 'support-bot', files: [uuid(1)] },
		{ agent: 'support-bot', files: [uuid(2), uuid(3), uuid(2)] },
	]);
	expect(service().requests()[1]?.body).toEqual({ uniqueIds: [uuid(2), uuid(3)] });
	expect(hints).toEqual([
		{
			type: 'info',
			message: '1 repeated file ID was sent once only (item 1, counted from 0).',
			location: 'outputPane',
		},
	]);
});

test('an item without file IDs is skipped where the user chose so, and its output says so', async () => {
	const { output, hints } = await add(
		service(),
		[
			{ agent: 'support-bot', files: [] },
			{ agent: 'support-bot', files: [uuid(1)] },
		],
		{ options: { ifNoFileIds: 'skip' } },
	);
	expect(service().requests()).toHaveLength(1);
	expect(output[0]).toEqual({
		json: {
			success: false,
			operation: 'add',
			uid: 'support-bot',
			sourceType: 'uploads',
			uniqueIds: [],
			skipped: true,
			reason: "The item has no file IDs, and 'If No File IDs' is set to skip it",
		},
		pairedItem: { item: 0 },
	});
	expect(hints).toMatchObject([{ message: expect.stringContaining('1 item was skipped') }]);
});

test('a value that is typed in serves every item', async () => {
	const { output } = await add(service(), [{}, {}, {}], {
		parameters: {
			...FROM_ITEM,
			uid: { __rl: true, mode: 'list', value: 'support-bot' },
			fileIds: 'a\nb',
		},
	});
	expect(output).toHaveLength(3);
	expect(
		service()
			.requests()
			.map(({ body }) => body),
	).toEqual(Array.from({ length: 3 }, () => ({ uniqueIds: ['a', 'b'] })));
});

describe("An ID that looks like none of CometChat's", () => {
	const strange = (...files: string[]) => ({ agent: 'support-bot', files });

	test.each(['add', 'remove'])(
		'is sent like any other, and one warning names it for all items: %s',
		async (operation) => {
			const items = [strange(uuid(1), 'guide.pdf'), strange('1AbC'), strange('guide.pdf')];
			const { output, hints } = await add(service(), items, { parameters: { operation } });
			expect(arrivals(service())).toEqual([
				`${operation} support-bot ${uuid(1)},guide.pdf`,
				`${operation} support-bot 1AbC`,
				`${operation} support-bot guide.pdf`,
			]);
			expect(output.map(({ json }) => json.success)).toEqual([true, true, true]);
			expect(hints).toMatchObject([
				{
					type: 'warning',
					message: expect.stringMatching(/^2 file IDs look .*: "guide\.pdf", "1AbC"\. /),
				},
			]);
		},
	);

	test('is not warned of where its item has failed: its message says what to do', async () => {
		service().script({ status: 404, code: 'ERR_KB_NOT_FOUND' });
		const { hints } = await add(service(), [strange('guide.pdf')], continuing);
		expect(hints).toMatchObject([{ message: expect.stringMatching(/^1 item failed/) }]);
	});

	test('is not warned of where it was picked: it is from the list of CometChat', async () => {
		const parameters = { filesBy: 'list', pickedFiles: ['guide'] };
		const { hints } = await add(service(), [{ agent: 'support-bot' }], { parameters });
		expect(service().files('support-bot', 'uploads')).toEqual(['guide']);
		expect(hints).toEqual([]);
	});
});

test('input items stay as they were', async () => {
	const items = [{ agent: 'support-bot', files: ['b', 'b'], other: { deep: [1] } }];
	const before = structuredClone(items);
	await add(service(), items);
	expect(items).toEqual(before);
});

describe('Somebody with a file in hand is led to Document: Upload', () => {
	const files = [{ Document: file('guide.pdf') }];
	const remedy = expect.stringContaining('Document: Upload');
	const asked = async (value: string | IDataObject[], held: typeof files = files) =>
		await add(service(), [{ agent: 'support-bot', files: value }], {
			...continuing,
			files: held,
		});

	test.each([
		['nothing', '', `'File IDs' is empty, and the item has a file ("guide.pdf")`],
		[
			'what a form gives',
			[{ filename: 'guide.pdf', mimetype: 'application/pdf', size: 9 }],
			`'File IDs' is a file ("guide.pdf"), and not the ID of one`,
		],
	])('with %s for an ID, before anything is sent', async (_, value, message) => {
		const run = await asked(value);
		expect(service().requests()).toEqual([]);
		expect(errorOf(run)).toMatchObject({ message: `${message} [item 0]`, description: remedy });
	});

	test.each([
		['its name', 'guide.pdf', [], '"guide.pdf" looks like the name of a file, not like its ID.'],
		['an ID of elsewhere', 'x', files, 'The item has a file ("guide.pdf")'],
	])('with %s for an ID, once CometChat does not know it', async (_, value, held, words) => {
		service().script({ status: 404, code: 'ERR_KB_NOT_FOUND' });
		const run = await asked(value, held);
		expect(service().requests()).toHaveLength(1);
		const description = expect.stringContaining(words);
		expect(errorOf(run)).toMatchObject({ code: 'ERR_KB_NOT_FOUND', description });
	});

	test('but an ID that looks like a name is sent, and nothing is said of another refusal', async () => {
		expect((await asked('guide.pdf')).output[0]?.json.success).toBe(true);
		service().script({ status: 404, code: 'ERR_AGENT_NOT_FOUND' });
		const { description } = Object(errorOf(await asked('guide.pdf')));
		expect(description).not.toContain('looks like');
	});
});
