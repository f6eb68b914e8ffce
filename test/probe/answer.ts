/** What the live service has said to one request. */
export class Answer {
	/** @param fill Puts what the run has made into the names in braces. */
	constructor(
		/** 0 if there is no answer. */
		readonly status: number,
		readonly headers: Record<string, unknown>,
		readonly body: unknown,
		private readonly fill: (template: string) => string,
	) {}

	get ok(): boolean {
		return this.status >= 200 && this.status < 300;
	}

	/** How CometChat reports a change. */
	get done(): boolean {
		return this.ok && (this.at('success') ?? this.at('data/success')) === true;
	}

	/** Nobody has answered, or somebody who is broken, busy or does not know the key. */
	get saysNothing(): boolean {
		return this.status === 0 || this.status >= 500 || [401, 402, 403, 429].includes(this.status);
	}

	/** The entries of a list. */
	get entries(): unknown[] | undefined {
		const data = this.at('data');
		return this.ok && Array.isArray(data) ? data : undefined;
	}

	/** A field inside fields, such as `data/[uniqueId={file}]/type`: in a list, the entry that has this. */
	at(path: string): unknown {
		return path.split('/').reduce<unknown>((value, part) => {
			const [, name, wanted] = /^\[(\w+)=(.+)\]$/.exec(this.fill(part)) ?? [];
			if (name === undefined) return fieldOf(value, this.fill(part));
			return Array.isArray(value) ? value.find((one) => fieldOf(one, name) === wanted) : undefined;
		}, this.body);
	}

	text(path: string): string {
		const value = this.at(path);
		return ['string', 'number'].includes(typeof value) ? String(value) : '';
	}

	has(path: string, template: string): boolean {
		const list = this.at(path);
		return Array.isArray(list) && list.includes(this.fill(template));
	}
}

function fieldOf(value: unknown, name: string): unknown {
	if (typeof value !== 'object') return undefined;
	return Object.entries(value ?? {}).find(([key]) => key === name)?.[1];
}
