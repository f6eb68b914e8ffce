import { isReady } from '../../../nodes/CometChatKnowledgeBase/service/statuses';
import { effectOf } from '../../../nodes/CometChatKnowledgeBase/requests/attemptResult';
import { isRetryable } from '../../../nodes/CometChatKnowledgeBase/requests/retryPolicy';
import { KNOWLEDGE_BASE } from '../../../nodes/CometChatKnowledgeBase/service/records';
import { readSourcePages } from '../../../nodes/CometChatKnowledgeBase/service/sourcePages';
import { isUploadAddress } from '../../../nodes/CometChatKnowledgeBase/service/uploads';
import type { Answer } from '../answer';
import type { Questions } from '../probe';
import { all } from '../probe';

/** What is known of an upload address, in words of our own: nothing of it may be shown. */
function described(address: string, ourHost: string) {
	if (!URL.canParse(address)) return undefined;
	const { protocol, host, searchParams } = new URL(address);
	const query = new Map([...searchParams].map(([name, value]) => [name.toLowerCase(), value]));
	return {
		isEncrypted: protocol === 'https:',
		isOurHost: host === ourHost,
		holdsForS: Number(query.get('x-amz-expires')),
		signedHeaders: query.get('x-amz-signedheaders')?.toLowerCase().split(';'),
	};
}

/** What the service's page of the list names (…/list-knowledge-base-records). */
const RECORD_FIELDS = 'uniqueId appId sourceName type status lastSynced createdAt updatedAt';

const pathOf = (id: string, what: 'sync' | 'pages') =>
	`${KNOWLEDGE_BASE}/uploads/${encodeURIComponent(id)}/${what}`;

/** Whether an answer holds pages, as the node reads them. */
function hasPages({ body }: Answer): boolean {
	return readSourcePages(body) !== undefined;
}

export const UPLOADS: Questions = {
	announcing: {
		asks: 'Announcing uploads: types and addresses',
		ourChoice:
			'takes any 2xx with an uploadId and a presignedUrl for each file, told apart by name; announces PDF, DOCX and CSV with their usual types, TXT as text/plain, MD as text/markdown; sends bytes to https:// only, wherever it leads, and takes the address for a secret',
		async answer(probe) {
			const { answer, uploads } = await probe.announce(['first.txt', 'second.md']);
			const [upload, second] = uploads;
			if (upload === undefined) return { answer, holds: answer.isTaken && false };
			const names = ['broken.pdf', 'never-sent.docx', 'never-sent.csv'];
			const others = await probe.announce(names);
			const [broken] = others.uploads;
			probe.made = { ...probe.made, upload, second, broken };
			const areTypes = others.answer.isTaken && others.uploads.length === names.length;
			const { account } = probe.client.settings;
			const address = described(
				upload.presignedUrl.use((url) => url),
				new URL(account.baseUrl).host,
			);
			// Not told where the service itself is not encrypted.
			const isUsable = isUploadAddress(upload.presignedUrl, account);
			const isSafe = isUsable ? address?.isEncrypted || undefined : false;
			return { answer, others: others.answer, address, holds: all(areTypes, isSafe) };
		},
	},
	'sending-bytes': {
		asks: 'Sending the bytes, and once more',
		ourChoice:
			'sends PUT with the announced type and length, and no other header; again after a lost answer, and then takes 412 for stored',
		async answer(probe) {
			const upload = probe.need('upload');
			const typed = await probe.sendBytes(upload);
			const untyped = typed.isTaken === false ? await probe.sendBytes(upload, false) : undefined;
			if (typed.isTaken || untyped?.isTaken) probe.made.stored = upload;
			if (!typed.isTaken) return { typed, untyped, holds: typed.isTaken };
			const again = await probe.sendBytes(upload);
			return { typed, again, holds: again.status === 412 || again.isTaken };
		},
	},
	'when-indexed': {
		asks: 'When indexing begins',
		ourChoice: 'waits after the upload until it is over, and adds the file to the agent only then',
		async answer(probe) {
			const stored = probe.need('stored');
			const alone = await probe.watch(stored);
			if (alone.isReady) probe.made.indexed = stored;
			if (alone.status === undefined) return { alone, holds: alone.answer.isTaken && false };
			const isOver = alone.isReady || alone.status === 'failed';
			if (isOver || probe.made.agent === undefined)
				return { alone, holds: alone.isReady || undefined };
			await probe.change('add', 'uploads', stored.uploadId);
			const added = await probe.watch(stored);
			if (added.isReady) probe.made.indexed = stored;
			return { alone, added, holds: added.isReady ? false : undefined };
		},
	},
	unindexed: {
		asks: 'Adding what is not indexed yet',
		ourChoice: 'adds it where waiting is switched off, and passes on what the service says',
		async answer(probe) {
			const second = probe.need('second');
			const sent = await probe.sendBytes(second);
			if (!sent.isTaken) return { sent, holds: undefined };
			const added = await probe.change('add', 'uploads', second.uploadId);
			const { status } = await probe.statusOf(second.uploadId);
			// Taken or refused, unless it was indexed before it could be added.
			const isTold = !added.isOutage && !(added.isApplied && isReady(status));
			return { sent, added, status, holds: isTold || undefined };
		},
	},
	'adding-twice': {
		asks: 'Adding and removing twice, duplicates, partial lists',
		ourChoice:
			'repeats a PATCH whose answer was lost; removes what the agent may not have, alone or beside others; sends each ID once; a refused list is not applied',
		async answer(probe) {
			const { uploadId: id } = probe.need('stored');
			const add = async (...ids: string[]) => await probe.change('add', 'uploads', ...ids);
			const remove = async (...others: string[]) =>
				await probe.change('remove', 'uploads', id, ...others);
			const isShown = async () => (await probe.shownAgent())?.files?.includes(id);
			const added = await add(id);
			const isShownAtAll = await isShown();
			const again = { added: await add(id), removed: await remove(), removedAgain: await remove() };
			// Only to know: the node never sends that.
			const double = await add(id, id);
			// As Sync Files asks it: what it has noted, whether the agent has it or not.
			const never = probe.made.broken?.uploadId;
			const beside = await remove(...(never === undefined ? [] : [never]));
			const isOut = isShownAtAll ? !(await isShown()) : undefined;
			const [unknown, partial] = [await add(probe.unknownId), await add(id, probe.unknownId)];
			const isPartlyShown = isShownAtAll ? await isShown() : undefined;
			// A repetition that is refused ends, after a lost answer, as a failure of unknown effect.
			const areRepeatable = all(again.added.isApplied, again.removedAgain.isApplied);
			const isRemovedBeside = beside.isApplied && isOut !== false;
			const isUnknown = effectOf(partial.result) === 'unknown' || isPartlyShown === undefined;
			const isWhole = partial.isApplied
				? unknown.isApplied
				: isUnknown
					? undefined
					: !isPartlyShown;
			const holds = added.isApplied ? all(areRepeatable, isRemovedBeside, isWhole) : undefined;
			return { added, again, double, beside, isOut, unknown, partial, isPartlyShown, holds };
		},
	},
	'same-name': {
		asks: 'Two uploads of one name, and one without bytes',
		ourChoice:
			'uploads a new version beside the old one, and then counts on two IDs; says that an entry without content may be there, and gives its ID',
		async answer(probe) {
			const upload = probe.need('upload');
			const { answer, uploads } = await probe.announce(['first.txt']);
			const [namesake] = uploads;
			probe.made.namesake = namesake;
			if (namesake === undefined) return { answer, holds: answer.isTaken && false };
			const poll = await probe.statusOf(namesake.uploadId);
			const isTold = poll.answer.isTaken && poll.status !== undefined;
			return { answer, poll, holds: all(namesake.uploadId !== upload.uploadId, isTold) };
		},
	},
	failures: {
		asks: 'Why indexing failed',
		ourChoice: 'gives no reason for it, because neither list nor poll has one',
		async answer(probe) {
			const broken = probe.need('broken');
			const sent = await probe.sendBytes(broken);
			if (!sent.isTaken) return { sent, holds: undefined };
			probe.made.brokenStored = broken;
			const { statuses, status } = await probe.watch(broken);
			const { record } = await probe.listed(broken.uploadId);
			const known = RECORD_FIELDS.split(' ');
			const more = record && Object.keys(record).filter((name) => !known.includes(name));
			const holds = status === 'failed' && more ? more.length === 0 : undefined;
			return { sent, statuses, status, more, holds };
		},
	},
	retrying: {
		asks: 'Indexing again',
		ourChoice: 'takes success true for begun, and 404 for no such source',
		async answer(probe) {
			const stored = probe.need('stored');
			const retry = async (id: string) =>
				await probe.ask({ method: 'PATCH', url: pathOf(id, 'sync') });
			const own = await retry((probe.made.brokenStored ?? stored).uploadId);
			const unknown = await retry(probe.unknownId);
			const isNoSource = unknown.status === 404 || (unknown.isTaken && false);
			return { own, unknown, holds: own.isNoSuchCall ? undefined : all(own.isApplied, isNoSource) };
		},
	},
	'source-pages': {
		asks: 'Extracted text: pages, limit',
		ourChoice:
			'asks for 100 pages at a time, goes on from the number of the last, and takes each once, wherever the count begins',
		async answer(probe) {
			const url = pathOf(probe.need('indexed').uploadId, 'pages');
			const bare = await probe.get(url);
			const hundred = await probe.get(url, { limit: 100 });
			const fromOne = await probe.get(url, { limit: 100, page: 1, affix: 'append' });
			// Only to know, both.
			const fromZero = await probe.get(url, { limit: 100, page: 0, affix: 'append' });
			const tooMany = await probe.get(url, { limit: 1000 });
			const isTold = (readSourcePages(hundred.body)?.pages ?? []).length > 0;
			const holds = all(
				bare.isTaken,
				hundred.isTaken && isTold,
				fromOne.isTaken && hasPages(fromOne),
			);
			return { bare, hundred, fromOne, fromZero, tooMany, holds };
		},
	},
	'unfinished-pages': {
		asks: 'Extracted text of what is not indexed',
		ourChoice: 'takes a refusal for final, and no pages for none',
		async answer(probe) {
			const { uploadId: empty } = probe.need('namesake');
			const withoutBytes = await probe.get(pathOf(empty, 'pages'));
			const broken = await probe.get(pathOf(probe.need('broken').uploadId, 'pages'));
			const parts = [withoutBytes, broken].map((answer) => {
				if (answer.status === 0) return undefined;
				if (isRetryable(answer.result)) return false;
				return answer.status >= 400 || hasPages(answer);
			});
			return { withoutBytes, broken, holds: all(...parts) };
		},
	},
};
