import type { ItemFailure } from '../results/apiError';
import { caught, isItemFailure } from '../results/apiError';
import type { Agent } from './agents';
import { documentsOf, listRequest, readAgents } from './agents';
import type { ApiClient } from './apiClient';
import type { StatusById } from './statuses';
import { IDS_PER_QUESTION, NOT_LISTED } from './statuses';
import { readWholeList } from './wholeList';

/** Whether an agent's lists tell which documents it has; an empty one does if lists of others prove it. */
export type Telling = 'told' | 'not told' | 'told if proven';

/**
 * The rule for each agent by itself: documented is only that `files` and `websites` are lists of texts.
 * That those of `files` are the IDs of records is likely, and believed only of a list that names a record.
 * `websites` proves nothing: it may as well hold addresses.
 */
export function tellingOf({ files }: Agent, isRecord: (id: string) => boolean): Telling {
	if (files === undefined) return 'not told';
	if (files.length === 0) return 'told if proven';
	return files.some(isRecord) ? 'told' : 'not told';
}

/** Agents that a list to pick from, or a poll, looks through for proof, in pages. */
const MOST_AGENT_PAGES = 10;

/**
 * What an agent has, where only some of the account's records are known: what is missing is asked for.
 *
 * @param known Record IDs.
 * @param statusesOf Asks for the status of each ID; those that are no records are left out, or not listed.
 * @returns The documents that the agent has; undefined if its lists do not tell.
 */
export async function documentsTold(
	client: ApiClient,
	agent: Agent,
	known: ReadonlySet<string>,
	statusesOf: (ids: string[]) => Promise<StatusById | ItemFailure>,
): Promise<ReadonlySet<string> | undefined | ItemFailure> {
	const isKnown = (id: string) => known.has(id);
	const { files = [] } = agent;
	let isTold: boolean | ItemFailure = tellingOf(agent, isKnown) === 'told';
	if (!isTold && files.length > 0) {
		const statuses = await statusesOf(files.slice(0, IDS_PER_QUESTION));
		if (isItemFailure(statuses)) return statuses;
		isTold = tellingOf(agent, (id) => (statuses.get(id) ?? NOT_LISTED) !== NOT_LISTED) === 'told';
	} else if (tellingOf(agent, isKnown) === 'told if proven') {
		isTold = await isProven(client, isKnown);
	}
	if (isItemFailure(isTold)) return isTold;
	return isTold ? new Set(documentsOf(agent)) : undefined;
}

/**
 * Whether an agent's list of websites tells which it has: one with entries has to name a record itself, an
 * empty one is as true as the list of files.
 *
 * @param areFilesTold What `documentsTold` has come to.
 */
export async function websitesTold(
	{ websites }: Agent,
	areFilesTold: boolean,
	known: ReadonlySet<string>,
	statusesOf: (ids: string[]) => Promise<StatusById | ItemFailure>,
): Promise<boolean | ItemFailure> {
	if (websites === undefined) return false;
	if (websites.length === 0) return areFilesTold;
	if (websites.some((id) => known.has(id))) return true;
	const statuses = await statusesOf(websites.slice(0, IDS_PER_QUESTION));
	if (isItemFailure(statuses)) return statuses;
	return websites.some((id) => (statuses.get(id) ?? NOT_LISTED) !== NOT_LISTED);
}

/** Whether the list of any agent names a record. */
async function isProven(
	client: ApiClient,
	isRecord: (id: string) => boolean,
): Promise<boolean | ItemFailure> {
	let pages = 0;
	const reading = readWholeList(
		async (next) => await client.call(listRequest(undefined, next), readAgents),
		({ uid }) => uid,
		{
			fits: (one) => tellingOf(one, isRecord) === 'told',
			limit: 1,
			isLast: () => ++pages >= MOST_AGENT_PAGES,
		},
	);
	const telling = await caught(reading);
	return isItemFailure(telling) ? telling : telling.length > 0;
}
