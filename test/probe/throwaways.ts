import {
	agentRequest,
	listRequest,
	readAgents,
} from '../../nodes/CometChatKnowledgeBase/service/agents';
import { readSuccess } from '../../nodes/CometChatKnowledgeBase/service/attachments';
import { readPathValue } from '../../nodes/CometChatKnowledgeBase/input/identifiers';
import { cut } from '../../nodes/CometChatKnowledgeBase/values/quoting';
import { deleteRequest } from '../../nodes/CometChatKnowledgeBase/service/deletion';
import { serviceWords } from '../../nodes/CometChatKnowledgeBase/results/messages';
import { RateLimiter } from '../../nodes/CometChatKnowledgeBase/requests/rateLimiter';
import { readRecordPage, recordsRequest } from '../../nodes/CometChatKnowledgeBase/service/records';
import type { AttemptResult } from '../../nodes/CometChatKnowledgeBase/requests/attemptResult';
import {
	isSuccess,
	isWrongAddress,
} from '../../nodes/CometChatKnowledgeBase/requests/attemptResult';
import { sendWithRetries } from '../../nodes/CometChatKnowledgeBase/requests/sendWithRetries';
import type { ProbeClient } from './client';
import { Halt, isSuccessStatus } from './client';
import type { HttpRequest } from './http';

/** What the probe makes; of files and texts the word that addresses have for them. */
export type Kind = 'agent' | 'uploads' | 'text';

const CALLED: Record<Kind, string> = { agent: 'agent', uploads: 'upload', text: 'text' };

interface Throwaway {
	kind: Kind;
	/** Its name, file name or title, which nothing else in the account has. */
	name: string;
	/** Undefined as long as the answer to its making has not been understood. */
	id?: string;
	/** What its deletion was answered at best: that it is done, or that there is no such thing. */
	deleted?: 'done' | 'not found';
	/** Whether the list showed it when it was last looked at; undefined if that can't be read. */
	isListed?: boolean;
}

/** What is in every file and text. */
export const CONTENT = 'Made by a test of n8n-nodes-cometchat. It is safe to delete.\n';

/** Enough to find it by; one title is as long as titles can be. */
const LONGEST_NAME = 60;

/** What a list that is a little behind, or indexing that is under way, is given to come to an end. */
const SECOND_PASS_MS = 3000;

const POLICY = { maxAttempts: 3, maxWaitMs: 120_000 };

/** Remembers all that the probe makes from before the request that makes it, and deletes it. */
export class Throwaways {
	private client?: ProbeClient;
	private readonly made: Throwaway[] = [];

	/**
	 * The only way to make something.
	 *
	 * @param readIds In the order of the names; undefined if the reply holds none that can be read.
	 */
	async make<Ids extends string[] | undefined>(
		client: ProbeClient,
		what: string,
		kind: Kind,
		names: string[],
		request: HttpRequest,
		readIds: (reply: AttemptResult) => Ids,
	): Promise<{ reply: AttemptResult; ids: Ids }> {
		this.client = client;
		const made = names.map((name): Throwaway => ({ kind, name }));
		const reply = await client.ask(what, request, {
			beforeSending: () => this.made.push(...made),
		});
		const ids = readIds(reply);
		for (const [at, throwaway] of made.entries()) {
			if (isNotMade(reply)) this.made.splice(this.made.indexOf(throwaway), 1);
			else throwaway.id = ids?.[at];
		}
		return { reply, ids };
	}

	/** The only way to delete something. */
	async delete(client: ProbeClient, what: string, kind: Kind, id: string): Promise<AttemptResult> {
		const request =
			kind === 'agent'
				? { method: 'DELETE' as const, url: agentRequest(id).url }
				: deleteRequest(kind, id);
		const reply = await client.ask(what, request);
		for (const throwaway of this.made) {
			if (throwaway.id === id) throwaway.deleted ??= deletionBy(reply);
		}
		return reply;
	}

	/** Whether something that the probe has made is in this text. */
	isIn(text: string): boolean {
		const words = this.made.flatMap(({ name, id }) => (id === undefined ? [name] : [name, id]));
		return [CONTENT.trim(), ...words].some((word) => text.includes(word));
	}

	/** Deletes everything. Never throws; `left` tells what it was not able to do. */
	async deleteAll(): Promise<void> {
		const { client } = this;
		if (client === undefined || this.made.length === 0) return;
		try {
			await client.startCleaningUp();
			await this.deleteOnce(client);
			if (this.left().length === 0) return;
			await client.machine.pause(SECOND_PASS_MS);
			await this.deleteOnce(client);
		} catch {
			// Whatever it was, what is not gone stays in `left`.
		}
	}

	/** What is, or may be, still there, in sentences for the person. */
	left(): string[] {
		return this.made.filter(isOpen).map(({ kind, name, id, isListed }) => {
			const which = `${CALLED[kind]} "${cut(name, LONGEST_NAME)}"`;
			if (id === undefined) {
				return `Perhaps there is the ${which}: look for it in the dashboard and delete it.`;
			}
			const is = isListed ? 'is' : 'may be';
			return `The ${which} (${id}) ${is} still there: delete it in the dashboard.`;
		});
	}

	/** What the lists show is worth more than what the answers have said. */
	private async deleteOnce(client: ProbeClient): Promise<void> {
		const open = this.made.filter(isOpen);
		if (open.some(({ id }) => id === undefined)) this.recognise(await this.listed(client, open));
		for (const { kind, id, name } of open) {
			if (id === undefined) continue;
			const what = `deletes the ${CALLED[kind]} "${cut(name, LONGEST_NAME)}"`;
			await persist(client, async () => await this.delete(client, what, kind, id));
		}
		const listed = await this.listed(client, this.made);
		for (const throwaway of this.made) {
			throwaway.isListed = listed(throwaway)?.some(({ id }) => id === throwaway.id);
		}
	}

	/** Finds those whose making was not answered by their names, of which there may be several. */
	private recognise(listed: (throwaway: Throwaway) => Listed[] | undefined): void {
		const known = new Set(this.made.map(({ id }) => id));
		for (const throwaway of this.made) {
			if (throwaway.id !== undefined) continue;
			const found = listed(throwaway)?.find(
				({ id, text }) => !known.has(id) && text.includes(throwaway.name) && isSafeId(id),
			);
			throwaway.id = found?.id;
			known.add(found?.id);
		}
	}

	/** The newest of each kind, among which those of the probe are; undefined if they can't be read. */
	private async listed(client: ProbeClient, wanted: Throwaway[]) {
		const agent = wanted.find(({ kind }) => kind === 'agent');
		const agents = agent && (await listedAgents(client, agent.name));
		const isForRecords = wanted.some(({ kind }) => kind !== 'agent');
		const records = isForRecords ? await listedRecords(client) : undefined;
		return ({ kind }: Throwaway) => (kind === 'agent' ? agents : records);
	}
}

interface Listed {
	id: string;
	/** All that the list says of it: a text's title may be listed as a file name. */
	text: string;
}

async function listedAgents(client: ProbeClient, name: string): Promise<Listed[] | undefined> {
	const what = 'the agents of the name of the one that was made';
	const reply = await persist(client, async () => await client.ask(what, listRequest(name)));
	const page = reply && isSuccess(reply) ? readAgents(reply.body) : undefined;
	return page?.entries.map((agent) => ({ id: agent.uid, text: JSON.stringify(agent) }));
}

async function listedRecords(client: ProbeClient): Promise<Listed[] | undefined> {
	for (const request of [recordsRequest(), boundedRecordsRequest(client.machine.nowMs())]) {
		const reply = await persist(
			client,
			async () => await client.ask('the list of records', request),
		);
		const page = reply && isSuccess(reply) ? readRecordPage(reply.body) : undefined;
		if (page === undefined) continue;
		return page.entries.map((record) => ({ id: record.uniqueId, text: JSON.stringify(record) }));
	}
	return undefined;
}

/** With the parameters that the service's pages call required, and the node leaves out. */
export function boundedRecordsRequest(nowMs: number): HttpRequest {
	const request = recordsRequest();
	return { ...request, qs: { ...request.qs, start: 0, end: nowMs } };
}

/** An ID that can be deleted by: as part of an address it must not lead to another one. */
export function isSafeId(id: unknown): id is string {
	return typeof id === 'string' && readPathValue(id, '', '') === id;
}

/** Asks again after a failure that may pass, be it the service's or the probe's own. */
async function persist(
	client: ProbeClient,
	ask: () => Promise<AttemptResult>,
): Promise<AttemptResult | undefined> {
	const { pause, nowMs } = client.machine;
	const failureOf = (thrown: unknown): AttemptResult => ({
		kind: 'network failure',
		code: thrown instanceof Halt ? '' : 'ERR_NETWORK',
		text: String(thrown),
	});
	const clock = { nowMs, random: () => 0, delay: pause, isCancelled: () => false };
	const send = async () => await ask().catch(failureOf);
	return (await sendWithRetries(send, POLICY, new RateLimiter(), clock)).lastResult;
}

/** That there is no such thing may be said of the address: it counts only if the list agrees. */
function isOpen({ deleted, isListed }: Throwaway): boolean {
	return deleted === 'done' ? isListed === true : deleted !== 'not found' || isListed !== false;
}

/** Whether a reply to making something says for certain that it was not made. */
function isNotMade(reply: AttemptResult): boolean {
	return reply.kind === 'network failure'
		? isWrongAddress(reply)
		: reply.status >= 400 && reply.status < 500 && reply.status !== 408;
}

const NO_SUCH_ADDRESS = 'ERR_API_NOT_FOUND';

function deletionBy(reply: AttemptResult): Throwaway['deleted'] {
	if (reply.kind === 'network failure') return undefined;
	if (isSuccessStatus(reply)) return readSuccess(reply.body) ? 'done' : undefined;
	const isNotFound = reply.status === 404 || reply.status === 410;
	return isNotFound && serviceWords(reply.body).code !== NO_SUCH_ADDRESS ? 'not found' : undefined;
}
