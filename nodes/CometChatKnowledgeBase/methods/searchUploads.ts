import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { detailsOf } from '../service/records';
import type { Shown } from '../values/shown';
import { given, joined } from '../values/shown';
import type { PickerEntry } from './documents';
import { readDocuments } from './documents';

/**
 * The list behind 'Old File': uploads, newest first; those of the agent alone, where CometChat tells. Of
 * an entry n8n's editor shows the name and no second line, so that all stands in it.
 */
export async function searchUploads(
	context: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult & { results: PickerEntry[] }> {
	const { records, listed, isTold, beyond } = await readDocuments(context, true);
	const timeZone = context.getTimezone();
	const typed = searchText(filter);
	const uploads = records.filter(
		({ uniqueId, type }) => type === 'uploads' && (!isTold || listed.has(uniqueId)),
	);
	const found = uploads.filter(({ uniqueId, sourceName = '' }) =>
		[sourceName, uniqueId].some((text) => searchText(text).includes(typed)),
	);
	return {
		results: [
			...found.map((record) => {
				const { uniqueId, sourceName = uniqueId } = record;
				// The status last: of a line that is too long, n8n cuts off the end.
				const parts = [shortened(sourceName), ...detailsOf(record, timeZone).reverse()];
				return { name: joined(parts, ' · '), value: uniqueId };
			}),
			...beyond
				.filter((uniqueId) => searchText(uniqueId).includes(typed))
				.map((uniqueId) => ({ name: uniqueId, value: uniqueId })),
		],
	};
}

const START = 20;
const END = 11;

/** A name with its start and its end, where there is no room for all of it beside the time. */
export function shortened(name: Shown): Shown {
	const characters = [...name];
	if (characters.length <= START + END + 1) return name;
	return given(`${characters.slice(0, START).join('')}…${characters.slice(-END).join('')}`);
}

/** As two texts that a person takes for one are written alike. */
export function searchText(text: string): string {
	return text.trim().normalize('NFC').toLowerCase();
}
