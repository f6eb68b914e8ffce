import type { Change } from '../../nodes/CometChatKnowledgeBase/service/attachments';
import { toRequest } from '../../nodes/CometChatKnowledgeBase/service/attachments';
import type { Reply } from '../../nodes/CometChatKnowledgeBase/requests/reply';
import { agentIn, fileIdsOf, getRequest } from './agentRequests';
import type { Asker } from './asking';
import type { Made } from './records/making';
import type { Held, Undo } from './undo';

/** The agent that the questions are asked about. */
export interface Subject {
	uid: string;
	/** Made by the probe: anything may be done to it. An existing one holds only named files. */
	isThrowaway: boolean;
	/** What is known of a file before the first request. */
	before: (id: string) => Held;
}

export interface KnownFile {
	id: string;
	sourceType: string;
}

/** A record of the account's knowledge base. */
export interface KbRecord {
	uniqueId: string;
	type: unknown;
}

/** What the questions share, and what one of them learns for the next. */
export interface Session {
	asker: Asker;
	undo: Undo;
	/** Of the account's newest records; empty if they could not be read. */
	records: KbRecord[];
	agent?: Subject;
	/** A file that can be attached: one of the person's. */
	file?: KnownFile;
	/** What the probe has made itself. */
	made: Made;
	/** The ID of no file. */
	unknownId: string;
	/** What adding that ID came to; undefined if it was not asked. */
	unknownIdReply?: Reply;
}

/** The only way to change files: what it may have changed is remembered first. */
export async function changeFiles(
	{ asker, undo, agent }: Session,
	asked: string,
	change: Omit<Change, 'uid'>,
): Promise<Reply> {
	if (agent === undefined) throw new Error('There is no agent to change');
	const whole = { ...change, uid: agent.uid };
	// Of others there is nothing to put back: only an agent that will be deleted is given them.
	const own = asker.given.fileIds.filter((id) => change.uniqueIds.includes(id));
	const strangers = change.uniqueIds.filter((id) => !own.includes(id));
	if (!agent.isThrowaway && strangers.length > 0) {
		throw new Error('An existing agent is given no other files than those that were named');
	}
	const reply = await asker.ask(asked, toRequest(whole), {
		beforeSending: () => undo.changing({ ...whole, uniqueIds: own }, agent.before),
	});
	undo.changed(whole, reply);
	return reply;
}

/** The IDs of the files that the agent shows; undefined if they can't be read. */
export async function shownFiles({ asker, agent }: Session): Promise<string[] | undefined> {
	if (agent === undefined) return undefined;
	const reply = await asker.ask('the agent and its files', getRequest(agent.uid));
	return fileIdsOf(agentIn(reply, ({ uid }) => uid === agent.uid));
}
