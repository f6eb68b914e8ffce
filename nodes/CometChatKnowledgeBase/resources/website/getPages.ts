import { firstEntries } from '../../api/pagination';
import { operation } from '../../operations/buildOperation';
import { collectionField } from '../../fields/field';
import { websitePicker, cutWords, limit, choicesFilter } from '../../fields/fields';
import { rowShape } from '../../fields/rowShape';
import type { OutputName } from '../../output/outputFields';
import type { WebsitePage } from '../../api/websites';
import { PAGE_STATUSES, simplifiedPage, websitePages } from '../../api/websites';

const pageStatuses = choicesFilter(
	{
		displayName: 'Status',
		name: 'pageStatuses',
		description: 'Return only pages with one of these statuses',
	},
	PAGE_STATUSES,
);

const PAGE_FIELDS: OutputName[] = [
	...(['name', 'status', 'uniqueId', 'reason', 'title', 'urlId', 'retryCount'] as const),
	...(['createdAt', 'updatedAt', 'lastCrawledAt'] as const),
];

export const getPages = operation({
	value: 'getPages',
	name: 'Get Pages',
	action: 'Get website pages',
	description: 'Retrieve the pages of a website with their indexing status',
	fields: {
		uniqueId: websitePicker,
		limit,
		shape: rowShape(PAGE_FIELDS),
		filters: collectionField(
			{ displayName: 'Filters', name: 'pageFilters', placeholder: 'Add Filter' },
			{ statuses: pageStatuses },
			'Choose a status, or remove the filter.',
		),
	},
	output: PAGE_FIELDS,
	run: async ({ uniqueId, limit: most, shape, filters: { statuses } }, item) => {
		const fits = ({ status = '' }: WebsitePage) => statuses?.includes(status) ?? true;
		const pages = websitePages(item, uniqueId, { statuses, limit: most });
		const { entries, isCut } = await firstEntries(pages, most, fits);
		if (isCut) item.remark(cutWords(most));
		return entries.map((page) => shape(page, (found) => simplifiedPage(found, uniqueId)));
	},
});
