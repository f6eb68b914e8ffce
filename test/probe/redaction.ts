import type { Account } from '../../nodes/CometChatKnowledgeBase/account/account';
import { Redaction as NodeRedaction } from '../../nodes/CometChatKnowledgeBase/account/redaction';
import { isRecord } from '../../nodes/CometChatKnowledgeBase/values/validationIssue';
import type { Answer } from './answer';

/** Fields with words of the service's own, which say nothing about the account. */
const TELLING = /^(?:type|status|vectorizationStatus|affix|ragVersion|code|message|details)$/;

/** Headers that say how the service works; others may hold cookies and traces of the account. */
const KEPT_HEADERS = /^(?:content-type|retry-after|.*rate-?limit.*)$/;

/** A key, an ID, a signature: what a person reads is shorter, but for codes. */
const LONG_WORD = /[^\s"'<>,:{}[\]]{25,}/g;
const CODE = /^[A-Z_]+$/;

/** A web page or the like; more of it tells nothing more. */
const LONGEST_TEXT = 2000;

/** What may be shown and handed on: of what the probe has not made itself, numbers and a few words. */
export class Redaction {
	private readonly ofNode: NodeRedaction;

	constructor(
		account: Account,
		/** The names and IDs of what the probe has made or made up. */
		private readonly own: ReadonlySet<string>,
	) {
		this.ofNode = new NodeRedaction(account);
	}

	/** Without the key, and without anything that could be an address, an ID or a signature. */
	text(text: string): string {
		const keyless = this.ofNode.text(text.slice(0, LONGEST_TEXT));
		if (this.own.has(text)) return keyless;
		const isKept = (word: string) => this.own.has(word) || CODE.test(word);
		return keyless.replace(LONG_WORD, (word) => (isKept(word) ? word : kindOf(word)));
	}

	/** Every text and every name in a value that is to become JSON; of other fields only the kind. */
	value(value: unknown, isTelling: (field: string) => boolean = () => true, field = ''): unknown {
		if (typeof value === 'string') {
			return isTelling(field) || this.own.has(value) ? this.text(value) : kindOf(value);
		}
		if (Array.isArray(value)) return value.map((entry) => this.value(entry, isTelling, field));
		if (!isRecord(value)) return value;
		const fields = Object.entries(value).map(([name, inner]) => {
			return [this.text(name), this.value(inner, isTelling, name)];
		});
		return Object.fromEntries(fields);
	}

	/** An ID has digits in it, and no other part of an address has. */
	private path(url: string): string {
		const isKept = (part: string) => this.own.has(decodeURIComponent(part)) || !/\d/.test(part);
		return url
			.split('/')
			.map((part) => (isKept(part) ? part : kindOf(part)))
			.join('/');
	}

	/** As it may be saved. The key is in no request as it is kept here, and no address with bytes. */
	answer({ request, result }: Answer): object {
		const { method, url, qs, body } = request;
		const asked = { request: { method, path: this.path(url), query: this.value(qs), body } };
		if (result.kind === 'network failure') return { ...asked, noAnswer: result.code };
		const { status, headers } = result;
		const kept = Object.entries(headers).filter(([name]) => KEPT_HEADERS.test(name));
		const isTelling = (field: string) => TELLING.test(field) || this.own.has(field);
		// A refusal that is no JSON is a message as a whole.
		const shown = this.value(result.body, isTelling, status >= 400 ? 'message' : '');
		const answer = { status, headers: this.value(Object.fromEntries(kept)), body: shown };
		return { ...asked, answer };
	}
}

/** Of a text that is nobody's business. */
export function kindOf(text: string): string {
	if (text === '') return text;
	if (/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)) return '[UUID]';
	return /^[\da-f]{24}$/i.test(text) ? '[24-hex]' : `[${text.length} characters]`;
}
