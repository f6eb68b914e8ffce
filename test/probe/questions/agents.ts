import { agentRequest, readAgent } from '../../../nodes/CometChatKnowledgeBase/service/agents';
import type { ChangeOperation } from '../../../nodes/CometChatKnowledgeBase/service/attachments';
import { isRecord } from '../../../nodes/CometChatKnowledgeBase/values/validationIssue';
import { serviceWords } from '../../../nodes/CometChatKnowledgeBase/results/messages';
import { sourceTypeField } from '../../../nodes/CometChatKnowledgeBase/input/fields';
import type { AttemptResult } from '../../../nodes/CometChatKnowledgeBase/requests/attemptResult';
import { effectOf, isSuccess } from '../../../nodes/CometChatKnowledgeBase/requests/attemptResult';
import { inBrief, isSuccessStatus } from '../client';
import { change, isApplied, notDone, shownAgent } from '../context';
import type { Verdict } from '../question';
import { couldNotTell, doesNotHold, holds, question, together } from '../question';

export const uidCase = question({
	id: 'uid-case',
	asks: 'Upper and lower case of a uid',
	choice: 'sends a uid as given; keeps two spellings in one order, as if they were one agent',
	needs: ['agent'],
	async run({ client, uid = '' }) {
		const other = uid === uid.toLowerCase() ? uid.toUpperCase() : uid.toLowerCase();
		return {
			isOther: other !== uid,
			swapped: await client.ask('the agent, its uid in the other case', agentRequest(other)),
			own: await client.ask('the agent, its uid as it is', agentRequest(uid)),
		};
	},
	judge({ isOther, swapped, own }, { uid }) {
		if (!isOther) return couldNotTell('the uid has no letters');
		const uidOf = (reply: AttemptResult) =>
			isSuccess(reply) ? readAgent(reply.body)?.uid.toLowerCase() : undefined;
		if (uidOf(swapped) === uid?.toLowerCase()) return holds('case makes no difference');
		return uidOf(own) !== undefined && swapped.kind === 'response' && swapped.status < 500
			? holds(`case matters (${inBrief(swapped)} in the other): the shared order costs only time`)
			: couldNotTell(`${inBrief(swapped)} in the other case, ${inBrief(own)} in its own`);
	},
});

const NO_SUCH_TYPE = 'no-such-type';

/** The types that the node offers. */
const OFFERED = (sourceTypeField.options ?? []).flatMap((option) =>
	'value' in option && typeof option.value === 'string' ? [option.value] : [],
);

export const sourceTypes = question({
	id: 'source-types',
	asks: 'Source types',
	choice: `offers ${OFFERED.join(', ')}, and sends any other that is typed in`,
	needs: ['agent'],
	async run(context) {
		const replies: Array<{ operation: ChangeOperation; type: string; reply: AttemptResult }> = [];
		for (const operation of ['add', 'remove'] as const) {
			for (const type of [...OFFERED, NO_SUCH_TYPE]) {
				const what = `${operation} an unknown ID as ${type}`;
				const reply = await change(context, what, operation, type, context.unknownId);
				replies.push({ operation, type, reply });
			}
		}
		context.unknownIdReply = replies[0]?.reply;
		return replies;
	},
	/**
	 * The ID is unknown, so a refusal may be meant for the ID or for the type. A made-up type tells
	 * them apart: what is answered like that one is no type, what is answered like 'uploads' is one.
	 */
	judge(replies, { unknownId }) {
		const verdicts = (['add', 'remove'] as const).flatMap((operation) => {
			const [first, ...others] = replies.filter((one) => one.operation === operation);
			const madeUp = others.pop();
			if (first === undefined || madeUp === undefined) return [];
			const offered = [first, ...others];
			const likeness = ({ type, reply }: typeof first) => likenessOf(reply, [type, unknownId]);
			const refusal = `a made-up type with ${inBrief(madeUp.reply)}`;
			if (offered.every((one) => likeness(one) === likeness(madeUp))) {
				return [couldNotTell(`${operation} answers every type alike, and ${refusal}`)];
			}
			return offered.map((one) => {
				const brief = `${one.type} (${inBrief(one.reply)})`;
				if (isApplied(one.reply)) return holds(`${operation} takes all, and answers ${refusal}`);
				if (likeness(one) === likeness(madeUp)) {
					return doesNotHold(`${operation} refuses ${brief} like a made-up type`);
				}
				return likeness(one) === likeness(first)
					? holds(`${operation} takes all, and answers ${refusal}`)
					: couldNotTell(`${operation} answers ${brief} in its own way`);
			});
		});
		return together(...verdicts);
	},
});

/** Two replies that differ in nothing but what was sent have the same likeness. */
function likenessOf(reply: AttemptResult, sent: string[]): string {
	if (reply.kind === 'network failure') return reply.code;
	const { code = '', text } = serviceWords(reply.body);
	const neutral = sent.reduce((rest, value) => rest.split(value).join('…'), text);
	return `${reply.status} ${code} ${neutral}`;
}

export const addingTwice = question({
	id: 'adding-twice',
	asks: 'Adding and removing twice, duplicates, partial lists',
	choice:
		'repeats a PATCH whose answer was lost; sends each ID once; a refused list is not applied',
	needs: ['files allowed', 'agent', 'stored upload'],
	async run(context) {
		const { first, unknownId } = context;
		const id = first?.id ?? '';
		const send = async (what: string, operation: ChangeOperation, ...ids: string[]) =>
			await change(context, what, operation, 'uploads', ...ids);
		const added = await send('adds the first file', 'add', id);
		const shown = (await shownAgent(context))?.files?.includes(id);
		const addedAgain = await send('adds it again', 'add', id);
		await send('removes it', 'remove', id);
		const removedAgain = await send('removes it again', 'remove', id);
		const double = await send('adds a list that has it twice', 'add', id, id);
		await send('removes it', 'remove', id);
		const partial = await send('adds a list with one unknown ID', 'add', id, unknownId);
		const partlyShown = shown ? (await shownAgent(context))?.files?.includes(id) : undefined;
		return { added, addedAgain, removedAgain, double, partial, partlyShown };
	},
	judge({ added, addedAgain, removedAgain, double, partial, partlyShown }, { unknownIdReply }) {
		if (!isApplied(added)) return couldNotTell(`the file can't be added (${inBrief(added)})`);
		return together(
			repeatedVerdict('add', addedAgain),
			repeatedVerdict('remove', removedAgain),
			holds(`an ID twice in a list: ${inBrief(double)}, the node never sends that`),
			partialVerdict(partial, partlyShown, unknownIdReply && isApplied(unknownIdReply)),
		);
	},
});

function repeatedVerdict(operation: ChangeOperation, reply: AttemptResult): Verdict {
	const brief = `a repeated ${operation}: ${inBrief(reply)}`;
	if (reply.kind === 'network failure') return couldNotTell(brief);
	return isApplied(reply)
		? holds(`${brief}, success`)
		: doesNotHold(`${brief}: after a lost answer it ends as a failure of unknown effect`);
}

function partialVerdict(
	reply: AttemptResult,
	isShown?: boolean,
	isUnknownTaken?: boolean,
): Verdict {
	const brief = `a list with one unknown ID: ${inBrief(reply)}`;
	if (isApplied(reply)) {
		return isUnknownTaken
			? holds(`${brief}, taken whole`)
			: doesNotHold(`${brief}, success, although that ID alone is refused`);
	}
	if (effectOf(reply) === 'unknown') return couldNotTell(brief);
	if (isShown === undefined) return couldNotTell(`${brief}; the agent does not show its files`);
	return isShown
		? doesNotHold(`${brief}, yet the known file is attached: the node says that none was added`)
		: holds(`${brief}, none of it applied`);
}

export const agentFiles = question({
	id: 'agent-files',
	asks: "What an agent's files hold",
	choice: 'takes success true for added, and files for the uniqueIds of uploads and texts',
	needs: ['files allowed', 'agent', 'stored upload'],
	async run(context) {
		const { first, textId } = context;
		const [id = '', text = ''] = [first?.id, textId];
		const file = await change(context, 'adds the first file', 'add', 'uploads', id);
		if (text !== '') await change(context, 'adds the text', 'add', 'text', text);
		return { file, agent: await shownAgent(context), id, text };
	},
	judge({ file, agent, id, text }) {
		if (!isApplied(file)) return notDone('an upload can not be added', file);
		if (agent?.files === undefined) return couldNotTell("the agent's files are no list of texts");
		const { files, websites = [] } = agent;
		if (files.length === 0) return couldNotTell('the agent shows no files at all');
		if (!files.includes(id)) return doesNotHold('the agent shows only other IDs in files');
		if (text === '') return holds('files shows the uniqueId of an upload; no text was written');
		if (files.includes(text)) return holds('files shows the uniqueIds of uploads and texts');
		const where = websites.includes(text) ? 'in websites' : 'nowhere';
		return doesNotHold(`files shows the uniqueId of an upload, and that of a text stands ${where}`);
	},
});

export const patchSuccess = question({
	id: 'patch-success',
	asks: 'Success of a PATCH',
	choice: 'takes any 2xx with success true (a boolean) for done, and nothing else',
	/** Asks nothing: what came before is looked at. */
	run: async ({ client }) =>
		client.exchanges.flatMap(({ request, reply }) =>
			request.method === 'PATCH' && reply.kind === 'response' && isSuccessStatus(reply)
				? [{ status: reply.status, success: isRecord(reply.body) ? reply.body.success : undefined }]
				: [],
		),
	judge(accepted) {
		if (accepted.length === 0) return couldNotTell('no PATCH had a status of success');
		const statuses = [...new Set(accepted.map(({ status }) => status))].join(', ');
		const strange = accepted.find(({ success }) => typeof success !== 'boolean');
		if (strange)
			return doesNotHold(`status ${statuses}, but success is ${kindOf(strange.success)}`);
		return accepted.some(({ success }) => success === true)
			? holds(`status ${statuses}, success is a boolean`)
			: couldNotTell(`status ${statuses}, but success was never true`);
	},
});

function kindOf(value: unknown): string {
	return value === undefined ? 'missing' : `a ${typeof value}`;
}
