import { NO_FILE_IDS, readFileIds } from '../../../nodes/CometChatKnowledgeBase/input/fileIds';
import { isAgentList, listRequest } from '../../../nodes/CometChatKnowledgeBase/service/agents';
import {
	KNOWLEDGE_BASE,
	readRecordPage,
	recordsRequest,
} from '../../../nodes/CometChatKnowledgeBase/service/records';
import { sourceTypeOf } from '../../../nodes/CometChatKnowledgeBase/values/sourceTypes';
import { ValidationIssue } from '../../../nodes/CometChatKnowledgeBase/values/validationIssue';
import type { Answer } from '../answer';
import type { ProbeClient } from '../client';
import type { Holds, Questions } from '../question';
import { all, question } from '../question';
import { kindOf } from '../redaction';
import { boundedRecordsRequest } from '../throwaways';

/** Whether a list with this limit has come, and no longer than that. */
function fits(answer: Answer | undefined, limit: number): Holds {
	const entries = answer?.page?.entries;
	return entries === undefined ? answer?.isTaken && false : entries.length <= limit;
}

/** Whether the second page goes on after the first, where the list is known to have more than one entry. */
function goesOn(first: Answer, second: Answer | undefined, listed = 0): Holds {
	if (second === undefined) return listed > 1 ? false : undefined;
	const [before, after] = [first, second].map(({ page }) => page?.entries[0]?.id);
	return second.isTaken && after !== undefined && after !== before;
}

/** Where not even this is answered, no other question is worth a request. */
function haltIfUseless(client: ProbeClient, answer: Answer): void {
	const { what, cause } = answer.explanation;
	if (isAgentList(answer.result)) return;
	if (answer.status >= 400 && cause === 'configuration-invalid') return;
	const why = answer.isTaken ? 'This host did not answer like CometChat' : what;
	client.halted ??= client.redact(`${why} (${answer.toJSON()})`);
}

/** How often each word is there. */
function counts(words: string[]): Record<string, number> {
	return Object.fromEntries(
		words.map((word) => [word, words.filter((other) => other === word).length]),
	);
}

const agents = (limit: number, next?: string) => listRequest(undefined, next, limit);

/** Asked first: they make nothing, and whether the key is accepted shows here. */
export const LISTS: Questions = {
	'agent-pages': question({
		asks: 'List of agents: limits and paging',
		ourChoice: 'asks for 50 at a time, tests the credential with 1, follows meta.next.createdAt',
		async ask(probe) {
			const one = await probe.ask(agents(1));
			haltIfUseless(probe.client, one);
			const limits = await probe.askAll({ fifty: agents(50), hundred: agents(100) });
			const next = one.page?.next;
			const second = next === undefined ? undefined : await probe.ask(agents(1, next));
			return { one, limits, second };
		},
		holds: ({ one, second, limits: { fifty, hundred } }) =>
			all(
				fits(one, 1),
				fits(fifty, 50),
				// The node never asks for as many: it may be refused.
				hundred?.isTaken ? fits(hundred, 100) : true,
				goesOn(one, second, (fifty ?? hundred)?.page?.entries.length),
			),
	}),
	'record-bounds': question({
		asks: 'List of records: start and end',
		ourChoice: 'leaves both out when it lists files',
		async ask(probe) {
			const bare = await probe.ask(recordsRequest());
			const request = boundedRecordsRequest(probe.client.machine.nowMs());
			const bounded = bare.isTaken ? undefined : await probe.ask(request);
			const listed = readRecordPage((bounded ?? bare).body)?.entries ?? [];
			if (listed.length > 0) probe.made.records = listed;
			return { bare, bounded };
		},
		holds: ({ bare, bounded }) => bare.isTaken || (bounded?.isTaken ? false : undefined),
	}),
	'record-ids': question({
		asks: 'Shape of IDs',
		ourChoice: 'takes any text as an ID, and uniqueId or uploadId of a record',
		async ask(probe) {
			const records = probe.need('records');
			const ids = records.map(({ uniqueId }) => uniqueId);
			const read = readFileIds(records);
			const readIds = read instanceof ValidationIssue || read === NO_FILE_IDS ? [] : read.ids;
			const misread = ids.filter((id) => !readIds.includes(id)).length;
			return { shapes: counts(ids.map(kindOf)), misread };
		},
		holds: ({ misread }) => misread === 0,
	}),
	websites: question({
		asks: 'Type of a website in the list',
		ourChoice: 'takes for a website what is neither uploads nor text-details',
		async ask(probe) {
			const records = probe.need('records');
			// That address has a page without content: whether it is there is asked only here.
			const parents = await probe.ask({ method: 'GET', url: `${KNOWLEDGE_BASE}/parent-urls` });
			return { parents, types: counts(records.map(({ type }) => type ?? 'no type')) };
		},
		holds({ types }) {
			const others = Object.keys(types).filter((type) => sourceTypeOf(type) === 'website');
			return all(...others.map((type) => /web|site|url|link|scrap|crawl/i.test(type)));
		},
	}),
};

/** Asked when the probe has made some: it takes two. */
export const RECORD_PAGES: Questions = {
	'record-pages': question({
		asks: 'List of records: pages',
		ourChoice: 'asks with limit, and goes on with affix append and the cursor of meta.next',
		async ask(probe) {
			const one = await probe.ask(recordsRequest(undefined, 1));
			const next = one.page?.next;
			const second = next === undefined ? undefined : await probe.ask(recordsRequest(next, 1));
			return { one, second, listed: probe.made.records?.length };
		},
		holds: ({ one, second, listed }) => all(fits(one, 1), goesOn(one, second, listed)),
	}),
};
