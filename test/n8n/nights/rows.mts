import type { Operation } from '../../service/address.js';
import type { IndexingRule, Rule } from '../../service/service.js';

/** How many requests of which kind; of the changes of an agent, how many files they have. */
export type Sends = Partial<Record<Operation, number>>;

/** One night: what has changed by day, what happens meanwhile, and what is expected of it. */
export interface Night {
	promise: string;
	/** The new text of each file that has changed by day; null for one that has gone. */
	folder?: Record<string, string | null>;
	/** A file of the folder whose upload a colleague's agent gets as well, by day. */
	shared?: string;
	/** What the service does. */
	service?: Rule[];
	indexing?: IndexingRule[];
	/** What becomes of the execution when this request arrives, which then gets no answer. */
	cut?: { by: 'kill' | 'stop'; at: Operation };
	/** What the output says of each file: its action, or a part of the message that it failed with. */
	says?: Record<string, string | { fails: string }>;
	/** The requests that may change something. */
	sends?: Sends;
	/** Where the agent differs from the folder: the texts that it has of a file. */
	agentHas?: Record<string, string[]>;
	/** A part of a hint of the node. */
	hint?: string;
}

const ADD = { initiate: 1, upload: 1, add: 1 };
const REPLACE = { ...ADD, remove: 1, deleteUpload: 1 };

/** What the nights begin with. */
const FIRST = {
	'contact.md': 'contact 1',
	'hours.md': 'hours 1',
	'manual.md': 'manual 1',
	'prices.md': 'prices 1',
	'returns.md': 'returns 1',
};

export const unchanged = (...names: string[]) =>
	Object.fromEntries(names.map((name) => [name, 'unchanged']));

const NAMES = Object.keys(FIRST);
const OTHERS = ['contact.md', 'hours.md', 'manual.md'];

/** What an agent has that nothing is taken from, in the middle of the row. */
const ALL_KEPT = {
	'contact.md': ['contact 1'],
	'guarantee.md': ['warranty 1'],
	'hours.md': ['hours 1'],
	'manual.md': ['manual 1'],
	'prices.md': ['prices 2'],
	'returns.md': ['returns 1'],
};

/** In a row, each on what those before it have left behind. */
export const NIGHTS: Night[] = [
	{
		promise: 'the first one adds everything, however old it is',
		folder: FIRST,
		says: Object.fromEntries(Object.keys(FIRST).map((name) => [name, 'added'])),
		sends: { initiate: 5, upload: 5, add: 5 },
	},
	{
		promise: 'one without a change looks, and changes nothing',
		says: unchanged(...OTHERS, 'prices.md', 'returns.md'),
	},
	{
		promise: 'what has changed is replaced, what is new is added',
		folder: { 'prices.md': 'prices 2', 'warranty.md': 'warranty 1' },
		says: {
			...unchanged(...OTHERS, 'returns.md'),
			'prices.md': 'replaced',
			'warranty.md': 'added',
		},
		sends: { initiate: 2, upload: 2, add: 2, remove: 1, deleteUpload: 1 },
	},
	{
		promise: 'a renamed file is added by its new name, and missing by its old one',
		folder: { 'warranty.md': null, 'guarantee.md': 'warranty 1' },
		says: {
			...unchanged(...OTHERS, 'prices.md', 'returns.md'),
			'guarantee.md': 'added',
			'warranty.md': 'missing',
		},
		sends: ADD,
		agentHas: { 'warranty.md': ['warranty 1'] },
	},
	{
		promise: 'the second one without a file takes it out',
		says: {
			...unchanged(...OTHERS, 'prices.md', 'returns.md', 'guarantee.md'),
			'warranty.md': 'removed',
		},
		sends: { remove: 1 },
	},
	{
		promise: 'an emptied file is skipped, and the agent keeps what it has',
		folder: { 'guarantee.md': '' },
		says: {
			...unchanged(...OTHERS, 'prices.md', 'returns.md'),
			'guarantee.md': 'skipped',
		},
		agentHas: { 'guarantee.md': ['warranty 1'] },
	},
	{
		promise: 'filled again as it was, it is nothing new',
		folder: { 'guarantee.md': 'warranty 1' },
		says: unchanged(...OTHERS, 'prices.md', 'returns.md', 'guarantee.md'),
	},
	{
		promise: 'a file that was moved away is missing',
		folder: { 'guarantee.md': null },
		says: { ...unchanged(...OTHERS, 'prices.md', 'returns.md'), 'guarantee.md': 'missing' },
		agentHas: { 'guarantee.md': ['warranty 1'] },
	},
	{
		promise: 'a file that was away for one night has never left',
		folder: { 'guarantee.md': 'warranty 1' },
		says: unchanged(...OTHERS, 'prices.md', 'returns.md', 'guarantee.md'),
	},
	{
		promise: 'what was away for one night is missing at first when it leaves again',
		folder: { 'guarantee.md': null },
		says: { ...unchanged(...OTHERS, 'prices.md', 'returns.md'), 'guarantee.md': 'missing' },
		agentHas: { 'guarantee.md': ['warranty 1'] },
	},
	{
		promise: 'a file that was moved away is taken out in the second night without it',
		says: { ...unchanged(...OTHERS, 'prices.md', 'returns.md'), 'guarantee.md': 'removed' },
		sends: { remove: 1 },
	},
	{
		promise: 'a file that was moved back is added again, and not uploaded again',
		folder: { 'guarantee.md': 'warranty 1' },
		says: { ...unchanged(...OTHERS, 'prices.md', 'returns.md'), 'guarantee.md': 'added' },
		sends: { add: 1 },
	},
	{
		promise: 'a folder that comes back empty takes nothing out',
		folder: Object.fromEntries([...NAMES, 'guarantee.md'].map((name) => [name, null])),
		agentHas: ALL_KEPT,
	},
	{
		promise: 'a folder that comes back with half takes nothing out, and it says so',
		folder: { 'contact.md': 'contact 1', 'hours.md': 'hours 2', 'manual.md': 'manual 1' },
		says: { ...unchanged('contact.md', 'manual.md'), 'hours.md': 'replaced' },
		sends: REPLACE,
		agentHas: { ...ALL_KEPT, 'hours.md': ['hours 2'] },
		hint: 'brought 3 of 6 known files',
	},
	{
		promise: 'nor does one that comes back with half night by night',
		says: unchanged('contact.md', 'hours.md', 'manual.md'),
		agentHas: { ...ALL_KEPT, 'hours.md': ['hours 2'] },
		hint: 'brought 3 of 6 known files',
	},
	{
		promise: 'what is there again was never away',
		folder: {
			'guarantee.md': 'warranty 1',
			'prices.md': 'prices 2',
			'returns.md': 'returns 1',
		},
		says: unchanged(...NAMES, 'guarantee.md'),
	},
	{
		promise: "what a colleague's agent has as well is replaced here and stays there",
		shared: 'manual.md',
		folder: { 'manual.md': 'manual 2' },
		says: { ...unchanged(...NAMES, 'guarantee.md'), 'manual.md': 'replaced' },
		sends: { ...ADD, remove: 1 },
	},
	{
		promise: 'a service that limits its requests is waited for',
		folder: { 'prices.md': 'prices 3' },
		service: [
			{ for: { operation: 'initiate' }, status: 429, retryAfter: '1' },
			{ for: { operation: 'add' }, status: 429 },
		],
		says: { ...unchanged(...NAMES, 'guarantee.md'), 'prices.md': 'replaced' },
		sends: { ...REPLACE, initiate: 2, add: 2 },
	},
	{
		promise: 'a change whose answer was lost is made sure of',
		folder: { 'prices.md': 'prices 4' },
		service: [{ for: { operation: 'add' }, drop: 'afterApplying' }],
		says: { ...unchanged(...NAMES, 'guarantee.md'), 'prices.md': 'replaced' },
		sends: { ...REPLACE, add: 2 },
	},
	{
		promise: 'what could not be uploaded fails by its name, and the agent keeps what it has',
		folder: { 'returns.md': 'returns 2' },
		service: [{ for: { operation: 'initiate' }, status: 400 }],
		says: { ...unchanged(...NAMES, 'guarantee.md'), 'returns.md': { fails: 'refused' } },
		sends: { initiate: 1 },
		agentHas: { 'returns.md': ['returns 1'] },
	},
	{
		promise: 'what CometChat cannot read fails by its name, and the agent keeps what it has',
		indexing: [{ for: { fileName: 'returns.md' }, ends: 'failed' }],
		says: { ...unchanged(...NAMES, 'guarantee.md'), 'returns.md': { fails: 'returns.md' } },
		sends: { initiate: 1, upload: 1 },
		agentHas: { 'returns.md': ['returns 1'] },
	},
	{
		promise:
			'an old version that could not be taken out is named, and what could not be read is deleted',
		service: [{ for: { operation: 'remove' }, status: 400 }],
		says: { ...unchanged(...NAMES, 'guarantee.md'), 'returns.md': { fails: 'refused' } },
		sends: { ...ADD, remove: 1, deleteUpload: 1 },
		agentHas: { 'returns.md': ['returns 1', 'returns 2'] },
	},
	{
		promise: 'of a file that is there twice, the next one leaves the one in the folder',
		says: { ...unchanged(...NAMES, 'guarantee.md'), 'returns.md': 'replaced' },
		sends: { remove: 1, deleteUpload: 1 },
	},
	{
		promise: 'what has gone is missing at first',
		folder: { 'guarantee.md': null },
		says: { ...unchanged(...NAMES), 'guarantee.md': 'missing' },
		agentHas: { 'guarantee.md': ['warranty 1'] },
	},
	{
		promise: 'what has gone and could not be taken out is named',
		service: [{ for: { operation: 'remove' }, status: 400 }],
		says: { ...unchanged(...NAMES), 'guarantee.md': { fails: 'refused' } },
		sends: { remove: 1 },
		agentHas: { 'guarantee.md': ['warranty 1'] },
	},
	{
		promise: 'what has gone and could not be taken out is taken out by the next one',
		says: { ...unchanged(...NAMES), 'guarantee.md': 'removed' },
		sends: { remove: 1 },
	},
	{
		promise: 'one in which n8n is killed before the old version is out leaves both',
		folder: { 'prices.md': 'prices 5', 'guarantee.md': 'warranty 2' },
		cut: { by: 'kill', at: 'remove' },
		// What was taken out of an earlier content goes as well.
		sends: { initiate: 2, upload: 2, add: 2, remove: 1, deleteUpload: 1 },
		agentHas: { 'prices.md': ['prices 4', 'prices 5'] },
	},
	{
		promise: 'the one after a killed one puts things right',
		says: { ...unchanged(...NAMES, 'guarantee.md'), 'prices.md': 'replaced' },
		// What the cut one has uploaded is not noted, so it is not deleted.
		sends: { ...ADD, remove: 2, deleteUpload: 1 },
	},
	{
		promise: 'one that is stopped by hand leaves both',
		folder: { 'prices.md': 'prices 6' },
		cut: { by: 'stop', at: 'remove' },
		sends: { ...ADD, remove: 1 },
		agentHas: { 'prices.md': ['prices 5', 'prices 6'] },
	},
	{
		promise: 'the one after a stopped one puts things right',
		says: { ...unchanged(...NAMES, 'guarantee.md'), 'prices.md': 'replaced' },
		// What the cut one has uploaded is not noted, so it is not deleted.
		sends: { ...ADD, remove: 2, deleteUpload: 1 },
	},
	{
		promise: 'one that is stopped before the old version is deleted leaves that in CometChat',
		folder: { 'returns.md': 'returns 3' },
		cut: { by: 'stop', at: 'deleteUpload' },
		sends: REPLACE,
	},
	{
		promise: 'the one after that deletes it',
		says: unchanged(...NAMES, 'guarantee.md'),
		sends: { deleteUpload: 1 },
	},
];
