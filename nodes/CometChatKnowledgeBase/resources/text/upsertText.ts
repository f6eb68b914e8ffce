import { IDS_PER_REQUEST } from '../../bundling/batches';
import type { ItemRun, Performer, Reader, Ready } from '../../execution/items';
import { itemByItem } from '../../execution/items';
import type { Operation, RunContext } from '../../execution/operation';
import { NOTHING_CHANGED, ItemContext } from '../../execution/itemContext';
import type { Destination } from '../../ingestion/destination';
import { destinationReader } from '../../ingestion/destination';
import { maxIndexingOption } from '../../ingestion/indexing';
import { Ingestion } from '../../ingestion/ingestion';
import type { IngestionRun } from '../../ingestion/ingestionRun';
import { ingestionRun } from '../../ingestion/ingestionRun';
import { severalNamed } from '../../ingestion/sameName';
import { OF_TITLED_TEXT } from '../../ingestion/wordings';
import { composed, sameName } from '../../input/document';
import { addToAgentFields } from '../../input/fields';
import type { ItemFailure } from '../../results/apiError';
import { caught, explainedBy, isItemFailure, mayBeDone } from '../../results/apiError';
import type { ItemResult } from '../../results/itemResult';
import { explainUnknownAgent } from '../../results/messages';
import { documentsOf } from '../../service/agents';
import { readSuccess } from '../../service/attachments';
import type { KnowledgeBaseRecord } from '../../service/records';
import { isReady } from '../../service/statuses';
import { changeOf, creationOf, readTextId } from '../../service/texts';
import { quoted } from '../../values/quoting';
import { UserError } from '../../values/userError';
import {
	readTextWords,
	readTitle,
	TEXT,
	TEXT_WITHOUT_AGENT,
	textField,
	titleField,
} from './textFields';
import { says, TextList } from './textList';

interface UpsertTask {
	title: string;
	text: string;
	destination: Destination;
}

export const upsertText: Operation = {
	value: 'upsert',
	name: 'Create or Update',
	action: 'Write a text, or change the one of that title',
	// n8n's lint asks for these very words.
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	fields: [
		{ ...titleField, description: `${titleField.description}. The text is found by it.` },
		textField,
		...addToAgentFields,
	],
	options: [maxIndexingOption],
	output: ['name', 'action', 'success', 'status', 'uniqueId', 'sourceType', 'uid'],
	run: itemByItem(upsertReader, upserter),
};

function upsertReader(run: RunContext): Reader<UpsertTask> {
	const titleOf = run.parameter('title');
	const textOf = run.parameter('text');
	const destinationOf = destinationReader(run);
	return (index) => {
		const title = readTitle(titleOf(index));
		const text = readTextWords(textOf(index));
		const destination = destinationOf(index);
		return { kind: 'ready', task: { title, text, destination }, requested: { name: title } };
	};
}

function upserter(itemRun: ItemRun): Performer<UpsertTask> {
	// Texts that are there already become ready for their agent at once.
	const run = ingestionRun(itemRun, { maxFileIdsPerRequest: IDS_PER_REQUEST });
	const upsert = new Upsert(run);
	return {
		perform: async (item) => await upsert.perform(item),
		keysOf: async ({ task }) => upsert.keysOf(task),
	};
}

/** What is there for an item. */
interface There {
	/** The text of its title; undefined if it is to be written. */
	known?: KnowledgeBaseRecord;
	/** Whether the agent has that, as far as its own list tells, and this run. */
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
		const steps = new ItemContext(this.run);
		const there = await this.lookFor(steps, task);
		if (isItemFailure(there)) return steps.failed(there, requested, NOTHING_CHANGED);
		const { known } = there;
		const isSame = known !== undefined && says(known, text) && sameName(nameOf(known), title);
		// That a changed text stays with its agents is likely, and to add it once more does no harm.
		const isDelivered = isSame && there.isAttached;
		const to = isDelivered ? undefined : uid;
		const target = { sourceType: TEXT, names: [title], uid: to, wording: OF_TITLED_TEXT };
		const ingestion = new Ingestion(this.run, target, steps);
		const isDone = isSame && isReady(known.status);
		const arrive = async () =>
			isSame ? ingestion.arrived(known.uniqueId) : await this.write(ingestion, task, known);
		if (known) steps.noteName(known.uniqueId, title);
		await ingestion.bring(arrive, waitUntilIndexed && !isDone, 'never');
		if (known === undefined && uid === undefined) steps.remark(TEXT_WITHOUT_AGENT);
		const { failure, uniqueIds } = ingestion;
		if (failure && mayBeDone(failure) && uniqueIds.length === 0) this.list.noteLost(title);
		const action = known === undefined ? 'created' : isSame ? 'unchanged' : 'updated';
		return upsertResult(ingestion, { task, known, action });
	}

	private async lookFor(
		steps: ItemContext,
		{ title, destination: { uid } }: UpsertTask,
	): Promise<There | ItemFailure> {
		if ((this.textsByTitle.get(composed(title))?.size ?? 0) > 1) return severalTexts(title);
		if (this.list.isLost(title)) return lostBefore(title);
		const texts = await this.list.texts(steps);
		if (isItemFailure(texts)) return texts;
		const found = texts.named(TEXT, title);
		const [known] = found;
		if (found.length > 1) {
			const timeZone = this.run.context.getTimezone();
			const several = { found, isTold: true, name: title, sourceType: TEXT, timeZone };
			return severalNamed(several, KEEP_ONE_TEXT);
		}
		if (uid === undefined) return { known, isAttached: true };
		const { inventory } = this.run;
		const agent = explainedBy(explainUnknownAgent, await caught(inventory.agentAlone(steps, uid)));
		if (isItemFailure(agent)) return agent;
		const has = ({ uniqueId }: KnowledgeBaseRecord) =>
			documentsOf(agent).includes(uniqueId) || inventory.hasGiven(uid, uniqueId);
		return { known, isAttached: known !== undefined && has(known) };
	}

	private async write(
		ingestion: Ingestion,
		{ title, text }: UpsertTask,
		known: KnowledgeBaseRecord | undefined,
	): Promise<boolean> {
		// Sent again after a lost answer, it could be there twice.
		const isDone = known
			? await ingestion.update(
					known.uniqueId,
					changeOf(known.uniqueId, { title, text }),
					readSuccess,
				)
			: await ingestion.create(creationOf(title, text), readTextId, 'never');
		const { newId: uniqueId } = ingestion;
		// For the items of the same title that come after this one.
		if (isDone && uniqueId !== undefined) await this.list.note({ uniqueId, title, text });
		return isDone;
	}
}

function nameOf({ sourceName }: KnowledgeBaseRecord): string {
	return sourceName ?? '';
}

interface Upserted {
	task: UpsertTask;
	known?: KnowledgeBaseRecord;
	action: 'created' | 'unchanged' | 'updated';
}

function upsertResult(
	ingestion: Ingestion,
	{ task: { title, destination }, known, action }: Upserted,
): ItemResult {
	const { failure, newId: uniqueId, statuses } = ingestion;
	const before = action === 'unchanged' ? known?.status : undefined;
	const status = (uniqueId !== undefined && statuses.get(uniqueId)) || before;
	const { uid } = destination;
	const done = { name: title, action, status, uniqueId, sourceType: TEXT, uid };
	if (!failure) return ingestion.succeeded({ ...done, success: true });
	const isWritten = uniqueId !== undefined;
	return ingestion.failed(failure, () => (isWritten ? done : { ...done, action: 'failed' }));
}

function severalTexts(title: string): UserError {
	return new UserError(
		`Several items have the title ${quoted(title)} and different texts`,
		'Give each text a title of its own, or put what belongs together into one item.',
		{ cause: 'configuration-invalid' },
	);
}

function lostBefore(title: string): UserError {
	return new UserError(
		`It is not known whether another item has written the text ${quoted(title)}`,
		'Run this item again in a minute: it finds by its title what is there.',
		{ cause: 'temporarily-unavailable' },
	);
}

const KEEP_ONE_TEXT = 'Or change the title of one with Text: Update.';
