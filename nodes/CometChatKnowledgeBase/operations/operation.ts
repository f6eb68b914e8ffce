import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { ApiClient } from '../api/apiClient';
import type { Account } from '../http/account';
import type { Option, OptionValues } from '../fields/field';
import type { ParameterReader } from '../fields/parameters';
import type { ApiContext } from '../http/sendRequest';
import type { Clock } from '../http/time';
import type { Fields, ItemResult } from '../output/itemResult';
import type { OutputName } from '../output/outputFields';
import type { RunResult } from '../output/outputItems';

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

/** Sends the requests of an execution, until its clock is cancelled. */
export interface RunClient extends ApiClient {
	readonly clock: Clock;
}

/** What earlier tries of the same call have done: n8n's 'Retry On Fail' calls the node with all items again. */
export interface DoneBefore {
	/** The results of the items that are not run again. */
	items: Map<number, ItemResult>;
	/** The rows of the documents that are done, by ID. */
	rows: Map<string, Fields>;
}

/** One execution of the node. */
export interface RunContext extends Pick<ApiContext, 'send' | 'limits'> {
	/** Starts work. Sends nothing after the stop button, or after a failure in an execution that stops on failure. */
	starting: RunClient;
	/** Finishes what was started. Only the stop button ends it. */
	finishing: RunClient;
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
	/** Ends what is starting. */
	cancel(): void;
	/** The values of 'Options' for an item. An option for the whole execution has the same value for all items. */
	optionsOf(index: number): OptionValues;
	/** Reads a parameter for each item; once for all of them if there is no expression in it. */
	parameter(name: string): ParameterReader;
}
