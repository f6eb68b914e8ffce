import type { Answer } from './answer';
import type { Client } from './client';
import type { Step } from './questions';

/** The paths for deletion, and the fields of the ID in the responses to creation. A crawl returns no ID. */
const KINDS = new Map([
	['agent', { address: 'agents', id: 'agent/uid' }],
	['user', { address: '/users', id: 'data/uid' }],
	['uploads', { address: 'knowledge-base/uploads', id: 'uploads/0/uploadId' }],
	['text', { address: 'knowledge-base/text', id: 'data/uniqueId' }],
	['website', { address: 'knowledge-base/website', id: 'none' }],
]);

interface Throwaway {
	kind: string;
	/** The name of its ID in the questions, which a later response may contain. */
	as: string;
	/** A name that nothing in the account has. */
	name: string;
	/** Undefined while the ID is unknown. */
	id?: string;
	deleted?: 'done' | 'not found';
	/** Undefined if no list shows it. */
	isListed?: boolean;
}

/** The name in the request that creates it. */
const NAME = /n8n-probe-[\w-]+-safe-to-delete-[\w.-]+/;

/** Records each created document before the request that creates it, and deletes it by its ID. */
export class Throwaways {
	private made: Throwaway[] = [];

	constructor(private readonly client: Client) {}

	/** Sends a step, and records what it creates, unless it was refused. */
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

	/** Deletes everything, starting with the last. `left` returns the rest. */
	async deleteAll(): Promise<void> {
		this.client.isCleaningUp = true;
		for (let pass = 1; pass <= 3 && this.made.some(isOpen); pass++) {
			// A pause for late lists, and for documents that are still being indexed.
			if (pass > 1) await this.client.machine.pause(3000);
			for (const one of this.made.filter(isOpen).reverse()) await this.delete(one);
			await this.look();
		}
	}

	/** Returns sentences for the user about everything that may still exist. */
	left(): string[] {
		return this.made.filter(isOpen).map(({ kind, name, id, isListed }) => {
			if (id === undefined) return `Look for the ${kind} "${name}", and delete it.`;
			const is = isListed ? 'is' : 'may be';
			return `The ${kind} "${name}" (${id}) ${is} still in CometChat: delete it in the dashboard.`;
		});
	}

	private async delete(one: Throwaway): Promise<void> {
		// The UID of a user is our own choice.
		const id = one.kind === 'user' ? one.name : (one.id ?? this.client.names.get(one.as));
		if (id === undefined || !isSafeId(id)) return;
		one.id = id;
		const body = one.kind === 'user' ? ' {"permanent":true}' : '';
		const address = `${KINDS.get(one.kind)?.address}/${encodeURIComponent(id)}`;
		const { ok, status } = await this.client.send(`DELETE ${address}${body}`);
		if (ok || status === 404) one.deleted ??= ok ? 'done' : 'not found';
	}

	/** Reads the lists, which are more reliable than responses, and finds missing IDs by name. */
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
			// A deleted agent may stay in the list of users.
			const fit = entries.filter(({ isUser }) => isUser === (one.kind === 'user'));
			one.id ??= fit.find(({ id, text }) => text.includes(one.name) && !known.includes(id))?.id;
			one.isListed = fit.some(({ id }) => id === one.id) || (isWhole ? false : undefined);
		}
	}
}

/** The lists that may contain something of the probe, newest first. */
const LISTS = [
	'knowledge-base?limit=100',
	'knowledge-base/text',
	'agents?limit=100&search={mark}',
	'/users?perPage=100&searchKey={mark}',
];

/** Whether something may still exist. A 404 may be about the URL, so it only counts if the list agrees. */
function isOpen({ deleted, isListed }: Throwaway): boolean {
	return deleted === 'done' ? isListed === true : deleted !== 'not found' || isListed !== false;
}

function isSafeId(id: string): boolean {
	return /^\w[\w.:@-]*$/.test(id);
}
