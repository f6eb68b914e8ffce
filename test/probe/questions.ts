/** A question that CometChat's pages leave open. Without steps, it is only listed. */
export type Question = ReturnType<typeof readQuestion>;

/** A request of a question. The probe's own values replace the names in braces. */
export type Step = ReturnType<typeof readStep>;

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

const PAGE_START = `# Not yet tested with the live service

**This node was never tested with the live CometChat service.** It was built from CometChat's public documentation, and tested against a simulator. This page lists open questions, the assumptions of the node, and your options if an assumption is wrong.

- **●** marks evidence: CometChat's own [dashboard tests](https://github.com/ishwar-borwar-cometchat/Dashboard-Automation) against live apps, of September 2026. They use the dashboard and its own API, not the REST API.
- \`npm run probe\` asks the live service with your key, and shows the answers. It asks you before it creates an agent, files, a text entry and a user, and deletes them again. It crawls only the page that you name, and doesn't ask questions with **○**.
`;

/** Returns `docs/not-verified.md`, with each question once. */
export function page(table: string): string {
	const subjects = subjectsIn(table).map(({ title, questions }) => {
		const rows = questions.map(({ question, choice, otherwise, steps }) => {
			return `- **${question}**${steps.length > 0 ? '' : ' ○'} ${choice} _If not:_ ${otherwise}`;
		});
		return `\n## ${title}\n\n${rows.join('\n')}\n`;
	});
	return PAGE_START + subjects.join('');
}
