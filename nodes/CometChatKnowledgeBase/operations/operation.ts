import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { ApiClient } from '../api/apiClient';
import type { Account } from '../http/account';
import type { Option, OptionValues } from '../fields/field';
import type { ParameterReader } from '../fields/parameters';
import type { Clock } from '../http/time';
import type { Fields, ItemResult } from '../output/itemResult';
import type { OutputName } from '../output/outputFields';
import type { RunResult } from '../output/outputItems';

/** One entry of the node's 'Operation' field, and its code. */
export interface Operation {
	/** The name in saved workflows; unique in its resource. */
	value: string;
	/** The label in the node's 'Operation' field. */
	name: string;
	description: string;
	/** The label in n8n's list of actions. */
	action: string;
	/** The fields of the panel, from top to bottom. */
	fields: INodeProperties[];
	/** The entries of the menu 'Options'. */
	options: Array<Option<unknown>>;
	/** The possible fields of output items; without Simplify, CometChat's own fields come in addition. */
	output: OutputName[];
	/** Runs the operation. Never throws: each item has a result. */
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
export interface RunContext {
	/** Starts work. Sends nothing after the stop button, or after a failure in an execution that stops on failure. */
	starting: RunClient;
	/** Finishes what was started. Only the stop button ends it. */
	finishing: RunClient;
	/** n8n's own functions, for example for binary data. */
	context: IExecuteFunctions;
	account: Account;
	/** The number of input items. */
	count: number;
	/** The user's stop button, for requests that no client sends. */
	stop: AbortSignal;
	/** Whether a failed item ends the execution. */
	stopsOnFailure: boolean;
	done: DoneBefore;
	/** Ends the client `starting`. */
	cancel(): void;
	/** The values of 'Options' for an item. An option for the whole execution has the same value for all items. */
	optionsOf(index: number): OptionValues;
	/** Reads a parameter for each item; only once for all items if the parameter contains no expression. */
	parameter(name: string): ParameterReader;
}
