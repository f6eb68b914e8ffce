import { appOf } from '../account/account';
import type { Account } from '../account/account';
import { Redaction, TOO_DEEP } from '../account/redaction';
import type { ServiceResponse, AttemptResult, NetworkFailure } from '../requests/attemptResult';
import { isWrongAddress } from '../requests/attemptResult';
import type { SendResult } from '../requests/sendRequest';
import type { Json } from '../values/json';
import { cut } from '../values/quoting';
import type { Cause } from '../values/userError';
import { isRecord } from '../values/userError';

/**
 * What a reply means for a person. The remedy is shown wherever it comes up: in a run, a poll, a list to
 * pick from, the credential.
 */
interface Meaning {
	/** One clause: what happened. */
	what: string;
	/** What to do next. */
	remedy: string;
	cause?: Cause;
	/** True if the reason may lie in one of several files, so that the others may go through without it. */
	concernsOneFile?: boolean;
	/** True if it may as well lie in the agent, with which no other file would fare better. */
	mayConcernAgent?: boolean;
}

/** A reply in words for a person. */
export interface Explanation extends Meaning {
	/** HTTP status; undefined if no answer came. */
	status?: number;
	/** The service's own code, or the network's where no answer came. */
	code?: string;
	/** What the service (or the network) said, as a sentence. */
	said: string;
}

const REST_API_KEY =
	'In the credential, paste the REST API Key (full access) of this app, not the Auth Key, and check App ID and Region (or Base URL): a key opens one app only.';
const HOST =
	'Check App ID and Region (or Base URL) in the credential against the CometChat dashboard.';
const INTERNET = 'Check that this n8n reaches the internet.';
const PLAN = 'Check the plan and its usage in the CometChat dashboard, or ask CometChat.';
const STAYS = 'If it stays like this, look at the CometChat status page or ask CometChat.';
const AS_SAID = 'Check what is filled in against what CometChat says above.';

const KEY_REFUSED: Meaning = {
	what: 'CometChat did not accept the API key',
	remedy: REST_API_KEY,
	cause: 'credential-invalid',
};
const NOTHING_THERE: Meaning = {
	what: 'CometChat has nothing at this address',
	remedy: `${HOST} Then check the source type, where one is chosen.`,
	cause: 'configuration-invalid',
};
const BUSY: Meaning = {
	what: 'CometChat is not able to answer right now',
	remedy: STAYS,
	cause: 'temporarily-unavailable',
};
const NOT_CARRIED_OUT: Meaning = {
	what: 'CometChat was not able to carry out the request',
	remedy: STAYS,
	cause: 'temporarily-unavailable',
};
const RATE_LIMITED: Meaning = {
	what: 'CometChat received more requests than the plan allows',
	remedy:
		"In the credential, set 'Requests per Minute' to what the plan allows, less what other programs need.",
	cause: 'rate-limited',
};

const AGENT_NOT_FOUND = 'ERR_AGENT_NOT_FOUND';
const DOCUMENT_NOT_FOUND = 'ERR_KB_NOT_FOUND';

/** What the service does not know, by what the address of the request names. */
const UNKNOWN = {
	agent: {
		what: 'CometChat does not know this agent',
		remedy:
			"Check 'Agent': pick it from the list, or copy its ID again. The credential decides in which app it is looked up.",
		cause: 'configuration-invalid',
	},
	document: {
		what: 'CometChat does not know a document with this ID',
		remedy:
			"Compare the ID (a name is none), and 'Source Type' where there is one, with what Document: Get Many lists; Document: Upload gives the ID of what it uploads. If it was added a moment ago, run it again later.",
		cause: 'configuration-invalid',
		concernsOneFile: true,
	},
	text: {
		what: 'CometChat does not know this text',
		remedy:
			"Check 'Text': pick it from the list, or copy its ID again. One that was deleted can be written anew with Text: Create.",
		cause: 'configuration-invalid',
	},
	website: {
		what: 'CometChat does not know this website',
		remedy:
			"Check 'Website': pick it from the list, or copy its ID from Document: Get Many. Its address is no ID.",
		cause: 'configuration-invalid',
		concernsOneFile: true,
	},
	pages: {
		what: 'CometChat has no such pages to read',
		remedy:
			'Compare them with what Website: Get Pages lists for this website: a page that was left out when it was indexed is not read.',
		cause: 'configuration-invalid',
	},
} satisfies Record<string, Meaning>;

/** What the address of a request names, and what a 404 without a code is therefore about. */
export type About = keyof typeof UNKNOWN;

/**
 * The codes that CometChat documents
 * (https://www.cometchat.com/docs/rest-api/ai-agents-apis/error-codes and its general guide).
 */
const BY_CODE: Record<string, Meaning> = {
	AUTH_ERR_EMPTY_APIKEY: KEY_REFUSED,
	AUTH_ERR_APIKEY_NOT_FOUND: KEY_REFUSED,
	AUTH_ERR_NO_ACCESS: {
		what: 'The API key may not manage AI agents',
		remedy: `It is probably the Auth Key. ${REST_API_KEY}`,
		cause: 'credential-invalid',
	},
	AUTH_ERR_EMPTY_APPID: {
		what: 'CometChat was not told which app it is about',
		remedy: HOST,
		cause: 'credential-invalid',
	},
	AUTH_ERR_INVALID_APPID: {
		what: 'CometChat does not know this app in this region',
		remedy: HOST,
		cause: 'credential-invalid',
	},
	[AGENT_NOT_FOUND]: UNKNOWN.agent,
	[DOCUMENT_NOT_FOUND]: UNKNOWN.document,
	ERR_AGENT_CREATION_FAILED: {
		what: 'CometChat was not able to create the agent',
		remedy: AS_SAID,
		cause: 'configuration-invalid',
	},
	ERR_UID_NOT_FOUND: {
		what: 'CometChat does not know this user or agent',
		remedy:
			"Check 'Ask As' (the UID of a user of this app) and 'Agent', whichever CometChat names above.",
		cause: 'configuration-invalid',
	},
	ERR_KB_INDEXING_FAILED: {
		what: 'CometChat was not able to read one of these files',
		remedy:
			'Document: Get Status says which of them has failed. Try Document: Retry Indexing with it, or delete it and upload it anew.',
		cause: 'configuration-invalid',
		concernsOneFile: true,
	},
	ERR_PLAN_RESTRICTION: {
		what: "The app's plan does not include this",
		remedy: PLAN,
		cause: 'configuration-invalid',
	},
	ERR_PLAN_QUOTA_RESTRICTION: {
		what: "The app's plan is used up",
		remedy: PLAN,
		cause: 'quota-exhausted',
	},
	ERR_SUBSCRIPTION_EXPIRED: {
		what: "The app's subscription has ended",
		remedy: PLAN,
		cause: 'configuration-invalid',
	},
	ERR_INVALID_API_VERSION: {
		what: 'CometChat does not know the version of its interface that this node uses',
		remedy: 'Look for a newer version of this node; if there is none, ask CometChat.',
		cause: 'configuration-invalid',
	},
	ERR_API_NOT_FOUND: NOTHING_THERE,
	ERR_OPERATION_FAILED: NOT_CARRIED_OUT,
	ERR_EXCEPTION: NOT_CARRIED_OUT,
	ERR_MISSION_FAILED: NOT_CARRIED_OUT,
	ERR_TOO_MANY_REQUESTS: RATE_LIMITED,
};

/** Without such a code. A digit and `xx` stand for all that have no line of their own. */
const BY_STATUS: Record<string, Meaning> = {
	'3xx': {
		what: 'CometChat sent the request on to another address',
		remedy: `Redirects are not followed, because the API key would go along. ${HOST}`,
		cause: 'configuration-invalid',
	},
	401: KEY_REFUSED,
	403: {
		what: 'CometChat denied access',
		remedy: `${REST_API_KEY} A web page as an answer comes from a firewall in between.`,
		cause: 'credential-invalid',
	},
	404: {
		what: 'CometChat found no such agent, file or address',
		remedy: `Check the IDs that are filled in. ${HOST}`,
		cause: 'configuration-invalid',
		concernsOneFile: true,
		mayConcernAgent: true,
	},
	408: BUSY,
	413: {
		what: 'CometChat takes less in one request',
		remedy: 'Give it less at once: fewer IDs, or a shorter text.',
		cause: 'configuration-invalid',
		concernsOneFile: true,
	},
	429: RATE_LIMITED,
	'4xx': {
		what: 'CometChat refused the request',
		remedy: AS_SAID,
		cause: 'configuration-invalid',
		concernsOneFile: true,
		mayConcernAgent: true,
	},
	'5xx': BUSY,
};

/** Under a status of success. */
const UNDOCUMENTED: Meaning = {
	what: 'CometChat gave another answer than its documentation shows',
	remedy: HOST,
};

/** `success: false` under such a status. */
const NOT_DONE: Meaning = {
	what: 'CometChat reported that it did not do this',
	remedy: AS_SAID,
	concernsOneFile: true,
	mayConcernAgent: true,
};

/** A request that has ended, in words: the reply itself, which may be large, is not kept. */
export interface RequestResult extends Omit<SendResult, 'reply'> {
	/** Undefined if the request was never sent, or succeeded. */
	explanation?: Explanation;
}

/** What a request was, as far as that decides on the words for its answer. */
export interface Asked {
	about?: About;
	/** Whether its answer holds upload addresses: of one that has another shape than documented, nothing is shown. */
	isSecret?: boolean;
}

export function toRequestResult(
	{ lastResult, ...sendResult }: SendResult,
	account: Account,
	asked?: Asked,
): RequestResult {
	if (lastResult === undefined || sendResult.effect === 'applied') return sendResult;
	return { ...sendResult, explanation: explain(lastResult, account, asked) };
}

/** Says what a reply that was no success means. Never holds the account's key. */
export function explain(reply: AttemptResult, account: Account, asked: Asked = {}): Explanation {
	const { remedy, ...words } =
		reply.kind === 'network failure'
			? explainNetworkFailure(reply, account)
			: explainResponse(reply, account, asked);
	// Names the fields of the credential that decide on the host: those that it has filled in.
	const fields = appOf(account) === undefined ? 'Base URL and App ID' : 'App ID and Region';
	return { ...words, remedy: remedy.replaceAll('App ID and Region (or Base URL)', fields) };
}

/** To run it again, where that alone may help: wrong advice for an item that is done in part. */
export function againIn(cause: Cause | undefined): string {
	const isTemporary = cause === 'temporarily-unavailable' || cause === 'rate-limited';
	return isTemporary ? 'Run it again later.' : '';
}

/** What to do about it, where nothing is done in part. */
export function hintOf({ remedy, cause }: Meaning): string {
	return `${againIn(cause)} ${remedy}`.trim();
}

/** The same refusal in words for the one thing that was asked for, if it is about that. */
export function explainUnknown(about: About, explanation: Explanation): Explanation | undefined {
	const { status, code, said, concernsOneFile } = explanation;
	const isUnclear404 = status === 404 && code === undefined && concernsOneFile === true;
	const ownCode = about === 'agent' ? AGENT_NOT_FOUND : DOCUMENT_NOT_FOUND;
	return isUnclear404 || code === ownCode ? { ...UNKNOWN[about], status, code, said } : undefined;
}

/**
 * Whether a refusal may be about a file, an agent or an address, and does not say which: a 404 of the
 * service without its code. Only a question tells.
 */
export function isUnclear({ status, code, mayConcernAgent }: Explanation): boolean {
	return status === 404 && code === undefined && mayConcernAgent === true;
}

function explainResponse(answer: ServiceResponse, account: Account, asked: Asked): Explanation {
	const { status, body } = answer;
	const { code, text } = asked.isSecret ? hidden(status, body) : serviceWords(body);
	const named = code === undefined ? '' : ` (${code})`;
	const said = `CometChat answered with status ${status}${named}: ${sentence(text)}`;
	const explanation = { ...meaningOf(answer, code, account), status, code, said };
	return (asked.about && explainUnknown(asked.about, explanation)) ?? explanation;
}

/** The words of an answer that may hold upload addresses: without what may be a part of one, or its signature. */
function hidden(status: number, body: Json | undefined): { code?: string; text: string } {
	if (status < 300) return { text: 'another answer than its documentation shows' };
	const { code, text } = serviceWords(body);
	const withoutLongWords = (shown: string) => shown.replace(/[^\s"'<>,:{}[\]]{25,8192}/g, '[…]');
	return { code: code && withoutLongWords(code), text: withoutLongWords(text) };
}

function meaningOf(
	{ status, body }: ServiceResponse,
	code: string | undefined,
	{ baseUrl }: Account,
): Meaning {
	// Foreign codes may be names that every object has, such as `constructor`.
	const known = code !== undefined && Object.hasOwn(BY_CODE, code) ? BY_CODE[code] : undefined;
	const mayBeVersion = code === undefined ? status === 404 : ABOUT_ADDRESS.includes(code);
	const found = (mayBeVersion ? wrongVersion(baseUrl) : undefined) ?? known;
	if (found !== undefined) return found;
	if (status === 404 && !isOfService(body)) return NOTHING_THERE;
	if (status < 300) return isRecord(body) && body.success === false ? NOT_DONE : UNDOCUMENTED;
	return BY_STATUS[status] ?? BY_STATUS[`${String(status).charAt(0)}xx`] ?? BUSY;
}

/** Codes of a refusal that may be about the version of the interface, whatever the status. */
const ABOUT_ADDRESS = ['ERR_INVALID_API_VERSION', 'ERR_API_NOT_FOUND'];

/** The version of the service's interface that this node is written for. */
const API_VERSION = 'v3';

/** Undefined if the host's address ends in this node's own. */
function wrongVersion(baseUrl: string): Meaning | undefined {
	const given = baseUrl.slice(baseUrl.lastIndexOf('/') + 1);
	if (given === API_VERSION || given.startsWith(`${API_VERSION}.`)) return undefined;
	return {
		what: `The version at the end of Base URL ('/${given}') is not the one of this node (${API_VERSION})`,
		remedy: `In the credential, let Base URL end in /${API_VERSION}.`,
		cause: 'credential-invalid',
	};
}

/**
 * Whether a 404 is the service's own, which has words in one of its envelopes. One of a host in between, or
 * of the service's list of addresses, says nothing of any agent or file. (NestJS, on which it is built, says
 * 'Cannot DELETE /v3/…' of an address that it does not have.)
 */
function isOfService(body: Json | undefined): boolean {
	if (!isRecord(body)) return false;
	const { message, code } = isRecord(body.error) ? body.error : body;
	const words = foreignText(message);
	const isOwn = words !== '' || isCode(code) || typeof body.success === 'boolean';
	return isOwn && !/^Cannot [A-Z]+ \//.test(words);
}

function explainNetworkFailure(failure: NetworkFailure, account: Account): Explanation {
	const redaction = new Redaction(account);
	const code = redaction.text(failure.code);
	const host = new URL(account.baseUrl).hostname;
	if (code === 'ENOTFOUND') {
		const said = `No answer came: this n8n finds no host ${host}.`;
		return { ...noSuchHost(account), code, said };
	}
	// The raw words are those of a function of Node.
	const words =
		code === 'EAI_AGAIN' ? `the host ${host} could not be looked up` : redaction.text(failure.text);
	const named = code === '' ? '' : ` (${code})`;
	const said = `No answer came${named}: ${sentence(words)}`;
	return { ...withoutAnswer(failure, code), code, said };
}

function noSuchHost(account: Account): Meaning {
	const app = appOf(account);
	const [what, remedy] =
		app === undefined
			? [
					"The credential's host does not exist",
					'Check Base URL in the credential: it is the address of your deployment with its version.',
				]
			: [
					`No CometChat server was found for app '${app.id}' in the region ${app.region}`,
					'Copy App ID and Region from the CometChat dashboard into the credential.',
				];
	return {
		what,
		remedy: `${remedy} If that is right, check that this n8n reaches the internet.`,
		cause: 'configuration-invalid',
	};
}

/** No connection came about, so that none was lost. */
const NEVER_REACHED = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN'];

function withoutAnswer(failure: NetworkFailure, code: string): Meaning {
	if (isWrongAddress(failure)) {
		const what = "There is no secure connection to the credential's host";
		return { what, remedy: HOST, cause: 'configuration-invalid' };
	}
	if (code === 'ERR_CANCELED') {
		return { what: 'The run was stopped before CometChat had answered', remedy: '' };
	}
	const isLate = /timeout/i.test(failure.text);
	const longer = "Where the node's Settings have 'Timeout', that gives it longer.";
	const remedy = `${INTERNET} ${HOST} ${STAYS}`;
	return {
		what: isLate
			? 'CometChat did not answer in time'
			: NEVER_REACHED.includes(code)
				? 'CometChat could not be reached'
				: 'The connection to CometChat was lost',
		remedy: isLate ? `${remedy} ${longer}` : remedy,
		cause: 'temporarily-unavailable',
	};
}

/**
 * The service's code and text from a body of any shape. Two envelopes are public:
 * `{ error: { code, message } }` (the gateway) and `{ statusCode, message, error: 'Bad Request' }`
 * (the agents' service), where `message` may be a list. Beside them: HTML, nothing, anything.
 */
export function serviceWords(body: Json | undefined): { code?: string; text: string } {
	if (isRecord(body)) {
		const inner = isRecord(body.error) ? body.error : body;
		const candidates = [inner.message, inner.details, body.error, body.reason].map(foreignText);
		const text = candidates.find((found) => found !== '') ?? written(body);
		const code = isCode(inner.code) ? inner.code : body.code;
		return { text, ...(isCode(code) ? { code } : {}) };
	}
	const text = typeof body === 'string' ? body : written(body);
	if (text.trim() === '') return { text: 'the answer is empty' };
	if (/^\s*</.test(text)) return { text: `a web page, ${titleOf(text)}` };
	return { text };
}

function written(body: Json | undefined): string {
	const text = JSON.stringify(body) ?? '';
	return text.includes(TOO_DEEP) ? TOO_DEEP : text;
}

function isCode(value: unknown): value is string {
	return typeof value === 'string' && /^[\w.-]{1,80}$/.test(value);
}

function foreignText(value: unknown): string {
	if (typeof value === 'string') return value.trim();
	if (Array.isArray(value)) return value.filter((part) => typeof part === 'string').join('; ');
	return '';
}

function titleOf(html: string): string {
	const title = /<title[^>]*>([^<]*)</i.exec(html.slice(0, 10_000))?.[1]?.trim();
	return title ? `titled "${title}"` : 'not data';
}

/** Longest quotation of a foreign text, in characters. */
const LONGEST_QUOTATION = 300;

/** A foreign text on one line, cut, without tags (n8n shows descriptions as HTML), with a full stop. */
function sentence(text: string): string {
	const start = text.trim().slice(0, 4 * LONGEST_QUOTATION);
	const line = start
		.replace(/[<>]/g, ' ')
		.replace(/[\s\p{Cc}\p{Cf}\p{Cs}]+/gu, ' ')
		.trim();
	const shown = line === '' ? 'nothing that can be shown' : cut(line, LONGEST_QUOTATION);
	return /[.!?…]$/.test(shown) ? shown : `${shown}.`;
}

// Until all callers say `about`.
export const explainUnknownAgent = (it: Explanation) => explainUnknown('agent', it);
export const explainUnknownText = (it: Explanation) => explainUnknown('text', it);
export const explainUnknownWebsite = (it: Explanation) => explainUnknown('website', it);
export const explainUnknownPages = (it: Explanation) => explainUnknown('pages', it);
export const explainUnknownFile = (it: Explanation) => explainUnknown('document', it) ?? it;
