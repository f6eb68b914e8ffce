import { operation } from '../../execution/buildOperation';
import type { ItemContext } from '../../execution/itemContext';
import type { ItemRun } from '../../execution/items';
import { toAgent, waitUntilIndexed } from '../../ingestion/bringing';
import { newestFirst } from '../../ingestion/decide';
import { Delivery } from '../../ingestion/delivery';
import { maxIndexingOption } from '../../ingestion/indexing';
import type { IngestionRun } from '../../ingestion/ingestionRun';
import { ingestionRun } from '../../ingestion/ingestionRun';
import { oldRows, oldVersions } from '../../ingestion/replacement';
import { composed, sameName } from '../../input/document';
import { caught, isItemFailure, mayBeDone } from '../../results/apiError';
import type { Fields } from '../../results/itemResult';
import { GOES_ON } from '../../results/progress';
import { attachedIds } from '../../service/agents';
import type { Document } from '../../service/documents';
import { FAILED } from '../../service/statuses';
import { quoted } from '../../values/quoting';
import { UserError } from '../../values/userError';
import { TEXT, TEXT_WITHOUT_AGENT, titleField } from './textFields';
import { says, TextList } from './textList';
import { change, create, text, title } from './writing';

/** One request takes up to a hundred that are there already, and ready for their agent at once. */
const MOST_TOGETHER = 100;

export const upsertText = operation({
	value: 'upsert',
	name: 'Create or Update',
	action: 'Write a text, or change the one of that title',
	// n8n's lint asks for these very words.
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	fields: {
		title: {
			...title,
			property: {
				...titleField,
				description: `${titleField.description}. The text is found by it.`,
			},
		},
		text,
		uid: toAgent(),
		waits: waitUntilIndexed,
	},
	options: { maxIndexing: maxIndexingOption },
	output: ['name', 'action', 'success', 'status', 'uniqueId', 'sourceType', 'uid', 'old'],
	shared: (run: ItemRun) => ({
		run: ingestionRun(run, { maxFileIdsPerRequest: MOST_TOGETHER }),
		list: new TextList(),
	}),
	together: (items) => severalTexts(items.map(({ index, task }) => ({ index, ...task }))),
	// The second of a title finds what the first has brought.
	order: ({ title: name }) => [composed(name)],
	run: async (task, item, { run, list }) => await upsert(task, item, run, list),
});

interface UpsertTask {
	title: string;
	text: string;
	uid?: string;
	waits: boolean;
}

/**
 * What is done with a text, by those of its title that there are:
 *
 * | There is                                      | Done                                       |
 * | --------------------------------------------- | ------------------------------------------ |
 * | none                                          | written                                    |
 * | one or more: the newest that could be read    | changed where it is, unless it is the same |
 * | others of the title that the agent has        | taken from it, once it has that one        |
 */
interface Plan {
	/** The one that is changed; undefined if it is to be written. */
	known?: Document;
	isSame: boolean;
	/** Whether the agent has that, as far as its own list tells, and this run. */
	isAttached: boolean;
	/** The others that the agent has. */
	old: Document[];
}

function planFor(
	{ title: name, text: words }: UpsertTask,
	found: Document[],
	has: (record: Document) => boolean,
): Plan {
	const newest = newestFirst(found);
	const known = newest.find(({ status }) => status !== FAILED) ?? newest[0];
	if (known === undefined) return { isSame: false, isAttached: false, old: [] };
	const isSame = says(known, words) && sameName(known.sourceName ?? '', name);
	const old = newest.filter((one) => one !== known && has(one));
	return { known, isSame, isAttached: has(known), old };
}

async function upsert(
	task: UpsertTask,
	item: ItemContext,
	run: IngestionRun,
	list: TextList,
): Promise<Fields> {
	const { title: name, uid, waits } = task;
	if (list.isLost(name)) throw lostBefore(name);
	const found = (await list.texts(item)).named(TEXT, name);
	const has = await held(item, run, uid);
	const { known, isSame, isAttached, old } = planFor(task, found, has);
	const delivery = new Delivery(run, item, {
		sourceType: TEXT,
		names: [name],
		uid,
		isChange: known && !isSame,
		hint: GOES_ON,
	});
	delivery.old = oldVersions(old);
	if (known) item.log.names.set(known.uniqueId, name);
	// That a changed text stays with its agents is likely, and to add it once more does no harm.
	if (known && isSame) delivery.goOn(known.uniqueId, isAttached, known.status);
	const action = known === undefined ? 'created' : isSame ? 'unchanged' : 'updated';
	const row = () => rowOf(delivery, action);
	try {
		const arrive = async () => {
			if (!isSame) await delivery.arrive(async () => await write(task, { item, run, list, known }));
		};
		await delivery.bring(arrive, { waits, deleteOld: 'never' });
	} finally {
		item.shown = { ...item.shown, ...row() };
	}
	if (known === undefined && uid === undefined) item.remark(TEXT_WITHOUT_AGENT);
	return { ...row(), success: true };
}

function rowOf({ log, old, target }: Delivery, action: string): Fields {
	const { sourceType, uid, names } = target;
	const { uniqueId } = log.arrived[0] ?? {};
	const rows = oldRows(old);
	return {
		name: names[0],
		...(uniqueId !== undefined && { action, status: log.statuses.get(uniqueId), uniqueId }),
		sourceType,
		uid,
		...(rows.length > 0 && { old: rows }),
	};
}

/** What the agent has, as far as its own answer tells; nothing where there is none. */
async function held(item: ItemContext, run: IngestionRun, uid: string | undefined) {
	if (uid === undefined) return () => false;
	const { inventory } = run;
	const documents = attachedIds(await inventory.agentAlone(item, uid));
	return ({ uniqueId }: Document) =>
		documents.includes(uniqueId) || inventory.hasGiven(uid, uniqueId);
}

interface Writing {
	item: ItemContext;
	run: IngestionRun;
	list: TextList;
	known?: Document;
}

/** @returns Its ID. */
async function write(task: UpsertTask, { item, run, list, known }: Writing): Promise<string> {
	const { title: name, text: words } = task;
	const writing = known
		? change(item, known.uniqueId, { title: name, text: words }).then(() => known.uniqueId)
		: create(run, item, task);
	const uniqueId = await caught(writing);
	if (isItemFailure(uniqueId)) {
		if (mayBeDone(uniqueId) && known === undefined) list.noteLost(name);
		throw uniqueId;
	}
	// For the items of the same title that come after this one.
	await list.note({ ...known, uniqueId, title: name, text: words, status: undefined });
	return uniqueId;
}

/** Items of one title that say different things: nobody knows which is meant. */
function severalTexts(items: Array<UpsertTask & { index: number }>): Map<number, UserError> {
	const texts = new Map<string, Set<string>>();
	for (const { title: name, text: words } of items) {
		texts.set(composed(name), (texts.get(composed(name)) ?? new Set()).add(words));
	}
	const clashing = items.filter(({ title: name }) => (texts.get(composed(name))?.size ?? 0) > 1);
	return new Map(clashing.map(({ index, title: name }) => [index, differs(name)]));
}

function differs(name: string): UserError {
	return new UserError(
		`Several items have the title ${quoted(name)} and different texts`,
		'Give each text a title of its own, or put what belongs together into one item.',
		{ cause: 'configuration-invalid' },
	);
}

function lostBefore(name: string): UserError {
	return new UserError(
		`It is not known whether another item has written the text ${quoted(name)}`,
		'Run this item again in a minute: it finds by its title what is there.',
		{ cause: 'temporarily-unavailable' },
	);
}
