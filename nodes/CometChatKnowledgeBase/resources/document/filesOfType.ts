import type { INodeProperties } from 'n8n-workflow';

import type { FilesOfType } from '../../documents/fileByFile';
import type { Reader } from '../../execution/items';
import type { RunContext } from '../../execution/operation';
import { attachedFiles } from '../../input/binary';
import { LEAVE_AT_UPLOADS } from '../../input/fields';
import { ifNoFileIdsOption, filesReader, readFileIdsOrSkip } from '../../input/fileIds';
import { readPathValue } from '../../input/identifiers';
import { findSourceType, SOURCE_TYPES } from '../../values/sourceTypes';
import { ValidationIssue } from '../../values/validationIssue';

export const deletableTypeField: INodeProperties = {
	displayName: 'Source Type',
	name: 'sourceType',
	type: 'options',
	options: SOURCE_TYPES.map(({ name, value, description }) => ({ name, value, description })),
	default: 'uploads',
	hint: LEAVE_AT_UPLOADS,
	description: 'What kind of document the IDs belong to',
};

/** Reads `sourceTypeField` and `filesFields`. */
export function filesOfTypeReader(run: RunContext): Reader<FilesOfType> {
	const typeOf = run.parameter('sourceType');
	const fileIdsOf = filesReader(run.parameter);
	const ifNoFileIds = run.option(ifNoFileIdsOption);
	return (index) => {
		const sourceType = findSourceType(typeOf(index));
		if (sourceType === undefined) {
			return new ValidationIssue(
				"'Source Type' is not one of its choices",
				'Pick Uploads, Text or Website.',
			);
		}
		const attached = attachedFiles(run.context, index);
		const fileIds = readFileIdsOrSkip(fileIdsOf(index), ifNoFileIds, {}, attached);
		if (fileIds instanceof ValidationIssue || 'kind' in fileIds) return fileIds;
		const { ids: uniqueIds } = fileIds;
		for (const id of uniqueIds) {
			// Here an ID is a part of the address.
			const safe = readPathValue(id, "An entry of 'File IDs'", 'Give the ID of the file.');
			if (safe instanceof ValidationIssue) return safe;
		}
		return { kind: 'ready', task: { sourceType, uniqueIds }, requested: { uniqueIds } };
	};
}
