import type { INodeProperties } from 'n8n-workflow';

import type { Reader } from '../../execution/items';
import type { RunContext } from '../../execution/operation';
import type { Destination } from '../../ingestion/destination';
import { destinationReader } from '../../ingestion/destination';
import type { Range } from '../../input/limit';
import { readWholeNumber } from '../../input/limit';
import type { CrawlSettings } from '../../service/websites';
import type { Shown } from '../../values/shown';
import { readChoice } from '../../values/switches';
import { ValidationIssue } from '../../values/validationIssue';
import { readAddress } from './address';
import type { Selection } from './pageSelection';
import { matchesSelection, readAddressParts } from './pageSelection';

/** What an item asks for. */
export interface CrawlTask {
	address: Shown;
	/** As CometChat takes them. */
	settings: CrawlSettings;
	/** Which of the pages that are found are to be indexed. */
	chosen: Selection;
	destination: Destination;
}

/** Both by CometChat's page on crawling (`ScrapePagesDto`). */
const MAX_DEPTH: Range = { label: 'Max Depth', min: 1, max: 10, default: 3 };
const MAX_PAGES: Range = { label: 'Max Pages', min: 1, max: 10_000, default: 100 };

// Names of their own: n8n's lint takes `default: range.default` for a missing default.
const { default: defaultDepth } = MAX_DEPTH;
const { default: defaultPages } = MAX_PAGES;

export const crawlFields: INodeProperties[] = [
	{
		displayName: 'Address',
		name: 'url',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. https://docs.example.com',
		description:
			'The page to start from; https:// is put before it if that is missing. Its links are followed. CometChat reads public pages only.',
	},
	{
		displayName: 'Max Pages',
		name: 'maxPages',
		type: 'number',
		typeOptions: { minValue: MAX_PAGES.min, maxValue: MAX_PAGES.max },
		default: defaultPages,
		description: `How many pages to find at most, up to ${MAX_PAGES.max}. Your plan may allow fewer.`,
	},
	{
		displayName: 'Max Depth',
		name: 'maxDepth',
		type: 'number',
		typeOptions: { minValue: MAX_DEPTH.min, maxValue: MAX_DEPTH.max },
		default: defaultDepth,
		description: `How many links away from Address a page may be, up to ${MAX_DEPTH.max}`,
	},
	{
		displayName: 'Only Addresses With',
		name: 'include',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		placeholder: 'e.g. /help/',
		description:
			'Optional. Parts of addresses, one on each line: CometChat keeps a page only if its address contains one of them.',
	},
	{
		displayName: 'No Addresses With',
		name: 'exclude',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		placeholder: 'e.g. /blog/',
		description:
			'Optional. Parts of addresses, one on each line: CometChat drops a page if its address contains one of them.',
	},
	{
		displayName: 'Pages to Index',
		name: 'pagesToIndex',
		type: 'options',
		options: [
			{
				name: 'All That Are Found',
				value: 'all',
				description: 'Agents answer from every page that CometChat finds',
			},
			{
				name: 'Only Those That Match',
				value: 'matching',
				description: 'Of the pages that are found, those with a certain part in their address',
			},
		],
		default: 'all',
		description: 'From which of the pages agents answer',
	},
	{
		displayName: 'Addresses With',
		name: 'match',
		type: 'string',
		typeOptions: { rows: 2 },
		required: true,
		displayOptions: { show: { pagesToIndex: ['matching'] } },
		default: '',
		placeholder: 'e.g. /help/',
		description:
			'Parts of addresses, one on each line: a page is indexed only if its address contains one of them',
	},
];

/** Reads `crawlFields` and `addToAgentFields`. */
export function crawlReader(run: RunContext): Reader<CrawlTask> {
	const settingsOf = settingsReader(run);
	const choiceOf = run.parameter('pagesToIndex');
	const matchOf = run.parameter('match');
	const destinationOf = destinationReader(run);
	return (index) => {
		const settings = settingsOf(index);
		if (settings instanceof ValidationIssue) return settings;
		const chosen = readChosenPages(choiceOf(index), () => matchOf(index));
		if (chosen instanceof ValidationIssue) return chosen;
		const destination = destinationOf(index);
		if (destination instanceof ValidationIssue) return destination;
		const { url } = settings;
		const task = { address: url, settings, chosen, destination };
		return { kind: 'ready', task, requested: { url } };
	};
}

function settingsReader(run: RunContext): (index: number) => CrawlSettings | ValidationIssue {
	const urlOf = run.parameter('url');
	const depthOf = run.parameter('maxDepth');
	const pagesOf = run.parameter('maxPages');
	const includeOf = run.parameter('include');
	const excludeOf = run.parameter('exclude');
	return (index) => {
		const url = readAddress(urlOf(index));
		if (url instanceof ValidationIssue) return url;
		const maxPages = readWholeNumber(pagesOf(index), MAX_PAGES);
		if (maxPages instanceof ValidationIssue) return maxPages;
		const maxDepth = readWholeNumber(depthOf(index), MAX_DEPTH);
		if (maxDepth instanceof ValidationIssue) return maxDepth;
		const include = readAddressParts('Only Addresses With', includeOf(index));
		if (include instanceof ValidationIssue) return include;
		const exclude = readAddressParts('No Addresses With', excludeOf(index));
		if (exclude instanceof ValidationIssue) return exclude;
		if (!matchesSelection(url, { include: [], exclude })) {
			return new ValidationIssue(
				"'No Addresses With' fits 'Address' itself, so that no page would be left",
				'Make the part longer, so that the address to start from does not contain it.',
			);
		}
		// Only to compare the parts with: it is a list that may be long.
		const fetchSitemap = include.length > 0 || exclude.length > 0;
		return { url, maxDepth, maxPages, include, exclude, fetchSitemap };
	};
}

function readChosenPages(choice: unknown, match: () => unknown): Selection | ValidationIssue {
	const pages = readChoice(choice, 'Pages to Index', ['all', 'matching']);
	if (pages instanceof ValidationIssue) return pages;
	if (pages === 'all') return { include: [], exclude: [] };
	const include = readAddressParts('Addresses With', match());
	if (include instanceof ValidationIssue) return include;
	if (include.length > 0) return { include, exclude: [] };
	return new ValidationIssue(
		"'Addresses With' is empty",
		'Give a part of the addresses that are wanted, or set Pages to Index to All That Are Found.',
	);
}
