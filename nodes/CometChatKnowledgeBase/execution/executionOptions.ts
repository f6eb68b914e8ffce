import type { IExecuteFunctions } from 'n8n-workflow';

import type { ExecutionOption, Option } from '../input/field';
import { isExecutionOption } from '../input/field';
import { requestOptions } from '../input/fields';
import { shownValue, valueForAll } from '../input/forExecution';
import type { ItemOptions } from '../input/itemOptions';
import { itemOptions } from '../input/itemOptions';
import type { RunContext } from './operation';

/** What was chosen for an execution, and for each of its items. */
interface Chosen extends Pick<RunContext, 'option' | 'optionsOf'> {
	/** How long an attempt may take. */
	timeoutMs: number;
	/** 0: as many as CometChat takes. */
	requestsPerMinute: number;
}

/**
 * Reads the options of an operation, each of which is an item's own unless it is `forExecution`.
 *
 * @param pause Is called for each item of a long loop, so that n8n gets its turns.
 * @throws UserError where items differ in what applies to the whole execution.
 */
export async function chosenOptions(
	context: IExecuteFunctions,
	own: Array<Option<unknown>>,
	pause: () => Promise<void>,
): Promise<Chosen> {
	const { length } = context.getInputData();
	const check = async (menu: ItemOptions, option: ExecutionOption<unknown>) => {
		const different = {
			label: option.property.displayName,
			count: menu.mayDiffer(option) ? length : 1,
			read: (index: number) => menu.of(index)(option),
			shown: (value: unknown) => shownValue(option, value),
		};
		await valueForAll(different, pause);
	};
	const options = itemOptions(context, 'options', own);
	for (const option of own.filter(isExecutionOption)) await check(options, option);
	const { timeout, requestsPerMinute } = requestOptions;
	const sending = itemOptions(context, 'requestOptions', [timeout, requestsPerMinute]);
	for (const option of [timeout, requestsPerMinute]) await check(sending, option);
	return {
		option: (one) => options.of(0)(one),
		optionsOf: options.of,
		timeoutMs: sending.of(0)(timeout),
		requestsPerMinute: sending.of(0)(requestsPerMinute),
	};
}
