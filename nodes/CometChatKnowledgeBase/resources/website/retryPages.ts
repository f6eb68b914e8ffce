import type { INodeProperties } from 'n8n-workflow';

import type { Reader, Ready } from '../../execution/items';
import { itemByItem } from '../../execution/items';
import type { Operation, RunContext } from '../../execution/operation';
import type { Standing } from '../../execution/itemContext';
import { NOTHING_CHANGED, ItemContext } from '../../execution/itemContext';
import { Inventory } from '../../ingestion/inventory';
import { describedBy, lookFor } from '../../ingestion/lookUp';
import { websiteField } from '../../input/fields';
import { readWebsiteId } from '../../input/identifiers';
import type { ItemFailure } from '../../results/apiError';
import { explainedBy, isItemFailure, mayBeDone, ApiError } from '../../results/apiError';
import type { ItemResult } from '../../results/itemResult';
import { explainUnknownPages } from '../../results/messages';
import { FAILED } from '../../service/statuses';
import type { Retried } from '../../service/websites';
import { foundPages, readRetried, retryPagesRequest } from '../../service/websites';
import { readChoice } from '../../values/switches';
import { UserError } from '../../values/userError';
import { MOST_FAILED_NAMED } from './pageCounts';
import { readPageIds } from './pageIds';
import { listed } from '../../values/quoting';
import { attempt } from '../../service/apiClient';

interface RetryTask {
	uniqueId: string;
	/** Never none; undefined for all that failed. */
	chosen?: string[];
}

/** A page that is to be read again. */
interface AskedPage {
	urlId: string;
	/** Undefined as long as nobody has asked for it. */
	url?: string;
}

const pagesField: INodeProperties = {
	displayName: 'Pages',
	name: 'pagesBy',
	type: 'options',
	options: [
		{
			name: 'All That Failed',
			value: 'failed',
			description: 'Those that CometChat was not able to read',
		},
		{ name: 'Chosen', value: 'ids', description: 'Those that Page IDs names' },
	],
	default: 'failed',
	description: 'Which pages of the website are to be read again',
};

const pageIdsField: INodeProperties = {
	displayName: 'Page IDs',
	name: 'pageIds',
	displayOptions: { show: { pagesBy: ['ids'] } },
	type: 'string',
	typeOptions: { rows: 3 },
	required: true,
	default: '',
	placeholder: 'e.g. 550e8400-e29b-41d4-a716-446655440000',
	hint: 'Drag in urlId of Website: Get Pages, or type IDs: separated by commas or new lines',
	description:
		'The IDs of the pages, as Website: Get Pages gives them: one ID, several separated by commas or new lines, a list of IDs, or a list of objects that have it as urlId',
};

/** Does not wait for the end: CometChat reads the pages later, and Get Pages tells what became of them. */
export const retryPages: Operation = {
	value: 'retryPages',
	name: 'Retry Pages',
	action: 'Retry pages of a website',
	description: 'Let CometChat read pages of a website again that it was not able to read',
	fields: [websiteField, pagesField, pageIdsField],
	output: ['name', 'action', 'success', 'uniqueId', 'reason', 'failedPages', 'urlIds'],
	run: itemByItem(retryReader, (run) => {
		const inventory = new Inventory(run);
		return {
			perform: async (item) => {
				await lookFor(new ItemContext(run), inventory, [item.task.uniqueId]);
				return await retryAll(item, run, describedBy(inventory, item.task.uniqueId).name);
			},
			// What becomes of a page that is to be read while it is read is not documented.
			keysOf: async ({ task: { uniqueId } }) => [uniqueId],
		};
	}),
};

function retryReader(run: RunContext): Reader<RetryTask> {
	const websiteOf = run.parameter('website');
	const pagesBy = run.parameter('pagesBy');
	const pageIdsOf = run.parameter('pageIds');
	return (index) => {
		const uniqueId = readWebsiteId(websiteOf(index));
		const by = readChoice(pagesBy(index), 'Pages', ['failed', 'ids']);
		const chosen = by === 'ids' ? readPageIds(pageIdsOf(index)) : undefined;
		return { kind: 'ready', task: { uniqueId, chosen }, requested: { uniqueId } };
	};
}

async function retryAll(
	{ task: { uniqueId, chosen }, requested }: Ready<RetryTask>,
	run: RunContext,
	name?: string,
): Promise<ItemResult> {
	const steps = new ItemContext(run);
	const pages = chosen
		? chosen.map((urlId): AskedPage => ({ urlId }))
		: await foundPages(steps, uniqueId, { status: FAILED });
	if (isItemFailure(pages)) return steps.failed(pages, requested, NOTHING_CHANGED);
	if (pages.length === 0) {
		const reason = 'CometChat lists no page of this website that failed.';
		return steps.done([{ name, action: 'unchanged', success: true, uniqueId, reason, urlIds: [] }]);
	}
	const { failure, taken, urlIds, left } = await sendPages(steps, uniqueId, pages);
	if (failure === undefined && taken === pages.length) {
		return steps.done([{ name, action: 'retried', success: true, uniqueId, urlIds }]);
	}
	const named = failure ? left : await withAddresses(steps, uniqueId, left);
	const failedPages = named.slice(0, MOST_FAILED_NAMED).map(({ urlId, url = urlId }) => url);
	const told = { urlIds, ...(named.length > 0 && { failedPages }) };
	return steps.failed(
		failure ?? notTakenUp(pages.length - taken, pages.length, named),
		{ name, action: taken > 0 ? 'retried' : 'failed', ...requested, ...told },
		standingOf(taken, pages.length, failure),
	);
}

function standingOf(taken: number, all: number, failure: ItemFailure | undefined): Standing {
	if (taken > 0) {
		const were = taken === 1 ? 'was' : 'were';
		const consequence = `Of ${all} pages, ${taken} ${were} sent to be read again.`;
		return { effect: 'partly applied', consequence };
	}
	return failure && mayBeDone(failure)
		? { effect: 'unknown', consequence: 'It is not known whether the pages are read again.' }
		: { effect: 'not applied', consequence: 'No page is read again.' };
}

/** Ours: no maximum is documented. */
const PAGES_PER_REQUEST = 100;

/** What came of the pages of an item. */
interface Outcome {
	/** What ended it before all of them were sent. */
	failure?: ApiError;
	/** How many CometChat has taken up. */
	taken: number;
	/** Those, as far as it says which. */
	urlIds: string[];
	/** Those that it has not, as far as it says which. */
	left: AskedPage[];
}

/** Sent again after a lost answer: a page that is read twice is there once all the same. */
async function sendPages(
	steps: ItemContext,
	uniqueId: string,
	pages: AskedPage[],
): Promise<Outcome> {
	const outcome: Outcome = { taken: 0, urlIds: [], left: [] };
	for (let from = 0; from < pages.length; from += PAGES_PER_REQUEST) {
		const part = pages.slice(from, from + PAGES_PER_REQUEST);
		const request = retryPagesRequest(
			uniqueId,
			part.map(({ urlId }) => urlId),
		);
		const answer = explainedBy(explainUnknownPages, await attempt(steps, request, readRetried));
		if (answer instanceof ApiError) return { ...outcome, failure: answer };
		const { taken, urlIds, left } = tookUp(part, answer);
		outcome.taken += taken;
		outcome.urlIds.push(...urlIds);
		outcome.left.push(...left);
	}
	return outcome;
}

/** By name where it names any of those that were sent, otherwise by number. */
function tookUp(sent: AskedPage[], { takenIds = [], taken, excluded = 0 }: Retried): Outcome {
	const ids = sent.map(({ urlId }) => urlId);
	const urlIds = ids.filter((id) => takenIds.includes(id));
	const left = sent.filter(({ urlId }) => !urlIds.includes(urlId));
	if (urlIds.length > 0) return { taken: urlIds.length, urlIds, left };
	const count = Math.min(taken ?? sent.length - excluded, sent.length);
	if (count <= 0) return { taken: 0, urlIds, left };
	return { taken: count, urlIds: count === sent.length ? ids : [], left: [] };
}

/** With what the list calls them; without the list they have their IDs. */
async function withAddresses(
	steps: ItemContext,
	uniqueId: string,
	pages: AskedPage[],
): Promise<AskedPage[]> {
	const unnamed = new Set<string>(pages.flatMap(({ urlId, url }) => (url ? [] : [urlId])));
	if (unnamed.size === 0) return pages;
	const fits = ({ urlId }: AskedPage) => unnamed.has(urlId);
	const found = await foundPages(steps, uniqueId, { fits, limit: unnamed.size });
	if (isItemFailure(found)) return pages;
	const urls = new Map<string, string>(found.map(({ urlId, url }) => [urlId, url]));
	return pages.map((page) => ({ ...page, url: page.url ?? urls.get(page.urlId) }));
}

function notTakenUp(count: number, all: number, named: AskedPage[]): UserError {
	const names = listed(named.map(({ urlId, url = urlId }) => url));
	return new UserError(
		`CometChat did not take up ${count} of ${all} pages`,
		'Website: Get Pages shows their status: a page that was left out when the website was indexed is not read.',
		{
			said: named.length > 0 ? `Not taken up: ${names}.` : 'It does not say which.',
			cause: 'configuration-invalid',
		},
	);
}
