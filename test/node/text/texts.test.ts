import type { INodeParameters } from 'n8n-workflow';

import type { Rule } from '../../service/service';
import { add, freshService } from '../fixture';
import type { More } from '../operations';
import { agent as locator, arrivals, errorOf, prepareRun } from '../operations';

const TIMES = { createdAt: 1795301932599, updatedAt: 1795301999000 };
const HOURS = { uniqueId: 'hours', sourceName: 'Opening hours', type: 'text-details' as const };
const service = freshService({
	records: [
		{ ...HOURS, ...TIMES },
		{ uniqueId: 'file', sourceName: 'a.pdf' },
	],
});

const NEW = { title: 'Prices', text: 'Bread costs 3.' };
const toAgent = { addToAgent: true, uid: locator('support-bot'), waitUntilIndexed: true };

const OF_HOURS = { textId: locator('hours') };
const create = prepareRun(service, 'text.create', NEW);
const get = prepareRun(service, 'text.get', OF_HOURS);
const update = async (updateFields: INodeParameters, { parameters, ...more }: More = {}) =>
	await prepareRun(service, 'text.update', OF_HOURS)({ updateFields, ...parameters }, more);
const heldBy = (uid: string) => service().files(uid, 'text');
const give = async (uid: string) => {
	await add(service(), [{ agent: uid, files: ['hours'] }], { parameters: { sourceType: 'text' } });
	service().clearLog();
};

describe('Text: Create', () => {
	const created = () => service().records()[0]?.uniqueId;

	test('a text is written with its title, and the output has its ID, also after a response with status 200', async () => {
		service().script({ status: 200 });
		const { output } = await create();
		expect(service().records()[0]).toMatchObject({ sourceName: 'Prices', type: 'text-details' });
		expect(service().log.map(({ body }) => body)).toContainEqual(NEW);
		expect(output.map(({ json }) => json)).toEqual([
			{
				...{ name: 'Prices', action: 'created', success: true },
				...{ uniqueId: created(), sourceType: 'text' },
			},
		]);
	});

	test('if the connection is lost, the text is not sent again, and the hint says to look first', async () => {
		service().script({ for: { operation: 'createText' }, drop: 'afterApplying' });
		const failed = await create();
		expect(arrivals(service())).toEqual(['listTexts', 'createText Prices']);
		expect(errorOf(failed)).toMatchObject({
			effect: 'unknown',
			attempts: 1,
			name: 'Prices',
			description: expect.stringMatching(
				/^Look for the document in the CometChat dashboard before /,
			),
		});
	});

	test('with Fail, a title that the agent uses is refused, and nothing is written', async () => {
		await give('support-bot');
		const parameters = { ...toAgent, title: 'Opening hours', ifTitleExists: 'fail' };
		expect(errorOf(await create(parameters))).toMatchObject({
			message: 'The agent already has a text entry named "Opening hours" (ID hours)',
			description: expect.stringContaining("To change it, use 'Create or Update'"),
			effect: 'not applied',
		});
		const other = { ...parameters, uid: locator('sales-assistant') };
		const { output } = await create(other);
		expect(output[0]?.json).toMatchObject({ action: 'created', success: true });
	});

	test('with Fail and no agent, the titles of all text entries count', async () => {
		const parameters = { title: 'Opening hours', ifTitleExists: 'fail' };
		const message = 'CometChat already has a text entry named "Opening hours" (ID hours)';
		expect(errorOf(await create(parameters))).toMatchObject({ message });
		expect(arrivals(service())).toEqual(['listTexts']);
	});

	test('with Fail, a text entry with the title that no agent uses is named', async () => {
		await give('sales-assistant');
		await create({ ...toAgent, addToAgent: false });
		const old = created();
		const { output, hints } = await create({ ...toAgent, ifTitleExists: 'fail' });
		expect(output[0]?.json.old).toMatchObject([{ uniqueId: old, action: 'kept' }]);
		expect(hints[0]?.message).toContain(`CometChat also has "Prices" (ID ${old})`);
	});

	test('the same text entry in two executions at once is named by the one that ends last', async () => {
		await give('support-bot');
		service().script({ for: { operation: 'poll' }, latencyMs: 5000 });
		const parameters = { ...toAgent, ifTitleExists: 'fail' };
		const runs = await Promise.all([create(parameters), create(parameters)]);
		const said = runs.flatMap(({ hints }) => hints.map(({ message }) => message)).join();
		expect(said).toMatch(/another new text entry named "Prices" \(ID/);
	});

	test('two items with one title for one agent are refused before anything is sent, and name each other', async () => {
		const items = [{ title: 'Prices' }, { title: 'Prices' }];
		const parameters = { ...toAgent, title: '={{ $json.title }}', ifTitleExists: 'fail' };
		const failed = await create(parameters, { items });
		for (const index of [0, 1]) {
			expect(errorOf(failed, index)).toMatchObject({
				message: expect.stringContaining(
					'Items 1, 2 have the same title for the same agent: "Prices"',
				),
				description: expect.stringContaining('Enter a different title for each'),
			});
		}
		expect(arrivals(service())).toEqual([]);
	});
});

describe('Text: Get', () => {
	test('has the title first, the status, and readable times', async () => {
		const { output } = await get();
		expect(output.map(({ json }) => Object.entries(json))).toEqual([
			[
				['name', 'Opening hours'],
				['status', 'indexed'],
				['uniqueId', 'hours'],
				['sourceType', 'text'],
				['text', 'This is hours.'],
				['createdAt', '2026-11-21T22:58:52.599Z'],
				['updatedAt', '2026-11-21T22:59:59.000Z'],
			],
		]);
		expect(arrivals(service())).toEqual(['getText hours']);
	});

	test('the ID of a file, which CometChat refuses without a code, is an unknown text entry', async () => {
		service().script({ status: 404, envelope: 'agentService', message: 'Text not found' });
		expect(errorOf(await get({ textId: locator('file') }))).toMatchObject({
			message: 'CometChat has no text entry with this ID',
			description: expect.stringContaining("Check 'Text Entry': "),
			effect: 'not applied',
			uniqueId: 'file',
		});
	});
});

describe('Text: Update', () => {
	const bodies = () =>
		service().log.flatMap(({ kind, operation, body }) =>
			kind === 'arrived' && operation === 'updateText' ? [Object(body)] : [],
		);

	test.each<[INodeParameters, string[], string, string]>([
		[{ text: 'Closed.' }, ['text'], 'Opening hours', 'Closed.'],
		[{ title: 'Times', text: '' }, ['title'], 'Times', 'This is hours.'],
		[{ title: 'Times', text: '={{ "Closed." }}' }, ['text', 'title'], 'Times', 'Closed.'],
	])('with %j, only %j is sent, and the rest stays', async (fields, updatedFields, title, text) => {
		const { output } = await update(fields);
		const told = { action: 'updated', success: true, uniqueId: 'hours', updatedFields };
		expect(output.map(({ json }) => json)).toEqual([{ name: title, sourceType: 'text', ...told }]);
		expect(bodies().map((body) => Object.keys(body).sort())).toEqual([updatedFields.sort()]);
		expect(service().records()[0]?.sourceName).toBe(title);
		expect(service().text('hours')).toBe(text);
	});

	test('a response with only a success is enough', async () => {
		service().script({ for: { operation: 'updateText' }, body: '{"success":true}' });
		const { output } = await update({ text: 'Closed.' });
		expect(output[0]?.json).toMatchObject({ name: 'hours', action: 'updated', success: true });
	});

	test('it keeps its ID and its agents, is waited for, and is added to another agent if chosen', async () => {
		await give('sales-assistant');
		const { output } = await update({ text: 'Closed.' }, { parameters: toAgent });
		expect([...new Set(arrivals(service()))]).toEqual([
			'agent support-bot',
			'updateText hours',
			'poll hours',
			'add support-bot hours',
		]);
		expect(output[0]?.json).toMatchObject({ status: 'indexed', uid: 'support-bot' });
		expect(heldBy('support-bot')).toEqual(['hours']);
		expect(heldBy('sales-assistant')).toEqual(['hours']);
	});

	test('items that change the same text entry are refused, and nothing is sent', async () => {
		const items = [{ text: 'One.' }, { text: 'Two.' }];
		const failed = await update({ text: '={{ $json.text }}' }, { items });
		const message = 'Items 1, 2 change the same text entry: "hours" [item 1]';
		expect(errorOf(failed)).toMatchObject({ message });
		expect(service().log).toEqual([]);
	});

	test.each<[string, Rule, string, RegExp]>([
		['refused', { status: 400 }, 'not applied', /Not changed: "hours"\./],
		[
			'not answered',
			{ drop: 'afterApplying' },
			'unknown',
			/^Run the item again\..* Result unknown, may be changed/,
		],
	])('a change that is %s is reported truly', async (_, rule, effect, description) => {
		service().script({ for: { operation: 'updateText' }, times: Infinity, ...rule });
		expect(errorOf(await update({ text: 'Closed.' }))).toMatchObject({
			effect,
			uniqueId: 'hours',
			description: expect.stringMatching(description),
		});
	});

	test('a text that cannot be indexed keeps its ID and its agents: the hint says to change it, and not to delete it', async () => {
		service().scriptIndexing({ ends: 'failed' });
		const failed = await update({ text: 'x', title: 'Times' }, { parameters: toAgent });
		expect(errorOf(failed)).toMatchObject({
			message: `CometChat couldn't index "Times"`,
			description: expect.stringMatching(
				/change "Times" .* 'Text Entry: Update'.* Not added to the agent: "Times"\./,
			),
			effect: 'partly applied',
			action: 'failed',
			status: 'failed',
		});
		expect(Object(errorOf(failed)).description).not.toContain('Delete');
	});

	test.each<[INodeParameters]>([[{}], [{ title: '', text: '={{ "" }}' }]])(
		'with nothing to change (%j) nothing is sent',
		async (fields) => {
			const failed = await update(fields);
			expect(service().log).toEqual([]);
			expect(errorOf(failed)).toMatchObject({
				message: expect.stringContaining("'Title' and 'Text' under 'Update Fields' are empty"),
			});
		},
	);
});
