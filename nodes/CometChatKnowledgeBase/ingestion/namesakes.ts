import type { IfNameExists } from '../pipeline/fields';
import type { IngestionRun } from '../pipeline/ingestionRun';
import type { Document } from '../service/documents';
import { detailsOf } from '../service/documents';
import { UserError } from '../values/failure';
import { composed } from '../values/names';
import { itemNumbers, listed, quoted } from '../values/quoting';
import { shownTime } from '../values/times';

/** Why a file is not replaced: which of several is the old version is unknown. */
export function severalNamed(
	run: IngestionRun,
	{ attached, name }: { attached: Document[]; name: string },
): UserError {
	return new UserError(
		`CometChat has ${attached.length} files named ${quoted(name)}`,
		`Take those that are outdated from the agent with Remove Files, and delete what no agent needs with Document: Delete. There is: ${detailsOfEach(attached, run)}.`,
		{
			cause: 'configuration-invalid',
			detail: "CometChat's list of agents does not tell which of them the agent has.",
		},
	);
}

/** What tells documents of one name apart. */
function detailsOfEach(records: Document[], { context }: Pick<IngestionRun, 'context'>): string {
	const timeZone = context.getTimezone();
	const minutes = new Set(records.map(({ createdAt }) => shownTime(createdAt, timeZone)));
	const precision = minutes.size < records.length ? 'second' : 'minute';
	const each = records.map((record) =>
		[...detailsOf(record, timeZone, precision), `ID ${record.uniqueId}`].join(', '),
	);
	return listed(each, '; ');
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
function nameKey(name: string, uid = ''): string {
	return `${uid.toLowerCase()}/${composed(name)}`;
}
