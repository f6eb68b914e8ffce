import { inHalves, inParts, isUnknown } from '../api/apiClient';
import { success } from '../api/shape';
import { ApiError } from '../apiErrors/apiError';
import { KeyedQueue } from '../execution/concurrency';
import type { ItemContext } from '../execution/itemContext';
import type { RunContext } from '../execution/operation';
import type { Agent, Change } from '../service/agents';
import { agentRequest, knowledgeRequest, readAgent } from '../service/agents';
import { isUnknownDocument } from '../service/documents';
import type { Failure } from '../values/failure';
import { caught, isFailure } from '../values/failure';

/**
 * CometChat documents no limit for the list. A hundred IDs make a body of about 4 KB: below the 10 KB
 * that it names for POST bodies elsewhere, and with nearly all of the time for a request saved.
 */
const IDS_PER_REQUEST = 100;

/** How the last request ended that had a document. */
export interface Outcome {
	/** Left out where it was done. */
	failure?: ApiError;
	/** The input items that share the request. */
	items: number[];
}

/** A request that waits for those before it. */
interface QueuedChange {
	change: Omit<Change, 'uniqueIds'>;
	/** Of the first item in it; the others end in the same way. */
	item: ItemContext;
	/** Whose each document is. */
	owners: Map<string, Set<number>>;
	/** By document. */
	sent: Promise<Map<string, Outcome>>;
}

/**
 * What a run attaches to agents, or detaches from them. The changes of one agent go one at a time, in the
 * order in which they come: at the same time they could overwrite each other. Those that come while others of their
 * kind wait go together in one request, if requests are shared.
 */
export class AgentChanges {
	private readonly queue = new KeyedQueue();

	/** The last request of each agent, until it begins: joining an earlier one would be out of order. */
	private readonly open = new Map<string, QueuedChange>();

	/** What CometChat says when it is asked for an agent because of a refusal. */
	private readonly agents = new Map<string, Promise<Agent>>();

	/** @param areShared Whether changes may go together; otherwise each is a request of its own. */
	constructor(
		private readonly run: RunContext,
		private readonly areShared: boolean,
	) {}

	/** Meanwhile the caller's permit is others': waiting keeps nobody from going on. @throws ApiError */
	async send(item: ItemContext, change: Change): Promise<void> {
		const outcomes = await this.run.permits.without(async () => await this.outcomes(item, change));
		const failure = [...outcomes.values()].find((one) => one.failure)?.failure;
		if (failure !== undefined) throw failure;
	}

	/** @param index The input item whose change it is. @returns By document. */
	async outcomes(item: ItemContext, change: Change, index = -1): Promise<Map<string, Outcome>> {
		// All of them at once, so that they wait in order.
		const { uniqueIds: ids } = change;
		const parts = (this.areShared ? inParts(ids, IDS_PER_REQUEST) : [ids]).map((uniqueIds) => {
			return { uniqueIds, sent: this.enqueue(item, { ...change, uniqueIds }, index) };
		});
		const all = new Map<string, Outcome>();
		for (const { uniqueIds, sent } of parts) {
			const outcomes = await sent;
			for (const id of uniqueIds) all.set(id, outcomes.get(id) ?? { items: [] });
		}
		return all;
	}

	/** Puts a change into the request that has room for it, or into one of its own. */
	private enqueue(item: ItemContext, change: Change, index: number): QueuedChange['sent'] {
		// Two spellings may be one agent: CometChat forces UIDs to lower case elsewhere.
		const key = change.uid.toLowerCase();
		const open = this.open.get(key);
		const hasRoom = this.areShared && open !== undefined && isRoomIn(open, item, change);
		const request = hasRoom ? open : this.queued(key, item, change);
		this.open.set(key, request);
		const { owners, sent } = request;
		for (const id of change.uniqueIds) owners.set(id, (owners.get(id) ?? new Set()).add(index));
		return sent;
	}

	private queued(key: string, item: ItemContext, change: Change): QueuedChange {
		const send = async () => {
			if (this.open.get(key) === request) this.open.delete(key);
			return await this.sendNow(request);
		};
		const request: QueuedChange = {
			change,
			item,
			owners: new Map(),
			sent: this.queue.run(key, async () => await this.run.permits.runFirst(send)),
		};
		return request;
	}

	private async sendNow({ change, item, owners }: QueuedChange): Promise<Map<string, Outcome>> {
		const itemsOf = (ids: string[]) =>
			[...new Set(ids.flatMap((id) => [...(owners.get(id) ?? [])]))].sort((a, b) => a - b);
		const parts = await inHalves(
			[...owners.keys()],
			async (uniqueIds) => await this.sendPart(item, { ...change, uniqueIds }),
			async (refusal, ids) => {
				const isSplit = this.isSplit(refusal, ids);
				// Here and not later, or the item whose turn is next would still be sent.
				if (!isSplit && this.run.stopsOnFailure && !isGone(change, refusal)) this.run.cancel();
				return isSplit;
			},
		);
		return new Map(
			parts.flatMap(({ entries, answer }) => {
				const failed = answer instanceof ApiError && !isGone(change, answer);
				const outcome: Outcome = {
					...(failed && { failure: answer }),
					items: itemsOf(entries),
				};
				return entries.map((id) => [id, outcome] as const);
			}),
		);
	}

	private async sendPart(item: ItemContext, change: Change): Promise<void> {
		const answer = await caught(item.call(knowledgeRequest(change), success));
		if (isFailure(answer)) throw await this.clarified(item, change, answer);
	}

	/** Whether another part of a refused request may go through. */
	private isSplit({ more: { stopReason, concernsOneDocument } }: ApiError, ids: string[]): boolean {
		const isForOne = stopReason === 'answered' && concernsOneDocument === true;
		return isForOne && this.areShared && ids.length > 1;
	}

	/** The failure of a refused change, once the question for the agent has shown that CometChat does not know it. */
	private async clarified(
		item: ItemContext,
		{ uid, uniqueIds }: Change,
		refusal: Failure,
	): Promise<Failure> {
		if (!(refusal instanceof ApiError) || !this.isSplit(refusal, uniqueIds)) return refusal;
		if (refusal.more.unknown !== undefined) return refusal;
		const asked =
			this.agents.get(uid) ?? item.call(agentRequest(uid), readAgent, { about: 'agent' });
		this.agents.set(uid, asked);
		const agent = await caught(asked);
		if (!isFailure(agent) || !isUnknown(agent, 'agent')) return refusal;
		const { attempts, effect, detail } = refusal.more;
		return new ApiError(agent.title, agent.hint, { ...agent.more, attempts, effect, detail });
	}
}

function isRoomIn(open: QueuedChange, item: ItemContext, more: Change): boolean {
	const { change, owners } = open;
	const isOfKind = (['operation', 'uid', 'sourceType'] as const).every(
		(name) => change[name] === more[name],
	);
	const others = more.uniqueIds.filter((id) => !owners.has(id)).length;
	const isAlike = isOfKind && open.item.mustComplete === item.mustComplete;
	return isAlike && owners.size + others <= IDS_PER_REQUEST;
}

/** What CometChat does not have, no agent has: another run may have been faster. */
function isGone({ operation }: Pick<Change, 'operation'>, refusal: ApiError): boolean {
	return operation === 'remove' && isUnknownDocument(refusal);
}
