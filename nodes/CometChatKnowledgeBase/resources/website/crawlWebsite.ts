import type { INodeProperties } from 'n8n-workflow';

import { conflicts } from '../../fields/conflicts';
import { batchOperation } from '../../operations/batchOperation';
import type { Field, FieldGroup } from '../../fields/field';
import { choiceField, collectionField, numberField } from '../../fields/field';
import { maxIndexingOption, toAgent, waitUntilIndexed } from '../../delivery/fields';
import { UserError } from '../../text/failure';
import { quoted } from '../../text/quoting';
import { WEBSITE } from '../../text/sourceTypes';
import { readText } from '../../text/text';
import type { CrawlTask } from './crawl/crawl';
import { deliverWebsites } from './crawl/deliverWebsites';
import { containsAny, normalizeUrl, readUrl } from './crawl/url';

const url: Field<string> = {
	property: {
		displayName: 'Website URL',
		name: 'url',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. https://docs.example.com',
		description:
			'The first page to crawl. CometChat follows the links on this page, and crawls public pages only.',
	},
	read: readUrl,
	asked: (name) => ({ name }),
};

function filterField(
	displayName: string,
	name: string,
	more: Partial<INodeProperties>,
): Field<string[]> {
	return {
		property: { displayName, name, type: 'string', typeOptions: { rows: 2 }, default: '', ...more },
		read: (value) => readFilterLines(displayName, value),
	};
}

/** The maximum number of lines: more lines are a list of pages, and splitting megabytes would block n8n. */
const MOST_LINES = 1000;

/** Reads the lines of a page filter: a list of texts, or a text with commas or line breaks between them. */
export function readFilterLines(label: string, value: unknown): string[] {
	const entries: unknown[] =
		typeof value === 'string' ? value.split(/[\n,]/, MOST_LINES + 1) : [value].flat();
	if (entries.length > MOST_LINES) {
		throw new UserError(`'${label}' contains more than ${MOST_LINES} texts`, ENTER_LINES);
	}
	const texts = entries.map((entry) => readText(entry, `'${label}'`, ENTER_LINES).trim());
	const wildcard = texts.find((text) => /[*^$]/.test(text));
	if (wildcard !== undefined)
		throw new UserError(`'${label}' contains a wildcard: ${quoted(wildcard)}`, ENTER_LINES);
	const lines = new Set(texts.filter((text) => text !== ''));
	if (lines.size === 0) throw new UserError(`'${label}' is empty`, ENTER_LINES);
	return [...lines];
}

const ENTER_LINES =
	'Enter parts of URLs, one per line, for example /help/. A URL matches if it contains one of these parts.';

/** CometChat's page on crawling documents both ranges (`ScrapePagesDto`). */
const maxDepth = numberField(
	{
		displayName: 'Max Depth',
		name: 'maxDepth',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 10 },
		default: 3,
		description: "How many clicks away from 'Website URL' a page may be, up to 10",
	},
	{ menu: 'Page Limits and Filters' },
);
const maxPages = numberField(
	{
		displayName: 'Max Pages',
		name: 'maxPages',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 10_000 },
		default: 100,
		description:
			'The maximum number of pages to find, up to 10000. Your CometChat plan may allow fewer pages.',
	},
	{ menu: 'Page Limits and Filters' },
);

const pagesCollection = collectionField(
	{
		displayName: 'Page Limits and Filters',
		name: 'pages',
		placeholder: 'Add Limit or Filter',
		description:
			'Which pages to crawl. If you add nothing: up to 100 pages, up to 3 links from the URL.',
	},
	{
		include: filterField('Crawl Only URLs With', 'include', {
			placeholder: 'e.g. /help/',
			description:
				'Only pages whose URL contains one of these texts are crawled (one text per line)',
		}),
		exclude: filterField("Don't Crawl URLs With", 'exclude', {
			placeholder: 'e.g. /blog/',
			description:
				'Pages whose URL contains one of these texts are not crawled (one text per line)',
		}),
		maxDepth,
		maxPages,
	},
	'Enter a value, or remove the limit or filter.',
);

const pages: FieldGroup<CrawlTask['pages']> = {
	properties: pagesCollection.properties,
	read: async (item) => {
		const added = await pagesCollection.read(item);
		return {
			...{ maxDepth: maxDepth.ifNotSet, maxPages: maxPages.ifNotSet },
			...{ include: [], exclude: [], ...added },
		};
	},
};

const rule = choiceField({
	displayName: 'If Already Crawled',
	name: 'ifSiteExists',
	type: 'options',
	options: [
		{
			name: 'Fail',
			value: 'fail',
			description: 'The item fails, and CometChat crawls nothing',
		},
		{
			name: 'Refresh',
			value: 'refresh',
			description:
				'Crawls again. A complete new version replaces the old version, which is deleted if unused.',
		},
		{
			name: 'Skip',
			value: 'skip',
			description: "Don't crawl the website again, but add it to the agent if necessary",
		},
	],
	default: 'skip',
	description:
		"What to do if the website is already in CometChat. Choose 'Refresh' to update it on a schedule. If all pages of the last crawl failed, only these pages are tried again.",
});

const waitUntilPagesIndexed: Field<boolean> = {
	...waitUntilIndexed,
	property: {
		...waitUntilIndexed.property,
		description:
			'Whether to wait until CometChat has indexed the pages, so that an agent can answer from the website. If some pages fail, the output names up to ten of them.',
	},
};

/** CometChat's example took two minutes for a hundred pages. */
const maxCrawlMs = numberField(
	{
		displayName: 'Crawl Timeout (Minutes)',
		name: 'maxCrawlMinutes',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 60 },
		default: 15,
		description:
			'How long to wait until CometChat has found the pages. Large websites need more time.',
	},
	{ scale: 60_000 },
);

export const crawlWebsite = batchOperation({
	value: 'crawl',
	name: 'Crawl',
	action: 'Crawl website and add to agent',
	description:
		'Let CometChat find and index the pages of a website, and add the website to an agent',
	fields: { url, pages, uid: toAgent(), rule, waits: waitUntilPagesIndexed },
	options: { maxCrawlMs, maxIndexingMs: maxIndexingOption },
	output: [
		...(['name', 'action', 'success', 'uniqueId', 'sourceType', 'agentName', 'uid'] as const),
		...(['reason', 'old', 'pagesFound', 'pagesProcessed', 'pagesFailed'] as const),
		...(['pagesSkipped', 'pagesOpen', 'failedPages'] as const),
	],
	asked: () => ({ sourceType: WEBSITE }),
	check: (task) => {
		if (!containsAny(task.url, task.pages.exclude)) return;
		throw new UserError(
			"'Don't Crawl URLs With' matches 'Website URL', so CometChat would crawl no page",
			"Enter a longer text that 'Website URL' doesn't contain.",
		);
	},
	conflicts: (items) =>
		conflicts(
			items.map(({ index, task }) => {
				const { rule: ifExists, pages: limits, maxCrawlMs: crawlMs, maxIndexingMs } = task;
				const value = JSON.stringify([ifExists, limits, crawlMs, maxIndexingMs]);
				return { index, name: normalizeUrl(task.url), value };
			}),
			'have different settings for the same website',
			'Use the same settings for all items with this URL, or crawl the website in separate executions.',
		),
	runAll: deliverWebsites,
});
