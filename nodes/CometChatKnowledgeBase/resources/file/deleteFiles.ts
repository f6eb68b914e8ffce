import type { INodeProperties } from 'n8n-workflow';

import { readPathValue } from '../../input/identifiers';
import { Complaint } from '../../values/validationIssue';
import { deleteOne, isUnknownFile } from '../../service/deletion';
import { filesFields, ifGoneOption, ifNoFileIdsOption, optionsField } from '../../input/fields';
import { filesReader, readFileIdsOrSkip } from '../../input/fileIds';
import type { Performer, Reader } from '../../execution/items';
import { itemByItem } from '../../execution/items';
import type { Operation, Session } from '../../execution/operation';
import type { Outcome } from '../../results/itemResult';
import type { Effect } from '../../requests/attemptResult';
import { describeFiles, filesByEffect } from '../../execution/splitResult';
import type { Setback } from '../../results/itemFailure';
import { Refused } from '../../results/itemFailure';
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
	resource: 'file',
	value: 'delete',
	name: 'Delete Files',
	action: 'Delete files',
	description: 'Delete files for good, also from every agent that has them',
	fields: [warning, kindField, ...filesFields, optionsField([ifGoneOption, ifNoFileIdsOption])],
	run: itemByItem(reader, deleter),
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

/** What became of a file, and the requests that it took. */
interface Deletion {
	answer: true | Setback;
	steps: Steps;
}

/**
 * One request for each file: the service documents none for several. What n8n expects of a delete is
 * `deleted: true`; the IDs stand beside it.
 */
function deleter(session: Session): Performer<Task> {
	const deletions = new Map<string, Promise<Deletion>>();
	// Once for all items that ask for it: a second request would find nothing.
	const deleteOnce = async (kind: string, uniqueId: string) => {
		const key = JSON.stringify([kind, uniqueId]);
		const deletion = deletions.get(key) ?? deleteAlone(session, kind, uniqueId);
		deletions.set(key, deletion);
		return await deletion;
	};
	return { perform: async ({ task }) => await deleteAll(session, task, deleteOnce) };
}

async function deleteAlone(session: Session, kind: string, uniqueId: string): Promise<Deletion> {
	const steps = new Steps(session);
	return { answer: await deleteOne(steps, kind, uniqueId), steps };
}

async function deleteAll(
	session: Session,
	{ kind, uniqueIds }: Task,
	deleteOnce: (kind: string, uniqueId: string) => Promise<Deletion>,
): Promise<Outcome> {
	const steps = new Steps(session);
	const takesGone = session.settings.ifGone === 'deleted';
	const parts: Array<{ uniqueIds: string[]; effect: Effect }> = [];
	const alreadyGone: string[] = [];
	let failure: Setback | undefined;
	for (const uniqueId of uniqueIds) {
		if (failure && session.stopsOnFailure) {
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
	const asked = takesGone ? { uniqueIds, alreadyGone } : { uniqueIds };
	if (failure === undefined) return steps.done([{ deleted: true, ...asked }]);
	const files = filesByEffect(parts);
	const otherwise = files.unknown.length > 0 ? 'unknown' : 'not applied';
	const effect = files.applied.length > 0 ? 'partly applied' : otherwise;
	const meaning = describeFiles(files, uniqueIds.length, 'deleted');
	return steps.failed(withIfGone(failure), effect, meaning, {
		...asked,
		...(uniqueIds.length > 1 ? { files } : {}),
	});
}

/** The same; if there is no such file, with the way out for one that was deleted before. */
function withIfGone(setback: Setback): Setback {
	if (!(setback instanceof Refused) || !isUnknownFile(setback)) return setback;
	const { explanation, ...ending } = setback.ending;
	const way = "If it was deleted before, set 'If Already Gone' under Options to Count as Deleted.";
	return new Refused({
		...ending,
		explanation: explanation && { ...explanation, remedy: `${explanation.remedy} ${way}` },
	});
}

function effectOf(setback: Setback): Effect {
	if (setback instanceof Refused) return setback.ending.effect;
	return setback.more.effect ?? 'not applied';
}
