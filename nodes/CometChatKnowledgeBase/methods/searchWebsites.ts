import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { sourceTypeOf } from '../values/sourceTypes';
import { searchDocuments } from './searchUploads';

/** The list behind 'Website': what is neither an upload nor a text, to the end of the account. */
export async function searchWebsites(
	context: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await searchDocuments(
		context,
		filter,
		paginationToken,
		({ type = '' }) => sourceTypeOf(type) === 'website',
	);
}
