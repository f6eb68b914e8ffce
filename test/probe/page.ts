import { SUBJECTS } from './questions';

const START = `# What is not verified

Nobody here has a CometChat account: **nothing was tried against the live service.** The node is built on CometChat's interface document and public pages, and tested against a stand-in that does what they say. What they leave open stands below, with our choice, and with what to do if it is otherwise.

\`npm run probe\` asks the live service with your key, and tells how. It lists what you have, and asks before it makes an agent, files, a text and a user of its own, which it deletes again. It crawls only the page that you name. The questions with ○ it does not ask.
`;

/** `docs/not-verified.md`: each question is told once. */
export function page(): string {
	const subjects = SUBJECTS.map(({ title, questions }) => {
		const rows = questions.map(({ question, choice, otherwise, steps }) => {
			return `- **${question}**${steps.length > 0 ? '' : ' ○'} ${choice} _If not:_ ${otherwise}`;
		});
		return `\n## ${title}\n\n${rows.join('\n')}\n`;
	});
	return START + subjects.join('');
}
