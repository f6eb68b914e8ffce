import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../values/validationIssue';

/** More than these, and those go that CometChat does not list any more. */
const MANY = 1000;

/**
 * The IDs of texts that this node has written as parts, by account, in n8n's data of the workflow: the proof
 * without which none of them takes another's place, or is deleted. n8n keeps it after a run of the published
 * workflow and not after one by hand.
 */
export class PartNote {
	/** @param account Its base URL. */
	constructor(
		private readonly staticData: IDataObject,
		private readonly account: string,
	) {}

	has(uniqueId: string): boolean {
		return this.ids.includes(uniqueId);
	}

	add(uniqueId: string): void {
		if (!this.has(uniqueId)) this.ids = [...this.ids, uniqueId];
	}

	forget(uniqueId: string): void {
		if (this.has(uniqueId)) this.ids = this.ids.filter((id) => id !== uniqueId);
	}

	prune(isThere: (uniqueId: string) => boolean): void {
		if (this.ids.length > MANY) this.ids = this.ids.filter(isThere);
	}

	/** Whatever n8n has kept. */
	private get ids(): string[] {
		const { parts } = this.staticData;
		const ids = isRecord(parts) ? parts[this.account] : undefined;
		return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
	}

	private set ids(ids: string[]) {
		const { parts } = this.staticData;
		this.staticData.parts = { ...(isRecord(parts) ? parts : {}), [this.account]: ids };
	}
}
