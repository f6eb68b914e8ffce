import type fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type {
	Agent,
	Arrival,
	KnowledgeRecord,
	LogEntry,
	ReceivedBytes,
	RecordSeed,
	ServiceOptions,
	WebsiteShown,
} from '../service/service';
import type { Run } from '../node/engine';
import type { Exchange } from './exchanges';
import type { Reported } from './report';
import type { BadId, Circumstances, Misbehaviour, Variant } from './serviceBehaviour';

/**
 * One operation of the node: what it drafts, what it sends, what it brings into the service, and
 * its own promises. All else is the same for every operation.
 *
 * A new one needs a file in `operations/` with such a description, and its name in the list of
 * `played.ts`. `getStatus.ts` is the shortest to begin from; one whose requests have no IDs in
 * them begins from `getAgent.ts` (`ownersOf`), one that does something to each of a list of files from
 * `delete.ts` (`perFile`), one that brings content from `createText.ts`.
 */
export interface Operation<W extends Wanted = Wanted, O extends Options = Options> {
	/** As `npm run test:model -- --of` names it. */
	name: string;
	/** How many runs `npm test` plays. */
	runs: number;
	/** The node's parameters; whatever can differ from item to item comes from the item's JSON. */
	parameters: INodeParameters;
	/** What is in the service when a run starts, newest first. */
	records: RecordSeed[];
	/** What the websites among them have; left out: no pages. */
	found?: ServiceOptions['found'];
	/** The requests to the API that it may send. */
	requests: Request[];
	/** Those of them that it may send for several items at once. */
	sharedRequests: Request[];
	/** Whether items may be of one name, so that nothing tells for which of them a request is. */
	hasTwins?: boolean;

	/** Those of them that are not worth a second try, and fail no item; left out: none. */
	looks?: Request[];
	/** Further ones that may be asked anew once they were answered; left out: none. */
	asksAnew?: Request[];
	/** Whether the workflow runs once more, much later and at a service that does not misbehave. */
	runsAgain?: boolean;

	draft: fc.Arbitrary<ItemDraft<W>>;
	mostItems: number;
	options: fc.Arbitrary<O>;
	/**
	 * What the node was given in a run before, as the JSON of its items; left out: there was none. The service
	 * was good then, and n8n has kept what the node noted.
	 */
	earlier?(items: Array<Item<W>>): IDataObject[];
	/** What somebody else has written since, into texts that were there; left out: nothing. */
	edits?(items: Array<Item<W>>, there: Holdings): Edit[];
	/** Whether the items come once more after the run, when the service is good again. */
	comesAgain?: boolean;
	/** What the knowledge bases hold before the run; left out: nothing. */
	heldBefore?: fc.Arbitrary<{ of(items: Array<Item<W>>): Held[] }>;
	/** Which requests a misbehaviour is for; left out: any that the operation may send. */
	addressee?: fc.Arbitrary<Misbehaviour['for']>;
	/** IDs that the service refuses; left out: none. */
	badIds?: fc.Arbitrary<BadId[]>;

	/** How the service may be where its documentation is silent; left out: in every way. */
	variant?: fc.Arbitrary<Variant>;
	/** Whether an item that is done has any number of output items; left out: exactly one. */
	isList?: boolean;

	/** For operations that do the same to each of a list of IDs, and tell of each. */
	perFile?: {
		/** Whether a request is to do what an item asks for, at the same place. */
		concerns(one: Exchange, wanted: W): boolean;
		/** Whether what an item asks for is so in the end, for one of its IDs. */
		isSo(id: string, wanted: W, given: Case<W, O>): boolean;
	};
	/** What may be no longer there, or no longer with an agent, after the run; left out: nothing. */
	mayTake?(wanted: W, record: { id: string; name: string }, place: string): boolean;
	/** What its agent may have after the run, beside what an item names and brings; left out: nothing. */
	mayGive?(wanted: W, record: { id: string; name: string }): boolean;
	/** The items that alone can have caused a request; undefined: those whose names or IDs it holds. */
	ownersOf?(one: Exchange, played: Played<W, O>): number[] | undefined;
	/** Whether an item may not be sent because of another; left out: none. */
	isHeldBack?(one: Asked<W>, given: Case<W, O>): boolean;
	/** Whether a request is sent although another item has failed. */
	isSentAfterFailure?(one: Exchange, given: Case<W, O>): boolean;
	/** Whether requests that were not done have all the same not failed their item. */
	isNoFailure?(sent: Exchange[], given: Case<W, O>): boolean;
	/** Whether the number of attempts that an item names is exactly that of its own requests. */
	isCountExact?(one: Asked<W>, given: Case<W, O>): boolean;
	/** Whether nobody can know what became of an item although all answers were clear. */
	mayBeUnknown?(one: Asked<W>, given: Case<W, O>): boolean;
	/** Whether an honest service lets an item be done; undefined where that depends on the moment. */
	canBeDone(one: Asked<W>, given: Case<W, O>): boolean | undefined;
	/** Of a run of one item that stopped, what the words of its error mean. */
	wording?: Array<[RegExp, Reported['outcome']]>;

	promises: Array<Promised<Case<W, O>>>;

	/** What some run has to meet, so that no promise is kept only because nothing ever happened. */
	meets: Record<string, Event<W, O>['isMet']>;
	/** Of what the runs of every operation have to meet (see coverage.ts), what can't happen here. */
	neverMeets: string[];
}

/** Something that a run may meet. As a method, so that one of any operation may see a special one. */
export interface Event<W extends Wanted = Wanted, O extends Options = Options> {
	isMet(played: Played<W, O>, reported: Reported[]): boolean;
}

export type Request = NonNullable<Arrival['operation']>;

/** A sentence about every run, and what contradicts it in one. */
export interface Promised<Given> {
	title: string;
	/** Holds for these runs only; left out: for all. */
	holdsFor?(given: Given): boolean;
	/** @returns What is wrong; undefined if nothing is. */
	contradiction(given: Given): string | undefined;
}

/** One run of the node, and all that befalls it. */
export interface Scenario<
	W extends Wanted = Wanted,
	O extends Options = Options,
> extends Circumstances {
	/** Never empty. */
	items: Array<Item<W>>;
	options: O;
	heldBefore: Held[];
	/** The files and texts that the service can't read, by name. */
	unreadable: string[];
}

export interface Held {
	uid: string;
	sourceType: string;
	ids: string[];
}

/** Of the node's 'Options', those that promises of several operations look at. */
export interface Options {
	parallelRequests?: number;
	maxAttempts?: number;
	maxWaitSeconds?: number;
	timeoutSeconds?: number;
	maxRequestsPerMinute?: number;
	maxIndexingMinutes?: number;
	ifNoFileIds?: 'fail' | 'skip';
	ifSiteExists?: 'skip' | 'refresh' | 'fail';
	keepOrder?: boolean;
	combineItems?: boolean;
	splitLongText?: boolean;
}

export interface Edit {
	id: string;
	text: string;
}

export interface Item<W> {
	/** The node's parameters take their values from here. */
	json: IDataObject;
	/** By binary field. */
	files?: Record<string, FileDraft>;
	/** What that means: something, nothing at all, or nothing that could be sent. */
	wanted: W | 'empty' | 'unusable';
}

/** What an item holds, before it is known which one it is, and whether it may be flawed. */
export type ItemDraft<W> = (index: number, mayBeFlawed: boolean) => Item<W>;

/** What an item asks for, as far as several operations have it. */
export interface Wanted {
	/** The agent that it is about, and where there. */
	uid?: string;
	sourceType?: string;
	/** The IDs that it asks for, each once. */
	ids?: string[];
	/** What it uploads. */
	files?: FileDraft[];
	/** What it writes. */
	title?: string;
	text?: string;
	/** The same where it is split. */
	parts?: Array<{ title: string; text: string }>;
	/** What the service may call the one website that it crawls. */
	addresses?: string[];
	/** Of its IDs, those that it gives to the agent. */
	adds?: string[];
	/** Whether it waits until that is indexed. */
	waits?: boolean;
}

export interface FileDraft {
	fileName: string;
	size: number;
	kept: 'on disk' | 'in memory';
}

/** What came of a run: what the node says, and what the stand-in saw. */
export interface Played<W extends Wanted = Wanted, O extends Options = Options> {
	scenario: Scenario<W, O>;
	run: Run;
	/** All requests, in the order in which they arrived. */
	exchanges: Exchange[];
	/** In the order in which things happened. */
	log: LogEntry[];
	/** When the stop button was pressed. */
	stoppedAtMs?: number;
	/** When the run was over. */
	endedAtMs: number;
	/** Timers that the run has left behind. */
	timersLeft: number;
	before: Holdings;
	after: Holdings;
	/** What the agents had at each line of the log. */
	moments: Array<Holdings['attached']>;
	/** The websites at the same moments. */
	sites: WebsiteShown[][];
	/** The next run of the same workflow, where it runs again, and what there was after it. */
	next?: { run: Run; exchanges: Exchange[]; after: Holdings };
	/** All that the service ever held, as it was last seen there, by ID. */
	lastSeen: Map<string, { record: KnowledgeRecord; stored?: ReceivedBytes }>;
	/** What has come of a file's bytes, at the end. */
	stored(uniqueId: string): ReceivedBytes | undefined;
	/** What a text says at the end; undefined if it is not there. */
	text(uniqueId: string): string | undefined;
	/** What somebody else has written before it. */
	edits: Edit[];
	/** The run after it, in which the same items have come. */
	again?: Again;
}

export interface Again extends Pick<Played, 'run' | 'log' | 'after' | 'text'> {
	/** When it began. */
	before: Holdings;
}

/** What the service holds. */
export interface Holdings {
	/** Newest first. */
	records: KnowledgeRecord[];
	/** Those whose pages are known. */
	websites: WebsiteShown[];
	/** Without what is attached to them. */
	agents: readonly Agent[];
	/** The files of each agent, under `uid/sourceType`. */
	attached: Map<string, string[]>;
}

/** What a run came to, with what the node says of each item. */
export interface Case<W extends Wanted = Wanted, O extends Options = Options> extends Played<W, O> {
	operation: Operation<W, O>;
	reported: Reported[];
	asked: Array<Asked<W>>;
	/** The requests that repeat each other, as far as it is known whose they are. */
	tries: Exchange[][];
}

/** An item that can be sent. */
export interface Asked<W> {
	index: number;
	item: Item<W>;
	wanted: W;
	reported: Reported;
	/** Of its IDs, those that no other item asks for at the same place. */
	ownIds: string[];
	/** The requests that hold what it alone asks for. */
	requests: Exchange[];
}
