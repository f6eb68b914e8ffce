import type { INodeProperties } from 'n8n-workflow';

import type { ItemRun, Performer, Reader } from '../../execution/items';
import { itemByItem } from '../../execution/items';
import type { Operation, RunContext } from '../../execution/operation';
import type { Standing } from '../../execution/itemContext';
import { ItemContext } from '../../execution/itemContext';
import { agentField, pickedField } from '../../input/fields';
import { readLocator, readUid } from '../../input/identifiers';
import { choiceOption, numberOption, switchOption } from '../../input/options';
import { readNeededWords } from '../../input/words';
import { caught, isItemFailure, mayBeDone } from '../../results/apiError';
import { sentences } from '../../results/itemResult';
import { questionRequest, readMessageId } from '../../service/chat';
import { listed, quoted } from '../../values/quoting';
import { UserError } from '../../values/userError';
import { lacking, readExpectedTexts } from './answerCheck';
import type { AgentAnswer, Earlier } from './conversation';
import { Conversation } from './conversation';

interface AskTask {
	uid: string;
	/** UID of the user who asks. */
	askAs: string;
	question: string;
	/** What the answer must contain; none: nothing is checked. */
	texts: string[];
}

/** What a message holds is 10 KB at most (https://www.cometchat.com/docs/rest-api/messages). */
const LONGEST_QUESTION = 10_000;

const askedAgentField: INodeProperties = {
	...agentField,
	description: 'The agent to ask. It has to be active.',
};

const questionField: INodeProperties = {
	displayName: 'Question',
	name: 'question',
	type: 'string',
	typeOptions: { rows: 2 },
	required: true,
	default: '',
	placeholder: 'e.g. When are you open on Saturdays?',
	description: 'What to ask, as a user of the app would write it',
};

const askAsField = pickedField(
	{
		displayName: 'Ask As',
		name: 'askAs',
		hint: 'Best a user who is there for this alone',
		description:
			'The user of the app who asks. The question stands in the chat of this user with the agent.',
	},
	{ placeholder: 'Pick a user…', searchListMethod: 'searchUsers' },
	'knowledge-check',
);

const mustContainField: INodeProperties = {
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
};

const ifCheckFailsOption = choiceOption({
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
const maxAnswerOption = numberOption(
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

const keepMessagesOption = switchOption({
	displayName: 'Keep Messages',
	name: 'keepMessages',
	type: 'boolean',
	default: false,
	description:
		'Whether, to look at them later, question and answer stay in the chat of the user. If off, both are deleted for good.',
});

export const askAgent: Operation = {
	value: 'ask',
	name: 'Ask',
	action: 'Ask an agent and check its answer',
	description:
		'Ask an agent as a user would, and check its answer. Each question costs what a chat costs.',
	fields: [askedAgentField, questionField, askAsField, mustContainField],
	options: [ifCheckFailsOption, keepMessagesOption, maxAnswerOption],
	output: ['uid', 'reason', 'question', 'passed', 'answer', 'missing', 'durationMs'],
	run: itemByItem(askReader, asker),
};

function askReader(run: RunContext): Reader<AskTask> {
	const uidOf = run.parameter('uid');
	const questionOf = run.parameter('question');
	const askAsOf = run.parameter('askAs');
	const textsOf = run.parameter('answerMustContain');
	const raw = { rawExpressions: true } as const;
	const typed: unknown = run.context.getNodeParameter('answerMustContain', 0, '', raw);
	const isExpression = typeof typed === 'string' && typed.startsWith('=');
	return (index) => {
		const uid = readUid(uidOf(index));
		const question = readNeededWords("'Question'", questionOf(index), LONGEST_QUESTION);
		const askAs = readAskAs(askAsOf(index), uid);
		const texts = readExpectedTexts(textsOf(index), isExpression);
		return { kind: 'ready', task: { uid, askAs, question, texts }, requested: { uid, question } };
	};
}

const GIVE_USER = 'Pick a user of the app from the list, or give the UID.';

/** What CometChat allows in a UID (https://www.cometchat.com/docs/rest-api/users); it goes into a header. */
function readAskAs(value: unknown, uid: string): string {
	const askAs = readLocator(value, "'Ask As'", GIVE_USER);
	if (!/^[\w-]{1,100}$/.test(askAs)) {
		throw new UserError(
			`'Ask As' is ${quoted(askAs)}, which is no UID of a user`,
			`${GIVE_USER} It has letters, digits, - and _ only.`,
		);
	}
	if (askAs.toLowerCase() === uid.toLowerCase())
		throw new UserError("'Ask As' is the agent itself", GIVE_USER);
	return askAs;
}

function asker(run: ItemRun): Performer<AskTask> {
	const chats: Chats = new Map();
	return {
		perform: async ({ task, requested }) => {
			const item = new ItemContext(run);
			try {
				return item.done([await askOne(task, item, run, chats)]);
			} catch (thrown) {
				if (!isItemFailure(thrown)) throw thrown;
				return item.failed(thrown, { ...requested, ...item.shown }, item.standing);
			}
		},
		// Two questions of one user at once: nothing tells for sure which of them an answer is for.
		keysOf: async ({ task }) => [chatOf(task)],
	};
}

/** By the chat: what may still come of the questions before. */
type Chats = Map<string, Earlier>;

/** Two spellings are one user. */
function chatOf({ askAs, uid }: AskTask): string {
	return JSON.stringify([askAs.toLowerCase(), uid.toLowerCase()]);
}

async function askOne(task: AskTask, item: ItemContext, run: ItemRun, chats: Chats) {
	const { askAs, uid } = task;
	const sinceMs = run.clock.nowMs();
	const earlier = chats.get(chatOf(task)) ?? { runs: new Set(), late: 'no' };
	item.standing = NOT_ASKED;
	const id = await caught(send(task, item));
	if (isItemFailure(id)) {
		if (!mayBeDone(id)) throw id;
		chats.set(chatOf(task), { ...earlier, late: 'likely' });
		item.standing = PERHAPS_ASKED;
		throw id;
	}
	const conversation = new Conversation(run, item, { uid, askAs, id, sinceMs, earlier });
	const found = await caught(conversation.answer(run.option(maxAnswerOption)));
	const answer = isItemFailure(found) ? undefined : found;
	chats.set(chatOf(task), conversation.after(answer));
	const isKept = run.option(keepMessagesOption);
	const left = isKept ? [] : await conversation.delete();
	const notDeleted =
		left.length > 0 &&
		`Of the chat of ${quoted(askAs)} with the agent, these messages could not be deleted: ${listed(left)}`;
	const asked = isKept || notDeleted ? 'The question was asked.' : ASKED_AND_DELETED;
	const consequence = sentences(!answer && asked, notDeleted && `${notDeleted}.`);
	item.standing = { effect: 'partly applied', consequence, goOn: '' };
	if (isItemFailure(found)) throw found;
	const output = outputOf(task, found);
	if (output.passed === false && run.option(ifCheckFailsOption) === 'fail') {
		item.shown = output;
		throw notPassed(output);
	}
	if (notDeleted) item.warn(notDeleted);
	return output;
}

/** @returns The ID of the question. */
async function send({ uid, askAs, question }: AskTask, item: ItemContext): Promise<string> {
	// Sent again after a lost answer, the agent could be asked twice.
	const request = questionRequest(uid, askAs, question);
	return await item.call(request, readMessageId, { repeat: 'never' });
}

function outputOf({ question, texts, uid }: AskTask, answer: AgentAnswer) {
	const { text, durationMs, hasEnded, isSure } = answer;
	const missing = lacking(texts, text);
	const reason = hasEnded ? !isSure && UNTOLD : CUT_OFF;
	return {
		...{ uid, question, answer: text, durationMs },
		...(reason && { reason }),
		...(texts.length > 0 && { passed: missing.length === 0 }),
		...(missing.length > 0 && { missing }),
	};
}

function notPassed({ missing = [], answer, reason }: ReturnType<typeof outputOf>): UserError {
	const said = `It lacks ${listed(missing.map(quoted))}, and says: ${quoted(answer)}.`;
	return new UserError(
		"The agent's answer does not contain what it must",
		"Look what the agent has and what its instruction says; or correct 'Answer Must Contain'.",
		{ said: sentences(said, reason ?? false) },
	);
}

const CUT_OFF =
	"The agent had not ended when 'Max Answer Time (Seconds)' was over, so its answer may go on. Raise that option under Options.";

const UNTOLD =
	'Nothing in it tells for sure that it answers this question and not the one before. To be sure, ask each question as another user of the app.';

const NOT_ASKED: Standing = { effect: 'not applied', consequence: 'The question was not asked.' };

const PERHAPS_ASKED: Standing = {
	effect: 'unknown',
	consequence:
		'It is not known whether the question was asked. It was not sent again, because the agent could then be asked twice.',
	goOn: 'Look at the chat of this user before you ask again: nothing was deleted.',
};

const ASKED_AND_DELETED =
	'The question was asked and deleted again; an answer that comes later stays in the chat.';
