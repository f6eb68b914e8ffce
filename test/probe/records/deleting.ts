import { readSuccess } from '../../../nodes/CometChatKnowledgeBase/service/attachments';
import { serviceWords } from '../../../nodes/CometChatKnowledgeBase/results/explain';
import type { Reply } from '../../../nodes/CometChatKnowledgeBase/requests/reply';
import { isSuccess } from '../../../nodes/CometChatKnowledgeBase/requests/reply';
import { inBrief } from '../asking';
import type { Verdict } from '../finding';
import { couldNotTell, doesNotHold, holds, together } from '../finding';
import type { Question } from '../question';
import type { Session } from '../session';
import { shownFiles } from '../session';
import { deleteMade, notDone, withFilesMade } from './making';
import type { Kind } from './recordRequests';

/** What there is to delete, in words for the person. */
function ownRecords({ made }: Session): Array<{ kind: Kind; id: string; called: string }> {
	const { first, textId } = made;
	return [
		...(first === undefined ? [] : [{ kind: 'uploads' as const, id: first.id, called: 'file' }]),
		...(textId === undefined ? [] : [{ kind: 'text' as const, id: textId, called: 'text' }]),
	];
}

export const deleting: Question = {
	question: 28,
	title: 'Deleting',
	choice: 'takes success true for deleted, and says that no agent has the file any more',
	ask: withFilesMade(async (session) => {
		const records = ownRecords(session);
		if (records.length === 0) return couldNotTell('there is nothing to delete');
		const before = await shownFiles(session);
		const verdicts: Verdict[] = [];
		for (const { kind, id, called } of records) {
			const reply = await deleteMade(session, `deletes the ${called}`, kind, id);
			verdicts.push(
				isDone(reply)
					? holds(`the ${called}: ${inBrief(reply)}`)
					: notDone(`the ${called} is not deleted`, reply),
			);
		}
		const wereShown = records.filter(({ id }) => before?.includes(id));
		if (wereShown.length === 0) {
			verdicts.push(couldNotTell('the agent did not show them before, so not after it either'));
			return together(...verdicts);
		}
		const after = await shownFiles(session);
		const still = wereShown.filter(({ id }) => after?.includes(id));
		if (after === undefined) verdicts.push(couldNotTell("the agent can't be read any more"));
		else if (still.length === 0) verdicts.push(holds('the agent shows them no longer'));
		else verdicts.push(doesNotHold(`the agent still shows the ${still[0]?.called}`));
		return together(...verdicts);
	}),
};

/** What the node takes for gone, where an earlier attempt may have deleted it. */
const NO_SUCH_FILE = 'ERR_KB_NOT_FOUND';

export const deletingTwice: Question = {
	question: 29,
	title: 'Deleting twice',
	choice: `takes 404 without a code or with ${NO_SUCH_FILE} for deleted, if an answer was lost before`,
	ask: withFilesMade(async (session) => {
		const records = ownRecords(session);
		if (records.length === 0) return couldNotTell('there is nothing to delete');
		const verdicts: Verdict[] = [];
		for (const { kind, id, called } of records) {
			const reply = await deleteMade(session, `deletes the ${called} again`, kind, id);
			verdicts.push(goneVerdict(called, reply));
		}
		return together(...verdicts);
	}),
};

function goneVerdict(called: string, reply: Reply): Verdict {
	const brief = `the ${called}: ${inBrief(reply)}`;
	if (reply.kind === 'silence') return couldNotTell(brief);
	const { code = NO_SUCH_FILE } = serviceWords(reply.body);
	const isTaken = isDone(reply) || (reply.status === 404 && code === NO_SUCH_FILE);
	return isTaken ? holds(brief) : doesNotHold(`${brief}, which the node takes for a failure`);
}

function isDone(reply: Reply): boolean {
	return isSuccess(reply) && readSuccess(reply.body) === true;
}
