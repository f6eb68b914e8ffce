import fc from 'fast-check';

import type { Exchange } from '../exchanges';
import { askedItems, each, first } from '../expectations/sending';
import type { Case, Item, Operation, Options, Wanted } from '../operation';
import { FEW_RECORDS, MOST_ITEMS } from '../records';
import { agent, itemOf, pacing, unusable } from '../scenario';
import { nameOf } from '../serviceBehaviour';

interface Asking extends Wanted {
	uid: string;
	/** The question, which no other item has. */
	title: string;
	askAs: string;
}

interface AskOptions extends Options {
	maxAnswerSeconds?: number;
	keepMessages?: boolean;
}

const USERS = ['checker', 'other'];

const draft = itemOf(
	[
		unusable({ agent: 'guide', question: ' ', askAs: 'checker' }),
		unusable({ agent: 'guide', question: 'x', askAs: 'guide' }),
	],
	fc.record({ uid: agent, askAs: fc.constantFrom(...USERS) }),
	({ askAs, uid }, index): Item<Asking> => ({
		json: { agent: uid, question: nameOf(index), askAs },
		wanted: { uid, askAs, title: nameOf(index) },
	}),
);

const CHAT = ['thread', 'chat', 'deleteMessage'];

export const askAgent: Operation<Asking, AskOptions> = {
	name: 'askAgent',
	runs: 120,
	parameters: {
		resource: 'agent',
		operation: 'ask',
		uid: { __rl: true, mode: 'id', value: '={{ $json.agent }}' },
		question: '={{ $json.question }}',
		askAs: '={{ $json.askAs }}',
	},
	records: FEW_RECORDS,
	requests: ['sendMessage', 'thread', 'chat', 'deleteMessage'],
	sharedRequests: [],
	draft,
	mostItems: MOST_ITEMS,
	options: fc.record({
		...pacing,
		maxAnswerSeconds: fc.constantFrom(undefined, 5, 20),
		keepMessages: fc.constantFrom(undefined, true, false),
	}),
	variant: fc
		.record({
			ms: fc.constantFrom(0, 700, 4000, 15_000),
			in: fc.constantFrom(
				'thread' as const,
				'thread' as const,
				'chat' as const,
				'nowhere' as const,
			),
		})
		.map((answering) => ({ answering: { ...answering, users: USERS } })),
	// Of the others nothing tells for which of several items of one user they are.
	ownersOf: ({ arrival }, { scenario: { items } }) =>
		items.flatMap(({ wanted }, index) =>
			typeof wanted === 'object' && arrival.fileNames?.includes(wanted.title) ? [index] : [],
		),
	isNoFailure: ([one]) => isOfChat(one),
	isSentAfterFailure: ({ arrival }) => arrival.operation === 'deleteMessage',
	canBeDone: ({ wanted: { uid } }, { scenario }) => {
		const { ms = 0, in: place } = scenario.variant.answering ?? {};
		if (uid === 'nobody' || place === 'nowhere') return false;
		// Others of the run may be waited for, and time goes by with each look.
		return ms < 1000 ? true : undefined;
	},
	promises: [
		{
			title: 'no question is asked twice',
			contradiction: ({ exchanges }: Case<Asking, AskOptions>) =>
				first(exchanges, (one) => {
					const { operation, fileNames = [] } = one.arrival;
					const same = exchanges.filter(
						({ applied, arrival }) =>
							applied &&
							arrival.operation === operation &&
							arrival.fileNames?.join() === fileNames.join(),
					);
					return operation === 'sendMessage' && same.length > 1
						? `${fileNames.join()} was asked ${same.length} times`
						: undefined;
				}),
		},
		{
			title: 'what is said to be the answer to a question is its own',
			contradiction: each(askedItems, ({ index, wanted, reported: { outputs } }) =>
				first(outputs, ({ answer, question }) =>
					answer === `You asked: ${wanted.title}` && question === wanted.title
						? undefined
						: `item ${index} has the answer ${JSON.stringify(answer)}`,
				),
			),
		},
		{
			title: 'what is deleted is what was asked and answered, and nothing if it is to be kept',
			contradiction: ({ exchanges, scenario }: Case<Asking, AskOptions>) =>
				scenario.options.keepMessages &&
				exchanges.some(({ arrival }) => arrival.operation === 'deleteMessage')
					? 'a message was deleted'
					: undefined,
		},
	],
	wording: [[/The question was asked\./, 'partly applied']],
	meets: {
		'an answer': (_, reported) => reported.some(({ outputs }) => outputs.length > 0),
		'no answer in time': ({ run }) => run.stored.includes('did not answer within'),
		'a message deleted': ({ exchanges }) =>
			exchanges.some(({ applied, arrival }) => applied && arrival.operation === 'deleteMessage'),
	},
	neverMeets: ['skipped'],
};

function isOfChat(one: Exchange | undefined): boolean {
	return CHAT.includes(one?.arrival.operation ?? '');
}
