import { operation } from '../../operations/buildOperation';
import { LIST_BROKEN_OFF } from '../../operations/itemContext';
import { collectionField } from '../../fields/field';
import { simplify, websitePicker, cutWords, limit, choicesFilter } from '../../fields/fields';
import { foundPages, PAGE_STATUSES, simplifiedPage } from '../../api/websites';

const pageStatuses = choicesFilter(
	{
		displayName: 'Status',
		name: 'pageStatuses',
		type: 'multiOptions',
		options: PAGE_STATUSES,
		default: [],
		description: 'Return only pages with one of these statuses',
	},
	PAGE_STATUSES,
);

export const getPages = operation({
	value: 'getPages',
	name: 'Get Pages',
	action: 'Get website pages',
	description: 'Retrieve the pages of a website with their indexing status',
	fields: {
		uniqueId: websitePicker,
		limit,
		simple: simplify,
		filters: collectionField(
			{ displayName: 'Filters', name: 'pageFilters', placeholder: 'Add Filter' },
			{ statuses: pageStatuses },
			'Choose a status, or remove the filter.',
		),
	},
	output: [
		...(['name', 'status', 'uniqueId', 'reason', 'title', 'urlId', 'retryCount'] as const),
		...(['createdAt', 'updatedAt', 'lastCrawledAt'] as const),
	],
	run: async ({ uniqueId, limit: most, simple, filters: { statuses } }, item) => {
		item.state = LIST_BROKEN_OFF;
		const onCut = (isSure: boolean) => item.remark(cutWords(most, isSure));
		const found = await foundPages(item, uniqueId, { statuses, limit: most, onCut });
		return simple ? found.map((page) => simplifiedPage(page, uniqueId)) : found;
	},
});
