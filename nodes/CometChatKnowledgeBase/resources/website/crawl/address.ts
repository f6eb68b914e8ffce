import { UserError } from '../../../values/failure';
import { invisibleCharacter, quoted } from '../../../values/quoting';
import { readText } from '../../../values/text';

const GIVE_ADDRESS =
	'Give the full address of the page to start from, for example https://docs.example.com.';

/** Ours: what browsers and search engines take as an address ends near it. */
const LONGEST_ADDRESS = 2000;

/**
 * Reads 'Address'. CometChat's crawler goes there, and not this n8n: an address of the own network leads it
 * nowhere or, worse, to somebody else's.
 */
export function readAddress(value: unknown): string {
	const text = readText(value, "'Address'", GIVE_ADDRESS).trim();
	if (text === '') throw addressError('is empty');
	// As a browser takes what a person types.
	const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(text);
	const url = parsed(hasScheme ? text : `https://${text}`);
	const isOne = text.length <= LONGEST_ADDRESS && !/\s/.test(text) && !invisibleCharacter(text);
	if (url === undefined || !isOne || (!hasScheme && isNumber(url.hostname))) {
		throw addressError(`is no full address: ${quoted(text)}`);
	}
	if (url.username !== '' || url.password !== '') {
		// Not shown: it holds a secret.
		throw addressError('holds a user name or a password', 'CometChat reads public pages only.');
	}
	if (isPrivate(url.hostname)) {
		throw addressError(
			`leads to ${quoted(url.hostname)}, which is not on the internet`,
			'CometChat reads public pages only: bring others as files with Document: Upload.',
		);
	}
	url.hash = '';
	return url.href;
}

/** What an expression gives by mistake, such as 3.14, is an address to the URL parser. */
function isNumber(hostname: string): boolean {
	return /^[\d.]+$/.test(hostname);
}

/** Only what begins with a scheme: without one, a port is taken for it. */
function parsed(text: string): URL | undefined {
	if (!/^https?:\/\//i.test(text)) return undefined;
	try {
		return new URL(text);
	} catch {
		return undefined;
	}
}

/** Names that no public name server knows (RFC 6761, RFC 6762, RFC 8375), and one label alone. */
const PRIVATE_NAME =
	/^[^.]*$|\.(?:localhost|local|internal|intranet|lan|home\.arpa|test|invalid)$/i;

/** RFC 1918, 6598, 3927, 1122; and what is no address of one host. */
const PRIVATE_IPV4 =
	/^(?:0|10|127)\.|^169\.254\.|^192\.168\.|^172\.(?:1[6-9]|2\d|3[01])\.|^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|^(?:22[4-9]|2[3-5]\d)\./;

/** Loopback, unspecified, one's own networks (RFC 4193, 4291), and addresses of version 4 in their clothes. */
const PRIVATE_IPV6 = /^(?:::|f[cd]|fe[89a-f]|ff|64:ff9b:)/i;

/** @param hostname As the URL parser writes it: every notation of a number is in its plain form. */
function isPrivate(hostname: string): boolean {
	const [, inBrackets] = /^\[(.*)\]$/.exec(hostname) ?? [];
	if (inBrackets !== undefined) return PRIVATE_IPV6.test(inBrackets);
	const host = hostname.replace(/\.$/, '');
	return isNumber(host) ? PRIVATE_IPV4.test(host) : PRIVATE_NAME.test(host);
}

function addressError(title: string, hint = GIVE_ADDRESS): UserError {
	return new UserError(`'Address' ${title}`, hint);
}

/**
 * The same text for what is the same address. How CometChat writes the address of a website in its list is not
 * documented: the slash at its end may differ, and the letters of the host. All else makes another page.
 */
export function comparableAddress(text: string): string {
	const url = parsed(text.trim());
	if (url === undefined) return text;
	url.hash = '';
	url.pathname = url.pathname.replace(/\/+$/, '') || '/';
	return url.href;
}
