import type { ApiContext } from '../requests/sendRequest';
import { sendRequest } from '../requests/sendRequest';
import type { KnowledgeBaseRecord } from './records';
import { readRecordPage, recordsRequest } from './records';

/**
 * What the service's list of records says of some IDs. A run reads the list once, from the newest on and
 * no further than any of its items needs; one that can't be read to its end says nothing of the rest.
 */
export class RecordLookups {
	private readonly byId = new Map<string, KnowledgeBaseRecord>();

	/** Where the next page begins; undefined if there is none, or none that can be had. */
	private next: { cursor?: string } | undefined = {};

	private reading: Promise<void> = Promise.resolve();

	constructor(private readonly api: ApiContext) {}

	/** By ID; those that are not in the list, or not in what could be read of it, are left out. */
	async recordsOf(uniqueIds: string[]): Promise<ReadonlyMap<string, KnowledgeBaseRecord>> {
		// One item after another: what one reads may be all that the next one needs.
		this.reading = this.reading.then(async () => await this.readUntilFound(uniqueIds));
		await this.reading;
		return this.byId;
	}

	private async readUntilFound(uniqueIds: string[]): Promise<void> {
		while (this.next !== undefined && uniqueIds.some((id) => !this.byId.has(id))) {
			const { cursor } = this.next;
			const request = recordsRequest(cursor);
			const { value: page } = await sendRequest(this.api, request, readRecordPage);
			this.next = undefined;
			if (page === undefined) return;
			const before = this.byId.size;
			for (const record of page.entries) this.byId.set(record.uniqueId, record);
			// A page that shows nothing new may lead round for ever.
			const leadsOn = this.byId.size > before;
			if (typeof page.next === 'string' && leadsOn) this.next = { cursor: page.next };
		}
	}
}
