import { sourceTypeOf } from '../values/sourceTypes';
import type { Agent } from './agents';
import { agentPages, readAgents } from './agents';
import type { ApiClient } from './apiClient';
import type { Document } from './documents';
import type { StatusById } from './statuses';
import { IDS_PER_QUESTION, NOT_LISTED } from './statuses';
import { readWholeList } from './wholeList';
import type { Answer } from './whoHasIt';
import { WhoHasIt } from './whoHasIt';

/** Agents that a list to pick from, or a poll, looks through for proof, in pages. */
const MOST_AGENT_PAGES = 10;

interface Known {
	/** Those of the account's records that were read. */
	records: Document[];
	/** Asks for the status of IDs; those that are no documents are left out, or not listed. */
	statusesOf: (ids: string[]) => Promise<StatusById>;
}

/**
 * Whether an agent has some documents, by the rule of `WhoHasIt`, where only some of the account's records are
 * known: first by its own lists, then by asking what else these name, at last by the lists of other agents. No
 * more is asked than it takes.
 *
 * @param documents Those that are asked about.
 */
export async function answersFor(
	client: ApiClient,
	agent: Agent,
	documents: Document[],
	{ records, statusesOf }: Known,
): Promise<(document: Document) => Answer> {
	const types = new Map<string, string>();
	for (const { uniqueId, type = 'uploads' } of records) types.set(uniqueId, sourceTypeOf(type));
	const typeOf = (id: string) => types.get(id);
	let who = new WhoHasIt([agent], typeOf);
	const isOpen = () => documents.some((one) => who.answer(agent, one) === 'unknown');
	if (isOpen()) {
		await addOlder(types, agent, statusesOf);
		who = new WhoHasIt([agent], typeOf);
	}
	if (isOpen()) {
		let pages = 0;
		const isLast = () => ++pages >= MOST_AGENT_PAGES;
		const newest = await readWholeList(agentPages(client, readAgents), { isLast });
		const others = newest.filter(({ uid }) => uid !== agent.uid);
		who = new WhoHasIt([agent, ...others], typeOf);
	}
	return (document) => who.answer(agent, document);
}

/** Of older documents only the status is asked for, which tells no type: in `files`, most are uploads. */
async function addOlder(
	types: Map<string, string>,
	{ files = [], websites = [] }: Agent,
	statusesOf: Known['statusesOf'],
): Promise<void> {
	for (const [ids, type] of [
		[files, 'uploads'],
		[websites, 'website'],
	] as const) {
		const older = ids.filter((id) => !types.has(id)).slice(0, IDS_PER_QUESTION);
		const statuses = older.length > 0 ? await statusesOf(older) : [];
		for (const [id, status] of statuses) if (status !== NOT_LISTED) types.set(id, type);
	}
}
