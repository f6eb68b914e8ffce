import { UserError } from '../../../text/failure';
import { invisibleCharacter, quoted } from '../../../text/quoting';
import { readText } from '../../../text/text';

const ENTER_URL =
	'Enter the full URL of the page to start from, for example https://docs.example.com.';

/** Browsers and search engines accept URLs up to about this length. */
const LONGEST_URL = 2000;

/** Reads 'Website URL'. CometChat's crawler opens it, so it has to be on the internet. */
export function readUrl(value: unknown): string {
	const text = readText(value, "'Website URL'", ENTER_URL).trim();
	if (text === '') throw urlError('is empty');
	const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(text);
	const url = parse(hasScheme ? text : `https://${text}`);
	const isOne = text.length <= LONGEST_URL && !/\s/.test(text) && !invisibleCharacter(text);
	if (url === undefined || !isOne) throw urlError(`is not a full URL: ${quoted(text)}`);
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
			"Enter a public URL. Upload the content of other pages as files with 'Document: Upload'.",
		);
	}
	url.hash = '';
	return url.href;
}

/** IP addresses and names without a dot do not end like this. */
const ENDS_WITH_DOMAIN = /\.[a-z][^.]*\.?$/i;

function parse(text: string): URL | undefined {
	if (!/^https?:\/\//i.test(text)) return undefined;
	// Not URL.canParse: once Node.js 20 has optimized it, it refuses letters such as ü.
	try {
		return new URL(text);
	} catch {
		return undefined;
	}
}

function urlError(title: string, hint = ENTER_URL): UserError {
	return new UserError(`'Website URL' ${title}`, hint);
}

/**
 * The one form of a URL by which websites and pages are compared: http and https are the same, and `www.` counts for
 * nothing. Other texts only lose their percent encoding.
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

/** A text with percent-encoded letters as letters. Encoded characters that have a meaning in URLs stay encoded. */
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

/** Whether a URL contains one of some texts. Both are compared decoded. */
export function containsAny(url: string, texts: readonly string[]): boolean {
	const decoded = decodeUrl(url);
	return texts.some((text) => decoded.includes(decodeUrl(text)));
}
