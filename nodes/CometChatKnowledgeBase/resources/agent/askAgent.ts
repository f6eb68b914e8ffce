import { operation } from '../../operations/buildOperation';
import type { ItemContext } from '../../operations/itemContext';
import { changing } from '../../operations/itemContext';
import type { Field, ValuesOf } from '../../fields/field';
import { choiceField, needed, numberField, switchField, textField } from '../../fields/field';
import { agentPicker, picker } from '../../fields/fields';
import { UserError, toResult, isFailure, mayHaveSucceeded, tapFailure } from '../../text/failure';
import { joinLimited, quoted, sentences } from '../../text/quoting';
import { missingTexts, readExpectedTexts } from './answerCheck';
import { questionRequest, readMessageId } from './chat';
import type { AgentAnswer } from './conversation';
import { Conversation } from './conversation';

/** What a message holds is 10 KB at most (https://www.cometchat.com/docs/rest-api/messages). */
const LONGEST_QUESTION = 10_000;

const question = textField(
	{
		displayName: 'Question',
		name: 'question',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		placeholder: 'e.g. When are you open on Saturdays?',
		description: 'What to ask, as a user of the app would write it',
	},
	{ longest: LONGEST_QUESTION },
);

const GIVE_USER = 'Pick a user of the app from the list, or give the UID.';

const user = picker(
	{ noun: 'user', searchListMethod: 'searchUsers', exampleId: 'knowledge-check' },
	{
		displayName: 'Ask As',
		name: 'askAs',
		hint: 'Use a test user. The agent may remember what this user asked before, even after the messages were deleted.',
		description:
			"The app user who sends the question. It appears in this user's chat with the agent. After you change the agent's documents, ask as a user who has not asked the question before.",
	},
);

const askAs: Field<string> = {
	...user,
	read: (value) => {
		const uid = user.read(value);
		// What CometChat allows in a UID (https://www.cometchat.com/docs/rest-api/users); it goes into a header.
		if (/^[\w-]{1,100}$/.test(uid)) return uid;
		throw new UserError(
			`'Ask As' is ${quoted(uid)}, which is no UID of a user`,
			`${GIVE_USER} It has letters, digits, - and _ only.`,
		);
	},
};

const mustContain: Field<string[]> = {
	property: {
		displayName: 'Answer Must Contain',
		name: 'answerMustContain',
		builderHint: {
			propertyHint:
				'Parts of the answer itself, not instructions for a model: short facts, with | between ways to say one',
		},
		type: 'string',
		typeOptions: { rows: 3 },
		default: '',
		placeholder: 'e.g. 10 to 14|10–14|ten to fourteen',
		hint: 'One text a line, with | between alternatives. Empty: the answer is not checked.',
		description:
			'What a right answer contains, in upper or lower case. In one line, such as the cell of a table, ; stands between several texts; an expression may also give a list. Commas belong to the text. If an expression gives nothing, the item fails before anything is asked.',
	},
	read: (value, { context }) => {
		const raw = { rawExpressions: true } as const;
		const typed: unknown = context.getNodeParameter('answerMustContain', 0, '', raw);
		return readExpectedTexts(value, typeof typed === 'string' && typed.startsWith('='));
	},
};

const ifCheckFails = choiceField({
	displayName: 'If the Check Fails',
	name: 'ifCheckFails',
	type: 'options',
	options: [
		{ name: 'Fail', value: 'fail', description: 'The item fails, and its error has the answer' },
		{
			name: 'Give It as a Result',
			value: 'result',
			description: 'The output says that the answer has not passed, and what it lacks',
		},
	],
	default: 'result',
	description:
		'Change it if a wrong answer is to stop the workflow. What to do if the answer does not contain what it must.',
});

/** Ours: CometChat's pages name no time, and an agent that uses tools may take a minute. */
const maxAnswer = numberField(
	{
		displayName: 'Max Answer Time (Seconds)',
		name: 'maxAnswerSeconds',
		type: 'number',
		typeOptions: { minValue: 5, maxValue: 600 },
		default: 60,
		description: 'Raise it for an agent that uses tools. How long to wait at most for the answer.',
	},
	{ scale: 1000 },
);

const keepMessages = switchField({
	displayName: 'Keep Messages',
	name: 'keepMessages',
	type: 'boolean',
	default: false,
	description:
		'Whether, to look at them later, question and answer stay in the chat of the user. If off, both are deleted for good.',
});

const fields = {
	uid: agentPicker('The agent to ask. It has to be active.'),
	question: needed(question),
	askAs,
	texts: mustContain,
};

/** What an item asks. */
type AskedFor = ValuesOf<typeof fields>;

export const askAgent = operation({
	value: 'ask',
	name: 'Ask',
	action: 'Ask an agent and check its answer',
	description:
		'Ask an agent as a user would, and check its answer. Each question costs what a chat costs.',
	fields,
	options: { ifCheckFails, keepsMessages: keepMessages, maxAnswerMs: maxAnswer },
	output: ['uid', 'reason', 'question', 'passed', 'answer', 'missing', 'durationMs'],
	/** `timedOut`: the chats in which an answer may still come late. */
	shared: (run) => ({ run, timedOut: new Set<string>() }),
	// Two questions of one user at once: nothing tells for sure which of them an answer is for.
	order: chatOf,
	check: (task) => {
		if (task.askAs !== task.uid) return;
		throw new UserError("'Ask As' is the agent itself", GIVE_USER);
	},
	asked: (task) => ({ question: task.question }),
	run: async (task, item, { run, timedOut }) => {
		const sinceMs = run.clock.nowMs();
		const chat = chatOf(task);
		const isThreadOnly = timedOut.has(chat);
		const id = await tapFailure(sendQuestion(task, item), (failure) => {
			if (mayHaveSucceeded(failure)) timedOut.add(chat);
		});
		const question = { ...task, id, sinceMs, isThreadOnly };
		const conversation = new Conversation(run.clock, item, question);
		const found = await toResult(conversation.answer(task.maxAnswerMs));
		const answer = isFailure(found) ? undefined : found;
		if (!answer?.hasEnded) timedOut.add(chat);
		const remaining = task.keepsMessages ? undefined : await conversation.delete();
		const asked = task.keepsMessages || remaining ? 'The question was asked.' : ASKED_AND_DELETED;
		const detail = sentences(!answer && asked, remaining !== undefined && `${remaining}.`);
		item.state = { effect: 'partly applied', detail, hint: '' };
		if (isFailure(found)) throw found;
		const output = outputOf(task, found);
		if (output.passed === false && task.ifCheckFails === 'fail') {
			item.shown = output;
			throw notPassed(output);
		}
		if (remaining !== undefined) item.warn(remaining);
		return output;
	},
});

function chatOf({ askAs, uid }: AskedFor): string {
	return JSON.stringify([askAs, uid]);
}

/** @returns The ID of the question. */
async function sendQuestion(
	{ uid, askAs, question }: AskedFor,
	item: ItemContext,
): Promise<string> {
	// Sent again after a lost answer, the agent could be asked twice.
	const sending = item.call(questionRequest(uid, askAs, question), readMessageId, {
		repeat: 'never',
	});
	return await changing(item, sending, {
		not: 'The question was not asked.',
		unknown:
			'It is not known whether the question was asked. It was not sent again, because the agent could then be asked twice.',
		hint: 'Look at the chat of this user before you ask again: nothing was deleted.',
	});
}

function outputOf({ question, texts, uid }: AskedFor, answer: AgentAnswer) {
	const { text, durationMs, hasEnded } = answer;
	const missing = missingTexts(texts, text);
	return {
		...{ uid, question, answer: text, durationMs },
		...(!hasEnded && { reason: ANSWER_TRUNCATED }),
		...(texts.length > 0 && { passed: missing.length === 0 }),
		...(missing.length > 0 && { missing }),
	};
}

function notPassed({ missing = [], answer, reason }: ReturnType<typeof outputOf>): UserError {
	const detail = `It lacks ${joinLimited(missing.map(quoted))}, and says: ${quoted(answer)}.`;
	return new UserError(
		"The agent's answer does not contain what it must",
		"Look what the agent has and what its instruction says; or correct 'Answer Must Contain'.",
		{ detail: sentences(detail, reason ?? false) },
	);
}

const ANSWER_TRUNCATED =
	"The agent had not ended when 'Max Answer Time (Seconds)' was over, so its answer may go on. Raise that option under Options.";

const ASKED_AND_DELETED =
	'The question was asked and deleted again; an answer that comes later stays in the chat.';
