import { serviceWords } from '../../../nodes/CometChatKnowledgeBase/results/messages';
import type { AttemptResult } from '../../../nodes/CometChatKnowledgeBase/requests/attemptResult';
import { inBrief } from '../client';
import type { Context } from '../context';
import { isApplied, notDone, shownAgent } from '../context';
import { couldNotTell, doesNotHold, holds, question, together } from '../question';

interface Deletion {
	/** In words for the person. */
	called: string;
	id: string;
	reply: AttemptResult;
}

/** Deletes the first file and the text, as far as there are such. */
async function deleteBoth(
	{ client, throwaways, first, textId }: Context,
	what: (called: string) => string,
): Promise<Deletion[]> {
	const deletions: Deletion[] = [];
	for (const [kind, called, id] of [
		['uploads', 'file', first?.id],
		['text', 'text', textId],
	] as const) {
		if (id === undefined) continue;
		deletions.push({ called, id, reply: await throwaways.delete(client, what(called), kind, id) });
	}
	return deletions;
}

const NOTHING = couldNotTell('there is nothing to delete');

export const deleting = question({
	id: 'deleting',
	asks: 'Deleting',
	choice: 'takes success true for deleted, and says that no agent has the file any more',
	needs: ['files allowed'],
	async run(context) {
		const shown = async () =>
			context.uid === undefined ? undefined : (await shownAgent(context))?.files;
		const before = await shown();
		const deletions = await deleteBoth(context, (called) => `deletes the ${called}`);
		return { deletions, before, after: await shown() };
	},
	judge({ deletions, before, after }) {
		if (deletions.length === 0) return NOTHING;
		const verdicts = deletions.map(({ called, reply }) =>
			isApplied(reply)
				? holds(`the ${called}: ${inBrief(reply)}`)
				: notDone(`the ${called} is not deleted`, reply),
		);
		const wereShown = deletions.filter(({ id }) => before?.includes(id));
		if (wereShown.length === 0) {
			verdicts.push(couldNotTell('the agent did not show them before, so not after it either'));
		} else if (after === undefined) {
			verdicts.push(couldNotTell("the agent can't be read any more"));
		} else {
			const still = wereShown.find(({ id }) => after.includes(id));
			verdicts.push(
				still
					? doesNotHold(`the agent still shows the ${still.called}`)
					: holds('the agent shows them no longer'),
			);
		}
		return together(...verdicts);
	},
});

/** What the node takes for gone, where an earlier attempt may have deleted it. */
const NO_SUCH_FILE = 'ERR_KB_NOT_FOUND';

export const deletingTwice = question({
	id: 'deleting-twice',
	asks: 'Deleting twice',
	choice: `takes 404 without a code or with ${NO_SUCH_FILE} for deleted, if an answer was lost before`,
	needs: ['files allowed'],
	run: async (context) => await deleteBoth(context, (called) => `deletes the ${called} again`),
	judge(deletions) {
		if (deletions.length === 0) return NOTHING;
		return together(
			...deletions.map(({ called, reply }) => {
				const brief = `the ${called}: ${inBrief(reply)}`;
				if (reply.kind === 'network failure') return couldNotTell(brief);
				const { code = NO_SUCH_FILE } = serviceWords(reply.body);
				return isApplied(reply) || (reply.status === 404 && code === NO_SUCH_FILE)
					? holds(brief)
					: doesNotHold(`${brief}, which the node takes for a failure`);
			}),
		);
	},
});
