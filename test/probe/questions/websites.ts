import { explainUnknownWebsite } from '../../../nodes/CometChatKnowledgeBase/results/messages';
import {
	foundPagesRequest,
	PAGE_STATUSES,
	readFoundPages,
	retryPagesRequest,
} from '../../../nodes/CometChatKnowledgeBase/service/websites';
import { sourceTypeOf } from '../../../nodes/CometChatKnowledgeBase/values/sourceTypes';
import type { Answer } from '../answer';
import type { Questions } from '../probe';
import { all } from '../probe';

const KNOWN_STATUSES = PAGE_STATUSES.map(({ value }) => value);

function isUnknownWebsite({ explanation }: Answer): boolean {
	return explainUnknownWebsite(explanation) !== undefined;
}

/** Of a website of the account only its pages are listed; nothing is sent to one. */
export const WEBSITES: Questions = {
	'website-pages': {
		asks: 'Pages of a website, and of one that there is not',
		ourChoice: `reads urlId and url of each page, knows the statuses ${KNOWN_STATUSES.join(', ')}, and takes 404 for a website that there is not`,
		async answer(probe) {
			const unknown = await probe.ask(foundPagesRequest(probe.unknownId));
			const records = probe.made.records ?? [];
			const site = records.find(({ type = '' }) => sourceTypeOf(type) === 'website');
			if (site === undefined) return { unknown, holds: all(isUnknownWebsite(unknown), undefined) };
			const answer = await probe.ask(foundPagesRequest(site.uniqueId));
			const failed = await probe.ask(foundPagesRequest(site.uniqueId, { status: 'failed' }));
			const statusesIn = ({ body }: Answer) =>
				readFoundPages(body)?.entries.map(({ status = 'no status' }) => String(status));
			const statuses = [...new Set(statusesIn(answer))];
			// Whether it filters is only to know: the node looks by itself.
			const filtered = [...new Set(statusesIn(failed))];
			const isRead = [answer, failed].every((one) => statusesIn(one) !== undefined);
			const areKnown = statuses.every((status) => KNOWN_STATUSES.includes(status));
			const holds = all(isUnknownWebsite(unknown), isRead && areKnown);
			return { unknown, answer, failed, statuses, filtered, holds };
		},
	},
	'page-retry': {
		asks: 'Retrying pages of a website that there is not',
		ourChoice: 'takes 404 for pages that there are not, and never sends an empty list',
		async answer(probe) {
			const unknown = await probe.ask(retryPagesRequest(probe.unknownId, [probe.unknownId]));
			// Only to know: the node never sends one.
			const empty = await probe.ask(retryPagesRequest(probe.unknownId, []));
			return { unknown, empty, holds: isUnknownWebsite(unknown) };
		},
	},
};
