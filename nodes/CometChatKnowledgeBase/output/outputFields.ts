/** A field of output items: how one looks, and a clause for the reference. */
const field = (example: unknown, says: string) => ({ example, says });

const ID = '550e8400-e29b-41d4-a716-446655440000';
const OLD_ID = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const TIME = '2026-11-24T06:00:00.000Z';

/**
 * The one vocabulary of all operations and of the trigger, in the order of n8n's table: what a person reads comes
 * first. The schemas that n8n shows before a run, and the reference, are made from it.
 */
export const OUTPUT_FIELDS = {
	event: field('indexingFailed', 'what has happened'),
	name: field(
		'price-list.pdf',
		"the file's name, the title of a text, an address, an agent's name",
	),
	action: field('added', 'what was done'),
	success: field(true, 'whether what was wanted is so'),
	status: field('indexed', "CometChat's status, or `notFound`"),
	isReady: field(true, 'whether an agent can answer from it'),
	uniqueId: field(ID, 'the ID'),
	uniqueIds: field([ID], 'the IDs'),
	sourceType: field('uploads', '`uploads`, `text` or `website`'),
	agentName: field('Support', "the agent's name, where CometChat gave it"),
	uid: field('9f1c2d3e-4b5a-6c7d-8e9f-0a1b2c3d4e5f', "the agent's ID"),
	reason: field('Same content as last time', 'why it is so, or what to do'),
	dryRun: field(true, 'there if it was only tried'),
	old: field(
		[{ name: 'price-list.pdf', action: 'removed', uniqueId: OLD_ID, reason: 'Sales has it' }],
		'what was there before, with `name`, `action`, `uniqueId` and `reason` of each',
	),
	leftOut: field(
		[{ name: 'image001.png', reason: 'It is not of a type that CometChat accepts' }],
		"the item's other files, which `*` left out, with `name` and `reason` of each",
	),
	counts: field(
		{ added: 2, replaced: 1, unchanged: 40, failed: 1, leftOver: 1 },
		'of a summary: how many files were added, replaced, unchanged and so on',
	),
	names: field(
		{ added: ['price-list.pdf'], failed: ['scan.pdf'] },
		'of a summary: their names, twenty of each at most',
	),
	unfinished: field(
		[{ name: 'price-list.pdf', uniqueId: ID }],
		'entries without content that could not be taken away',
	),
	outcome: field(
		{ applied: [ID], notApplied: [], unknown: [] },
		'beside an error, the IDs by what became of them',
	),
	deleted: field(true, 'there if it is gone'),
	isActive: field(true, 'whether users can chat with it'),
	description: field('Answers questions about orders', 'what it is there for'),
	model: field('gpt-4o', 'which model answers'),
	instruction: field('Answer in two sentences.', 'what it is told before each chat'),
	updatedFields: field(['instruction'], 'what was sent'),
	files: field([ID], 'the IDs of its documents'),
	websites: field([ID], 'those of its websites'),
	agents: field(['Support'], 'the agents that have it; `null` where CometChat does not tell'),
	agentIds: field(['9f1c2d3e-4b5a-6c7d-8e9f-0a1b2c3d4e5f'], 'their IDs'),
	question: field('When are you open?', 'what was asked'),
	passed: field(true, 'whether the answer has all that it must contain'),
	answer: field('We are open from 9 to 5.', 'what the agent said'),
	missing: field(['9 to 5'], 'what the answer lacks'),
	durationMs: field(2400, 'how long it took'),
	title: field('Opening hours', 'the title of a page'),
	text: field('We are open from 9 to 5.', 'what stands in it'),
	characters: field(24, 'how many'),
	page: field(1, 'its number'),
	pages: field(3, 'how many there are'),
	isCut: field(true, 'there if _Max Characters_ has cut it'),
	pagesFound: field(12, 'how many pages there are'),
	pagesProcessed: field(11, 'how many are indexed'),
	pagesFailed: field(1, 'how many could not be read'),
	pagesSkipped: field(0, 'how many were not wanted'),
	pagesOpen: field(0, 'how many are not done'),
	failedPages: field(['https://help.example.com/old'], 'the addresses of up to ten that failed'),
	urlId: field(ID, 'the ID of the page'),
	urlIds: field([ID], 'the IDs of the pages'),
	retryCount: field(0, 'how often CometChat has tried'),
	createdAt: field(TIME, 'when it came'),
	updatedAt: field(TIME, 'when it changed'),
	lastCrawledAt: field(TIME, 'when it was read'),
};

/** A name of the vocabulary. */
export type OutputName = keyof typeof OUTPUT_FIELDS;
