import type { NotedFile } from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/syncNote';
import type { Promised } from '../operation';
import { isRecord } from '../report';
import type { FolderFile } from './folder';
import type { Moment, NodeRun, Passed } from './play';
import { checksumIn } from './play';
import type { Place } from './scenario';
import { FROM_ELSEWHERE, isGood, isTold } from './scenario';

/** What is promised of every night of Sync Files. */
export const promises: Array<Promised<Passed>> = [
	{
		title: 'after a night without faults the agents know what is in the folder, each file once',
		holdsFor: (passed) => isGood(passed.night) && isTraceable(passed),
		contradiction: (passed) =>
			firstOf(passed.runs, ({ files, run }) =>
				firstOf(files, (file, index) => {
					const [begin] = passed.moments;
					const before = isTold(passed.settings)
						? uploadsOf(file, begin, passed)
						: [...(begin?.ids ?? [])].filter(
								(id) => passed.uploads.get(id)?.fileName === file.fileName,
							);
					const now = uploadsOf(file, passed.moments.at(-1), passed);
					// Nobody can know which of them is the file.
					const isUnclear = before.length > 1 && isRecord(run.output[index]?.json.error);
					const isInStep = now.length === 1 && isContent(now[0], file, passed);
					return file.text === '' || isUnclear || isInStep
						? undefined
						: `${nameOf(file)} is ${contentsOf(now, passed)}`;
				}),
			),
	},
	{
		title:
			'after a night without faults what it had noted of files that are gone is out, or said to be kept',
		holdsFor: (passed) =>
			isGood(passed.night) && isTraceable(passed) && passed.settings.goneFiles !== 'keep',
		contradiction: (passed) =>
			firstOf(passed.runs, (one) =>
				firstOf(goneIn(one), ({ ids, ...place }) => {
					const now = passed.moments.at(-1)?.attached.get(place.uid) ?? [];
					const left = ids.filter((id) => now.includes(id));
					const isSaid = actionsOf(one).some((it) => it.action === 'kept' && isPlace(it, place));
					return left.length === 0 || isSaid ? undefined : `${nameOf(place)}: ${left.join()}`;
				}),
			),
	},
	{
		title: 'an agent loses a version of a file of the folder only once it has the new one',
		contradiction: eachLoss(({ uid, id, now }, passed) => {
			const files = filesNamed(placeOf(uid, id, passed), passed);
			if (files.length < passed.runs.length || files.length === 0) return undefined;
			const isThere = files.some((file) =>
				uploadsOf(file, now, passed).some((one) => isContent(one, file, passed)),
			);
			return isThere ? undefined : `${uid} is without ${passed.uploads.get(id)?.fileName}`;
		}),
	},
	{
		title:
			'nothing is taken from an agent but versions of its files, and what was noted of files that are gone',
		contradiction: eachLoss(({ uid, id }, passed) => {
			const place = placeOf(uid, id, passed);
			if (filesNamed(place, passed).length > 0) return undefined;
			const isNoted = passed.runs.some((one) =>
				goneIn(one).some((gone) => gone.uid === uid && gone.ids.includes(id)),
			);
			if (isNoted && passed.settings.goneFiles !== 'keep') return undefined;
			const { fileName } = place;
			const isAlways =
				passed.settings.deleteOldVersion === 'always' &&
				passed.runs.some(({ files }) => files.some((file) => file.fileName === fileName));
			return isAlways ? undefined : `${id} (${fileName}) is taken from ${uid}`;
		}),
	},
	{
		title: 'nothing is deleted but what this node has sent, and versions of files of the folder',
		contradiction: (passed) => {
			const [before, after] = [passed.moments.at(0), passed.moments.at(-1)];
			return firstOf([...(before?.ids ?? [])], (id) => {
				if (after?.ids.has(id)) return undefined;
				const { fileName = '' } = passed.uploads.get(id) ?? {};
				const holders = [...(before?.attached ?? [])].flatMap(([uid, ids]) =>
					ids.includes(id) ? [uid] : [],
				);
				const isVersion = passed.runs.some(({ files }) =>
					files.some((file) => file.fileName === fileName && holders.includes(file.uid)),
				);
				const isForeign = FROM_ELSEWHERE.some(({ uniqueId }) => uniqueId === id);
				const isGone = passed.runs.some((one) => goneIn(one).some(({ ids }) => ids.includes(id)));
				const isNoted = passed.runs.some(({ note }) =>
					note.some(({ files }) => [...files.values()].some((file) => idsOf(file).includes(id))),
				);
				// Of two nights at once, one may have a file that the other has no longer.
				const isOfFolder = passed.runs.some(({ note, files }) =>
					files.some((file) => {
						const noted = notedIn(note, file);
						return noted !== undefined && idsOf(noted).includes(id);
					}),
				);
				const isAsked =
					!isGone || isVersion || isOfFolder || passed.settings.goneFiles === 'delete';
				const isKnown = isVersion || isNoted || !isForeign;
				return isAsked && isKnown ? undefined : `${id} (${fileName}) is deleted`;
			});
		},
	},
	{
		title: 'what is reported as added, replaced or unchanged, the agent has with its content',
		contradiction: (passed) =>
			firstOf(passed.runs, (one) =>
				firstOf(actionsOf(one), ({ action, file, uniqueId }) => {
					if (file === undefined || !IN_STEP.includes(action)) return undefined;
					// Of two nights at once, the other may have changed it since, or before that shows in the lists.
					const begin = passed.settings.agentLists === 'stale' ? 0 : one.first;
					const from = passed.night.second ? begin : one.last;
					const had = passed.moments
						.slice(from, one.last + 1)
						.some((moment) => uploadsOf(file, moment, passed).includes(uniqueId));
					return had && isContent(uniqueId, file, passed)
						? undefined
						: `${action} ${nameOf(file)}: ${uniqueId}`;
				}),
			),
	},
	{
		title: 'what an agent has lost stands in the output',
		holdsFor: ({ runs, night }) =>
			!night.killed && runs.every(({ run }) => run.status === 'success'),
		contradiction: eachLoss(({ uid, id }, passed) => {
			const place = placeOf(uid, id, passed);
			const isSaid = passed.runs.some((one) =>
				actionsOf(one).some(
					(it) =>
						(isPlace(it, place) || it.file === undefined) &&
						it.fileName === place.fileName &&
						['removed', 'replaced', 'added', 'error'].includes(it.action),
				),
			);
			const isOther = passed.settings.deleteOldVersion === 'always';
			return isSaid || isOther ? undefined : `${uid} has lost ${id} (${place.fileName})`;
		}),
	},
	{
		title:
			'a good night after a good one uploads what is new or changed, and sends nothing if nothing is',
		holdsFor: ({ night, previous }) =>
			previous !== undefined &&
			isGood(night) &&
			isGood(previous.night) &&
			!night.losesNote &&
			night.byHand.length === 0,
		contradiction: (passed) =>
			firstOf(passed.runs, (one) => {
				const begin = passed.moments.at(0);
				const isSent = (file: FolderFile) => {
					const { current, pending } = notedIn(one.note, file) ?? {};
					return [current, pending].some(
						(version) =>
							version !== undefined &&
							isContent(version.uniqueId, file, passed) &&
							begin?.usable.has(version.uniqueId),
					);
				};
				// What was noted of it may have been lost before; its time may then tell that it has not changed.
				const isForgotten = (file: FolderFile) =>
					notedIn(one.note, file) === undefined &&
					[...(begin?.ids ?? [])].some((id) => passed.uploads.get(id)?.fileName === file.fileName);
				const clear = one.files.filter(
					(file, index) => file.text !== '' && !isRecord(one.run.output[index]?.json.error),
				);
				const wanted = clear.filter((file) => !isSent(file));
				const least = wanted.filter((file) => !isForgotten(file)).length;
				const arrived = passed.log.filter(({ kind }) => kind === 'arrived');
				const sent = arrived.filter(({ operation }) => operation === 'upload').length;
				if (sent < least || sent > wanted.length) return `${sent} uploads, wanted ${least}`;
				const before = passed.previous?.runs.at(0)?.files ?? [];
				const isSame = textsOf(before) === textsOf(one.files);
				const more = arrived.filter(({ operation = '' }) => !READING.includes(operation));
				const isSilent = isSame && !hasKept(passed.previous);
				return isSilent && more.length > 0 ? `it sends ${more[0]?.operation}` : undefined;
			}),
	},
];

/** Whether it can be known what an agent has: from the lists, or from a note that is whole. */
function isTraceable({ settings, night, previous }: Passed): boolean {
	if (isTold(settings)) return true;
	const isWhole = isGood(night) && !night.losesNote && night.byHand.length === 0;
	return isWhole && (previous === undefined || isTraceable(previous));
}

/** What was left for safety may be a smaller share a night later. */
function hasKept(passed: Passed | undefined): boolean {
	return (
		passed?.runs.some((one) => actionsOf(one).some(({ action }) => action === 'kept')) ?? false
	);
}

const IN_STEP = ['added', 'replaced', 'unchanged'];

const READING = ['records', 'list', 'agent'];

/** What a run says of a file. */
export interface Said {
	/** 'error' where it failed. */
	action: string;
	fileName: string;
	uid?: string;
	uniqueId: string;
	reason: string;
	/** That of the item that it comes with. */
	file?: FolderFile;
}

export function actionsOf({ run, files }: NodeRun): Said[] {
	return run.output.map(({ json }, index) => {
		const file = files[index];
		const { error } = json;
		const told: Record<string, unknown> = isRecord(error) ? Object(error.details) : json;
		return {
			action: isRecord(error) ? 'error' : String(told.action),
			fileName: String(told.fileName ?? file?.fileName),
			uid: file?.uid ?? (typeof told.uid === 'string' ? told.uid : undefined),
			uniqueId: String(told.uniqueId),
			reason: isRecord(error) ? String(error.message) : String(told.reason),
			file,
		};
	});
}

interface Loss {
	uid: string;
	id: string;
	/** Right after it. */
	now: Moment;
}

/** What agents had at one moment, and no longer at the next. */
function eachLoss(contradiction: (loss: Loss, passed: Passed) => string | undefined) {
	return (passed: Passed): string | undefined =>
		firstOf(passed.moments, (now, index) => {
			const before = passed.moments[index - 1];
			return firstOf([...(before?.attached ?? [])], ([uid, ids]) => {
				const held = now.attached.get(uid) ?? [];
				const lost = ids.filter((id) => !held.includes(id));
				return firstOf(lost, (id) => contradiction({ uid, id, now }, passed));
			});
		});
}

function firstOf<T>(
	all: T[],
	contradiction: (one: T, index: number) => string | undefined,
): string | undefined {
	for (const [index, one] of all.entries()) {
		const what = contradiction(one, index);
		if (what !== undefined) return what;
	}
	return undefined;
}

function placeOf(uid: string, id: string, { uploads }: Passed): Place {
	return { uid, fileName: uploads.get(id)?.fileName ?? '' };
}

function isPlace(one: Partial<Place>, { uid, fileName }: Place): boolean {
	return (one.uid ?? uid) === uid && one.fileName === fileName;
}

/** The file as each of the night's runs has it. */
function filesNamed(place: Place, { runs }: Passed): FolderFile[] {
	return runs.flatMap(({ files }) => files.filter((file) => isPlace(file, place)));
}

function uploadsOf({ uid, fileName }: Place, moment: Moment | undefined, { uploads }: Passed) {
	const ids = moment?.attached.get(uid) ?? [];
	return ids.filter((id) => uploads.get(id)?.fileName === fileName);
}

function isContent(id: string | undefined, file: FolderFile, { uploads }: Passed): boolean {
	return uploads.get(id ?? '')?.checksum === checksumIn(file);
}

function contentsOf(ids: string[], { uploads }: Passed): string {
	return ids.map((id) => `${id} with ${uploads.get(id)?.checksum}`).join() || 'nowhere';
}

function notedIn(note: NodeRun['note'], { uid, fileName }: Place): NotedFile | undefined {
	return note.find((agent) => agent.uid === uid)?.files.get(fileName);
}

/** Files that were noted and that the items no longer bring, where any item is for their agent. */
function goneIn({ note, files }: NodeRun): Array<Place & { ids: string[] }> {
	return note
		.filter(({ uid }) => files.some((file) => file.uid === uid))
		.flatMap(({ uid, files: noted }) =>
			[...noted].flatMap(([fileName, file]) => {
				const isThere = files.some((one) => isPlace(one, { uid, fileName }));
				return isThere ? [] : [{ uid, fileName, ids: idsOf(file) }];
			}),
		);
}

function idsOf({ current, pending, old }: NotedFile): string[] {
	return [current, pending, ...old].flatMap((upload) => upload?.uniqueId ?? []);
}

function textsOf(files: FolderFile[]): string {
	return JSON.stringify(files.map(({ uid, fileName, text }) => [uid, fileName, text]));
}

function nameOf({ uid, fileName }: Place): string {
	return `${fileName} of ${uid}`;
}
