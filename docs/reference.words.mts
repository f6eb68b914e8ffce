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
		'one item for each file: `name`, `action` (`added` to the agent, `uploaded` without one, `replaced` or `skipped`), `success`, `status` if it has waited, `uniqueId`, `sourceType`, `agentName`, `uid`. Where it applies: `reason`, `old` (what was there of the name: `removed` from the agent and still in CometChat, `deleted`, or `kept`), `unfinished`. An item that failed has one row for all its files.',
	'Document: Get Many': DOCUMENTS,
	'Document: Get Content': `${CONTENT} And \`status\`, unless you pick _Source Type_.`,
	'Document: Get Status': `one item for each file: ${STATUS}`,
	'Document: Retry Indexing': RETRIED,
	'Document: Delete': DELETED,
	"Agent's Knowledge Base: Add Files": `${CHANGE} [What File IDs takes](behaviour.md#what-may-stand-in-file-ids).`,
	"Agent's Knowledge Base: Remove Files": CHANGE,
	"Agent's Knowledge Base: Replace File":
		'`name`, `action` (`replaced`, or `added` if there was none), `success`, `status`, `uniqueId`, `sourceType`, `agentName`, `uid`, `reason`, and `old`: the old versions, `removed` from the agent or `deleted`, with the reason why one is not deleted.',
	"Agent's Knowledge Base: Sync Files":
		'one item for each file: `action`, `fileName`, `reason`, `agentName`, `status`, `success`, `uid`, `uniqueId`, `oldId`, `notDeleted`. `action` is `added`, `replaced`, `unchanged`, `skipped` (a type that CometChat does not take) or `failed`; `missing` and `removed` come without an input item. Each item of a dry run has `dryRun`, and `would be added` in place of `added`. [When a file counts as gone](behaviour.md#when-does-a-file-count-as-gone).',
	"Agent's Knowledge Base: Get Many":
		'one item for each document: `name`, `sourceType`, `status`, `createdAt`, `updatedAt`, `uniqueId`, `agentName`, `uid`. `status` is `notFound` for an ID that CometChat does not list, and `notTold`, with a `reason`, where it does not tell.',
	'Text: Create':
		'`name`, `action` (`created`, `replaced` or `skipped`), `success`, `status`, `uniqueId`, `sourceType`, `agentName`, `uid`, `reason`, `old` as of _Document: Upload_.',
	'Text: Create or Update':
		'`title`, `action` (`created`, `updated` or `unchanged`), `success`, `uniqueId`, `status`, `addedToAgent`, `uid`.',
	'Text: Get':
		'`title`, `status`, `text`, `createdAt`, `updatedAt`, `uniqueId`. Without _Simplify_: what CometChat gives.',
	'Text: Update':
		'`title`, `changed` (`title`, `text` or both), `success`, `uniqueId`, `status`, `addedToAgent`, `uid`.',
	'Website: Crawl':
		'`url`, `action` (`crawled`, `continued`, `refreshed`; of one that was not crawled `added` if the agent was given it, otherwise `skipped`, with a `reason`), `addedToAgent`, `success`, `pagesFound`, `pagesProcessed`, `pagesFailed`, `pagesSkipped`, `pagesOpen`, `failedPages` (the addresses of up to ten), `uniqueId`, `oldId`, `notDeleted`, `uid`. [What a crawl does](behaviour.md#what-does-a-crawl-do).',
	'Website: Add to Agent': CHANGE,
	'Website: Remove From Agent': CHANGE,
	'Website: Get Many': DOCUMENTS,
	'Website: Get Pages':
		'one item for each page, newest first: `url`, `title`, `status`, `advice` if it has failed, `createdAt`, `lastCrawledAt`, `updatedAt`, `retryCount`, `urlId`. Without _Simplify_: what CometChat gives.',
	'Website: Retry Pages':
		'`success`, `retried` (how many), `uniqueId`, `urlIds`; with nothing to retry a `reason`. It does not wait for the end: look with _Get Pages_ later.',
	'Website: Get Content': CONTENT,
	'Website: Get Status': STATUS,
	'Website: Retry Indexing': RETRIED,
	'Website: Delete': DELETED,
	'Agent: Ask':
		'`question`, `passed`, `answer`, `missing`, `durationMs`, `uid`. [What asking does](behaviour.md#asking-an-agent).',
	'Agent: Create': AGENT,
	'Agent: Get': AGENT,
	'Agent: Get Many': `one item for each agent, newest first: ${AGENT}`,
	'Agent: Update': '`uid`, `updatedFields` (what was sent), `success`.',
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
		'**Gives** `event`, `name`, `sourceType`, `status`, `uniqueId`, `createdAt`, `updatedAt`. `event` is `notWatched`, with a `reason`, for a document whose end it can no longer tell.',
};
