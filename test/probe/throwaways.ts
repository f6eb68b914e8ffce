import { readPathValue } from '../../nodes/CometChatKnowledgeBase/input/identifiers';
import { isWrongAddress } from '../../nodes/CometChatKnowledgeBase/requests/attemptResult';
import { agentRequest, listRequest } from '../../nodes/CometChatKnowledgeBase/service/agents';
import { readSuccess } from '../../nodes/CometChatKnowledgeBase/service/attachments';
import { deleteRequest } from '../../nodes/CometChatKnowledgeBase/service/deletion';
import type { KnowledgeBaseRecord } from '../../nodes/CometChatKnowledgeBase/service/records';
import { recordsRequest } from '../../nodes/CometChatKnowledgeBase/service/records';
import { cut } from '../../nodes/CometChatKnowledgeBase/values/quoting';
import type { Answer, HttpRequest } from './answer';
import type { Client } from './client';

/** What the probe makes; of files and texts the word that addresses have for them. */
export type Kind = 'agent' | 'user' | 'uploads' | 'text' | 'website';

/** Users of the app (https://www.cometchat.com/docs/rest-api/users). */
export const USERS = '/users';

interface Throwaway {
	kind: Kind;
	/** Its name, file name or title, which nothing else in the account has; of a website its address. */
	name: string;
	/** Undefined as long as the answer to its making has not been understood. */
	id?: string;
	/** Whether its making was answered, if without an ID that could be read. */
	isTaken?: boolean;
	/** What its deletion was answered at best: that it is done, or that there is no such thing. */
	deleted?: 'done' | 'not found';
	/** Whether the list showed it when it was last looked at; undefined if that can't be read. */
	isListed?: boolean;
}

/** Enough to find it by; one title is as long as titles can be. */
const LONGEST_NAME = 60;

/** Between two, a list that is a little behind, or indexing under way, is given time to end. */
const PASSES = 3;
const PASS_PAUSE_MS = 3000;

/** Remembers all that the probe makes from before the request that makes it, and deletes it. */
export class Throwaways {
	private readonly made: Throwaway[] = [];
	/** Names and IDs that may be shown. */
	readonly own = new Set<string>();
	/** Tells the probe's website from others of its address; none is, as long as nobody has set it. */
	isNewSite: (record: KnowledgeBaseRecord) => boolean = () => false;

	constructor(private readonly client: Client) {}

	/**
	 * The only way to make something.
	 *
	 * @param readIds In the order of the names; none if the answer holds none that can be read.
	 */
	async make(
		kind: Kind,
		names: string[],
		request: HttpRequest,
		readIds: (answer: Answer) => string[],
	): Promise<{ answer: Answer; ids: string[] }> {
		const made = names.map((name): Throwaway => ({ kind, name }));
		const answer = await this.client.ask(request, () => void this.made.push(...made));
		const ids = readIds(answer);
		for (const [at, throwaway] of made.entries()) {
			if (isNotMade(answer)) this.made.splice(this.made.indexOf(throwaway), 1);
			else Object.assign(throwaway, { id: ids[at], isTaken: answer.isTaken });
		}
		for (const text of [...names, ...ids]) this.own.add(text);
		return { answer, ids };
	}

	/** For what an answer has not told the ID of. */
	found(kind: Kind, id: string): void {
		const made = this.made.find((one) => one.kind === kind && one.id === undefined);
		if (made) made.id = id;
		this.own.add(id);
	}

	/** The only way to delete something. */
	async delete(kind: Kind, id: string): Promise<Answer> {
		const answer = await this.client.ask(deletionOf(kind, id));
		for (const throwaway of this.made) {
			if (throwaway.id === id) throwaway.deleted ??= deletionBy(answer);
		}
		return answer;
	}

	/** Deletes everything, the last first. Never throws; `left` tells what it was not able to do. */
	async deleteAll(): Promise<void> {
		this.client.isCleaningUp = true;
		for (let pass = 1; pass <= PASSES && this.made.length > 0; pass++) {
			for (const { kind, id } of this.made.filter(isOpen).reverse()) {
				if (id !== undefined) await this.delete(kind, id).catch(() => undefined);
			}
			await this.look();
			if (this.left().length === 0) return;
			if (pass < PASSES) await this.client.machine.pause(PASS_PAUSE_MS);
		}
	}

	/** What is, or may be, still there, in sentences for the person. */
	left(): string[] {
		const open = this.made.filter((one) => isOpen(one) && !this.isOneWithOther(one));
		return open.map(({ kind, name, id, isListed }) => {
			const which = `${kind === 'uploads' ? 'upload' : kind} "${cut(name, LONGEST_NAME)}"`;
			if (id === undefined) {
				return `Perhaps there is the ${which}: look for it in the dashboard and delete it.`;
			}
			const is = isListed ? 'is' : 'may be';
			return `The ${which} (${id}) ${is} still there: delete it in the dashboard.`;
		});
	}

	/** A second crawl that has made no second website has read the first anew. */
	private isOneWithOther({ kind, name, id, isTaken, isListed }: Throwaway): boolean {
		if (kind !== 'website' || id !== undefined || !isTaken || isListed !== false) return false;
		return this.made.some((other) => other.name === name && other.id !== undefined);
	}

	/** A user, who is known by the UID. */
	private async isThere(uid: string): Promise<boolean | undefined> {
		const answer = await this.client
			.ask({ method: 'GET', url: `${USERS}/${uid}` })
			.catch(() => undefined);
		return answer?.isTaken || (answer?.status === 404 ? false : undefined);
	}

	/**
	 * What the lists show is worth more than what the answers have said. Of those whose making was not
	 * answered they give the IDs, by the names, of which there may be several.
	 */
	private async look(): Promise<void> {
		const entriesOf = async (request: HttpRequest) =>
			(await this.client.ask(request).catch(() => undefined))?.page?.entries;
		const agents = await entriesOf(listRequest(this.made.find(isAgent)?.name));
		const bounded = boundedRecordsRequest(this.client.machine.nowMs());
		const records = (await entriesOf(recordsRequest())) ?? (await entriesOf(bounded));
		const known = new Set(this.made.map(({ id }) => id));
		for (const throwaway of this.made) {
			const listed = isAgent(throwaway) ? agents : records;
			const isOurs = ({ text, record }: { text: string; record?: KnowledgeBaseRecord }) =>
				throwaway.kind === 'website'
					? record !== undefined && this.isNewSite(record)
					: text.includes(throwaway.name);
			throwaway.id ??= listed?.find(
				(entry) => !known.has(entry.id) && isOurs(entry) && isSafeId(entry.id),
			)?.id;
			known.add(throwaway.id);
			throwaway.isListed = listed?.some(({ id }) => id === throwaway.id);
			if (throwaway.kind !== 'user') continue;
			throwaway.isListed = await this.isThere(throwaway.name);
			if (throwaway.isListed) throwaway.id = throwaway.name;
		}
	}
}

function deletionOf(kind: Kind, id: string): HttpRequest {
	if (kind === 'agent') return { method: 'DELETE', url: agentRequest(id).url };
	if (kind !== 'user') return deleteRequest(kind, id);
	const headers = { 'Content-Type': 'application/json' };
	return { method: 'DELETE', url: `${USERS}/${id}`, headers, body: { permanent: true } };
}

const isAgent = ({ kind }: Throwaway) => kind === 'agent';

/** With the parameters that the service's pages call required, and the node leaves out. */
export function boundedRecordsRequest(nowMs: number): HttpRequest {
	const request = recordsRequest();
	return { ...request, qs: { ...request.qs, start: 0, end: nowMs } };
}

/** An ID that can be deleted by: as part of an address it must not lead to another one. */
export function isSafeId(id: unknown): id is string {
	return typeof id === 'string' && readPathValue(id, '', '') === id;
}

/** That there is no such thing may be said of the address: it counts only if the list agrees. */
function isOpen({ deleted, isListed }: Throwaway): boolean {
	return deleted === 'done' ? isListed === true : deleted !== 'not found' || isListed !== false;
}

/** Whether a reply to making something says for certain that it was not made. */
function isNotMade({ result }: Answer): boolean {
	return result.kind === 'network failure'
		? isWrongAddress(result)
		: result.status >= 400 && result.status < 500 && result.status !== 408;
}

function deletionBy({ body, data, status, isNoSuchCall }: Answer): Throwaway['deleted'] {
	if (readSuccess(body) || readSuccess(data)) return 'done';
	return [404, 410].includes(status) && !isNoSuchCall ? 'not found' : undefined;
}
