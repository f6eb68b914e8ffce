import type { Cause } from '../text/failure';

/** What a request names, and what a 404 without a code is therefore about. */
export type About = 'agent' | 'document' | 'text' | 'website' | 'pages';

/** What a refusal is about, as far as it says. */
export interface RefusedFor {
	/** True if the reason may lie in one of several files, so that the others may go through without it. */
	concernsOneDocument?: boolean;
	/** What the service has said that it does not know. */
	unknown?: About;
}

/**
 * What an answer of CometChat means for a person. The hint is shown wherever it comes up: in a run, a poll, a
 * list to pick from, the credential.
 */
export interface Meaning extends RefusedFor {
	/** One clause: what happened. */
	title: string;
	/** What to do next. */
	hint: string;
	cause?: Cause;
	/** To run it again, where that alone may help: wrong advice for an item that is done in part. */
	retryHint?: string;
}

const HOST =
	'Check App ID and Region (or Base URL) in the credential against the CometChat dashboard.';
const STAYS = 'If it stays like this, look at the CometChat status page or ask CometChat.';
const REST_API_KEY =
	'In the credential, paste the REST API Key (full access) of this app, not the Auth Key, and check App ID and Region (or Base URL): a key opens one app only.';
const PLAN = 'Check the plan and its usage in the CometChat dashboard, or ask CometChat.';
const AS_SAID = 'Check what is filled in against what CometChat says above.';
const CONNECTION = `Check that this n8n reaches the internet. ${HOST} ${STAYS}`;

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
const later = meaningOf('temporarily-unavailable', 'Run it again later.');
const slower = meaningOf('rate-limited', 'Run it again later.');

const IN_ONE_FILE = { concernsOneDocument: true };

/** What the service does not know. */
export const UNKNOWN_SUBJECT: Record<About, Meaning> = {
	agent: setup(
		'CometChat does not know this agent',
		"Check 'Agent': pick it from the list, or copy its ID again. The credential decides in which app it is looked up.",
		{ unknown: 'agent' },
	),
	document: setup(
		'CometChat does not know a document with this ID',
		"Compare the ID (a name is none), and 'Source Type' where there is one, with what Document: Get Many lists; Document: Upload gives the ID of what it uploads. If it was added a moment ago, run it again later.",
		{ unknown: 'document', ...IN_ONE_FILE },
	),
	text: setup(
		'CometChat has no text entry with this ID',
		"Check 'Text Entry': choose the text entry from the list, or copy its ID again. Create a deleted text entry again with 'Text Entry: Create'.",
		{ unknown: 'text' },
	),
	website: setup(
		'CometChat does not know this website',
		"Check 'Website': pick it from the list, or copy its ID from Document: Get Many. Its address is no ID.",
		{ unknown: 'website', ...IN_ONE_FILE },
	),
	pages: setup(
		'CometChat has no such pages to read',
		'Compare them with what Website: Get Pages lists for this website: a page that was left out when it was indexed is not read.',
		{ unknown: 'pages' },
	),
};

const PROXY = setup(
	'A proxy or firewall between n8n and CometChat refused the request',
	'Ask whoever runs the network of this n8n to allow requests to CometChat.',
);
const KEY_REFUSED = credential('CometChat did not accept the API key', REST_API_KEY);
const NOTHING_THERE = setup(
	'CometChat has nothing at this address',
	`${HOST} Then check the source type, where one is chosen.`,
);
/** What no other row tells: 5xx, above all. */
export const BUSY = later('CometChat is not able to answer right now', STAYS);
const NOT_CARRIED_OUT = later('CometChat was not able to carry out the request', STAYS);
const LOST = later('The connection to CometChat was lost', CONNECTION);
const RATE_LIMITED = slower(
	'CometChat received more requests than the plan allows',
	"Where the node's Settings have 'Requests per Minute', set it to what the plan allows, less what other programs need.",
);

/** Of a request that was not sent, since the run had ended. */
export const NEVER_SENT = meaningOf()('The run stopped before this item was done', '', {
	retryHint: 'Run it again with the items that were not sent.',
});

/**
 * What there may be in the place of a success. By the codes that CometChat documents
 * (https://www.cometchat.com/docs/rest-api/ai-agents-apis/error-codes and its general guide), by status, by what
 * became of the connection, and by why nothing was sent.
 */
export const MEANINGS: Record<string, Meaning> = {
	AUTH_ERR_EMPTY_APIKEY: KEY_REFUSED,
	AUTH_ERR_APIKEY_NOT_FOUND: KEY_REFUSED,
	AUTH_ERR_NO_ACCESS: credential(
		'The API key may not manage AI agents',
		`It is probably the Auth Key. ${REST_API_KEY}`,
	),
	AUTH_ERR_EMPTY_APPID: credential('CometChat was not told which app it is about', HOST),
	AUTH_ERR_INVALID_APPID: credential('CometChat does not know this app in this region', HOST),
	ERR_AGENT_NOT_FOUND: UNKNOWN_SUBJECT.agent,
	ERR_KB_NOT_FOUND: UNKNOWN_SUBJECT.document,
	ERR_AGENT_CREATION_FAILED: setup('CometChat was not able to create the agent', AS_SAID),
	ERR_UID_NOT_FOUND: setup(
		'CometChat does not know this user or agent',
		"Check 'Ask as User' (the UID of a user of this app) and 'Agent', whichever CometChat names above.",
	),
	ERR_KB_INDEXING_FAILED: setup(
		'CometChat was not able to read one of these files',
		'Document: Get Status says which of them has failed. Try Document: Retry Indexing with it, or delete it and upload it anew.',
		IN_ONE_FILE,
	),
	ERR_PLAN_RESTRICTION: setup("The app's plan does not include this", PLAN),
	ERR_PLAN_QUOTA_RESTRICTION: meaningOf('quota-exhausted')("The app's plan is used up", PLAN),
	ERR_SUBSCRIPTION_EXPIRED: setup("The app's subscription has ended", PLAN),
	ERR_INVALID_API_VERSION: setup(
		'CometChat does not know the version of its interface that this node uses',
		'If the credential has a Base URL, let it end in /v3. Otherwise look for a newer version of this node; if there is none, ask CometChat.',
	),
	ERR_API_NOT_FOUND: NOTHING_THERE,
	ERR_OPERATION_FAILED: NOT_CARRIED_OUT,
	ERR_EXCEPTION: NOT_CARRIED_OUT,
	ERR_MISSION_FAILED: NOT_CARRIED_OUT,
	ERR_TOO_MANY_REQUESTS: RATE_LIMITED,

	'nothing there': NOTHING_THERE,
	'not done': meaningOf()('CometChat reported that it did not do this', AS_SAID, IN_ONE_FILE),

	// A digit and `xx` stand for all that have no row of their own.
	'status 2xx': meaningOf()('CometChat gave another answer than its documentation shows', HOST),
	'status 3xx': setup(
		'CometChat sent the request on to another address',
		`Redirects are not followed, because the API key would go along. ${HOST}`,
	),
	'status 401': KEY_REFUSED,
	'status 402': meaningOf('quota-exhausted')("The app's plan does not allow this", PLAN),
	'status 403': credential('CometChat denied access', REST_API_KEY),
	'status 404': setup(
		'CometChat found no such agent, file or address',
		`Check the IDs that are filled in. ${HOST}`,
		IN_ONE_FILE,
	),
	'status 407': PROXY,
	'status 408': BUSY,
	'status 409': setup(
		'CometChat refused this, because something is in use or exists already',
		AS_SAID,
		IN_ONE_FILE,
	),
	'status 413': setup(
		'CometChat takes less in one request',
		'Give it less at once: fewer IDs, or a shorter text.',
		IN_ONE_FILE,
	),
	'status 429': RATE_LIMITED,
	'status 4xx': setup('CometChat refused the request', AS_SAID, IN_ONE_FILE),
	// CometChat's own refusals are JSON.
	'page 401': PROXY,
	'page 403': PROXY,
	'page 4xx': PROXY,

	'connection no host': setup(
		"The credential's host does not exist",
		`${HOST} If that is right, check that this n8n reaches the internet.`,
	),
	'connection not secure': setup("There is no secure connection to the credential's host", HOST),
	'connection not reached': later('CometChat could not be reached', CONNECTION),
	'connection too late': later(
		'CometChat did not answer in time',
		`${CONNECTION} Where the node's Settings have 'Timeout', that gives it longer.`,
	),
	'connection lost': LOST,
	'connection stopped': meaningOf()('The run was stopped before CometChat had answered', ''),

	'unsent wait too long': slower('CometChat asked for a longer pause than a run should wait', ''),
	'unsent cancelled': NEVER_SENT,
};
