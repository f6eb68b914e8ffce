import { isRecord } from '../../nodes/CometChatKnowledgeBase/values/validationIssue';
import type { AttemptResult } from '../../nodes/CometChatKnowledgeBase/requests/attemptResult';
import type { Exchange, ProbeClient } from './client';
import { isSuccessStatus } from './client';
import type { Finding } from './report';
import { redactedValue } from './redaction';
import type { Throwaways } from './throwaways';

/** Headers that say how the service works; others may hold cookies and traces of the account. */
const KEPT_HEADERS = /^(?:content-type|retry-after|.*rate-?limit.*)$/;

/** Words of the service's own, which say nothing about the account. */
const KEPT_FIELDS = ['type', 'status', 'vectorizationStatus', 'affix', 'message', 'ragVersion'];

/** They name the app, also where the probe has made what they belong to. */
const PRIVATE_FIELDS = ['appId', 's3Key'];

/** A web page or the like; more of it tells nothing more. */
const LONGEST_TEXT = 2000;

/**
 * The answers to one question as a file to hand on: what was sent and what came back, without the key
 * and upload addresses. Of what the probe has not made itself only the kind of each text is left.
 */
export function answersFile(
	{ id, asks, choice, word, why }: Finding,
	exchanges: Exchange[],
	{ redact }: ProbeClient,
	throwaways: Throwaways,
): string {
	const answers = exchanges.map(({ what, request, reply }) => {
		const { method, url, qs, body } = request;
		return { what, request: { method, path: url, query: qs, body }, ...kept(reply, throwaways) };
	});
	const file = { id, asks, choice, word, why, answers };
	return `${JSON.stringify(redactedValue(redact, file), null, '\t')}\n`;
}

function kept(reply: AttemptResult, throwaways: Throwaways) {
	if (reply.kind === 'network failure') return { noAnswer: reply.code };
	const { status, headers, body } = reply;
	const names = Object.keys(headers).filter((name) => KEPT_HEADERS.test(name));
	return {
		answer: {
			status,
			headers: Object.fromEntries(names.map((name) => [name, headers[name]])),
			body: isSuccessStatus(reply) ? masked(body, throwaways) : cutTexts(body),
		},
	};
}

/** What holds nothing that the probe has made is the account's own business. */
function masked(value: unknown, throwaways: Throwaways): unknown {
	if (typeof value === 'string') return throwaways.isIn(value) ? value : kindOf(value);
	if (Array.isArray(value)) return value.map((entry) => masked(entry, throwaways));
	if (!isRecord(value)) return value;
	const isOwn = throwaways.isIn(JSON.stringify(value));
	const fields = Object.entries(value).map(([name, inner]) => {
		if (typeof inner !== 'string') return [name, masked(inner, throwaways)];
		const isKept = isOwn ? !PRIVATE_FIELDS.includes(name) : KEPT_FIELDS.includes(name);
		return [name, isKept ? inner : kindOf(inner)];
	});
	return Object.fromEntries(fields);
}

function kindOf(text: string): string {
	if (text === '') return text;
	if (/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)) return '[UUID]';
	return /^[\da-f]{24}$/i.test(text) ? '[24-hex]' : `[${text.length} characters]`;
}

function cutTexts(value: unknown): unknown {
	return typeof value === 'string' ? value.slice(0, LONGEST_TEXT) : value;
}
