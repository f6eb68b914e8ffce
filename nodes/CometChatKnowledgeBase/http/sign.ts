import { UserError } from '../text/failure';
import { readAccount } from './account';

/** What any generation of n8n's request options may hold of an address. */
interface Request {
	url?: unknown;
	uri?: unknown;
	baseURL?: unknown;
	headers?: object;
}

/** As axios tells an absolute address from a path. */
const ABSOLUTE = /^(?:[a-z][a-z\d+.-]*:)?\/\//i;

/**
 * A redirect would carry the `apikey` header to whatever host the answer names: clients strip only
 * `Authorization` and cookies. Both generations of n8n's request options are set, because n8n's
 * HTTP Request node still uses the older one.
 */
const NEVER_FOLLOW_REDIRECTS = {
	disableFollowRedirect: true,
	maxRedirects: 0,
	followRedirect: false,
	followAllRedirects: false,
};

/**
 * Puts the account's host and key into a request, and the app's ID for a custom host; nothing else in
 * this package sets any of them.
 *
 * The address is a path below the account's base URL or an absolute URL on the same origin. The
 * key goes to the account's own host and nowhere else, also when a user picks this credential in
 * n8n's HTTP Request node and types an address there.
 *
 * @param fields The decrypted credential.
 */
export function authenticateRequest<R extends Request>(
	request: R,
	fields: Record<string, unknown>,
) {
	const account = readAccount(fields);

	const { url, uri, baseURL, ...rest } = request;
	const path = [url, uri].find((part) => typeof part === 'string' && part !== '');
	const target =
		typeof baseURL === 'string' ? resolvedPath(baseURL, `${path ?? ''}`) : `${path ?? ''}`;
	const address = parsedAddress(resolvedPath(account.baseUrl, target), account.baseUrl);
	const { host, origin } = new URL(account.baseUrl);
	if (address?.origin !== origin) {
		throw new UserError(
			`The CometChat credential is only for ${host}`,
			'Use a URL on that host, or another credential. The API key is not sent to any other host.',
		);
	}
	return {
		...rest,
		url: address.href,
		...(uri === undefined ? {} : { uri: address.href }),
		headers: {
			...request.headers,
			apikey: account.apiKey,
			...(account.appId === undefined ? {} : { appid: account.appId }),
		},
		...NEVER_FOLLOW_REDIRECTS,
	};
}

/** `path` as it stands if it is absolute, else below `base`. */
function resolvedPath(base: string, path: string): string {
	return ABSOLUTE.test(path) ? path : `${base.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`;
}

function parsedAddress(address: string, base: string): URL | undefined {
	try {
		return new URL(address, base);
	} catch {
		return undefined;
	}
}
