import type { INodeProperties } from 'n8n-workflow';

import { Redaction } from '../../account/redaction';
import type { Reader } from '../../execution/items';
import type { RunContext } from '../../execution/operation';
import type { Destination } from '../../ingestion/destination';
import { destinationReader } from '../../ingestion/destination';
import type { Range } from '../../input/limit';
import { readWholeNumber } from '../../input/limit';
import type { CrawlSettings } from '../../service/websites';
import { UserError, isRecord } from '../../values/userError';
import { readAddress } from './address';
import type { Selection } from './pageSelection';
import { matchesSelection, readAddressParts } from './pageSelection';

/** What an item asks for. */
export interface CrawlTask {
	address: string;
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

export const addressField: INodeProperties = {
	displayName: 'Address',
	name: 'url',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. https://docs.example.com',
	description:
		'The page to start from; https:// is put before it if that is missing. Its links are followed. CometChat reads public pages only.',
};

/** Not under Options, which hold for all items: each website may have its own. */
export const pagesField: INodeProperties = {
	displayName: 'Pages',
	name: 'pages',
	type: 'collection',
	placeholder: 'Add Limit or Filter',
	default: {},
	description: 'Which pages of the website agents answer from. Nothing here: up to 100 pages.',
	options: [
		{
			displayName: 'Index Only Addresses With',
			name: 'match',
			type: 'string',
			typeOptions: { rows: 2 },
			default: '',
			placeholder: 'e.g. /help/',
			description:
				'Parts of addresses, one on each line: of the pages that CometChat has found, agents answer from those alone whose address contains one of them',
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
			displayName: 'Max Pages',
			name: 'maxPages',
			type: 'number',
			typeOptions: { minValue: MAX_PAGES.min, maxValue: MAX_PAGES.max },
			default: defaultPages,
			description: `How many pages to find at most, up to ${MAX_PAGES.max}. Your plan may allow fewer.`,
		},
		{
			displayName: 'No Addresses With',
			name: 'exclude',
			type: 'string',
			typeOptions: { rows: 2 },
			default: '',
			placeholder: 'e.g. /blog/',
			description:
				'Parts of addresses, one on each line: CometChat drops a page if its address contains one of them',
		},
		{
			displayName: 'Only Addresses With',
			name: 'include',
			type: 'string',
			typeOptions: { rows: 2 },
			default: '',
			placeholder: 'e.g. /help/',
			description:
				'Parts of addresses, one on each line: CometChat keeps a page only if its address contains one of them',
		},
	],
};

const SECRET = new UserError(
	"'Address' has a secret in it, such as ?key=, ?token= or ?sig=, which CometChat would keep and agents may show",
	'Give an address that anybody may read: without that part, or of another page that leads to the same ones.',
);

/** Reads `addressField`, `pagesField` and `addToAgentFields`. */
export function crawlReader(run: RunContext): Reader<CrawlTask> {
	const urlOf = run.parameter('url');
	const destinationOf = destinationReader(run);
	const redaction = new Redaction(run.account);
	return (index) => {
		const url = readAddress(urlOf(index));
		// In CometChat's list it could not be told from others: what may hold a secret is taken out of all answers.
		if (redaction.text(url) !== url) throw SECRET;
		// Not by `parameter`, which reads a field, and these are several in one.
		const given: unknown = run.context.getNodeParameter('pages', index, {});
		const pages = isRecord(given) ? given : {};
		const settings = readSettings(url, pages);
		const chosen = readChosenPages(pages);
		const destination = destinationOf(index);
		const task = { address: url, settings, chosen, destination };
		return { kind: 'ready', task, requested: { name: url } };
	};
}

function readSettings(url: string, pages: Record<string, unknown>): CrawlSettings {
	const maxPages = readWholeNumber(pages.maxPages ?? MAX_PAGES.default, MAX_PAGES);
	const maxDepth = readWholeNumber(pages.maxDepth ?? MAX_DEPTH.default, MAX_DEPTH);
	const include = readAddressParts('Only Addresses With', pages.include);
	const exclude = readAddressParts('No Addresses With', pages.exclude);
	if (!matchesSelection(url, { include: [], exclude })) {
		throw new UserError(
			"'No Addresses With' fits 'Address' itself, so that no page would be left",
			'Make the part longer, so that the address to start from does not contain it.',
		);
	}
	return { url, maxDepth, maxPages, include, exclude };
}

function readChosenPages(pages: Record<string, unknown>): Selection {
	if (!('match' in pages)) return { include: [], exclude: [] };
	const include = readAddressParts('Index Only Addresses With', pages.match);
	if (include.length > 0) return { include, exclude: [] };
	throw new UserError(
		"'Index Only Addresses With' is empty",
		'Give a part of the addresses that are wanted, or take it out of Pages to index all that are found.',
	);
}
