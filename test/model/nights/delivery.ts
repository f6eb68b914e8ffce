import type { FolderFile } from './folder';
import type { Flaw, Night, Settings, Way } from './scenario';
import { PLACES } from './scenario';

/** An item of a call: a file of the folder, or its replacement. */
export interface Brought extends FolderFile {
	flaw?: Flaw;
}

export function callsOf(
	{ way }: Settings,
	{ split, flaws }: Pick<Night, 'split' | 'flaws'>,
	files: FolderFile[],
	lastBrought: FolderFile[],
): Brought[][] {
	const coming = comingBy(way, split, files, lastBrought).flatMap((file): Brought[] => {
		const { flaw } = flaws.find(({ at }) => placeOf(file) === at) ?? {};
		return flaw === 'missing' ? [] : [{ ...file, flaw }];
	});
	return callsBy(way, split, coming).filter((call) => call.length > 0);
}

function comingBy(
	way: Way,
	split: number,
	files: FolderFile[],
	lastBrought: FolderFile[],
): FolderFile[] {
	switch (way) {
		case 'folders':
			return files.filter((file) => nameAt(file) % 2 === split % 2);
		case 'parts':
			return files.filter((file) => digit(split, placeOf(file)) !== 0);
		case 'changed':
			return files.filter((file) => !lastBrought.some((last) => isSame(last, file)));
		default:
			return files;
	}
}

function callsBy(way: Way, split: number, coming: Brought[]): Brought[][] {
	switch (way) {
		case 'loop':
			return coming.map((file) => [file]);
		case 'halves':
			return [0, 1].map((half) => coming.filter((file) => nameAt(file) % 2 === half));
		case 'split':
			return [0, 1, 2].map((part) => coming.filter((file) => digit(split, placeOf(file)) === part));
		default:
			return [coming];
	}
}

function placeOf({ uid, fileName }: FolderFile): number {
	return PLACES.findIndex((place) => place.uid === uid && place.fileName === fileName);
}

/** Returns which of two folders contains a name, for all agents. */
function nameAt({ fileName }: FolderFile): number {
	return Number(/^\d+/.exec(fileName)?.[0]);
}

function digit(split: number, at: number): number {
	return Math.floor(split / 3 ** (at % 12)) % 3;
}

function isSame(one: FolderFile, other: FolderFile): boolean {
	return (
		one.uid === other.uid && one.fileName === other.fileName && one.modifiedMs === other.modifiedMs
	);
}
