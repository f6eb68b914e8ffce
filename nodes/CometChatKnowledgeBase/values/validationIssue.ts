/**
 * What is wrong with a value that somebody filled in, in words for that person.
 *
 * A reader of foreign values returns either the value or a `ValidationIssue`; it never throws.
 */
export class ValidationIssue {
	readonly what: string;

	readonly remedy: string;

	/**
	 * @param what One clause that names the field by its label and says what was found in it.
	 * @param remedy One or two sentences: what to do next.
	 * @param fileName The file that it is about, where it is about one.
	 */
	constructor(
		what: string,
		remedy: string,
		readonly fileName?: string,
	) {
		this.what = what;
		this.remedy = remedy;
	}
}

/**
 * What `read` makes of a foreign value; an issue if the value throws when it is looked at, as a
 * getter or a Proxy can.
 */
export function readable<Value>(label: string, read: () => Value): Value | ValidationIssue {
	try {
		return read();
	} catch {
		return new ValidationIssue(
			`${label} holds a value that can't be read`,
			'Give plain data, as JSON can hold it.',
		);
	}
}

/** True for a plain object or any other non-null object that is no list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
