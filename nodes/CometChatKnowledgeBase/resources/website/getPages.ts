import type { INodeProperties } from 'n8n-workflow';

import type { Reader, Ready } from '../../execution/items';
import { itemByItem } from '../../execution/items';
import type { Operation, RunContext } from '../../execution/operation';
import type { Standing } from '../../execution/itemContext';
import { ItemContext } from '../../execution/itemContext';
import { limitFields, simplifyField, websiteField } from '../../input/fields';
import { readFilter } from '../../input/filters';
import { readWebsiteId } from '../../input/identifiers';
import type { Listing } from '../../input/limit';
import { cutWords, listingReader } from '../../input/limit';
import { isItemFailure } from '../../results/apiError';
import type { ItemResult } from '../../results/itemResult';
import { foundPages, PAGE_STATUSES, simplifiedPage } from '../../service/websites';
import { isRecord } from '../../values/userError';

interface PagesTask extends Listing {
	uniqueId: string;
	/** Empty for any. */
	statuses: string[];
}

const pageStatusFilter: INodeProperties = {
	displayName: 'Status',
	name: 'pageStatuses',
	type: 'multiOptions',
	options: PAGE_STATUSES,
	default: [],
	description: 'Only pages with one of these statuses',
};

const pageFiltersField: INodeProperties = {
	displayName: 'Filters',
	name: 'pageFilters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	options: [pageStatusFilter],
};

export const getPages: Operation = {
	value: 'getPages',
	name: 'Get Pages',
	action: 'Get the pages of a website',
	description:
		'List the pages that CometChat has found on a website, and whether it was able to read them',
	fields: [websiteField, ...limitFields, simplifyField, pageFiltersField],
	output: [
		...(['name', 'status', 'uniqueId', 'reason', 'title', 'urlId', 'retryCount'] as const),
		...(['createdAt', 'updatedAt', 'lastCrawledAt'] as const),
	],
	run: itemByItem(pagesReader, (run) => ({
		perform: async (item) => await listPages(item, run),
	})),
};

function pagesReader(run: RunContext): Reader<PagesTask> {
	const websiteOf = run.parameter('website');
	const listingOf = listingReader(run.parameter);
	return (index) => {
		const uniqueId = readWebsiteId(websiteOf(index));
		const listing = listingOf(index);
		// Not by `parameter`, which reads a field, and these may come to be several.
		const statuses = readPageStatuses(run.context.getNodeParameter('pageFilters', index, {}));
		return {
			kind: 'ready',
			task: { uniqueId, ...listing, statuses },
			requested: { uniqueId },
		};
	};
}

function readPageStatuses(filters: unknown): string[] {
	if (!isRecord(filters) || !('pageStatuses' in filters)) return [];
	return readFilter(filters.pageStatuses, "The filter 'Status'", PAGE_STATUSES);
}

const PAGES_BROKEN_OFF: Standing = {
	effect: 'not applied',
	consequence: 'The list could not be read to its end.',
};

async function listPages(
	{ task: { uniqueId, limit, simple, statuses }, requested }: Ready<PagesTask>,
	run: RunContext,
): Promise<ItemResult> {
	const steps = new ItemContext(run);
	const [first, another] = statuses;
	const onCut = (isSure: boolean) => steps.remark(cutWords(limit, isSure));
	// CometChat filters by one status, if at all.
	const found = await foundPages(
		steps,
		uniqueId,
		another === undefined
			? { limit, onCut, status: first }
			: { limit, onCut, fits: ({ status = '' }) => statuses.includes(status) },
	);
	if (isItemFailure(found)) return steps.failed(found, requested, PAGES_BROKEN_OFF);
	return steps.done(simple ? found.map((page) => simplifiedPage(page, uniqueId)) : found);
}
