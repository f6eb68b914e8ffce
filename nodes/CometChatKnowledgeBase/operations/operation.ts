import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { Account } from '../http/account';
import type { Option, OptionValues } from '../fields/field';
import type { ParameterReader } from '../fields/parameters';
import type { ApiContext } from '../http/sendRequest';
import type { Clock } from '../http/time';
import type { Fields, ItemResult } from '../output/itemResult';
import type { OutputName } from '../output/outputFields';
import type { RunResult } from '../output/outputItems';
import type { Semaphore } from './concurrency';

export type { RunResult };

/** One line of the node's 'Operation' field, and what happens when it is run. */
export interface Operation {
	/** How saved workflows name it; unique in its resource. */
	value: string;
	/** In the node's 'Operation' field. */
	name: string;
	description: string;
	/** In n8n's list of actions. */
	action: string;
	/** What the user fills in, from top to bottom. */
	fields: INodeProperties[];
	/** The entries of their menu 'Options'. */
	options: Array<Option<unknown>>;
	/** What its output items may have; without Simplify also what CometChat gives. */
	output: OutputName[];
	/** What happens. Never throws: every item has a result. */
	run(run: RunContext): Promise<RunResult>;
}

/** Talking to CometChat in a run that may be stopped. */
export interface StoppableContext extends ApiContext {
	/** Is cancelled only when the user stops the run: for what must not be left half done. */
	userClock: Clock;
	/** Limits the number of simultaneous requests. */
	permits: Semaphore;
}

/** What earlier tries of the same call have done: n8n's 'Retry On Fail' calls the node with all items again. */
export interface DoneBefore {
	/** The results of the items that did not fail. */
	items: Map<number, ItemResult>;
	/** The rows of the documents that are done, by ID. */
	rows: Map<string, Fields>;
}

/** One execution of the node. */
export interface RunContext extends StoppableContext {
	/** For what only n8n has: binary data. */
	context: IExecuteFunctions;
	account: Account;
	/** How many input items there are. */
	count: number;
	/** The user's, for what does not go through `send`. */
	stop: AbortSignal;
	/** Whether an item that fails ends the run. */
	stopsOnFailure: boolean;
	done: DoneBefore;
	/** Lets no further request start, but for what must not be left half done. */
	cancel(): void;
	/** The values of 'Options' for an item. An option for the whole execution has the same value for all items. */
	optionsOf(index: number): OptionValues;
	/** Reads a parameter for each item; once for all of them if there is no expression in it. */
	parameter(name: string): ParameterReader;
}
