/**
 * What the reference says beside the node's own words: what each operation gives. (To be made from the
 * schemas of the outputs, once there are any.)
 */
export const OPENING = `# Reference

Made from what the node shows, by \`npx tsx docs/reference.mts\`. [How it behaves](behaviour.md) tells the rest.

An operation gives one item for each input item, linked to it, unless its section says otherwise. A field is \`null\` where an item has nothing for it. Behind a field stands its default. Options hold for a whole run: an expression in them is read for the first item.

n8n adds one more operation, _Custom API Call_. It leads to the HTTP Request node.`;

const DOCUMENTS =
	'one item for each document, newest first: `name`, `sourceType`, `status`, `uniqueId`, `createdAt`, `updatedAt`; with _Show Agents_ also `agents` (`null`, with a `reason`, where CometChat does not tell) and `agentIds`. Without _Simplify_: what CometChat gives.';
const CONTENT =
	'`name`, `text`, `characters`, `pages`, `sourceType`, `uniqueId`; `isCut` where _Max Characters_ has cut it, and `reason` if there is something to know, such as a scan without text. By page: an item for each, with its number in `page`.';
const CHANGE = '`success`, `operation`, `uid`, `sourceType`, `uniqueIds`.';
const DELETED = '`deleted`, `uniqueIds`; `alreadyGone` with _Count as Deleted_.';
const AGENT =
	'`name`, `uid`, `isActive`, `description`, `model`, `files`, `websites`, `createdAt`, `updatedAt`. Without _Simplify_: what CometChat gives.';
const STATUS =
	"`name`, `status` (CometChat's, or `notFound`), `isReady`, `uniqueId`, and `advice` where there is something to do.";
const RETRIED =
	'`success`, `uniqueIds`. It does not wait for the end: ask with _Get Status_ later.';

export const OUTPUTS: Record<string, string> = {
	'Document: Upload':
		'`fileName`, `addedToAgent`, `success`, `uid`, `status` if it has waited, `uniqueIds`, and `uploads` with `uniqueId`, `fileName` and `status` of each file. Where it applies: `replaced`, `notDeleted` with the reason, `skipped`, `unfinished`.',
	'Document: Get Many': DOCUMENTS,
	'Document: Get Content': `${CONTENT} And \`status\`, unless you pick _Source Type_.`,
	'Document: Get Status': `one item for each file: ${STATUS}`,
	'Document: Retry Indexing': RETRIED,
	'Document: Delete': DELETED,
	"Agent's Knowledge Base: Add Files": `${CHANGE} [What File IDs takes](behaviour.md#what-may-stand-in-file-ids).`,
	"Agent's Knowledge Base: Remove Files": CHANGE,
	"Agent's Knowledge Base: Replace File":
		'`fileName`, `success`, `uid`, `newId`, `oldId` (`oldIds` for several), and `reached`: which of _uploaded, indexed, added, removed, deleted_ it has come through. `notDeleted` says why the old version is kept.',
	"Agent's Knowledge Base: Sync Files":
		'one item for each file: `action`, `fileName`, `reason`, `agentName`, `status`, `success`, `uid`, `uniqueId`, `oldId`, `notDeleted`. `action` is `added`, `replaced`, `unchanged`, `skipped` (a type that CometChat does not take) or `failed`; `missing` and `removed` come without an input item. Each item of a dry run has `dryRun`, and `would be added` in place of `added`. [When a file counts as gone](behaviour.md#when-does-a-file-count-as-gone).',
	"Agent's Knowledge Base: Get Many":
		'one item for each document: `name`, `sourceType`, `status`, `createdAt`, `updatedAt`, `uniqueId`, `agentName`, `uid`. `status` is `notFound` for an ID that CometChat does not list, and `notTold`, with a `reason`, where it does not tell.',
	'Text: Create':
		'`title`, `addedToAgent`, `success`, `uniqueId`, `status`, `uid`, `replaced`, `skipped`.',
	'Text: Create or Update':
		'`name`, `action` (`created`, `updated` or `unchanged`), `success`, `status`, `uniqueId`, `uid`.',
	'Text: Get':
		'`name`, `status`, `uniqueId`, `text`, `createdAt`, `updatedAt`. Without _Simplify_: what CometChat gives.',
	'Text: Update':
		'`name`, `action`, `success`, `status`, `uniqueId`, `uid`, `updatedFields` (`title`, `text` or both).',
	'Website: Crawl':
		'`name` (the address), `action` (`crawled`, `continued`, `refreshed`; of one that was not crawled `added` if the agent was given it, otherwise `skipped`, with a `reason`), `success`, `uniqueId`, `uid`, `old` (the website that was there before, where the crawl has made another), `pagesFound`, `pagesProcessed`, `pagesFailed`, `pagesSkipped`, `pagesOpen`, `failedPages` (the addresses of up to ten). [What a crawl does](behaviour.md#what-does-a-crawl-do).',
	'Website: Add to Agent': CHANGE,
	'Website: Remove From Agent': CHANGE,
	'Website: Get Many': DOCUMENTS,
	'Website: Get Pages':
		'one item for each page, newest first: `name` (its address), `status`, `uniqueId` (of the website), `reason` if it has failed, `title`, `urlId`, `retryCount`, `createdAt`, `updatedAt`, `lastCrawledAt`. Without _Simplify_: what CometChat gives.',
	'Website: Retry Pages':
		'`action` (`retried` or `unchanged`), `success`, `uniqueId`, `urlIds` (the pages that are read again), with nothing to retry a `reason`; in an error `failedPages`, which were not taken up. It does not wait for the end: look with _Get Pages_ later.',
	'Website: Get Content': CONTENT,
	'Website: Get Status': STATUS,
	'Website: Retry Indexing': RETRIED,
	'Website: Delete': DELETED,
	'Agent: Ask':
		'`uid`, `question`, `passed`, `answer`, `missing`, `durationMs`. [What asking does](behaviour.md#asking-an-agent).',
	'Agent: Create': `\`action\`, \`success\`, \`reason\` if there was an agent of that name, and ${AGENT}`,
	'Agent: Get': AGENT,
	'Agent: Get Many': `one item for each agent, newest first: ${AGENT}`,
	'Agent: Update':
		'`name` if it was changed, `action`, `success`, `uid`, `updatedFields` (what was sent).',
};

export const ABOUT_SETTINGS =
	"In the node's _Settings_ tab, under _Request Options_. Nobody needs them at first.";

export const PICTURES: Record<string, string> = {
	Document:
		'![Upload: it waits until the files are indexed and adds them to an agent](upload-files.webp)',
	"Agent's Knowledge Base":
		'![Sync Files tried dry: what it would do with each file](sync-files.webp)',
	Website: '![Crawl: how many pages it has found, and that one could not be read](website.webp)',
	Agent: '![Ask: a question, its answer, and that it contains what it must](ask.webp)',
};

export const TRIGGER = {
	starts:
		'![The trigger](trigger.webp)\n\nA node of its own. It asks CometChat at its _Poll Times_, and starts a workflow with an item for each event. [What it remembers, and what it cannot see](behaviour.md#the-trigger).',
	gives:
		'**Gives** `event`, `name`, `status`, `uniqueId`, `sourceType`, `createdAt`, `updatedAt`. `event` is `notWatched`, with a `reason`, for a document whose end it can no longer tell.',
};
