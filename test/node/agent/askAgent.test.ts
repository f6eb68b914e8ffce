import type { INodeParameters } from 'n8n-workflow';

import type { ServiceOptions } from '../../service/service';
import { freshService } from '../fixture';
import { agent, arrivals, continuing, errorOf, runFiles } from '../operations';

/** What a test may change in the stand-in while it runs. */
const how: NonNullable<ServiceOptions['answering']> = {};
const service = freshService({ answering: how });
beforeEach(() => {
	const users = ['checker', 'CHECKER', 'other'];
	Object.assign(how, { ms: 1000, in: 'thread', says: undefined, users });
});

/** One item, in a run that goes on, unless `more` has others. */
const ask = async (parameters: INodeParameters = {}, more: Parameters<typeof runFiles>[2] = {}) =>
	await runFiles(service(), 'agent.ask', {
		...continuing,
		...more,
		parameters: {
			uid: agent('support-bot'),
			question: 'When are you open?',
			askAs: 'checker',
			...parameters,
		},
	});
const sent = (operation: string) =>
	service().log.filter((one) => one.kind === 'arrived' && one.operation === operation);
const answersWith = (...answers: string[]) => Object.assign(how, { says: () => answers });

test('a question is asked as the user that is chosen, and the answer comes out with how long it took', async () => {
	answersWith('From 9 to 5.');
	const { output } = await ask();
	expect(sent('sendMessage')).toMatchObject([
		{
			headers: { onbehalfof: 'checker' },
			body: {
				receiver: 'support-bot',
				receiverType: 'user',
				category: 'message',
				type: 'text',
				data: { text: 'When are you open?' },
			},
		},
	]);
	expect(output.map(({ json }) => json)).toEqual([
		{
			question: 'When are you open?',
			answer: 'From 9 to 5.',
			durationMs: expect.any(Number),
			uid: 'support-bot',
		},
	]);
	const { durationMs } = output[0]?.json ?? {};
	expect(durationMs).toBeGreaterThanOrEqual(1000);
	expect(durationMs).toBeLessThan(8000);
});

test.each(['thread', 'chat'] as const)(
	'an answer in the %s is found, late or soon',
	async (place) => {
		for (const ms of [0, 20_000]) {
			Object.assign(how, { in: place, ms });
			const { output } = await ask();
			expect(output[0]?.json.answer).toBe('You asked: When are you open?');
		}
	},
);

test('an answer in several messages comes out whole, in their order', async () => {
	answersWith('Let me see.', 'From 9', 'to 5.');
	expect((await ask()).output[0]?.json.answer).toBe('Let me see.\n\nFrom 9\n\nto 5.');
});

describe('The check', () => {
	beforeEach(() => answersWith('We open at 9, and close at 5.'));

	test.each<[INodeParameters, object]>([
		[{ answerMustContain: 'OPEN AT 9\nclose' }, { passed: true }],
		[{ answerMustContain: 'at 9\nSunday' }, { passed: false, missing: ['Sunday'] }],
		[{ answerMustContain: '={{ ["at 9", "17:00|at 5"] }}' }, { passed: true }],
	])('%j: %j', async (parameters, expected) => {
		const { output } = await ask(parameters);
		expect(output[0]?.json).toMatchObject(expected);
		expect('missing' in (output[0]?.json ?? {})).toBe('missing' in expected);
	});

	test('makes an item fail only if it is set to, with the answer in its error', async () => {
		const run = await ask({ answerMustContain: 'Sunday' }, { options: { ifCheckFails: 'fail' } });
		expect(errorOf(run)).toMatchObject({
			message: "The agent's answer does not contain what it must",
			description: expect.stringContaining(
				'It lacks "Sunday", and says: "We open at 9, and close at 5.".',
			),
			passed: false,
			missing: ['Sunday'],
			answer: 'We open at 9, and close at 5.',
		});
		expect(service().messages()).toEqual([]);
	});
});

describe('Question and answer', () => {
	test.each(['thread', 'chat'] as const)('are deleted for good, also in the %s', async (place) => {
		Object.assign(how, { in: place });
		await ask();
		const left = service()
			.messages()
			.filter(({ type }) => type !== 'tool-result');
		expect(left).toEqual([]);
		expect(sent('deleteMessage').map(({ body }) => body)).toEqual(
			sent('deleteMessage').map(() => ({ permanent: true })),
		);
	});

	test('that cannot be deleted are named in a warning, and the answer counts all the same', async () => {
		service().script({ for: { operation: 'deleteMessage' }, status: 403, times: Infinity });
		const run = await ask();
		expect(run.output[0]?.json.answer).toBe('You asked: When are you open?');
		expect(run.hints).toContainEqual(
			expect.objectContaining({
				type: 'warning',
				message: expect.stringMatching(
					/^Of the chat of "checker" with the agent, these messages could not be deleted: \d+, \d+, \d+/,
				),
			}),
		);
	});

	test('are deleted, too, if another item ends the run meanwhile', async () => {
		service().script({ for: { fileName: 'Bad' }, status: 400, latencyMs: 3000 });
		Object.assign(how, { ms: 60_000 });
		await runFiles(service(), 'agent.ask', {
			items: [
				{ question: 'Good', as: 'checker' },
				{ question: 'Bad', as: 'other' },
			],
			parameters: {
				uid: agent('support-bot'),
				question: '={{ $json.question }}',
				askAs: '={{ $json.as }}',
			},
		});
		expect(sent('sendMessage')).toHaveLength(2);
		expect(service().messages()).toEqual([]);
	});
});

describe('No answer in time', () => {
	const silent = async (more: Parameters<typeof runFiles>[2] = {}) => {
		Object.assign(how, { in: 'nowhere' });
		return await ask({}, { ...more, options: { maxAnswerSeconds: 5, ...more?.options } });
	};

	test('is said in two sentences, and the question is deleted', async () => {
		expect(errorOf(await silent())).toMatchObject({
			message: "The agent did not answer within 'Max Answer Time (Seconds)'",
			description: expect.stringMatching(
				/^The question was asked and deleted again; [^.]* stays in the chat\. Ask it in the CometChat dashboard: [^.]* active\.$/,
			),
			effect: 'partly applied',
			question: 'When are you open?',
		});
		expect(service().messages()).toEqual([]);
	});

	test('takes no longer than it may', async () => {
		await silent();
		const times = service().log.map(({ atMs }) => atMs);
		expect(Math.max(...times) - Math.min(...times)).toBeLessThan(8000);
	});

	test('its late answer is not taken for that of the next question', async () => {
		Object.assign(how, { in: 'chat', ms: 9000 });
		const run = await ask(
			{ question: '={{ $json.question }}' },
			{ items: [{ question: 'One' }, { question: 'Two' }], options: { maxAnswerSeconds: 8 } },
		);
		const message = expect.stringContaining('did not answer within');
		expect([errorOf(run), errorOf(run, 1)]).toMatchObject([{ message }, { message }]);
	});

	test('where no list could be read is not said: that is the reason', async () => {
		service().script({ for: { operation: 'thread' }, status: 403, times: Infinity });
		expect(errorOf(await silent())).toMatchObject({
			message: 'The API key may not manage AI agents',
			description: expect.stringContaining('The question was asked and deleted again;'),
		});
	});
});

test('questions of one user to one agent go one after another, others side by side', async () => {
	const items = [
		{ question: 'One', as: 'checker' },
		{ question: 'Two', as: 'CHECKER' },
		{ question: 'Three', as: 'other' },
	];
	const { output } = await ask(
		{ question: '={{ $json.question }}', askAs: '={{ $json.as }}' },
		{ items },
	);
	expect(output.map(({ json }) => json.answer)).toEqual(
		['One', 'Two', 'Three'].map((question) => `You asked: ${question}`),
	);
	const order = arrivals(service()).filter((line) => /^sendMessage/.test(line));
	expect(order).toEqual(['sendMessage One', 'sendMessage Three', 'sendMessage Two']);
});

test.each<[INodeParameters, string]>([
	[{ question: '={{ "q".repeat(10001) }}' }, "'Question' has 10001 characters"],
	[{ answerMustContain: '={{ $json.none }}' }, 'any answer would pass'],
	[{ askAs: 'Jane Doe' }, `'Ask As' is "Jane Doe", which is no UID of a user`],
	[{ askAs: 'Support-Bot' }, "'Ask As' is the agent itself"],
])('%j is refused before anything is sent', async (parameters, words) => {
	const run = await ask(parameters);
	expect(service().log).toEqual([]);
	expect(errorOf(run)).toMatchObject({ message: expect.stringContaining(words) });
});
