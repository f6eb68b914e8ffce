import type { INodeProperties } from 'n8n-workflow';

import { changeAgent } from '../../execution/agentChanges';
import type { StatusById } from '../../service/statuses';
import { hasFailed } from '../../service/statuses';
import type { ItemRun } from '../../execution/items';
import type { Steps } from '../../execution/steps';
import type { Uploading } from '../../execution/uploading';
import { leftOver, notStarted, uploadAll } from '../../execution/uploading';
import type { Attachment } from '../../input/binary';
import type { ItemFailure } from '../../results/itemFailure';
import { isItemFailure, mayBeDone, RequestFailure, StepFailure } from '../../results/itemFailure';
import type { Failed } from '../../results/itemResult';
import { sentences } from '../../results/itemResult';
import type { Change, ChangeOperation } from '../../service/attachments';
import { deleteOne, isUnknownFile } from '../../service/deletion';
import type { KnowledgeBaseRecord } from '../../service/records';
import { detailsOf } from '../../service/records';
import type { Shown, ShownText, Words } from '../../values/shown';
import { given, joined, worded } from '../../values/shown';
import { quoted } from '../../values/quoting';
import type { Inventory } from './inventory';

/** The kind of document that a file becomes. */
export const SOURCE_TYPE = 'uploads';

/** When an old version is deleted. */
export const DELETING = ['ifUnused', 'always', 'never'] as const;

export const deleteOldField: INodeProperties = {
	displayName: 'Delete Old Version',
	name: 'deleteOldVersion',
	type: 'options',
	options: [
		{
			name: 'Always',
			value: 'always',
			description: 'Delete it for good, also from every other agent that has it',
		},
		{
			name: 'If No Other Agent Has It',
			value: 'ifUnused',
			description:
				"Look at the agents' lists first, and keep it if another agent has it or the lists do not tell",
		},
		{
			name: 'Never',
			value: 'never',
			description: 'Only take it from this agent. Two uploads then have the name.',
		},
	],
	default: 'ifUnused',
	description:
		'Whether to delete the old version from CometChat once the new one is in its place and the old one is taken from this agent',
};

/** More would bury the message. */
export const MOST_NAMED = 5;

/** What an agent is to have in the place of what. */
export interface VersionChange {
	uid: Shown;
	file: Attachment;
	/** The new version, where CometChat has it already. */
	current?: { uniqueId: string; isAttached: boolean };
	oldVersions: OldVersion[];
	deleteOld: (typeof DELETING)[number];
}

export interface OldVersion {
	uniqueId: string;
	/** False where the agent is known not to have it. */
	mayBeAttached: boolean;
	/** Whether it is not to be deleted, whatever the user has chosen, because it came from elsewhere. */
	isForeign?: boolean;
}

export type Step = 'uploaded' | 'indexed' | 'added' | 'removed' | 'deleted';

/** How far it came, for the output. */
export interface Progress {
	/** Empty if there is none. */
	oldIds: string[];
	newId?: string;
	reached: Step[];
	/** Why the old version is still in CometChat, where it was to be deleted if nobody has it. */
	notDeleted?: ShownText;
}

/** The same, and what is only for the words and for the next run. */
export interface State {
	progress: Progress;
	/** The old versions that are not dealt with, and those of them that the agent may have. */
	left: string[];
	held: string[];
	/** Old versions that the agent has no longer and CometChat still has, and that are dealt with. */
	out: string[];
	uploading: Uploading;
	statuses: StatusById;
}

export function notBegun(): State {
	return {
		progress: { oldIds: [], reached: [] },
		left: [],
		held: [],
		out: [],
		uploading: notStarted(),
		statuses: new Map(),
	};
}

/**
 * Puts a new version in the place of the old ones. The order is the promise: the agent has the new
 * version before an old one is taken from it. From then on it goes to its end, whatever becomes of other
 * items.
 *
 * @param state Is kept up to date.
 * @returns Why it went no further; undefined if all is done.
 */
export async function bringVersion(
	steps: Steps,
	run: ItemRun,
	inventory: Inventory,
	change: VersionChange,
	state: State,
): Promise<ItemFailure | undefined> {
	const { uid, current, oldVersions } = change;
	const { progress } = state;
	progress.oldIds = oldVersions.map(({ uniqueId }) => uniqueId);
	state.left = progress.oldIds;
	state.held = oldVersions.flatMap((one) => (one.mayBeAttached ? [one.uniqueId] : []));
	if (current !== undefined) {
		progress.newId = current.uniqueId;
		progress.reached.push('uploaded');
	}
	const notUploaded = current === undefined && (await upload(steps, run, inventory, change, state));
	const { newId } = progress;
	if (notUploaded) return notUploaded;
	if (newId === undefined) return undefined;

	if (current?.isAttached) {
		progress.reached.push('indexed', 'added');
	} else {
		const notIndexed = await run.indexing.untilIndexed(steps, [newId], state.statuses);
		if (notIndexed) return notIndexed;
		progress.reached.push('indexed');

		const added = await changeAgent(steps, run, changeOf('add', uid, newId));
		if (added instanceof RequestFailure) {
			if (mayBeDone(added)) inventory.noteMayBeAttached(newId);
			return added;
		}
		progress.reached.push('added');
		inventory.noteAttached(uid, newId, true);
	}
	return await takeOldOut(steps, run, inventory, change, newId, state);
}

async function upload(
	steps: Steps,
	run: ItemRun,
	inventory: Inventory,
	{ file }: VersionChange,
	{ progress, uploading }: State,
): Promise<ItemFailure | undefined> {
	const records = await inventory.recordsFor(steps);
	if (isItemFailure(records)) return records;
	const existed = (id: string) => records.withId(id) !== undefined;
	const notUploaded = await uploadAll(steps, run, [file], uploading, existed);
	// Of several entries, the bytes went to the last: the others were refused.
	const newId = (uploading.done.at(0) ?? uploading.open.at(-1))?.uploadId;
	progress.newId = newId;
	if (notUploaded || newId === undefined) return notUploaded;
	progress.reached.push('uploaded');
	inventory.noteCreated({ uniqueId: given(newId), sourceName: file.fileName, type: SOURCE_TYPE });
	return undefined;
}

async function takeOldOut(
	steps: Steps,
	run: ItemRun,
	inventory: Inventory,
	{ uid, oldVersions, deleteOld }: VersionChange,
	newId: string,
	state: State,
): Promise<ItemFailure | undefined> {
	const { progress } = state;
	// Under the old ID the new version has overwritten the old one: to remove it would leave the agent without.
	const others = oldVersions.filter(({ uniqueId }) => uniqueId !== newId);
	state.left = others.map(({ uniqueId }) => uniqueId);
	state.held = state.held.filter((id) => id !== newId);
	if (others.length === 0) return undefined;

	steps.finish();
	for (const oldId of state.held) {
		const removed = await changeAgent(steps, run, changeOf('remove', uid, oldId));
		if (removed instanceof RequestFailure) return removed;
		state.held = state.held.filter((id) => id !== oldId);
		inventory.noteAttached(uid, oldId, false);
		inventory.noteReplaced(uid, oldId, newId);
	}
	progress.reached.push('removed');
	if (deleteOld === 'never') {
		state.out = state.left;
		state.left = [];
		return undefined;
	}
	for (const { uniqueId: oldId, isForeign } of others) {
		const why = isForeign
			? FOREIGN
			: deleteOld === 'ifUnused' &&
				(await whyToKeep(steps, inventory, oldId, { uid, attached: newId }));
		if (typeof why === 'string') {
			progress.notDeleted ??= why;
			state.out.push(oldId);
			state.left = state.left.filter((id) => id !== oldId);
			continue;
		}
		const deleted = await deleteOne(steps, SOURCE_TYPE, oldId);
		// Another run may have been faster.
		if (isItemFailure(deleted) && !isUnknownFile(deleted)) return deleted;
		inventory.noteDeleted(oldId);
		state.left = state.left.filter((id) => id !== oldId);
	}
	if (progress.notDeleted === undefined) progress.reached.push('deleted');
	return undefined;
}

/** Why it is not deleted. */
export const FOREIGN = 'It is not known to be an upload of this node';

export function changeOf(operation: ChangeOperation, uid: string, ...uniqueIds: string[]): Change {
	return { operation, uid, sourceType: SOURCE_TYPE, uniqueIds };
}

/**
 * @param name How a person calls it.
 * @returns Undefined if no agent has it.
 */
export async function whyToKeep(
	steps: Steps,
	inventory: Inventory,
	uniqueId: string,
	proof: { uid: string; attached?: string },
	name = 'the old version',
): Promise<Words | undefined> {
	const holders = await inventory.holdersOf(steps, uniqueId, proof);
	if ('isUnknown' in holders) {
		return `Not known whether another agent has ${name}: ${holders.isUnknown}`;
	}
	const names = holders.agents.map(({ uid, name }) => quoted(name ?? uid));
	const more = names.length - MOST_NAMED;
	const shown = names.slice(0, MOST_NAMED).join(', ');
	return names.length === 0
		? undefined
		: `Other agents have ${name}: ${shown}${more > 0 ? `, and ${more} more` : ''}`;
}

/** Which of them is the old version can't be told. */
export function severalNamed(
	fileName: string,
	found: KnowledgeBaseRecord[],
	isTold: boolean,
	timeZone: string,
	remedy: Words,
): StepFailure {
	const each = found.map((record) =>
		joined([...detailsOf(record, timeZone), `ID ${record.uniqueId}`], ', '),
	);
	const more = each.length > MOST_NAMED ? worded`; and ${each.length - MOST_NAMED} more` : '';
	return new StepFailure(
		`${isTold ? 'The agent' : 'CometChat'} has ${found.length} uploads named ${quoted(fileName)}`,
		worded`${remedy} They are: ${joined(each.slice(0, MOST_NAMED), '; ')}${more}.`,
		{
			cause: 'configuration-invalid',
			...(!isTold && {
				said: "CometChat's list of agents does not tell which of them the agent has.",
			}),
		},
	);
}

/** What the agent has now, and how to go on. */
export function stateAfter(
	{ progress, left, held, uploading, statuses }: State,
	failure: ItemFailure,
	{ fileName }: Attachment,
): StateAfter {
	const { newId, reached } = progress;
	const hasOld = held.length > 0;
	const last = reached.at(-1);
	const isUnknown = mayBeDone(failure);
	const entries = leftOver(uploading);
	const name = quoted(fileName);
	const before: Words | false =
		hasOld && `The old version of ${name} (ID ${held.join(', ')}) was not taken from the agent.`;
	const newOne = hasOld ? 'The new one' : name;
	switch (last) {
		case undefined: {
			const mayBeThere = newId !== undefined && isUnknown;
			const what = mayBeThere
				? worded`It is not known whether ${before ? 'the new one' : name} was uploaded.`
				: worded`${newOne} was not uploaded.`;
			return {
				effect: mayBeThere || uploading.mayBeOpen ? 'unknown' : 'not applied',
				...(mayBeThere && { unknown: 'uploaded' }),
				consequence: sentences(before, what, entries),
			};
		}
		case 'uploaded':
		case 'indexed': {
			const mayBeAdded = last === 'indexed' && isUnknown;
			const more = mayBeAdded
				? worded` and may have been added to the agent.`
				: worded`, and was not added to the agent.`;
			return {
				effect: 'partly applied',
				...(mayBeAdded && { unknown: 'added' }),
				consequence: sentences(
					before,
					worded`${newOne} (ID ${given(newId) ?? ''}) is in CometChat${more}`,
					entries,
				),
				goOn: hasFailed(statuses) ? '' : hasOld ? GO_ON : GO_ON_WITH_NEW,
			};
		}
		case 'added':
			return {
				effect: 'partly applied',
				...(isUnknown && { unknown: 'removed' }),
				consequence: sentences(
					`The agent has the new version of ${name} (ID ${newId}) and ${isUnknown ? 'may still have' : 'still has'} the old one (ID ${held.join(', ')}).`,
					entries,
				),
				goOn: 'To go on, remove the old one with Remove Files.',
			};
		default:
			return {
				effect: 'partly applied',
				...(isUnknown && { unknown: 'deleted' }),
				consequence: sentences(
					`The agent has the new version of ${name} (ID ${newId}) and no longer the old one. The old one (ID ${left.join(', ')}) ${isUnknown ? 'may still be' : 'is still'} in CometChat.`,
					entries,
				),
				goOn: 'To go on, delete the old one with Document: Delete.',
			};
	}
}

export interface StateAfter {
	effect: Failed['effect'];
	/** The step of which nobody knows whether it was done. */
	unknown?: Step;
	consequence: ShownText;
	goOn?: ShownText;
}

const GO_ON =
	'To go on, use Add Files and Remove Files with these IDs, or delete the new one: with both there, its name stands for two files.';

const GO_ON_WITH_NEW =
	'To go on, use this ID in Document: Get Status and Add Files; uploading again would make a second copy.';
