import type { INodeProperties } from 'n8n-workflow';

import type { ItemRun, Performer, Reader, Ready } from '../../execution/items';
import { itemByItem } from '../../execution/items';
import type { Operation, RunContext } from '../../execution/operation';
import type { Standing } from '../../execution/itemContext';
import { ItemContext } from '../../execution/itemContext';
import { agentField, pickedField } from '../../input/fields';
import { readLocator, readUid } from '../../input/identifiers';
import { choiceOption, switchOption } from '../../input/options';
import { readNeededWords } from '../../input/words';
import { isItemFailure, mayBeDone, ApiError } from '../../results/apiError';
import type { ItemResult } from '../../results/itemResult';
import { sentences } from '../../results/itemResult';
import { questionRequest, readMessageId } from '../../service/chat';
import { listed, quoted } from '../../values/quoting';
import { UserError } from '../../values/userError';
import { lacking, readExpectedTexts } from './answerCheck';
import type { AgentAnswer, Earlier } from './conversation';
import { Conversation, maxAnswerOption } from './conversation';
import { attempt } from '../../service/apiClient';

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
	/** By the chat: what may still come of the questions before. */
	const chats = new Map<string, Earlier>();
	return {
		perform: async (item) => await askOne(item, run, chats),
		// Two questions of one user at once: nothing tells for sure which of them an answer is for.
		keysOf: async ({ task }) => [chatOf(task)],
	};
}

/** Two spellings are one user. */
function chatOf({ askAs, uid }: AskTask): string {
	return JSON.stringify([askAs.toLowerCase(), uid.toLowerCase()]);
}

async function askOne(
	{ task, requested }: Ready<AskTask>,
	run: ItemRun,
	chats: Map<string, Earlier>,
): Promise<ItemResult> {
	const { askAs, question, uid } = task;
	const steps = new ItemContext(run);
	const sinceMs = run.clock.nowMs();
	const earlier = chats.get(chatOf(task)) ?? { runs: new Set(), late: 'no' };
	// Sent again after a lost answer, the agent could be asked twice.
	const request = questionRequest(uid, askAs, question);
	const id = await attempt(steps, request, readMessageId, { repeat: 'never' });
	if (id instanceof ApiError) {
		if (!mayBeDone(id)) return steps.failed(id, requested, NOT_ASKED);
		chats.set(chatOf(task), { ...earlier, late: 'likely' });
		return steps.failed(id, requested, PERHAPS_ASKED);
	}
	const conversation = new Conversation(run, steps, { uid, askAs, id, sinceMs, earlier });
	const answer = await conversation.answer();
	chats.set(chatOf(task), conversation.after(answer));
	const isKept = run.option(keepMessagesOption);
	const left = isKept ? [] : await conversation.delete();
	const notDeleted =
		left.length > 0 &&
		`Of the chat of ${quoted(askAs)} with the agent, these messages could not be deleted: ${listed(left)}`;
	if (isItemFailure(answer)) {
		const asked = isKept || notDeleted ? 'The question was asked.' : ASKED_AND_DELETED;
		return steps.failed(answer, requested, askedStanding(asked, notDeleted));
	}
	const json = outputOf(task, answer);
	if (json.passed === false && run.option(ifCheckFailsOption) === 'fail') {
		return steps.failed(notPassed(json.missing, answer), json, askedStanding(false, notDeleted));
	}
	if (notDeleted) steps.warn(notDeleted);
	return steps.done([json]);
}

function askedStanding(asked: string | false, notDeleted: string | false): Standing {
	const consequence = sentences(asked, notDeleted && `${notDeleted}.`);
	return { effect: 'partly applied', consequence, goOn: '' };
}

function outputOf(
	{ question, texts, uid }: AskTask,
	{ text: answer, durationMs, reason }: AgentAnswer,
) {
	const missing = lacking(texts, answer);
	return {
		...{ uid, question, answer, durationMs },
		...(reason && { reason }),
		...(texts.length > 0 && { passed: missing.length === 0 }),
		...(missing.length > 0 && { missing }),
	};
}

function notPassed(missing: string[] = [], { text, reason }: AgentAnswer): UserError {
	const said = `It lacks ${listed(missing.map(quoted))}, and says: ${quoted(text)}.`;
	return new UserError(
		"The agent's answer does not contain what it must",
		"Look what the agent has and what its instruction says; or correct 'Answer Must Contain'.",
		{ said: sentences(said, reason ?? false) },
	);
}

const NOT_ASKED: Standing = { effect: 'not applied', consequence: 'The question was not asked.' };

const PERHAPS_ASKED: Standing = {
	effect: 'unknown',
	consequence:
		'It is not known whether the question was asked. It was not sent again, because the agent could then be asked twice.',
	goOn: 'Look at the chat of this user before you ask again: nothing was deleted.',
};

const ASKED_AND_DELETED: string =
	'The question was asked and deleted again; an answer that comes later stays in the chat.';
