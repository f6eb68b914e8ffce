import { Steps } from '../execution/steps';
import type { Hint } from '../results/hints';
import { warningHint } from '../results/hints';
import { isItemFailure } from '../results/itemFailure';
import { sentences } from '../results/itemResult';
import { documentsOf } from '../service/agents';
import { tellingOf } from '../service/attachedDocuments';
import { quoted } from '../values/quoting';
import type { Shown, Words } from '../values/shown';
import { listed, worded } from '../values/shown';
import type { IngestionRun } from './ingestionRun';
import { Inventory } from './inventory';
import type { Records } from './records';

/** A new document of a run. */
export interface NewDocument {
	sourceType: Words;
	name: Shown;
	uniqueId: Shown;
	/** The agent that has it now; left out: none. */
	uid?: Shown;
}

/** A warning is not worth more than ten pages of the list. */
const MOST_RECORDS = 1000;

/** Nor more than one try, and no long pause. */
const ONE_TRY = { maxAttempts: 1, maxWaitMs: 10_000 };

/** Whose the other documents of a name are, as far as CometChat tells. */
type Owner = 'agent' | 'perhaps agent' | 'account';

/** Looks once, when all items have ended, for other documents under the names of the new ones. */
export class SameNameHints {
	private readonly steps: Steps;

	/** Of its own, since what it asks is not worth as many tries. */
	private readonly inventory: Inventory;

	/** Names with the IDs of the others, and each once. */
	private readonly found: Record<Owner, Map<string, Shown>> = {
		agent: new Map(),
		'perhaps agent': new Map(),
		account: new Map(),
	};

	private isCut = false;

	constructor(private readonly run: IngestionRun) {
		const once = { ...run, limits: { ...run.limits, ...ONE_TRY } };
		this.steps = new Steps(once);
		this.inventory = new Inventory(once);
	}

	/** @param documents Those that have arrived. */
	async of(documents: NewDocument[]): Promise<Hint[]> {
		if (documents.length === 0 || this.run.clock.isCancelled()) return [];
		const isEnough = ({ count }: Records) => count >= MOST_RECORDS;
		const records = await this.inventory.recordsFor(this.steps, isEnough);
		if (isItemFailure(records)) return [LIST_UNREAD];
		for (const one of documents) await this.look(one, records);
		return [
			...this.warning('agent', THE_AGENT, TAKE_OUT),
			...this.warning('perhaps agent', PERHAPS_THE_AGENT, TAKE_OUT),
			...this.warning('account', THE_ACCOUNT, DELETE),
			...(this.isCut ? [CUT] : []),
		];
	}

	private async look(one: NewDocument, records: Records): Promise<void> {
		const { name, sourceType, uid, uniqueId } = one;
		const others = records
			.named(sourceType, name)
			.map((record) => record.uniqueId)
			.filter((id) => id !== uniqueId && this.mayHave(uid, id));
		if (others.length === 0 && (records.isWhole || this.isCut)) return;
		if (uid === undefined) {
			this.note('account', one, others);
			this.isCut ||= !records.isWhole;
			return;
		}
		const agent = await this.inventory.agentAlone(this.steps, uid);
		const isRecord = (id: string) => records.withId(id) !== undefined;
		if (isItemFailure(agent) || tellingOf(agent, isRecord) !== 'told') {
			this.note('perhaps agent', one, others);
			this.isCut ||= !records.isWhole;
			return;
		}
		const documents: string[] = documentsOf(agent);
		this.note(
			'agent',
			one,
			others.filter((id) => documents.includes(id)),
		);
		this.isCut ||= !documents.every(isRecord);
	}

	private mayHave(uid: string | undefined, uniqueId: string): boolean {
		return uid === undefined || this.run.inventory.mayHave(uid, uniqueId);
	}

	private note(owner: Owner, { name, uid = worded`` }: NewDocument, others: Shown[]): void {
		if (others.length === 0) return;
		const ids = listed(others.map((id) => worded`ID ${id}`));
		this.found[owner].set(JSON.stringify([uid, name]), worded`${quoted(name)} (${ids})`);
	}

	private warning(owner: Owner, begin: Words, remedy: Words): Hint[] {
		const names = [...this.found[owner].values()];
		if (names.length === 0) return [];
		return [warningHint(sentences(worded`${begin}: ${listed(names, '; ')}.`, remedy))];
	}
}

const THE_AGENT: Words =
	'The agent has other documents of the same name, and answers from all of them';

const PERHAPS_THE_AGENT: Words =
	'CometChat has other documents of the same name, and does not tell whether the agent has them';

const THE_ACCOUNT: Words = 'CometChat has other documents of the same name';

const TAKE_OUT: Words =
	"Take those that are outdated from the agent with Remove Files. With 'If the Name Is There' under Options set to Replace, the next run then replaces the one that is left.";

const DELETE: Words =
	"Delete those that are outdated with Document: Delete. With 'If the Name Is There' under Options set to Skip, the next run sends nothing that is there.";

const LIST_UNREAD: Hint = {
	type: 'warning',
	message:
		'Not known whether CometChat has other documents of the same name: its list could not be read.',
};

const CUT: Hint = {
	type: 'info',
	message:
		'The node looked only through the newest 1,000 documents of CometChat for the same name.',
};
