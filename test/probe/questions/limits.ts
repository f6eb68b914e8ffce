import type { AttemptResult } from '../../../nodes/CometChatKnowledgeBase/requests/attemptResult';
import { inBrief, isSuccessStatus } from '../client';
import { announce, documentNamed, nameOf, notDone, poll, writeText } from '../context';
import { couldNotTell, doesNotHold, holds, question } from '../question';
import { CONTENT } from '../throwaways';

/** 50 MB in the smaller of its two readings, which is the node's, and in the larger. */
const SMALLER_BYTES = 50_000_000;
const LARGER_BYTES = 52_428_800;

export const fileSizes = question({
	id: 'file-sizes',
	asks: 'Largest file',
	choice: 'sends up to 50,000,000 bytes',
	needs: ['files allowed', 'upload'],
	/** Sizes are only announced: no such file is sent. */
	async run(context) {
		const info = documentNamed(nameOf(context, 'large.pdf'), SMALLER_BYTES);
		const replies: AttemptResult[] = [];
		for (const fileSize of [SMALLER_BYTES, LARGER_BYTES, LARGER_BYTES + 1]) {
			const what = `announces a file of ${fileSize} bytes, and sends none`;
			const { reply } = await announce(context, what, [{ ...info, fileSize }]);
			replies.push(reply);
			if (!isSuccessStatus(reply)) break;
		}
		return replies;
	},
	judge([smaller, larger, over]) {
		if (smaller === undefined) return couldNotTell('no size was announced');
		if (larger === undefined) return notDone(`${SMALLER_BYTES} bytes are refused`, smaller);
		if (over === undefined) {
			return holds(`${SMALLER_BYTES} bytes are taken, ${LARGER_BYTES} not (${inBrief(larger)})`);
		}
		return holds(
			isSuccessStatus(over)
				? 'the size is not looked at when a file is announced'
				: `50 MB is ${LARGER_BYTES} bytes: the node stops a little short of it`,
		);
	},
});

const LONGEST_TITLE = 500;
const LONGEST_TEXT = 5000;

export const textLengths = question({
	id: 'text-lengths',
	asks: 'Longest title and text',
	choice: 'sends titles of up to 500 and texts of up to 5,000 characters',
	needs: ['files allowed', 'text'],
	async run(context) {
		const title = nameOf(context, 'long-text').padEnd(LONGEST_TITLE, '-');
		const text = CONTENT.repeat(LONGEST_TEXT).slice(0, LONGEST_TEXT);
		const write = async (what: string, more: string) =>
			(await writeText(context, what, `${title}${more}`, `${text}${more}`)).reply;
		const longest = await write('writes a text as long as allowed', '');
		if (!isSuccessStatus(longest)) return { longest };
		return { longest, over: await write('writes a text that is longer by one', '-') };
	},
	judge({ longest, over }) {
		if (over === undefined) return notDone('the longest title and text are refused', longest);
		return holds(
			isSuccessStatus(over)
				? 'longer titles and texts are taken, too'
				: `a longer title and text are refused (${inBrief(over)})`,
		);
	},
});

const IDS_PER_POLL = 100;

export const idsPerPoll = question({
	id: 'ids-per-poll',
	asks: 'IDs in one poll',
	choice: `asks for the status of up to ${IDS_PER_POLL} IDs at once`,
	async run(context) {
		const { client, unknownId } = context;
		const ids = Array.from({ length: IDS_PER_POLL }, () => client.machine.newId());
		return {
			one: (await poll(context, 'the status of one unknown ID', unknownId)).reply,
			many: await poll(context, `the status of ${IDS_PER_POLL} unknown IDs`, ...ids),
		};
	},
	/** Unknown ones are enough: a limit is seen before any of them is looked for. */
	judge({ one, many: { reply, byId } }) {
		if (byId !== undefined) return holds(`${IDS_PER_POLL} IDs: ${inBrief(reply)}`);
		return inBrief(one) === inBrief(reply)
			? couldNotTell(`unknown IDs are refused however many they are (${inBrief(reply)})`)
			: notDone(`${IDS_PER_POLL} IDs at once`, reply);
	},
});

const READ_HEADERS = /^(?:retry-after|x-rate-?limit-reset)$/;
const KNOWN_HEADERS = /^(?:retry-after|x-rate-?limit(?:-(?:limit|remaining|reset))?)$/;

export const rateHeaders = question({
	id: 'rate-headers',
	asks: 'Rate limit headers',
	choice: 'obeys Retry-After, else X-RateLimit-Reset or X-Rate-Limit-Reset; only on a refusal',
	/** Asks nothing: what came before is looked at, and no limit is provoked. */
	run: async ({ client }) => {
		const names = client.exchanges
			.flatMap(({ reply }) => (reply.kind === 'response' ? Object.keys(reply.headers) : []))
			.filter((name) => /rate-?limit|retry-after/.test(name));
		return [...new Set(names)].sort();
	},
	judge(seen) {
		const strange = seen.filter((name) => !KNOWN_HEADERS.test(name));
		if (strange.length > 0) return doesNotHold(`another spelling: ${strange.join(', ')}`);
		if (seen.length === 0) return couldNotTell('none has come; a limit was not provoked');
		return seen.some((name) => READ_HEADERS.test(name))
			? holds(`seen: ${seen.join(', ')}`)
			: holds(`seen: ${seen.join(', ')}; what a refusal brings was not provoked`);
	},
});
