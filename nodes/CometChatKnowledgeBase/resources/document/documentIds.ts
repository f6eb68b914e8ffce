import type { DocumentsOfItem } from './eachDocument';
import type { Reader } from '../../execution/items';
import type { RunContext } from '../../execution/operation';
import { attachedFiles } from '../../input/binary';
import { ifNoFileIdsOption, filesReader, readFileIdsOrSkip } from '../../input/fileIds';
import { readPathValue } from '../../input/identifiers';

/** Reads `filesFields`, for requests in whose address an ID stands. */
export function documentIdsReader(run: RunContext): Reader<DocumentsOfItem> {
	const fileIdsOf = filesReader(run.parameter);
	const ifNoFileIds = run.option(ifNoFileIdsOption);
	return (index) => {
		const attached = attachedFiles(run.context, index);
		const fileIds = readFileIdsOrSkip(fileIdsOf(index), ifNoFileIds, {}, attached);
		if ('kind' in fileIds) return fileIds;
		const { ids: uniqueIds } = fileIds;
		for (const id of uniqueIds) {
			readPathValue(id, "An entry of 'File IDs'", 'Give the ID of the file.');
		}
		return { kind: 'ready', task: { uniqueIds }, requested: { uniqueIds } };
	};
}
