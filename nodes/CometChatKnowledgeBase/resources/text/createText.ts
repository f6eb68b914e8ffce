import { operation } from '../../execution/buildOperation';
import type { ItemContext } from '../../execution/itemContext';
import type { RunContext } from '../../execution/operation';
import { documentRow, Ingestion, SKIPPED } from '../../ingestion/ingestion';
import { decideByName, NameClaims, tellApart } from '../../ingestion/namesakes';
import type { ValuesOf } from '../../input/field';
import { needed } from '../../input/field';
import {
	deletionBy,
	ifNameExistsField,
	maxIndexingOption,
	toAgent,
	waitUntilIndexed,
} from '../../pipeline/fields';
import { ingestionRun } from '../../pipeline/ingestionRun';
import { GOES_ON } from '../../results/progress';
import type { Document } from '../../service/documents';
import { caught, isFailure } from '../../values/failure';
import { create, says, text, TEXT, TEXT_WITHOUT_AGENT, TextList, title } from './writing';

const fields = {
	title: needed(title),
	text: needed(text),
	uid: toAgent(),
	ifNameExists: ifNameExistsField(
		'For a text that changes, use Create or Update instead, which changes it where it is. What to do if the agent has a text of this title already, or CometChat if it goes to no agent.',
	),
	waits: waitUntilIndexed,
};

export const createText = operation({
	value: 'create',
	name: 'Create',
	action: 'Create a text and add it to an agent',
	description: 'Write a text into CometChat, so that an agent can answer from it',
	fields,
	options: { maxIndexing: maxIndexingOption },
	output: [
		...(['name', 'action', 'success', 'status', 'uniqueId', 'sourceType'] as const),
		...(['agentName', 'uid', 'reason', 'old'] as const),
	],
	shared: (run: RunContext) => ({
		run: ingestionRun(run),
		texts: new TextList(),
		claims: new NameClaims(documentsOf),
	}),
	asked: () => ({ sourceType: TEXT }),
	together: (items, { claims }) =>
		claims.clashes(items, 'text', tellApart('give each a title of its own')),
	order: (task, { claims }) => claims.keysOf(task),
	run: async (task, item, { run, texts }) => {
		const { title: name, uid, ifNameExists, waits } = task;
		item.shown = { action: 'failed' };
		const search = { run, item, sourceType: TEXT, uid };
		const saysSame = async () => await sayingSame(task.text, item, texts);
		const decided = await decideByName(search, name, ifNameExists, saysSame);
		const { found } = decided;
		const hint = ifNameExists === 'add' || ifNameExists === 'fail' ? undefined : GOES_ON;
		const ingestion = new Ingestion(run, item, { sourceType: TEXT, names: [name], uid, hint });
		if (decided.action === 'skip') {
			const { uniqueId } = decided.found;
			return documentRow(ingestion, { action: 'skipped', reason: SKIPPED }, { name, uniqueId });
		}
		ingestion.old = decided.old;
		if (found) ingestion.continueWith(found.uniqueId, decided.isAttached, found.status);
		else await ingestion.create(async () => await create(run, item, task));
		await ingestion.complete({ waits, deleteOld: deletionBy(ifNameExists) });
		if (uid === undefined) item.remark(TEXT_WITHOUT_AGENT);
		if (!found) return documentRow(ingestion, { action: 'created' });
		const action = decided.isAttached || uid === undefined ? 'unchanged' : 'added';
		return documentRow(ingestion, { action, reason: WAS_THERE });
	},
});

function documentsOf({ title: name, uid, ifNameExists }: ValuesOf<typeof fields>) {
	return { names: [name], uid, ifNameExists };
}

const WAS_THERE = 'CometChat had a text of this title already: it was not written again';

/** Where the list of texts cannot be had, nobody can tell. */
async function sayingSame(
	words: string,
	item: ItemContext,
	list: TextList,
): Promise<(record: Document) => boolean> {
	const texts = await caught(list.texts(item));
	if (isFailure(texts)) return () => false;
	return ({ uniqueId }) => {
		const found = texts.withId(uniqueId);
		return found !== undefined && says(found, words);
	};
}
