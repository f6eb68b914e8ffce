/** What CometChat's pages leave open; without steps it is only told. */
export type Question = ReturnType<typeof readQuestion>;

/** One request of a question. Names in braces stand for what the run has made. */
export type Step = ReturnType<typeof readStep>;

/** Of questions.txt, in the order in which they are asked. */
export function subjectsIn(table: string) {
	const [, ...parts] = table.split(/^# /m);
	return parts.map((part) => {
		const [title = '', ...questions] = part.trim().split('\n\n? ');
		return { title, questions: questions.map(readQuestion) };
	});
}

function readQuestion(text: string) {
	const [question = '', choice = '', otherwise = '', ...lines] = text.split('\n');
	const requests = lines.length === 0 ? [] : lines.join('\n').slice(2).split('\n> ');
	return { question, choice, otherwise, steps: requests.map(readStep) };
}

function readStep(text: string) {
	const [request = '', more = ''] = text.split('\n+ ');
	const [send = '', expected = ''] = request.split(/\s=> /);
	const pairs = [...more.matchAll(/([\w-]+)([=<:])(\S+)/g)];
	const named = (wanted: string): Record<string, string> =>
		Object.fromEntries(
			pairs.flatMap(([, name, sign, value]) => (sign === wanted ? [[name, value]] : [])),
		);
	return {
		send,
		expected: expected.split(' & '),
		makes: named('='),
		keeps: named('<'),
		headers: named(':'),
		isPolled: more.startsWith('until') || more.endsWith('until'),
	};
}

const PAGE_START = `# What is not verified

Nobody here has a CometChat account: **nothing was tried against the live service.** The node is built on CometChat's interface document and public pages, and tested against a stand-in that does what they say. What they leave open stands below, with our choice, and with what to do if it is otherwise.

\`npm run probe\` asks the live service with your key, and tells how. It lists what you have, and asks before it makes an agent, files, a text and a user of its own, which it deletes again. It crawls only the page that you name. The questions with ○ it does not ask.
`;

/** `docs/not-verified.md`: each question is told once. */
export function page(table: string): string {
	const subjects = subjectsIn(table).map(({ title, questions }) => {
		const rows = questions.map(({ question, choice, otherwise, steps }) => {
			return `- **${question}**${steps.length > 0 ? '' : ' ○'} ${choice} _If not:_ ${otherwise}`;
		});
		return `\n## ${title}\n\n${rows.join('\n')}\n`;
	});
	return PAGE_START + subjects.join('');
}
