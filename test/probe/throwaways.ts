import { readPathValue } from '../../nodes/CometChatKnowledgeBase/input/identifiers';
import type { AttemptResult } from '../../nodes/CometChatKnowledgeBase/requests/attemptResult';
import { isWrongAddress } from '../../nodes/CometChatKnowledgeBase/requests/attemptResult';
import { RateLimiter } from '../../nodes/CometChatKnowledgeBase/requests/rateLimiter';
import { sendWithRetries } from '../../nodes/CometChatKnowledgeBase/requests/sendWithRetries';
import { agentRequest, listRequest } from '../../nodes/CometChatKnowledgeBase/service/agents';
import { readSuccess } from '../../nodes/CometChatKnowledgeBase/service/attachments';
import { deleteRequest } from '../../nodes/CometChatKnowledgeBase/service/deletion';
import { recordsRequest } from '../../nodes/CometChatKnowledgeBase/service/records';
import { cut } from '../../nodes/CometChatKnowledgeBase/values/quoting';
import type { Answer } from './answer';
import type { ProbeClient } from './client';
import { Halt } from './client';
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
	private readonly made: Throwaway[] = [];

	/**
	 * The only way to make something.
	 *
	 * @param readIds In the order of the names; none if the answer holds none that can be read.
	 */
	async make(
		client: ProbeClient,
		kind: Kind,
		names: string[],
		request: HttpRequest,
		readIds: (body: unknown) => string[],
	): Promise<{ answer: Answer; ids: string[] }> {
		const made = names.map((name): Throwaway => ({ kind, name }));
		const beforeSending = () => void this.made.push(...made);
		const answer = await client.ask(request, beforeSending);
		const ids = readIds(answer.body);
		for (const [at, throwaway] of made.entries()) {
			if (isNotMade(answer.result)) this.made.splice(this.made.indexOf(throwaway), 1);
			else throwaway.id = ids[at];
		}
		return { answer, ids };
	}

	/** The only way to delete something. */
	async delete(client: ProbeClient, kind: Kind, id: string): Promise<Answer> {
		const agent = { method: 'DELETE' as const, url: agentRequest(id).url };
		const answer = await client.ask(kind === 'agent' ? agent : deleteRequest(kind, id));
		for (const throwaway of this.made) {
			if (throwaway.id === id) throwaway.deleted ??= deletionBy(answer);
		}
		return answer;
	}

	/** Whether something that the probe has made is in this text. */
	isIn(text: string): boolean {
		const words = this.made.flatMap(({ name, id }) => (id === undefined ? [name] : [name, id]));
		return [CONTENT.trim(), ...words].some((word) => text.includes(word));
	}

	/** Deletes everything, the last first. Never throws; `left` tells what it was not able to do. */
	async deleteAll(client: ProbeClient): Promise<void> {
		if (this.made.length === 0) return;
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

	private async deleteOnce(client: ProbeClient): Promise<void> {
		const open = this.made.filter(isOpen).reverse();
		for (const { kind, id } of open) {
			if (id !== undefined) await persist(client, async () => await this.delete(client, kind, id));
		}
		await this.look(client);
	}

	/**
	 * What the lists show is worth more than what the answers have said. Of those whose making was not
	 * answered they give the IDs, by the names, of which there may be several.
	 */
	private async look(client: ProbeClient): Promise<void> {
		const known = new Set(this.made.map(({ id }) => id));
		for (const isAgent of [true, false]) {
			const ofKind = this.made.filter(({ kind }) => (kind === 'agent') === isAgent);
			if (ofKind[0] === undefined) continue;
			const listed = await newest(client, isAgent ? ofKind[0].name : undefined);
			for (const throwaway of ofKind) {
				throwaway.id ??= listed?.find(
					({ id, text }) => !known.has(id) && text.includes(throwaway.name) && isSafeId(id),
				)?.id;
				known.add(throwaway.id);
				throwaway.isListed = listed?.some(({ id }) => id === throwaway.id);
			}
		}
	}
}

/** The newest records, or agents of a name, among which the probe's are; undefined if unreadable. */
async function newest(client: ProbeClient, agent?: string) {
	const requests =
		agent === undefined
			? [recordsRequest(), boundedRecordsRequest(client.machine.nowMs())]
			: [listRequest(agent)];
	for (const request of requests) {
		let answer: Answer | undefined;
		await persist(client, async () => (answer = await client.ask(request)));
		if (answer?.page !== undefined) return answer.page.entries;
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
async function persist({ machine }: ProbeClient, ask: () => Promise<Answer>): Promise<void> {
	const failureOf = (thrown: unknown) => {
		const code = thrown instanceof Halt ? '' : 'ERR_NETWORK';
		return { kind: 'network failure' as const, code, text: String(thrown) };
	};
	const send = async () => await ask().then(({ result }) => result, failureOf);
	const { nowMs, pause: delay } = machine;
	const clock = { nowMs, delay, random: () => 0, isCancelled: () => false };
	await sendWithRetries(send, POLICY, new RateLimiter(), clock);
}

/** That there is no such thing may be said of the address: it counts only if the list agrees. */
function isOpen({ deleted, isListed }: Throwaway): boolean {
	return deleted === 'done' ? isListed === true : deleted !== 'not found' || isListed !== false;
}

/** Whether a reply to making something says for certain that it was not made. */
function isNotMade(result: AttemptResult): boolean {
	return result.kind === 'network failure'
		? isWrongAddress(result)
		: result.status >= 400 && result.status < 500 && result.status !== 408;
}

const NO_SUCH_ADDRESS = 'ERR_API_NOT_FOUND';

function deletionBy({ body, status, code }: Answer): Throwaway['deleted'] {
	if (readSuccess(body)) return 'done';
	return [404, 410].includes(status) && code !== NO_SUCH_ADDRESS ? 'not found' : undefined;
}
