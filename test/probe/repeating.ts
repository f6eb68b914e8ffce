import type {
	Change,
	ChangeOperation,
} from '../../nodes/CometChatKnowledgeBase/service/attachments';
import type { Reply } from '../../nodes/CometChatKnowledgeBase/requests/reply';
import { effectOf } from '../../nodes/CometChatKnowledgeBase/requests/reply';
import { inBrief } from './asking';
import type { Verdict } from './finding';
import { couldNotTell, doesNotHold, holds, together } from './finding';
import type { Question } from './question';
import type { KnownFile, Session } from './session';
import { changeFiles, shownFiles } from './session';

export const repeating: Question = {
	question: 4,
	title: 'Twice, duplicates, partial lists',
	choice:
		'repeats a PATCH whose answer was lost; sends each ID once; a refused list is not applied',
	async ask(session) {
		const { agent, file, unknownIdReply } = session;
		if (agent === undefined) return couldNotTell('there is no agent to try it with');
		if (file !== undefined) return await tryWith(session, agent.isThrowaway, file);
		if (unknownIdReply !== undefined && effectOf(unknownIdReply) === 'applied') {
			return await tryWith(session, agent.isThrowaway, {
				id: session.unknownId,
				sourceType: 'uploads',
			});
		}
		return couldNotTell('it needs a file that exists: name one in COMETCHAT_FILE_IDS');
	},
};

async function tryWith(
	session: Session,
	isThrowaway: boolean,
	{ id, sourceType }: KnownFile,
): Promise<Verdict> {
	const change = async (asked: string, operation: ChangeOperation, uniqueIds = [id]) =>
		await changeFiles(session, asked, { operation, sourceType, uniqueIds });

	const first = await change('add a file', 'add');
	const cannot = couldNotTell(`the file can't be attached (${inBrief(first)})`);
	if (isThrowaway && effectOf(first) !== 'applied') return cannot;
	const shown = isThrowaway ? await shownFiles(session) : undefined;
	const again = await change('add it again', 'add');
	await change('remove it', 'remove');
	const removedAgain = await change('remove it again', 'remove');
	const double = await change('add a list that has it twice', 'add', [id, id]);
	// An existing agent may have had the file: its first add was a repeated one.
	if (![first, again, double].some((reply) => effectOf(reply) === 'applied')) return cannot;
	const verdicts = [
		repeatedVerdict('add', again),
		repeatedVerdict('remove', removedAgain),
		holds(`an ID twice in a list: ${inBrief(double)}, the node never sends that`),
	];
	if (isThrowaway && id !== session.unknownId) {
		await change('remove it', 'remove');
		const partly = { operation: 'add' as const, sourceType, uniqueIds: [id, session.unknownId] };
		const reply = await changeFiles(session, 'add a list with one unknown ID', partly);
		verdicts.push(await partialVerdict(session, reply, partly, shown?.includes(id) ?? false));
	}
	return together(...verdicts);
}

function repeatedVerdict(operation: ChangeOperation, reply: Reply): Verdict {
	const brief = `a repeated ${operation}: ${inBrief(reply)}`;
	if (reply.kind === 'silence') return couldNotTell(brief);
	if (effectOf(reply) === 'applied') return holds(`${brief}, success`);
	return doesNotHold(
		`${brief}, no success: when an answer is lost, the repetition ends as a failure of unknown effect`,
	);
}

async function partialVerdict(
	session: Session,
	reply: Reply,
	{ uniqueIds: [known = ''] }: Omit<Change, 'uid'>,
	areFilesShown: boolean,
): Promise<Verdict> {
	const brief = `a list with one unknown ID: ${inBrief(reply)}`;
	const effect = effectOf(reply);
	if (effect === 'applied') {
		const { unknownIdReply } = session;
		const isUnknownTaken = unknownIdReply !== undefined && effectOf(unknownIdReply) === 'applied';
		return isUnknownTaken
			? holds(`${brief}, taken whole`)
			: doesNotHold(`${brief}, success, although that ID alone is refused`);
	}
	if (effect === 'unknown') return couldNotTell(brief);
	const shown = areFilesShown ? await shownFiles(session) : undefined;
	if (shown === undefined) {
		return couldNotTell(`${brief}; the agent does not show whether the known file was attached`);
	}
	return shown.includes(known)
		? doesNotHold(`${brief}, yet the known file is attached: the node says that none was added`)
		: holds(`${brief}, none of it applied`);
}
