import { KNOWLEDGE_BASE } from '../../../nodes/CometChatKnowledgeBase/service/records';
import { isRecord } from '../../../nodes/CometChatKnowledgeBase/values/validationIssue';
import type { Asked } from '../client';
import type { Questions } from '../question';
import { question } from '../question';
import { CONTENT } from '../throwaways';
import { KNOWN_STATUSES } from './afterwards';

const TEXT_TYPE = 'text-details';

/** The node's, and what else the service's pages call a text, or a source. */
const SOURCE_TYPES = ['text', TEXT_TYPE, 'knowledge-base', 'uploads'];

const LONGEST_TITLE = 500;
const LONGEST_TEXT = 5000;

export const TEXTS: Questions = {
	'text-writing': question({
		asks: 'Writing a text',
		ourChoice: 'takes any 2xx with the uniqueId in data, and never sends it a second time',
		async ask(probe) {
			const { answer, ids } = await probe.writeText(probe.name('text'), CONTENT);
			[probe.made.text] = ids;
			return { answer, ids };
		},
		holds: ({ answer, ids }) => answer.isTaken && ids.length === 1,
	}),
	'text-type': question({
		asks: 'Type of a text in the list',
		ourChoice: `finds it as ${TEXT_TYPE}`,
		async ask(probe) {
			const text = probe.need('text');
			const { answer, record } = await probe.listed(text);
			return { answer, type: record?.type };
		},
		holds: ({ answer, type }) => answer.isTaken && type === TEXT_TYPE,
	}),
	'text-source-type': question({
		asks: 'Source type of a text',
		ourChoice: `adds it as ${SOURCE_TYPES[0]}`,
		/** The others only to know, where the node's is refused. */
		async ask(probe) {
			const text = probe.need('text');
			const add = (type: string): Asked => probe.changing('add', type, text);
			const [first = '', ...others] = SOURCE_TYPES;
			const own = await probe.ask(add(first));
			if (own.isApplied) return { own };
			const requests = others.map((type): [string, Asked] => [type, add(type)]);
			return { own, others: await probe.askAll(Object.fromEntries(requests)) };
		},
		holds: ({ own }) => own.isApplied,
	}),
	'text-statuses': question({
		asks: 'status and vectorizationStatus of a text',
		ourChoice: `looks at status alone, and knows ${KNOWN_STATUSES.join(', ')}`,
		async ask(probe) {
			const text = probe.need('text');
			const url = `${KNOWLEDGE_BASE}/text/${encodeURIComponent(text)}`;
			const answer = await probe.ask({ method: 'GET', url });
			const data = isRecord(answer.body) && isRecord(answer.body.data) ? answer.body.data : {};
			const { status, vectorizationStatus } = data;
			return { answer, status: String(status), vectorizationStatus };
		},
		holds: ({ answer, status }) =>
			answer.isNoSuchCall ? undefined : answer.isTaken && KNOWN_STATUSES.includes(status),
	}),
	'text-lengths': question({
		asks: 'Longest title and text',
		ourChoice: 'sends titles of up to 500 and texts of up to 5,000 characters',
		async ask(probe) {
			probe.need('text');
			const title = probe.name('long-text').padEnd(LONGEST_TITLE, '-');
			const text = CONTENT.repeat(LONGEST_TEXT).slice(0, LONGEST_TEXT);
			const { answer: longest } = await probe.writeText(title, text);
			if (!longest.isTaken) return { longest };
			return { longest, over: (await probe.writeText(`${title}-`, `${text}-`)).answer };
		},
		holds: ({ longest }) => longest.isTaken,
	}),
};
