import { Snapshot } from '../../delivery/snapshot';
import type { Usage } from '../../delivery/usage';
import { NOT_REPORTED, readUsageTwice } from '../../delivery/usage';
import { batchOperation } from '../../operations/batchOperation';
import { conflicts } from '../../fields/conflicts';
import { choiceField, notice } from '../../fields/field';
import { documentIds } from '../../fields/ids';
import type { Agent } from '../../api/agents';
import type { Document } from '../../api/documents';
import { deleteOne } from '../../api/documents';
import { UserError } from '../../text/failure';
import { joinLimited, quoted } from '../../text/quoting';
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
			description: 'Delete the document. These agents can no longer answer from it.',
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
			"Documents are deleted from CometChat permanently. To remove a document from one agent, use 'Remove Files'. To find documents that no agent uses, use 'Document: Get Many' with the filter 'Used By'. Also set 'Created Before': a document that is still being uploaded or indexed may not have an agent yet.",
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
			"have different values in 'If Used by an Agent' for the same document",
			'Set one value for all items with this document.',
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
					const reason = `Used by agents: ${namesOf(users)}`;
					if (users.length > 0) return { action: 'skipped', reason, deleted: false };
				}
				const { uniqueId, type } = document;
				await deleteOne(client, sourceTypeOf(type), uniqueId);
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
		"Check in the CometChat dashboard which agents use it. If no agent should use it, set 'If Used by an Agent' to 'Delete Anyway'.",
		{ detail: NOT_REPORTED },
	);
}

function inUse({ uniqueId, sourceName }: Document, users: readonly Agent[]): UserError {
	return new UserError(
		`${quoted(sourceName ?? uniqueId)} is used by agents: ${namesOf(users)}`,
		"To delete only unused documents, set 'If Used by an Agent' to 'Skip'. To delete this document, first remove it from all agents with 'Remove Files'.",
	);
}

function namesOf(agents: readonly Agent[]): string {
	return joinLimited(agents.map(({ name, uid }) => quoted(name ?? uid)));
}
