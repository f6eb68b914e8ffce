import type { IDataObject } from 'n8n-workflow';

/** More than these, and those go that CometChat does not list any more. */
const MANY = 1000;

/**
 * The IDs of texts that this node has written as parts, in n8n's data of the workflow: the proof without
 * which none of them takes another's place, or is deleted. n8n keeps it after a run of the published workflow
 * and not after one by hand.
 */
export class PartNote {
	constructor(private readonly staticData: IDataObject) {}

	has(uniqueId: string): boolean {
		return this.ids.includes(uniqueId);
	}

	add(uniqueId: string): void {
		if (!this.has(uniqueId)) this.staticData.parts = [...this.ids, uniqueId];
	}

	forget(uniqueId: string): void {
		if (this.has(uniqueId)) this.staticData.parts = this.ids.filter((id) => id !== uniqueId);
	}

	prune(isThere: (uniqueId: string) => boolean): void {
		if (this.ids.length > MANY) this.staticData.parts = this.ids.filter(isThere);
	}

	/** Whatever n8n has kept. */
	private get ids(): string[] {
		const { parts } = this.staticData;
		return Array.isArray(parts) ? parts.filter((id) => typeof id === 'string') : [];
	}
}
