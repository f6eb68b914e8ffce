import {
	readStatuses,
	statusRequest,
} from '../../../nodes/CometChatKnowledgeBase/service/statuses';
import {
	KNOWLEDGE_BASE,
	recordsRequest,
	STATUSES,
} from '../../../nodes/CometChatKnowledgeBase/service/records';
import type { Text } from '../../../nodes/CometChatKnowledgeBase/service/texts';
import {
	changeOf,
	readText,
	readTextList,
	textRequest,
	textsRequest,
} from '../../../nodes/CometChatKnowledgeBase/service/texts';
import { isRecord } from '../../../nodes/CometChatKnowledgeBase/values/validationIssue';
import type { Answer } from '../answer';
import type { Probe, Questions } from '../probe';
import { all, CONTENT, LEFT_OUT } from '../probe';
import { twoPages } from './account';

const TEXT_TYPE = 'text-details';

/** The node's is text; the others are what else the service's pages call a text, or a source. */
const OTHER_SOURCE_TYPES = [TEXT_TYPE, 'knowledge-base', 'uploads'];

/** The words that the node offers in its filter, and waits for. */
const KNOWN_STATUSES = STATUSES.map(({ value }) => value);

/** 50 MB in the smaller of its two readings, which is the node's, and in the larger. */
const SIZES = [50_000_000, 52_428_800, 52_428_801];

const IDS_PER_POLL = 100;

/** What the node takes for gone, where an earlier attempt may have deleted it. */
const NO_SUCH_FILE = 'ERR_KB_NOT_FOUND';

/** Deletes the first file and the text, as far as there are such; by their IDs. */
async function deleteBoth({ throwaways, made }: Probe) {
	const answers: Record<string, Answer> = {};
	const [upload, text] = [made.upload?.uploadId, made.text];
	if (upload !== undefined) answers[upload] = await throwaways.delete('uploads', upload);
	if (text !== undefined) answers[text] = await throwaways.delete('text', text);
	return answers;
}

const KNOWN_HEADERS = /^(?:retry-after|x-rate-?limit(?:-(?:limit|remaining|reset))?)$/;

/** And what is asked last, when all has been made. */
export const TEXTS: Questions = {
	'text-writing': {
		asks: 'Writing a text, and the longest',
		ourChoice:
			'takes any 2xx with the uniqueId in data, and never sends it a second time; sends titles of up to 500 and texts of up to 5,000 characters',
		async answer(probe) {
			const { answer, ids } = await probe.writeText(probe.name('text'), CONTENT);
			[probe.made.text] = ids;
			if (ids.length === 0) return { answer, holds: answer.isTaken && false };
			const title = probe.name('long-text').padEnd(500, '-');
			const text = CONTENT.repeat(100).slice(0, 5000);
			const { answer: longest } = await probe.writeText(title, text);
			if (!longest.isTaken) return { answer, longest, holds: longest.isTaken };
			const { answer: longer } = await probe.writeText(`${title}-`, `${text}-`);
			return { answer, longest, longer, holds: true };
		},
	},
	listed: {
		asks: 'Uploads and texts in the list',
		ourChoice: `takes uploadId for the uniqueId, the file name for sourceName, uploads for the type; a text is ${TEXT_TYPE}`,
		async answer(probe) {
			const { uploadId, fileName } = probe.need('stored');
			const { answer, records, record } = await probe.listed(uploadId);
			const text = records.find(({ uniqueId }) => uniqueId === probe.made.text)?.type;
			// Replace File looks for an old version by its name, and must see that there are two.
			const ofThatName = records.filter(({ sourceName }) => sourceName === fileName).length;
			const isNamed = record?.sourceName === fileName;
			const isText = probe.made.text === undefined ? undefined : text === TEXT_TYPE;
			const holds = answer.isTaken && all(record?.type === 'uploads', isNamed, isText);
			return { answer, upload: record?.type, text, isNamed, ofThatName, holds };
		},
	},
	'text-source-type': {
		asks: 'Source type of a text',
		ourChoice: 'adds it as text',
		async answer(probe) {
			const text = probe.need('text');
			const own = await probe.change('add', 'text', text);
			const others: Record<string, unknown> = {};
			// Only to know, where the node's is refused.
			for (const type of own.isApplied ? [] : OTHER_SOURCE_TYPES) {
				others[type] = await probe.change('add', type, text);
			}
			return { own, others, holds: own.isApplied };
		},
	},
	'text-statuses': {
		asks: 'status and vectorizationStatus of a text',
		ourChoice: `looks at status alone, and knows ${KNOWN_STATUSES.join(', ')}`,
		async answer(probe) {
			const id = encodeURIComponent(probe.need('text'));
			const answer = await probe.get(`${KNOWLEDGE_BASE}/text/${id}`);
			const { status, vectorizationStatus } = answer.data;
			const isKnown = answer.isTaken && KNOWN_STATUSES.includes(String(status));
			const holds = answer.isNoSuchCall ? undefined : isKnown;
			return { answer, status, vectorizationStatus, holds };
		},
	},
	'text-alone': {
		asks: 'One text, and one that there is not',
		ourChoice:
			'reads title and text in data as they were written, and takes 404 without a code or with ' +
			`${NO_SUCH_FILE} for a text that there is not`,
		async answer(probe) {
			const answer = await probe.ask(textRequest(probe.need('text')));
			const { title, text } = readText(answer.body) ?? {};
			const isSame = title === probe.name('text') && text === CONTENT;
			const unknown = await probe.ask(textRequest(probe.unknownId));
			const isUnknown = unknown.status === 404 && (unknown.code ?? NO_SUCH_FILE) === NO_SUCH_FILE;
			return { answer, isSame, unknown, holds: all(answer.isTaken && isSame, isUnknown) };
		},
	},
	'text-changing': {
		asks: 'Changing a text in place',
		ourChoice:
			'sends what changes alone; takes success true for done, and the text under the same ID, also in the list of all texts, for changed at once',
		async answer(probe) {
			const id = probe.need('text');
			const text = `${CONTENT} Changed.`;
			const answer = await probe.ask(changeOf(id, { text }));
			const { status: indexing } = await probe.statusOf(id);
			const alone = readText((await probe.ask(textRequest(id))).body);
			const list = await probe.ask(textsRequest());
			const listed = readTextList(list.body)?.find(({ uniqueId }) => uniqueId === id);
			const isSame = (one?: Text) => one?.text === text && one.title === alone?.title;
			const holds = all(answer.isApplied, isSame(alone), list.isTaken && isSame(listed));
			return { answer, indexing, list, isListed: listed !== undefined, holds };
		},
	},
	/** Asked when the probe has made some: it takes two. */
	'record-pages': {
		asks: 'List of records: pages',
		ourChoice: 'asks with limit, and goes on with affix append and the cursor of meta.next',
		answer: async (probe) =>
			await twoPages(probe, (next) => recordsRequest(next, 1), probe.made.records?.length),
	},
	'agent-files': {
		asks: "What an agent's files hold",
		ourChoice: 'takes success true for added, and files for the uniqueIds of uploads and texts',
		async answer(probe) {
			const { uploadId } = probe.need('stored');
			const { text } = probe.made;
			const added = await probe.change('add', 'uploads', uploadId);
			if (text !== undefined) await probe.change('add', 'text', text);
			const { files, websites } = (await probe.shownAgent()) ?? {};
			const wanted = text === undefined ? [uploadId] : [uploadId, text];
			const countIn = (ids?: string[]) => ids && wanted.filter((id) => ids.includes(id)).length;
			const inFiles = countIn(files);
			const areAllThere = files?.length ? inFiles === wanted.length : undefined;
			const holds = added.isApplied ? areAllThere : added.isApplied;
			return { added, wanted: wanted.length, inFiles, inWebsites: countIn(websites), holds };
		},
	},
	'unknown-status': {
		asks: 'Status of unknown IDs, and most IDs in one poll',
		ourChoice: `takes an ID that the answer leaves out for not found, and the others as they are; asks for up to ${IDS_PER_POLL} at once`,
		async answer(probe) {
			const { upload } = probe.made;
			const others = upload === undefined ? [] : [upload.uploadId];
			const one = await probe.statusOf(probe.unknownId, ...others);
			// A limit is seen before any of them is looked for.
			const ids = Array.from({ length: IDS_PER_POLL }, () => probe.client.machine.newId());
			const many = await probe.ask(statusRequest(ids));
			const isLeftOut = one.answer.isTaken && one.status === LEFT_OUT;
			const isPossible = many.isTaken && readStatuses(many.body) !== undefined;
			return { one, many, holds: all(isLeftOut, isPossible) };
		},
	},
	'status-words': {
		asks: 'Words for the status',
		ourChoice: `knows ${KNOWN_STATUSES.join(', ')}; indexed and inSync are ready`,
		/** Asks nothing: what came before is looked at. */
		async answer(probe) {
			const seen = [...probe.statuses];
			return { seen, holds: all(...seen.map((status) => KNOWN_STATUSES.includes(status))) };
		},
	},
	'file-sizes': {
		asks: 'Largest file',
		ourChoice: 'sends up to 50,000,000 bytes',
		/** Sizes are only announced: no such file is sent. */
		async answer(probe) {
			probe.need('upload');
			const answers: Record<string, Answer> = {};
			for (const bytes of SIZES) {
				const { answer } = await probe.announce(['large.pdf'], bytes);
				answers[bytes] = answer;
				if (!answer.isTaken) break;
			}
			return { ...answers, holds: answers[String(SIZES[0])]?.isTaken };
		},
	},
	deleting: {
		asks: 'Deleting, and once more',
		ourChoice: `takes success true for deleted, and says that no agent has the file any more; takes 404 without a code or with ${NO_SUCH_FILE} for deleted, if an answer was lost before`,
		async answer(probe) {
			const before = (await probe.shownAgent())?.files;
			const deletions = await deleteBoth(probe);
			const after = (await probe.shownAgent())?.files;
			const again = await deleteBoth(probe);
			const shown = Object.keys(deletions).filter((id) => before?.some((one) => one === id));
			const stillShown = after && shown.filter((id) => after.some((one) => one === id));
			const isDetached = shown.length > 0 && stillShown ? stillShown.length === 0 : undefined;
			const areGone = Object.values(again).map(({ isApplied, status, code = NO_SUCH_FILE }) => {
				const isGone = status === 404 && code === NO_SUCH_FILE;
				return status === 0 ? undefined : isApplied === true || isGone;
			});
			const areDeleted = Object.values(deletions).map(({ isApplied }) => isApplied);
			const holds = all(...areDeleted, isDetached, ...areGone);
			return { deletions, shown, stillShown, again, holds };
		},
	},
	'patch-success': {
		asks: 'Success of a PATCH',
		ourChoice: 'takes any 2xx with success true (a boolean) for done, and nothing else',
		/** Asks nothing: what came before is looked at. */
		async answer({ client }) {
			const seen = client.answers.flatMap(({ request, result, status }) => {
				if (request.method !== 'PATCH' || result.kind !== 'response' || status >= 300) return [];
				const success = isRecord(result.body) ? result.body.success : undefined;
				return typeof success === 'boolean' ? success : 'no boolean';
			});
			const holds = seen.includes('no boolean') ? false : seen.includes(true) || undefined;
			return { seen: [...new Set(seen)], holds };
		},
	},
	'rate-headers': {
		asks: 'Rate limit headers',
		ourChoice: 'obeys Retry-After, else X-RateLimit-Reset or X-Rate-Limit-Reset; only on a refusal',
		/** Asks nothing: what came before is looked at, and no limit is provoked. */
		async answer({ client }) {
			const names = client.answers
				.flatMap(({ result }) => (result.kind === 'response' ? Object.keys(result.headers) : []))
				.filter((name) => /rate-?limit|retry-after/.test(name));
			const seen = [...new Set(names)].sort();
			return { seen, holds: all(...seen.map((name) => KNOWN_HEADERS.test(name))) };
		},
	},
};
