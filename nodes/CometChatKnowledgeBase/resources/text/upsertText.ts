import type { ItemRun, Performer, Reader, Ready } from '../../execution/items';
import { itemByItem } from '../../execution/items';
import type { Operation, RunContext } from '../../execution/operation';
import { NOTHING_CHANGED, Steps } from '../../execution/steps';
import { composed } from '../../input/document';
import {
	addToAgentFields,
	maxIndexingOption,
	optionsField,
	requestOptionsField,
} from '../../input/fields';
import { MAX_FILE_IDS } from '../../input/options';
import type { Destination } from '../../ingestion/destination';
import { destinationReader } from '../../ingestion/destination';
import { Ingestion } from '../../ingestion/ingestion';
import type { IngestionRun } from '../../ingestion/ingestionRun';
import { ingestionRun } from '../../ingestion/ingestionRun';
import { severalNamed } from '../../ingestion/sameName';
import { OF_TITLED_TEXT } from '../../ingestion/wordings';
import type { ItemFailure } from '../../results/itemFailure';
import { explainedBy, isItemFailure, mayBeDone, StepFailure } from '../../results/itemFailure';
import type { ItemResult } from '../../results/itemResult';
import { explainUnknownAgent } from '../../results/messages';
import { documentsOf } from '../../service/agents';
import { readSuccess } from '../../service/attachments';
import type { KnowledgeBaseRecord } from '../../service/records';
import { isReady } from '../../service/statuses';
import { changeOf, creationOf, readTextId } from '../../service/texts';
import { quoted } from '../../values/quoting';
import type { Shown } from '../../values/shown';
import { ValidationIssue } from '../../values/validationIssue';
import {
	LONGEST_TEXT,
	LONGEST_TITLE,
	readWords,
	TEXT,
	TEXT_WITHOUT_AGENT,
	textField,
	titleField,
} from './textFields';
import { says, TextList } from './textList';

interface UpsertTask {
	title: Shown;
	text: Shown;
	destination: Destination;
}

export const upsertText: Operation = {
	value: 'upsert',
	name: 'Create or Update',
	action: 'Create or update a text by its title',
	description:
		'Write a text, or change the one of this title where it is (upsert): its ID stays, and what is the same already is not sent',
	fields: [
		{ ...titleField, description: `${titleField.description}. The text is found by it.` },
		textField,
		...addToAgentFields,
		optionsField([maxIndexingOption]),
		requestOptionsField,
	],
	run: itemByItem(upsertReader, upserter),
};

function upsertReader(run: RunContext): Reader<UpsertTask> {
	const titleOf = run.parameter('title');
	const textOf = run.parameter('text');
	const destinationOf = destinationReader(run);
	return (index) => {
		const title = readWords("'Title'", titleOf(index), LONGEST_TITLE);
		if (title instanceof ValidationIssue) return title;
		const text = readWords("'Text'", textOf(index), LONGEST_TEXT);
		if (text instanceof ValidationIssue) return text;
		const destination = destinationOf(index);
		if (destination instanceof ValidationIssue) return destination;
		return { kind: 'ready', task: { title, text, destination }, requested: { title } };
	};
}

function upserter(itemRun: ItemRun): Performer<UpsertTask> {
	// Texts that are there already become ready for their agent at once.
	const run = ingestionRun(itemRun, { maxFileIdsPerRequest: MAX_FILE_IDS.default });
	const upsert = new Upsert(run);
	return {
		perform: async (item) => await upsert.perform(item),
		keysOf: async ({ task }) => upsert.keysOf(task),
	};
}

/** What is there for an item. */
interface There {
	/** The text of its title; undefined if there is none. */
	known?: KnowledgeBaseRecord;
	/** Whether the agent has that, as far as its own list tells. */
	isAttached: boolean;
}

/** The items of a run. */
class Upsert {
	private readonly list: TextList;

	/** What items of the run give for a title. */
	private readonly textsByTitle = new Map<string, Set<string>>();

	constructor(private readonly run: IngestionRun) {
		this.list = new TextList(run);
	}

	/** Items of one title go one after another: the second finds what the first has brought. */
	keysOf({ title, text }: UpsertTask): string[] {
		const key = composed(title);
		this.textsByTitle.set(key, (this.textsByTitle.get(key) ?? new Set()).add(text));
		return [key];
	}

	async perform({ task, requested }: Ready<UpsertTask>): Promise<ItemResult> {
		const { title, text, destination } = task;
		const { uid, waitUntilIndexed } = destination;
		const steps = new Steps(this.run);
		const there = await this.lookFor(steps, task);
		if (isItemFailure(there)) return steps.failed(there, requested, NOTHING_CHANGED);
		const { known, isAttached } = there;
		const action = known === undefined ? 'created' : says(known, text) ? 'unchanged' : 'updated';
		const isSame = action === 'unchanged';
		// That a changed text stays with its agents is likely, and to add it once more does no harm.
		const isDelivered = uid !== undefined && isSame && isAttached;
		const names = [title];
		const to = isDelivered ? undefined : uid;
		const target = { sourceType: TEXT, names, uid: to, wording: OF_TITLED_TEXT };
		const ingestion = new Ingestion(this.run, target, steps);
		const waits = waitUntilIndexed && !(isSame && isReady(known?.status));
		await ingestion.bring(async () => await write(ingestion, task, there), waits, 'never');
		await this.note(ingestion, task, known);
		if (known === undefined && uid === undefined) steps.remark(TEXT_WITHOUT_AGENT);
		return resultOf(ingestion, { title, uid, action, known, isDelivered });
	}

	private async lookFor(
		steps: Steps,
		{ title, destination: { uid } }: UpsertTask,
	): Promise<There | ItemFailure> {
		if ((this.textsByTitle.get(composed(title))?.size ?? 0) > 1) return severalTexts(title);
		if (this.list.isLost(title)) return lostBefore(title);
		const texts = await this.list.texts(steps);
		if (isItemFailure(texts)) return texts;
		const found = texts.named(TEXT, title);
		const [known, another] = found;
		if (another !== undefined) {
			const timeZone = this.run.context.getTimezone();
			const candidates = { found, isTold: true, name: title, sourceType: TEXT, timeZone };
			return severalNamed(candidates, DELETE_OTHERS);
		}
		if (uid === undefined) return { known, isAttached: false };
		const { inventory } = this.run;
		const agent = explainedBy(explainUnknownAgent, await inventory.agentAlone(steps, uid));
		if (isItemFailure(agent)) return agent;
		const has = (id: string) =>
			documentsOf(agent).some((one) => one === id) || inventory.hasGiven(uid, id);
		return { known, isAttached: known !== undefined && has(known.uniqueId) };
	}

	/** For the items of the same title that come after this one. */
	private async note(
		{ failure, newId, statuses }: Ingestion,
		{ title, text }: UpsertTask,
		known: KnowledgeBaseRecord | undefined,
	): Promise<void> {
		if (newId !== undefined) {
			const status = statuses.get(newId) ?? (known && says(known, text) ? known.status : undefined);
			await this.list.note({ uniqueId: newId, title, text, status });
		} else if (failure && mayBeDone(failure) && known === undefined) {
			this.list.noteLost(title);
		}
	}
}

async function write(
	ingestion: Ingestion,
	{ title, text }: UpsertTask,
	{ known }: There,
): Promise<boolean> {
	// Sent again after a lost answer, it could be there twice.
	if (!known) return await ingestion.create(creationOf(title, text), readTextId, 'never');
	const { uniqueId } = known;
	ingestion.steps.noteName(uniqueId, title);
	if (says(known, text)) return ingestion.arrived(uniqueId);
	return await ingestion.update(uniqueId, changeOf(uniqueId, { title, text }), readSuccess);
}

interface Upserted extends Pick<There, 'known'> {
	title: Shown;
	uid?: Shown;
	action: 'created' | 'unchanged' | 'updated';
	/** Whether the agent had it. */
	isDelivered: boolean;
}

function resultOf(
	ingestion: Ingestion,
	{ title, uid, action, known, isDelivered }: Upserted,
): ItemResult {
	const { addedToAgent, failure, newId, statuses } = ingestion;
	const asked = newId === undefined ? undefined : statuses.get(newId);
	const status = asked ?? (action === 'unchanged' ? known?.status : undefined);
	const agent = uid === undefined ? {} : { addedToAgent: isDelivered || addedToAgent };
	if (failure) {
		return ingestion.failed(failure, () => ({
			title,
			...(newId !== undefined && { action }),
			// Beside an error, `status` is that of the answer.
			...(status !== undefined && { indexingStatus: status }),
			...agent,
			uniqueId: newId,
			uid,
		}));
	}
	return ingestion.succeeded({
		title,
		action,
		...(status !== undefined && { status }),
		...agent,
		success: true,
		uniqueId: newId,
		uid,
	});
}

function severalTexts(title: Shown): StepFailure {
	return new StepFailure(
		`Several items have the title ${quoted(title)} and different texts`,
		'Give each text a title of its own, or put what belongs together into one item.',
		{ cause: 'configuration-invalid' },
	);
}

function lostBefore(title: Shown): StepFailure {
	return new StepFailure(
		`It is not known whether another item has written the text ${quoted(title)}`,
		'Run this item again in a minute: it finds by its title what is there.',
		{ cause: 'temporarily-unavailable' },
	);
}

const DELETE_OTHERS =
	'Delete those that are not needed with Document: Delete and Source Type Text, or change the title of one with Text: Update.';
