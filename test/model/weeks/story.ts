import type { IDataObject, INodeParameters } from 'n8n-workflow';
import fc from 'fast-check';

import type { TestFile } from '../../node/engine';
import { maybe, oneIn } from '../drafting';
import type { Circumstances, Variant } from '../serviceBehaviour';
import { KNOWN_AGENTS, misbehavioursOf, rateLimit, stop } from '../serviceBehaviour';
import type { Fact } from './facts';
import { HELD_IDS, kindOf, PROOF, sites } from './world';

/** A workflow with the node in it, and how it goes from week to week. */
export interface Story {
	workflow: Workflow;
	/** What the agents have before the first week: IDs of the world. */
	held: Array<{ uid: string; sourceType: string; ids: string[] }>;
	/** How the service is all the time. */
	variant: Variant;
	/** Weeks in which something goes wrong; as many calm ones follow as `CALM_WEEKS` says. */
	troubled: Week[];
}

export const CALM_WEEKS = 3;

/** An operation with the items that come each week. */
export interface Workflow {
	resource: string;
	operation: string;
	parameters: INodeParameters;
	items: Item[];
	/** Whether each run is to bring one more of what was there. */
	grows: boolean;
}

export interface Item {
	json: IDataObject;
	files?: Record<string, TestFile>;
	/** What is so once the item is said to be done. */
	wants: Fact[];
	/** The names and IDs of what it may take from its agent, or delete. */
	takes: string[];
	/** What has to be so before it takes anything; left out: those of `wants` that come first. */
	takesAfter?: Fact[];
	/** The agent that it is for, if it is for one. */
	uid?: string;
	/** Whether the user chose that documents are deleted that were there before. */
	deletes?: boolean;
	/** Whether it may take them from all other agents as well. */
	takesFromAll?: boolean;
	/** The name of what all agents of such items are to have as one document. */
	shares?: string;
	/** Whether it brings something else each week. */
	isNew?: boolean;
	/** Whether it may fail although nothing is wrong with the service. */
	mayFail?: boolean;
}

/** One execution of the workflow, or two at once, and what befalls it. */
export interface Week extends Circumstances {
	/** When another execution begins, with the same items. */
	secondAfterMs?: number;
	/** Whether n8n runs the node again if its first row fails, three times in all. */
	retryOnFail?: boolean;
	/** Whether a crawl does not find all pages, and says that it failed. */
	breaksCrawlsOff?: boolean;
	/** Whether a crawl makes a website with another URL. */
	redirectsCrawls?: boolean;
	/** Whether each page of the web shows the same barrier. */
	showsBarrier?: boolean;
}

type Request = Parameters<typeof misbehavioursOf>[0][number];

/** What may go wrong: the requests that the node sends for a resource. */
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

/** Nothing goes wrong, and each item has its own outcome. */
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
	// Nothing but what the items themselves are: a refused one ends the run of the others.
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
	return fc.array(
		fc.oneof(
			{ weight: 3, arbitrary: faulty },
			{ weight: 1, arbitrary: double },
			{ weight: 3, arbitrary: plain },
			{ weight: 2, arbitrary: tried },
		),
		{ maxLength: 3 },
	);
}

/** What the documentation leaves open, in ways that let the node know what there is. */
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

/** The same, and in ways that do not: nothing is promised then but that nothing is lost. */
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

/** Whether what there is can be known from the lists, and all that comes can be read. */
export function isTold({ variant, held, workflow }: Story): boolean {
	const { agentLists, lagsMs = {}, hiddenAgents, recordsNext, failEvery } = variant;
	const isLate = lagsMs.agents !== undefined || lagsMs.agent !== undefined;
	// Lists that are all empty may as well be such as tell nothing, each kind by itself.
	const isProven = held.some(({ sourceType }) => sourceType === kindOf(workflow.resource));
	const isShown = agentLists === 'uniqueIds' && !isLate && !hiddenAgents && !recordsNext;
	return isShown && isProven && !failEvery;
}

/** Whether what comes takes longer to read than the node waits. */
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

/** What an agent has that the list leaves out, and that no item is for, nobody can know. */
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
