import type { INodeProperties } from 'n8n-workflow';

import type { ItemRun, Performer, Reader, Ready } from '../../execution/items';
import { itemByItem } from '../../execution/items';
import type { Operation, RunContext } from '../../execution/operation';
import { NOTHING_CHANGED, Steps } from '../../execution/steps';
import { composed, sameName } from '../../input/document';
import { addToAgentFields, maxIndexingOption, optionsField } from '../../input/fields';
import { MAX_FILE_IDS } from '../../input/options';
import { readNeededWords } from '../../input/words';
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
import { deleteOne } from '../../service/deletion';
import { changeOf, creationOf, readTextId, wholeText } from '../../service/texts';
import { quoted } from '../../values/quoting';
import type { Shown } from '../../values/shown';
import { joined, listed, worded } from '../../values/shown';
import { ValidationIssue } from '../../values/validationIssue';
import type { TextPart, Plan } from './parts';
import { PartNote } from './partNote';
import { inParts, partOf, planFor } from './parts';
import {
	LONGEST_TEXT,
	LONGEST_TITLE,
	readTextWords,
	readTitle,
	TEXT,
	TEXT_WITHOUT_AGENT,
	textField,
	titleField,
} from './textFields';
import { says, TextList } from './textList';

interface UpsertTask {
	title: Shown;
	/** One, or several of a text that is split. */
	parts: TextPart[];
	destination: Destination;
}

const splitLongTextOption: INodeProperties = {
	displayName: 'Split Long Text',
	name: 'splitLongText',
	type: 'boolean',
	default: false,
	description: `Whether, for texts of more than ${LONGEST_TEXT} characters, to split them at paragraphs into numbered texts: "Title (1/3)". Later runs keep these in step, and delete those that are no longer needed.`,
};

/** More is a book, which is better uploaded. */
const MOST_PARTS = 99;

export const upsertText: Operation = {
	value: 'upsert',
	name: 'Create or Update',
	action: 'Create or update a text by its title',
	// n8n's lint asks for these very words.
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	fields: [
		{ ...titleField, description: `${titleField.description}. The text is found by it.` },
		textField,
		...addToAgentFields,
		optionsField(maxIndexingOption, splitLongTextOption),
	],
	run: itemByItem(upsertReader, upserter),
};

function upsertReader(run: RunContext): Reader<UpsertTask> {
	const titleOf = run.parameter('title');
	const textOf = run.parameter('text');
	const destinationOf = destinationReader(run);
	return (index) => {
		const title = readTitle(titleOf(index));
		if (title instanceof ValidationIssue) return title;
		const parts = readParts(title, textOf(index), run.options.splitsText);
		if (parts instanceof ValidationIssue) return parts;
		const destination = destinationOf(index);
		if (destination instanceof ValidationIssue) return destination;
		return { kind: 'ready', task: { title, parts, destination }, requested: { title } };
	};
}

function readParts(title: Shown, value: unknown, splits: boolean): TextPart[] | ValidationIssue {
	const text = splits
		? readNeededWords("'Text'", value, Infinity)
		: readTextWords(value, SPLIT_OR_UPLOAD);
	if (text instanceof ValidationIssue) return text;
	if (!splits) return [{ title, text }];
	if (partOf(title) !== undefined) {
		return new ValidationIssue(
			`'Title' is ${quoted(title)}, which is how a part of a split text is called`,
			"Give it another end, or switch off 'Split Long Text' under Options.",
		);
	}
	const parts = inParts(title, text);
	if (parts.length > MOST_PARTS) {
		return new ValidationIssue(
			`'Text' has ${text.length} characters, which are ${parts.length} parts`,
			`Give a text of up to ${MOST_PARTS} parts, or upload it as a TXT or MD file.`,
		);
	}
	const longest = parts.at(-1)?.title.length ?? 0;
	if (longest <= LONGEST_TITLE) return parts;
	return new ValidationIssue(
		`'Title' has ${longest} characters with the number of a part, more than CometChat takes`,
		'Shorten it by a few characters.',
	);
}

const SPLIT_OR_UPLOAD =
	"A longer one can be split with 'Split Long Text' under Options, or uploaded as a TXT or MD file.";

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
interface There extends Plan {
	/** The documents that the agent has, as far as its own list tells, and this run. */
	isAttached(uniqueId: string): boolean;
}

/** The items of a run. */
class Upsert {
	private readonly list: TextList;

	/** What items of the run give for a title. */
	private readonly textsByTitle = new Map<string, Set<string>>();

	private readonly note: PartNote;

	constructor(private readonly run: IngestionRun) {
		this.list = new TextList(run);
		this.note = new PartNote(run.context.getWorkflowStaticData('node'), run.account.baseUrl);
	}

	/** Items of one title go one after another: the second finds what the first has brought. */
	keysOf({ title, parts }: UpsertTask): string[] {
		const key = composed(title);
		const text = parts.map((part) => part.text).join();
		this.textsByTitle.set(key, (this.textsByTitle.get(key) ?? new Set()).add(text));
		return [key];
	}

	async perform({ task, requested }: Ready<UpsertTask>): Promise<ItemResult> {
		const { uid, waitUntilIndexed } = task.destination;
		const steps = new Steps(this.run);
		const there = await this.lookFor(steps, task);
		if (isItemFailure(there)) return steps.failed(there, requested, NOTHING_CHANGED);
		const { writes, surplus, doubtful } = there;
		const isSame = writes.every(isInPlace);
		// That a changed text stays with its agents is likely, and to add it once more does no harm.
		const isDelivered =
			isSame && writes.every(({ known }) => known && there.isAttached(known.uniqueId));
		const names = writes.map(({ title }) => title);
		const to = isDelivered ? undefined : uid;
		const target = { sourceType: TEXT, names, uid: to, wording: OF_TITLED_TEXT };
		const ingestion = new Ingestion(this.run, target, steps);
		const isDone = isSame && writes.every(({ known }) => isReady(known?.status));
		const arrive = async () => await this.write(ingestion, writes);
		await ingestion.bring(arrive, waitUntilIndexed && !isDone, 'never');
		const isNew = writes.every(({ known }) => known === undefined);
		if (isNew && uid === undefined) steps.remark(TEXT_WITHOUT_AGENT);
		if (ingestion.failure) this.noteLost(ingestion, task);
		const deleted = ingestion.failure ? [] : await this.deleteSurplus(steps, surplus);
		if (doubtful.length > 0) steps.warn(worded`${OTHERS}: ${called(doubtful)}. ${DELETE_OTHERS}`);
		const action = isNew ? 'created' : isSame && deleted.length === 0 ? 'unchanged' : 'updated';
		return upsertResult(ingestion, { task, writes, action, isDelivered, deleted });
	}

	private async lookFor(
		steps: Steps,
		{ title, parts, destination: { uid } }: UpsertTask,
	): Promise<There | ItemFailure> {
		if ((this.textsByTitle.get(composed(title))?.size ?? 0) > 1) return severalTexts(title);
		if (this.list.isLost(title)) return lostBefore(title);
		const texts = await this.list.texts(steps);
		if (isItemFailure(texts)) return texts;
		this.note.prune((id) => texts.withId(id) !== undefined);
		for (const name of [title, ...parts.map((part) => part.title)]) {
			const found = texts.named(TEXT, name);
			if (found.length <= 1) continue;
			const timeZone = this.run.context.getTimezone();
			return severalNamed({ found, isTold: true, name, sourceType: TEXT, timeZone }, KEEP_ONE_TEXT);
		}
		const { inventory, options } = this.run;
		const related = options.splitsText ? this.list.related(texts, title) : texts.named(TEXT, title);
		const plan = planFor(parts, related, (id) => this.note.has(id));
		if (uid === undefined) return { ...plan, isAttached: () => true };
		const agent = explainedBy(explainUnknownAgent, await inventory.agentAlone(steps, uid));
		if (isItemFailure(agent)) return agent;
		const documents = new Set<string>(documentsOf(agent));
		const isAttached = (id: string) => documents.has(id) || inventory.hasGiven(uid, id);
		return { ...plan, isAttached };
	}

	private async write(ingestion: Ingestion, writes: Plan['writes']): Promise<boolean> {
		for (const { title, text, known } of writes) {
			if (!(await writeOne(ingestion, { title, text, known }))) return false;
			const uniqueId = ingestion.uniqueIds.at(-1);
			const status = isInPlace({ title, text, known }) ? known?.status : undefined;
			// For the items of the same title that come after this one.
			if (uniqueId === undefined) continue;
			await this.list.note({ uniqueId, title, text, status });
			if (!this.run.options.splitsText) continue;
			// One of its own title may be of another hand; what was written or took its place is not.
			if (partOf(title) === undefined) this.note.forget(uniqueId);
			else if (known?.sourceName !== title) this.note.add(uniqueId);
		}
		return true;
	}

	private noteLost({ failure, uniqueIds }: Ingestion, { title, parts }: UpsertTask): void {
		const isLost = failure !== undefined && mayBeDone(failure) && uniqueIds.length < parts.length;
		if (isLost) this.list.noteLost(title);
	}

	/** Deletes parts that are left over, each only if it is still what the list has shown. */
	private async deleteSurplus(steps: Steps, surplus: KnowledgeBaseRecord[]): Promise<Shown[]> {
		if (surplus.length > 0) steps.finish();
		const deleted: KnowledgeBaseRecord[] = [];
		for (const part of surplus) {
			const { uniqueId, sourceName, text } = part;
			const now = await wholeText(steps, uniqueId);
			const isStill = !isItemFailure(now) && now.title === sourceName && now.text === text;
			const answer = isStill && (await deleteOne(steps, TEXT, uniqueId));
			if (answer !== true) continue;
			await this.list.noteDeleted(uniqueId);
			this.note.forget(uniqueId);
			deleted.push(part);
		}
		const left = surplus.filter((part) => !deleted.includes(part));
		if (left.length > 0) steps.warn(worded`${NOT_DELETED}: ${called(left)}. ${DELETE_OTHERS}`);
		if (deleted.length > 0) steps.remark(worded`${FEWER_PARTS}: ${called(deleted)}`);
		return deleted.map(({ uniqueId }) => uniqueId);
	}
}

/** Whether nothing has to be sent for it. */
function isInPlace({ title, text, known }: Plan['writes'][number]): boolean {
	return known !== undefined && says(known, text) && sameName(known.sourceName ?? '', title);
}

async function writeOne(
	ingestion: Ingestion,
	{ title, text, known }: Plan['writes'][number],
): Promise<boolean> {
	// Sent again after a lost answer, it could be there twice.
	if (!known) return await ingestion.create(creationOf(title, text), readTextId, 'never');
	const { uniqueId } = known;
	ingestion.steps.noteName(uniqueId, title);
	if (isInPlace({ title, text, known })) return ingestion.arrived(uniqueId);
	return await ingestion.update(uniqueId, changeOf(uniqueId, { title, text }), readSuccess);
}

function called(texts: KnowledgeBaseRecord[]): Shown {
	return listed(
		texts.map(({ sourceName = '', uniqueId }) => worded`${quoted(sourceName)} (ID ${uniqueId})`),
	);
}

const OTHERS = 'Texts are called like parts of this one, and may be of another hand';
const NOT_DELETED = 'Parts that are no longer needed could not be deleted';
const FEWER_PARTS = 'Deleted, because the text has fewer parts now';
const DELETE_OTHERS = 'Delete those that are outdated with Document: Delete and Source Type Text';

interface Upserted extends Pick<Plan, 'writes'> {
	task: UpsertTask;
	action: 'created' | 'unchanged' | 'updated';
	/** Whether the agent had all of it. */
	isDelivered: boolean;
	/** The IDs of parts that are gone now. */
	deleted: Shown[];
}

function upsertResult(
	ingestion: Ingestion,
	{ task: { title, destination }, writes, action, isDelivered, deleted }: Upserted,
): ItemResult {
	const { addedToAgent, failure, statuses, uniqueIds } = ingestion;
	const known = writes.flatMap((one) => (action === 'unchanged' ? (one.known?.status ?? []) : []));
	const status = joined([...new Set(statuses.size > 0 ? statuses.values() : known)], ', ');
	const { uid } = destination;
	const agent = uid === undefined ? {} : { addedToAgent: isDelivered || addedToAgent };
	const [uniqueId] = uniqueIds;
	const ids = writes.length === 1 ? { uniqueId } : { uniqueIds };
	if (failure) {
		return ingestion.failed(failure, () => ({
			title,
			...(uniqueIds.length > 0 && { action }),
			// Beside an error, `status` is that of the answer.
			...(status !== '' && { indexingStatus: status }),
			...agent,
			...ids,
			uid,
		}));
	}
	return ingestion.succeeded({
		title,
		action,
		...(status !== '' && { status }),
		...agent,
		success: true,
		...(writes.length > 1 && { parts: writes.length }),
		...ids,
		...(deleted.length > 0 && { deleted }),
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

const KEEP_ONE_TEXT =
	'Delete those that are not needed with Document: Delete and Source Type Text, or change the title of one with Text: Update.';
