import type { Promised } from '../suite';
import { firstOf } from '../suite';
import { doesBring, isTrusted } from './absences';
import type { Loss } from './losses';
import { isPlace, lossesOf } from './losses';
import type { Passed } from './play';
import { checksumIn } from './play';
import type { Place, Settings } from './scenario';
import { isGood, isProven, isTold, PLACES } from './scenario';

/** The promises about files that are no longer in the folder, and about files that are only missing in the input. */
export const onGone: Array<Promised<Passed>> = [
	{
		title:
			'what did not come is taken out only where it is told to be, and nothing from elsewhere but what an upload was to replace',
		contradiction: eachAbsent(({ place, upload }, passed) => {
			const { settings, executions, moments } = passed;
			// A night that stopped halfway has left the upload and its old version.
			const isReplaced = [...(moments[0]?.uploads.values() ?? [])].some(
				({ fileName, isForeign }) => !isForeign && fileName === upload.fileName,
			);
			// With Last Modified, an older upload of the agent may be the file's current version.
			const isVersion = isReplaced || settings.tellsModified;
			if (upload.isForeign && !isVersion) return 'it is from elsewhere';
			return executions.some((execution) => isToGo(place, settings, execution))
				? undefined
				: 'nobody said so';
		}),
	},
	{
		title: 'what did not come is taken out only after whole executions without it',
		contradiction: eachAbsent((loss, passed) => {
			const { absences, night } = passed;
			const { place } = loss;
			if (isRenamed(loss, passed)) return undefined;
			if (night.mode !== 'trigger') return `in mode ${night.mode}`;
			const count = absences.of(place);
			return count < 1 ? `after ${count} without it` : undefined;
		}),
	},
	{
		title:
			'what is in the folder stays, if it comes whole, in the same parts, or from several folders',
		holdsFor: ({ settings }) => settings.way !== 'parts' && settings.way !== 'changed',
		contradiction: eachAbsent((loss, passed) => {
			const { place } = loss;
			if (isRenamed(loss, passed)) return undefined;
			const isThere = passed.executions.every(({ folder }) =>
				folder.some((file) => isPlace(file, place)),
			);
			return isThere && !hasEverFailed(passed, place) ? 'it is in the folder' : undefined;
		}),
	},
	{
		title:
			'nothing that did not come is taken out where an item has no file name, or of an agent without items',
		contradiction: eachAbsent(({ place }, { executions }) => {
			const named = executions.filter(({ planned }) =>
				planned.flat().some(({ uid, flaw }) => uid === place.uid && flaw === undefined),
			);
			if (named.length === 0) return 'no item is for the agent';
			return named.some(({ planned }) => planned[0]?.every(({ flaw }) => flaw === undefined))
				? undefined
				: 'an item has no file';
		}),
	},
	{
		title: 'what is taken out at once is less than what came, or three files of four at most',
		contradiction: (passed) => {
			const { namesCome, executions } = passed;
			const absent = absentIn(passed).filter((loss) => !isRenamed(loss, passed));
			return firstOf([...namesCome], ([uid, known]) => {
				const lost = new Set(
					absent.filter(({ place }) => place.uid === uid).map(({ place }) => place.fileName),
				).size;
				if (lost <= 3) return undefined;
				const came = Math.max(
					...executions.map(
						({ planned }) => planned.flat().filter((item) => item.uid === uid).length,
					),
				);
				return lost >= came ? `${lost} of ${known} of ${uid}, ${came} came` : undefined;
			});
		},
	},
	{
		title: 'a file that has left the folder is out after two whole good nights',
		holdsFor: ({ settings }) => isTold(settings),
		contradiction: (passed) => {
			const { settings } = passed;
			const nights = lastOf(passed, 3);
			const [base, ...without] = nights;
			const areSo = nights.length === 3 && nights.every(isWhole) && isSameCalls(nights);
			if (base === undefined || !areSo) return undefined;
			return firstOf(PLACES, (place) => {
				const [execution] = base.executions;
				if (!execution || !doesBring(execution, place)) return undefined;
				const isGone = without.every(
					({ executions: [one] }) => one !== undefined && isToGo(place, settings, one),
				);
				const isLeft = without.every(
					({ executions: [one] }) => one !== undefined && !doesBring(one, place),
				);
				// Also in the night before: too many missing files stay too many.
				if (!isLeft || !isGone || !nights.every((one) => isFew(one, base, place.uid))) {
					return undefined;
				}
				const now = passed.moments.at(-1);
				const has = (now?.attached.get(place.uid) ?? []).filter((id) => {
					const upload = now?.uploads.get(id);
					return upload?.fileName === place.fileName && !upload.isForeign;
				});
				return has.length === 0 ? undefined : `${place.fileName} of ${place.uid}: ${has.join()}`;
			});
		},
	},
];

/** Returns the losses of files that are in no item. */
function absentIn(passed: Passed): Loss[] {
	const { executions } = passed;
	return lossesOf(passed).filter(
		({ place }) => !executions.some((execution) => doesBring(execution, place)),
	);
}

/** Whether another name has the content, so that the agent can still answer from it. */
function isRenamed({ place, upload }: Loss, { executions }: Passed): boolean {
	return executions.some(({ planned }) =>
		planned.flat().some((item) => {
			const isOther = item.uid === place.uid && item.fileName !== place.fileName;
			return isOther && checksumIn(item) === upload.checksum;
		}),
	);
}

function eachAbsent(contradiction: (loss: Loss, passed: Passed) => string | undefined) {
	return (passed: Passed): string | undefined =>
		firstOf(absentIn(passed), (loss) => {
			const why = contradiction(loss, passed);
			const { uid, fileName } = loss.place;
			return why && `${loss.id} (${fileName}) is taken from ${uid}: ${why}`;
		});
}

/** Whether each item of the agent wants missing files to be removed. */
function isToGo(
	{ uid }: Place,
	{ goneFiles, goneFilesOf }: Settings,
	{ planned }: Passed['executions'][number],
): boolean {
	const said = goneFilesOf?.uid === uid ? goneFilesOf.goneFiles : goneFiles;
	return said !== 'keep' && planned.flat().some((item) => item.uid === uid);
}

/** Whether an item was missing although its file existed, in this night or any before. */
function hasEverFailed({ night, previous }: Passed, place: Place): boolean {
	const hasFailed = night.flaws.some(({ at }) => isPlace(PLACES[at] ?? {}, place));
	return hasFailed || (previous !== undefined && hasEverFailed(previous, place));
}

function lastOf(passed: Passed, count: number): Passed[] {
	const { previous } = passed;
	if (count <= 1) return [passed];
	return previous ? [...lastOf(previous, count - 1), passed] : [];
}

/** Whether a night had the whole folder and no fault. */
function isWhole({ night, executions, settings, isNoteWhole }: Passed): boolean {
	const [execution, ...more] = executions;
	if (execution === undefined || more.length > 0 || !isNoteWhole) return false;
	const isAll = execution.planned.flat().length === execution.folder.length;
	const isUsual =
		settings.way !== 'parts' && settings.way !== 'changed' && settings.way !== 'folders';
	const isAlone = night.byHand.length === 0 && night.dry === undefined && !night.losesNote;
	return isGood(night) && isProven(night) && isTrusted(execution) && isAll && isUsual && isAlone;
}

function isSameCalls(nights: Passed[]): boolean {
	const counts = nights.map(({ executions: [execution] }) => execution?.calls.length);
	return new Set(counts).size === 1;
}

/** Whether less than half of the files are missing, compared to the agent's documents and also to the last input. */
function isFew(passed: Passed, base: Passed, uid: string): boolean {
	const [now] = passed.executions;
	const brought = base.executions.flatMap(({ planned }) => planned.flat());
	const came = brought.filter((item) => item.uid === uid).map(({ fileName }) => fileName);
	return [[...namesBefore(base, uid), ...came], namesBefore(passed, uid)].every((names) => {
		const known = new Set(names);
		const lost = [...known].filter(
			(fileName) => now === undefined || !doesBring(now, { uid, fileName }),
		).length;
		return lost * 2 < known.size;
	});
}

function namesBefore({ moments: [begin] }: Passed, uid: string): string[] {
	return (begin?.attached.get(uid) ?? []).map((id) => begin?.uploads.get(id)?.fileName ?? '');
}
