import type { ItemContext } from '../execution/itemContext';
import type { Records } from '../inventory/records';
import type { IfNameExists } from '../pipeline/fields';
import { maxIndexingOption } from '../pipeline/fields';
import type { IngestionRun } from '../pipeline/ingestionRun';
import type { Document } from '../service/documents';
import { detailsOf } from '../service/documents';
import { UserError } from '../values/failure';
import { composed } from '../values/names';
import { itemNumbers, listed, quoted, sentences } from '../values/quoting';
import { shownTime } from '../values/times';
import type { Decision, Namesakes } from './decide';
import { decide, isYoung, newestFirst } from './decide';
import type { OldVersion } from './replacement';
import { oldVersions } from './replacement';

/** Where documents of a name are looked for. */
export interface Search {
	run: IngestionRun;
	item: ItemContext;
	/** The kind, as CometChat calls it. */
	sourceType: string;
	/** The agent that may have them; left out: the whole account. */
	uid?: string;
}

/**
 * What there is of a document before a new one is brought: the one place that finds old versions.
 *
 * @param named Those of the names that are meant.
 * @param leftBy Of which of them is also asked whether nobody has them, such as what runs before have left.
 */
export async function findNamesakes(
	{ run: { inventory }, item, sourceType, uid }: Search,
	named: (records: Records) => Document[],
	leftBy: (records: Document[]) => Document[] = () => [],
): Promise<Namesakes> {
	if (uid === undefined) {
		const attached = newestFirst(named(await inventory.list.whole(item)));
		return { attached, isKnown: true, spare: [], hasAgent: false };
	}
	const { agent, documents } = await inventory.agentFor(item, uid, sourceType);
	const areRead = (records: Records) =>
		agent.files?.every((id) => !documents?.has(id) || records.withId(id) !== undefined) ?? false;
	const all = newestFirst(
		named(await (documents ? inventory.list.until(item, areRead) : inventory.list.whole(item))),
	);
	// An entry without content is with no agent.
	const has = ({ uniqueId }: Document) =>
		documents ? documents.has(uniqueId) : inventory.own.mayHave(uid, uniqueId);
	const attached = all.filter(has);
	// Of what this run has given to the agent itself, no list needs to tell.
	const isKnown =
		documents !== undefined ||
		attached.every((one) => inventory.own.of(uid).get(one.uniqueId) === true);
	const others = leftBy(all.filter((one) => !has(one) && one.createdAt !== undefined));
	if (others.length === 0) return { attached, isKnown, spare: [], hasAgent: true };
	const who = await inventory.whoHas(item, [sourceType], agent);
	const isNobodys = (one: Document) => {
		const { has: agents, unknown } = who.of(one);
		return agents.length + unknown.length === 0;
	};
	return { attached, isKnown, spare: others.filter(isNobodys), hasAgent: true };
}

/** What is done with a new document. */
export type Settled = Exclude<Decision<OldVersion>, { action: 'refuse' }> & {
	/** Whether the agent has the one that was found. Where that is unknown, it is given it once more, which does no harm. */
	isAttached: boolean;
};

/**
 * Decides what is done with a new document by what is there under its name, before anything is sent for it.
 *
 * @param saysSame Which of them say what the new one says; left out: nobody can tell.
 */
export async function decideByName(
	search: Search,
	name: string,
	choice: IfNameExists,
	saysSame?: () => Promise<(record: Document) => boolean>,
): Promise<Settled> {
	if (choice === 'add') return { action: 'upload', isAttached: false, old: [] };
	const isLeftOf = choice !== 'replace' || saysSame !== undefined;
	const named = (records: Records) => records.named(search.sourceType, name);
	const there = await findNamesakes(search, named, (all) => (isLeftOf ? all : []));
	const isAny = there.attached.length + there.spare.length > 0;
	const isSame = isAny && saysSame ? await saysSame() : () => false;
	const decision = decide(choice, there, { saysSame: isSame, isYoung: youngIn(search) });
	if (decision.action === 'refuse') {
		throw decision.reason === 'several'
			? severalNamed({ ...search, ...there, name }, ADD_ANOTHER)
			: isThere(there, search, name);
	}
	const has = (one: Document) => there.hasAgent && there.attached.includes(one);
	const isAttached = decision.found !== undefined && there.isKnown && has(decision.found);
	return { ...decision, isAttached, old: oldVersions(decision.old, has) };
}

/** Whether a document came so shortly ago that it may still be on its way. */
export function youngIn({
	run: { clock },
	item,
}: Pick<Search, 'run' | 'item'>): (record: Document) => boolean {
	return (record) => isYoung(record, clock.nowMs(), item.option(maxIndexingOption));
}

/**
 * Why a document is not replaced: which of several is the old version is unknown.
 *
 * @param otherwise What else can be done about it, as a sentence.
 */
export function severalNamed(
	{
		run,
		sourceType,
		attached,
		name,
	}: Omit<Search, 'item'> & Pick<Namesakes, 'attached'> & { name: string },
	otherwise = '',
): UserError {
	const texts = sourceType === 'text' ? 'texts' : 'files';
	return new UserError(
		`CometChat has ${attached.length} ${texts} named ${quoted(name)}`,
		sentences(TAKE_OUTDATED, otherwise, `There is: ${detailsOfEach(attached, run)}.`),
		NOT_TOLD,
	);
}

function isThere(
	{ attached, spare, isKnown, hasAgent }: Namesakes,
	{ run, sourceType }: Search,
	name: string,
): UserError {
	const text = sourceType === 'text' ? 'a text' : 'a file';
	const isSpare = attached.length === 0;
	const who = isKnown && hasAgent && !isSpare ? 'The agent' : 'CometChat';
	return new UserError(
		`${who} has ${text} named ${quoted(name)} already${isSpare ? ', and no agent has it' : ''}`,
		`${OTHER_CHOICES} There is: ${detailsOfEach(isSpare ? spare : attached, run)}.`,
		isKnown ? { cause: 'configuration-invalid' } : NOT_TOLD,
	);
}

const NOT_TOLD = {
	cause: 'configuration-invalid',
	detail: "CometChat's list of agents does not tell which of them the agent has.",
} as const;

/** What tells documents of one name apart. */
export function detailsOfEach(
	records: Document[],
	{ context }: Pick<IngestionRun, 'context'>,
): string {
	const timeZone = context.getTimezone();
	const minutes = new Set(records.map(({ createdAt }) => shownTime(createdAt, timeZone)));
	const precision = minutes.size < records.length ? 'second' : 'minute';
	const each = records.map((record) =>
		[...detailsOf(record, timeZone, precision), `ID ${record.uniqueId}`].join(', '),
	);
	return listed(each, '; ');
}

/** The one advice where there are several of a name. */
export const TAKE_OUTDATED =
	'Take those that are outdated from the agent with Remove Files, and delete what no agent needs with Document: Delete.';

const ADD_ANOTHER = "Or set 'If Name Already Exists' to Add Another.";

const OTHER_CHOICES = "'If Name Already Exists' can also be Replace or Add Another.";

/** What to do about two of a name. @param apart How they get two names, as a clause. */
export function tellApart(apart: string): string {
	return `If they are different documents, ${apart}, or set 'If Name Already Exists' to Add Another. Otherwise leave all but one of them out.`;
}

/** What an item brings, and where. */
interface NewDocuments {
	names: string[];
	/** The agent; left out for none. */
	uid?: string;
	/** What they say; left out: no two of them are known to say the same. */
	says?: string;
	/** Left out: there may not be several of a name. */
	ifNameExists?: IfNameExists;
}

/** Which items of a run bring a document of a name that may not be one of several. */
export class NameClaims<Task> {
	/** By agent and name. */
	private readonly claims = new Map<
		string,
		{ name: string; uid?: string; by: number[]; says: Set<string | number> }
	>();

	constructor(private readonly documentsOf: (task: Task) => NewDocuments) {}

	/**
	 * Why items are not sent, by their index: two of one name for one agent are two documents, or a mistake, and only the
	 * user knows.
	 *
	 * @param items All of the run.
	 * @param noun How a person calls one of the documents.
	 * @param advice What to do about it, in sentences.
	 */
	clashes(
		items: ReadonlyArray<{ index: number; task: Task }>,
		noun: string,
		advice: string,
	): Map<number, UserError> {
		for (const { index, task } of items) this.add(index, this.documentsOf(task));
		const errors = new Map<number, UserError>();
		for (const { name, uid, by, says } of this.claims.values()) {
			if (says.size < 2) continue;
			const indexes = [...new Set(by)];
			const agent = uid === undefined ? '' : ' for the same agent';
			const title =
				indexes.length === 1
					? `The item has two ${noun}s named ${quoted(name)}`
					: `Items ${itemNumbers(indexes)} bring a ${noun} named ${quoted(name)}${agent}`;
			const error = new UserError(title, advice, { fileName: name });
			for (const index of indexes) errors.set(index, error);
		}
		return errors;
	}

	/** Items of one name go one after another where one may find what the other has brought. */
	keysOf(task: Task): string[] {
		const { names, uid } = this.documentsOf(task);
		const keys = names.flatMap((name) => [nameKey(name, uid), nameKey(name)]);
		return keys.filter((key) => this.claims.has(key));
	}

	private add(index: number, { names, uid, says, ifNameExists }: NewDocuments): void {
		for (const name of ifNameExists === 'add' ? [] : names) {
			const key = nameKey(name, uid);
			const claim = this.claims.get(key) ?? { name, uid, by: [], says: new Set() };
			claim.by.push(index);
			claim.says.add(says ?? claim.by.length);
			this.claims.set(key, claim);
		}
	}
}

/** Two spellings may be one agent. */
export function nameKey(name: string, uid = ''): string {
	return `${uid.toLowerCase()}/${composed(name)}`;
}
