import type { StatusById } from '../../../nodes/CometChatKnowledgeBase/execution/indexing';
import {
	isReady,
	readStatuses,
	statusRequest,
} from '../../../nodes/CometChatKnowledgeBase/execution/indexing';
import { STATUSES } from '../../../nodes/CometChatKnowledgeBase/service/records';
import type { Reply } from '../../../nodes/CometChatKnowledgeBase/requests/reply';
import { effectOf, isSuccess } from '../../../nodes/CometChatKnowledgeBase/requests/reply';
import { inBrief } from '../asking';
import { couldNotTell, doesNotHold, holds } from '../finding';
import type { Question } from '../question';
import type { Session } from '../session';
import { add, ONLY_THROWAWAY } from './attaching';
import { notDone, withFilesMade } from './making';
import { maySendTo, sendBytes } from './sending';

/** How long is waited before each poll but the first, in seconds: a minute and a half in all. */
const PAUSES_S = [1, 2, 3, 5, 8, 12, 15, 20, 25];

/** What is said of an ID that a poll leaves out. */
const LEFT_OUT = 'left out';

/** How a file's status went. */
interface Course {
	/** In order; one that stays is named once. */
	statuses: string[];
	tookS: number;
	/** A poll that had no readable answer, which ended it. */
	unread?: Reply;
}

export async function poll(
	{ asker, made }: Session,
	asked: string,
	ids: string[],
): Promise<{ reply: Reply; statuses?: StatusById }> {
	const reply = await asker.ask(asked, statusRequest(ids));
	const statuses = isSuccess(reply) ? readStatuses(reply.body) : undefined;
	for (const status of statuses?.values() ?? []) made.statuses.add(status);
	return { reply, statuses };
}

/** Polls until the file is ready or has failed, for a time that is bounded. */
async function watch(session: Session, id: string): Promise<Course> {
	const { asker } = session;
	const course: Course = { statuses: [], tookS: 0 };
	for (const pauseS of [0, ...PAUSES_S]) {
		await asker.rest(pauseS * 1000);
		course.tookS += pauseS;
		const { reply, statuses } = await poll(session, 'the status of the first file', [id]);
		if (statuses === undefined) return { ...course, unread: reply };
		const status = statuses.get(id) ?? LEFT_OUT;
		if (course.statuses.at(-1) !== status) course.statuses.push(status);
		if (isReady(status) || status === 'failed') break;
	}
	return course;
}

export const whenIndexed: Question = {
	question: 17,
	title: 'When indexing begins',
	choice: 'waits after the upload until it is over, and adds the file to the agent only then',
	ask: withFilesMade(async (session) => {
		const { first } = session.made;
		if (!first?.isStored) return couldNotTell('no bytes have arrived');
		const alone = await watch(session, first.id);
		if (alone.unread) return notDone('the poll has no readable answer', alone.unread);
		const words = inWords(alone);
		if (isOver(alone)) return overVerdict(alone, `begins with the upload: ${words}`);
		if (!session.agent?.isThrowaway) {
			return couldNotTell(`${words}; whether adding it changes that needs an agent of the probe`);
		}
		await add(session, 'adds the first file all the same', 'uploads', first.id);
		const added = await watch(session, first.id);
		return isReady(added.statuses.at(-1))
			? doesNotHold(`ready only once an agent had the file: ${words}; then ${inWords(added)}`)
			: couldNotTell(`${words}; then, with an agent, ${inWords(added)}`);
	}),
};

function isOver({ statuses }: Course): boolean {
	return isReady(statuses.at(-1)) || statuses.at(-1) === 'failed';
}

function overVerdict({ statuses }: Course, words: string) {
	return isReady(statuses.at(-1)) ? holds(words) : couldNotTell(words);
}

function inWords({ statuses, tookS }: Course): string {
	return `${statuses.join(', then ')} (watched for ${tookS} s)`;
}

export const unindexed: Question = {
	question: 18,
	title: 'Adding what is not indexed yet',
	choice: 'adds it where waiting is switched off, and passes on what the service says',
	ask: withFilesMade(async (session) => {
		const { asker, made, agent } = session;
		const { second } = made;
		if (second === undefined) return couldNotTell('there is no file to try it with');
		if (!agent?.isThrowaway) return ONLY_THROWAWAY;
		if (!maySendTo(asker, second)) {
			return couldNotTell('bytes are not sent to an address that is not encrypted');
		}
		await sendBytes(asker, 'sends the bytes of the second file', second);
		if (!second.isStored) return couldNotTell('its bytes were not taken');
		const reply = await add(session, 'adds the second file at once', 'uploads', second.id);
		const { statuses } = await poll(session, 'its status after that', [second.id]);
		const status = statuses?.get(second.id) ?? LEFT_OUT;
		if (effectOf(reply) !== 'applied') {
			return reply.kind === 'silence' || reply.status >= 500
				? couldNotTell(inBrief(reply))
				: holds(`refused (${inBrief(reply)}) while it is "${status}": waiting is needed`);
		}
		return isReady(status)
			? couldNotTell('it was indexed before it could be added')
			: holds(`taken (${inBrief(reply)}) while it is "${status}"`);
	}),
};

export const unknownStatus: Question = {
	question: 19,
	title: 'Status of an unknown ID',
	choice: 'takes an ID that the answer leaves out for not found, and the others as they are',
	ask: async (session) => {
		const ids = [session.made.first?.id, session.unknownId].filter((id) => id !== undefined);
		const asked = 'the status of an unknown ID and, if there is one, of a file';
		const { reply, statuses } = await poll(session, asked, ids);
		if (statuses === undefined) {
			return reply.kind === 'answer' && reply.status === 404
				? doesNotHold(`one unknown ID, and the whole poll is refused (${inBrief(reply)})`)
				: notDone('the poll has no readable answer', reply);
		}
		const status = statuses.get(session.unknownId);
		return status === undefined
			? holds('left out of the answer')
			: doesNotHold(`it has a status: "${status}"`);
	},
};

/** The words that the node offers in its filter, and waits for. */
const KNOWN = STATUSES.map(({ value }) => value);

export const statusWords: Question = {
	question: 20,
	title: 'Words for the status',
	choice: `knows ${KNOWN.join(', ')}; indexed and inSync are ready`,
	/** Asks nothing: what came before is looked at. */
	ask: withFilesMade(async ({ made }) => {
		const seen = [...made.statuses].sort();
		if (seen.length === 0) return couldNotTell('no status has come');
		const strange = seen.filter((status) => !KNOWN.includes(status));
		return strange.length === 0
			? holds(`seen: ${seen.join(', ')}`)
			: doesNotHold(`unknown to the node: ${strange.join(', ')}`);
	}),
};
