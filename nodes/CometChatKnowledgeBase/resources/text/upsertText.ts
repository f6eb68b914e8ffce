import { operation } from '../../execution/buildOperation';
import type { RunContext } from '../../execution/operation';
import { newestFirst } from '../../ingestion/decide';
import { documentRow, Ingestion } from '../../ingestion/ingestion';
import { NameClaims } from '../../ingestion/namesakes';
import { oldVersions } from '../../ingestion/replacement';
import { needed } from '../../input/field';
import { attachedNow } from '../../inventory/inventory';
import { maxIndexingOption, toAgent, waitUntilIndexed } from '../../pipeline/fields';
import { ingestionRun } from '../../pipeline/ingestionRun';
import { GOES_ON } from '../../results/progress';
import type { Document } from '../../service/documents';
import { FAILED } from '../../service/documents';
import { UserError, mayBeDone, onFailure } from '../../values/failure';
import { composed } from '../../values/names';
import { quoted } from '../../values/quoting';
import type { Written } from './writing';
import {
	change,
	checkTitle,
	create,
	says,
	text,
	TEXT,
	TEXT_WITHOUT_AGENT,
	TextList,
	title,
} from './writing';

/**
 * What is done with a text, by those of its title that there are:
 *
 * | There is                                      | Done                                       |
 * | --------------------------------------------- | ------------------------------------------ |
 * | none                                          | written                                    |
 * | one or more: the newest that could be read    | changed where it is, unless it is the same |
 * | others of the title that the agent has        | taken from it, once it has that one        |
 */
export const upsertText = operation({
	value: 'upsert',
	name: 'Create or Update',
	action: 'Write a text, or change the one of that title',
	// n8n's lint asks for these very words.
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	fields: {
		title: needed({
			...title,
			property: {
				...title.property,
				description: `${title.property.description}. The text is found by it.`,
			},
		}),
		text: needed(text),
		uid: toAgent(),
		waits: waitUntilIndexed,
	},
	options: { maxIndexing: maxIndexingOption },
	output: [
		...(['name', 'action', 'success', 'status', 'uniqueId', 'sourceType'] as const),
		...(['agentName', 'uid', 'old'] as const),
	],
	shared: (run: RunContext) => ({
		// Those that are there already are ready for their agent at once.
		run: ingestionRun(run, { areChangesShared: true }),
		list: new TextList(),
		/** Titles under which there may be a text whose ID nobody was told. */
		lost: new Set<string>(),
	}),
	// With one text, two items of a title are one.
	together: (items) =>
		new NameClaims(documentsOf).clashes(
			items,
			'text',
			'Give each text a title of its own, or put what belongs together into one item.',
		),
	// The second of a title finds what the first has brought.
	order: ({ title: name }) => [composed(name)],
	run: async (task, item, { run, list, lost }) => {
		const { title: name, text: words, uid, waits } = task;
		checkTitle(run, name);
		if (lost.has(composed(name))) throw lostBefore(name);
		const texts = await list.texts(item);
		const found = newestFirst(texts.named(TEXT, name));
		const known = found.find(({ status }) => status !== FAILED) ?? found[0];
		const isSame = known !== undefined && says(known, words);
		const { agents, own } = run.inventory;
		const documents = uid === undefined ? undefined : attachedNow(await agents.one(item, uid), own);
		const has = ({ uniqueId }: Document) => documents?.has(uniqueId) === true;
		const isChange = known !== undefined && !isSame;
		const target = { sourceType: TEXT, names: [name], uid, isChange, hint: GOES_ON };
		const ingestion = new Ingestion(run, item, target);
		ingestion.old = oldVersions(found.filter((one) => one !== known && has(one)));
		const write = async () => {
			const uniqueId = known?.uniqueId ?? (await create(run, item, task));
			if (known) await change(item, uniqueId, { title: name, text: words });
			// For the items of the same title that come after this one: where it was, so that they find the same.
			const written = { type: TEXT, sourceName: name, text: words, status: undefined };
			texts.add({ ...known, ...written, uniqueId });
			return uniqueId;
		};
		// That a changed text stays with its agents is likely, and to add it once more does no harm.
		if (isSame) ingestion.continueWith(known.uniqueId, has(known), known.status);
		else {
			await onFailure(ingestion.create(write), (failure) => {
				if (known === undefined && mayBeDone(failure)) lost.add(composed(name));
			});
		}
		await ingestion.complete({ waits, deleteOld: 'never' });
		if (known === undefined && uid === undefined) item.remark(TEXT_WITHOUT_AGENT);
		const action = known === undefined ? 'created' : isSame ? 'unchanged' : 'updated';
		return { ...documentRow(ingestion, { action }), action };
	},
});

function documentsOf({ title: name, text: says }: Written) {
	return { names: [name], says };
}

function lostBefore(name: string): UserError {
	return new UserError(
		`It is not known whether another item has written the text ${quoted(name)}`,
		'Run this item again in a minute: it finds by its title what is there.',
		{ cause: 'temporarily-unavailable' },
	);
}
