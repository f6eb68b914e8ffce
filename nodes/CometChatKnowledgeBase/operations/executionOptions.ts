import type { IExecuteFunctions } from 'n8n-workflow';

import type { Option } from '../fields/field';
import { requestOptions } from '../fields/fields';
import { itemOptions } from '../fields/itemOptions';
import type { RunContext } from './operation';

/** The options of an execution, and those of each of its items. */
interface Chosen extends Pick<RunContext, 'option' | 'optionsOf'> {
	/** The time limit of an attempt. */
	timeoutMs: number;
	/** 0: as many as CometChat takes. */
	requestsPerMinute: number;
}

/**
 * Reads the options of an operation. Each item has its own values, unless an option is `forExecution`.
 *
 * @throws UserError where items differ in an option that applies to the whole execution.
 */
export async function chosenOptions(
	context: IExecuteFunctions,
	own: Array<Option<unknown>>,
	pause: () => Promise<void>,
): Promise<Chosen> {
	const { timeout, requestsPerMinute } = requestOptions;
	const optionsOf = await itemOptions(context, 'options', own, pause);
	const ofRequests = [timeout, requestsPerMinute];
	const sending = await itemOptions(context, 'requestOptions', ofRequests, pause);
	return {
		option: (one) => optionsOf(0)(one),
		optionsOf,
		timeoutMs: sending(0)(timeout),
		requestsPerMinute: sending(0)(requestsPerMinute),
	};
}
