/** What the reference says beside the node's own words. */
export const OPENING = `# Reference

Made from what the node shows, by \`npx tsx docs/reference.mts\`. [How it behaves](behaviour.md) tells the rest.

An operation gives one item for each input item, linked to it, unless its section says otherwise. [What their fields hold](#what-items-hold) is the same everywhere; an item has those for which it has something. Behind a field stands its default. Each item has its own value of an option with an expression. _Timeout_, _Send in Bundles_ and the options of Sync Files for missing files apply to the whole execution: if items have different values, nothing is sent, and the error names the items.

n8n adds one more operation, _Custom API Call_. It leads to the HTTP Request node.`;

const RAW = 'Without _Simplify_: what CometChat gives.';
const LATER = 'It does not wait for the end: ask with _Get Status_ later.';
const EACH = 'One item for each document.';

/** What an operation gives beyond the list of its fields. */
export const MORE: Record<string, string> = {
	'Document: Upload':
		'One item for each file; of an input item that failed one for all its files. `old` is what was there of the name: `removed` from the agent and still in CometChat, `deleted`, or `kept`.',
	'Document: Get Many': `One item for each document, newest first. ${RAW}`,
	'Document: Get Content': 'By page: an item for each page.',
	'Document: Get Status': EACH,
	'Document: Retry Indexing': `${EACH} ${LATER}`,
	'Document: Delete': EACH,
	"Agent's Knowledge Base: Add Files":
		'[What File IDs takes](behaviour.md#what-may-stand-in-file-ids).',
	"Agent's Knowledge Base: Sync Files":
		'_missing_ and _removed_ come without an input item. With _Summary_ one item for each agent: `reason` is a text to send; `counts` and `names` are by action, of what has `noText`, such as a scan, and of what is `leftOver`: taken from the agent and still in CometChat. [When a file counts as gone](behaviour.md#when-does-a-file-count-as-gone).',
	"Agent's Knowledge Base: Get Many":
		'One item for each document. `status` is `notFound` for an ID that CometChat does not list.',
	'Text: Get': RAW,
	'Website: Crawl': '[What a crawl does](behaviour.md#what-does-a-crawl-do).',
	'Website: Get Pages': `One item for each page, newest first. ${RAW}`,
	'Website: Retry Pages':
		'`urlIds` are those of the pages that are read again; in an error, `failedPages` were not taken up: their addresses, or the IDs that were given. It does not wait for the end: look with _Get Pages_ later.',
	'Agent: Ask': '[What asking does](behaviour.md#asking-an-agent).',
	'Agent: Create': RAW,
	'Agent: Get': RAW,
	'Agent: Get Many': `One item for each agent, newest first. ${RAW}`,
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
		'**Gives** `event`, `name`, `status`, `uniqueId`, `sourceType`, `createdAt`, `updatedAt`. `event` is `notWatched`, with a `reason`, for a document whose end it can no longer tell. With the filter _Agent_, a `reason` says where CometChat does not report whether the agent has it.',
};
