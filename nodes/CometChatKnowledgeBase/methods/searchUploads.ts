import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import type { KnowledgeBaseRecord } from '../service/records';
import { detailsOf } from '../service/records';
import type { PickerEntry } from './documents';
import { readDocuments } from './documents';

type Found = INodeListSearchResult & { results: PickerEntry[] };

/**
 * The list behind 'Old File': uploads, newest first; those of the agent alone, where CometChat tells. Of
 * an entry n8n's editor shows the name and no second line, so that all stands in it.
 */
export async function searchUploads(
	context: ILoadOptionsFunctions,
	filter = '',
	paginationToken?: string,
): Promise<Found> {
	const typed = searchText(filter);
	const part = { from: paginationToken };
	const { records, listed, isTold, beyond, next } = await readDocuments(context, true, part);
	const uploads = records.filter(
		({ uniqueId, type }) => type === 'uploads' && (!isTold || listed.has(uniqueId)),
	);
	const older = beyond
		.filter((uniqueId) => searchText(uniqueId).includes(typed))
		.map((uniqueId): PickerEntry => ({ name: uniqueId, value: uniqueId }));
	return {
		results: [...entriesFor(context, uploads, typed), ...older],
		paginationToken: next,
	};
}

/** So many are more than a list shows at once; the rest comes as the user scrolls. */
const ENOUGH = 50;

/** The list behind 'Document': all kinds, newest first, to the end of the account. */
export async function searchDocuments(
	context: ILoadOptionsFunctions,
	filter = '',
	paginationToken?: string,
	isOfKind: (record: KnowledgeBaseRecord) => boolean = () => true,
): Promise<Found> {
	const typed = searchText(filter);
	let count = 0;
	const { records, next } = await readDocuments(context, false, {
		from: paginationToken,
		isEnough: (entries) => {
			count += entries.filter((record) => isOfKind(record) && isMeant(record, typed)).length;
			return count >= ENOUGH;
		},
	});
	const results = entriesFor(context, records.filter(isOfKind), typed);
	return { results, paginationToken: next };
}

function isMeant({ uniqueId, sourceName }: KnowledgeBaseRecord, typed: string): boolean {
	return [sourceName ?? '', uniqueId].some((text) => searchText(text).includes(typed));
}

function entriesFor(
	context: ILoadOptionsFunctions,
	records: KnowledgeBaseRecord[],
	typed: string,
): PickerEntry[] {
	const timeZone = context.getTimezone();
	return records
		.filter((record) => isMeant(record, typed))
		.map((record) => {
			const { uniqueId, sourceName = uniqueId } = record;
			// The status last: of a line that is too long, n8n cuts off the end.
			const parts = [shortened(sourceName), ...detailsOf(record, timeZone).reverse()];
			return { name: parts.join(' · '), value: uniqueId };
		});
}

const START = 20;
const END = 11;

/** A name with its start and its end, where there is no room for all of it beside the time. */
export function shortened(name: string): string {
	const characters = [...name];
	if (characters.length <= START + END + 1) return name;
	return `${characters.slice(0, START).join('')}…${characters.slice(-END).join('')}`;
}

/** As two texts that a person takes for one are written alike. */
export function searchText(text: string): string {
	return text.trim().normalize('NFC').toLowerCase();
}
