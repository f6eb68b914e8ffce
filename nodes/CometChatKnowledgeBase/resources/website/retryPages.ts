import type { INodeProperties } from 'n8n-workflow';

import { inParts } from '../../api/apiClient';
import { operation } from '../../execution/buildOperation';
import type { ItemContext } from '../../execution/itemContext';
import { changing } from '../../execution/itemContext';
import type { FieldGroup } from '../../input/field';
import { choiceField } from '../../input/field';
import { websitePicker } from '../../input/fields';
import type { IdsLabel } from '../../input/ids';
import { readIds } from '../../input/ids';
import { Inventory, describedBy, lookFor } from '../../inventory/inventory';
import type { ItemState } from '../../results/itemResult';
import { FAILED } from '../../service/documents';
import type { Retried } from '../../service/websites';
import { foundPages, readRetried, retryPagesRequest } from '../../service/websites';
import type { Failure } from '../../values/failure';
import { UserError, caught, isFailure } from '../../values/failure';
import { listed } from '../../values/quoting';
import { MOST_FAILED_NAMED } from './crawl/plan';

const pagesBy = choiceField({
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
});

const pageIds: INodeProperties = {
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

const PAGES: IdsLabel = {
	label: "'Page IDs'",
	hint: "Give the IDs of the pages, as Website: Get Pages gives them as 'urlId': a list, or a text with commas or new lines between them.",
	keys: ['urlId'],
};

/** A page to be read again. */
interface Page {
	urlId: string;
	/** As a person calls it: its address, or the ID that was given. */
	url: string;
}

/** Which pages; undefined for all that failed. */
const chosenPages: FieldGroup<Page[] | undefined> = {
	properties: [pagesBy.property, pageIds],
	read: async (item) => {
		if (pagesBy.read(item.value('pagesBy')) === 'failed') return undefined;
		const ids = await readIds(item.value('pageIds'), PAGES, item.pause);
		if (ids.length === 0) throw new UserError("'Page IDs' is empty", PAGES.hint);
		return ids.map((id) => ({ urlId: id, url: id }));
	},
};

/** Does not wait for the end: CometChat reads the pages later, and Get Pages tells what became of them. */
export const retryPages = operation({
	value: 'retryPages',
	name: 'Retry Pages',
	action: 'Retry pages of a website',
	description: 'Let CometChat read pages of a website again that it was not able to read',
	fields: { uniqueId: websitePicker, chosen: chosenPages },
	output: ['name', 'action', 'success', 'uniqueId', 'reason', 'failedPages', 'urlIds'],
	shared: (run) => new Inventory(run),
	// What becomes of a page that is to be read while it is read is not documented.
	order: ({ uniqueId }) => [uniqueId],
	run: async ({ uniqueId, chosen }, item, inventory) => {
		await lookFor(inventory, [uniqueId]);
		const { name } = describedBy(inventory, uniqueId);
		const pages = chosen ?? (await foundPages(item, uniqueId, { statuses: [FAILED] }));
		if (pages.length === 0) {
			const reason = 'CometChat lists no page of this website that failed.';
			return { name, action: 'unchanged', success: true, uniqueId, reason, urlIds: [] };
		}
		const { failure, taken, urlIds, remaining } = await sendPages(item, uniqueId, pages);
		if (failure === undefined && taken === pages.length) {
			return { name, action: 'retried', success: true, uniqueId, urlIds };
		}
		item.shown = { name, action: taken > 0 ? 'retried' : 'failed', urlIds };
		const names = remaining.map(({ url }) => url);
		if (names.length > 0) item.shown.failedPages = names.slice(0, MOST_FAILED_NAMED);
		if (taken > 0) item.state = partlySent(taken, pages.length);
		throw failure ?? notTakenUp(pages.length - taken, pages.length, names);
	},
});

function partlySent(taken: number, all: number): ItemState {
	const were = taken === 1 ? 'was' : 'were';
	const detail = `Of ${all} pages, ${taken} ${were} sent to be read again.`;
	return { effect: 'partly applied', detail };
}

/** Ours: no maximum is documented. */
const PAGES_PER_REQUEST = 100;

const IF_NOT_SENT = {
	not: 'No page is read again.',
	unknown: 'It is not known whether the pages are read again.',
};

/** What came of the pages of an item. */
interface SentPages {
	/** What ended it before all of them were sent. */
	failure?: Failure;
	/** How many CometChat has taken up. */
	taken: number;
	/** The IDs of those, as far as it says which. */
	urlIds: string[];
	/** Those that it has not, as far as it says which. */
	remaining: Page[];
}

/** Sent again after a lost answer: a page that is read twice is there once all the same. */
async function sendPages(item: ItemContext, uniqueId: string, pages: Page[]): Promise<SentPages> {
	const outcome: SentPages = { taken: 0, urlIds: [], remaining: [] };
	for (const part of inParts(pages, PAGES_PER_REQUEST)) {
		const urlIds = part.map(({ urlId }) => urlId);
		const request = retryPagesRequest(uniqueId, urlIds);
		const sending = item.call(request, readRetried, { about: 'pages' });
		const answer = await caught(changing(item, sending, IF_NOT_SENT));
		if (isFailure(answer)) return { ...outcome, failure: answer };
		const tookUp = takenUp(part, answer);
		outcome.taken += tookUp.taken;
		outcome.urlIds.push(...tookUp.urlIds);
		outcome.remaining.push(...tookUp.remaining);
	}
	return outcome;
}

/** Only what the answer says: by name where it names any of those that were sent, otherwise by number. */
function takenUp(pages: Page[], { processedUrls = [], urlsProcessed = 0 }: Retried): SentPages {
	const isTaken = ({ urlId }: Page) => processedUrls.includes(urlId);
	const isNamed = urlsProcessed === 0 || pages.some(isTaken);
	const isAll = !isNamed && urlsProcessed >= pages.length;
	const named = pages.filter((page) => isAll || isTaken(page));
	return {
		taken: isNamed ? named.length : Math.min(urlsProcessed, pages.length),
		urlIds: named.map(({ urlId }) => urlId),
		remaining: isNamed ? pages.filter((page) => !isTaken(page)) : [],
	};
}

function notTakenUp(count: number, all: number, names: string[]): UserError {
	return new UserError(
		`CometChat did not take up ${count} of ${all} pages`,
		'Website: Get Pages shows their status: a page that was left out when the website was indexed is not read.',
		{
			detail: names.length > 0 ? `Not taken up: ${listed(names)}.` : 'It does not say which.',
			cause: 'configuration-invalid',
		},
	);
}
