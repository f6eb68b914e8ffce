import type { Moment, Passed, Upload } from './play';
import type { Place } from './scenario';

/** An upload that an agent used at one moment, and not at the next. */
export interface Loss {
	place: Place;
	id: string;
	upload: Upload;
	/** The moment after the loss. */
	now: Moment;
}

export function lossesOf({ moments }: Pick<Passed, 'moments'>): Loss[] {
	return moments.flatMap((now, index) => {
		const before = moments[index - 1];
		return [...(before?.attached ?? [])].flatMap(([uid, ids]) => {
			const held = now.attached.get(uid) ?? [];
			return ids.flatMap((id) => {
				const upload = before?.uploads.get(id);
				if (held.includes(id) || upload === undefined) return [];
				const place = { uid, fileName: upload.fileName };
				return [{ place, id, upload, now }];
			});
		});
	});
}

export function isPlace(one: Partial<Place>, { uid, fileName }: Place): boolean {
	return one.uid === uid && one.fileName === fileName;
}
