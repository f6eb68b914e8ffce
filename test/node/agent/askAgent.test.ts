import type { INodeParameters } from 'n8n-workflow';

import type { ServiceOptions } from '../../service/service';
import { TOOL, type Written } from '../../service/messages';
import { freshService } from '../fixture';
import type { More } from '../operations';
import { agent, arrivals, errorOf, prepareRun } from '../operations';

/** Options of the simulation that a test may change. */
const how: NonNullable<ServiceOptions['answering']> = {};
const service = freshService({ answering: how });
beforeEach(() => {
	const users = ['checker', 'other'];
	Object.assign(how, { ms: 1000, in: 'thread', says: undefined, names: 'run', users });
});

const ask = prepareRun(service, 'agent.ask', {
	uid: agent('support-bot'),
	question: 'When are you open?',
	askAs: 'checker',
});
const sent = (operation: string) =>
	service().log.filter((one) => one.kind === 'arrived' && one.operation === operation);
const answersWith = (...answers: Array<string | Written>) =>
	Object.assign(how, { says: () => answers });
/** Matches a text with all of these parts, in any order. */
const saying = (...parts: string[]) =>
	expect.stringMatching(new RegExp(parts.map((part) => `(?=.*${escaped(part)})`).join('')));
const escaped = (text: string) => text.replace(/[.()]/g, '\\$&');
const after = (seconds: number, text: string): Written => ({
	data: { text },
	afterMs: seconds * 1000,
});

test('a question is asked as the chosen user, and the output has the answer and its duration', async () => {
	answersWith('From 9 to 5.');
	const { output } = await ask();
	// The answer was in the thread.
	expect(sent('chat')).toEqual([]);
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

describe.each(['thread', 'chat'] as const)('An agent that has not ended, in the %s', (place) => {
	beforeEach(() => Object.assign(how, { in: place, names: 'reply' }));

	test.each<[string, Array<string | Written>, string]>([
		[
			'types on',
			['Let me see.', after(4, 'From 9'), after(4, 'to 5.')],
			'Let me see.|From 9|to 5.',
		],
		[
			'calls a tool',
			['Let me see.', ...TOOL, after(25, 'From 9 to 5.')],
			'Let me see.|From 9 to 5.',
		],
		[
			'calls one after another',
			['One moment.', ...TOOL, after(12, 'And then.'), ...TOOL, after(12, 'From 9 to 5.')],
			'One moment.|And then.|From 9 to 5.',
		],
	])('and %s, is waited for: the answer contains all its texts', async (_, says, answer) => {
		answersWith(...says);
		const { output } = await ask();
		expect(output[0]?.json.answer).toBe(answer.replaceAll('|', '\n\n'));
		expect(output[0]?.json).not.toHaveProperty('reason');
		expect(service().messages()).toEqual([]);
	});

	test('is returned incomplete when the time is over, and the item says so', async () => {
		answersWith('One moment.', ...TOOL);
		const { output } = await ask({}, { options: { maxAnswerSeconds: 8 } });
		const reason = expect.stringMatching(
			/^The agent was still writing .* the answer may be incomplete\./,
		);
		expect(output[0]?.json).toMatchObject({ answer: 'One moment.', reason });
	});
});

test.each(['thread', 'chat'] as const)('interim texts in the %s are no answer', async (place) => {
	const interim = ['Thinking…', 'Retrieving relevant information from available sources…'];
	Object.assign(how, { in: place, names: 'reply' });
	answersWith(...interim, after(8, 'thinking...'), after(8, 'From 9 to 5.'));
	expect((await ask()).output[0]?.json.answer).toBe('From 9 to 5.');
	expect(service().messages()).toEqual([]);

	answersWith(...interim);
	const run = await ask({}, { options: { maxAnswerSeconds: 8 } });
	expect(errorOf(run)).toMatchObject({ message: expect.stringContaining("didn't answer") });
});

test('a failed request for the answer does not end the wait: later texts are a part of the answer', async () => {
	answersWith('Let me see.', after(8, 'From 9 to 5.'));
	const thread = { operation: 'thread' } as const;
	service().script({ for: thread }, { for: thread, status: 403 });
	expect((await ask()).output[0]?.json.answer).toBe('Let me see.\n\nFrom 9 to 5.');
});

test('if CometChat returns no messages, the request is repeated until the time is over', async () => {
	for (const operation of ['thread', 'chat'] as const)
		service().script({ for: { operation }, status: 503, times: 5 });
	const { output } = await ask({}, { options: { maxAnswerSeconds: 200 } });
	expect(output[0]?.json.answer).toBe('You asked: When are you open?');
});

test('the answer contains the fallback text of a card, and the other texts', async () => {
	const card = { type: 'card', value: { card: { fallbackText: 'Mon-Fri: 9 to 5' }, cardId: '1' } };
	const said = (value: string) => ({ type: 'text', value });
	const data = { text: '', elements: [said('Our hours:'), card, { type: 'graph', value: '{}' }] };
	answersWith({ data }, { data: { text: 'A preview', elements: [card] } }, 'Welcome.');
	expect((await ask()).output[0]?.json.answer).toBe(
		'Our hours:\n\nMon-Fri: 9 to 5\n\nMon-Fri: 9 to 5\n\nWelcome.',
	);
});

describe('A list', () => {
	beforeEach(() => Object.assign(how, { ms: 0 }));
	/** Changes the messages of each list. @param change Returns the new messages. */
	const listing = (operation: 'thread' | 'chat', change: (all: object[]) => object[]) =>
		service().script({
			for: { operation },
			times: Infinity,
			transform: (body) => ({ ...Object(body), data: change(Object(body).data) }),
		});

	test('that begins with the newest message is sorted', async () => {
		answersWith('One,', 'two,', 'three.');
		listing('thread', (all) => all.toReversed());
		expect((await ask()).output[0]?.json.answer).toBe('One,\n\ntwo,\n\nthree.');
	});

	test('may contain messages of others, which are not in the answer', async () => {
		answersWith('From 9 to 5.');
		const ours = { id: '999', category: 'message', type: 'assistant', data: { text: 'Thanks!' } };
		listing('thread', (all) => [...all, { ...ours, parentId: '1' }]);
		expect((await ask()).output[0]?.json.answer).toBe('From 9 to 5.');
	});

	test('may contain the parent 0 for a message outside of a thread', async () => {
		Object.assign(how, { in: 'chat', names: 'nothing' });
		answersWith('From 9 to 5.');
		listing('chat', (all) => all.map((one) => ({ ...one, parentId: 0 })));
		expect((await ask()).output[0]?.json.answer).toBe('From 9 to 5.');
	});
});

describe('The check', () => {
	beforeEach(() => answersWith('We open at 9, and close at 5.'));

	test.each<[INodeParameters, object]>([
		[{ answerMustContain: 'OPEN AT 9\nclose' }, { passed: true }],
		[{ answerMustContain: 'at 9\nSunday' }, { passed: false, missing: ['Sunday'] }],
		[{ answerMustContain: '={{ ["at 9", "17:00|at 5"] }}' }, { passed: true }],
	])('%j: %j', async (parameters, expected) => {
		const { output, hints } = await ask(parameters);
		expect(output[0]?.json).toMatchObject(expected);
		expect('missing' in (output[0]?.json ?? {})).toBe('missing' in expected);
		const warned = hints.filter(({ message }) => message.includes("see 'missing' in the output"));
		expect(warned).toHaveLength('missing' in expected ? 1 : 0);
	});

	test('makes an item fail only if it is set to, with the answer in its error', async () => {
		const run = await ask({ answerMustContain: 'Sunday', ifCheckFails: 'fail' });
		expect(errorOf(run)).toMatchObject({
			message: "The agent's answer doesn't contain all required texts",
			description: expect.stringContaining(
				'Missing: "Sunday". Answer: "We open at 9, and close at 5.".',
			),
			passed: false,
			missing: ['Sunday'],
			answer: 'We open at 9, and close at 5.',
		});
		expect(service().messages()).toEqual([]);
	});
});

describe('Question and answer', () => {
	test.each(['thread', 'chat'] as const)(
		'are deleted permanently, also in the %s',
		async (place) => {
			Object.assign(how, { in: place, names: 'reply' });
			await ask();
			expect(service().messages()).toEqual([]);
			// The answer is read first, and the question is deleted last.
			const order = service().log.flatMap((one) => (one.kind === 'arrived' ? one.operation : []));
			expect(order.indexOf('deleteMessage')).toBeGreaterThan(order.lastIndexOf('thread'));
			expect(sent('deleteMessage').at(-1)?.path).toContain('/messages/1');
			expect(sent('deleteMessage').map(({ body }) => body)).toEqual(
				sent('deleteMessage').map(() => ({ permanent: true })),
			);
		},
	);

	test('that cannot be deleted are named in a warning, and the answer is returned', async () => {
		service().script({ for: { operation: 'deleteMessage' }, status: 403, times: Infinity });
		const run = await ask();
		expect(run.output[0]?.json.answer).toBe('You asked: When are you open?');
		expect(run.hints).toContainEqual(
			expect.objectContaining({
				type: 'warning',
				message: expect.stringMatching(/^Delete the question and its replies in the user's chat/),
			}),
		);
	});

	test('are deleted, also if an earlier attempt with a lost response has deleted one', async () => {
		service().script({ for: { operation: 'deleteMessage' }, drop: 'afterApplying' });
		const run = await ask();
		expect(service().messages()).toEqual([]);
		expect(JSON.stringify(run.hints)).not.toContain('Delete the question');
	});

	test('stay if the answer may belong to another message of the user, and the output says so', async () => {
		Object.assign(how, { in: 'chat', names: 'nothing' });
		answersWith('From 9 to 5.', "I'm fine, thanks.");
		const run = await ask();
		expect(run.output[0]?.json.answer).toBe("From 9 to 5.\n\nI'm fine, thanks.");
		expect(service().messages()).toMatchObject([{ category: 'agentic' }, { category: 'agentic' }]);
		const message = expect.stringContaining("The answer stays in the user's chat");
		expect(run.hints).toMatchObject([{ type: 'info', message }]);
	});

	test('stay if Keep Messages is on, without a note', async () => {
		const run = await ask({}, { options: { keepMessages: true } });
		expect(sent('deleteMessage')).toEqual([]);
		expect(
			service()
				.messages()
				.map(({ category }) => category),
		).toContain('message');
		expect(run.hints).toEqual([]);
	});

	test('are deleted, too, if another item ends the run meanwhile', async () => {
		service().script({ for: { fileName: 'Bad' }, status: 400, latencyMs: 3000 });
		Object.assign(how, { ms: 60_000 });
		const items = [
			{ question: 'Good', as: 'checker' },
			{ question: 'Bad', as: 'other' },
		];
		const parameters = { question: '={{ $json.question }}', askAs: '={{ $json.as }}' };
		await ask(parameters, { items, onError: 'stopWorkflow' });
		expect(sent('sendMessage')).toHaveLength(2);
		expect(service().messages()).toEqual([]);
	});
});

describe('No answer in time', () => {
	const ASK_THERE = "Look for the answer under 'Agent Chat Logs' in the CometChat dashboard.";
	const silent = async (more: More = {}) => {
		Object.assign(how, { in: 'nowhere' });
		return await ask({}, { ...more, options: { maxAnswerSeconds: 5, ...more?.options } });
	};

	test('is an error with advice, and the question is deleted', async () => {
		expect(errorOf(await silent())).toMatchObject({
			message: "The agent didn't answer within 'Answer Timeout (Seconds)'",
			description: saying(ASK_THERE, 'The question was asked and then deleted.'),
			effect: 'partly applied',
			question: 'When are you open?',
		});
		expect(service().messages()).toEqual([]);
	});

	test('with Keep Messages keeps the question, and the error only says that it was asked', async () => {
		const description = saying(ASK_THERE, 'The question was asked.');
		expect(errorOf(await silent({ options: { keepMessages: true } }))).toMatchObject({
			description,
		});
		expect(service().messages()).toHaveLength(1);
	});

	test('and a question that cannot be deleted: the error names both', async () => {
		service().script({ for: { operation: 'deleteMessage' }, status: 403, times: Infinity });
		const description = saying('The question was asked. Delete the question', ASK_THERE);
		expect(errorOf(await silent())).toMatchObject({ description });
	});

	test('takes no longer than it may', async () => {
		await silent();
		const times = service().log.map(({ atMs }) => atMs);
		expect(Math.max(...times) - Math.min(...times)).toBeLessThan(8000);
	});

	test.each([[['thread']], [['thread', 'chat']]])(
		'is not said where a list could not be read: that is the reason (%j)',
		async (refused) => {
			for (const operation of refused)
				service().script({ for: { operation }, status: 403, times: Infinity });
			expect(errorOf(await silent())).toMatchObject({
				message: "The API key isn't allowed to manage AI agents",
				description: saying('The question was asked and then deleted.'),
			});
			// Without a readable list, the node doesn't wait.
			if (refused.length === 2) expect(sent('thread')).toHaveLength(1);
		},
	);
});

describe('A late answer', () => {
	/** Asks two questions: the answer to the first arrives during the second. */
	const late = (first: Array<string | Written>, inTime: Written = after(4, 'Two!')) => {
		const says = (question: string) => (question === 'One' ? first : [inTime]);
		Object.assign(how, { in: 'chat', says });
	};
	const askBoth = async () =>
		await ask(
			{ question: '={{ $json.question }}' },
			{ items: [{ question: 'One' }, { question: 'Two' }], options: { maxAnswerSeconds: 8 } },
		);
	const NAMED = [
		{ in: 'thread', names: 'nothing' },
		{ in: 'chat', names: 'reply' },
	] as const;

	test.each(NAMED)('is not the answer to the next question, if %j shows that', async (named) => {
		late([...TOOL, after(9, 'One!')]);
		Object.assign(how, named);
		const run = await askBoth();
		expect(errorOf(run)).toMatchObject({ message: expect.stringContaining("didn't answer") });
		expect(run.output[1]?.json).toMatchObject({ question: 'Two', answer: 'Two!' });
		expect(run.output[1]?.json).not.toHaveProperty('reason');
		// The late answer stays.
		expect(service().messages()).toMatchObject([{ data: { text: 'One!' } }]);
	});

	test.each(NAMED)('after half an answer is not the next one, if %j shows that', async (named) => {
		late(['One moment.', after(9, 'One!')]);
		Object.assign(how, named);
		const { output } = await askBoth();
		expect(output.map(({ json }) => json.answer)).toEqual(['One moment.', 'Two!']);
		expect(output[1]?.json).not.toHaveProperty('reason');
	});

	const isUnanswered = {
		message: expect.stringContaining("didn't answer"),
		description: expect.stringMatching(/only replies to this question count/),
	};

	test('after an incomplete answer is not used if nothing shows its question', async () => {
		late(['One moment.', ...TOOL, after(9, 'One!')]);
		Object.assign(how, { names: 'nothing' });
		const run = await askBoth();
		expect(run.output[0]?.json.answer).toBe('One moment.');
		expect(errorOf(run, 1)).toMatchObject(isUnanswered);
	});

	test('after a time-out, only answers in threads are used in the rest of the execution', async () => {
		const says = (question: string) => [
			question === 'One' ? after(9, 'One!') : after(1, `${question}!`),
		];
		Object.assign(how, { in: 'chat', names: 'nothing', says });
		const items = ['One', 'Two', 'Three'].map((question) => ({ question }));
		const options = { maxAnswerSeconds: 5 };
		const run = await ask({ question: '={{ $json.question }}' }, { items, options });
		expect([1, 2].map((at) => errorOf(run, at))).toMatchObject([isUnanswered, isUnanswered]);
	});

	test('cannot follow a question that was refused', async () => {
		late([], after(2, 'Two!'));
		Object.assign(how, { names: 'nothing' });
		service().script({ for: { operation: 'sendMessage' }, status: 400 });
		const { output } = await askBoth();
		expect(output[1]?.json).toMatchObject({ answer: 'Two!' });
		expect(output[1]?.json).not.toHaveProperty('reason');
	});

	test('does not disturb an answer that names its question', async () => {
		const says = (question: string) => {
			// From the next question on.
			how.names = 'reply';
			return question === 'One' ? ['One.'] : ['Two!'];
		};
		Object.assign(how, { in: 'chat', names: 'nothing', says });
		const { output } = await askBoth();
		expect(output[1]?.json).toMatchObject({ answer: 'Two!' });
		expect(output[1]?.json).not.toHaveProperty('reason');
	});

	test('to a question that may have been sent is not used, either', async () => {
		late([after(2, 'One!')], after(60, 'Two!'));
		Object.assign(how, { names: 'nothing' });
		service().script({ for: { operation: 'sendMessage' }, drop: 'afterApplying' });
		const run = await askBoth();
		const description = expect.stringContaining('No message was deleted.');
		expect(errorOf(run)).toMatchObject({ effect: 'unknown', description });
		expect(service().messages()).toContainEqual(expect.objectContaining({ data: { text: 'One' } }));
		expect(errorOf(run, 1)).toMatchObject(isUnanswered);
	});

	test('is not the answer if it is older than the question, whatever the list contains', async () => {
		const old = { id: '0.5', category: 'agentic', type: 'assistant', data: { text: 'Old' } };
		service().script({
			for: { operation: 'chat' },
			times: Infinity,
			transform: () => ({ data: [old] }),
		});
		Object.assign(how, { in: 'nowhere' });
		const run = await ask({}, { options: { maxAnswerSeconds: 5 } });
		expect(errorOf(run)).toMatchObject({ message: expect.stringContaining("didn't answer") });
	});
});

test('questions of one user to one agent run one after another, others at the same time', async () => {
	const items = [
		{ question: 'One', as: 'checker' },
		{ question: 'Two', as: 'checker' },
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
	[{ answerMustContain: '={{ $json.none }}' }, 'every answer would pass'],
	[{ answerMustContain: '={{ "" }}' }, 'every answer would pass'],
	[{ askAs: 'Jane Doe' }, `'Ask as User' is "Jane Doe", which is not a valid UID`],
	[{ askAs: 'support-bot' }, "'Ask as User' is the agent itself"],
])('%j is refused before anything is sent', async (parameters, words) => {
	const run = await ask(parameters);
	expect(service().log).toEqual([]);
	expect(errorOf(run)).toMatchObject({ message: expect.stringContaining(words) });
});
