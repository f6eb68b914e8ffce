import { appOf } from '../account/account';
import type { Account } from '../account/account';
import type { ServiceResponse, AttemptResult, NetworkFailure } from '../requests/attemptResult';
import { isWrongAddress } from '../requests/attemptResult';
import type { SendResult } from '../requests/sendRequest';
import type { Json } from '../values/json';
import type { Cause } from '../values/userError';
import { isRecord } from '../values/userError';
import type { About, Meaning } from './meanings';
import {
	BY_CODE,
	BY_STATUS,
	credential,
	HOST,
	later,
	NOT_DONE,
	NOTHING_THERE,
	OTHERWISE,
	setup,
	STAYS,
	UNKNOWN,
} from './meanings';
import { isOfService, sentence, serviceWords } from './serviceWords';

/** A reply in words for a person. */
export interface Explanation extends Meaning {
	/** HTTP status; undefined if no answer came. */
	status?: number;
	/** The service's own code, or the network's where no answer came. */
	code?: string;
	/** What the service (or the network) said, as a sentence. */
	detail: string;
}

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

/** Says what a reply that was no success means. */
export function explain(reply: AttemptResult, account: Account, asked: Asked = {}): Explanation {
	const { hint, ...words } =
		reply.kind === 'network failure'
			? explainNetworkFailure(reply, account)
			: explainResponse(reply, account, asked);
	// Names the fields of the credential that decide on the host: those that it has filled in.
	const fields = appOf(account) === undefined ? 'Base URL and App ID' : 'App ID and Region';
	return { ...words, hint: hint.replaceAll('App ID and Region (or Base URL)', fields) };
}

/** To run it again, where that alone may help: wrong advice for an item that is done in part. */
export function againIn(cause: Cause | undefined): string {
	const isTemporary = cause === 'temporarily-unavailable' || cause === 'rate-limited';
	return isTemporary ? 'Run it again later.' : '';
}

/** What to do about it, where nothing is done in part. */
export function hintOf({ hint, cause }: Meaning): string {
	return `${againIn(cause)} ${hint}`.trim();
}

/** The same refusal, once it was found out that it is about this. */
export function unknown(about: About, { status, code, detail }: Explanation): Explanation {
	return { ...UNKNOWN[about], status, code, detail };
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
	const detail = `CometChat answered with status ${status}${named}: ${sentence(text)}`;
	const explanation = { ...meaningOf(answer, code, account), status, code, detail };
	const isAbout = explanation.unknown === 'document' || isUnclear(explanation);
	return asked.about && isAbout ? unknown(asked.about, explanation) : explanation;
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
	if (status < 300 && isRecord(body) && body.success === false) return NOT_DONE;
	return BY_STATUS[status] ?? BY_STATUS[`${String(status).charAt(0)}xx`] ?? OTHERWISE;
}

/** Codes of a refusal that may be about the version of the interface, whatever the status. */
const ABOUT_ADDRESS = ['ERR_INVALID_API_VERSION', 'ERR_API_NOT_FOUND'];

/** The version of the service's interface that this node is written for. */
const API_VERSION = 'v3';

/** Undefined if the host's address ends in this node's own. */
function wrongVersion(baseUrl: string): Meaning | undefined {
	const given = baseUrl.slice(baseUrl.lastIndexOf('/') + 1);
	if (given === API_VERSION || given.startsWith(`${API_VERSION}.`)) return undefined;
	return credential(
		`The version at the end of Base URL ('/${given}') is not the one of this node (${API_VERSION})`,
		`In the credential, let Base URL end in /${API_VERSION}.`,
	);
}

function explainNetworkFailure(failure: NetworkFailure, account: Account): Explanation {
	const { code, text } = failure;
	const host = new URL(account.baseUrl).hostname;
	if (code === 'ENOTFOUND') {
		const detail = `No answer came: this n8n finds no host ${host}.`;
		return { ...noSuchHost(account), code, detail };
	}
	// The raw words are those of a function of Node.
	const words = code === 'EAI_AGAIN' ? `the host ${host} could not be looked up` : text;
	const named = code === '' ? '' : ` (${code})`;
	const detail = `No answer came${named}: ${sentence(words)}`;
	return { ...withoutAnswer(failure), code, detail };
}

function noSuchHost(account: Account): Meaning {
	const app = appOf(account);
	const ifRight = 'If that is right, check that this n8n reaches the internet.';
	return app === undefined
		? setup(
				"The credential's host does not exist",
				`Check Base URL in the credential: it is the address of your deployment with its version. ${ifRight}`,
			)
		: setup(
				`No CometChat server was found for app '${app.id}' in the region ${app.region}`,
				`Copy App ID and Region from the CometChat dashboard into the credential. ${ifRight}`,
			);
}

/** No connection came about, so that none was lost. */
const NEVER_REACHED = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN'];

function withoutAnswer(failure: NetworkFailure): Meaning {
	if (isWrongAddress(failure)) {
		return setup("There is no secure connection to the credential's host", HOST);
	}
	if (failure.code === 'ERR_CANCELED') {
		return { title: 'The run was stopped before CometChat had answered', hint: '' };
	}
	const hint = `Check that this n8n reaches the internet. ${HOST} ${STAYS}`;
	if (/timeout/i.test(failure.text)) {
		const longer = "Where the node's Settings have 'Timeout', that gives it longer.";
		return later('CometChat did not answer in time', `${hint} ${longer}`);
	}
	return NEVER_REACHED.includes(failure.code)
		? later('CometChat could not be reached', hint)
		: later('The connection to CometChat was lost', hint);
}
