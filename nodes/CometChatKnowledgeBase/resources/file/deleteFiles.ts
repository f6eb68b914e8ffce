import type { INodeProperties } from 'n8n-workflow';

import { readPathValue } from '../../input/identifiers';
import { ValidationIssue } from '../../values/validationIssue';
import { deleteOne, isUnknownFile } from '../../service/deletion';
import { filesFields, ifGoneOption, ifNoFileIdsOption, optionsField } from '../../input/fields';
import { filesReader, readFileIdsOrSkip } from '../../input/fileIds';
import type { Performer, Reader } from '../../execution/items';
import { itemByItem } from '../../execution/items';
import type { Operation, RunContext } from '../../execution/operation';
import type { ItemResult } from '../../results/itemResult';
import type { Effect } from '../../requests/attemptResult';
import { describeFiles, filesByEffect } from '../../execution/splitResult';
import type { ItemFailure } from '../../results/itemFailure';
import { RequestFailure } from '../../results/itemFailure';
import { Steps } from '../../execution/steps';

interface Task {
	/** The part of the address that says what kind of record it is. */
	kind: string;
	uniqueIds: string[];
}

const KINDS = [
	{ name: 'Text', value: 'text', description: 'A text that was written in CometChat' },
	{
		name: 'Upload',
		value: 'uploads',
		description: 'A file that was uploaded, such as PDF or Word',
	},
	{ name: 'Website', value: 'website', description: 'A site that CometChat has read' },
];

const kindField: INodeProperties = {
	displayName: 'Kind of File',
	name: 'fileKind',
	type: 'options',
	options: KINDS,
	default: 'uploads',
	description: 'What the IDs belong to',
};

const warning: INodeProperties = {
	displayName:
		'Files are deleted for good: from CometChat, and from every agent that has them. To take a file from one agent only, use Remove Files.',
	name: 'deleteNotice',
	type: 'notice',
	default: '',
};

export const deleteFiles: Operation = {
	value: 'delete',
	name: 'Delete Files',
	action: 'Delete files',
	description: 'Delete files for good, also from every agent that has them',
	fields: [warning, kindField, ...filesFields, optionsField([ifGoneOption, ifNoFileIdsOption])],
	run: itemByItem(reader, deleter),
};

function reader(run: RunContext): Reader<Task> {
	const kindOf = run.parameter('fileKind');
	const fileIdsOf = filesReader(run.parameter);
	return (index) => {
		const given = kindOf(index);
		// As the records' own `type` calls texts.
		const wanted = given === 'text-details' ? 'text' : given;
		const kind = KINDS.find(({ value }) => value === wanted)?.value;
		if (kind === undefined) {
			return new ValidationIssue(
				"'Kind of File' is not one of its choices",
				'Pick Text, Upload or Website.',
			);
		}
		const fileIds = readFileIdsOrSkip(fileIdsOf(index), run.options, {});
		if (fileIds instanceof ValidationIssue || 'kind' in fileIds) return fileIds;
		const { ids: uniqueIds } = fileIds;
		for (const id of uniqueIds) {
			// Here an ID is a part of the address.
			const safe = readPathValue(id, "An entry of 'File IDs'", 'Give the ID of the file.');
			if (safe instanceof ValidationIssue) return safe;
		}
		return { kind: 'ready', task: { kind, uniqueIds }, requested: { uniqueIds } };
	};
}

/** What became of a file, and the requests that it took. */
interface Deletion {
	answer: true | ItemFailure;
	steps: Steps;
}

/**
 * One request for each file: the service documents none for several. What n8n expects of a delete is
 * `deleted: true`; the IDs stand beside it.
 */
function deleter(run: RunContext): Performer<Task> {
	const deletions = new Map<string, Promise<Deletion>>();
	// Once for all items that ask for it: a second request would find nothing.
	const deleteOnce = async (kind: string, uniqueId: string) => {
		const key = JSON.stringify([kind, uniqueId]);
		const deletion = deletions.get(key) ?? deleteAlone(run, kind, uniqueId);
		deletions.set(key, deletion);
		return await deletion;
	};
	return { perform: async ({ task }) => await deleteAll(run, task, deleteOnce) };
}

async function deleteAlone(run: RunContext, kind: string, uniqueId: string): Promise<Deletion> {
	const steps = new Steps(run);
	return { answer: await deleteOne(steps, kind, uniqueId), steps };
}

async function deleteAll(
	run: RunContext,
	{ kind, uniqueIds }: Task,
	deleteOnce: (kind: string, uniqueId: string) => Promise<Deletion>,
): Promise<ItemResult> {
	const steps = new Steps(run);
	const takesGone = run.options.ifGone === 'deleted';
	const parts: Array<{ uniqueIds: string[]; effect: Effect }> = [];
	const alreadyGone: string[] = [];
	let failure: ItemFailure | undefined;
	for (const uniqueId of uniqueIds) {
		if (failure && run.stopsOnFailure) {
			parts.push({ uniqueIds: [uniqueId], effect: 'not applied' });
			continue;
		}
		const { answer, steps: taken } = await deleteOnce(kind, uniqueId);
		steps.include(taken);
		const effect = answer === true ? 'applied' : effectOf(answer);
		const isGone = takesGone && answer !== true && isUnknownFile(answer);
		if (isGone) alreadyGone.push(uniqueId);
		parts.push({ uniqueIds: [uniqueId], effect: isGone ? 'applied' : effect });
		if (answer !== true && !isGone) failure ??= answer;
	}
	const requested = takesGone ? { uniqueIds, alreadyGone } : { uniqueIds };
	if (failure === undefined) return steps.done([{ deleted: true, ...requested }]);
	const files = filesByEffect(parts);
	const otherwise = files.unknown.length > 0 ? 'unknown' : 'not applied';
	const effect = files.applied.length > 0 ? 'partly applied' : otherwise;
	const consequence = describeFiles(files, uniqueIds.length, 'deleted');
	return steps.failed(withIfGone(failure), effect, consequence, {
		...requested,
		...(uniqueIds.length > 1 ? { files } : {}),
	});
}

/** The same; if there is no such file, with the way out for one that was deleted before. */
function withIfGone(failure: ItemFailure): ItemFailure {
	if (!(failure instanceof RequestFailure) || !isUnknownFile(failure)) return failure;
	const { explanation, ...result } = failure.result;
	const way = "If it was deleted before, set 'If Already Gone' under Options to Count as Deleted.";
	return new RequestFailure({
		...result,
		explanation: explanation && { ...explanation, remedy: `${explanation.remedy} ${way}` },
	});
}

function effectOf(failure: ItemFailure): Effect {
	if (failure instanceof RequestFailure) return failure.result.effect;
	return failure.more.effect ?? 'not applied';
}
