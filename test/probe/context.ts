import { serviceWords } from '../../nodes/CometChatKnowledgeBase/results/messages';
import type { Agent } from '../../nodes/CometChatKnowledgeBase/service/agents';
import { agentRequest, readAgent } from '../../nodes/CometChatKnowledgeBase/service/agents';
import type { ChangeOperation } from '../../nodes/CometChatKnowledgeBase/service/attachments';
import { toRequest } from '../../nodes/CometChatKnowledgeBase/service/attachments';
import {
	ValidationIssue,
	isRecord,
} from '../../nodes/CometChatKnowledgeBase/values/validationIssue';
import type { DocumentInfo } from '../../nodes/CometChatKnowledgeBase/input/document';
import { readDocument } from '../../nodes/CometChatKnowledgeBase/input/document';
import type { StatusById } from '../../nodes/CometChatKnowledgeBase/execution/indexing';
import { readStatuses, statusRequest } from '../../nodes/CometChatKnowledgeBase/execution/indexing';
import { textRequest } from '../../nodes/CometChatKnowledgeBase/resources/text/createText';
import type { KnowledgeBaseRecord } from '../../nodes/CometChatKnowledgeBase/service/records';
import { readRecordPage, recordsRequest } from '../../nodes/CometChatKnowledgeBase/service/records';
import type { AttemptResult } from '../../nodes/CometChatKnowledgeBase/requests/attemptResult';
import { effectOf, isSuccess } from '../../nodes/CometChatKnowledgeBase/requests/attemptResult';
import { initiateRequest } from '../../nodes/CometChatKnowledgeBase/service/uploads';
import type { ProbeClient } from './client';
import { inBrief, isSuccessStatus } from './client';
import type { Verdict } from './question';
import { couldNotTell, doesNotHold } from './question';
import type { Throwaways } from './throwaways';
import { CONTENT, isSafeId } from './throwaways';

/** A file that the service has made room for. */
export interface Upload {
	id: string;
	address: string;
	info: DocumentInfo;
	/** Whether its bytes have arrived. */
	isStored: boolean;
	/** Whether it was seen to be ready. */
	isIndexed: boolean;
}

/** What the questions share, and what one of them leaves for the next. */
export interface Context {
	client: ProbeClient;
	throwaways: Throwaways;
	/** Random; tells what this run has made from everything else in the account. */
	mark: string;
	/** The IDs of no file and of no agent. */
	unknownId: string;
	unknownUid: string;
	/** The account's newest records; empty if they could not be read. */
	records: KnowledgeBaseRecord[];
	/** The agent that was made. */
	uid?: string;
	/** Its bytes are sent first, and it is watched until it is indexed. */
	first?: Upload;
	/** Its bytes are sent only when it is to be added before it is indexed. */
	second?: Upload;
	/** Its bytes are never sent. It has the first one's name. */
	namesake?: Upload;
	/** Called a PDF, but none. */
	broken?: Upload;
	textId?: string;
	/** All words for a status that have come. */
	statuses: Set<string>;
	/** What adding the unknown ID came to. */
	unknownIdReply?: AttemptResult;
}

/** What a question can need, and what is said where it is missing. The first that is missing counts. */
export const NEEDS = {
	'files allowed': {
		isThere: ({ client }: Context) => client.settings.filesMayBeMade,
		otherwise: 'it needs files that the probe makes: allow it with --files-may-be-made',
	},
	agent: { isThere: ({ uid }: Context) => uid !== undefined, otherwise: 'no agent could be made' },
	upload: {
		isThere: ({ first }: Context) => first !== undefined,
		otherwise: 'no upload address was given',
	},
	'stored upload': {
		isThere: ({ first }: Context) => first?.isStored === true,
		otherwise: 'no bytes have arrived',
	},
	'indexed upload': {
		isThere: ({ first }: Context) => first?.isIndexed === true,
		otherwise: 'no upload was seen to be indexed',
	},
	'second upload': {
		isThere: ({ second }: Context) => second !== undefined,
		otherwise: 'there is no second upload',
	},
	'upload without bytes': {
		isThere: ({ namesake }: Context) => namesake !== undefined,
		otherwise: 'there is no upload without bytes',
	},
	text: {
		isThere: ({ textId }: Context) => textId !== undefined,
		otherwise: 'no text was written',
	},
} satisfies Record<string, { isThere(context: Context): boolean; otherwise: string }>;

export type Need = keyof typeof NEEDS;

/** Says of itself what it is, for whoever meets it in the dashboard. */
export function nameOf({ mark }: Context, what: string): string {
	return `n8n-probe-${mark}-safe-to-delete-${what}`;
}

/**
 * Makes the agent that the questions are asked about: inactive, so that nobody can chat with it. Name
 * and isActive are required, and once the description was
 * (https://www.cometchat.com/docs/ai-agents/apis/create-agent).
 *
 * @returns What to tell the person.
 */
export async function makeAgent(context: Context): Promise<string> {
	const { client, throwaways } = context;
	const name = nameOf(context, 'agent');
	const request = {
		method: 'POST' as const,
		url: '/ai-agents/agent-builder/agents',
		headers: { 'Content-Type': 'application/json' },
		body: { name, isActive: false, description: 'Made by a test; safe to delete' },
	};
	const { reply, ids } = await throwaways.make(
		client,
		'makes an agent',
		'agent',
		[name],
		request,
		uidIn,
	);
	context.uid = ids?.[0];
	return context.uid === undefined
		? `No agent could be made (${inBrief(reply)}).`
		: `An agent was made for the probe: "${name}" (${context.uid}).`;
}

/** 'Create agent' shows it as `agent`, other calls bare or as `data`. */
function uidIn(reply: AttemptResult): string[] | undefined {
	if (!isSuccess(reply) || !isRecord(reply.body)) return undefined;
	const { body } = reply;
	const agents = [body.agent, body.data, body].map(readAgent);
	const uid = agents.find((agent) => agent !== undefined)?.uid;
	return isSafeId(uid) ? [uid] : undefined;
}

/** The agent that was made; undefined if it can't be read. */
export async function shownAgent({ client, uid = '' }: Context): Promise<Agent | undefined> {
	const reply = await client.ask('the agent and its files', agentRequest(uid));
	const agent = isSuccess(reply) ? readAgent(reply.body) : undefined;
	return agent?.uid === uid ? agent : undefined;
}

/** Adds files to, or removes them from, the agent that was made: no other one is ever changed. */
export async function change(
	{ client, uid = '' }: Context,
	what: string,
	operation: ChangeOperation,
	sourceType: string,
	...uniqueIds: string[]
): Promise<AttemptResult> {
	return await client.ask(what, toRequest({ operation, uid, sourceType, uniqueIds }));
}

export const isApplied = (reply: AttemptResult) => effectOf(reply) === 'applied';

/** As the node announces a file of this name. */
export function documentNamed(name: string, fileSize = CONTENT.length): DocumentInfo {
	const info = readDocument('probe', { fileName: name, mimeType: '', fileSize });
	if (info instanceof ValidationIssue) throw new Error(info.what);
	return info;
}

/** Asks for upload addresses for files. No `uploads` unless there is one for each, in that order. */
export async function announce(
	{ client, throwaways }: Context,
	what: string,
	files: DocumentInfo[],
): Promise<{ reply: AttemptResult; uploads?: Upload[] }> {
	const names = files.map(({ fileName }) => fileName);
	const { reply } = await throwaways.make(
		client,
		what,
		'uploads',
		names,
		initiateRequest(files),
		(answer) => uploadsIn(answer, files)?.map(({ id }) => id),
	);
	return { reply, uploads: uploadsIn(reply, files) };
}

function uploadsIn(reply: AttemptResult, files: DocumentInfo[]): Upload[] | undefined {
	const entries = isSuccess(reply) && isRecord(reply.body) ? reply.body.uploads : undefined;
	if (!Array.isArray(entries) || entries.length !== files.length) return undefined;
	const uploads = files.flatMap((info, at): Upload[] => {
		const entry: unknown = entries[at];
		if (!isRecord(entry)) return [];
		const { uploadId, presignedUrl, fileName } = entry;
		if (!isSafeId(uploadId) || typeof presignedUrl !== 'string') return [];
		const isNamed = files.length === 1 || fileName === info.fileName;
		return isNamed
			? [{ id: uploadId, address: presignedUrl, info, isStored: false, isIndexed: false }]
			: [];
	});
	return uploads.length === files.length ? uploads : undefined;
}

/** As the node decides: without encryption only where the service itself is on this machine. */
export function maySendTo({ client }: Context, { address }: Upload): boolean {
	if (!URL.canParse(address)) return false;
	const { protocol, hostname } = new URL(address);
	const service = new URL(client.settings.account.baseUrl);
	return protocol === 'https:' || (protocol === service.protocol && hostname === service.hostname);
}

/** @returns undefined if bytes may not be sent to that address, because it is not encrypted. */
export async function sendBytes(
	context: Context,
	what: string,
	upload: Upload,
	type: string | null = upload.info.mimeType,
): Promise<AttemptResult | undefined> {
	if (!maySendTo(context, upload)) return undefined;
	const headers = {
		...(type === null ? {} : { 'Content-Type': type }),
		'Content-Length': String(CONTENT.length),
	};
	const request = { method: 'PUT' as const, url: upload.address, headers, body: CONTENT };
	const reply = await context.client.store(what, request);
	upload.isStored ||= isSuccessStatus(reply);
	return reply;
}

export async function writeText(
	{ client, throwaways }: Context,
	what: string,
	title: string,
	text: string,
): Promise<{ reply: AttemptResult; ids?: string[] }> {
	const request = textRequest(title, text);
	return await throwaways.make(client, what, 'text', [title], request, (reply) => {
		const data = isSuccess(reply) && isRecord(reply.body) ? reply.body.data : undefined;
		return isRecord(data) && isSafeId(data.uniqueId) ? [data.uniqueId] : undefined;
	});
}

export async function poll(
	{ client, statuses }: Context,
	what: string,
	...ids: string[]
): Promise<{ reply: AttemptResult; byId?: StatusById }> {
	const reply = await client.ask(what, statusRequest(ids));
	const byId = isSuccess(reply) ? readStatuses(reply.body) : undefined;
	for (const status of byId?.values() ?? []) statuses.add(status);
	return { reply, byId };
}

/** The newest records, the probe's own among them; no `records` if the answer can't be read. */
export async function newestRecords(
	{ client, statuses, mark }: Context,
	what: string,
): Promise<{ reply: AttemptResult; records?: KnowledgeBaseRecord[] }> {
	const reply = await client.ask(what, recordsRequest());
	const records = isSuccess(reply) ? readRecordPage(reply.body)?.entries : undefined;
	for (const { sourceName, status } of records ?? []) {
		// Of the others the words are the account's own business.
		if (sourceName?.includes(mark) && status !== undefined) statuses.add(status);
	}
	return { reply, records };
}

/** Whether the service says that it has no such call at all, of one that the node does not need yet. */
export function isNoSuchCall(reply: AttemptResult): boolean {
	return reply.kind === 'response' && serviceWords(reply.body).code === 'ERR_API_NOT_FOUND';
}

/** Key, plan and rate: they say nothing about what was asked. */
const BESIDE_THE_POINT = [401, 402, 403, 429];

/** The verdict on what the node counts on, and the service has not done. */
export function notDone(what: string, reply: AttemptResult): Verdict {
	const brief = `${what}: ${inBrief(reply)}`;
	return reply.kind === 'network failure' ||
		reply.status >= 500 ||
		BESIDE_THE_POINT.includes(reply.status)
		? couldNotTell(brief)
		: doesNotHold(brief);
}
