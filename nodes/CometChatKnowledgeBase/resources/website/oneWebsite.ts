import type { FileAction, FilesOfType } from '../../documents/fileByFile';
import type { Reader } from '../../execution/items';
import type { RunContext } from '../../execution/operation';
import { readWebsiteId } from '../../input/identifiers';
import { explainedBy, RequestFailure } from '../../results/itemFailure';
import { explainForWebsite } from '../../results/messages';
import { ValidationIssue } from '../../values/validationIssue';

/** Reads `websiteField`. */
export function websiteReader(run: RunContext): Reader<FilesOfType> {
	const websiteOf = run.parameter('website');
	return (index) => {
		const uniqueId = readWebsiteId(websiteOf(index));
		if (uniqueId instanceof ValidationIssue) return uniqueId;
		const uniqueIds = [uniqueId];
		return { kind: 'ready', task: { sourceType: 'website', uniqueIds }, requested: { uniqueIds } };
	};
}

/** The same, where a refusal leads to the field 'Website'. */
export function ofWebsite(action: FileAction): FileAction {
	const { explained = (failure) => failure } = action;
	return {
		...action,
		explained: (failure) =>
			explained(
				failure instanceof RequestFailure ? explainedBy(explainForWebsite, failure) : failure,
			),
	};
}
