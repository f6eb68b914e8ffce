import type { INodeParameters } from 'n8n-workflow';

/** Those of 'Options'; all others are under 'Request Options'. */
const OWN = [
	'answerMode',
	'checkIds',
	'contentType',
	'ifCheckFails',
	'keepMessages',
	'maxAnswerSeconds',
	'ifAgentsHaveIt',
	'ifGone',
	'ifNameExists',
	'ifNoFileIds',
	'maxCharacters',
	'maxIndexingMinutes',
	'maxShareToRemove',
	'onlyThisFolder',
	'runsMissing',
	'splitLongText',
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
