import type { INodeParameters } from 'n8n-workflow';

/** Those of 'Options'; all others are under 'Request Options'. */
const OWN = [
	'checkIds',
	'contentType',
	'ifGone',
	'ifNameExists',
	'ifNoFileIds',
	'maxCharacters',
	'maxIndexingMinutes',
	'maxShareToRemove',
	'onlyThisFolder',
	'runsMissing',
	'showAgents',
	'wholeFolder',
];

/** The node's two collections, for options that are given in one. */
export function optionParameters(options: INodeParameters): INodeParameters {
	const entries = Object.entries(options);
	return {
		options: Object.fromEntries(entries.filter(([name]) => OWN.includes(name))),
		requestOptions: Object.fromEntries(entries.filter(([name]) => !OWN.includes(name))),
	};
}
