import { KeyedQueue } from '../concurrency/turns';
import type { ItemContext } from '../execution/itemContext';
import type { ItemRun } from '../execution/items';
import type { ItemFailure } from '../results/apiError';
import { ApiError, caught, isItemFailure } from '../results/apiError';
import { isUnclear, unknown } from '../results/messages';
import type { Agent, Change } from '../service/agents';
import { agentRequest, knowledgeRequest, readAgent } from '../service/agents';
import { success } from '../service/shape';
import { isUnknownFile } from '../service/deletion';
import { inHalves } from '../service/inHalves';

/**
 * CometChat documents no limit for the list. A hundred IDs make a body of about 4 KB: below the 10 KB
 * that it names for POST bodies elsewhere, and with nearly all of the time for a request saved.
 */
export const IDS_PER_REQUEST = 100;

/** How the last request ended that had a document. */
export interface Outcome {
	/** Left out where it was done. */
	failure?: ApiError;
	/** The input items that share the request, and of a larger one before it that was refused. */
	items: number[];
	refusedWith: number[];
}

/** A request that waits for those before it, and may take in more until it begins. */
interface Request {
	change: Change;
	/** Of the first item in it; the others end in the same way. */
	item: ItemContext;
	/** Whose each document is. */
	owners: Map<string, Set<number>>;
	hasBegun: boolean;
}

interface Pending extends Request {
	/** By document. */
	sent: Promise<Map<string, Outcome>>;
}

/**
 * What a run attaches to agents, or detaches from them. The changes of one agent go one at a time, in the
 * order in which they come: at the same time they could overwrite each other. Those that come while others of their
 * kind wait go together in one request, if a request may have several.
 */
export class AgentChanges {
	private readonly queue = new KeyedQueue();

	/** The last request of each agent: joining an earlier one would be out of order. */
	private readonly last = new Map<string, Pending>();

	/** What CometChat says when it is asked for an agent. */
	private readonly agents = new Map<string, Promise<Agent>>();

	/** @param most How many documents may share a request; 1: each change is a request of its own. */
	constructor(
		private readonly run: ItemRun,
		private readonly most: number,
	) {}

	/**
	 * Without a permit: waiting must keep no other item from going on.
	 *
	 * @throws ApiError if any of them was not changed.
	 */
	async send(item: ItemContext, change: Change): Promise<void> {
		const outcomes = await this.outcomes(item, change);
		const failure = [...outcomes.values()].find((one) => one.failure)?.failure;
		if (failure !== undefined) throw failure;
	}

	/** @param index The input item whose change it is. */
	async outcomes(item: ItemContext, change: Change, index = -1): Promise<Map<string, Outcome>> {
		const parts = pieces(change.uniqueIds, this.most).map((uniqueIds) => ({
			...change,
			uniqueIds,
		}));
		// All of them at once, so that they wait in order.
		const requests = parts.map((part) => this.requestFor(item, part, index));
		const all = new Map<string, Outcome>();
		for (const [at, { sent }] of requests.entries()) {
			const outcomes = await sent;
			for (const id of parts[at]?.uniqueIds ?? []) {
				const outcome = outcomes.get(id);
				if (outcome) all.set(id, outcome);
			}
		}
		return all;
	}

	private requestFor(item: ItemContext, change: Change, index: number): Pending {
		const key = orderKeyOf(change);
		const last = this.last.get(key);
		if (last && this.hasRoom(last, change, item)) {
			for (const id of change.uniqueIds) own(last, id, index);
			return last;
		}
		const owners = new Map<string, Set<number>>();
		const request = { change: { ...change, uniqueIds: [] }, item, owners, hasBegun: false };
		for (const id of change.uniqueIds) own(request, id, index);
		const sent = this.queue.run(key, async () =>
			this.run.permits.runFirst(async () => {
				request.hasBegun = true;
				return await this.sendNow(request);
			}),
		);
		const pending = Object.assign(request, { sent });
		this.last.set(key, pending);
		return pending;
	}

	private hasRoom({ change, owners, ...last }: Pending, more: Change, item: ItemContext): boolean {
		const isOfKind = (['operation', 'uid', 'sourceType'] as const).every(
			(name) => change[name] === more[name],
		);
		const isOpen = !last.hasBegun && last.item.mustComplete === item.mustComplete;
		const others = more.uniqueIds.filter((id) => !owners.has(id)).length;
		return this.most > 1 && isOfKind && isOpen && owners.size + others <= this.most;
	}

	private async sendNow({ change, item, owners }: Request): Promise<Map<string, Outcome>> {
		const itemsOf = (ids: string[]) =>
			[...new Set(ids.flatMap((id) => [...(owners.get(id) ?? [])]))].sort((a, b) => a - b);
		const parts = await inHalves(
			change.uniqueIds,
			async (uniqueIds, before) => await this.sendPart(item, { ...change, uniqueIds }, before),
			async (refusal, ids) => {
				const isSplit = this.most > 1 && ids.length > 1 && isForOne(refusal);
				// Here and not later, or the item whose turn is next would still be sent.
				if (!isSplit && this.run.stopsOnFailure && !isGone(change, refusal)) this.run.cancel();
				return isSplit;
			},
		);
		const whole = itemsOf(change.uniqueIds);
		return new Map(
			parts.flatMap(({ entries, answer }) => {
				const failed = answer instanceof ApiError && !isGone(change, answer);
				const outcome: Outcome = {
					...(failed && { failure: answer }),
					items: itemsOf(entries),
					refusedWith: parts.length > 1 ? whole : [],
				};
				return entries.map((id) => [id, outcome] as const);
			}),
		);
	}

	/** @param before The refusal of a larger request, which may have been carried out in part. */
	private async sendPart(item: ItemContext, change: Change, before?: ApiError): Promise<void> {
		const answer = await caught(item.call(knowledgeRequest(change), success));
		if (!isItemFailure(answer)) return;
		const refusal = await this.clarified(item, change, answer);
		if (before === undefined || !(refusal instanceof ApiError)) throw refusal;
		const { title, hint, more } = refusal;
		throw new ApiError(title, hint, {
			...more,
			effect: more.effect === 'not applied' ? before.more.effect : more.effect,
			attempts: before.more.attempts + more.attempts,
		});
	}

	/**
	 * A refusal that may be meant for the agent or for a document, in words for the one that it is: only the question
	 * for the agent tells. Without the agent, each half would be refused as well.
	 */
	private async clarified(
		item: ItemContext,
		change: Change,
		refusal: ItemFailure,
	): Promise<ItemFailure> {
		if (!(refusal instanceof ApiError) || refusal.more.mayConcernAgent !== true) return refusal;
		const isRemoval = change.operation === 'remove' && isUnclear(refusal.more);
		const isSplit = this.most > 1 && change.uniqueIds.length > 1 && isForOne(refusal);
		if (!isRemoval && !isSplit) return refusal;
		const agent = await caught(this.agent(item, change.uid));
		if (!isItemFailure(agent)) return isRemoval ? unknown('document', refusal) : refusal;
		const isAgent = agent instanceof ApiError && agent.more.unknown === 'agent';
		return isAgent ? both(refusal, agent) : refusal;
	}

	private async agent(item: ItemContext, uid: string): Promise<Agent> {
		const asked =
			this.agents.get(uid) ?? item.call(agentRequest(uid), readAgent, { about: 'agent' });
		this.agents.set(uid, asked);
		return await asked;
	}
}

/** Two spellings may be one agent: CometChat forces UIDs to lower case elsewhere. */
function orderKeyOf({ uid }: Change): string {
	return uid.toLowerCase();
}

/** An item is split, in order, only if it alone has more documents than a request takes. */
function pieces(ids: string[], most: number): string[][] {
	if (most === 1 || ids.length <= most) return [ids];
	const count = Math.ceil(ids.length / most);
	return Array.from({ length: count }, (_, at) => ids.slice(at * most, (at + 1) * most));
}

function own({ change, owners }: Request, id: string, index: number): void {
	const known = owners.get(id);
	if (known) known.add(index);
	else change.uniqueIds.push(id);
	if (!known) owners.set(id, new Set([index]));
}

/** Whether another part of the request may go through. */
function isForOne({ more: { stopReason, concernsOneFile } }: ApiError): boolean {
	return stopReason === 'answered' && concernsOneFile === true;
}

/** What CometChat does not have, no agent has: another run may have been faster. */
function isGone({ operation }: Change, refusal: ApiError): boolean {
	return operation === 'remove' && isUnknownFile(refusal);
}

function both({ more }: ApiError, agent: ApiError): ApiError {
	const { attempts, effect, stopReason } = more;
	return new ApiError(agent.title, agent.hint, {
		...{ ...agent.more, attempts, effect, stopReason },
		detail: `${more.detail} Asked for the agent: ${agent.more.detail}`,
	});
}
