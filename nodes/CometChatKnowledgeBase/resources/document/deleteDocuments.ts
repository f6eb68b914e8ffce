import { ApiError } from '../../http/apiError';
import { readUsage, Snapshot } from '../../delivery/snapshot';
import type { Usage } from '../../delivery/usage';
import { unreportedWords, usersIn } from '../../delivery/usage';
import { batchOperation } from '../../operations/batchOperation';
import type { ItemContext } from '../../operations/itemContext';
import { refuseDifferent } from '../../operations/sameOptions';
import { choiceField, notice } from '../../fields/field';
import { documentIdsFromList } from '../../fields/ids';
import type { Fields } from '../../output/itemResult';
import type { Agent } from '../../api/agents';
import type { Document } from '../../api/documents';
import { deleteOne, isUnknownDocument, knownStatuses, NOT_LISTED } from '../../api/documents';
import type { Failure } from '../../text/failure';
import { UserError, toResult, isFailure } from '../../text/failure';
import { joinLimited, quoted, sentences } from '../../text/quoting';
import { sourceTypeOf } from '../../text/sourceTypes';
import { eachDocument } from './eachDocument';

const ifUsed = choiceField({
	displayName: 'If Used by an Agent',
	name: 'ifUsed',
	type: 'options',
	options: [
		{
			name: 'Delete Anyway',
			value: 'delete',
			description: 'Delete the document. These agents can no longer answer from the document.',
		},
		{
			name: 'Fail',
			value: 'fail',
			description:
				"Don't delete the document, and list the agents. The item also fails if CometChat doesn't report which agents use the document.",
		},
	],
	default: 'fail',
	description: 'What to do with a document that one or more agents use',
});

const ifGone = choiceField({
	displayName: 'If Not Found',
	name: 'ifGone',
	type: 'options',
	options: [
		{
			name: 'Count as Deleted',
			value: 'deleted',
			description: 'The item succeeds. Use this to repeat an execution that stopped halfway.',
		},
		{
			name: 'Fail',
			value: 'fail',
			description: 'The item fails, so that you notice a wrong ID',
		},
	],
	default: 'fail',
	description: 'What to do if CometChat has no document with this ID',
});

export const deleteDocuments = batchOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete documents permanently',
	description: 'Delete files, text entries or websites from CometChat permanently',
	fields: {
		notice: notice(
			'deleteNotice',
			"Documents are deleted from CometChat permanently. To remove a document from one agent, use 'Remove Files'.",
		),
		uniqueIds: documentIdsFromList,
		ifUsed,
	},
	options: { ifGone },
	output: [...(['name', 'action', 'success', 'uniqueId', 'sourceType', 'deleted'] as const)],
	conflicts: (items) =>
		refuseDifferent(items, {
			namedBy: ({ uniqueIds }) => uniqueIds,
			noun: 'document',
			options: { ifUsed, ifGone },
		}),
	runAll: async (items, run) => {
		const snapshot = new Snapshot(run);
		await snapshot.readDocuments();
		return await eachDocument(run, items, {
			snapshot,
			done: 'deleted',
			perform: async (client, document, task) => {
				if (task.ifUsed === 'fail') refuseIfUsed(await readUsage(snapshot), document);
				const failure = await deleteDocument(client, document);
				// What n8n expects of a delete.
				if (failure === undefined) return { deleted: true };
				if (!isUnknownDocument(failure)) throw await withUsers(failure, document, snapshot);
				return await alreadyGone(client, document, { failure, task, snapshot });
			},
		});
	},
});

async function deleteDocument(
	client: ItemContext,
	{ uniqueId, type }: Document,
): Promise<Failure | undefined> {
	const answer = await toResult(deleteOne(client, sourceTypeOf(type), uniqueId));
	return isFailure(answer) ? answer : undefined;
}

/** The row of a document that CometChat did not know. @throws ApiError if that is no success. */
async function alreadyGone(
	client: ItemContext,
	{ uniqueId }: Document,
	{ failure, task, snapshot }: { failure: ApiError; task: { ifGone: string }; snapshot: Snapshot },
): Promise<Fields> {
	if (task.ifGone === 'fail') {
		throw new ApiError(failure.title, `${GONE_BEFORE} ${failure.hint}`, failure.more);
	}
	// A document that the list does not show yet may be no upload.
	if (snapshot.records.withId(uniqueId) === undefined) {
		const statuses = await toResult(knownStatuses(client, [uniqueId]));
		if (isFailure(statuses) || statuses.get(uniqueId) !== NOT_LISTED) throw failure;
	}
	return { action: 'already deleted', deleted: true };
}

/** @throws UserError if agents use the document, or if CometChat doesn't report which agents do. */
function refuseIfUsed(usage: Usage, { uniqueId, sourceName, type }: Document): void {
	const users = usersIn(usage, sourceTypeOf(type), uniqueId);
	const name = quoted(sourceName ?? uniqueId);
	if (users === undefined) {
		throw new UserError(
			`CometChat doesn't report which agents use ${name}`,
			"Check in the CometChat dashboard which agents use the document. If no agent needs the document, set 'If Used by an Agent' to 'Delete Anyway'.",
			{ detail: unreportedWords([sourceTypeOf(type)]) },
		);
	}
	if (users.length === 0) return;
	throw new UserError(
		`${name} is used by ${users.length === 1 ? 'an agent' : `${users.length} agents`}`,
		"Remove the document from these agents with 'Remove Files' first, or set 'If Used by an Agent' to 'Delete Anyway'.",
		{ detail: `Used by: ${namesOf(users)}.` },
	);
}

/** A deletion that CometChat refused, with the agents that use the document: they may be the reason. */
async function withUsers(
	refusal: Failure,
	{ uniqueId }: Document,
	snapshot: Snapshot,
): Promise<Failure> {
	const mayBeInUse = refusal instanceof ApiError && refusal.more.concernsOneDocument === true;
	if (!mayBeInUse) return refusal;
	const usage = await toResult(readUsage(snapshot));
	const users = isFailure(usage) ? [] : usage.usersOf(uniqueId);
	if (users.length === 0) return refusal;
	const detail = sentences(refusal.more.detail, `Agents that use the document: ${namesOf(users)}.`);
	const more = { ...refusal.more, detail };
	return new ApiError(refusal.title, `${REMOVE_FIRST} ${refusal.hint}`, more);
}

function namesOf(agents: readonly Agent[]): string {
	return joinLimited(agents.map(({ name, uid }) => quoted(name ?? uid)));
}

const REMOVE_FIRST =
	"Remove the document from these agents with 'Remove Files', then delete the document.";

const GONE_BEFORE =
	"If the document was deleted before, set 'If Not Found' under Options to 'Count as Deleted'.";
