import { inBrief, isSuccessStatus } from '../asking';
import type { Reply } from '../../../nodes/CometChatKnowledgeBase/requests/reply';
import type { Verdict } from '../finding';
import { couldNotTell, holds, together } from '../finding';
import type { Question } from '../question';
import type { Session } from '../session';
import {
	announce,
	CONTENT,
	documentNamed,
	nameOf,
	notDone,
	withFilesMade,
	writeText,
} from './making';

/** 50 MB in the smaller of its two readings, which is the node's, and in the larger. */
const SMALLER_BYTES = 50_000_000;
const LARGER_BYTES = 52_428_800;

const LONGEST_TITLE = 500;
const LONGEST_TEXT = 5000;

/** Sizes are only announced: no such file is sent. */
export const limits: Question = {
	question: 27,
	title: 'Limits',
	choice: 'sends up to 50,000,000 bytes, titles of up to 500 and texts of up to 5,000 characters',
	ask: withFilesMade(async (session) => {
		if (session.made.first === undefined && session.made.textId === undefined) {
			return couldNotTell('neither a file nor a text could be made');
		}
		return together(await sizeVerdict(session), await lengthVerdict(session));
	}),
};

async function sizeVerdict(session: Session): Promise<Verdict> {
	const name = nameOf(session, 'large.pdf');
	const info = documentNamed(name, SMALLER_BYTES);
	const announced = async (fileSize: number) => {
		const asked = `announces a file of ${fileSize} bytes, and sends none`;
		return (await announce(session, asked, [{ ...info, fileSize }])).reply;
	};
	const smaller = await announced(SMALLER_BYTES);
	if (!isSuccessStatus(smaller)) return notDone(`${SMALLER_BYTES} bytes are refused`, smaller);
	const above = await announced(LARGER_BYTES);
	if (!isSuccessStatus(above)) {
		return holds(`${SMALLER_BYTES} bytes are taken, ${LARGER_BYTES} are not (${inBrief(above)})`);
	}
	const over = await announced(LARGER_BYTES + 1);
	return holds(
		isSuccessStatus(over)
			? 'the size is not looked at when a file is announced'
			: `50 MB is ${LARGER_BYTES} bytes: the node stops a little short of it`,
	);
}

async function lengthVerdict(session: Session): Promise<Verdict> {
	const title = nameOf(session, 'long-text').padEnd(LONGEST_TITLE, '-');
	const text = CONTENT.repeat(LONGEST_TEXT).slice(0, LONGEST_TEXT);
	const written = async (asked: string, more: string): Promise<Reply> =>
		(await writeText(session, asked, `${title}${more}`, `${text}${more}`)).reply;
	const longest = await written('writes a text as long as allowed', '');
	if (!isSuccessStatus(longest)) return notDone('the longest title and text are refused', longest);
	const over = await written('writes a text that is longer by one', '-');
	return holds(
		isSuccessStatus(over)
			? 'longer titles and texts are taken, too'
			: `a longer title and text are refused (${inBrief(over)})`,
	);
}
