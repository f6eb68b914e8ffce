import type { INodeProperties } from 'n8n-workflow';

import { operation } from '../../execution/buildOperation';
import { refuseDifferent } from '../../execution/sameOptions';
import type { Field, FieldGroup } from '../../input/field';
import { choiceField, collectionField, numberField } from '../../input/field';
import { maxIndexingOption, toAgent, waitUntilIndexed } from '../../pipeline/fields';
import { ingestionRun } from '../../pipeline/ingestionRun';
import { readable, UserError } from '../../values/failure';
import { isRecord } from '../../values/json';
import { quoted } from '../../values/quoting';
import { readText } from '../../values/text';
import { comparableAddress, readAddress } from './crawl/address';
import type { CrawlTask, OfThisRun } from './crawl/crawling';
import { SiteItem } from './crawl/crawling';
import { containsAny } from './crawl/plan';
import { reconcile } from './crawl/reconcile';

const address: Field<string> = {
	property: {
		displayName: 'Address',
		name: 'url',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. https://docs.example.com',
		description:
			'The page to start from; https:// is put before it if that is missing. Its links are followed. CometChat reads public pages only.',
	},
	read: readAddress,
	asked: (name) => ({ name }),
};

function partsField(
	displayName: string,
	name: string,
	more: Partial<INodeProperties>,
): Field<string[]> {
	return {
		property: { displayName, name, type: 'string', typeOptions: { rows: 2 }, default: '', ...more },
		read: (value) => readAddressParts(displayName, value),
	};
}

/** Ours: more than that is a list of pages. A text of megabytes is not split at once. */
const MOST_ADDRESS_PARTS = 1000;

/** Reads parts of addresses: a list of texts, or a text with one on each line or between commas. */
export function readAddressParts(label: string, value: unknown): string[] {
	return readable(`'${label}'`, () => {
		const most = MOST_ADDRESS_PARTS;
		const entries: unknown[] =
			typeof value === 'string' ? value.split(/[\n,]/, most + 1) : [value].flat();
		const isShort = entries.length <= most;
		const texts = isShort
			? entries.map((entry) => readText(entry, `'${label}'`, GIVE_PARTS).trim())
			: [];
		const wildcard = texts.find((text) => /[*^$]/.test(text));
		if (isShort && wildcard === undefined) return [...new Set(texts.filter((text) => text !== ''))];
		throw new UserError(
			wildcard === undefined
				? `'${label}' is no list of up to ${most} texts`
				: `'${label}' holds a wildcard: ${quoted(wildcard)}`,
			GIVE_PARTS,
		);
	});
}

const GIVE_PARTS =
	'Give parts of addresses, one on each line, for example /help/: a page counts if its address contains one of them.';

const PARTS = 'Parts of addresses, one on each line:';

/** Both ranges by CometChat's page on crawling (`ScrapePagesDto`). */
const maxDepth = numberField(
	{
		displayName: 'Max Depth',
		name: 'maxDepth',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 10 },
		default: 3,
		description: 'How many links away from Address a page may be, up to 10',
	},
	{ menu: 'Pages' },
);
const maxPages = numberField(
	{
		displayName: 'Max Pages',
		name: 'maxPages',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 10_000 },
		default: 100,
		description: 'How many pages to find at most, up to 10000. Your plan may allow fewer.',
	},
	{ menu: 'Pages' },
);

/** In the order in which n8n shows them. */
const pagesCollection = collectionField(
	{
		displayName: 'Pages',
		name: 'pages',
		placeholder: 'Add Limit or Filter',
		description: 'Which pages of the website agents answer from. Nothing here: up to 100 pages.',
	},
	{
		match: partsField('Index Only Addresses With', 'match', {
			placeholder: 'e.g. /help/',
			description: `${PARTS} of the pages that CometChat has found, agents answer from those alone whose address contains one of them`,
		}),
		maxDepth,
		maxPages,
		exclude: partsField('No Addresses With', 'exclude', {
			placeholder: 'e.g. /blog/',
			description: `${PARTS} CometChat drops a page if its address contains one of them`,
		}),
		include: partsField('Only Addresses With', 'include', {
			placeholder: 'e.g. /help/',
			description: `${PARTS} CometChat keeps a page only if its address contains one of them`,
		}),
	},
);

const pages: FieldGroup<CrawlTask['pages']> = {
	properties: pagesCollection.properties,
	read: async (item) => {
		const added = await pagesCollection.read(item);
		const collection = item.value('pages');
		if (isRecord(collection) && 'match' in collection && !added.match?.length) {
			throw new UserError(
				"'Index Only Addresses With' is empty",
				'Give a part of the addresses that are wanted, or take it out of Pages to index all that are found.',
			);
		}
		return {
			...{ maxDepth: maxDepth.ifNotSet, maxPages: maxPages.ifNotSet },
			...{ include: [], exclude: [], match: [], ...added },
		};
	},
};

/** A website that is to be crawled and is there already. */
const ifThere = choiceField({
	displayName: 'If the Site Is There',
	name: 'ifSiteExists',
	type: 'options',
	options: [
		{
			name: 'Fail',
			value: 'fail',
			description: 'The item fails, and its error names the website that is there',
		},
		{
			name: 'Refresh',
			value: 'refresh',
			description: 'It is crawled again, and the agent has it as it is now',
		},
		{
			name: 'Skip',
			value: 'skip',
			description: 'It is not crawled again; the agent gets it if it lacks it',
		},
	],
	default: 'skip',
	description:
		'What to do with a website that is in CometChat already, with all of its pages read. One that is not finished is gone on with in any case.',
});

/** The example of CometChat's pages took two minutes for a hundred pages; a thousand take longer. */
const maxCrawlMs = numberField(
	{
		displayName: 'Max Crawl Time (Minutes)',
		name: 'maxCrawlMinutes',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 60 },
		default: 15,
		description: 'Raise it for large sites. How long CometChat may take to find the pages.',
	},
	{ scale: 60_000 },
);

export const crawlWebsite = operation({
	value: 'crawl',
	name: 'Crawl',
	action: 'Crawl a website',
	description:
		'Let CometChat find the pages of a website and index them, and let an agent answer from them',
	fields: { address, uid: toAgent(), waits: waitUntilIndexed, pages },
	options: { ifThere, maxCrawlMs, maxIndexingMs: maxIndexingOption },
	output: [
		...(['name', 'action', 'success', 'uniqueId', 'sourceType', 'uid', 'reason', 'old'] as const),
		...(['pagesFound', 'pagesProcessed', 'pagesFailed', 'pagesSkipped', 'pagesOpen'] as const),
		'failedPages',
	],
	shared: (itemRun) => {
		const ofThisRun: OfThisRun = new Map();
		return { run: ingestionRun(itemRun), ofThisRun };
	},
	together: (items) =>
		refuseDifferent(items, {
			namedBy: (task) => [comparableAddress(task.address)],
			noun: 'website',
			options: { ifThere, maxCrawlMs },
		}),
	// The second finds what the first has crawled.
	order: (task) => [comparableAddress(task.address)],
	check: (task) => {
		if (!containsAny(task.address, task.pages.exclude)) return;
		throw new UserError(
			"'No Addresses With' fits 'Address' itself, so that no page would be left",
			'Make the part longer, so that the address to start from does not contain it.',
		);
	},
	run: async (task, item, { run, ofThisRun }) => {
		const row = await reconcile(new SiteItem(run, ofThisRun, task, item));
		if (task.uid === undefined) item.remark(SITE_WITHOUT_AGENT);
		return row;
	},
});

const SITE_WITHOUT_AGENT =
	"No agent answers from the website yet: switch on 'Add to Agent', or use its ID in Add Files with Source Type 'Website'";
