import type { ItemContext } from '../execution/itemContext';
import type { ItemFailure } from '../results/apiError';
import { caught, isItemFailure } from '../results/apiError';
import { sentences } from '../results/itemResult';
import type { KnowledgeBaseRecord } from '../service/records';
import { detailsOf } from '../service/records';
import { listed, quoted } from '../values/quoting';
import { shownTime } from '../values/times';
import type { IfNameExists } from './ifNameExists';
import type { Inventory } from './inventory';
import type { OldVersion } from './oldVersions';
import { asOld } from './oldVersions';
import type { Records } from './records';
import { UserError } from '../values/userError';

/** Where documents of a name are looked for. */
export interface NameSearch {
	steps: ItemContext;
	inventory: Inventory;
	/** The kind, as CometChat calls it. */
	sourceType: string;
	/** The agent that may have them; left out: the whole account. */
	uid?: string;
}

/** The documents of one name. */
export interface SameName {
	found: KnowledgeBaseRecord[];
	/** Whether CometChat tells that the agent has them; false: it may have them. */
	isTold: boolean;
}

/** The documents of a name that the agent has; where it is not told, those that it may have. */
export async function findByName(
	search: NameSearch,
	name: string,
): Promise<SameName | ItemFailure> {
	return await findNamed(search, (records) => records.named(search.sourceType, name));
}

/** @param named Those of the names that are looked for. */
export async function findNamed(
	{ steps, inventory, uid }: Omit<NameSearch, 'sourceType'>,
	named: (records: Records) => KnowledgeBaseRecord[],
): Promise<SameName | ItemFailure> {
	if (uid === undefined) {
		const records = await caught(inventory.recordsFor(steps));
		return isItemFailure(records) ? records : { found: named(records), isTold: true };
	}
	const asked = await caught(inventory.agentFor(steps, uid));
	if (isItemFailure(asked)) return asked;
	const { agent, documents } = asked;
	const isFound = (records: Records) =>
		agent.files?.every((id) => !documents?.has(id) || records.withId(id) !== undefined) ?? false;
	const records = await caught(inventory.recordsFor(steps, documents && isFound));
	if (isItemFailure(records)) return records;
	// An entry without content is with no agent.
	const has = (id: string) => (documents ? documents.has(id) : inventory.mayHave(uid, id));
	const found = named(records).filter(({ uniqueId }) => has(uniqueId));
	return { found, isTold: documents !== undefined };
}

/** What is done with new documents, by what is there under their names. */
export interface NameDecision {
	/** Those that stay out, with what is there instead. */
	skipped: Array<{ name: string; uniqueId: string }>;
	/** Those that are replaced. */
	replaced: OldVersion[];
}

/**
 * Looks for what is there under the names of new documents, before anything is sent for them.
 *
 * @param names As they are sent.
 */
export async function decideByName(
	search: NameSearch,
	names: string[],
	{ choice, timeZone }: { choice: IfNameExists; timeZone: string },
): Promise<NameDecision | ItemFailure> {
	const decision: NameDecision = { skipped: [], replaced: [] };
	if (choice === 'add') return decision;
	const { inventory, uid } = search;
	for (const name of names) {
		const same = await findByName(search, name);
		if (isItemFailure(same)) return same;
		const { found, isTold } = same;
		const [one] = found;
		if (one === undefined) continue;
		const candidates = { name, timeZone, ...search, ...same };
		if (choice === 'fail') return isThere(candidates);
		// Of what this run has given to the agent itself, no list needs to tell.
		const isGiven = inventory.hasGiven(uid ?? '', one.uniqueId);
		if (choice === 'skip' && !isTold && !isGiven) return isThere(candidates);
		if (choice === 'skip') decision.skipped.push({ name, uniqueId: one.uniqueId });
		else if (isTold || found.length === 1) {
			decision.replaced.push(...asOld(found, uid !== undefined));
		} else return severalNamed(candidates, ADD_ANOTHER);
	}
	return decision;
}

/** The documents that stand in the way of a new one. */
export interface Candidates extends SameName {
	name: string;
	sourceType: string;
	/** The agent that has them, or may; left out: none is meant. */
	uid?: string;
	timeZone: string;
}

/**
 * Which of them is the old version can't be told.
 *
 * @param otherwise What else can be done about it, as a sentence.
 */
export function severalNamed(candidates: Candidates, otherwise: string = ''): UserError {
	const { found, name, sourceType, timeZone } = candidates;
	const kind = sourceType === 'text' ? 'texts' : 'files';
	return new UserError(
		`${whoHas(candidates)} has ${found.length} ${kind} named ${quoted(name)}`,
		sentences(TAKE_OUTDATED, otherwise, `They are: ${described(found, timeZone)}.`),
		notTold(candidates),
	);
}

function isThere(candidates: Candidates): UserError {
	const { found, name, sourceType, timeZone } = candidates;
	const kind = sourceType === 'text' ? 'a text' : 'a file';
	return new UserError(
		`${whoHas(candidates)} has ${kind} named ${quoted(name)} already`,
		`${OTHER_CHOICES} It is there as: ${described(found, timeZone)}.`,
		notTold(candidates),
	);
}

function whoHas({ isTold, uid }: Pick<Candidates, 'isTold' | 'uid'>): string {
	return isTold && uid !== undefined ? 'The agent' : 'CometChat';
}

/** What tells documents of one name apart. */
export function described(found: KnowledgeBaseRecord[], timeZone: string): string {
	const minutes = new Set(found.map(({ createdAt }) => shownTime(createdAt, timeZone)));
	const precision = minutes.size < found.length ? 'second' : 'minute';
	const each = found.map((record) =>
		[...detailsOf(record, timeZone, precision), `ID ${record.uniqueId}`].join(', '),
	);
	return listed(each, '; ');
}

function notTold({ isTold }: Candidates) {
	const said: string = "CometChat's list of agents does not tell which of them the agent has.";
	return { cause: 'configuration-invalid' as const, ...(isTold ? {} : { said }) };
}

/** The one advice where there are several of a name. */
export const TAKE_OUTDATED: string =
	'Take those that are outdated from the agent with Remove Files, and delete what no agent needs with Document: Delete.';

const ADD_ANOTHER: string = "Or set 'If the Name Is There' to Add Another.";

const OTHER_CHOICES: string = "'If the Name Is There' can also be Replace or Add Another.";
