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
import type { Retried } from '../../api/websites';
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
			description: 'The pages that CometChat could not read',
		},
		{ name: 'Specific Pages', value: 'ids', description: "The pages in 'Page IDs'" },
	],
	default: 'failed',
	description: 'Which pages of the website CometChat reads again',
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
		'The IDs of the pages, as Website: Get Pages returns them: one ID, several separated by commas or new lines, a list of IDs, or a list of objects with urlId',
};

const PAGES: IdsLabel = {
	label: "'Page IDs'",
	hint: "Enter the IDs of the pages, which Website: Get Pages returns as 'urlId': a list, or a text with commas or new lines between them.",
	keys: ['urlId'],
};

/** The IDs of the chosen pages; undefined for all that failed. */
const chosenPages: FieldGroup<string[] | undefined> = {
	properties: [pagesBy.property, pageIds],
	read: async (item) => {
		if (pagesBy.read(item.value('pagesBy')) === 'failed') return undefined;
		const ids = await readIds(item.value('pageIds'), PAGES, item.pause);
		if (ids.length === 0) throw new UserError("'Page IDs' is empty", PAGES.hint);
		return ids;
	},
};

const fields = { uniqueId: websitePicker, chosen: chosenPages };
type Task = ValuesOf<typeof fields>;

/** Does not wait until the pages are read: Get Pages shows their status later. */
export const retryPages = batchOperation({
	value: 'retryPages',
	name: 'Retry Pages',
	action: 'Retry pages of a website',
	description: 'Let CometChat read pages of a website again that it could not read',
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
				const reason = 'CometChat lists no page of this website that failed.';
				return [{ name, action: 'unchanged', success: true, uniqueId, reason, urlIds }];
			}
			const taken = await retryAll(item, uniqueId, urlIds);
			if (taken < urlIds.length) throw notTaken(urlIds.length - taken, urlIds.length);
			return [{ name, action: 'retried', success: true, uniqueId, urlIds }];
		};
		// Two items could send a page again while CometChat reads it.
		return await eachItem(run, items, retry, ({ uniqueId }) => uniqueId);
	},
});

/** @returns How many of the pages CometChat reads again. */
async function retryAll(item: ItemContext, uniqueId: string, urlIds: string[]): Promise<number> {
	let taken = 0;
	for (const part of chunk(urlIds, PAGES_PER_RETRY)) {
		// A page that is read twice does no harm, so the request is repeated after a lost response.
		const request = retryPagesRequest(uniqueId, part);
		const sending = item.call(request, readRetried, { about: 'pages' });
		const answer = await tapFailure(sending, (failure) => {
			if (taken === 0 && mayHaveSucceeded(failure)) item.state = UNKNOWN;
		});
		taken += countTaken(part, answer);
		if (taken > 0) item.state = partlyDone(taken, urlIds.length);
	}
	return taken;
}

const UNKNOWN: ItemState = {
	effect: 'unknown',
	detail: 'It is unknown whether CometChat reads the pages again.',
};

function partlyDone(taken: number, all: number): ItemState {
	return { effect: 'partly applied', detail: `CometChat reads ${taken} of ${all} pages again.` };
}

/** How many of some pages CometChat reads again, as far as its response says so. */
function countTaken(urlIds: string[], { processedUrls, urlsProcessed = 0 }: Retried): number {
	if (processedUrls === undefined) return Math.min(urlsProcessed, urlIds.length);
	return urlIds.filter((id) => processedUrls.includes(id)).length;
}

function notTaken(count: number, all: number): UserError {
	return new UserError(
		`CometChat does not read ${count} of ${all} pages again`,
		'Website: Get Pages shows the status of each page. A page that was excluded by a crawl is not read.',
		{ cause: 'configuration-invalid' },
	);
}
