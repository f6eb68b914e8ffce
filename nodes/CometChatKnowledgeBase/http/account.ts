import { UserError } from '../text/failure';
import { invisibleCharacter } from '../text/quoting';
import { toUrl } from '../text/text';

/** The account of a credential: one host, and the key that is only sent to this host. */
export interface Account {
	/** Absolute URL without a trailing slash, ending in the version segment: `https://…/v3`. */
	baseUrl: string;
	apiKey: string;
	/** Only sent to a custom host. The host name of a region contains the App ID. */
	appId?: string;
}

/**
 * The regions of https://www.cometchat.com/docs/rest-api/ai-agents-apis/agents/list-agents (its
 * server block). `custom` is ours, for a dedicated deployment with a host of its own.
 */
export const REGIONS = ['us', 'eu', 'in', 'custom'];

/** One label of a host name (RFC 1123), so that an App ID can never add a host or a path. */
const HOST_LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

const VERSION_SEGMENT = /\/v\d+(?:\.\d+)?$/;

/** Our own limit: known IDs have 16 or 17 characters. */
const LONGEST_APP_ID = 255;

/** The characters that are valid anywhere in an HTTP header value, without the space. */
const HEADER_SAFE = /^[\x21-\x7e]+$/;

/**
 * Reads the fields of a CometChat API credential (`region`, `appId` or `baseUrl` and `customAppId`, `apiKey`).
 * White space around pasted values is forgiven. No message holds any part of the key.
 */
export function readAccount(fields: Record<string, unknown>): Account {
	return {
		baseUrl: readBaseUrl(fields),
		apiKey: readApiKey(fields.apiKey),
		appId: readHeaderAppId(fields),
	};
}

function readBaseUrl(fields: Record<string, unknown>): string {
	const region = trimmed(fields.region);
	if (!REGIONS.includes(region)) {
		throw new UserError(
			"The credential's 'Region' is not a region of CometChat",
			'In the credential, choose the region that the CometChat dashboard shows for this app.',
		);
	}
	if (region === 'custom') return readCustomHost(trimmed(fields.baseUrl));

	const appId = trimmed(fields.appId);
	if (!HOST_LABEL.test(appId)) {
		throw new UserError(
			"The credential's 'App ID' is empty or invalid",
			'In the credential, enter the App ID from the CometChat dashboard: letters and digits only, no URL and no spaces.',
		);
	}
	return `https://${appId.toLowerCase()}.api-${region}.cometchat.io/v3`;
}

function readCustomHost(text: string): string {
	// The URL parser silently removes tabs and line breaks.
	const url = /\s/.test(text) || invisibleCharacter(text) ? undefined : toUrl(text);
	const isLocal = url?.protocol === 'http:' && LOOPBACK_HOST.test(url.hostname);
	const isPlain = url?.username === '' && url.password === '' && !/[?#]/.test(text);
	const path = url?.pathname.replace(/\/+$/, '') ?? '';
	if (url && isPlain && (isLocal || url.protocol === 'https:') && VERSION_SEGMENT.test(path)) {
		return `${url.origin}${path}`;
	}
	throw new UserError(
		"The credential's 'Base URL' is not a full https:// URL with a version",
		"In the credential, enter the URL of your deployment with its version, for example https://chat.example.com/v3. It must not contain spaces, a user name, '?' or '#'.",
	);
}

/**
 * Only for a custom host. CometChat's own tests send the header with each request, and its older pages require the
 * header. Its newest pages know only the hosts of regions, whose names contain the ID.
 */
function readHeaderAppId(fields: Record<string, unknown>): string | undefined {
	const appId = trimmed(fields.region) === 'custom' ? trimmed(fields.customAppId) : '';
	if (appId === '') return undefined;
	if (appId.length <= LONGEST_APP_ID && HEADER_SAFE.test(appId)) return appId;
	throw new UserError(
		"The credential's 'App ID' can't be sent in a header",
		"In the credential, enter the App ID from the CometChat dashboard, without spaces or line breaks. You can also leave 'App ID' empty.",
	);
}

function readApiKey(value: unknown): string {
	const apiKey = trimmed(value);
	if (apiKey !== '' && HEADER_SAFE.test(apiKey)) return apiKey;
	throw new UserError(
		"The credential's 'API Key' is empty, or contains a space or another invalid character",
		'In the credential, enter the REST API Key from the CometChat dashboard again.',
	);
}

/** An expression in a credential may return a number. */
function trimmed(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}
