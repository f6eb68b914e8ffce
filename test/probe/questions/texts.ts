import type { Reply } from '../../../nodes/CometChatKnowledgeBase/requests/reply';
import { inBrief, isSuccessStatus } from '../client';
import { change, isApplied, nameOf, newestRecords, notDone, writeText } from '../context';
import { doesNotHold, holds, question } from '../question';
import { CONTENT } from '../throwaways';

export const textWriting = question({
	id: 'text-writing',
	asks: 'Writing a text',
	choice: 'takes any 2xx with the uniqueId in data, and never sends it a second time',
	needs: ['files allowed'],
	async run(context) {
		const { reply, ids } = await writeText(
			context,
			'writes a text',
			nameOf(context, 'text'),
			CONTENT,
		);
		context.textId = ids?.[0];
		return reply;
	},
	judge(reply, { textId }) {
		if (!isSuccessStatus(reply)) return notDone('a text can not be written', reply);
		return textId === undefined
			? doesNotHold(`${inBrief(reply)}, but data.uniqueId is no ID`)
			: holds(inBrief(reply));
	},
});

const TEXT_TYPE = 'text-details';

export const textType = question({
	id: 'text-type',
	asks: 'Type of a text in the list',
	choice: `finds it as ${TEXT_TYPE}`,
	needs: ['files allowed', 'text'],
	run: async (context) => await newestRecords(context, 'records, after the text'),
	judge({ reply, records }, { textId }) {
		if (records === undefined) return notDone('the list has no readable answer', reply);
		const record = records.find(({ uniqueId }) => uniqueId === textId);
		if (record === undefined) return doesNotHold('its uniqueId is not in the list');
		return record.type === TEXT_TYPE
			? holds('listed so')
			: doesNotHold(`listed as "${record.type}"`);
	},
});

/** The node's, and what else the service's pages call a text, or a source. */
const SOURCE_TYPES = ['text', 'text-details', 'knowledge-base', 'uploads'];

export const textSourceType = question({
	id: 'text-source-type',
	asks: 'Source type of a text',
	choice: `adds it as ${SOURCE_TYPES[0]}`,
	needs: ['files allowed', 'text', 'agent'],
	async run(context) {
		const replies: Reply[] = [];
		for (const type of SOURCE_TYPES) {
			const what = `adds the text as ${type}`;
			const reply = await change(context, what, 'add', type, context.textId ?? '');
			replies.push(reply);
			if (isApplied(reply)) break;
		}
		return replies;
	},
	judge(replies) {
		const [first] = replies;
		if (first === undefined) return doesNotHold('nothing was sent');
		if (isApplied(first)) return holds(inBrief(first));
		return replies.some(isApplied)
			? doesNotHold(`refused (${inBrief(first)}), added as ${SOURCE_TYPES[replies.length - 1]}`)
			: notDone('it can not be added, whatever the source type', first);
	},
});
