import type { INodeProperties } from 'n8n-workflow';

import { numberOption, readOptions } from './options';

/**
 * In milliseconds, as n8n has it. Ours is longer than the ten seconds of n8n's, which are for the first byte:
 * CometChat's pages name no time, and a request that is given up early may have been carried out.
 */
export const timeoutOption = numberOption(
	{
		displayName: 'Timeout',
		name: 'timeout',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 3_600_000 },
		default: 60_000,
		description:
			'Time in ms to wait for the whole answer to a request before it is ended and sent again. A crawl and an upload have limits of their own.',
	},
	{ menu: "'Request Options' in the node's Settings" },
);

/** In the Settings tab, where each of n8n's declarative nodes has it. */
export const requestOptionsField: INodeProperties = {
	displayName: 'Request Options',
	name: 'requestOptions',
	type: 'collection',
	isNodeSetting: true,
	placeholder: 'Add Option',
	default: {},
	options: [timeoutOption.property],
};

/** How long an attempt may take. */
export function readTimeoutMs(collection: unknown): number {
	const option = readOptions([timeoutOption], collection);
	return option(timeoutOption);
}
