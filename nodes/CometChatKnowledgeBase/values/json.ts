/** JSON of the service after the redaction. */
export type Json = string | number | boolean | null | Secret | Json[] | { [name: string]: Json };

/** What must not be shown in whole or in part. As text or JSON it is a placeholder. */
export class Secret {
	readonly #text: string;

	constructor(
		text: string,
		private readonly placeholder: string,
	) {
		this.#text = text;
	}

	/** For a request alone: what `use` makes of it must not be shown either. */
	use<Value>(use: (text: string) => Value): Value {
		return use(this.#text);
	}

	toString(): string {
		return this.placeholder;
	}

	toJSON(): string {
		return this.placeholder;
	}
}

/** True for a plain object or any other non-null object that is no list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
