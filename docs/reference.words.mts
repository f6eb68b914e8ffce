/** The sentences of the reference that are not in the node's own texts. */
export const OPENING = `# Reference

All operations, fields and output fields. This page is generated from the node: \`npx tsx docs/reference.mts\`.

An operation returns one item for each input item, linked to it, unless its section says otherwise. An output item has only the [output fields](#output-fields) that have a value.

The value in brackets after a field is its default. With an expression, each item can have its own value. _Timeout_ and _Combine Requests_ apply to the whole execution. If items have different values for them, nothing is sent, and the error names the items.

n8n adds one more operation, _Custom API Call_. It opens the HTTP Request node.`;

export const CONTENTS =
	'**More:** [Trigger](#cometchat-knowledge-base-trigger), [Fields of several operations](#fields-of-several-operations), [Output fields](#output-fields), [Settings](#settings-of-every-operation)';

const RAW = "Without _Simplify_: CometChat's own fields.";
const LATER =
	'The operation does not wait until indexing is finished. Check the documents later with _Get Indexing Status_.';
const EACH = 'One item for each document.';

/** Sentences about the output of an operation. */
export const MORE: Record<string, string> = {
	'document.upload':
		'One item for each file. An input item that failed returns one item for all its files. `old` lists the old versions: `removed` from the agent and still in CometChat, `deleted`, or `kept`. [How to upload and replace files](upload-and-replace-files.md).',
	'document.getMany': `One item for each document, newest first. ${RAW}`,
	'document.getStatus': EACH,
	'document.retryIndexing': `${EACH} ${LATER}`,
	'document.delete': EACH,
	'knowledgeBase.add': '[Values that File IDs accepts](limits.md#file-ids).',
	'knowledgeBase.remove': '[Values that File IDs accepts](limits.md#file-ids).',
	'knowledgeBase.sync':
		'Rows with the action _missing_, _kept_ or _removed_ have no input item. With _Summary_, one item for each agent: `reason` is a message you can send, and `counts` and `names` are grouped by action. [How to sync a folder or a table](sync-a-folder.md).',
	'knowledgeBase.getMany':
		'One item for each document. `status` is `notFound` for an ID that CometChat does not list.',
	'text.upsert': '[How to keep a text entry up to date](text-entries.md).',
	'text.get': RAW,
	'website.crawl': '[How to crawl a website](websites.md).',
	'website.getPages': `One item for each page, newest first. ${RAW}`,
	'agent.ask': "[How to check an agent's answers](check-answers.md).",
	'agent.create': RAW,
	'agent.get': RAW,
	'agent.getMany': `One item for each agent, newest first. ${RAW}`,
};

export const ABOUT_SETTINGS =
	"In the node's _Settings_ tab, under _Request Options_. Most workflows don't need these settings.";

/** By the value of a resource. */
export const PICTURES: Record<string, string> = {
	document:
		'![Upload: the output shows that the files are indexed and added to the agent](upload-files.webp)',
	knowledgeBase:
		'![Sync Folder or Table with Dry Run: the output shows what would happen to each document](sync-files.webp)',
	website:
		'![Crawl: the output shows how many pages CometChat found, and one page that failed](website.webp)',
	agent:
		'![Ask Question: the output shows the question, the answer, and that the answer contains the required text](ask.webp)',
};

export const TRIGGER = {
	starts:
		'![The trigger](trigger.webp)\n\nA separate node. It checks CometChat at its _Poll Times_, and starts a workflow with one item for each event. [How the trigger works](trigger.md).',
	gives:
		'**Returns** `event`, `name`, `status`, `uniqueId`, `sourceType`, `createdAt`, `updatedAt`.',
};
