import { numberOption, switchOption } from '../../../input/options';

/** Our choice: a folder that has lost more than half of its files at once may not have been read whole. */
export const maxShareOption = numberOption({
	displayName: 'Max Share to Remove (Percent)',
	name: 'maxShareToRemove',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 100 },
	default: 50,
	description:
		'Raise it for a small folder that changes a lot. If this share of the files or more is missing at once, none is taken out: the folder may not have been read to its end. 100 allows all.',
});

/** Ours: two executions without a file are enough for who reads a folder as a whole. */
export const runsMissingOption = numberOption({
	displayName: 'Runs Without It',
	name: 'runsMissing',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 10 },
	default: 1,
	description:
		'Raise it if downloads fail now and then. How many runs in a row must have come without a file before the next one takes it out.',
});

export const wholeFolderOption = switchOption({
	displayName: 'Each Call Has the Whole Folder',
	name: 'wholeFolder',
	type: 'boolean',
	default: false,
	description:
		'Whether each call of this node brings all files of the folder. What a call lacks is then gone at once. If n8n calls the node several times, for branches, loops or batches, the files of the other calls count as gone.',
});

export const onlyThisFolderOption = switchOption({
	displayName: 'Only This Folder',
	name: 'onlyThisFolder',
	type: 'boolean',
	default: false,
	description:
		'Whether the agent is to know this folder and nothing else. Any other uploaded file is taken from it at once, wherever it came from, as Files No Longer in the Folder says. Try it with Dry Run first.',
});
