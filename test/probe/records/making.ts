import { Complaint } from '../../../nodes/CometChatKnowledgeBase/values/complaint';
import type { DocumentInfo } from '../../../nodes/CometChatKnowledgeBase/input/document';
import { readDocument } from '../../../nodes/CometChatKnowledgeBase/input/document';
import { textRequest } from '../../../nodes/CometChatKnowledgeBase/resources/file/addText';
import { deleteRequest } from '../../../nodes/CometChatKnowledgeBase/service/deletion';
import type { Reply } from '../../../nodes/CometChatKnowledgeBase/requests/reply';
import { initiateRequest } from '../../../nodes/CometChatKnowledgeBase/service/uploads';
import { inBrief } from '../asking';
import type { Verdict } from '../finding';
import { couldNotTell, doesNotHold } from '../finding';
import type { Question } from '../question';
import type { Session } from '../session';
import type { Announced, Kind } from './recordRequests';
import { announcedIn, textIdIn } from './recordRequests';

/** What is in every file and text. */
export const CONTENT = 'Made by a test of n8n-nodes-cometchat. It is safe to delete.\n';

/** A file that the service has made room for. */
export interface MadeUpload extends Announced {
	info: DocumentInfo;
	/** Whether its bytes have arrived. */
	isStored: boolean;
}

/** What the questions have made, for the questions after them. */
export interface Made {
	/** In the names of all, so that they are told from everything else in the account. */
	mark?: string;
	/** Its bytes are sent first, and it is watched until it is indexed. */
	first?: MadeUpload;
	/** Its bytes are sent only when it is to be added before it is indexed. */
	second?: MadeUpload;
	/** Its bytes are never sent. It has the first one's name. */
	namesake?: MadeUpload;
	textId?: string;
	/** All words for a status that have come. */
	statuses: Set<string>;
}

/** A question that makes files or texts, or needs those that were made. */
export function withFilesMade(ask: Question['ask']): Question['ask'] {
	return async (session) =>
		session.asker.given.filesMayBeMade
			? await ask(session)
			: couldNotTell('it needs files that the probe makes: allow it with --files-may-be-made');
}

/** Says of itself what it is, for whoever meets it in the dashboard. */
export function nameOf({ made, asker }: Session, what: string): string {
	made.mark ??= asker.around.newId().slice(-12);
	return `n8n-probe-${made.mark}-safe-to-delete-${what}`;
}

/** As the node announces a file of this name. */
export function documentNamed(name: string, fileSize = CONTENT.length): DocumentInfo {
	const info = readDocument('probe', { fileName: name, mimeType: '', fileSize });
	if (info instanceof Complaint) throw new Error(info.what);
	return info;
}

/** The only way to make uploads: they are remembered first, and their addresses kept secret. */
export async function announce(
	{ asker, undo }: Session,
	asked: string,
	files: DocumentInfo[],
): Promise<{ reply: Reply; uploads?: MadeUpload[] }> {
	const names = files.map(({ fileName }) => fileName);
	const reply = await asker.ask(asked, initiateRequest(files), {
		beforeSending: () => undo.records.making('uploads', names),
	});
	const announced = announcedIn(reply, files);
	for (const { address } of announced ?? []) asker.keepSecret(address);
	undo.records.answered(
		names,
		reply,
		announced?.map(({ id }) => id),
	);
	const uploads = announced?.flatMap((entry, at): MadeUpload[] => {
		const info = files[at];
		return info === undefined ? [] : [{ ...entry, info, isStored: false }];
	});
	return { reply, uploads };
}

/** The only way to make a text: it is remembered first. */
export async function writeText(
	{ asker, undo }: Session,
	asked: string,
	title: string,
	text: string,
): Promise<{ reply: Reply; id?: string }> {
	const reply = await asker.ask(asked, textRequest(title, text), {
		beforeSending: () => undo.records.making('text', [title]),
	});
	const id = textIdIn(reply);
	undo.records.answered([title], reply, id === undefined ? undefined : [id]);
	return { reply, id };
}

/** Deletes what the probe has made. */
export async function deleteMade(
	{ asker, undo }: Session,
	asked: string,
	kind: Kind,
	id: string,
): Promise<Reply> {
	const reply = await asker.ask(asked, deleteRequest(kind, id));
	undo.records.deleted(id, reply);
	return reply;
}

/** Key, plan and rate: they say nothing about what was asked. */
const BESIDE_THE_POINT = [401, 402, 403, 429];

/** The verdict on what the node counts on, and the service has not done. */
export function notDone(what: string, reply: Reply): Verdict {
	const brief = `${what}: ${inBrief(reply)}`;
	return reply.kind === 'silence' || reply.status >= 500 || BESIDE_THE_POINT.includes(reply.status)
		? couldNotTell(brief)
		: doesNotHold(brief);
}
