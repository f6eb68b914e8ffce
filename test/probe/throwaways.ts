import type { Answer } from './answer';
import type { Client } from './client';
import type { Step } from './questions';

/** Where one is deleted, and where the answer to its making has the ID; that to a crawl has none. */
const KINDS = new Map([
	['agent', { address: 'agents', id: 'agent/uid' }],
	['user', { address: '/users', id: 'data/uid' }],
	['uploads', { address: 'knowledge-base/uploads', id: 'uploads/0/uploadId' }],
	['text', { address: 'knowledge-base/text', id: 'data/uniqueId' }],
	['website', { address: 'knowledge-base/website', id: 'none' }],
]);

interface Throwaway {
	kind: string;
	/** What the table calls its ID, which a later answer may tell. */
	as: string;
	/** Nothing of the account has it. */
	name: string;
	/** Undefined as long as nothing has told it. */
	id?: string;
	deleted?: 'done' | 'not found';
	/** Undefined if no list can tell. */
	isListed?: boolean;
}

/** Stands in the request that makes it. */
const NAME = /n8n-probe-[\w-]+-safe-to-delete-[\w.-]+/;

/** Remembers all that is made from before the request that makes it, and deletes it by its ID. */
export class Throwaways {
	private made: Throwaway[] = [];

	constructor(private readonly client: Client) {}

	/** Sends a step; what it makes is remembered, unless it was refused. */
	async send(step: Step): Promise<Answer> {
		const [kind, name = ''] = Object.entries(step.makes)[0] ?? [];
		if (kind === undefined) return await this.client.ask(step);
		const made: Throwaway = { kind, as: name, name: '' };
		const answer = await this.client.ask(step, ({ body = '' }) => {
			made.name = NAME.exec(body)?.[0] ?? '';
			this.made.push(made);
		});
		const { status } = answer;
		if (status >= 400 && status < 500 && status !== 408) this.made.pop();
		const id = answer.ok ? answer.text(KINDS.get(kind)?.id ?? '') : '';
		if (!isSafeId(id)) return answer;
		made.id = id;
		this.client.names.set(name, id);
		return answer;
	}

	/** Deletes everything, the last first; `left` tells what it could not. */
	async deleteAll(): Promise<void> {
		this.client.isCleaningUp = true;
		for (let pass = 1; pass <= 3 && this.made.some(isOpen); pass++) {
			// A list that is a little behind, or indexing under way, is given time to end.
			if (pass > 1) await this.client.machine.pause(3000);
			for (const one of this.made.filter(isOpen).reverse()) await this.delete(one);
			await this.look();
		}
	}

	/** What is, or may be, still there, in sentences for the person. */
	left(): string[] {
		return this.made.filter(isOpen).map(({ kind, name, id, isListed }) => {
			if (id === undefined) return `Look for the ${kind} "${name}", and delete it.`;
			const is = isListed ? 'is' : 'may be';
			return `The ${kind} "${name}" (${id}) ${is} still in CometChat: delete it in the dashboard.`;
		});
	}

	private async delete(one: Throwaway): Promise<void> {
		// The UID of a user is ours to choose.
		const id = one.kind === 'user' ? one.name : (one.id ?? this.client.names.get(one.as));
		if (id === undefined || !isSafeId(id)) return;
		one.id = id;
		const body = one.kind === 'user' ? ' {"permanent":true}' : '';
		const address = `${KINDS.get(one.kind)?.address}/${encodeURIComponent(id)}`;
		const { ok, status } = await this.client.send(`DELETE ${address}${body}`);
		if (ok || status === 404) one.deleted ??= ok ? 'done' : 'not found';
	}

	/** What the lists show is worth more than answers; of what has no ID they give it, by its name. */
	private async look(): Promise<void> {
		const entries: Array<{ id: string; text: string; isUser: boolean }> = [];
		let isWhole = true;
		for (const address of LISTS) {
			const list = (await this.client.send(`GET ${address}`)).at('data');
			isWhole &&= Array.isArray(list);
			for (const entry of Array.isArray(list) ? list : []) {
				const { uid, uniqueId } = Object(entry);
				const text = JSON.stringify(entry);
				entries.push({ id: String(uid ?? uniqueId), text, isUser: address.startsWith('/') });
			}
		}
		for (const one of this.made) {
			const known = this.made.map(({ id }) => id);
			// An agent may be listed as a user for ever.
			const fit = entries.filter(({ isUser }) => isUser === (one.kind === 'user'));
			one.id ??= fit.find(({ id, text }) => text.includes(one.name) && !known.includes(id))?.id;
			one.isListed = fit.some(({ id }) => id === one.id) || (isWhole ? false : undefined);
		}
	}
}

/** All that can have something of the probe in it, the newest. */
const LISTS = [
	'knowledge-base?limit=100',
	'knowledge-base/text',
	'agents?limit=100&search={mark}',
	'/users?perPage=100&searchKey={mark}',
];

/** That there is no such thing may be said of the address: it counts only if the list agrees. */
function isOpen({ deleted, isListed }: Throwaway): boolean {
	return deleted === 'done' ? isListed === true : deleted !== 'not found' || isListed !== false;
}

/** As part of an address it must not lead to another one. */
function isSafeId(id: string): boolean {
	return /^\w[\w.:@-]*$/.test(id);
}
