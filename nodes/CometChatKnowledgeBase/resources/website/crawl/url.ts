import { UserError } from '../../../text/failure';
import { invisibleCharacter, quoted } from '../../../text/quoting';
import { readText, toUrl } from '../../../text/text';

const ENTER_URL =
	'Enter the full URL of the page to start from, for example https://docs.example.com.';

/** The longest URL that browsers and search engines usually accept. */
const LONGEST_URL = 2000;

/** Reads 'Website URL', which must be on the internet, because CometChat's crawler opens it. */
export function readUrl(value: unknown): string {
	const text = readText(value, "'Website URL'", ENTER_URL).trim();
	if (text === '') throw urlError('is empty');
	const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(text);
	const url = parse(hasScheme ? text : `https://${text}`);
	const isOne = text.length <= LONGEST_URL && !/\s/.test(text) && !invisibleCharacter(text);
	if (url === undefined || !isOne) throw urlError(`is not a valid URL: ${quoted(text)}`);
	if (url.username !== '' || url.password !== '') {
		// The URL is not quoted, because it contains a secret.
		throw urlError(
			'contains a user name or a password',
			'Enter the URL without them. CometChat crawls public pages only.',
		);
	}
	if (!ENDS_WITH_DOMAIN.test(url.hostname)) {
		throw urlError(
			`leads to ${quoted(url.hostname)}, which is not on the internet`,
			"Enter a URL that opens without signing in. For other pages, upload the content with 'Document: Upload'.",
		);
	}
	url.hash = '';
	return url.href;
}

/** The end of a domain name, unlike the end of an IP address or of a name without a dot. */
const ENDS_WITH_DOMAIN = /\.[a-z][^.]*\.?$/i;

function parse(text: string): URL | undefined {
	return /^https?:\/\//i.test(text) ? toUrl(text) : undefined;
}

function urlError(title: string, hint = ENTER_URL): UserError {
	return new UserError(`'Website URL' ${title}`, hint);
}

/**
 * Returns a URL in the form for comparisons: without http, https and `www.`. In other texts, only percent-encoded
 * letters are decoded.
 */
export function normalizeUrl(text: string): string {
	const url = parse(text.trim());
	if (url === undefined) return decodeUrl(text);
	url.hash = '';
	if (url.search === '') url.search = '';
	url.hostname = url.hostname.replace(/\.$/, '');
	url.pathname = url.pathname.replace(/\/+$/, '') || '/';
	return decodeUrl(url.href).replace(/^https?:\/\/(?:www\.)?/, '');
}

/** Decodes percent-encoded letters. Encoded characters with a meaning in URLs stay encoded. */
export function decodeUrl(text: string): string {
	const decoded = text.replace(/(?:%[\da-f]{2})+/gi, (encoded) => {
		try {
			return decodeURI(encoded.toUpperCase());
		} catch {
			return encoded.toUpperCase();
		}
	});
	return decoded.normalize('NFC');
}

/** Whether a URL contains one of the texts, both decoded. */
export function containsAny(url: string, texts: readonly string[]): boolean {
	const decoded = decodeUrl(url);
	return texts.some((text) => decoded.includes(decodeUrl(text)));
}
