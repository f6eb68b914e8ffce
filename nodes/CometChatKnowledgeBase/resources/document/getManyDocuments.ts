import { firstEntries } from '../../api/pagination';
import { Snapshot } from '../../delivery/snapshot';
import type { Usage } from '../../delivery/usage';
import { NOT_REPORTED } from '../../delivery/usage';
import { batchOperation } from '../../operations/batchOperation';
import { eachItem } from '../../operations/eachItem';
import type { ItemContext } from '../../operations/itemContext';
import type { ValuesOf } from '../../fields/field';
import { switchField } from '../../fields/field';
import { cutWords, limit } from '../../fields/fields';
import { rowShape } from '../../fields/rowShape';
import type { Fields } from '../../output/itemResult';
import type { OutputName } from '../../output/outputFields';
import type { Document } from '../../api/documents';
import { documentPages, simplified } from '../../api/documents';
import { UserError } from '../../text/failure';
import { sourceTypeOf } from '../../text/sourceTypes';
import type { DocumentFilters } from './documentFilters';
import { documentFilters, fitsFilters } from './documentFilters';

const DOCUMENT_FIELDS: OutputName[] = [
	...(['name', 'status', 'uniqueId', 'sourceType', 'reason', 'agents', 'agentIds'] as const),
	...(['createdAt', 'updatedAt'] as const),
];

const fields = {
	limit,
	shape: rowShape(DOCUMENT_FIELDS),
	showAgents: switchField({
		displayName: 'Include Agents',
		name: 'showAgents',
		type: 'boolean',
		default: false,
		description:
			"Whether to include the agents that use each document. An empty list means no agent, and null means that CometChat doesn't report the agents.",
	}),
	filters: documentFilters,
};

type ListTask = ValuesOf<typeof fields>;

export const getManyDocuments = batchOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many documents',
	description:
		'Get a list of the files, text entries and websites in CometChat, with status and IDs',
	fields,
	output: DOCUMENT_FIELDS,
	runAll: async (items, run) => {
		const snapshot = new Snapshot(run);
		if (items.some(({ task }) => isAboutAgents(task))) await snapshot.readDocuments();
		return await eachItem(run, items, async ({ task }, item) =>
			isAboutAgents(task) ? await withAgents(task, item, snapshot) : await alone(task, item),
		);
	},
});

function isAboutAgents({ showAgents, filters }: ListTask): boolean {
	return showAgents || filters.attachedTo !== undefined;
}

async function alone(
	{ limit: most, shape, filters }: ListTask,
	item: ItemContext,
): Promise<Fields[]> {
	const { afterMs, beforeMs } = filters;
	const isAny = Object.values(filters).every((filter) => filter === undefined);
	const pages = documentPages(item, {
		limit: isAny ? most : undefined,
		// A millisecond earlier, because CometChat may exclude this time. The node checks each document.
		within: {
			...(afterMs === undefined ? {} : { startTime: afterMs - 1 }),
			...(beforeMs === undefined ? {} : { endTime: beforeMs }),
		},
	});
	const { entries, isCut } = await firstEntries(pages, most, (document) =>
		fitsFilters(document, filters),
	);
	if (isCut) item.remark(cutWords(most));
	return entries.map((document) => shape(document, simplified));
}

/** Lists documents with their agents. All documents are read, to know which types the agents' lists contain. */
async function withAgents(
	{ limit: most, shape, filters, showAgents }: ListTask,
	item: ItemContext,
	snapshot: Snapshot,
): Promise<Fields[]> {
	if (snapshot.listFailure) throw snapshot.listFailure;
	// The requests for the lists are shared.
	item.count({ attempts: 1 });
	const fitting = snapshot.documents.all().filter((document) => fitsFilters(document, filters));
	const found = await attachedAmong(fitting, filters.attachedTo, { item, snapshot });
	if (found.length > most) item.remark(cutWords(most));
	const usage = showAgents ? await snapshot.agents.usage() : undefined;
	return found.slice(0, most).map((document) => {
		const agents = usage ? usersOf(usage, document) : {};
		return shape({ ...document, ...agents }, (one) => ({ ...simplified(one), ...agents }));
	});
}

/**
 * Filters documents by 'Used By'. Documents of a source type that CometChat doesn't report are left out with a warning.
 * If it reports none of the types, the item fails.
 */
async function attachedAmong(
	documents: Document[],
	attachedTo: DocumentFilters['attachedTo'],
	{ item, snapshot }: { item: ItemContext; snapshot: Snapshot },
): Promise<Document[]> {
	if (attachedTo === undefined) return documents;
	const agent =
		typeof attachedTo === 'object' ? await snapshot.agents.withUid(attachedTo.uid) : undefined;
	const usage = agent ? snapshot.agents.usageOf(agent) : await snapshot.agents.usage();
	const isUsed = ({ uniqueId }: Document) => usage.agentsUsing(uniqueId).length > 0;
	const types = [...new Set(documents.map(({ type }) => sourceTypeOf(type)))];
	const unreported = new Set<string>();
	for (const type of types) {
		const isReported = agent
			? await snapshot.agents.isReported(agent, type)
			: usage.isReported(type);
		if (!isReported) unreported.add(type);
	}
	const isUnknown = (one: Document) => !isUsed(one) && unreported.has(sourceTypeOf(one.type));
	if (documents.some(isUnknown)) {
		if (unreported.size === types.length) throw NONE_REPORTED;
		item.warn(SOME_NOT_REPORTED);
	}
	return documents.filter((one) =>
		attachedTo === 'none' ? !isUsed(one) && !isUnknown(one) : isUsed(one),
	);
}

const NONE_REPORTED = new UserError(
	"CometChat doesn't report which documents the agents use",
	"Remove the filter 'Used By', and turn on 'Include Agents'. The output then names the agents of each document, as far as CometChat reports them.",
	{ detail: NOT_REPORTED, cause: 'configuration-invalid' },
);

const SOME_NOT_REPORTED =
	"Some documents are not included, because CometChat doesn't report which agents use them. To see them, remove the filter 'Used By' and turn on 'Include Agents'";

/** Returns the agents that use a document, as output fields: `null` if CometChat doesn't report them. */
function usersOf(usage: Usage, { uniqueId, type }: Document): Fields {
	const users = usage.agentsUsing(uniqueId);
	const isReported = usage.isReported(sourceTypeOf(type));
	return {
		agents: isReported || users.length > 0 ? users.map(({ name, uid }) => name ?? uid) : null,
		...(!isReported && { reason: NOT_REPORTED }),
		agentIds: users.map(({ uid }) => uid),
	};
}
