import type { INodeProperties } from 'n8n-workflow';

import { chunk } from '../../api/apiClient';
import { Snapshot } from '../../delivery/snapshot';
import { batchOperation } from '../../operations/batchOperation';
import { eachItem } from '../../operations/eachItem';
import type { ItemContext } from '../../operations/itemContext';
import type { Item } from '../../operations/readItems';
import type { FieldGroup, ValuesOf } from '../../fields/field';
import { choiceField } from '../../fields/field';
import { websitePicker } from '../../fields/fields';
import type { IdsLabel } from '../../fields/ids';
import { readIds } from '../../fields/ids';
import type { ItemState } from '../../output/itemResult';
import { FAILED } from '../../api/documents';
import { foundPages, PAGES_PER_RETRY, readRetried, retryPagesRequest } from '../../api/websites';
import { mayHaveSucceeded, tapFailure, UserError } from '../../text/failure';

const pagesBy = choiceField({
	displayName: 'Pages to Retry',
	name: 'pagesBy',
	type: 'options',
	options: [
		{
			name: 'All Failed Pages',
			value: 'failed',
			description: "The pages that CometChat couldn't index",
		},
		{ name: 'Specific Pages', value: 'ids', description: "The pages in 'Page IDs'" },
	],
	default: 'failed',
	description: 'Which pages of the website to index again',
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
	hint: "Enter one or more 'urlId' values from 'Website: Get Pages'",
	description:
		"The IDs of the pages, separated by commas or line breaks. An expression can also return a list of IDs, or whole items from 'Website: Get Pages'.",
};

const PAGES: IdsLabel = {
	label: "'Page IDs'",
	hint: "Enter the IDs of the pages, separated by commas or line breaks. 'Website: Get Pages' returns each ID as 'urlId'.",
	keys: ['urlId'],
};

/** The IDs of the chosen pages; undefined for all that failed. */
const chosenPages: FieldGroup<string[] | undefined> = {
	properties: [pagesBy.property, pageIds],
	read: (item) => {
		if (pagesBy.read(item.value('pagesBy')) === 'failed') return undefined;
		const ids = readIds(item.value('pageIds'), PAGES);
		if (ids.length === 0) throw new UserError("'Page IDs' is empty", PAGES.hint);
		return ids;
	},
};

const fields = { uniqueId: websitePicker, chosen: chosenPages };
type Task = ValuesOf<typeof fields>;

/** A note above the output: green does not mean that the pages are indexed. */
const SEE_PAGES =
	"CometChat started to index the pages. To see the result later, use 'Website: Get Pages'";

/** Doesn't wait until the pages are indexed: Get Pages shows their status later. */
export const retryPages = batchOperation({
	value: 'retryPages',
	name: 'Retry Pages',
	action: 'Retry website pages',
	description: 'Index failed pages of a website again',
	fields,
	output: ['name', 'action', 'success', 'uniqueId', 'reason', 'urlIds'],
	runAll: async (items, run) => {
		const snapshot = new Snapshot(run);
		await snapshot.readDocuments(items.map(({ task }) => task.uniqueId));
		const retry = async ({ task: { uniqueId, chosen } }: Item<Task>, item: ItemContext) => {
			const name = snapshot.records.withId(uniqueId)?.sourceName;
			const failed = chosen ? [] : await foundPages(item, uniqueId, { statuses: [FAILED] });
			const urlIds = chosen ?? failed.map(({ urlId }) => urlId);
			if (urlIds.length === 0) {
				const reason = 'CometChat lists no failed page for this website.';
				return [{ name, action: 'unchanged', success: true, uniqueId, reason, urlIds }];
			}
			const accepted = await retryAll(item, uniqueId, urlIds);
			if (accepted < urlIds.length) throw notAccepted(urlIds.length - accepted, urlIds.length);
			item.remark(SEE_PAGES);
			return [{ name, action: 'retried', success: true, uniqueId, urlIds }];
		};
		// Two items could send a page again while CometChat indexes it.
		return await eachItem(run, items, retry, ({ uniqueId }) => uniqueId);
	},
});

/** @returns How many of the pages CometChat indexes again. */
async function retryAll(item: ItemContext, uniqueId: string, urlIds: string[]): Promise<number> {
	let accepted = 0;
	for (const part of chunk(urlIds, PAGES_PER_RETRY)) {
		// Indexing a page twice does no harm, so the request is repeated after a lost response.
		const request = retryPagesRequest(uniqueId, part);
		const sending = item.call(request, readRetried, { about: 'pages' });
		accepted += await tapFailure(sending, (failure) => {
			if (accepted === 0 && mayHaveSucceeded(failure)) item.state = UNKNOWN;
		});
		if (accepted > 0) item.state = partlyDone(accepted, urlIds.length);
	}
	return accepted;
}

const UNKNOWN: ItemState = {
	effect: 'unknown',
	detail: "CometChat didn't confirm that it indexes the pages again.",
};

function partlyDone(accepted: number, all: number): ItemState {
	return {
		effect: 'partly applied',
		detail: `CometChat indexes ${accepted} of ${all} pages again.`,
	};
}

function notAccepted(count: number, all: number): UserError {
	return new UserError(
		`CometChat won't index ${count} of ${all} pages again`,
		"Check the status of the pages with 'Website: Get Pages'. Pages that a crawl excluded can't be indexed again.",
		{ cause: 'configuration-invalid' },
	);
}
