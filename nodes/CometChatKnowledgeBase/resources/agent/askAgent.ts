import { operation } from '../../operations/buildOperation';
import type { ItemContext } from '../../operations/itemContext';
import { changing } from '../../operations/itemContext';
import type { Field, ValuesOf } from '../../fields/field';
import { choiceField, needed, numberField, switchField, textField } from '../../fields/field';
import { agentPicker, picker } from '../../fields/fields';
import { hasExpression, typedParameter } from '../../fields/parameters';
import { UserError, toResult, isFailure, mayHaveSucceeded } from '../../text/failure';
import { joinLimited, quoted, sentences } from '../../text/quoting';
import { missingTexts, readExpectedTexts } from './answerCheck';
import { questionRequest, readMessageId } from './chat';
import type { AgentAnswer } from './conversation';
import { Conversation } from './conversation';

/** A message has 10 KB at most (https://www.cometchat.com/docs/rest-api/messages). */
const LONGEST_QUESTION = 10_000;

const question = textField(
	{
		displayName: 'Question',
		name: 'question',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		placeholder: 'e.g. When are you open on Saturdays?',
		description: 'The question, as an app user would write it',
	},
	{ longest: LONGEST_QUESTION },
);

const CHOOSE_USER = 'Choose an app user from the list, or enter the UID.';

const user = picker(
	{ noun: 'app user', searchListMethod: 'searchUsers', exampleId: 'knowledge-check' },
	{
		displayName: 'Ask as User',
		name: 'askAs',
		hint: 'Use a test user. The agent may remember earlier questions of this user, even if the messages were deleted.',
		description:
			"The app user who sends the question. The question appears in this user's chat with the agent. After you change the agent's documents, ask as a user who hasn't asked the question before.",
	},
);

const askAs: Field<string> = {
	...user,
	read: (value) => {
		const uid = user.read(value);
		// CometChat's rule for a UID (https://www.cometchat.com/docs/rest-api/users), which is sent in a header.
		if (/^[\w-]{1,100}$/.test(uid)) return uid;
		throw new UserError(
			`'Ask as User' is ${quoted(uid)}, which is not a valid UID`,
			`${CHOOSE_USER} A UID contains only letters, digits, - and _.`,
		);
	},
};

const mustContain: Field<string[]> = {
	property: {
		displayName: 'Answer Must Contain',
		name: 'answerMustContain',
		builderHint: {
			propertyHint:
				'Short facts from the answer itself, not instructions for a model. Separate alternative wordings of a fact with |.',
		},
		type: 'string',
		typeOptions: { rows: 3 },
		default: '',
		placeholder: 'e.g. 10 to 14|10–14|ten to fourteen',
		hint: 'One text per line. Separate alternatives with |. Leave empty to skip the check.',
		description:
			'Texts that a correct answer must contain, in upper or lower case. A number or word is found as a whole: 10 is not in 110. In a table cell, separate several texts with semicolons, not with commas. An expression can also return a list. To forbid a word, check the field answer with an If node.',
	},
	read: (value, { context }) =>
		readExpectedTexts(value, hasExpression(typedParameter(context, 'answerMustContain'))),
};

const ifCheckFails = choiceField({
	displayName: 'If Answer Check Fails',
	name: 'ifCheckFails',
	type: 'options',
	options: [
		{
			name: 'Continue',
			value: 'result',
			description: 'The output contains passed = false and the missing texts',
		},
		{
			name: 'Fail',
			value: 'fail',
			description: 'The item fails, and the error contains the answer',
		},
	],
	default: 'result',
	displayOptions: { hide: { answerMustContain: [''] } },
	description: "What to do if the answer doesn't contain all required texts",
});

/** Our choice: CometChat's pages name no time, and an agent with tools may need a minute. */
const maxAnswer = numberField(
	{
		displayName: 'Answer Timeout (Seconds)',
		name: 'maxAnswerSeconds',
		type: 'number',
		typeOptions: { minValue: 5, maxValue: 600 },
		default: 60,
		description: 'How long to wait for the answer. Increase the time for an agent that uses tools.',
	},
	{ scale: 1000 },
);

const keepMessages = switchField({
	displayName: 'Keep Messages',
	name: 'keepMessages',
	type: 'boolean',
	default: false,
	description:
		"Whether to keep the question and the answer in the user's chat. If off, the question and the replies to it are deleted permanently.",
});

const fields = {
	uid: agentPicker('The agent to ask. It must be active.'),
	question: needed(question),
	askAs,
	texts: mustContain,
	ifCheckFails,
};

type AskedFor = ValuesOf<typeof fields>;

export const askAgent = operation({
	value: 'ask',
	name: 'Ask Question',
	action: 'Ask agent question',
	description:
		'Ask an agent a question and check the answer. Each question costs as much as in a chat.',
	fields,
	options: { keepsMessages: keepMessages, maxAnswerMs: maxAnswer },
	output: ['uid', 'reason', 'question', 'passed', 'answer', 'missing', 'durationMs'],
	/** `timedOut`: the chats in which a late answer may still arrive. */
	shared: (run) => ({ run, timedOut: new Set<string>() }),
	// With two questions of one user at the same time, nothing shows for sure which question an answer belongs to.
	order: chatOf,
	check: (task) => {
		if (task.askAs !== task.uid) return;
		throw new UserError("'Ask as User' is the agent itself", CHOOSE_USER);
	},
	asked: (task) => ({ question: task.question }),
	run: async (task, item, { run, timedOut }) => {
		const sinceMs = run.starting.clock.nowMs();
		const chat = chatOf(task);
		const isThreadOnly = timedOut.has(chat);
		const id = await toResult(sendQuestion(task, item));
		if (isFailure(id)) {
			if (mayHaveSucceeded(id)) timedOut.add(chat);
			throw id;
		}
		const question = { ...task, id, sinceMs, isThreadOnly };
		const conversation = new Conversation(run, item, question);
		const found = await toResult(conversation.answer(task.maxAnswerMs));
		const answer = isFailure(found) ? undefined : found;
		if (!answer?.hasEnded) timedOut.add(chat);
		const remaining = task.keepsMessages ? undefined : await conversation.delete();
		const asked = task.keepsMessages || remaining ? 'The question was asked.' : ASKED_AND_DELETED;
		const detail = sentences(!answer && asked, remaining !== undefined && `${remaining}.`);
		item.state = { effect: 'partly applied', detail, hint: '' };
		if (isFailure(found)) throw found;
		if (!task.keepsMessages && !found.isReply) item.remark(ANSWER_STAYS);
		const output = outputOf(task, found);
		if (output.passed === false && task.ifCheckFails === 'fail') {
			item.shown = output;
			throw notPassed(output);
		}
		if (output.passed === false) item.warn(NOT_PASSED);
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
	// Not repeated after a lost response, because the agent could be asked twice.
	const sending = item.call(questionRequest(uid, askAs, question), readMessageId, {
		repeat: 'never',
	});
	return await changing(item, sending, {
		not: 'The question was not asked.',
		unknown:
			"CometChat didn't confirm that the question was asked. The node didn't try again, because the agent could then be asked twice. No message was deleted.",
		hint: 'Check the chat of this user before you ask again.',
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

const NOT_PASSED =
	"The answer doesn't contain all required texts: see 'missing' in the output. To get an error instead, set 'If Answer Check Fails' to 'Fail'";

function notPassed({ missing = [], answer, reason }: ReturnType<typeof outputOf>): UserError {
	const detail = `Missing: ${joinLimited(missing.map(quoted))}. Answer: ${quoted(answer)}.`;
	return new UserError(
		"The agent's answer doesn't contain all required texts",
		"Check the agent's documents and instructions, or correct 'Answer Must Contain'.",
		{ detail: sentences(detail, reason ?? false) },
	);
}

const ANSWER_TRUNCATED =
	"The agent was still writing when 'Answer Timeout (Seconds)' ended, so the answer may be incomplete. Increase 'Answer Timeout (Seconds)' under 'Options'.";

const ANSWER_STAYS =
	"The answer stays in the user's chat, because CometChat doesn't show that it belongs to this question";

const ASKED_AND_DELETED =
	'The question was asked and then deleted. An answer that arrives later stays in the chat.';
