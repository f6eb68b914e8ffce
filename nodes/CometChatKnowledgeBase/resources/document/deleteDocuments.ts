import { ApiError } from '../../http/apiError';
import { Snapshot } from '../../delivery/snapshot';
import type { Usage } from '../../delivery/usage';
import { readUsageTwice, unreportedWords } from '../../delivery/usage';
import { batchOperation } from '../../operations/batchOperation';
import { conflicts } from '../../fields/conflicts';
import { choiceField, notice } from '../../fields/field';
import { documentIds } from '../../fields/ids';
import type { Agent } from '../../api/agents';
import type { Document } from '../../api/documents';
import { deleteOne } from '../../api/documents';
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
			description: "The item fails, also if CometChat doesn't report which agents use the document",
		},
		{
			name: 'Skip',
			value: 'skip',
			description: 'Keep the document, and list the agents in the output',
		},
	],
	default: 'fail',
	description: 'What to do with a document that one or more agents use',
});

export const deleteDocuments = batchOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete documents permanently',
	description: 'Delete files, text entries or websites from CometChat permanently',
	fields: {
		notice: notice(
			'deleteNotice',
			"Documents are deleted from CometChat permanently. To remove a document from one agent, use 'Remove Files'. To find documents that no agent uses, use 'Document: Get Many' with the filter 'Used By'.",
		),
		uniqueIds: documentIds(),
		ifUsed,
	},
	output: ['name', 'action', 'success', 'uniqueId', 'sourceType', 'reason', 'deleted'],
	conflicts: (items) =>
		conflicts(
			items.flatMap(({ index, task: { uniqueIds, ifUsed: value } }) =>
				uniqueIds.map((name) => ({ index, name, value })),
			),
			(id) => `have different values of 'If Used by an Agent' for the document ${quoted(id)}`,
			'Set one value for all items with this document, or leave out all but one of the items.',
		),
	runAll: async (items, run) => {
		const snapshot = new Snapshot(run);
		await snapshot.readDocuments();
		let usage: Promise<Usage> | undefined;
		return await eachDocument(run, items, {
			snapshot,
			done: 'deleted',
			perform: async (client, document, task) => {
				if (task.ifUsed !== 'delete') {
					usage ??= readUsageTwice(run, snapshot.documents);
					const users = usersOf(await usage, document);
					if (users.length > 0 && task.ifUsed === 'fail') throw inUse(document, users);
					if (users.length > 0) return { action: 'skipped', reason: usedBy(users), deleted: false };
				}
				const { uniqueId, type } = document;
				const answer = await toResult(deleteOne(client, sourceTypeOf(type), uniqueId));
				if (isFailure(answer)) throw await withUsers(answer, document, snapshot);
				// n8n's convention for a delete operation.
				return { deleted: true };
			},
		});
	},
});

/** Returns the agents that use a document. @throws UserError if CometChat doesn't report them. */
function usersOf(usage: Usage, { uniqueId, sourceName, type }: Document): readonly Agent[] {
	const users = usage.agentsUsing(uniqueId);
	if (users.length > 0 || usage.isReported(sourceTypeOf(type))) return users;
	throw new UserError(
		`Unknown whether an agent uses ${quoted(sourceName ?? uniqueId)}`,
		"Check in the CometChat dashboard which agents use the document. If no agent should use the document, set 'If Used by an Agent' to 'Delete Anyway'.",
		{ detail: unreportedWords([sourceTypeOf(type)]) },
	);
}

function inUse({ uniqueId, sourceName }: Document, users: readonly Agent[]): UserError {
	const name = quoted(sourceName ?? uniqueId);
	return new UserError(
		`${name} is used by ${users.length === 1 ? 'an agent' : `${users.length} agents`}`,
		"To delete only unused documents, set 'If Used by an Agent' to 'Skip'. To delete this document, remove the document from all agents with 'Remove Files' first.",
		{ detail: usedBy(users) },
	);
}

function usedBy(users: readonly Agent[]): string {
	return `Used by: ${namesOf(users)}.`;
}

/** Adds the agents that use the document to a refusal: they may be its reason. */
async function withUsers(
	refusal: Failure,
	{ uniqueId }: Document,
	snapshot: Snapshot,
): Promise<Failure> {
	if (!(refusal instanceof ApiError) || !mayBeInUse(refusal)) return refusal;
	const usage = await toResult(snapshot.agents.usage());
	const users = isFailure(usage) ? [] : usage.agentsUsing(uniqueId);
	if (users.length === 0) return refusal;
	const detail = sentences(refusal.more.detail, `Agents that use the document: ${namesOf(users)}.`);
	return refusal.with({ hint: `${REMOVE_FIRST} ${refusal.hint}`, detail });
}

function mayBeInUse({ more }: ApiError): boolean {
	return more.concernsOneDocument === true && more.unknown !== 'document';
}

function namesOf(agents: readonly Agent[]): string {
	return joinLimited(agents.map(({ name, uid }) => quoted(name ?? uid)));
}

const REMOVE_FIRST =
	"Remove the document from these agents with 'Remove Files', then delete the document.";
