declare const shown: unique symbol;

/**
 * A text that a person may see: a foreign one after the redaction (`account/redaction`), or one that the
 * user or n8n has given (`given`). Outputs, errors, hints and lists take nothing else but the node's own
 * words.
 */
export type Shown = string & { readonly [shown]: true };

/** JSON of the service after the redaction: whatever `typeof` finds to be a text in it is `Shown`. */
export type ShownJson =
	Shown | number | boolean | null | Secret | ShownJson[] | { [name: string]: ShownJson };

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

type Start =
	| `${0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9}`
	| ("'" | '"')
	| ('a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i' | 'j' | 'k' | 'l' | 'm')
	| ('n' | 'o' | 'p' | 'q' | 'r' | 's' | 't' | 'u' | 'v' | 'w' | 'x' | 'y' | 'z');

/**
 * The node's own words: a literal, or a template that begins with one. The compiler takes no variable
 * of the type `string` for it.
 */
export type Words = '' | `${Start | Uppercase<Start>}${string}`;

/** A text of an output, an error, a hint or a list. */
export type ShownText = Shown | Words;

/** A sentence of the node's own words, with what may be shown in it. */
export function worded(words: TemplateStringsArray, ...parts: Array<ShownText | number>): Shown {
	return given(String.raw({ raw: [...words] }, ...parts));
}

/** Texts that may be shown, in one. */
export function joined(texts: readonly ShownText[], between: ', ' | '; ' | ' · '): Shown {
	return given(texts.join(between));
}

/** More would bury a message. */
const MOST_LISTED = 5;

/** What a message lists: the first of them, and how many more there are. */
export function listed(texts: readonly ShownText[], between: ', ' | '; ' = ', '): Shown {
	const more = texts.length - MOST_LISTED;
	const shown = joined(texts.slice(0, MOST_LISTED), between);
	return more > 0 ? given(`${shown}${between}and ${more} more`) : shown;
}

/**
 * What the user has filled in, n8n names, or the node itself has put together or noted: they may see it.
 * Not for anything of the service, which has gone through the redaction and is `Shown` by that.
 */
export function given(text: string): Shown;
export function given(text: string | undefined): Shown | undefined;
export function given(text: string | undefined): string | undefined {
	return text;
}
