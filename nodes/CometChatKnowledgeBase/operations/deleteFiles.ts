import type { INodeProperties } from 'n8n-workflow';

import { readPathValue } from '../change';
import { Complaint } from '../complaint';
import { deleteOne } from '../deleting';
import { filesFields, ifNoFileIdsOption, optionsField } from '../fields';
import { filesReader, readFileIdsOrSkip } from '../fileIds';
import type { Reader, Ready } from '../items';
import { itemByItem } from '../items';
import type { Operation, Session } from '../operation';
import type { Outcome } from '../outcome';
import type { Effect } from '../reply';
import { describeFiles, filesByEffect } from '../settle';
import type { Setback } from '../setback';
import { isSetback, Refused } from '../setback';
import { Steps } from '../steps';

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
	resource: 'file',
	value: 'delete',
	name: 'Delete Files',
	action: 'Delete files',
	description: 'Delete files for good, also from every agent that has them',
	fields: [warning, kindField, ...filesFields, optionsField([ifNoFileIdsOption])],
	run: itemByItem(reader, (run) => ({ perform: async (item) => await deleteAll(item, run) })),
};

function reader(session: Session): Reader<Task> {
	const kindOf = session.parameter('fileKind');
	const fileIdsOf = filesReader(session.parameter);
	return (index) => {
		const given = kindOf(index);
		// As the records' own `type` calls texts.
		const wanted = given === 'text-details' ? 'text' : given;
		const kind = KINDS.find(({ value }) => value === wanted)?.value;
		if (kind === undefined) {
			return new Complaint(
				"'Kind of File' is not one of its choices",
				'Pick Text, Upload or Website.',
			);
		}
		const fileIds = readFileIdsOrSkip(fileIdsOf(index), session.settings, {});
		if (fileIds instanceof Complaint || 'kind' in fileIds) return fileIds;
		const { ids: uniqueIds } = fileIds;
		for (const id of uniqueIds) {
			// Here an ID is a part of the address.
			const safe = readPathValue(id, "An entry of 'File IDs'", 'Give the ID of the file.');
			if (safe instanceof Complaint) return safe;
		}
		return { kind: 'ready', task: { kind, uniqueIds }, asked: { uniqueIds } };
	};
}

/**
 * One request for each file: the service documents none for several. What n8n expects of a delete is
 * `deleted: true`; the IDs stand beside it.
 */
async function deleteAll({ task }: Ready<Task>, session: Session): Promise<Outcome> {
	const steps = new Steps(session);
	const { kind, uniqueIds } = task;
	const parts: Array<{ uniqueIds: string[]; effect: Effect }> = [];
	let failure: Setback | undefined;
	for (const uniqueId of uniqueIds) {
		if (failure && session.stopsOnFailure) {
			parts.push({ uniqueIds: [uniqueId], effect: 'not applied' });
			continue;
		}
		const answer = await deleteOne(steps, kind, uniqueId);
		const otherwise = answer instanceof Refused ? answer.ending.effect : 'not applied';
		parts.push({ uniqueIds: [uniqueId], effect: answer === true ? 'applied' : otherwise });
		if (isSetback(answer)) failure ??= answer;
	}
	if (failure === undefined) return steps.done([{ deleted: true, uniqueIds }]);
	const files = filesByEffect(parts);
	const otherwise = files.unknown.length > 0 ? 'unknown' : 'not applied';
	const effect = files.applied.length > 0 ? 'partly applied' : otherwise;
	const meaning = describeFiles(files, uniqueIds.length, 'deleted');
	return steps.failed(failure, effect, meaning, {
		uniqueIds,
		...(uniqueIds.length > 1 ? { files } : {}),
	});
}
