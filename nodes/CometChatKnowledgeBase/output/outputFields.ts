/** A field of output items: an example, and a clause for the reference. */
const field = (example: unknown, says: string) => ({ example, says });

const ID = '550e8400-e29b-41d4-a716-446655440000';
const OLD_ID = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const TIME = '2026-11-24T06:00:00.000Z';

/**
 * The one vocabulary of all operations and of the trigger, in the order of n8n's table: the fields that people read
 * come first. The schemas that n8n shows before an execution, and the reference, are made from it.
 */
export const OUTPUT_FIELDS = {
	event: field('indexingFailed', 'the event'),
	name: field(
		'price-list.pdf',
		'the name of the file or agent, the title of the text entry, or the URL',
	),
	action: field('added', 'the result, such as `added`, `unchanged` or `failed`'),
	success: field(true, 'whether the item succeeded'),
	status: field('indexed', 'the status in CometChat, or `notFound`'),
	isReady: field(true, 'whether an agent can answer from the document'),
	reason: field('The content is the same', 'the reason, or advice'),
	uniqueId: field(ID, 'the ID of the document'),
	uniqueIds: field([ID], 'the IDs of the documents'),
	sourceType: field('uploads', '`uploads`, `text` or `website`'),
	agentName: field('Support', "the agent's name, if CometChat reports it"),
	uid: field('9f1c2d3e-4b5a-6c7d-8e9f-0a1b2c3d4e5f', "the agent's ID"),
	dryRun: field(true, 'true in a preview (_Dry Run_)'),
	hasRecord: field(false, 'in a summary: false if n8n kept no record of the last execution'),
	old: field(
		[
			{
				name: 'price-list.pdf',
				action: 'removed',
				uniqueId: OLD_ID,
				reason: 'Used by other agents: "Sales"',
			},
		],
		'the old versions, each with `name`, `action`, `uniqueId` and `reason`',
	),
	oldText: field('We are open from 9 to 6.', 'the text that was replaced'),
	leftOut: field(
		[{ name: 'image001.png', reason: 'CometChat does not accept this file type' }],
		'the files of the item that were not uploaded, each with `name` and `reason`',
	),
	counts: field(
		{ added: 2, replaced: 1, unchanged: 40, failed: 1 },
		'(only _Summary_) how many documents were added, replaced, unchanged, and so on',
	),
	names: field(
		{ added: ['price-list.pdf'], failed: ['scan.pdf'] },
		'(only _Summary_) the names of up to twenty documents of each kind',
	),
	unfinished: field(
		[{ name: 'price-list.pdf', uniqueId: ID }],
		'empty documents that could not be deleted',
	),
	outcome: field(
		{ applied: [ID], notApplied: [], unknown: [] },
		'in an error: the IDs of the documents by result',
	),
	deleted: field(true, 'true if the document or agent was deleted'),
	isActive: field(true, 'whether users can chat with the agent'),
	description: field('Answers questions about orders', 'the description of the agent'),
	model: field('gpt-4o', 'the model of the agent'),
	instruction: field('Answer in two sentences.', 'the instructions of the agent'),
	updatedFields: field(['instruction'], 'the fields that the item changes'),
	files: field([ID], 'the IDs of the files and text entries that the agent uses'),
	websites: field([ID], 'the IDs of the websites that the agent uses'),
	agents: field(
		['Support'],
		"the agents that use the document, or `null` if CometChat doesn't report it",
	),
	agentIds: field(['9f1c2d3e-4b5a-6c7d-8e9f-0a1b2c3d4e5f'], 'the IDs of these agents'),
	question: field('When are you open?', 'the question'),
	passed: field(true, 'whether the answer contains all required texts'),
	answer: field('We are open from 9 to 5.', 'the answer of the agent'),
	missing: field(['9 to 5'], 'the required texts that the answer does not contain'),
	durationMs: field(2400, 'the duration in milliseconds'),
	title: field('Opening hours', 'the title of a page'),
	text: field('We are open from 9 to 5.', 'the content'),
	characters: field(24, 'the number of characters'),
	pages: field(3, 'the number of pages'),
	isCut: field(true, 'true if _Max Characters_ cut off the text'),
	pagesFound: field(12, 'the number of pages of the website'),
	pagesProcessed: field(11, 'the number of indexed pages'),
	pagesFailed: field(1, 'the number of pages that could not be indexed'),
	pagesSkipped: field(0, 'the number of excluded pages'),
	pagesOpen: field(0, 'the number of pages that are not finished'),
	failedPages: field(['https://help.example.com/old'], 'the URLs of up to ten failed pages'),
	urlId: field(ID, 'the ID of the page'),
	retryCount: field(0, 'the number of times that CometChat tried to index the page'),
	createdAt: field(TIME, 'the time of creation'),
	updatedAt: field(TIME, 'the time of the last change'),
	lastCrawledAt: field(TIME, 'the time of the last crawl'),
};

/** A name of the vocabulary. */
export type OutputName = keyof typeof OUTPUT_FIELDS;
