import { composed } from '../input/document';
import { quoted } from '../values/quoting';
import { itemNumbers } from '../values/ranges';
import { UserError } from '../values/userError';
import type { IfNameExists } from './fields';

/** What an item brings, and where. */
export interface NewDocuments {
	names: string[];
	/** The agent; left out for none. */
	uid?: string;
	ifNameExists: IfNameExists;
}

/**
 * Which items of a run bring documents of which names. Two of one name for one agent are two documents, or a
 * mistake: only the user knows.
 */
export class NewNames {
	/** The items by agent and name, but for those that may be one of several. */
	private readonly claims = new Map<string, number[]>();

	/**
	 * @param kind How a person calls one of the documents.
	 * @param tellApart How two of them get two names, as a clause.
	 */
	constructor(
		private readonly kind: string,
		private readonly tellApart: string,
	) {}

	/** Why items are not sent, by their index: each is named by the others. */
	clashes(items: ReadonlyArray<{ index: number; brings: NewDocuments }>): Map<number, UserError> {
		for (const { index, brings } of items) this.claim(index, brings);
		return new Map(
			items.flatMap(({ index, brings }) => {
				const issue = this.claimedTwice(index, brings);
				return issue ? [[index, issue] as const] : [];
			}),
		);
	}

	claim(index: number, { names, uid, ifNameExists }: NewDocuments): void {
		if (ifNameExists === 'add') return;
		for (const name of names) {
			const key = keyOf(name, uid);
			const items = this.claims.get(key) ?? [];
			items.push(index);
			this.claims.set(key, items);
		}
	}

	/** Why an item is not sent: it is known once all items before it, or all of the run, have claimed their names. */
	claimedTwice(index: number, { names, uid, ifNameExists }: NewDocuments): UserError | undefined {
		if (ifNameExists === 'add') return undefined;
		for (const name of names) {
			const items = this.claims.get(keyOf(name, uid)) ?? [];
			if (items.length > 1) return this.issue(index, items, { name, uid });
		}
		return undefined;
	}

	/** Items of one name go one after another where one may find what the other has brought. */
	keysOf({ names, uid }: NewDocuments): string[] {
		const keys = names.flatMap((name) => [keyOf(name, uid), keyOf(name)]);
		return keys.filter((key) => this.claims.has(key));
	}

	private issue(
		index: number,
		items: number[],
		{ name, uid }: { name: string; uid?: string },
	): UserError {
		const { kind, tellApart } = this;
		const others = [...new Set(items)].filter((one) => one !== index);
		const who = `${others.length === 1 ? 'Item' : 'Items'} ${itemNumbers(others)}`;
		const verb = others.length === 1 ? 'brings' : 'bring';
		const agent = uid === undefined ? '' : ' for the same agent';
		return new UserError(
			others.length === 0
				? `The item has two ${kind}s named ${quoted(name)}`
				: `${who} ${verb} a ${kind} named ${quoted(name)}${agent}, too`,
			`If they are different documents, ${tellApart}, or set 'If the Name Is There' to Add Another. Otherwise leave all but one of them out.`,
			{ fileName: name },
		);
	}
}

/** Two spellings may be one agent. */
function keyOf(name: string, uid = ''): string {
	return `${uid.toLowerCase()}/${composed(name)}`;
}
