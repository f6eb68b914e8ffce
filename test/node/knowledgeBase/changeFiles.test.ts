import { uuid } from '../../service/records';
import type { RecordSeed } from '../../service/service';
import type { Run } from '../engine';
import { add, freshService, KEY, linesOf } from '../fixture';
import { arrivals, continuing, errorOf, file } from '../operations';

const service = freshService();
const item = (...files: string[]) => ({ agent: 'support-bot', files });
const numbered = (count: number) => Array.from({ length: count }, (_, at) => item(`f${at}`));
const sent = () =>
	service()
		.requests()
		.map(({ uniqueIds }) => uniqueIds?.join());
const attached = () => service().files('support-bot', 'uploads');
const failedIn = ({ output }: Run) =>
	output.flatMap((_, at) => (errorOf({ output }, at) === undefined ? [] : [at]));

function refuseFile(id: string): void {
	const answer = { status: 404, code: 'ERR_KB_NOT_FOUND', message: `No record ${id}` };
	service().script({ for: { containsId: id }, times: Infinity, ...answer });
}

describe('Add Files and Remove Files', () => {
	test('send one PATCH per item, as documented, and differ in one word of the path', async () => {
		const run = await add(service(), [
			item('a', 'b'),
			{ agent: 'sales-assistant', files: `${uuid(1)}, ${uuid(2)}` },
		]);
		const path = '/v3/ai-agents/agent-builder/agents/support-bot/knowledge-base/uploads';
		expect(service().requests()).toMatchObject([
			{
				method: 'PATCH',
				path: `${path}/add`,
				headers: { 'content-type': 'application/json', apikey: KEY },
				body: { uniqueIds: ['a', 'b'] },
			},
			{ uid: 'sales-assistant', body: { uniqueIds: [uuid(1), uuid(2)] } },
		]);
		expect(run.output[1]).toEqual({
			json: {
				action: 'added',
				success: true,
				uniqueIds: [uuid(1), uuid(2)],
				sourceType: 'uploads',
				uid: 'sales-assistant',
			},
			pairedItem: { item: 1 },
		});
		await add(service(), [item('a')], { parameters: { operation: 'remove' } });
		expect(service().requests()[2]?.path).toBe(`${path}/remove`);
		expect(attached()).toEqual(['b']);
	});

	test('run one after another for an agent, in input order, and at the same time for several agents', async () => {
		service().script(
			{ for: { uid: 'support-bot' }, times: Infinity, latencyMs: 300 },
			{ for: { uid: 'sales-assistant' }, latencyMs: 100 },
		);
		// More items of one agent than may run at the same time.
		const items = [...numbered(11), { agent: 'sales-assistant', files: ['x'] }];
		const before = structuredClone(items);
		const { output } = await add(service(), items);
		expect(items).toEqual(before);
		const files = items.map((one) => one.files);
		const lines = linesOf(service());
		expect(lines.filter((line) => line.includes('support-bot'))).toEqual(
			files
				.slice(0, 11)
				.flatMap((id) => [`arrived support-bot ${id.join()}`, 'answered support-bot 200']),
		);
		const [first, other] = ['answered support-bot 200', 'arrived sales-assistant x'];
		expect(lines.indexOf(other)).toBeLessThan(lines.indexOf(first));
		expect(service().maxInFlight()).toBe(2);
		expect(output.map(({ json }) => json.uniqueIds)).toEqual(files);
	});
});

describe('A user with a new file is led to Document: Upload', () => {
	const held = [{ Document: file('guide.pdf') }];
	const asked = async (files: string, given = held) =>
		await add(service(), [{ agent: 'support-bot', files }], { ...continuing, files: given });

	test.each([
		['its name', 'guide.pdf', [], 'Use the ID, not the name'],
		['an ID of elsewhere', 'x', held, "with 'Document: Get Many'"],
	])('with %s for an ID that CometChat does not know', async (_, value, given, words) => {
		refuseFile(value);
		const description = expect.stringContaining(words);
		expect(errorOf(await asked(value, given))).toMatchObject({ description });
	});

	test('but not if CometChat does not know the agent', async () => {
		service().script({ for: { operation: 'add' }, status: 404, code: 'ERR_AGENT_NOT_FOUND' });
		expect(Object(errorOf(await asked('guide.pdf'))).description).not.toContain('not the name');
	});
});

describe('IDs are looked up before anything is sent', () => {
	const records: RecordSeed[] = [
		{ uniqueId: 'a', sourceName: 'a.pdf' },
		{ uniqueId: 't', sourceName: 'Hours', type: 'text-details' },
		{ uniqueId: 'w', sourceName: 'https://example.com', type: 'website' },
		{ uniqueId: 'o', sourceName: 'Odd', type: 'web-pages' },
		...Array.from({ length: 150 }, (_, at) => ({ uniqueId: `f${at}`, sourceName: `${at}.pdf` })),
	];
	const many = freshService({ records });
	const asked = () => arrivals(many()).map((line) => line.trim());

	test('in the list, until it has shown each ID', async () => {
		const run = await add(many(), [
			item('a', 'f149'),
			{ agent: 'sales-assistant', files: ['f149'] },
		]);
		expect(asked()).toEqual([
			...['records', 'records'],
			...['add support-bot a,f149', 'add sales-assistant f149'],
		]);
		expect(run.output.map(({ json }) => json.name)).toEqual(['a.pdf, 149.pdf', '149.pdf']);
		expect([failedIn(run), run.hints]).toEqual([[], []]);
	});

	test('without a wait if each is known, and not if an execution stops at an invalid item', async () => {
		await add(many(), [item('a', 'f149')]);
		const [first, ...others] = many().log.map(({ atMs }) => atMs);
		expect(Math.max(...others) - Number(first)).toBeLessThan(4000);
		many().clearLog();
		const { status } = await add(many(), [item('a'), item(' ')]);
		expect([status, asked()]).toEqual(['error', []]);
	});

	test('documents that Remove Files removes stay in CometChat, and Add Files adds them again', async () => {
		const before = many().records();
		for (const operation of ['add', 'remove', 'add']) {
			await add(many(), [item('a')], { parameters: { operation } });
			expect(many().files('support-bot', 'uploads')).toEqual(operation === 'add' ? ['a'] : []);
			expect(many().records()).toEqual(before);
		}
	});

	test('and failures have names, too', async () => {
		many().script({ for: { operation: 'add' }, status: 402, code: 'ERR_PLAN_RESTRICTION' });
		const { output } = await add(many(), [item('a')], continuing);
		const asked = { uid: 'support-bot', sourceType: 'uploads', uniqueIds: ['a'] };
		expect(output[0]?.json).toMatchObject({ action: 'failed', name: 'a.pdf', ...asked });
	});

	test.each(['add', 'remove'])(
		'what is there under another type is refused, with that type: %s',
		async (operation) => {
			const items = [item('a'), item('a', 't'), item('w'), item('o')];
			const run = await add(many(), items, { ...continuing, parameters: { operation } });
			expect(many().requests()).toHaveLength(2);
			expect(errorOf(run, 1)).toMatchObject({
				message: `"Hours" has the source type 'Text Entries', but 'Source Type' is 'Uploaded Files' [item 2]`,
				description: expect.stringContaining("Set 'Source Type' to 'Text Entries'."),
			});
			expect(failedIn(run)).toEqual([1, 2]);
			const stopped = await add(many(), items, { parameters: { operation } });
			expect([many().requests().length, stopped.status]).toEqual([2, 'error']);
		},
	);

	test.each([
		['Uploaded files', 'a', 'uploads'],
		['TEXT', 't', 'text'],
		['text-details', 't', 'text'],
		['web-pages', 'o', 'web-pages'],
	])('A source type may be a label or have other letters: %s', async (sourceType, id, sent) => {
		const { output } = await add(many(), [item(id)], { parameters: { sourceType } });
		expect(output[0]?.json.success).toBe(true);
		expect(many().files('support-bot', sent)).toEqual([id]);
	});

	test('A source type that CometChat does not list is refused', async () => {
		const run = await add(many(), [item('a')], { ...continuing, parameters: { sourceType: 'up' } });
		expect(many().requests()).toEqual([]);
		expect(errorOf(run)).toMatchObject({
			message: 'CometChat lists no document of the source type "up"',
		});
	});

	describe('Documents from the list need no source type', () => {
		const chosen = { filesBy: 'list', pickedFiles: '={{ $json.files }}' };

		test('documents of several types are one request for each type, and one output item', async () => {
			const { output } = await add(many(), [item('a', 't', 'f149', 'w')], { parameters: chosen });
			const paths = many()
				.requests()
				.map(({ path, uniqueIds }) => [path.split('/').at(-2), uniqueIds]);
			expect(paths).toEqual([
				['uploads', ['a', 'f149']],
				['text', ['t']],
				['website', ['w']],
			]);
			expect(output.map(({ json }) => json)).toMatchObject([
				{ success: true, sourceType: 'uploads, text, website', uniqueIds: ['a', 't', 'f149', 'w'] },
			]);
		});

		test('a type that fails leaves the others done, and the item says which', async () => {
			const rule = { for: { operation: 'add' as const, sourceType: 'text' }, status: 400 };
			many().script(rule);
			const run = await add(many(), [item('a', 't', 'w')], { ...continuing, parameters: chosen });
			expect(errorOf(run)).toMatchObject({
				effect: 'partly applied',
				outcome: { applied: ['a', 'w'], notApplied: ['t'], unknown: [] },
			});
		});

		test('an unlisted ID is refused, and so is any ID without a list', async () => {
			const unlisted = { data: { x: 'indexed' } };
			many().script({ for: { operation: 'poll' }, body: JSON.stringify(unlisted) });
			const more = { ...continuing, parameters: chosen };
			const run = await add(many(), [item('a'), item('x')], more);
			expect(errorOf(run, 1)).toMatchObject({
				message: 'Not among the 1,000 newest documents: "x" [item 2]',
				description: expect.stringMatching(/^Set 'Choose Documents' to 'By ID'/),
			});
			many().script({ for: { operation: 'records' }, status: 403 });
			expect(failedIn(await add(many(), [item('a')], more))).toEqual([0]);
			expect(many().requests()).toHaveLength(1);
		});
	});

	test('without any information, they are sent', async () => {
		many().script(
			{ for: { operation: 'records' }, status: 403 },
			{ for: { operation: 'poll' }, times: Infinity, status: 400 },
		);
		await add(many(), [item('x')]);
		await add(many(), [item('y')]);
		expect(many().files('support-bot', 'uploads')).toEqual(['x', 'y']);
		expect(many().log.filter(({ operation }) => operation === 'poll')).toHaveLength(2);
	});

	describe.each<['omit' | 'refuse']>([['omit'], ['refuse']])(
		'where the question for an ID that CometChat does not know is answered so: %s',
		(unknownInPoll) => {
			const few = freshService({ records, unknownInPoll });
			const items = [item('a'), item('f1', 'guide.pdf', 'f2', '1AbC'), item('f3')];
			const message = 'CometChat has no document with the ID "guide.pdf", "1AbC" [item 2]';

			test('Add only fails the item with the ID; in an execution that stops, nothing is sent', async () => {
				const { error } = await add(few(), items);
				expect(error?.message).toMatch(message);
				expect(few().requests()).toEqual([]);
				const run = await add(few(), items, continuing);
				expect(few().files('support-bot', 'uploads')).toEqual(['a', 'f3']);
				const description = expect.stringMatching(/Get Many.* Nothing was sent for this item\.$/);
				expect(errorOf(run, 1)).toMatchObject({ message, description, attempts: 0 });
				expect(run.output[1]?.json).toMatchObject({ uid: 'support-bot', sourceType: 'uploads' });
			});

			test('Remove fails its item as well, unless the agent uses a document with this ID', async () => {
				few().attach('support-bot', ['a', 'guide.pdf', 'f1']);
				const parameters = { operation: 'remove' };
				const run = await add(few(), items, { parameters, ...continuing });
				const description = expect.stringContaining(
					'or choose the documents again. An ID is mistyped',
				);
				const title = 'CometChat has no document with the ID "1AbC" [item 2]';
				expect(errorOf(run, 1)).toMatchObject({ message: title, description });
				expect(few().files('support-bot', 'uploads')).toEqual(['guide.pdf', 'f1']);
				await add(few(), [item('guide.pdf', 'f1')], { parameters });
				expect(few().files('support-bot', 'uploads')).toEqual([]);
			});
		},
	);

	test('An unlisted document with a status is no warning: CometChat has reported that it exists', async () => {
		const data = [{ uniqueId: 'a', sourceName: 'a.pdf', type: 'uploads' }];
		many().script(
			{ for: { operation: 'records' }, times: Infinity, body: JSON.stringify({ data }) },
			{ for: { operation: 'poll' }, body: '{"data":{"a":"indexed","f148":"indexed"}}' },
		);
		const run = await add(many(), [item('f148', 'f149')]);
		expect(asked()).toEqual([
			...['records', 'poll f148,f149', 'poll f149', 'add support-bot f148,f149'],
		]);
		expect(run.hints).toEqual([]);
	});
});

describe('Combine Requests', () => {
	const options = { combineItems: true };
	const bundled = async (items: Array<ReturnType<typeof item>>, more = {}) =>
		await add(service(), items, { options: { ...options, ...more }, ...continuing });

	test('puts a hundred files into a request; each item has its own output, and an invalid item fails alone', async () => {
		const run = await bundled([...numbered(250), item(' ')]);
		expect(sent().map((ids) => ids?.split(',').length)).toEqual([100, 100, 50]);
		expect(attached()).toHaveLength(250);
		expect(run.output.map(({ json }) => json.uniqueIds).slice(0, 250)).toEqual(
			numbered(250).map(({ files }) => files),
		);
		expect(failedIn(run)).toEqual([250]);
	});

	test.each<[string, Array<{ agent: string; files: string[]; sourceType?: string }>, string[]]>([
		[
			'items of several agents, gathered across the run',
			[
				{ agent: 'support-bot', files: ['a'] },
				{ agent: 'sales-assistant', files: ['b'] },
				{ agent: 'support-bot', files: ['c'] },
			],
			['support-bot/uploads a,c', 'sales-assistant/uploads b'],
		],
		[
			'a file that two items name, once',
			[
				{ agent: 'support-bot', files: ['a', 'b'] },
				{ agent: 'support-bot', files: ['b', 'c'] },
			],
			['support-bot/uploads a,b,c'],
		],
		[
			'another source type in a request of its own',
			[
				{ agent: 'support-bot', files: ['a'] },
				{ agent: 'support-bot', files: ['c'], sourceType: 'text' },
				{ agent: 'support-bot', files: ['b'] },
			],
			['support-bot/uploads a,b', 'support-bot/text c'],
		],
	])('sends %s', async (_, items, requests) => {
		await add(service(), items, {
			options,
			parameters: { sourceType: '={{ $json.sourceType ?? "uploads" }}' },
		});
		const told = service().requests();
		expect(
			told.map(({ uid, path, uniqueIds }) => `${uid}/${path.split('/').at(-2)} ${uniqueIds}`),
		).toEqual(expect.arrayContaining(requests));
		expect(told).toHaveLength(requests.length);
		const ofBot = told.filter(({ uid }) => uid === 'support-bot').map(({ uniqueIds }) => uniqueIds);
		expect(ofBot.flat()).toEqual([...(ofBot.flat() ?? [])].sort());
	});

	test('only fails the item of the refused file, and adds all other files', async () => {
		refuseFile('f5');
		const run = await bundled(numbered(16));
		expect(attached()).toHaveLength(15);
		expect(failedIn(run)).toEqual([5]);
		expect(errorOf(run, 5)).toMatchObject({
			message: 'CometChat has no document with this ID [item 6]',
			description: expect.stringMatching(/^Compare the ID .*No record f5\./),
			effect: 'not applied',
			attempts: 1,
			uniqueIds: ['f5'],
		});
		// One request for sixteen IDs, then one for each ID.
		expect(sent()).toHaveLength(17);
	});

	test('fails all items of a request that would also fail in parts', async () => {
		service().script({ for: { operation: 'add' }, status: 402, code: 'ERR_PLAN_RESTRICTION' });
		expect(failedIn(await bundled(numbered(3)))).toEqual([0, 1, 2]);
		expect(sent()).toHaveLength(1);
	});

	test.each<[string, boolean, string[], boolean]>([
		['refused, and none counts as removed', false, ['a', 'b'], true],
		['with Combine Requests, each ID is sent alone', true, ['b'], false],
	])(
		'Remove Files with several IDs, where CometChat has no document for one ID: %s',
		async (_, combineItems, remaining, isFailed) => {
			await add(service(), [item('a', 'b')]);
			refuseFile('b');
			const parameters = { operation: 'remove' };
			const run = await add(service(), [item('a', 'b')], {
				...continuing,
				...{ options: { combineItems }, parameters },
			});
			expect(attached()).toEqual(remaining);
			expect(failedIn(run)).toEqual(isFailed ? [0] : []);
		},
	);

	test('finds the cause first in an execution that stops, and reports every item', async () => {
		refuseFile('f2');
		const { error } = await add(service(), numbered(6), { options });
		expect(sent()).toEqual(['f0,f1,f2,f3,f4,f5', 'f0', 'f1', 'f2']);
		expect(error?.message).toBe('CometChat has no document with this ID [item 3]');
	});
});

test('an item with more than a hundred files is sent in several requests, and has one output', async () => {
	refuseFile('c');
	const many = Array.from({ length: 99 }, (_, at) => `f${at}`);
	const options = { combineItems: true };
	const items = [item(...many, 'a', 'c'), item('d')];
	const run = await add(service(), items, { ...continuing, options });
	expect(sent()).toEqual([[...many, 'a'].join(), 'c,d', 'c', 'd']);
	expect(errorOf(run)).toMatchObject({
		effect: 'partly applied',
		outcome: { applied: [...many, 'a'], notApplied: ['c'], unknown: [] },
	});
	expect(failedIn(run)).toEqual([0]);
});

test('without bundles, an item is one request for any number of files: if it is refused, no file is added', async () => {
	refuseFile('c');
	const many = Array.from({ length: 100 }, (_, at) => `f${at}`);
	const run = await add(service(), [item(...many, 'c')], continuing);
	expect(sent()).toEqual([[...many, 'c'].join()]);
	expect(errorOf(run)).toMatchObject({ effect: 'not applied' });
});
