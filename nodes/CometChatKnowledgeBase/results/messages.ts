import { appOf } from '../account/account';
import type { Account } from '../account/account';
import { Redaction, TOO_DEEP } from '../account/redaction';
import type { ServiceResponse, AttemptResult, NetworkFailure } from '../requests/attemptResult';
import { isWrongAddress } from '../requests/attemptResult';
import type { SendResult } from '../requests/sendRequest';
import { cut } from '../values/quoting';
import { isRecord } from '../values/userError';
import type { Json } from '../values/json';

/** Why a request did not succeed, as n8n files it (`failure.cause` of its errors). */
export type Cause =
	| 'rate-limited'
	| 'quota-exhausted'
	| 'temporarily-unavailable'
	| 'credential-invalid'
	| 'configuration-invalid';

/** A reply in words for a person. */
export interface Explanation {
	/** One clause: what happened. */
	what: string;
	/** To run it again, where that alone may help: wrong advice for an item that is done in part. */
	again?: string;
	/** What to do next. */
	remedy: string;
	cause?: Cause;
	/** True if the reason may lie in one of several files, so that the others may go through without it. */
	concernsOneFile?: boolean;
	/** True if it may as well lie in the agent, with which no other file would fare better. */
	mayConcernAgent?: boolean;
	/** HTTP status; undefined if no answer came. */
	status?: number;
	/** The service's own code, or the network's where no answer came. */
	code?: string;
	/** What the service (or the network) said, as a sentence. */
	said: string;
}

interface MessageWords extends Pick<
	Explanation,
	'what' | 'again' | 'remedy' | 'cause' | 'concernsOneFile' | 'mayConcernAgent'
> {
	/** What differs where the fields of Add Files and Remove Files are not the ones to check. */
	elsewhere?: { what?: string; remedy: string };
	/** The remedy where neither Options nor an item is at hand; left out: the host, where they differ. */
	inCredential?: string;
	/** The remedy in a poll, which has no Options either; left out: as elsewhere. */
	inPoll?: string;
}

const REST_API_KEY =
	'In the credential, paste the REST API Key (full access) of this app, not the Auth Key, and check App ID and Region (or Base URL): a key opens one app only.';
const HOST =
	'Check App ID and Region (or Base URL) in the credential against the CometChat dashboard.';
const NO_APP = 'Copy App ID and Region from the CometChat dashboard into the credential.';
const NO_HOST =
	'Check Base URL in the credential: it is the address of your deployment with its version.';
const NO_INTERNET = 'If that is right, check that this n8n reaches the internet.';
const PLAN = 'Check the plan and its usage in the CometChat dashboard, or ask CometChat.';
const LATER = 'Run it again later.';
const STAYS = 'If it stays like this, look at the CometChat status page or ask CometChat.';

const KEY_REFUSED: MessageWords = {
	what: 'CometChat did not accept the API key',
	remedy: REST_API_KEY,
	cause: 'credential-invalid',
};
const NO_ACCESS: MessageWords = {
	what: 'The API key may not manage AI agents',
	remedy: `It is probably the Auth Key. ${REST_API_KEY}`,
	cause: 'credential-invalid',
};
const APP_UNKNOWN: MessageWords = {
	what: 'CometChat does not know this app in this region',
	remedy: HOST,
	cause: 'credential-invalid',
};
const APP_MISSING: MessageWords = {
	what: 'CometChat was not told which app it is about',
	remedy: HOST,
	cause: 'credential-invalid',
};
const NOT_INDEXED = 'ERR_KB_INDEXING_FAILED';
const AGENT_NOT_FOUND = 'ERR_AGENT_NOT_FOUND';

const AGENT_UNKNOWN: MessageWords = {
	what: 'CometChat does not know this agent',
	remedy:
		"Check 'Agent': pick it from the list, or copy its ID again. The credential decides in which app it is looked up.",
	cause: 'configuration-invalid',
};
const TEXT_UNKNOWN: MessageWords = {
	what: 'CometChat does not know this text',
	remedy:
		"Check 'Text': pick it from the list, or copy its ID again. One that was deleted can be written anew with Text: Create.",
	cause: 'configuration-invalid',
};
const WEBSITE_UNKNOWN: MessageWords = {
	what: 'CometChat does not know this website',
	remedy:
		"Check 'Website': pick it from the list, or copy its ID from Document: Get Many. Its address is no ID.",
	cause: 'configuration-invalid',
	concernsOneFile: true,
};
const PAGES_UNKNOWN: MessageWords = {
	what: 'CometChat has no such pages to read',
	remedy:
		'Compare them with what Website: Get Pages lists for this website: a page that was left out when it was indexed is not read.',
	cause: 'configuration-invalid',
};
const CHECK_ID =
	'Compare the ID with what Document: Get Many lists. If it was added a moment ago, run it again later.';
const FILE_UNKNOWN: MessageWords = {
	what: 'CometChat does not know one of these files',
	remedy:
		"Check 'File IDs' against what Document: Get Many lists, and that 'Source Type' fits them: the ID of a file with Uploads, that of a text with Text.",
	cause: 'configuration-invalid',
	concernsOneFile: true,
	elsewhere: { what: 'CometChat does not know this document', remedy: CHECK_ID },
	inPoll: STAYS,
};
const BUSY: MessageWords = {
	what: 'CometChat is not able to answer right now',
	again: LATER,
	remedy: STAYS,
	cause: 'temporarily-unavailable',
};
const NOT_CARRIED_OUT: MessageWords = {
	what: 'CometChat was not able to carry out the request',
	again: LATER,
	remedy: STAYS,
	cause: 'temporarily-unavailable',
};
const SPLIT_ITEM = 'Split the item into several.';
const RATE_LIMITED: MessageWords = {
	what: 'CometChat received more requests than the plan allows',
	remedy:
		"In the credential, set 'Requests per Minute' to what the plan allows, less what other programs need.",
	cause: 'rate-limited',
	inCredential: LATER,
	inPoll: "Let 'Poll Times' ask less often, or have fewer workflows ask at the same time.",
};
const REQUEST_REFUSED: MessageWords = {
	what: 'CometChat refused the request',
	remedy: "Check 'File IDs' and 'Source Type' against what CometChat says above.",
	cause: 'configuration-invalid',
	concernsOneFile: true,
	mayConcernAgent: true,
	elsewhere: { remedy: 'Check what this item gives against what CometChat says above.' },
	inPoll: STAYS,
};

const NOTHING_THERE: MessageWords = {
	what: 'CometChat has nothing at this address',
	remedy: `${HOST} Then check 'Source Type'.`,
	cause: 'configuration-invalid',
	elsewhere: { remedy: HOST },
};

/**
 * The codes that CometChat documents
 * (https://www.cometchat.com/docs/rest-api/ai-agents-apis/error-codes and its general guide).
 */
const BY_CODE: Record<string, MessageWords> = {
	AUTH_ERR_EMPTY_APIKEY: KEY_REFUSED,
	AUTH_ERR_APIKEY_NOT_FOUND: KEY_REFUSED,
	AUTH_ERR_NO_ACCESS: NO_ACCESS,
	AUTH_ERR_EMPTY_APPID: APP_MISSING,
	AUTH_ERR_INVALID_APPID: APP_UNKNOWN,
	[AGENT_NOT_FOUND]: AGENT_UNKNOWN,
	ERR_AGENT_CREATION_FAILED: {
		what: 'CometChat was not able to create the agent',
		remedy: 'Check what this item gives against what CometChat says above.',
		cause: 'configuration-invalid',
	},
	ERR_UID_NOT_FOUND: {
		what: 'CometChat does not know this user or agent',
		remedy:
			"Check 'Ask As' (the UID of a user of this app) and 'Agent', whichever CometChat names above.",
		cause: 'configuration-invalid',
	},
	ERR_KB_NOT_FOUND: FILE_UNKNOWN,
	[NOT_INDEXED]: {
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

const BY_STATUS: Record<number, MessageWords> = {
	401: KEY_REFUSED,
	403: {
		what: 'CometChat denied access',
		remedy: `${REST_API_KEY} A web page as an answer comes from a firewall in between.`,
		cause: 'credential-invalid',
	},
	404: {
		what: 'CometChat found no such agent, file or address',
		remedy: `Check 'Agent', 'File IDs' and 'Source Type'. ${HOST}`,
		cause: 'configuration-invalid',
		concernsOneFile: true,
		mayConcernAgent: true,
		elsewhere: { remedy: `Check the IDs that this item gives. ${HOST}` },
		inPoll: HOST,
	},
	408: BUSY,
	413: {
		what: 'CometChat takes fewer file IDs in one request',
		remedy: SPLIT_ITEM,
		cause: 'configuration-invalid',
		concernsOneFile: true,
		elsewhere: {
			what: 'CometChat takes less in one request',
			remedy: SPLIT_ITEM,
		},
		inPoll: STAYS,
	},
	429: RATE_LIMITED,
};

/** A request that has ended, in words: the reply itself, which may be large, is not kept. */
export interface RequestResult extends Omit<SendResult, 'reply'> {
	/** Undefined if the request was never sent, or succeeded. */
	explanation?: Explanation;
}

export function toRequestResult(
	{ lastResult, ...sendResult }: SendResult,
	account: Account,
	place: Place = 'change of files',
): RequestResult {
	if (lastResult === undefined || sendResult.effect === 'applied') return sendResult;
	return { ...sendResult, explanation: explain(lastResult, account, place) };
}

/**
 * Which fields the user has filled in: those of Add Files and Remove Files, those of the credential alone,
 * of the trigger, or others. Where the answer holds upload addresses, it is shown in the
 * smallest part only.
 */
export type Place = 'change of files' | 'credential' | 'poll' | 'elsewhere' | 'upload addresses';

/** What may be shown of a foreign text. */
type Redact = (text: string) => string;

/** Without what may be a part of an address or a signature; words that a person reads are shorter. */
function withoutLongWords(text: string): string {
	return text.replace(/[^\s"'<>,:{}[\]]{25,8192}/g, '[…]');
}

/** Says what a reply that was no success means. Never holds the account's key. */
export function explain(
	reply: AttemptResult,
	account: Account,
	place: Place = 'change of files',
): Explanation {
	const redaction = new Redaction(account);
	const redact = (text: string) => {
		const shown = redaction.text(text);
		return place === 'upload addresses' ? withoutLongWords(shown) : shown;
	};
	const { remedy, ...words } =
		reply.kind === 'network failure'
			? explainNetworkFailure(reply, account, redact, place)
			: explainResponse(reply, account, redact, place);
	return { ...words, remedy: forHost(remedy, account) };
}

/** Names the fields of the credential that decide on the host: those that it has filled in. */
function forHost(remedy: string, account: Account): string {
	const fields = appOf(account) === undefined ? 'Base URL and App ID' : 'App ID and Region';
	return remedy.replaceAll('App ID and Region (or Base URL)', fields);
}

/**
 * The words for an agent that the service does not know, once it was asked for it (`agentRequest`);
 * undefined if it does, or if the answer does not say so clearly.
 */
export function explainUnknownAgent(explanation: Explanation): Explanation | undefined {
	return explainUnknown(explanation, AGENT_NOT_FOUND, AGENT_UNKNOWN);
}

/** The same for a text, once nothing but it was asked for, or sent to. */
export function explainUnknownText(explanation: Explanation): Explanation | undefined {
	return explainUnknown(explanation, 'ERR_KB_NOT_FOUND', TEXT_UNKNOWN);
}

/** The same for a website, once its pages were asked for. */
export function explainUnknownWebsite(explanation: Explanation): Explanation | undefined {
	return explainUnknown(explanation, 'ERR_KB_NOT_FOUND', WEBSITE_UNKNOWN);
}

/** The same for pages of a website, once it was told to read them again. */
export function explainUnknownPages(explanation: Explanation): Explanation | undefined {
	return explainUnknown(explanation, 'ERR_KB_NOT_FOUND', PAGES_UNKNOWN);
}

function explainUnknown(
	{ code, status, concernsOneFile, said }: Explanation,
	ownCode: string,
	words: MessageWords,
): Explanation | undefined {
	const isUnknown = status === 404 && code === undefined && concernsOneFile === true;
	return isUnknown || code === ownCode ? { ...words, status, code, said } : undefined;
}

/**
 * Whether a refusal may be about a file, an agent or an address, and does not say which: a 404 of the
 * service without its code. Only a question tells.
 */
export function isUnclear({ status, code, mayConcernAgent }: Explanation): boolean {
	return status === 404 && code === undefined && mayConcernAgent === true;
}

/** The words for a file that the service does not know, once it was asked. */
export function explainUnknownFile({ status, code, said }: Explanation): Explanation {
	const { elsewhere, cause, concernsOneFile } = FILE_UNKNOWN;
	const { what = FILE_UNKNOWN.what, remedy = CHECK_ID } = elsewhere ?? {};
	return { what, cause, concernsOneFile, remedy, status, code, said };
}

function explainResponse(
	answer: ServiceResponse,
	account: Account,
	redact: Redact,
	place: Place,
): Explanation {
	const { status, body } = answer;
	const isShown = place !== 'upload addresses' || status >= 300;
	const { code: given, text } = isShown
		? serviceWords(body)
		: { text: 'another answer than its documentation shows' };
	const code = given && redact(given);
	// Foreign codes may be names that every object has, such as `constructor`.
	const known = code !== undefined && Object.hasOwn(BY_CODE, code) ? BY_CODE[code] : undefined;
	const {
		elsewhere,
		inCredential = elsewhere && HOST,
		inPoll,
		...words
	} = wrongVersion(answer, code, account) ??
	known ??
	(isAboutAddress(answer) ? NOTHING_THERE : BY_STATUS[status]) ??
	byKind(answer);
	const named = code === undefined ? '' : ` (${code})`;
	const said = `CometChat answered with status ${status}${named}: ${sentence(redact(text))}`;
	const explained = { ...words, ...(place === 'change of files' ? {} : elsewhere) };
	const ownPlace = place === 'credential' ? inCredential : place === 'poll' ? inPoll : undefined;
	const remedy = ownPlace ?? explained.remedy;
	return { ...explained, remedy, status, code, said };
}

/**
 * Whether a 404 comes from a host in between, or from the service's list of addresses: it then says
 * nothing of any agent or file. The service's own has words in one of its envelopes. (NestJS, on which
 * it is built, says 'Cannot DELETE /v3/…' of an address that it does not have.)
 */
function isAboutAddress({ status, body }: ServiceResponse): boolean {
	if (status !== 404) return false;
	if (!isRecord(body)) return true;
	const { message, code } = isRecord(body.error) ? body.error : body;
	const isService =
		foreignText(message) !== '' || isCode(code) || typeof body.success === 'boolean';
	return !isService || /^Cannot [A-Z]+ \//.test(foreignText(message));
}

/** The version of the service's interface that this node is written for. */
const API_VERSION = 'v3';

/** Codes of a refusal that may be about the version, whatever the status. */
const ABOUT_ADDRESS = ['ERR_INVALID_API_VERSION', 'ERR_API_NOT_FOUND'];

/** Undefined unless there is nothing at the address, and its version is another than the node's. */
function wrongVersion(
	{ status }: ServiceResponse,
	code: string | undefined,
	{ baseUrl }: Account,
): MessageWords | undefined {
	if (code === undefined ? status !== 404 : !ABOUT_ADDRESS.includes(code)) return undefined;
	const given = baseUrl.slice(baseUrl.lastIndexOf('/') + 1);
	if (given === API_VERSION || given.startsWith(`${API_VERSION}.`)) return undefined;
	return {
		what: `The version at the end of Base URL ('/${given}') is not the one of this node (${API_VERSION})`,
		remedy: `In the credential, let Base URL end in /${API_VERSION}.`,
		cause: 'credential-invalid',
	};
}

function byKind({ status, body }: ServiceResponse): MessageWords {
	if (status >= 500) return BUSY;
	if (status >= 400) return REQUEST_REFUSED;
	if (status >= 300) {
		return {
			what: 'CometChat sent the request on to another address',
			remedy: `Redirects are not followed, because the API key would go along. ${HOST}`,
			cause: 'configuration-invalid',
		};
	}
	if (isRecord(body) && body.success === false) {
		return {
			what: 'CometChat reported that it did not do this',
			remedy: "Check 'File IDs' and 'Source Type', and look at the agent's knowledge base.",
			concernsOneFile: true,
			mayConcernAgent: true,
			elsewhere: { remedy: 'Look at the knowledge base in the CometChat dashboard.' },
		};
	}
	return {
		what: 'CometChat did not confirm the change',
		remedy: `Its answer is not the one that its documentation shows. ${HOST}`,
		elsewhere: {
			what: 'CometChat gave another answer than its documentation shows',
			remedy: HOST,
		},
	};
}

function explainNetworkFailure(
	networkFailure: NetworkFailure,
	account: Account,
	redact: Redact,
	place: Place,
): Explanation {
	const code = redact(networkFailure.code);
	const host = new URL(account.baseUrl).hostname;
	if (code === 'ENOTFOUND') {
		const said = `No answer came: this n8n finds no host ${host}.`;
		return { ...noSuchHost(account), code, said };
	}
	// The raw words are those of a function of Node.
	const words =
		code === 'EAI_AGAIN' ? `the host ${host} could not be looked up` : redact(networkFailure.text);
	const named = code === '' ? '' : ` (${code})`;
	const said = `No answer came${named}: ${sentence(words)}`;
	return { ...withoutAnswer(networkFailure, code, place), code, said };
}

function noSuchHost(account: Account): MessageWords {
	const app = appOf(account);
	const what: string =
		app === undefined
			? "The credential's host does not exist"
			: `No CometChat server was found for app '${app.id}' in the region ${app.region}`;
	const remedy = `${app === undefined ? NO_HOST : NO_APP} ${NO_INTERNET}`;
	return { what, remedy, cause: 'configuration-invalid' };
}

/** No connection came about, so that none was lost. */
const NEVER_REACHED = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN'];

function withoutAnswer(networkFailure: NetworkFailure, code: string, place: Place): MessageWords {
	if (isWrongAddress(networkFailure)) {
		const what = "There is no secure connection to the credential's host";
		return { what, remedy: HOST, cause: 'configuration-invalid' };
	}
	if (code === 'ERR_CANCELED') {
		const what = 'The run was stopped before CometChat had answered';
		return { what, again: 'Run the workflow again when you are ready.', remedy: '' };
	}
	if (/timeout/i.test(networkFailure.text)) {
		const longer = `${STAYS} 'Timeout' under 'Request Options' in the node's Settings gives it longer.`;
		return {
			what: 'CometChat did not answer in time',
			again: LATER,
			remedy: place === 'credential' ? `${HOST} ${STAYS}` : place === 'poll' ? STAYS : longer,
			cause: 'temporarily-unavailable',
		};
	}
	return {
		what: NEVER_REACHED.includes(code)
			? 'CometChat could not be reached'
			: 'The connection to CometChat was lost',
		again: LATER,
		remedy: `Check that this n8n reaches the internet. ${HOST} ${STAYS}`,
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
