import type { Cause } from '../text/failure';

/** The subject of a request, and therefore of a 404 without a code. */
export type About = 'agent' | 'document' | 'text' | 'website';

/** The subject of a refusal, as far as the refusal names it. */
export interface RefusedFor {
	/** True if the reason may lie in one of several files, so that the others may go through without it. */
	concernsOneDocument?: boolean;
	/** The subject that CometChat does not know. */
	unknown?: About;
}

/**
 * The meaning of a response of CometChat for a person. The hint is shown wherever the response occurs: in an
 * execution, in a poll, in a list in the editor, in the credential.
 */
export interface Meaning extends RefusedFor {
	/** One clause: what happened. */
	title: string;
	/** What to do next. */
	hint: string;
	cause?: Cause;
	/** Advice to try again, if only that may help. An item that is partly done has other advice. */
	retryHint?: string;
}

const HOST =
	"In the credential, check 'App ID' and 'Region' (or 'Base URL') against the CometChat dashboard.";
const REST_API_KEY =
	"In the credential, enter the app's REST API Key (full access), not the Auth Key. Check 'App ID' and 'Region' (or 'Base URL') too: a key works for one app only.";
const PLAN =
	'Check the plan and its usage in the CometChat dashboard, or contact CometChat support.';
const COMPARE = "Compare your input with CometChat's message.";
const FEWER_REQUESTS =
	"Send fewer requests, for example with 'Requests per Minute' under 'Request Options' in the node's Settings.";
const INTERNET = 'Check that the n8n server can reach the internet.';
const LATER =
	'Try again later. If this keeps happening, check the CometChat status page or contact CometChat support.';

const meaningOf =
	(cause?: Cause, retryHint?: string) =>
	(title: string, hint: string, more?: Partial<Meaning>): Meaning => ({
		title,
		hint,
		cause,
		retryHint,
		...more,
	});

const setup = meaningOf('configuration-invalid');
const credential = meaningOf('credential-invalid');
const later = meaningOf('temporarily-unavailable', LATER);
const slower = meaningOf('rate-limited', 'Try again later.');

const IN_ONE_FILE = { concernsOneDocument: true };

/** The meanings of a refusal because CometChat does not know what the request names. */
export const UNKNOWN_SUBJECT: Record<About, Meaning> = {
	agent: setup(
		'CometChat has no agent with this ID',
		"Check 'Agent': choose the agent from the list, or enter its ID again. The agent must belong to the app in the credential.",
		{ unknown: 'agent' },
	),
	document: setup(
		'CometChat has no document with this ID',
		"Compare the ID and the source type with 'Document: Get Many'. Use the ID, not the name. If the document was added a moment ago, try again later.",
		{ unknown: 'document', ...IN_ONE_FILE },
	),
	text: setup(
		'CometChat has no text entry with this ID',
		"Check 'Text Entry': choose the text entry from the list, or copy its ID again. Create a deleted text entry again with 'Text Entry: Create'.",
		{ unknown: 'text' },
	),
	website: setup(
		'CometChat has no website with this ID',
		"Check 'Website': choose the website from the list, or copy its ID from 'Document: Get Many'. Use the ID, not the URL.",
		{ unknown: 'website', ...IN_ONE_FILE },
	),
};

const PROXY = setup(
	'A proxy or firewall between n8n and CometChat refused the request',
	'Ask your network administrator to allow requests from your n8n server to CometChat.',
);
const KEY_REFUSED = credential('CometChat did not accept the API key', REST_API_KEY);
const NO_ENDPOINT = setup(
	'CometChat has no such API endpoint',
	`${HOST} Then check the source type, if you chose a source type.`,
);
/** The meaning of all other responses: mostly 5xx. */
export const BUSY = later('CometChat is not able to answer right now', '');
const NOT_CARRIED_OUT = later("CometChat couldn't carry out the request", '');
const LOST = later('The connection to CometChat was lost', '');
const RATE_LIMITED = slower(
	'CometChat received more requests than the plan allows',
	FEWER_REQUESTS,
);

/** The meaning of a request that was not sent because the execution had ended. */
export const NEVER_SENT = meaningOf()('The execution stopped before this item was done', '', {
	retryHint:
		'Run the workflow again with this item. A Filter node can leave out the items that are done.',
});

/**
 * The meanings of all unsuccessful responses. By the codes that CometChat documents
 * (https://www.cometchat.com/docs/rest-api/ai-agents-apis/error-codes and its general guide), by status, by the
 * failure of the connection, and by the reason why nothing was sent.
 */
export const MEANINGS: Record<string, Meaning> = {
	AUTH_ERR_EMPTY_APIKEY: KEY_REFUSED,
	AUTH_ERR_APIKEY_NOT_FOUND: KEY_REFUSED,
	AUTH_ERR_NO_ACCESS: credential("The API key isn't allowed to manage AI agents", REST_API_KEY),
	AUTH_ERR_EMPTY_APPID: credential('The request contained no app ID', HOST),
	AUTH_ERR_INVALID_APPID: credential('CometChat does not know this app in this region', HOST),
	ERR_AGENT_NOT_FOUND: UNKNOWN_SUBJECT.agent,
	ERR_KB_NOT_FOUND: UNKNOWN_SUBJECT.document,
	ERR_AGENT_CREATION_FAILED: setup("CometChat couldn't create the agent", COMPARE),
	ERR_UID_NOT_FOUND: setup(
		'CometChat has no app user or agent with this UID',
		"Check 'Ask as User' (the UID of an app user) and 'Agent'. CometChat's message names the unknown UID.",
	),
	ERR_KB_INDEXING_FAILED: setup(
		"CometChat couldn't index one of these documents",
		"Find the failed document with 'Document: Get Indexing Status'. Run 'Document: Retry Indexing', or delete the document and upload it again.",
		IN_ONE_FILE,
	),
	ERR_PLAN_RESTRICTION: setup("The app's plan does not include this", PLAN),
	ERR_PLAN_QUOTA_RESTRICTION: meaningOf('quota-exhausted')("The app's plan is used up", PLAN),
	ERR_SUBSCRIPTION_EXPIRED: setup("The app's subscription has ended", PLAN),
	ERR_INVALID_API_VERSION: setup(
		'CometChat does not support the API version that this node uses',
		"If the credential has a 'Base URL', end the URL with /v3. Otherwise update this node, or contact CometChat support.",
	),
	ERR_API_NOT_FOUND: NO_ENDPOINT,
	ERR_OPERATION_FAILED: NOT_CARRIED_OUT,
	ERR_EXCEPTION: NOT_CARRIED_OUT,
	ERR_MISSION_FAILED: NOT_CARRIED_OUT,
	ERR_TOO_MANY_REQUESTS: RATE_LIMITED,

	'nothing there': NO_ENDPOINT,
	'not done': meaningOf()(
		"CometChat reported that it didn't carry out the request",
		COMPARE,
		IN_ONE_FILE,
	),

	// A digit and `xx` mean all other statuses with this digit.
	'status 2xx': meaningOf()('CometChat sent an unexpected answer', HOST),
	'status 3xx': setup(
		'CometChat redirected the request to another URL',
		`${HOST} This node doesn't follow redirects, to protect your API key.`,
	),
	'status 401': KEY_REFUSED,
	'status 402': meaningOf('quota-exhausted')("The app's plan does not allow this", PLAN),
	'status 403': credential('CometChat denied access', REST_API_KEY),
	'status 404': setup(
		'CometChat found no such agent, document or URL',
		`Check the IDs that you entered. ${HOST}`,
		IN_ONE_FILE,
	),
	'status 407': PROXY,
	'status 408': BUSY,
	'status 409': setup(
		'CometChat refused this, because something is in use or exists already',
		COMPARE,
		IN_ONE_FILE,
	),
	'status 413': setup(
		'The request is too large for CometChat',
		'Use fewer IDs or a shorter text.',
		IN_ONE_FILE,
	),
	'status 429': RATE_LIMITED,
	'status 4xx': setup('CometChat refused the request', COMPARE, IN_ONE_FILE),
	// CometChat's own refusals are JSON.
	'page 401': PROXY,
	'page 403': PROXY,
	'page 4xx': PROXY,

	'connection no host': setup(
		"n8n can't find CometChat's server for this credential",
		`${HOST} ${INTERNET}`,
	),
	'connection not secure': setup("There is no secure connection to the credential's host", HOST),
	'connection not reached': later('CometChat could not be reached', `${INTERNET} ${HOST}`),
	'connection too late': later(
		'CometChat did not answer in time',
		`${INTERNET} If the node's Settings have 'Request Options', increase 'Timeout' there.`,
	),
	'connection lost': LOST,
	'connection stopped': meaningOf()(
		'The execution was stopped before CometChat answered',
		'If the request was a change, check in CometChat whether the change was made.',
	),

	'unsent wait too long': slower(
		'CometChat asked for a longer pause than this node allows',
		FEWER_REQUESTS,
	),
	'unsent cancelled': NEVER_SENT,
};
