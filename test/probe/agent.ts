import { readUid } from '../../nodes/CometChatKnowledgeBase/input/identifiers';
import { Complaint } from '../../nodes/CometChatKnowledgeBase/values/complaint';
import { agentIn, createRequest, fileIdsOf, getRequest } from './agentRequests';
import { inBrief, isNotMade } from './asking';
import type { KnownFile, Session } from './session';

/** Decides which agent and which file the questions are about. @returns What to tell the person. */
export async function chooseAgent(session: Session): Promise<string[]> {
	const { agentUid, agentMayChange } = session.asker.given;
	if (agentUid === undefined) return [await makeAgent(session)];

	const reply = await session.asker.ask('the named agent', getRequest(agentUid));
	const agent = agentIn(reply, ({ uid }) => uid.toLowerCase() === agentUid.toLowerCase());
	if (agent === undefined) {
		return [
			`The named agent can't be read (${session.asker.redact(inBrief(reply))}), so it is left alone.`,
			await makeAgent(session),
		];
	}
	const { uid } = agent;
	const attached = fileIdsOf(agent);
	if (useWhereStateIsKnown(session, uid, attached)) {
		return [
			session.file === undefined
				? 'The named agent is only read, because no file is named.'
				: 'The named agent is used; its files can be read, and end as they are.',
		];
	}
	if (agentMayChange) {
		session.agent = { uid, isThrowaway: false, before: () => 'unknown' };
		session.file = firstFile(session);
		return [
			'The named agent is used, although nobody can tell which of the named files it has: they end detached, as --agent-may-change allows.',
		];
	}
	return [
		"Whether the named agent has the named files can't be read from it, so it is left alone.",
		await makeAgent(session),
	];
}

/**
 * Uses the agent if it is certain whether it has one of the named files: it shows that file, or it
 * shows others of the same type and not that one. An empty list may be one that is never filled.
 */
function useWhereStateIsKnown(session: Session, uid: string, attached: string[] = []): boolean {
	const { fileIds } = session.asker.given;
	const typeOf = (id: string) => session.records.find(({ uniqueId }) => uniqueId === id)?.type;
	const shownTypes = new Set(attached.map(typeOf));
	const isCertain = (id: string) => typeOf(id) !== undefined && shownTypes.has(typeOf(id));
	const id = fileIds.find(isCertain);
	if (id === undefined && fileIds.length > 0) return false;

	session.agent = {
		uid,
		isThrowaway: false,
		before: (file) => (attached.includes(file) ? 'attached' : 'detached'),
	};
	session.file = id === undefined ? undefined : { id, sourceType: sourceTypeOf(session, id) };
	return true;
}

async function makeAgent(session: Session): Promise<string> {
	const { asker, undo } = session;
	const name = `n8n probe ${asker.around.newId().slice(0, 8)}, safe to delete`;
	const reply = await asker.ask('makes an agent', createRequest(name), {
		beforeSending: () => undo.making(name),
	});
	const made = agentIn(reply, (agent) => agent.name === name);
	if (made === undefined) {
		if (isNotMade(reply)) undo.notMade();
		return `No agent could be made (${asker.redact(inBrief(reply))}).`;
	}
	undo.madeAs(made.uid);
	const uid = readUid(made.uid);
	if (uid instanceof Complaint) return 'The agent that was made has a uid that the node refuses.';
	session.agent = { uid, isThrowaway: true, before: () => 'detached' };
	session.file = firstFile(session);
	return `An agent was made for the probe: "${name}" (${uid}).`;
}

/** Best a file that the account is known to have. */
function firstFile(session: Session): KnownFile | undefined {
	const { fileIds } = session.asker.given;
	const isListed = (id: string) => session.records.some(({ uniqueId }) => uniqueId === id);
	const id = fileIds.find(isListed) ?? fileIds[0];
	return id === undefined ? undefined : { id, sourceType: sourceTypeOf(session, id) };
}

/** Records call themselves 'uploads' or 'text-details'; addresses say 'text'. */
function sourceTypeOf({ records }: Session, id: string): string {
	const type = records.find(({ uniqueId }) => uniqueId === id)?.type;
	if (typeof type !== 'string') return 'uploads';
	return type.startsWith('text') ? 'text' : type.startsWith('website') ? 'website' : 'uploads';
}
