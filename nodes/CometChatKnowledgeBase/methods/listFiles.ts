import type { ILoadOptionsFunctions } from 'n8n-workflow';

import type { KnowledgeBaseRecord } from '../service/records';
import { detailsOf } from '../service/records';
import { findSourceType, sourceTypeOf } from '../values/sourceTypes';
import type { PickerEntry, Documents } from './documents';
import { readDocuments } from './documents';

/**
 * The files to pick from: newest first, of the type that the node is set to. Those that an agent loses
 * are its own, where CometChat tells; where it does not, each entry says so.
 */
export async function listFiles(context: ILoadOptionsFunctions): Promise<PickerEntry[]> {
	const operation = context.getCurrentNodeParameter('operation');
	const isRemoval = operation === 'remove';
	const documents = await readDocuments(context, isRemoval);
	const { records, listed, isTold, beyond } = documents;
	const wanted = typeOf(context);
	const shown = records.filter(
		({ uniqueId, type }) =>
			(wanted === undefined || type === undefined || sourceTypeOf(type) === wanted) &&
			(!isTold || listed.has(uniqueId)),
	);
	const timeZone = context.getTimezone();
	return [
		...shown.map((record) => {
			const { uniqueId, sourceName: name = uniqueId } = record;
			const details = [
				...(wanted === undefined ? kindOf(record) : []),
				...detailsOf(record, timeZone),
				...aboutAgent(uniqueId, isRemoval, documents),
			];
			return { name, value: uniqueId, description: [...details, uniqueId].join(' · ') };
		}),
		...beyond.map((uniqueId) => {
			return { name: uniqueId, value: uniqueId, description: BEYOND };
		}),
	];
}

/** Where kinds stand side by side, that of a file goes without saying. */
function kindOf({ type = 'uploads' }: KnowledgeBaseRecord): string[] {
	const kind = sourceTypeOf(type);
	return kind === 'uploads' ? [] : [kind];
}

const BEYOND: string =
	"the agent has it; its name and type are not among the account's newest 1,000";

/** What is to be said of an entry as to the agent that is chosen. */
function aboutAgent(uniqueId: string, isRemoval: boolean, { listed, isTold }: Documents): string[] {
	if (isRemoval) return isTold ? [] : ['not known whether the agent has it'];
	return listed.has(uniqueId) ? ['the agent has it already'] : [];
}

/** Undefined for all types. */
function typeOf(context: ILoadOptionsFunctions): string | undefined {
	// There 'Source Type' may still hold what was meant for another operation.
	if (context.getCurrentNodeParameter('resource') === 'document') return undefined;
	return findSourceType(context.getCurrentNodeParameter('sourceType'));
}
