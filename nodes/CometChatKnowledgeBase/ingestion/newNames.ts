import type { Steps } from '../execution/steps';
import { composed } from '../input/document';
import type { Hint } from '../results/hints';
import type { ItemFailure } from '../results/itemFailure';
import { isItemFailure } from '../results/itemFailure';
import type { Fields } from '../results/itemResult';
import { quoted } from '../values/quoting';
import type { Shown, Words } from '../values/shown';
import { given, listed, worded } from '../values/shown';
import { ifNameExistsOption } from './ifNameExists';
import type { Ingestion } from './ingestion';
import type { IngestionRun } from './ingestionRun';
import type { NameDecision } from './sameName';
import { decideByName } from './sameName';
import type { NewDocument } from './sameNameHints';
import { SameNameHints } from './sameNameHints';

/** What became of what was there, as output fields. */
export function sameNameFields({ skipped }: NameDecision, ingestion?: Ingestion): Fields {
	const { notDeleted, oldVersions } = ingestion ?? {};
	const replaced = oldVersions?.ids.map(given) ?? [];
	return {
		...(skipped.length > 0 && { skipped }),
		...(replaced.length > 0 && { replaced, notDeleted }),
	};
}

/** What 'If the Name Is There' says of the new documents of a run, which are of one kind. */
export class NewNames {
	private readonly brought: NewDocument[] = [];

	constructor(
		private readonly run: IngestionRun,
		private readonly sourceType: Words,
	) {}

	/** What is to be done with the documents of an item, before anything is sent for them. */
	async decide(
		steps: Steps,
		names: Shown[],
		uid: Shown | undefined,
	): Promise<NameDecision | ItemFailure> {
		const { context, inventory, option } = this.run;
		const search = { steps, inventory, sourceType: this.sourceType, uid };
		const how = { choice: option(ifNameExistsOption), timeZone: context.getTimezone() };
		const decision = await decideByName(search, names, how);
		if (!isItemFailure(decision) && decision.skipped.length > 0) {
			const there = listed(decision.skipped.map(({ name }) => quoted(name)));
			steps.remark(worded`Skipped, because the name is there already: ${there}`);
		}
		return decision;
	}

	/** What tells items apart that may go side by side: of one name, the second finds what the first brought. */
	keysOf(names: Shown[], uid = ''): string[] {
		if (this.run.option(ifNameExistsOption) === 'add') return [];
		return names.map((name) => `${uid.toLowerCase()}/${composed(name)}`);
	}

	/** Notes what an item has brought. */
	note(documents: Array<Omit<NewDocument, 'sourceType'>>): void {
		for (const one of documents) this.brought.push({ ...one, sourceType: this.sourceType });
	}

	/** What someone should know of names that were there. */
	async hints(): Promise<Hint[]> {
		const isAnother = this.run.option(ifNameExistsOption) === 'add';
		return isAnother ? await new SameNameHints(this.run).of(this.brought) : [];
	}
}
