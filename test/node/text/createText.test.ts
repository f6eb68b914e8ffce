import type { Rule } from '../../service/service';
import { freshService } from '../fixture';
import { agent, arrivals, continuing, errorOf, runFiles } from '../operations';

const service = freshService();
const text = { title: 'Opening hours', text: 'We are open from 9 to 5.' };
const toAgent = { addToAgent: true, uid: agent('support-bot') };
const idThere = () => service().records()[0]?.uniqueId;

/** One item, in a run that goes on. */
const createText = async ({ parameters, ...more }: Parameters<typeof runFiles>[2] = {}) =>
	await runFiles(service(), 'text.create', {
		...continuing,
		...more,
		parameters: { ...text, ...parameters },
	});

test('a text is written with its title, and its ID comes out', async () => {
	const { output } = await createText();
	expect(service().records()).toMatchObject([
		{ sourceName: 'Opening hours', type: 'text-details' },
	]);
	expect(service().log[0]).toMatchObject({ operation: 'createText', body: text });
	const uniqueId = idThere();
	expect(output.map(({ json }) => json)).toEqual([
		{ success: true, uniqueId, title: 'Opening hours', addedToAgent: false },
	]);
});

test('it is indexed, and then added to the agent as a text, if asked', async () => {
	const { output } = await createText({ parameters: { ...toAgent, waitUntilIndexed: true } });
	expect(service().files('support-bot', 'text')).toEqual([idThere()]);
	expect(arrivals(service()).at(-2)).toBe(`add support-bot ${idThere()}`);
	expect(output[0]?.json).toMatchObject({
		uid: 'support-bot',
		status: 'indexed',
		addedToAgent: true,
	});
});

describe('Limits', () => {
	test('a title of 500 and a text of 5000 characters are sent', async () => {
		const { output } = await createText({
			parameters: { title: 't'.repeat(500), text: 'x'.repeat(5000) },
		});
		expect(output[0]?.json.success).toBe(true);
	});

	const noAgent = { addToAgent: true, uid: agent('={{ "" }}') };
	test.each([
		[
			'a longer title',
			{ title: 't'.repeat(501) },
			"'Title' has 501 characters",
			'Shorten the title',
		],
		['a longer text', { text: 'x'.repeat(5001) }, "'Text' has 5001 characters", 'TXT or MD file'],
		['no title', { title: ' ' }, "'Title' is empty", 'Give a text'],
		['no text', { text: '={{ "" }}' }, "'Text' is empty", 'Give a text'],
		['a text that is none', { text: '={{ [1] }}' }, "'Text' is not a text", 'Give a text'],
		['no agent where one is wanted', noAgent, "'Agent' is empty", 'Pick the agent'],
	])('%s is refused before anything is sent', async (_, parameters, message, advice) => {
		const run = await createText({ parameters });
		expect(service().log).toEqual([]);
		expect(errorOf(run)).toMatchObject({
			message: expect.stringContaining(message),
			description: expect.stringContaining(advice),
			attempts: 0,
		});
	});
});

describe('A second copy is never made', () => {
	test.each<[string, Rule]>([
		['the connection is lost', { drop: 'afterApplying' }],
		['the connection is lost before it', { drop: 'beforeApplying' }],
		['CometChat breaks', { status: 500 }],
		['a gateway gives up', { status: 504 }],
		['the answer is another than documented', { status: 201, body: '{}' }],
		['the answer is cut', { truncated: true }],
	])('if %s the text is not sent again, and the words say to look first', async (_, rule) => {
		service().script({ for: { operation: 'createText' }, times: Infinity, ...rule });
		const run = await createText();
		expect(arrivals(service())).toEqual(['createText Opening hours']);
		expect(errorOf(run)).toMatchObject({
			effect: 'unknown',
			attempts: 1,
			title: 'Opening hours',
			description: expect.stringContaining(
				'It is not known whether the text was added. It was not sent again, because it would then be there twice. Look at the knowledge base in the CometChat dashboard before you run it again.',
			),
		});
	});

	test('after a refusal for the rate limit it is sent again: then nothing was written', async () => {
		service().script({ for: { operation: 'createText' }, status: 429, times: 2 });
		const { output } = await createText({ options: { maxWaitSeconds: 0 } });
		expect(arrivals(service()).slice(0, -1)).toEqual(Array(3).fill('createText Opening hours'));
		expect(service().records()).toHaveLength(1);
		expect(output[0]?.json.success).toBe(true);
	});
});

describe('If the agent', () => {
	const failed = async (uid: string) =>
		errorOf(
			await createText({
				parameters: { ...toAgent, uid: agent(uid), waitUntilIndexed: true },
				options: { maxAttempts: 1 },
			}),
		);
	const goOn =
		'To go on, use this ID in Document: Get Status and Add Files; adding the text again would make a second copy.';

	test('is unknown, the output has the ID to go on with, and two names for two statuses', async () => {
		expect(await failed('nobody')).toMatchObject({
			uniqueId: idThere(),
			effect: 'partly applied',
			indexingStatus: 'indexed',
			status: 404,
			description: expect.stringContaining(
				`The text "Opening hours" is in CometChat (ID ${idThere()}). Not added to the agent. ${goOn}`,
			),
		});
	});

	test('may have the text, its answer lost, the words say so', async () => {
		service().script({ for: { operation: 'add' }, drop: 'afterApplying', times: Infinity });
		const error = await failed('support-bot');
		expect(error).toMatchObject({
			addedToAgent: 'unknown',
			indexingStatus: 'indexed',
			description: expect.stringContaining(`It is not known whether the agent has it. ${goOn}`),
		});
		expect(error).not.toHaveProperty('status');
	});
});

describe.each([200 as const, 201 as const])('An answer of %i', (createdStatus) => {
	const other = freshService({ createdStatus });

	test('is taken', async () => {
		const { output } = await runFiles(other(), 'text.create', { parameters: text });
		expect(output[0]?.json.success).toBe(true);
	});
});
