import { KEY } from '../node/fixture';
import type { Rule } from '../service/service';
import type { Circumstances, Misbehaviour, Shape } from './serviceBehaviour';

export function rulesOf({ misbehaviours, variant }: Circumstances): Rule[] {
	// The key comes last, in responses with no other fault.
	return [...misbehaviours.map(toRule), ...rulesWithKey(variant)];
}

/** Makes rules as if a user had pasted the key into a name. */
function rulesWithKey({ repeatsKey }: Circumstances['variant']): Rule[] {
	const rules = (operations: Array<NonNullable<Rule['for']>['operation']>, change: Change) =>
		operations.map((operation) => ({
			for: { operation },
			times: Infinity,
			transform: (body: unknown) => changedEntries(body, change),
		}));
	switch (repeatsKey) {
		case 'agentName':
			return rules(
				['list', 'agent'],
				withKeyIn('name', () => true),
			);
		case 'recordName':
			return rules(['records'], withKeyIn('sourceName', isProof));
		case 'status':
			return rules(['records'], withKeyIn('status', isProof));
		case 'title':
			return rules(['listTexts'], withKeyIn('title', isProof));
		case undefined:
			return [];
	}
}

type Change = (entry: Record<string, unknown>) => Record<string, unknown>;

function changedEntries(body: unknown, change: Change): unknown {
	if (!isRecord(body)) return body;
	const { data } = body;
	if (!Array.isArray(data)) return change(body);
	return { ...body, data: data.map((entry: unknown) => (isRecord(entry) ? change(entry) : entry)) };
}

function withKeyIn(field: string, fits: (entry: Record<string, unknown>) => boolean): Change {
	return (entry) => {
		const value = entry[field];
		return typeof value === 'string' && fits(entry)
			? { ...entry, [field]: `${value} ${KEY}` }
			: entry;
	};
}

/** Whether no item concerns the document. */
function isProof({ uniqueId }: Record<string, unknown>): boolean {
	return String(uniqueId).startsWith('proof');
}

function toRule(given: Misbehaviour): Rule {
	const { for: addressee, times, latencyMs, applies, bytesPerSecond, afterBytes } = given;
	const rule: Rule = { for: addressee, times, latencyMs, bytesPerSecond, afterBytes };
	switch (given.kind) {
		case 'status':
			return {
				...rule,
				status: given.status,
				code: given.code,
				message: given.repeatsKey
					? `The key ${KEY} (${masked(KEY)}) is not right for ${SIGNED_LINK}`
					: undefined,
				...(canHideEffect(given.status) ? { apply: applies } : {}),
				// The state at the time of the response.
				get headers() {
					return waitHeaders(given, Date.now());
				},
			};
		case 'body': {
			const { body, says, contentType } = given;
			const apply = says === 'done' || says === 'either' || (says === 'nothing' && applies);
			return { ...rule, status: 200, body, contentType, apply };
		}
		case 'dropped':
			return { ...rule, drop: 'beforeApplying', apply: applies };
		case 'truncated':
			return { ...rule, truncated: true, apply: applies };
		case 'stalled':
			return { ...rule, stall: true, apply: applies };
		case 'slow':
			return { ...rule, ...(applies ? { apply: true } : {}) };
		case 'denied': {
			const { success } = given;
			return {
				...rule,
				// A refused request is not carried out, because nobody could notice the contradiction.
				apply: success !== false && applies,
				transform: (body) => (isRecord(body) ? { ...body, success } : body),
			};
		}
		case 'reshaped': {
			const { shape } = given;
			const failed = shape === 'error' ? { status: 500, apply: true } : {};
			return { ...rule, ...failed, transform: (body) => reshaped(uploadsIn(body), shape) };
		}
	}
}

const SIGNED_LINK = 'https://s3.example.com/a.pdf?X-Amz-Signature=0f';

/** Whether a client can't know after a status whether the files were changed. */
function canHideEffect(status: number): boolean {
	return status === 408 || status >= 500;
}

function waitHeaders(
	{ wait }: Extract<Misbehaviour, { kind: 'status' }>,
	nowMs: number,
): Record<string, string> {
	if (wait === undefined) return {};
	const { form, seconds } = wait;
	switch (form) {
		case 'seconds':
			return { 'Retry-After': String(seconds) };
		case 'date':
			return { 'Retry-After': new Date(Math.ceil(nowMs / 1000 + seconds) * 1000).toUTCString() };
		case 'nonsense':
			return { 'Retry-After': ['soon', '-5', '1e3', '', '2040'][Math.floor(seconds) % 5] ?? '' };
	}
}

function uploadsIn(body: unknown): unknown[] {
	return isRecord(body) && Array.isArray(body.uploads) ? body.uploads : [];
}

/** Moves the URLs to fields that no client reads. */
function reshaped(uploads: unknown[], shape: Shape): unknown {
	const [upload] = uploads;
	const address = isRecord(upload) ? String(upload.presignedUrl) : '';
	switch (shape) {
		case 'renamed':
			return { uploads: uploads.map(() => ({ uploadId: 'x', url: address })) };
		case 'wrapped':
			return { data: { uploads } };
		case 'text':
			return `Send the file to ${address} within 15 minutes.`;
		case 'signature':
			return { message: `Signed as ${/Signature=(\w+)/.exec(address)?.[1]}` };
		case 'error':
			return { error: { code: 'ERR_EXCEPTION', message: `Not stored at ${address}` } };
	}
}

function masked(key: string): string {
	return `${key.slice(0, 5)}…${key.slice(-5)}`;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
