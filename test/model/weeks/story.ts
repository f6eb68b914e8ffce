import type { IDataObject, INodeParameters } from 'n8n-workflow';
import fc from 'fast-check';

import type { TestFile } from '../../node/engine';
import { maybe, oneIn } from '../drafting';
import type { Circumstances, Variant } from '../serviceBehaviour';
import { KNOWN_AGENTS, misbehavioursOf, rateLimit, stop } from '../serviceBehaviour';
import type { Fact } from './facts';
import { HELD_IDS, kindOf, PROOF, sites } from './world';

export interface Story {
	workflow: Workflow;
	/** The documents that the agents use before the first week: IDs of the world. */
	held: Array<{ uid: string; sourceType: string; ids: string[] }>;
	variant: Variant;
	/** Weeks with faults, each followed by `CALM_WEEKS` weeks without. */
	troubled: Week[];
}

export const CALM_WEEKS = 3;

/** An operation with the items of each week. */
export interface Workflow {
	resource: string;
	operation: string;
	parameters: INodeParameters;
	items: Item[];
	/** Whether each execution should add another document. */
	grows: boolean;
}

export interface Item {
	json: IDataObject;
	files?: Record<string, TestFile>;
	/** The facts after a successful item. */
	wants: Fact[];
	/** The names and IDs of documents that the item may remove from its agent, or delete. */
	takes: string[];
	/** The facts before a document is removed; left out: the facts of `wants` with `comesFirst`. */
	takesAfter?: Fact[];
	uid?: string;
	/** Whether the user chose that old documents are deleted. */
	deletes?: boolean;
	/** Whether documents may be removed from all other agents, too. */
	takesFromAll?: boolean;
	/** The name of the document that all agents of such items should use. */
	shares?: string;
	/** Whether its content is different each week. */
	isNew?: boolean;
	/** Whether it may fail without a fault of the service. */
	mayFail?: boolean;
}

/** One execution of the workflow, or two at the same time, and its circumstances. */
export interface Week extends Circumstances {
	/** The start of another execution with the same items. */
	secondAfterMs?: number;
	/** Whether n8n runs the node again if its first row fails, three times in all. */
	retryOnFail?: boolean;
	/** Whether a crawl finds only some pages, and reports a failure. */
	breaksCrawlsOff?: boolean;
	/** Whether a crawl makes a website with another URL. */
	redirectsCrawls?: boolean;
	/** Whether each page of the web shows the same barrier. */
	showsBarrier?: boolean;
	/** Requests that CometChat answers with 503 for 20 s, from when on. */
	outage?: { operation: Request; afterMs: number };
}

type Request = Parameters<typeof misbehavioursOf>[0][number];

/** The requests of a resource that may fail. */
const READING: Request[] = ['records', 'list', 'agent', 'poll'];
const CHANGING: Request[] = ['add', 'remove', 'deleteUpload', 'deleteText', 'deleteWebsite'];
const REQUESTS: Record<string, Request[]> = {
	document: [
		...READING,
		...CHANGING,
		'initiate',
		'upload',
		'sync',
		'pages',
		'discoveredUrls',
		'retryUrls',
	],
	knowledgeBase: [...READING, ...CHANGING, 'initiate', 'upload'],
	text: [...READING, ...CHANGING, 'createText', 'listTexts', 'getText', 'updateText'],
	website: [...READING, ...CHANGING, 'crawl', 'discoveredUrls', 'processUrls', 'retryUrls'],
	agent: [
		'list',
		'agent',
		'createAgent',
		'updateAgent',
		'deleteAgent',
		'sendMessage',
		'thread',
		'chat',
	],
};

const onError = fc.constantFrom<Circumstances['onError']>(
	'continueRegularOutput',
	'continueErrorOutput',
	'stopWorkflow',
);

const usual = {
	onError,
	chance: fc.nat(99),
	misbehaviours: fc.constant<Circumstances['misbehaviours']>([]),
};

/** Makes a week without faults, in which each item has its own outcome. */
export function calmWeek(variant: Variant): Week {
	return { onError: 'continueRegularOutput', chance: 0, variant, misbehaviours: [] };
}

function weeksOf(requests: Request[]): fc.Arbitrary<Array<Omit<Week, 'variant'>>> {
	const faulty = fc.record({
		...usual,
		misbehaviours: misbehavioursOf(requests),
		rateLimit: oneIn(6, rateLimit),
		stop: oneIn(6, stop),
	});
	const double = fc.record({ ...usual, secondAfterMs: fc.constantFrom(0, 5, 40, 300, 3000) });
	// A week without faults. A refused item ends the others.
	const plain = fc.record({
		...usual,
		breaksCrawlsOff: oneIn(3, fc.constant(true)),
		redirectsCrawls: oneIn(3, fc.constant(true)),
		showsBarrier: oneIn(2, fc.constant(true)),
	});
	const tried = fc.record({
		...usual,
		retryOnFail: fc.constant(true),
		misbehaviours: misbehavioursOf(requests),
	});
	const out = fc.record({
		...usual,
		outage: fc.record({
			operation: fc.constantFrom(...requests),
			afterMs: fc.constantFrom(0, 0, 20, 100, 3000),
		}),
	});
	return fc.array(
		fc.oneof(
			{ weight: 3, arbitrary: faulty },
			{ weight: 1, arbitrary: double },
			{ weight: 1, arbitrary: out },
			{ weight: 3, arbitrary: plain },
			{ weight: 2, arbitrary: tried },
		),
		{ maxLength: 3 },
	);
}

/** Variants of the service with reliable lists. */
const variant: fc.Arbitrary<Variant> = fc.record({
	recorded: maybe(fc.constantFrom('fromInitiate', 'fromBytes')),
	secondUse: maybe(fc.constantFrom('refuse', 'accept')),
	indexingMs: fc.constantFrom(0, 20, 20, 3000, 90_000),
	ends: maybe(fc.constantFrom('indexed', 'inSync')),
	unknownInPoll: oneIn(4, fc.constant('refuse')),
	freedIds: oneIn(6, fc.constant('again')),
	lagsMs: oneIn(
		3,
		fc.record({
			records: maybe(fc.constantFrom(1000, 90_000)),
			agent: maybe(fc.constantFrom(1000, 8000)),
			agents: maybe(fc.constantFrom(1000, 8000)),
			texts: maybe(fc.constantFrom(1000, 90_000)),
		}),
	),
	agentsPerPage: maybe(fc.constant(2)),
	plainTitles: fc.boolean(),
	agentLists: fc.constantFrom('uniqueIds', 'uniqueIds', 'uniqueIds', 'stale'),
	repeatsKey: oneIn(8, fc.constantFrom('agentName', 'recordName', 'status', 'title')),
	web: fc.record({
		sites: fc.constant(sites),
		crawling: fc.record({
			ms: maybe(fc.constantFrom(500, 30_000, 600_000)),
			processMs: maybe(fc.constantFrom(700, 90_000)),
			answersEarly: oneIn(4, fc.constant(true)),
			recordType: maybe(fc.constantFrom('website', 'web-pages')),
			sourceName: maybe(fc.constant('withoutSlash')),
			secondScrape: fc.constantFrom('refresh', 'second', 'second'),
			listedAfterMs: oneIn(3, fc.constantFrom(5000, 120_000)),
			pagesAfterMs: oneIn(4, fc.constantFrom(2000, 30_000)),
		}),
	}),
});

/** Variants of the service with any lists, for which only one thing is promised: nothing is lost. */
const untold: fc.Arbitrary<Variant> = fc
	.record({
		variant,
		agentLists: fc.constantFrom(
			'empty',
			'otherIds',
			'null',
			'objects',
			'websitesNull',
			'uniqueIds',
		),
		hiddenAgents: oneIn(
			3,
			fc.constantFrom(...KNOWN_AGENTS).map((uid) => [uid]),
		),
		recordsNext: oneIn(3, fc.constant('after')),
		failEvery: oneIn(3, fc.constantFrom(2, 3)),
	})
	.map(({ variant: told, ...more }) => ({ ...told, ...more }));

/** Whether the lists are reliable, and everything can be indexed. */
export function isTold({ variant, held, workflow }: Story): boolean {
	const { agentLists, lagsMs = {}, hiddenAgents, recordsNext, failEvery } = variant;
	const isLate = lagsMs.agents !== undefined || lagsMs.agent !== undefined;
	// Empty lists prove nothing, for each source type by itself.
	const isProven = held.some(({ sourceType }) => sourceType === kindOf(workflow.resource));
	const isShown = agentLists === 'uniqueIds' && !isLate && !hiddenAgents && !recordsNext;
	return isShown && isProven && !failEvery;
}

/** Whether indexing takes longer than the node waits. */
export function isSlow({
	variant: { indexingMs = 0, web = {} },
	workflow: { parameters, items },
}: Story) {
	const minutes = items.map(({ json }) => {
		const { maxIndexingMinutes = 10 } = Object(json.options ?? parameters.options);
		return maxIndexingMinutes;
	});
	const slowest = Math.max(indexingMs, web.crawling?.processMs ?? 0);
	return slowest > Math.min(...minutes) * 60_000;
}

/** Whether the documents of an agent can be known: it is in the list, or an item names it. */
function isKnowable(uid: string, { variant, workflow }: Pick<Story, 'variant' | 'workflow'>) {
	return !variant.hiddenAgents?.includes(uid) || workflow.items.some((item) => item.uid === uid);
}

export function storiesOf(workflow: fc.Arbitrary<Workflow>, resource: string): fc.Arbitrary<Story> {
	return fc
		.record({
			workflow,
			variant: fc.oneof({ weight: 4, arbitrary: variant }, { weight: 1, arbitrary: untold }),
			weeks: weeksOf(REQUESTS[resource] ?? READING),
			held: fc.array(
				fc.record({ uid: fc.constantFrom(...KNOWN_AGENTS), of: fc.constantFrom(...HELD_IDS) }),
				{ maxLength: 4 },
			),
			isProven: fc.constantFrom(true, true, true, false),
		})
		.map(({ weeks, held, isProven, ...story }) => ({
			...story,
			held: [
				...held.map(({ uid, of }) => ({ uid, ...of })),
				...PROOF.filter(({ sourceType }) => isProven && sourceType === kindOf(resource)),
			].filter(({ uid }) => isKnowable(uid, story)),
			troubled: weeks.map((week) => ({ ...week, variant: story.variant })),
		}));
}
