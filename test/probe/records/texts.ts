import { effectOf } from '../../../nodes/CometChatKnowledgeBase/requests/reply';
import { inBrief, isSuccessStatus } from '../asking';
import type { Verdict } from '../finding';
import { couldNotTell, doesNotHold, holds, together } from '../finding';
import type { Question } from '../question';
import type { Session } from '../session';
import { add, ONLY_THROWAWAY } from './attaching';
import { newest } from './listing';
import { CONTENT, nameOf, notDone, withFilesMade, writeText } from './making';

export const writing: Question = {
	question: 25,
	title: 'Writing a text',
	choice: 'takes any 2xx with the uniqueId in data, and never sends it a second time',
	ask: withFilesMade(async (session) => {
		const title = nameOf(session, 'text');
		const { reply, id } = await writeText(session, 'writes a text', title, CONTENT);
		session.made.textId = id;
		if (!isSuccessStatus(reply)) return notDone('a text can not be written', reply);
		return id === undefined
			? doesNotHold(`${inBrief(reply)}, but data.uniqueId is no ID`)
			: holds(inBrief(reply));
	}),
};

const TEXT_TYPE = 'text-details';
const SOURCE_TYPE = 'text';

/** What else the service's pages call a text, or a source. */
const OTHER_SOURCE_TYPES = ['text-details', 'knowledge-base', 'uploads'];

export const textType: Question = {
	question: 26,
	title: 'Type of a text',
	choice: `finds it as ${TEXT_TYPE} in the list, and adds it as ${SOURCE_TYPE}`,
	ask: withFilesMade(async (session) => {
		const { textId } = session.made;
		if (textId === undefined) return couldNotTell('no text was written');
		return together(await listedVerdict(session, textId), await addedVerdict(session, textId));
	}),
};

async function listedVerdict(session: Session, textId: string): Promise<Verdict> {
	const { reply, records } = await newest(session, 'records, after the text');
	if (records === undefined) return notDone('the list has no readable answer', reply);
	const record = records.find(({ uniqueId }) => uniqueId === textId);
	if (record === undefined) return doesNotHold('its uniqueId is not in the list');
	return record.type === TEXT_TYPE
		? holds(`listed as ${TEXT_TYPE}`)
		: doesNotHold(`listed as "${record.type}"`);
}

async function addedVerdict(session: Session, textId: string): Promise<Verdict> {
	if (!session.agent?.isThrowaway) return ONLY_THROWAWAY;
	const reply = await add(session, `adds the text as ${SOURCE_TYPE}`, SOURCE_TYPE, textId);
	if (effectOf(reply) === 'applied') return holds(`added as ${SOURCE_TYPE}: ${inBrief(reply)}`);
	for (const sourceType of OTHER_SOURCE_TYPES) {
		const other = await add(session, `adds the text as ${sourceType}`, sourceType, textId);
		if (effectOf(other) === 'applied') {
			return doesNotHold(`refused as ${SOURCE_TYPE} (${inBrief(reply)}), added as ${sourceType}`);
		}
	}
	return notDone('it can not be added, whatever the source type', reply);
}
