import { isReady } from '../../../nodes/CometChatKnowledgeBase/execution/indexing';
import { effectOf } from '../../../nodes/CometChatKnowledgeBase/requests/attemptResult';
import { isRetryable } from '../../../nodes/CometChatKnowledgeBase/requests/retryPolicy';
import { KNOWLEDGE_BASE } from '../../../nodes/CometChatKnowledgeBase/service/records';
import type { Upload } from '../../../nodes/CometChatKnowledgeBase/service/uploads';
import { isUploadAddress } from '../../../nodes/CometChatKnowledgeBase/service/uploads';
import { isRecord } from '../../../nodes/CometChatKnowledgeBase/values/validationIssue';
import type { Answer } from '../answer';
import type { Probe } from '../probe';
import type { Holds, Questions } from '../question';
import { all, question } from '../question';

/** What the node sends with the bytes, or the HTTP client for it. */
const SENT = ['host', 'content-type', 'content-length'];

/** What is known of an upload address, in words of our own: nothing of it may be shown. */
function described(address: string, ourHost: string) {
	if (!URL.canParse(address)) return { isAddress: false };
	const { protocol, host, searchParams } = new URL(address);
	const ofQuery = (name: string) =>
		[...searchParams].find(([given]) => given.toLowerCase() === name)?.[1] ?? '';
	const signed = ofQuery('x-amz-signedheaders').toLowerCase().split(';');
	return {
		isAddress: true,
		isEncrypted: protocol === 'https:',
		isOurHost: host === ourHost,
		holdsForS: Number(ofQuery('x-amz-expires')),
		signedHeaders: SENT.filter((name) => signed.includes(name)),
		otherSignedHeaders: signed.filter((name) => name !== '' && !SENT.includes(name)).length,
	};
}

/** Of a storage, every refusal counts. */
function isStored(answer: Answer | undefined, used?: number): Holds {
	if (answer === undefined || answer.isOutage) return undefined;
	return answer.isTaken === true || answer.status === used;
}

/** How long is waited before each poll but the first, in seconds: a minute and a half in all. */
const PAUSES_S = [1, 2, 3, 5, 8, 12, 15, 20, 25];

/** Polls until the file is ready or has failed, for a time that is bounded. */
async function watch(probe: Probe, { uploadId }: Upload) {
	const statuses: string[] = [];
	let last = await probe.poll(uploadId);
	for (const pauseS of PAUSES_S) {
		const { status } = last;
		if (status === undefined) break;
		// One that stays is named once.
		if (statuses.at(-1) !== status) statuses.push(status);
		if (isReady(status) || status === 'failed') break;
		await probe.client.rest(pauseS * 1000);
		last = await probe.poll(uploadId);
	}
	return { statuses, ...last, isReady: isReady(last.status) };
}

/** What the service's page of the list names (…/list-knowledge-base-records). */
const RECORD_FIELDS = 'uniqueId appId sourceName type status lastSynced createdAt updatedAt';

const NEVER_SENT = ['never-sent.docx', 'never-sent.csv'];

export const UPLOADS: Questions = {
	announcing: question({
		asks: 'Announcing uploads',
		ourChoice:
			'takes any 2xx with an uploadId and a presignedUrl for each file, told apart by name',
		async ask(probe) {
			const { answer, uploads } = await probe.announce(['first.txt', 'second.md']);
			[probe.made.upload, probe.made.second] = uploads;
			return { answer, addresses: uploads.length };
		},
		holds: ({ answer, addresses }) => answer.isTaken && addresses === 2,
	}),
	'upload-address': question({
		asks: 'Upload address',
		ourChoice:
			'sends bytes to https:// only, wherever it leads, and takes the address for a secret',
		async ask(probe) {
			const { presignedUrl } = probe.need('upload');
			const { account } = probe.client.settings;
			const address = described(presignedUrl, new URL(account.baseUrl).host);
			return { ...address, isUsable: isUploadAddress(presignedUrl, account) };
		},
		/** Not told where the service itself is not encrypted. */
		holds: ({ isEncrypted, isUsable }) => (isUsable ? isEncrypted || undefined : false),
	}),
	'sending-bytes': question({
		asks: 'Sending the bytes',
		ourChoice: 'sends PUT with the announced type and length, and no other header',
		async ask(probe) {
			const upload = probe.need('upload');
			const typed = await probe.sendBytes(upload);
			const isRefused = isStored(typed) === false;
			const untyped = isRefused ? await probe.sendBytes(upload, false) : undefined;
			if (isStored(typed) || isStored(untyped)) probe.made.stored = upload;
			return { typed, untyped };
		},
		holds: ({ typed }) => isStored(typed),
	}),
	'sending-twice': question({
		asks: 'Sending the bytes twice',
		ourChoice: 'sends them again after a lost answer, and then takes 412 for stored',
		ask: async (probe) => ({ again: await probe.sendBytes(probe.need('stored')) }),
		holds: ({ again }) => isStored(again, 412),
	}),
	'when-indexed': question({
		asks: 'When indexing begins',
		ourChoice: 'waits after the upload until it is over, and adds the file to the agent only then',
		async ask(probe) {
			const stored = probe.need('stored');
			const alone = await watch(probe, stored);
			if (alone.isReady) probe.made.indexed = stored;
			const isOver = alone.isReady || alone.status === 'failed' || alone.status === undefined;
			if (isOver || probe.made.agent === undefined) return { alone };
			await probe.ask(probe.changing('add', 'uploads', stored.uploadId));
			const added = await watch(probe, stored);
			if (added.isReady) probe.made.indexed = stored;
			return { alone, added };
		},
		holds({ alone, added }) {
			if (alone.status === undefined) return alone.answer.isTaken && false;
			return alone.isReady || (added?.isReady ? false : undefined);
		},
	}),
	unindexed: question({
		asks: 'Adding what is not indexed yet',
		ourChoice: 'adds it where waiting is switched off, and passes on what the service says',
		async ask(probe) {
			const second = probe.need('second');
			const sent = await probe.sendBytes(second);
			if (!isStored(sent)) return { sent };
			const added = await probe.ask(probe.changing('add', 'uploads', second.uploadId));
			return { sent, added, status: (await probe.poll(second.uploadId)).status };
		},
		/** Taken or refused, unless it was indexed before it could be added. */
		holds({ added, status }) {
			if (added === undefined || added.isOutage) return undefined;
			return added.isApplied && isReady(status) ? undefined : true;
		},
	}),
	'adding-twice': question({
		asks: 'Adding and removing twice, duplicates, partial lists',
		ourChoice:
			'repeats a PATCH whose answer was lost; sends each ID once; a refused list is not applied',
		async ask(probe) {
			const { uploadId: id } = probe.need('stored');
			const isShown = async () => (await probe.shownAgent())?.files?.includes(id);
			const add = probe.changing('add', 'uploads', id);
			const remove = probe.changing('remove', 'uploads', id);
			const added = await probe.ask(add);
			const isShownAtAll = await isShown();
			const after = await probe.askAll({
				addedAgain: add,
				removed: remove,
				removedAgain: remove,
				/** Only to know: the node never sends that. */
				double: probe.changing('add', 'uploads', id, id),
				removedOnceMore: remove,
				unknown: probe.changing('add', 'uploads', probe.unknownId),
				partial: probe.changing('add', 'uploads', id, probe.unknownId),
			});
			return { added, after, isPartlyShown: isShownAtAll ? await isShown() : undefined };
		},
		holds({ added, after, isPartlyShown }) {
			const { addedAgain, removedAgain, unknown, partial } = after;
			if (!added.isApplied || !partial) return undefined;
			// A repetition that is refused ends, after a lost answer, as a failure of unknown effect.
			const areRepeatable = all(addedAgain?.isApplied, removedAgain?.isApplied);
			if (partial.isApplied) return all(areRepeatable, unknown?.isApplied);
			const isUnknown = effectOf(partial.result) === 'unknown' || isPartlyShown === undefined;
			return all(areRepeatable, isUnknown ? undefined : !isPartlyShown);
		},
	}),
	'same-name': question({
		asks: 'Two uploads of one name',
		ourChoice: 'uploads a new version beside the old one, and then counts on two IDs',
		async ask(probe) {
			const upload = probe.need('upload');
			const { answer, uploads } = await probe.announce(['first.txt']);
			[probe.made.namesake] = uploads;
			return { answer, ids: [upload, ...uploads].map(({ uploadId }) => uploadId) };
		},
		holds: ({ answer, ids }) => answer.isTaken && new Set(ids).size === 2,
	}),
	'file-types': question({
		asks: 'Types of files',
		ourChoice:
			'announces PDF, DOCX and CSV with their usual types, TXT as text/plain, MD as text/markdown',
		async ask(probe) {
			probe.need('upload');
			const { answer, uploads } = await probe.announce(['broken.pdf', ...NEVER_SENT]);
			[probe.made.broken] = uploads;
			return { answer, addresses: uploads.length };
		},
		holds: ({ answer, addresses }) => answer.isTaken && addresses === 3,
	}),
	'uploads-listed': question({
		asks: 'Uploads in the list',
		ourChoice:
			'takes uploadId for the uniqueId, the file name for sourceName, and uploads for the type',
		async ask(probe) {
			const stored = probe.need('stored');
			const { answer, record, records } = await probe.listed(stored.uploadId);
			return {
				answer,
				type: record?.type,
				isNamed: record?.sourceName === stored.fileName,
				/** Replace File looks for an old version by its name, and must see that there are two. */
				ofThatName: records.filter(({ sourceName }) => sourceName === stored.fileName).length,
			};
		},
		holds: ({ answer, type, isNamed }) => answer.isTaken && type === 'uploads' && isNamed,
	}),
	'without-bytes': question({
		asks: 'An upload without bytes',
		ourChoice: 'says that an entry without content may be there, and gives its ID',
		async ask(probe) {
			const { uploadId } = probe.need('namesake');
			return await probe.poll(uploadId);
		},
		/** Whatever its status. */
		holds: ({ answer, status }) => answer.isTaken && status !== undefined,
	}),
	failures: question({
		asks: 'Why indexing failed',
		ourChoice: 'gives no reason for it, because neither list nor poll has one',
		async ask(probe) {
			const broken = probe.need('broken');
			const sent = await probe.sendBytes(broken);
			if (!isStored(sent)) return { sent };
			probe.made.brokenStored = broken;
			const { statuses, status } = await watch(probe, broken);
			const { record } = await probe.listed(broken.uploadId);
			const known = RECORD_FIELDS.split(' ');
			const more = record && Object.keys(record).filter((name) => !known.includes(name));
			return { sent, statuses, status, more };
		},
		holds: ({ status, more }) => (status === 'failed' && more ? more.length === 0 : undefined),
	}),
	retrying: question({
		asks: 'Indexing again',
		ourChoice: 'takes success true for begun, and 404 for no such source',
		async ask(probe) {
			const stored = probe.need('stored');
			const retry = (id: string) => ({ method: 'PATCH' as const, url: pathOf(id, 'sync') });
			const own = (probe.made.brokenStored ?? stored).uploadId;
			return await probe.askAll({ own: retry(own), unknown: retry(probe.unknownId) });
		},
		holds({ own, unknown }) {
			if (!own || !unknown || own.isNoSuchCall) return undefined;
			return all(own.isApplied, unknown.status === 404 || (unknown.isTaken && false));
		},
	}),
	'source-pages': question({
		asks: 'Extracted text: first page, limit',
		ourChoice:
			'has no operation for it yet; one would count pages from 1, inclusive, 100 at a time',
		async ask(probe) {
			const { uploadId } = probe.need('indexed');
			const get = (qs?: object) => ({ ...pagesRequest(uploadId), qs: { ...qs } });
			return await probe.askAll({
				bare: get(),
				hundred: get({ limit: 100 }),
				fromOne: get({ limit: 100, page: 1, affix: 'append' }),
				/** Only to know, both. */
				fromZero: get({ limit: 100, page: 0, affix: 'append' }),
				tooMany: get({ limit: 1000 }),
			});
		},
		holds({ bare, hundred, fromOne }) {
			if (bare?.isNoSuchCall) return undefined;
			const fromOnePage = [bare, fromOne].map((one) => one?.isTaken && pagesIn(one)?.[0] === 1);
			return all(...fromOnePage, hundred?.isTaken && pagesIn(hundred) !== undefined);
		},
	}),
	'unfinished-pages': question({
		asks: 'Extracted text of what is not indexed',
		ourChoice:
			'has no operation for it yet; one would take a refusal for final, and no pages for none',
		ask: async (probe) =>
			await probe.askAll({
				withoutBytes: pagesRequest(probe.need('namesake').uploadId),
				broken: pagesRequest(probe.need('broken').uploadId),
			}),
		holds: (answers) =>
			all(
				...Object.values(answers).map((answer) => {
					if (answer.isNoSuchCall || answer.status === 0) return undefined;
					if (isRetryable(answer.result)) return false;
					return answer.status >= 400 || pagesIn(answer) !== undefined;
				}),
			),
	}),
};

function pathOf(id: string, what: 'sync' | 'pages'): string {
	return `${KNOWLEDGE_BASE}/uploads/${encodeURIComponent(id)}/${what}`;
}

function pagesRequest(id: string) {
	return { method: 'GET' as const, url: pathOf(id, 'pages') };
}

/** The numbers of the pages in an answer; undefined if it holds none. */
function pagesIn({ body }: Answer): unknown[] | undefined {
	const data = isRecord(body) && isRecord(body.data) ? body.data : {};
	return Array.isArray(data.pageContent)
		? data.pageContent.map((page: unknown) => (isRecord(page) ? page.pageNumber : undefined))
		: undefined;
}
