import type { Edit, Place } from './scenario';
import { CONTENTS, PLACES } from './scenario';

export interface FolderFile extends Place {
	/** The content. The content of an empty file or of a failed download can't be sent. */
	text: string;
	modifiedMs: number;
}

type Entry = Pick<FolderFile, 'text' | 'modifiedMs'>;

export class Folder {
	private readonly entries = new Map<number, Entry>();

	private lastMs = 0;

	private readonly movedAway = new Map<number, Entry>();

	files(): FolderFile[] {
		return PLACES.flatMap((place, at) => {
			const entry = this.entries.get(at);
			return entry ? [{ ...place, ...entry }] : [];
		});
	}

	/**
	 * Changes the folder. Any change of a name's content is a modification, also if an old content returns: with an old
	 * date, it would seem unmodified without a record, as the pages say.
	 */
	edit(edit: Edit, ageMs = 0): void {
		const { entries, movedAway } = this;
		if (edit.kind === 'clear') {
			entries.clear();
			return;
		}
		const { at } = edit;
		const entry = entries.get(at);
		const away = movedAway.get(at);
		if (edit.kind === 'write') {
			// The node uses an upload from elsewhere as this content, so no later content is the same.
			const text = ageMs > 0 ? `Content ${at}, long ago` : (CONTENTS[edit.content] ?? '');
			this.put(at, text, ageMs);
		} else if (edit.kind === 'away' && entry) {
			entries.delete(at);
			movedAway.set(at, entry);
		} else if (edit.kind === 'back' && away && !entry) {
			entries.set(at, { ...away, modifiedMs: Math.min(away.modifiedMs, this.nowMs()) });
			movedAway.delete(at);
		} else if (edit.kind === 'rename' && entry) {
			entries.delete(at);
			this.put(edit.to, entry.text);
		}
	}

	/** Returns a time that no other change has, because an equal time proves an equal content. */
	private nowMs(): number {
		this.lastMs = Math.max(Date.now(), this.lastMs + 1);
		return this.lastMs;
	}

	private put(at: number, text: string, ageMs = 0): void {
		this.entries.set(at, { text, modifiedMs: this.nowMs() - ageMs });
		const away = this.movedAway.get(at);
		if (away) this.movedAway.set(at, { ...away, modifiedMs: Infinity });
	}
}
