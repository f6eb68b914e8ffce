import {
	isAgentList,
	listRequest,
	readAgentPage,
} from '../../nodes/CometChatKnowledgeBase/service/agents';
import { Complaint, isRecord } from '../../nodes/CometChatKnowledgeBase/values/complaint';
import { explain } from '../../nodes/CometChatKnowledgeBase/results/explain';
import { NO_FILE_IDS, readFileIds } from '../../nodes/CometChatKnowledgeBase/input/fileIds';
import { recordsRequest } from '../../nodes/CometChatKnowledgeBase/service/records';
import type { Reply } from '../../nodes/CometChatKnowledgeBase/requests/reply';
import type { Asker } from './asking';
import { inBrief, isSuccessStatus } from './asking';
import type { Verdict } from './finding';
import { couldNotTell, doesNotHold, holds, together } from './finding';
import type { Question } from './question';
import { boundedRecordsRequest } from './records/recordRequests';
import type { KbRecord, Session } from './session';

const LIMITS = [1, 50, 100];

export const listLimits: Question = {
	question: 6,
	title: 'List of agents: limits and paging',
	choice: 'asks for 50 at a time, tests the credential with 1, follows meta.next.createdAt',
	async ask({ asker }) {
		const verdicts: Verdict[] = [];
		let first: Reply | undefined;
		let mostListed = 0;
		for (const limit of LIMITS) {
			const reply = await asker.ask(
				`agents, limit ${limit}`,
				listRequest(undefined, undefined, limit),
			);
			first ??= reply;
			haltIfUseless(asker, reply);
			const listed = readAgentPage(reply)?.agents.length;
			mostListed = Math.max(mostListed, listed ?? 0);
			verdicts.push(limitVerdict(limit, listed, reply));
		}
		verdicts.push(await pagingVerdict(asker, first, mostListed));
		return together(...verdicts);
	},
};

/** Where not even this is answered, no other question is worth a request. */
function haltIfUseless(asker: Asker, reply: Reply): void {
	if (isAgentList(reply)) return;
	const { what, cause } = explain(reply, asker.given.account);
	const isRefusedAsSuch =
		reply.kind === 'answer' && reply.status >= 400 && cause === 'configuration-invalid';
	const why = isSuccessStatus(reply) ? 'This host did not answer like CometChat' : what;
	if (!isRefusedAsSuch) asker.halted ??= asker.redact(`${why} (${inBrief(reply)})`);
}

function limitVerdict(limit: number, listed: number | undefined, reply: Reply): Verdict {
	if (listed !== undefined && listed <= limit) return holds(`takes ${limit}`);
	if (listed !== undefined) return doesNotHold(`limit ${limit} brings ${listed} agents`);
	const refused = `limit ${limit} is refused (${inBrief(reply)})`;
	// The node never asks for as many.
	return limit === 100 ? holds(refused) : doesNotHold(refused);
}

async function pagingVerdict(
	asker: Asker,
	first: Reply | undefined,
	mostListed: number,
): Promise<Verdict> {
	const page = first && readAgentPage(first);
	if (first === undefined || page === undefined)
		return couldNotTell('there is no page to go on from');
	const fields = metaFields(first);
	if (page.next === undefined) {
		return mostListed > 1
			? doesNotHold(`there are more pages, but meta has only ${fields}`)
			: couldNotTell(`paging needs two agents; meta has ${fields}`);
	}
	const reply = await asker.ask('the page after that', listRequest(undefined, page.next, 1));
	const second = readAgentPage(reply);
	if (second === undefined) return doesNotHold(`the next page is refused (${inBrief(reply)})`);
	if (mostListed < 2) return holds(`paging by ${fields}`);
	const [one, other] = [page.agents[0]?.value, second.agents[0]?.value];
	return other === undefined || one === other
		? doesNotHold('the next page holds no next agent')
		: holds(`paging by ${fields}`);
}

/** What a page says about the pages around it, by its names only. */
export function metaFields(reply: Reply): string {
	const meta = reply.kind === 'answer' && isRecord(reply.body) ? reply.body.meta : undefined;
	if (!isRecord(meta)) return 'no meta';
	return Object.entries(meta)
		.map(([name, value]) => `${name} {${isRecord(value) ? Object.keys(value).join(', ') : ''}}`)
		.join(', ');
}

export const listBounds: Question = {
	question: 10,
	title: 'List of records: start and end',
	choice: 'leaves both out when it lists files',
	async ask(session) {
		const { asker } = session;
		const bare = await asker.ask('records without start and end', recordsRequest());
		if (isSuccessStatus(bare)) {
			session.records = recordsIn(bare);
			return holds('start and end are not needed');
		}
		const bounded = await asker.ask(
			'records with start and end',
			boundedRecordsRequest(asker.around.nowMs()),
		);
		session.records = recordsIn(bounded);
		return isSuccessStatus(bounded)
			? doesNotHold(`start and end are needed (${inBrief(bare)} without)`)
			: couldNotTell(`refused either way (${inBrief(bare)}, ${inBrief(bounded)})`);
	},
};

function recordsIn(reply: Reply): KbRecord[] {
	const body = reply.kind === 'answer' && isSuccessStatus(reply) ? reply.body : undefined;
	const data: unknown[] = isRecord(body) && Array.isArray(body.data) ? body.data : [];
	return data.filter(isRecord).flatMap(({ uniqueId, type }) => {
		return typeof uniqueId === 'string' ? [{ uniqueId, type }] : [];
	});
}

export const idShapes: Question = {
	question: 2,
	title: 'Shape of IDs',
	choice: 'takes any text as an ID, and uniqueId or uploadId of a record',
	ask: async (session) => idVerdict(session),
};

/** Asks nothing: the list of records was asked for before. */
function idVerdict({ records, asker }: Session): Verdict {
	if (records.length === 0) return couldNotTell('no record could be read');
	const read = readFileIds(records);
	if (read instanceof Complaint) return doesNotHold(read.what);
	const unread = records.filter(
		({ uniqueId }) => read === NO_FILE_IDS || !read.ids.includes(uniqueId),
	).length;
	if (unread > 0) return doesNotHold(`${unread} of ${records.length} IDs are read otherwise`);

	const { fileIds } = asker.given;
	const listed = fileIds.filter((id) => records.some(({ uniqueId }) => uniqueId === id)).length;
	const shapes = counted(records.map(({ uniqueId }) => shapeOf(uniqueId)));
	const types = counted(records.map(({ type }) => (typeof type === 'string' ? type : 'no type')));
	const named =
		fileIds.length === 0
			? 'no file was named'
			: `${listed} of ${fileIds.length} named files listed`;
	return holds(asker.redact(`uniqueId is ${shapes}; types: ${types}; ${named}`));
}

function shapeOf(id: string): string {
	if (/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id)) return 'UUID';
	return /^[\da-f]{24}$/i.test(id) ? '24-hex' : `other text of ${id.length}`;
}

function counted(values: string[]): string {
	const counts = new Map<string, number>();
	for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
	return [...counts].map(([value, count]) => `${value} (${count})`).join(', ');
}
