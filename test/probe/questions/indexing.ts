import { isRecord } from '../../../nodes/CometChatKnowledgeBase/values/validationIssue';
import { isReady } from '../../../nodes/CometChatKnowledgeBase/execution/indexing';
import { KNOWLEDGE_BASE, STATUSES } from '../../../nodes/CometChatKnowledgeBase/service/records';
import type { AttemptResult } from '../../../nodes/CometChatKnowledgeBase/requests/attemptResult';
import { isSuccess } from '../../../nodes/CometChatKnowledgeBase/requests/attemptResult';
import { isRetryable } from '../../../nodes/CometChatKnowledgeBase/requests/retryPolicy';
import { inBrief } from '../client';
import type { Context, Upload } from '../context';
import {
	change,
	isApplied,
	isNoSuchCall,
	newestRecords,
	notDone,
	poll,
	sendBytes,
} from '../context';
import type { Verdict } from '../question';
import { couldNotTell, doesNotHold, holds, question, together } from '../question';

/** How long is waited before each poll but the first, in seconds: a minute and a half in all. */
const PAUSES_S = [1, 2, 3, 5, 8, 12, 15, 20, 25];

/** What is said of an ID that a poll leaves out. */
const LEFT_OUT = 'left out';

interface Progress {
	/** The last one. */
	status?: string;
	/** All of them, in order; one that stays is named once. */
	words: string;
	/** A poll that had no readable answer, which ended it. */
	unread?: AttemptResult;
}

/** Polls until the file is ready or has failed, for a time that is bounded. */
async function watch(context: Context, what: string, upload: Upload): Promise<Progress> {
	const { id } = upload;
	const statuses: string[] = [];
	let watchedS = 0;
	let unread: AttemptResult | undefined;
	for (const pauseS of [0, ...PAUSES_S]) {
		await context.client.rest(pauseS * 1000);
		watchedS += pauseS;
		const { reply, byId } = await poll(context, what, id);
		if (byId === undefined) {
			unread = reply;
			break;
		}
		const status = byId.get(id) ?? LEFT_OUT;
		if (statuses.at(-1) !== status) statuses.push(status);
		if (isOver(status)) break;
	}
	const status = statuses.at(-1);
	upload.isIndexed = isReady(status);
	const words = `${statuses.join(', then ')} (watched for ${watchedS} s)`;
	return { status, words, unread };
}

function isOver(status: string | undefined): boolean {
	return isReady(status) || status === 'failed';
}

export const whenIndexed = question({
	id: 'when-indexed',
	asks: 'When indexing begins',
	choice: 'waits after the upload until it is over, and adds the file to the agent only then',
	needs: ['files allowed', 'stored upload'],
	async run(context) {
		const { first, uid } = context;
		const what = 'the status of the first file';
		const alone = first && (await watch(context, what, first));
		if (!first || alone?.unread || isOver(alone?.status) || uid === undefined) return { alone };
		await change(context, 'adds the first file all the same', 'add', 'uploads', first.id);
		return { alone, added: await watch(context, what, first) };
	},
	judge({ alone, added }) {
		if (alone === undefined) return couldNotTell('there is no upload');
		if (alone.unread) return notDone('the poll has no readable answer', alone.unread);
		if (isReady(alone.status)) return holds(`begins with the upload: ${alone.words}`);
		if (added === undefined) return couldNotTell(alone.words);
		return isReady(added.status)
			? doesNotHold(`ready only once an agent had the file: ${alone.words}; then ${added.words}`)
			: couldNotTell(`${alone.words}; then, with an agent, ${added.words}`);
	},
});

export const unindexed = question({
	id: 'unindexed',
	asks: 'Adding what is not indexed yet',
	choice: 'adds it where waiting is switched off, and passes on what the service says',
	needs: ['files allowed', 'agent', 'second upload'],
	async run(context) {
		const { second } = context;
		if (second === undefined) return {};
		const sent = await sendBytes(context, 'sends the bytes of the second file', second);
		if (!second.isStored) return { sent };
		const added = await change(context, 'adds it at once', 'add', 'uploads', second.id);
		const { byId } = await poll(context, 'its status after that', second.id);
		return { sent, added, status: byId?.get(second.id) ?? LEFT_OUT };
	},
	judge({ sent, added, status }) {
		if (added === undefined) {
			return couldNotTell(
				sent ? `its bytes were not taken (${inBrief(sent)})` : 'its bytes may not be sent',
			);
		}
		if (!isApplied(added)) {
			return added.kind === 'network failure' || added.status >= 500
				? couldNotTell(inBrief(added))
				: holds(`refused (${inBrief(added)}) while it is "${status}": waiting is needed`);
		}
		return isReady(status)
			? couldNotTell('it was indexed before it could be added')
			: holds(`taken (${inBrief(added)}) while it is "${status}"`);
	},
});

/** What the service's page of the list names (…/list-knowledge-base-records). */
const RECORD_FIELDS = 'uniqueId appId sourceName type status lastSynced createdAt updatedAt'.split(
	' ',
);

export const failures = question({
	id: 'failures',
	asks: 'Why indexing failed',
	choice: 'gives no reason for it, because neither list nor poll has one',
	needs: ['files allowed', 'upload'],
	async run(context) {
		const { broken } = context;
		if (broken === undefined) return {};
		await sendBytes(context, 'sends a text as the bytes of the PDF', broken);
		if (!broken.isStored) return {};
		const progress = await watch(context, 'the status of the PDF that is none', broken);
		return { progress, listed: await newestRecords(context, 'records, after the failure') };
	},
	judge({ progress, listed }, { broken }) {
		if (progress === undefined) return couldNotTell('no broken file could be uploaded');
		if (progress.status !== 'failed') {
			return couldNotTell(`a text that is called a PDF does not fail: ${progress.words}`);
		}
		const record = listed?.records?.find(({ uniqueId }) => uniqueId === broken?.id);
		if (record === undefined) return couldNotTell('it is not in the list');
		const more = Object.keys(record).filter((name) => !RECORD_FIELDS.includes(name));
		return more.length === 0
			? holds('the list says that it failed, and nothing more')
			: doesNotHold(`its record also has ${more.join(', ')}`);
	},
});

const NO_SUCH_CALL = couldNotTell('the service has no such call');

/** Of a source of the probe. */
function pagesRequest(id: string, qs: Record<string, number | string> = {}) {
	const url = `${KNOWLEDGE_BASE}/uploads/${encodeURIComponent(id)}/pages`;
	return { method: 'GET' as const, url, qs };
}

/** The numbers of the pages in an answer; undefined if it holds no pages. */
function pageNumbers(reply: AttemptResult): unknown[] | undefined {
	const data = isSuccess(reply) && isRecord(reply.body) ? reply.body.data : undefined;
	const pages = isRecord(data) ? data.pageContent : undefined;
	return Array.isArray(pages)
		? pages.map((page: unknown) => (isRecord(page) ? page.pageNumber : undefined))
		: undefined;
}

export const sourcePages = question({
	id: 'source-pages',
	asks: 'Extracted text: first page, limit',
	choice: 'has no operation for it yet; one would count pages from 1, inclusive, 100 at a time',
	needs: ['files allowed', 'indexed upload'],
	async run({ client, first }) {
		const ask = async (what: string, qs?: Record<string, number | string>) =>
			await client.ask(`the text of the first file, ${what}`, pagesRequest(first?.id ?? '', qs));
		return {
			bare: await ask('as it comes'),
			hundred: await ask('limit 100', { limit: 100 }),
			tooMany: await ask('limit 1000', { limit: 1000 }),
			fromZero: await ask('from page 0', { limit: 100, page: 0, affix: 'append' }),
			fromOne: await ask('from page 1', { limit: 100, page: 1, affix: 'append' }),
		};
	},
	judge({ bare, hundred, tooMany, fromZero, fromOne }) {
		if (isNoSuchCall(bare)) return NO_SUCH_CALL;
		const numbers = pageNumbers(bare);
		if (numbers === undefined) return notDone('the text can not be read', bare);
		const words = [tooMany, fromZero].map(
			(reply) => pageNumbers(reply)?.join(', ') || inBrief(reply),
		);
		const more = `limit 1000 brings ${words[0]}, page 0 brings ${words[1]}`;
		return together(
			numbers[0] === 1
				? holds(`counts from 1; ${more}`)
				: doesNotHold(`the first page is ${numbers[0] ?? 'none'}; ${more}`),
			pageNumbers(hundred) ? holds('takes 100') : notDone('limit 100 is refused', hundred),
			pageNumbers(fromOne)?.[0] === 1
				? holds('page 1 is part of its answer')
				: doesNotHold(`page 1 brings ${pageNumbers(fromOne)?.join(', ') || inBrief(fromOne)}`),
		);
	},
});

export const unfinishedPages = question({
	id: 'unfinished-pages',
	asks: 'Extracted text of what is not indexed',
	choice: 'has no operation for it yet; one would take a refusal for final, and no pages for none',
	needs: ['files allowed', 'upload without bytes'],
	async run({ client, namesake, broken }) {
		const replies: Record<string, AttemptResult> = {};
		for (const [called, upload] of Object.entries({ 'without bytes': namesake, broken })) {
			if (upload === undefined) continue;
			const what = `the text of the upload that is ${called}`;
			replies[called] = await client.ask(what, pagesRequest(upload.id));
		}
		return replies;
	},
	judge: (replies) =>
		together(
			...Object.entries(replies).map(([called, reply]): Verdict => {
				if (isNoSuchCall(reply)) return NO_SUCH_CALL;
				const brief = `${called}: ${inBrief(reply)}`;
				if (reply.kind === 'network failure') return couldNotTell(brief);
				if (isRetryable(reply)) return doesNotHold(`${brief} would be repeated, in vain`);
				if (reply.status >= 400) return holds(brief);
				const count = pageNumbers(reply)?.length;
				return count === undefined
					? doesNotHold(`${brief} holds no pages`)
					: holds(`${brief} with ${count} pages`);
			}),
		),
});

export const retrying = question({
	id: 'retrying',
	asks: 'Indexing again',
	choice: 'takes success true for begun, and 404 for no such source',
	needs: ['files allowed', 'stored upload'],
	async run({ client, first, broken, unknownId }) {
		const retry = async (what: string, id: string) => {
			const url = `${KNOWLEDGE_BASE}/uploads/${encodeURIComponent(id)}/sync`;
			return await client.ask(what, { method: 'PATCH', url });
		};
		const id = broken?.isStored ? broken.id : (first?.id ?? '');
		return {
			own: await retry('indexes an upload again', id),
			unknown: await retry('indexes an unknown upload again', unknownId),
		};
	},
	judge({ own, unknown }) {
		if (isNoSuchCall(own)) return NO_SUCH_CALL;
		return together(
			isApplied(own) ? holds(inBrief(own)) : notDone('it is not begun', own),
			unknown.kind === 'response' && unknown.status === 404
				? holds(`unknown: ${inBrief(unknown)}`)
				: notDone('an unknown one is not said to be not found', unknown),
		);
	},
});

/** The words that the node offers in its filter, and waits for. */
const KNOWN = STATUSES.map(({ value }) => value);

export const statusWords = question({
	id: 'status-words',
	asks: 'Words for the status',
	choice: `knows ${KNOWN.join(', ')}; indexed and inSync are ready`,
	needs: ['files allowed'],
	/** Asks nothing: what came before is looked at. */
	run: async ({ statuses }) => [...statuses].sort(),
	judge(seen) {
		if (seen.length === 0) return couldNotTell('no status has come');
		const strange = seen.filter((status) => !KNOWN.includes(status));
		return strange.length === 0
			? holds(`seen: ${seen.join(', ')}`)
			: doesNotHold(`unknown to the node: ${strange.join(', ')}`);
	},
});

export const unknownStatus = question({
	id: 'unknown-status',
	asks: 'Status of an unknown ID',
	choice: 'takes an ID that the answer leaves out for not found, and the others as they are',
	async run(context) {
		const { first, unknownId } = context;
		const ids = first === undefined ? [unknownId] : [first.id, unknownId];
		return await poll(context, 'the status of an unknown ID and, if there is one, a file', ...ids);
	},
	judge({ reply, byId }, { unknownId }) {
		if (byId === undefined) {
			return reply.kind === 'response' && reply.status === 404
				? doesNotHold(`one unknown ID, and the whole poll is refused (${inBrief(reply)})`)
				: notDone('the poll has no readable answer', reply);
		}
		const status = byId.get(unknownId);
		return status === undefined
			? holds('left out of the answer')
			: doesNotHold(`it has a status: "${status}"`);
	},
});
