import type { ItemContext } from '../../execution/itemContext';
import type { IngestionRun } from '../../ingestion/ingestionRun';
import type { Field } from '../../input/field';
import { success } from '../../service/shape';
import { changeOf, creationOf, readText, readTextId } from '../../service/texts';
import { readTextWords, readTitle, TEXT, textField, titleField } from './textFields';

/** Of operations that write texts. */

export const title: Field<string> = {
	property: titleField,
	read: readTitle,
	asked: (name) => ({ name }),
};

export const text: Field<string> = { property: textField, read: readTextWords };

/** Sent again after a lost answer, it could be there twice. @returns Its ID. */
export async function create(
	run: IngestionRun,
	item: ItemContext,
	written: { title: string; text: string },
): Promise<string> {
	const { title: name, text: words } = written;
	const uniqueId = await item.call(creationOf(name, words), readTextId, { repeat: 'never' });
	item.log.created.push({ uniqueId, name });
	run.inventory.noteCreated({ uniqueId, sourceName: name, type: TEXT });
	return uniqueId;
}

/** Changes a text where it is: once more after a lost answer does no harm. @returns Its title, where that is told. */
export async function change(
	item: ItemContext,
	uniqueId: string,
	changes: { title?: string; text?: string },
): Promise<string | undefined> {
	let said: string | undefined;
	const read = (body: Parameters<typeof readText>[0]) => {
		said = readText(body)?.title;
		return success(body);
	};
	await item.call(changeOf(uniqueId, changes), read, { about: 'text' });
	return changes.title ?? said;
}
