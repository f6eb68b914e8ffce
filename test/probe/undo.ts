import { listRequest } from '../../nodes/CometChatKnowledgeBase/service/agents';
import type {
	Change,
	ChangeOperation,
} from '../../nodes/CometChatKnowledgeBase/service/attachments';
import { toRequest } from '../../nodes/CometChatKnowledgeBase/service/attachments';
import type { Reply } from '../../nodes/CometChatKnowledgeBase/requests/reply';
import { effectOf } from '../../nodes/CometChatKnowledgeBase/requests/reply';
import { agentIn, deleteRequest, fileIdsOf, getRequest } from './agentRequests';
import type { Asker } from './asking';
import { isSuccessStatus } from './asking';
import { persist } from './persist';
import { MadeRecords } from './records/cleaningUp';

export type Held = 'attached' | 'detached' | 'unknown';

/** One of the person's files at one agent. */
interface Link {
	uid: string;
	sourceType: string;
	id: string;
	before: Held;
	now: Held;
	/** What it was before the last request. */
	last: Held;
}

interface MadeAgent {
	name: string;
	/** Undefined as long as the answer to its making has not been understood. */
	uid?: string;
	isGone: boolean;
}

/** Remembers what the probe may have changed from before each request on, and puts it back. */
export class Undo {
	/** The files and texts that the probe makes. */
	readonly records = new MadeRecords();
	private readonly links = new Map<string, Link>();
	private made?: MadeAgent;

	/** Called before the request that makes the agent: its answer may be lost. */
	making(name: string): void {
		this.made = { name, isGone: false };
	}

	madeAs(uid: string): void {
		if (this.made) this.made.uid = uid;
	}

	notMade(): void {
		this.made = undefined;
	}

	/** Called before a request that changes the person's files at an agent. */
	changing({ uid, sourceType, uniqueIds }: Change, before: (id: string) => Held): void {
		for (const id of uniqueIds) {
			const key = JSON.stringify([uid, sourceType, id]);
			const known = this.links.get(key);
			const last = known?.now ?? before(id);
			const link = { uid, sourceType, id, before: known?.before ?? last };
			this.links.set(key, { ...link, last, now: 'unknown' });
		}
	}

	changed({ operation, uid, sourceType, uniqueIds }: Change, reply: Reply): void {
		const ids = new Set(uniqueIds);
		const effect = effectOf(reply);
		for (const link of this.links.values()) {
			if (link.uid !== uid || link.sourceType !== sourceType || !ids.has(link.id)) continue;
			if (effect === 'applied') link.now = operation === 'add' ? 'attached' : 'detached';
			// A plain refusal of one file changes nothing; of several, it may have been carried out in part.
			else if (isRefusal(reply) && ids.size === 1) link.now = link.last;
		}
	}

	/** Puts everything back. Never throws; `left` tells what it was not able to do. */
	async putBack(asker: Asker): Promise<void> {
		const steps = [
			() => asker.startPuttingBack(),
			...this.restoring().map((change) => () => this.restore(asker, change)),
			...this.namedAgents().map((uid) => () => this.look(asker, uid)),
			() => this.records.putBack(asker),
			() => this.deleteAgent(asker),
		];
		for (const step of steps) {
			try {
				await step();
			} catch {
				// What this step was for stays in `left`; the other steps may still succeed.
			}
		}
	}

	/** What is, or may be, not as it was, in sentences for the person. */
	left(): string[] {
		const { made } = this;
		const sentences = this.records.left();
		if (made && !made.isGone) {
			sentences.push(
				made.uid === undefined
					? `Perhaps there is an agent named "${made.name}": look for it in the dashboard and delete it.`
					: `The agent "${made.name}" (${made.uid}) is still there: delete it in the dashboard.`,
			);
		}
		for (const { uid, sourceType, id, before, now } of this.links.values()) {
			if (uid === made?.uid && made.isGone) continue;
			const which = `File ${id} (${sourceType}) at agent ${uid}`;
			if (before === 'unknown') {
				const is = now === 'unknown' ? 'may now be attached or not' : `is now ${now}`;
				sentences.push(`${which} ${is}; nobody knows what it was before.`);
			} else if (now !== before) {
				const is = now === 'unknown' ? 'may not be' : 'is not';
				sentences.push(`${which} was ${before} and ${is} any more: ${REMEDY[before]}`);
			}
		}
		return sentences;
	}

	private restoring(): Change[] {
		const changes = new Map<string, Change>();
		for (const { uid, sourceType, id, before, now } of this.links.values()) {
			const wanted = before === 'attached' ? 'attached' : 'detached';
			if (now === wanted) continue;
			const operation: ChangeOperation = wanted === 'attached' ? 'add' : 'remove';
			const key = JSON.stringify([uid, sourceType, operation]);
			const change = changes.get(key) ?? { operation, uid, sourceType, uniqueIds: [] };
			change.uniqueIds.push(id);
			changes.set(key, change);
		}
		return [...changes.values()];
	}

	private async restore(asker: Asker, change: Change): Promise<void> {
		await persist(asker, async () => {
			const reply = await asker.ask(`${change.operation} to put back`, toRequest(change), {
				beforeSending: () => this.changing(change, () => 'unknown'),
			});
			this.changed(change, reply);
			return reply;
		});
	}

	private namedAgents(): string[] {
		const uids = [...this.links.values()].map(({ uid }) => uid);
		return [...new Set(uids)].filter((uid) => uid !== this.made?.uid);
	}

	/** What the agent shows is worth more than what the answers have said. */
	private async look(asker: Asker, uid: string): Promise<void> {
		const links = [...this.links.values()].filter((link) => link.uid === uid);
		if (links.some(({ before }) => before === 'unknown')) return;
		const asked = 'the agent, to see that all is as before';
		const reply = await persist(asker, () => asker.ask(asked, getRequest(uid)));
		const ids = reply && fileIdsOf(agentIn(reply, (agent) => agent.uid === uid));
		for (const link of links) {
			link.now = ids === undefined ? 'unknown' : ids.includes(link.id) ? 'attached' : 'detached';
		}
	}

	private async deleteAgent(asker: Asker): Promise<void> {
		const { made } = this;
		if (made === undefined || made.isGone) return;
		if (made.uid === undefined) {
			const search = listRequest(made.name);
			const asked = 'agents by the name of the one that was made';
			const reply = await persist(asker, () => asker.ask(asked, search));
			made.uid = reply && agentIn(reply, ({ name }) => name === made.name)?.uid;
			if (made.uid === undefined) return;
		}
		const { uid } = made;
		await persist(asker, () => asker.ask('deletes the agent that was made', deleteRequest(uid)));
		const seen = await persist(asker, () => asker.ask('the deleted agent', getRequest(uid)));
		made.isGone = seen?.kind === 'answer' && (seen.status === 404 || seen.status === 410);
		if (!made.isGone && seen && isRefusal(seen)) {
			// The service may say it in another way than 404: the list of agents decides.
			const reply = await asker.ask('agents by its name', listRequest(made.name));
			made.isGone =
				isSuccessStatus(reply) && agentIn(reply, (agent) => agent.uid === uid) === undefined;
		}
	}
}

const REMEDY = { attached: 'add it again.', detached: 'remove it.' };

function isRefusal(reply: Reply): boolean {
	return reply.kind === 'answer' && reply.status >= 400 && effectOf(reply) === 'not applied';
}
