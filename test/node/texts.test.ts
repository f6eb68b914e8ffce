import { freshService } from './fixture';
import { agent, arrivals, errorOf, runFiles } from './uploaded';

const service = freshService();
const continuing = { onError: 'continueRegularOutput' as const };
const text = { title: 'Opening hours', text: 'We are open from 9 to 5.' };
const toAgent = { addToAgent: true, uid: agent('support-bot') };

test('a text is written with its title, and its ID comes out', async () => {
	const { output } = await runFiles(service(), 'addText', { parameters: text });
	const [record] = service().records();
	expect(record).toMatchObject({ sourceName: 'Opening hours', type: 'text-details' });
	expect(service().log[0]).toMatchObject({ operation: 'createText', body: text });
	expect(output.map(({ json }) => json)).toEqual([
		{
			success: true,
			uniqueId: record?.uniqueId,
			title: 'Opening hours',
			addedToAgent: false,
		},
	]);
});

test('it is indexed, and then added to the agent as a text, if asked', async () => {
	const { output } = await runFiles(service(), 'addText', {
		parameters: { ...text, ...toAgent, waitUntilIndexed: true },
	});
	const [{ uniqueId } = { uniqueId: '' }] = service().records();
	expect(service().files('support-bot', 'text')).toEqual([uniqueId]);
	expect(arrivals(service()).at(-1)).toBe(`add support-bot ${uniqueId}`);
	expect(output[0]?.json).toMatchObject({
		uid: 'support-bot',
		status: 'indexed',
		addedToAgent: true,
	});
});

describe('Limits', () => {
	test('a title of 500 and a text of 5000 characters are sent', async () => {
		const parameters = { title: 't'.repeat(500), text: 'x'.repeat(5000) };
		const { output } = await runFiles(service(), 'addText', { parameters });
		expect(output[0]?.json.success).toBe(true);
	});

	test.each([
		[
			'a longer title',
			{ title: 't'.repeat(501) },
			"'Title' has 501 characters, more than CometChat takes",
		],
		[
			'a longer text',
			{ text: 'x'.repeat(5001) },
			"'Text' has 5001 characters, more than CometChat takes",
		],
		['no title', { title: ' ' }, "'Title' is empty"],
		['no text', { text: '={{ "" }}' }, "'Text' is empty"],
		['a text that is none', { text: '={{ [1] }}' }, "'Text' is not a text"],
		[
			'no agent where one is wanted',
			{ addToAgent: true, uid: agent('={{ "" }}') },
			"'Agent' is empty",
		],
	])('%s is refused before anything is sent', async (_, parameters, message) => {
		const run = await runFiles(service(), 'addText', {
			...continuing,
			parameters: { ...text, ...parameters },
		});
		expect(service().log).toEqual([]);
		expect(errorOf(run)).toMatchObject({ message: `${message} [item 0]`, attempts: 0 });
	});
});

describe('A second copy is never made', () => {
	test.each([
		['the connection is lost', { drop: 'afterApplying' as const }],
		['the connection is lost before it', { drop: 'beforeApplying' as const }],
		['CometChat breaks', { status: 500 }],
		['a gateway gives up', { status: 504 }],
		['the answer is another than documented', { status: 201, body: '{}' }],
		['the answer is cut', { truncated: true }],
	])('if %s the text is not sent again, and the words say to look first', async (_, rule) => {
		service().script({ for: { operation: 'createText' }, times: Infinity, ...rule });
		const run = await runFiles(service(), 'addText', {
			...continuing,
			parameters: text,
			options: { maxWaitSeconds: 0 },
		});
		expect(arrivals(service())).toEqual(['createText Opening hours']);
		expect(errorOf(run)).toMatchObject({
			effect: 'unknown',
			attempts: 1,
			title: 'Opening hours',
			description: expect.stringMatching(
				/It is not known whether the text was added\. It was not sent again, because it would then be there twice\. Look at the knowledge base in the CometChat dashboard before you run it again\./,
			),
		});
	});

	test('after a refusal for the rate limit it is sent again: then nothing was written', async () => {
		service().script({ for: { operation: 'createText' }, status: 429, times: 2 });
		const { output } = await runFiles(service(), 'addText', {
			parameters: text,
			options: { maxWaitSeconds: 0 },
		});
		expect(arrivals(service())).toHaveLength(3);
		expect(service().records()).toHaveLength(1);
		expect(output[0]?.json.success).toBe(true);
	});

	test('an agent that is unknown does not make one: the output has the ID to go on with', async () => {
		const run = await runFiles(service(), 'addText', {
			...continuing,
			parameters: { ...text, addToAgent: true, uid: agent('nobody') },
		});
		const [{ uniqueId } = { uniqueId: '' }] = service().records();
		expect(errorOf(run)).toMatchObject({
			uniqueId,
			effect: 'partly applied',
			description: expect.stringContaining(
				`The text is in CometChat (ID ${uniqueId}). Not added to the agent. To go on, use this ID in Get Status and Add Files; adding the text again would make a second copy.`,
			),
		});
	});
});

test('whether the agent has the text is not known after a lost answer, and the words say so', async () => {
	service().script({ for: { operation: 'add' }, drop: 'afterApplying', times: Infinity });
	const run = await runFiles(service(), 'addText', {
		...continuing,
		parameters: { ...text, ...toAgent },
		options: { maxAttempts: 1 },
	});
	const [{ uniqueId } = { uniqueId: '' }] = service().records();
	expect(errorOf(run)).toMatchObject({
		addedToAgent: 'unknown',
		description: expect.stringContaining(
			`The text is in CometChat (ID ${uniqueId}). It is not known whether the agent has it. To go on, use this ID in Get Status and Add Files; adding the text again would make a second copy.`,
		),
	});
});

test('an error names the status of indexing and that of the answer by two names', async () => {
	const indexed = {
		...continuing,
		options: { maxAttempts: 1 },
		parameters: { ...text, waitUntilIndexed: true, addToAgent: true, uid: agent('support-bot') },
	};
	service().script({ for: { operation: 'add' }, drop: 'beforeApplying' });
	const unanswered = errorOf(await runFiles(service(), 'addText', indexed));
	expect(unanswered).toMatchObject({ indexingStatus: 'indexed' });
	expect(unanswered).not.toHaveProperty('status');

	service().script({ for: { operation: 'add' }, status: 400 });
	const refused = errorOf(await runFiles(service(), 'addText', indexed));
	expect(refused).toMatchObject({ indexingStatus: 'indexed', status: 400 });
});

describe.each([200 as const, 201 as const])('An answer of %i', (createdStatus) => {
	const other = freshService({ createdStatus });

	test('is taken', async () => {
		const { output } = await runFiles(other(), 'addText', { parameters: text });
		expect(output[0]?.json.success).toBe(true);
	});
});
