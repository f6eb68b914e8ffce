export interface Reply {
	/** 0 without a response. */
	status: number;
	headers: Record<string, string>;
	body: unknown;
}

export class Answer {
	/** @param fill Replaces the names in braces by their values. */
	constructor(
		private readonly reply: Reply,
		private readonly fill: (template: string) => string,
	) {}

	get status(): number {
		return this.reply.status;
	}

	get ok(): boolean {
		return this.status >= 200 && this.status < 300;
	}

	/**
	 * Whether the response meets an expectation: `200|404`, `any`, `ok`, `done` (CometChat's success of a change),
	 * `path` (which exists), or `path is this|that` and `path lacks this`, in a list or a field.
	 */
	is(expected: string): boolean {
		const [path = '', verb, wanted = ''] = expected.split(' ');
		if (/^\d/.test(path)) return path.split('|').includes(String(this.status));
		if (path === 'any') return true;
		if (path === 'ok' || !this.ok) return this.ok;
		if (path === 'done') return (this.at('success') ?? this.at('data/success')) === true;
		const value = this.at(path);
		if (verb === undefined) return value !== undefined;
		const values = (Array.isArray(value) ? value : [value]).map(String);
		return values.some((one) => this.fill(wanted).split('|').includes(one)) === (verb === 'is');
	}

	/** Returns a nested field, such as `data/[uniqueId={file}]/type`: in a list, the entry with this value. */
	at(path: string): unknown {
		return path.split('/').reduce<unknown>((value, part) => {
			const [, name, wanted] = /^\[(\w+)=(.+)\]$/.exec(this.fill(part)) ?? [];
			if (name === undefined) return fieldOf(value, this.fill(part));
			return Array.isArray(value) ? value.find((one) => fieldOf(one, name) === wanted) : undefined;
		}, this.reply.body);
	}

	/** Returns a text or a number as text; empty for other values. */
	text(path: string): string {
		const value = this.at(path);
		return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
	}
}

function fieldOf(value: unknown, name: string): unknown {
	if (typeof value !== 'object') return undefined;
	return Object.entries(value ?? {}).find(([key]) => key === name)?.[1];
}
