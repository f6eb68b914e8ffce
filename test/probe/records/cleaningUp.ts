import { readSuccess } from '../../../nodes/CometChatKnowledgeBase/service/attachments';
import { cut } from '../../../nodes/CometChatKnowledgeBase/values/complaint';
import { serviceWords } from '../../../nodes/CometChatKnowledgeBase/results/explain';
import { deleteRequest } from '../../../nodes/CometChatKnowledgeBase/service/deletion';
import type { KnowledgeBaseRecord } from '../../../nodes/CometChatKnowledgeBase/service/records';
import {
	readRecordPage,
	recordsRequest,
} from '../../../nodes/CometChatKnowledgeBase/service/records';
import type { Reply } from '../../../nodes/CometChatKnowledgeBase/requests/reply';
import { isSuccess } from '../../../nodes/CometChatKnowledgeBase/requests/reply';
import type { Asker } from '../asking';
import { isNotMade, isSuccessStatus } from '../asking';
import { persist } from '../persist';
import type { Kind } from './recordRequests';
import { boundedRecordsRequest, isSafeId } from './recordRequests';

interface MadeRecord {
	kind: Kind;
	/** File name or title, which nothing else in the account has. */
	name: string;
	/** Undefined as long as the answer to its making has not been understood. */
	id?: string;
	/** What its deletion was answered at best: that it is done, or that there is no such record. */
	deleted?: 'done' | 'not found';
	/** Whether the list showed it when it was last looked at; undefined if that can't be read. */
	isListed?: boolean;
}

const CALLED: Record<Kind, string> = { uploads: 'upload', text: 'text' };

/** Enough to find it by; one title is as long as titles can be. */
const LONGEST_NAME = 60;

/** What a list that is a little behind, or indexing that is under way, is given to come to an end. */
const SETTLING_MS = 3000;

/** Remembers each file and text from before the request that makes it, and deletes it. */
export class MadeRecords {
	private readonly made: MadeRecord[] = [];

	/** Called before the request that makes them: its answer may be lost. */
	making(kind: Kind, names: string[]): void {
		this.made.push(...names.map((name) => ({ kind, name })));
	}

	/** @param ids In the order of the names; undefined if the answer holds none that can be read. */
	answered(names: string[], reply: Reply, ids: string[] | undefined): void {
		for (const [at, name] of names.entries()) {
			const record = this.made.find((one) => one.name === name && one.id === undefined);
			if (record === undefined) continue;
			if (isNotMade(reply)) this.made.splice(this.made.indexOf(record), 1);
			else record.id = ids?.[at];
		}
	}

	/** What a delete of it has been answered. */
	deleted(id: string, reply: Reply): void {
		for (const record of this.made) if (record.id === id) record.deleted ??= deletionBy(reply);
	}

	/** Deletes what is left. What the list shows is worth more than what the answers have said. */
	async putBack(asker: Asker): Promise<void> {
		if (this.made.length === 0) return;
		await this.deleteAll(asker);
		if (this.left().length === 0) return;
		await asker.around.pause(SETTLING_MS);
		await this.deleteAll(asker);
	}

	/** What is, or may be, still there, in sentences for the person. */
	left(): string[] {
		return this.made.flatMap((record) => {
			const { kind, name, id, isListed } = record;
			const which = `${CALLED[kind]} "${cut(name, LONGEST_NAME)}"`;
			if (id === undefined) {
				return [`Perhaps there is the ${which}: look for it in the dashboard and delete it.`];
			}
			if (isGone(record)) return [];
			const is = isListed ? 'is' : 'may be';
			return [`The ${which} (${id}) ${is} still there: delete it in the dashboard.`];
		});
	}

	/** Finds those whose making was not answered by their names, of which there may be several. */
	private recognise(records: KnowledgeBaseRecord[]): void {
		const known = new Set(this.made.map(({ id }) => id));
		for (const record of this.made) {
			if (record.id !== undefined) continue;
			const found = records.find(
				(one) => !known.has(one.uniqueId) && isNamed(one, record.name) && isSafeId(one.uniqueId),
			);
			if (found === undefined) continue;
			record.id = found.uniqueId;
			known.add(record.id);
		}
	}

	private async deleteAll(asker: Asker): Promise<void> {
		if (this.made.some(({ id }) => id === undefined)) this.recognise((await listed(asker)) ?? []);
		for (const { kind, id, name } of this.open()) {
			const asked = `deletes the ${CALLED[kind]} "${cut(name, LONGEST_NAME)}"`;
			const reply = await persist(asker, () => asker.ask(asked, deleteRequest(kind, id)));
			if (reply !== undefined) this.deleted(id, reply);
		}
		this.look(await listed(asker));
	}

	private open(): Array<MadeRecord & { id: string }> {
		return this.made.flatMap((record) =>
			record.id === undefined || isGone(record) ? [] : [{ ...record, id: record.id }],
		);
	}

	private look(records: KnowledgeBaseRecord[] | undefined): void {
		const ids = records && new Set(records.map(({ uniqueId }) => uniqueId));
		for (const record of this.made) record.isListed = ids?.has(record.id ?? '');
	}
}

/** The newest records, among which those of the probe are; undefined if the list can't be read. */
async function listed(asker: Asker): Promise<KnowledgeBaseRecord[] | undefined> {
	for (const request of [recordsRequest(), boundedRecordsRequest(asker.around.nowMs())]) {
		const reply = await persist(asker, () => asker.ask('the list of records', request));
		const page = reply && isSuccess(reply) ? readRecordPage(reply.body) : undefined;
		if (page !== undefined) return page.entries;
	}
	return undefined;
}

/** In whichever field: a text's title may be listed as a file name. */
function isNamed(record: KnowledgeBaseRecord, name: string): boolean {
	return Object.values(record).some((value) => typeof value === 'string' && value.includes(name));
}

/** That there is no such record may be said of the address: it counts only if the list agrees. */
function isGone({ deleted, isListed }: MadeRecord): boolean {
	return deleted === 'done' ? isListed !== true : deleted === 'not found' && isListed === false;
}

function deletionBy(reply: Reply): MadeRecord['deleted'] {
	if (reply.kind === 'silence') return undefined;
	if (isSuccessStatus(reply)) return readSuccess(reply.body) ? 'done' : undefined;
	const isNotFound = reply.status === 404 || reply.status === 410;
	return isNotFound && serviceWords(reply.body).code !== NO_SUCH_ADDRESS ? 'not found' : undefined;
}

const NO_SUCH_ADDRESS = 'ERR_API_NOT_FOUND';
