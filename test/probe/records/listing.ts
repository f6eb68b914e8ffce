import type { KnowledgeBaseRecord } from '../../../nodes/CometChatKnowledgeBase/service/records';
import {
	readRecordPage,
	recordsRequest,
} from '../../../nodes/CometChatKnowledgeBase/service/records';
import type { Reply } from '../../../nodes/CometChatKnowledgeBase/requests/reply';
import { isSuccess } from '../../../nodes/CometChatKnowledgeBase/requests/reply';
import { inBrief } from '../asking';
import type { Verdict } from '../finding';
import { couldNotTell, doesNotHold, holds, together } from '../finding';
import { metaFields } from '../lists';
import type { Question } from '../question';
import type { Session } from '../session';
import type { MadeUpload } from './making';
import { notDone, withFilesMade } from './making';
import { poll } from './statuses';

/** The newest records, the probe's own among them. */
export async function newest(
	{ asker, made }: Session,
	asked: string,
): Promise<{ reply: Reply; records?: KnowledgeBaseRecord[] }> {
	const reply = await asker.ask(asked, recordsRequest());
	const records = isSuccess(reply) ? readRecordPage(reply.body)?.entries : undefined;
	// Of the others the words are the account's own business.
	const own = records?.filter(({ sourceName = '' }) => made.mark && sourceName.includes(made.mark));
	for (const { status } of own ?? []) if (status !== undefined) made.statuses.add(status);
	return { reply, records };
}

export const uploadsListed: Question = {
	question: 21,
	title: 'Uploads in the list',
	choice: 'takes uploadId for the uniqueId, the file name for sourceName, and uploads for the type',
	ask: withFilesMade(async (session) => {
		const { first, namesake } = session.made;
		if (!first?.isStored) return couldNotTell('no file was uploaded');
		const { reply, records } = await newest(session, 'records, after the uploads');
		if (records === undefined) return notDone('the list has no readable answer', reply);
		const verdicts = [listedVerdict(first, records)];
		if (namesake !== undefined) verdicts.push(namesakeVerdict(namesake, records));
		return together(...verdicts);
	}),
};

function listedVerdict({ id, info }: MadeUpload, records: KnowledgeBaseRecord[]): Verdict {
	const record = records.find(({ uniqueId }) => uniqueId === id);
	if (record === undefined) {
		return records.some(({ sourceName }) => sourceName === info.fileName)
			? doesNotHold('its name is listed, with another ID than its uploadId')
			: doesNotHold('it is listed under neither its uploadId nor its name');
	}
	const { sourceName, type } = record;
	if (sourceName !== info.fileName) {
		return doesNotHold('its uploadId is listed, and sourceName is not its file name');
	}
	return type === 'uploads' ? holds('listed so') : doesNotHold(`its type is "${type}"`);
}

/** Replace File looks for an old version by its name, and must see that there are two. */
function namesakeVerdict({ id }: MadeUpload, records: KnowledgeBaseRecord[]): Verdict {
	return records.some(({ uniqueId }) => uniqueId === id)
		? holds('an upload of the same name is listed beside it, without its bytes')
		: holds('an upload of the same name is not listed as long as its bytes are missing');
}

export const withoutBytes: Question = {
	question: 22,
	title: 'An upload without bytes',
	choice: 'says that an entry without content may be there, and gives its ID',
	ask: withFilesMade(async (session) => {
		const { namesake } = session.made;
		if (namesake === undefined) return couldNotTell('there is no such upload');
		const { id } = namesake;
		const { reply, statuses } = await poll(session, 'the status of an upload without bytes', [id]);
		if (statuses === undefined) return notDone('the poll has no readable answer', reply);
		const status = statuses.get(id);
		return holds(status === undefined ? 'it has no status' : `its status is "${status}"`);
	}),
};

export const recordPages: Question = {
	question: 23,
	title: 'List of records: pages',
	choice: 'asks with limit, and goes on with affix append and the cursor of meta.next',
	async ask({ asker, records: known }) {
		const first = await asker.ask('records, limit 1', recordsRequest(undefined, 1));
		const page = isSuccess(first) ? readRecordPage(first.body) : undefined;
		if (page === undefined) return notDone('the list has no readable answer', first);
		const listed = page.entries.length;
		if (listed > 1) return doesNotHold(`limit 1 brings ${listed} records`);
		const fields = metaFields(first);
		if (page.next === undefined) {
			return known.length > 1
				? doesNotHold(`there are more records, but meta has only ${fields}`)
				: couldNotTell(`paging needs two records; meta has ${fields}`);
		}
		const second = await asker.ask('the page after that', recordsRequest(page.next, 1));
		const next = isSuccess(second) ? readRecordPage(second.body) : undefined;
		if (next === undefined) return doesNotHold(`the next page is refused (${inBrief(second)})`);
		const [one, other] = [page.entries[0]?.uniqueId, next.entries[0]?.uniqueId];
		return other === undefined || other === one
			? doesNotHold('the next page holds no next record')
			: holds(`paging by ${fields}`);
	},
};
