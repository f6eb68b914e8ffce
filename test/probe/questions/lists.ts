import {
	isAgentList,
	listRequest,
	readAgents,
} from '../../../nodes/CometChatKnowledgeBase/service/agents';
import {
	ValidationIssue,
	isRecord,
} from '../../../nodes/CometChatKnowledgeBase/values/validationIssue';
import { explain } from '../../../nodes/CometChatKnowledgeBase/results/messages';
import { NO_FILE_IDS, readFileIds } from '../../../nodes/CometChatKnowledgeBase/input/fileIds';
import {
	KNOWLEDGE_BASE,
	readRecordPage,
	recordsRequest,
} from '../../../nodes/CometChatKnowledgeBase/service/records';
import type { AttemptResult } from '../../../nodes/CometChatKnowledgeBase/requests/attemptResult';
import { isSuccess } from '../../../nodes/CometChatKnowledgeBase/requests/attemptResult';
import { sourceTypeOf } from '../../../nodes/CometChatKnowledgeBase/values/sourceTypes';
import type { ProbeClient } from '../client';
import { inBrief, isSuccessStatus } from '../client';
import { notDone } from '../context';
import type { Verdict } from '../question';
import { couldNotTell, doesNotHold, holds, question, together } from '../question';
import { boundedRecordsRequest } from '../throwaways';

/** A page of either list, as far as paging is concerned. */
interface Page {
	ids: string[];
	next?: string;
	/** What it says about the pages around it, by its names only. */
	fields: string;
}

function pageIn(reply: AttemptResult): Page | undefined {
	if (!isSuccess(reply)) return undefined;
	const agents = readAgents(reply.body);
	const records = readRecordPage(reply.body);
	const ids =
		agents?.entries.map(({ uid }) => uid) ?? records?.entries.map(({ uniqueId }) => uniqueId);
	if (ids === undefined) return undefined;
	const meta = isRecord(reply.body) && isRecord(reply.body.meta) ? reply.body.meta : {};
	const fields = Object.entries(meta).map(
		([name, value]) => `${name} {${isRecord(value) ? Object.keys(value).join(', ') : ''}}`,
	);
	return { ids, next: agents?.next ?? records?.next, fields: fields.join(', ') || 'no meta' };
}

/** @param second The page after the first; undefined if it was not asked for. */
function pagingVerdict(
	first: Page | undefined,
	second: AttemptResult | undefined,
	most: number,
): Verdict {
	if (first === undefined) return couldNotTell('there is no page to go on from');
	if (second === undefined) {
		return most > 1
			? doesNotHold(`there are more pages, but meta has only ${first.fields}`)
			: couldNotTell(`paging needs two entries; meta has ${first.fields}`);
	}
	const next = pageIn(second);
	if (next === undefined) return doesNotHold(`the next page is refused (${inBrief(second)})`);
	return next.ids[0] === undefined || next.ids[0] === first.ids[0]
		? doesNotHold('the next page holds no next entry')
		: holds(`paging by ${first.fields}`);
}

function limitVerdict(limit: number, reply: AttemptResult): Verdict {
	const listed = pageIn(reply)?.ids.length;
	if (listed !== undefined) {
		return listed <= limit ? holds(`takes ${limit}`) : doesNotHold(`${limit} brings ${listed}`);
	}
	const refused = `limit ${limit} is refused (${inBrief(reply)})`;
	// The node never asks for as many agents.
	return limit === 100 ? holds(refused) : doesNotHold(refused);
}

/** Where not even this is answered, no other question is worth a request. */
function haltIfUseless(client: ProbeClient, reply: AttemptResult): void {
	if (isAgentList(reply)) return;
	const { what, cause } = explain(reply, client.settings.account);
	const isRefusedAsSuch =
		reply.kind === 'response' && reply.status >= 400 && cause === 'configuration-invalid';
	const why = isSuccessStatus(reply) ? 'This host did not answer like CometChat' : what;
	if (!isRefusedAsSuch) client.halted ??= client.redact(`${why} (${inBrief(reply)})`);
}

export const agentPages = question({
	id: 'agent-pages',
	asks: 'List of agents: limits and paging',
	choice: 'asks for 50 at a time, tests the credential with 1, follows meta.next.createdAt',
	async run({ client }) {
		const ask = async (limit: number) =>
			await client.ask(`agents, limit ${limit}`, listRequest(undefined, undefined, limit));
		const one = await ask(1);
		haltIfUseless(client, one);
		const [fifty, hundred, next] = [await ask(50), await ask(100), pageIn(one)?.next];
		if (next === undefined) return { one, fifty, hundred };
		const second = await client.ask('the page after the first', listRequest(undefined, next, 1));
		return { one, fifty, hundred, second };
	},
	judge({ one, fifty, hundred, second }) {
		const listed = pageIn(fifty)?.ids.length ?? pageIn(hundred)?.ids.length ?? 0;
		return together(
			limitVerdict(1, one),
			limitVerdict(50, fifty),
			limitVerdict(100, hundred),
			pagingVerdict(pageIn(one), second, listed),
		);
	},
});

export const recordBounds = question({
	id: 'record-bounds',
	asks: 'List of records: start and end',
	choice: 'leaves both out when it lists files',
	async run(context) {
		const { client } = context;
		const bare = await client.ask('records without start and end', recordsRequest());
		const bounded = isSuccessStatus(bare)
			? undefined
			: await client.ask(
					'records with start and end',
					boundedRecordsRequest(client.machine.nowMs()),
				);
		const listed = bounded ?? bare;
		context.records = (isSuccess(listed) && readRecordPage(listed.body)?.entries) || [];
		return { bare, bounded };
	},
	judge({ bare, bounded }) {
		if (bounded === undefined) return holds('start and end are not needed');
		return isSuccessStatus(bounded)
			? doesNotHold(`start and end are needed (${inBrief(bare)} without)`)
			: couldNotTell(`refused either way (${inBrief(bare)}, ${inBrief(bounded)})`);
	},
});

export const recordIds = question({
	id: 'record-ids',
	asks: 'Shape of IDs',
	choice: 'takes any text as an ID, and uniqueId or uploadId of a record',
	/** Asks nothing: the list of records was asked for before. */
	run: async ({ records }) => records,
	judge(records) {
		if (records.length === 0) return couldNotTell('no record could be read');
		const read = readFileIds(records);
		if (read instanceof ValidationIssue) return doesNotHold(read.what);
		const ids = read === NO_FILE_IDS ? [] : read.ids;
		const unread = records.filter(({ uniqueId }) => !ids.includes(uniqueId)).length;
		if (unread > 0) return doesNotHold(`${unread} of ${records.length} IDs are read otherwise`);
		return holds(`uniqueId is ${counted(records.map(({ uniqueId }) => shapeOf(uniqueId)))}`);
	},
});

function shapeOf(id: string): string {
	if (/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id)) return 'UUID';
	return /^[\da-f]{24}$/i.test(id) ? '24-hex' : `other text of ${id.length}`;
}

function counted(values: string[]): string {
	return [...new Set(values)]
		.map((value) => `${value} (${values.filter((one) => one === value).length})`)
		.join(', ');
}

export const websites = question({
	id: 'websites',
	asks: 'Type of a website in the list',
	choice: 'takes for a website what is neither uploads nor text-details',
	/** That address has a page without content: whether it is there is asked only here. */
	async run({ client, records }) {
		const url = `${KNOWLEDGE_BASE}/parent-urls`;
		const parents = await client.ask('the websites, by an undocumented address', {
			method: 'GET',
			url,
		});
		return { parents, types: records.map(({ type }) => type ?? 'no type') };
	},
	judge({ parents, types }) {
		const others = types.filter((type) => sourceTypeOf(type) === 'website');
		const seen = `types: ${counted(types) || 'none'}; parent-urls: ${inBrief(parents)}`;
		if (others.length === 0) return couldNotTell(`no website is listed; ${seen}`);
		return others.every((type) => /web|site|url|link|scrap|crawl/i.test(type))
			? holds(seen)
			: doesNotHold(seen);
	},
});

export const recordPages = question({
	id: 'record-pages',
	asks: 'List of records: pages',
	choice: 'asks with limit, and goes on with affix append and the cursor of meta.next',
	async run({ client }) {
		const first = await client.ask('records, limit 1', recordsRequest(undefined, 1));
		const next = pageIn(first)?.next;
		if (next === undefined) return { first };
		return { first, second: await client.ask('the page after that', recordsRequest(next, 1)) };
	},
	judge({ first, second }, { records }) {
		const page = pageIn(first);
		if (page === undefined) return notDone('the list has no readable answer', first);
		return page.ids.length > 1
			? doesNotHold(`limit 1 brings ${page.ids.length} records`)
			: pagingVerdict(page, second, records.length);
	},
});
