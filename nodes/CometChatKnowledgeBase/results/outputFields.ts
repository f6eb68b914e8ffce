/** A field of output items: what it is, and how one looks. */
interface OutputField {
	type: 'string' | 'number' | 'boolean' | 'array' | 'object';
	example: unknown;
	/** For the reference: a clause. */
	says: string;
}

const text = (example: string, says: string) => ({ type: 'string', example, says }) as const;
const number = (example: number, says: string) => ({ type: 'number', example, says }) as const;
const yesOrNo = (example: boolean, says: string) => ({ type: 'boolean', example, says }) as const;
const list = (example: unknown[], says: string) => ({ type: 'array', example, says }) as const;

const ID = '550e8400-e29b-41d4-a716-446655440000';
const OLD_ID = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const TIME = '2026-11-24T06:00:00.000Z';

/**
 * The one vocabulary of all operations and of the trigger, in the order of n8n's table: what a person reads comes
 * first. The schemas that n8n shows before a run, and the reference, are made from it.
 */
export const OUTPUT_FIELDS = {
	event: text('indexingFailed', 'what has happened'),
	name: text('price-list.pdf', "the file's name, the title of a text, an address, an agent's name"),
	action: text('added', 'what was done'),
	success: yesOrNo(true, 'whether what was wanted is so'),
	status: text('indexed', "CometChat's status, or `notFound`"),
	isReady: yesOrNo(true, 'whether an agent can answer from it'),
	uniqueId: text(ID, 'the ID'),
	uniqueIds: list([ID], 'the IDs'),
	sourceType: text('uploads', '`uploads`, `text` or `website`'),
	agentName: text('Support', "the agent's name, where CometChat gave it"),
	uid: text('9f1c2d3e-4b5a-6c7d-8e9f-0a1b2c3d4e5f', "the agent's ID"),
	reason: text('Same content as last time', 'why it is so, or what to do'),
	dryRun: yesOrNo(true, 'there if it was only tried'),
	old: list(
		[{ name: 'price-list.pdf', action: 'removed', uniqueId: OLD_ID, reason: 'Sales has it' }],
		'what was there before, with `name`, `action`, `uniqueId` and `reason` of each',
	),
	counts: {
		type: 'object',
		example: { added: 2, replaced: 1, unchanged: 40, failed: 1, leftOver: 1 },
		says: 'of a summary: how many files were added, replaced, unchanged and so on',
	},
	names: {
		type: 'object',
		example: { added: ['price-list.pdf'], failed: ['scan.pdf'] },
		says: 'of a summary: their names, twenty of each at most',
	},
	unfinished: list(
		[{ name: 'price-list.pdf', uniqueId: ID }],
		'entries without content that could not be taken away',
	),
	outcome: {
		type: 'object',
		example: { applied: [ID], notApplied: [], unknown: [] },
		says: 'beside an error, the IDs by what became of them',
	},
	deleted: yesOrNo(true, 'there if it is gone'),
	isActive: yesOrNo(true, 'whether users can chat with it'),
	description: text('Answers questions about orders', 'what it is there for'),
	model: text('gpt-4o', 'which model answers'),
	instruction: text('Answer in two sentences.', 'what it is told before each chat'),
	updatedFields: list(['instruction'], 'what was sent'),
	files: list([ID], 'the IDs of its documents'),
	websites: list([ID], 'those of its websites'),
	agents: list(['Support'], 'the agents that have it; `null` where CometChat does not tell'),
	agentIds: list(['9f1c2d3e-4b5a-6c7d-8e9f-0a1b2c3d4e5f'], 'their IDs'),
	question: text('When are you open?', 'what was asked'),
	passed: yesOrNo(true, 'whether the answer has all that it must contain'),
	answer: text('We are open from 9 to 5.', 'what the agent said'),
	missing: list(['9 to 5'], 'what the answer lacks'),
	durationMs: number(2400, 'how long it took'),
	title: text('Opening hours', 'the title of a page'),
	text: text('We are open from 9 to 5.', 'what stands in it'),
	characters: number(24, 'how many'),
	page: number(1, 'its number'),
	pages: number(3, 'how many there are'),
	isCut: yesOrNo(true, 'there if _Max Characters_ has cut it'),
	pagesFound: number(12, 'how many pages there are'),
	pagesProcessed: number(11, 'how many are indexed'),
	pagesFailed: number(1, 'how many could not be read'),
	pagesSkipped: number(0, 'how many were not wanted'),
	pagesOpen: number(0, 'how many are not done'),
	failedPages: list(['https://help.example.com/old'], 'the addresses of up to ten that failed'),
	urlId: text(ID, 'the ID of the page'),
	urlIds: list([ID], 'the IDs of the pages'),
	retryCount: number(0, 'how often CometChat has tried'),
	createdAt: text(TIME, 'when it came'),
	updatedAt: text(TIME, 'when it changed'),
	lastCrawledAt: text(TIME, 'when it was read'),
} as const satisfies Record<string, OutputField>;

/** A name of the vocabulary. */
export type OutputName = keyof typeof OUTPUT_FIELDS;
