import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Step } from './client';

/** What CometChat's pages leave open. */
export interface Question {
	question: string;
	/** What the node does, or takes for true. */
	choice: string;
	/** What to do if it is otherwise. */
	otherwise: string;
	/** None: it is only told. */
	steps: Step[];
}

const [, ...PARTS] = readFileSync(join(__dirname, 'questions.txt'), 'utf8').split(/^# /m);

/** In the order in which they are asked. */
export const SUBJECTS = PARTS.map((part) => {
	const [title = '', ...questions] = part.trim().split('\n\n? ');
	return { title, questions: questions.map(readQuestion) };
});

function readQuestion(text: string): Question {
	const [question = '', choice = '', otherwise = '', ...lines] = text.split('\n');
	const requests = lines.length === 0 ? [] : lines.join('\n').slice(2).split('\n> ');
	return { question, choice, otherwise, steps: requests.map(readStep) };
}

function readStep(text: string): Step {
	const [request = '', more = ''] = text.split('\n+ ');
	const [send = '', expected = ''] = request.split(/\s=> /);
	const named = (sign: string) =>
		Object.fromEntries(more.split(' ').flatMap((word) => pairIn(word, sign)));
	return {
		send,
		expected: expected.split(' & '),
		makes: named('='),
		keeps: named('<'),
		headers: named(':'),
		isPolled: more.startsWith('until') || more.endsWith('until'),
	};
}

/** What stands before a sign and behind it, if the word's first sign is this one. */
function pairIn(word: string, wanted: string): Array<[string, string]> {
	const [, name = '', sign, value = ''] = /^([\w-]+)([=<:])(.+)$/.exec(word) ?? [];
	return sign === wanted ? [[name, value]] : [];
}
