import {
	readStatuses,
	statusRequest,
} from '../../../nodes/CometChatKnowledgeBase/execution/indexing';
import {
	KNOWLEDGE_BASE,
	readRecordPage,
	STATUSES,
} from '../../../nodes/CometChatKnowledgeBase/service/records';
import { isRecord } from '../../../nodes/CometChatKnowledgeBase/values/validationIssue';
import type { Answer } from '../answer';
import type { Probe } from '../probe';
import { LEFT_OUT } from '../probe';
import type { Questions } from '../question';
import { all, question } from '../question';

/** The words that the node offers in its filter, and waits for. */
export const KNOWN_STATUSES = STATUSES.map(({ value }) => value);

/** All words for a status that have come; of other people's files they are nobody's business. */
function statusesSeen({ client, mark }: Probe): string[] {
	return client.answers.flatMap(({ request, body }) => {
		if (request.url.endsWith('/status/poll')) return [...(readStatuses(body)?.values() ?? [])];
		const records = request.url === KNOWLEDGE_BASE ? readRecordPage(body)?.entries : undefined;
		const own = records?.filter(({ sourceName }) => sourceName?.includes(mark)) ?? [];
		return own.flatMap(({ status }) => status ?? []);
	});
}

/** 50 MB in the smaller of its two readings, which is the node's, and in the larger. */
const SIZES = [50_000_000, 52_428_800, 52_428_801];

const IDS_PER_POLL = 100;

/** What the node takes for gone, where an earlier attempt may have deleted it. */
const NO_SUCH_FILE = 'ERR_KB_NOT_FOUND';

/** Deletes the first file and the text, as far as there are such. */
async function deleteBoth({ client, throwaways, made }: Probe) {
	const answers: Record<string, Answer> = {};
	for (const [kind, id] of [
		['uploads', made.upload?.uploadId],
		['text', made.text],
	] as const) {
		if (id !== undefined) answers[id] = await throwaways.delete(client, kind, id);
	}
	return answers;
}

const KNOWN_HEADERS = /^(?:retry-after|x-rate-?limit(?:-(?:limit|remaining|reset))?)$/;

export const AFTERWARDS: Questions = {
	'agent-files': question({
		asks: "What an agent's files hold",
		ourChoice: 'takes success true for added, and files for the uniqueIds of uploads and texts',
		async ask(probe) {
			const { uploadId } = probe.need('stored');
			const { text } = probe.made;
			const added = await probe.ask(probe.changing('add', 'uploads', uploadId));
			if (text !== undefined) await probe.ask(probe.changing('add', 'text', text));
			const { files, websites } = (await probe.shownAgent()) ?? {};
			const wanted = [uploadId, ...(text === undefined ? [] : [text])];
			const countIn = (ids?: string[]) => ids && wanted.filter((id) => ids.includes(id)).length;
			return {
				added,
				wanted: wanted.length,
				listed: files?.length,
				inFiles: countIn(files),
				inWebsites: countIn(websites),
			};
		},
		holds({ added, wanted, listed, inFiles }) {
			if (!added.isApplied) return added.isApplied;
			return listed ? inFiles === wanted : undefined;
		},
	}),
	'unknown-status': question({
		asks: 'Status of an unknown ID',
		ourChoice: 'takes an ID that the answer leaves out for not found, and the others as they are',
		/** Beside a file, if there is one. */
		async ask(probe) {
			const { upload } = probe.made;
			return await probe.poll(probe.unknownId, ...(upload === undefined ? [] : [upload.uploadId]));
		},
		holds: ({ answer, status }) => answer.isTaken && status === LEFT_OUT,
	}),
	'status-words': question({
		asks: 'Words for the status',
		ourChoice: `knows ${KNOWN_STATUSES.join(', ')}; indexed and inSync are ready`,
		/** Asks nothing: what came before is looked at. */
		ask: async (probe) => ({ seen: [...new Set(statusesSeen(probe))] }),
		holds: ({ seen }) => all(...seen.map((status) => KNOWN_STATUSES.includes(status))),
	}),
	'ids-per-poll': question({
		asks: 'IDs in one poll',
		ourChoice: `asks for the status of up to ${IDS_PER_POLL} IDs at once`,
		/** Unknown ones are enough: a limit is seen before any of them is looked for. */
		async ask(probe) {
			const ids = Array.from({ length: IDS_PER_POLL }, () => probe.client.machine.newId());
			const requests = { one: statusRequest(ids.slice(0, 1)), many: statusRequest(ids) };
			return await probe.askAll(requests);
		},
		/** Refused however many they are, unknown ones say nothing about their number. */
		holds: ({ one, many }) =>
			one?.isTaken === false ? undefined : many?.isTaken && readStatuses(many.body) !== undefined,
	}),
	'file-sizes': question({
		asks: 'Largest file',
		ourChoice: 'sends up to 50,000,000 bytes',
		/** Sizes are only announced: no such file is sent. */
		async ask(probe) {
			probe.need('upload');
			const answers: Record<string, Answer> = {};
			for (const bytes of SIZES) {
				const { answer } = await probe.announce(['large.pdf'], bytes);
				answers[bytes] = answer;
				if (!answer.isTaken) break;
			}
			return answers;
		},
		holds: (answers) => answers[String(SIZES[0])]?.isTaken,
	}),
	deleting: question({
		asks: 'Deleting',
		ourChoice: 'takes success true for deleted, and says that no agent has the file any more',
		async ask(probe) {
			const before = (await probe.shownAgent())?.files;
			const deletions = await deleteBoth(probe);
			const after = (await probe.shownAgent())?.files;
			const shown = Object.keys(deletions).filter((id) => before?.includes(id));
			return { deletions, shown, stillShown: after && shown.filter((id) => after.includes(id)) };
		},
		holds({ deletions, shown, stillShown }) {
			const isDetached = shown.length > 0 && stillShown ? stillShown.length === 0 : undefined;
			return all(...Object.values(deletions).map(({ isApplied }) => isApplied), isDetached);
		},
	}),
	'deleting-twice': question({
		asks: 'Deleting twice',
		ourChoice: `takes 404 without a code or with ${NO_SUCH_FILE} for deleted, if an answer was lost before`,
		ask: async (probe) => await deleteBoth(probe),
		holds: (deletions) =>
			all(
				...Object.values(deletions).map(({ isApplied, status, code = NO_SUCH_FILE }) => {
					const isGone = status === 404 && code === NO_SUCH_FILE;
					return status === 0 ? undefined : isApplied === true || isGone;
				}),
			),
	}),
	'patch-success': question({
		asks: 'Success of a PATCH',
		ourChoice: 'takes any 2xx with success true (a boolean) for done, and nothing else',
		/** Asks nothing: what came before is looked at. */
		async ask({ client }) {
			const successes = client.answers.flatMap(({ request, result, status }) => {
				if (request.method !== 'PATCH' || status >= 300 || result.kind !== 'response') return [];
				const success = isRecord(result.body) ? result.body.success : undefined;
				return typeof success === 'boolean' ? success : typeof success;
			});
			return { successes: [...new Set(successes)] };
		},
		holds: ({ successes }) =>
			successes.every((success) => typeof success === 'boolean')
				? successes.includes(true) || undefined
				: false,
	}),
	'rate-headers': question({
		asks: 'Rate limit headers',
		ourChoice: 'obeys Retry-After, else X-RateLimit-Reset or X-Rate-Limit-Reset; only on a refusal',
		/** Asks nothing: what came before is looked at, and no limit is provoked. */
		async ask({ client }) {
			const names = client.answers
				.flatMap(({ result }) => (result.kind === 'response' ? Object.keys(result.headers) : []))
				.filter((name) => /rate-?limit|retry-after/.test(name));
			return { seen: [...new Set(names)].sort() };
		},
		holds: ({ seen }) => all(...seen.map((name) => KNOWN_HEADERS.test(name))),
	}),
};
