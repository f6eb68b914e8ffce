import type { Reply } from '../../../nodes/CometChatKnowledgeBase/requests/reply';
import { effectOf } from '../../../nodes/CometChatKnowledgeBase/requests/reply';
import { inBrief } from '../asking';
import { couldNotTell, doesNotHold, holds } from '../finding';
import type { Question } from '../question';
import type { Session } from '../session';
import { changeFiles, shownFiles } from '../session';
import { notDone, withFilesMade } from './making';

export const ONLY_THROWAWAY = couldNotTell(
	'only an agent that the probe makes is given such files: leave COMETCHAT_AGENT_UID out',
);

/** Adds what the probe has made to the agent that it has made. */
export async function add(
	session: Session,
	asked: string,
	sourceType: string,
	id: string,
): Promise<Reply> {
	const change = { operation: 'add' as const, sourceType, uniqueIds: [id] };
	return await changeFiles(session, asked, change);
}

export const attached: Question = {
	question: 24,
	title: 'An added file at the agent',
	choice: 'takes success true for added, and does not look at the agent',
	ask: withFilesMade(async (session) => {
		const { agent, made } = session;
		if (!made.first?.isStored) return couldNotTell('no file was uploaded');
		if (!agent?.isThrowaway) return ONLY_THROWAWAY;
		const { id } = made.first;
		const reply = await add(session, 'adds the first file', 'uploads', id);
		if (effectOf(reply) !== 'applied') return notDone('an upload can not be added', reply);
		const shown = await shownFiles(session);
		if (shown === undefined) return couldNotTell("the agent's files can't be read");
		if (shown.includes(id)) return holds(`${inBrief(reply)}, and the agent shows its ID in files`);
		return shown.length === 0
			? couldNotTell(`${inBrief(reply)}, but the agent shows no files at all`)
			: doesNotHold(`${inBrief(reply)}, but the agent shows only other IDs in files`);
	}),
};
