import { UserError } from '../text/failure';
import { toUrl } from '../text/text';
import { readAccount } from './account';

/** The address fields of all generations of n8n's request options. */
interface Request {
	url?: unknown;
	uri?: unknown;
	baseURL?: unknown;
	headers?: object;
}

/** The pattern by which axios recognizes an absolute address. */
const ABSOLUTE = /^(?:[a-z][a-z\d+.-]*:)?\/\//i;

/**
 * A redirect would send the `apikey` header to any host that the response names. Both generations of n8n's request
 * options are set, because n8n's HTTP Request node still uses the older one.
 */
const NEVER_FOLLOW_REDIRECTS = {
	disableFollowRedirect: true,
	maxRedirects: 0,
	followRedirect: false,
	followAllRedirects: false,
};

/**
 * Adds the account's host and key to a request, and the App ID for a custom host. The key is only sent to the account's
 * own host, also if a user chooses this credential in n8n's HTTP Request node and enters another URL.
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
	const address = toUrl(resolvedPath(account.baseUrl, target), account.baseUrl);
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

/** `path` unchanged if it is absolute, otherwise below `base`. */
function resolvedPath(base: string, path: string): string {
	return ABSOLUTE.test(path) ? path : `${base.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`;
}
