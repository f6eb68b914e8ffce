import { isReady } from '../../../nodes/CometChatKnowledgeBase/execution/indexing';
import { STATUSES } from '../../../nodes/CometChatKnowledgeBase/service/records';
import type { Reply } from '../../../nodes/CometChatKnowledgeBase/requests/reply';
import { inBrief } from '../client';
import type { Context, Upload } from '../context';
import { change, isApplied, newestRecords, notDone, poll, sendBytes } from '../context';
import { couldNotTell, doesNotHold, holds, question } from '../question';

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
	unread?: Reply;
}

/** Polls until the file is ready or has failed, for a time that is bounded. */
async function watch(context: Context, what: string, upload: Upload): Promise<Progress> {
	const { id } = upload;
	const statuses: string[] = [];
	let watchedS = 0;
	let unread: Reply | undefined;
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
			return added.kind === 'silence' || added.status >= 500
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
			return reply.kind === 'answer' && reply.status === 404
				? doesNotHold(`one unknown ID, and the whole poll is refused (${inBrief(reply)})`)
				: notDone('the poll has no readable answer', reply);
		}
		const status = byId.get(unknownId);
		return status === undefined
			? holds('left out of the answer')
			: doesNotHold(`it has a status: "${status}"`);
	},
});
