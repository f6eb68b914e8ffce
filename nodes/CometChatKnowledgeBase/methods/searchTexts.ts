import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { isSuccess } from '../requests/attemptResult';
import { detailsOf } from '../service/records';
import { readTextList, textsRequest } from '../service/texts';
import { askOnce } from './askOnce';
import { searchText, shortened } from './searchUploads';

/** A list of more can't be looked through: typing a few letters finds the others. */
const MOST_TEXTS = 1000;

/** The list behind 'Text': all texts are searched, by title, ID and what they say. */
export async function searchTexts(
	context: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const texts = await askOnce(context, textsRequest(), (reply) =>
		isSuccess(reply) ? readTextList(reply.body) : undefined,
	);
	const typed = searchText(filter);
	const found = texts.filter(({ title = '', text = '', uniqueId }) =>
		[title, text, uniqueId].some((one) => searchText(one).includes(typed)),
	);
	const timeZone = context.getTimezone();
	return {
		results: found.slice(0, MOST_TEXTS).map((text) => {
			const { uniqueId, title = uniqueId } = text;
			const parts = [shortened(title), ...detailsOf(text, timeZone).reverse()];
			return { name: parts.join(' · '), value: uniqueId };
		}),
	};
}
