import fc from 'fast-check';

import { wasGone } from '../attribution';
import { maybe } from '../drafting';
import { ofEachFile, requestsFor } from '../expectations/perFile';
import { askedItems, each, first } from '../expectations/sending';
import type { Item, Operation, Options, Wanted } from '../operation';
import { DOCUMENTS, KINDS, MOST_ITEMS, someIds } from '../records';
import { listsOf, same } from '../report';
import { empty, ifNoFileIds, itemOf, pacing, unusable, wantedOf } from '../scenario';

/** What items ask for that name files of one kind. */
export interface FilesOfType extends Wanted {
	sourceType: string;
	ids: string[];
}

interface DeleteOptions extends Options {
	ifGone?: 'fail' | 'deleted';
}

const REQUEST_FOR = new Map([
	['uploads', 'deleteUpload'],
	['text', 'deleteText'],
	['website', 'deleteWebsite'],
]);

export const filesOfType = itemOf(
	[
		empty({ kind: 'uploads', ids: [] }),
		unusable({ kind: 'uploads', ids: [{ name: 'x' }] }),
		unusable({ kind: 'uploads', ids: ['a/b'] }),
		unusable({ kind: 'folders', ids: ['a'] }),
	],
	fc.record({ kind: fc.constantFrom(...KINDS), idsOf: someIds }),
	({ kind, idsOf }, index): Item<FilesOfType> => {
		const ids = idsOf(kind, index);
		return { json: { kind, ids }, wanted: { sourceType: kind, ids } };
	},
);

export const deleteDocuments: Operation<FilesOfType, DeleteOptions> = {
	name: 'delete',
	runs: 120,
	parameters: {
		resource: 'document',
		operation: 'delete',
		sourceType: '={{ $json.kind }}',
		fileIds: '={{ $json.ids }}',
	},
	records: DOCUMENTS,
	requests: ['deleteUpload', 'deleteText', 'deleteWebsite'],
	// A file is deleted once, whichever and however many items ask for it.
	sharedRequests: ['deleteUpload', 'deleteText', 'deleteWebsite'],
	draft: filesOfType,
	mostItems: MOST_ITEMS,
	options: fc.record({ ...pacing, ifNoFileIds, ifGone: maybe(fc.constantFrom('fail', 'deleted')) }),
	perFile: {
		concerns: ({ arrival }, { sourceType }) => arrival.operation === REQUEST_FOR.get(sourceType),
		isSo: (id, _, { after }) =>
			!after.records.some(({ uniqueId }) => uniqueId === id) &&
			![...after.attached.values()].some((ids) => ids.includes(id)),
	},
	mayTake: ({ ids }, { id }) => ids.includes(id),
	isNoFailure: (sent, { scenario }) => scenario.options.ifGone === 'deleted' && wasGone(sent),
	canBeDone: ({ wanted: { ids } }, { scenario, before }) =>
		scenario.options.ifGone === 'deleted' ||
		ids.every((id) => before.records.some(({ uniqueId }) => uniqueId === id)),
	promises: [
		...ofEachFile,
		{
			title: 'what is said of deleted files has the documented form, and names those already gone',
			contradiction: each(askedItems, (one, given) => {
				const { ids } = one.wanted;
				const { outcome, outputs } = one.reported;
				if (outcome !== 'applied') return undefined;
				const alreadyGone = ids.filter((id) => wasGone(requestsFor(id, one, given)));
				const takesGone = given.scenario.options.ifGone === 'deleted';
				if (alreadyGone.length > 0 && !takesGone) return `${alreadyGone.join()} was never there`;
				const more = takesGone ? { alreadyGone } : {};
				const [output] = outputs;
				return output === undefined || same(output, { deleted: true, uniqueIds: ids, ...more })
					? undefined
					: `the output of item ${one.index} is ${JSON.stringify(output)}`;
			}),
		},
		{
			title: 'items that ask for the same file are told the same of it, and how often it was sent',
			holdsFor: ({ scenario, stoppedAtMs }) =>
				scenario.onError !== 'stopWorkflow' && stoppedAtMs === undefined,
			contradiction: (given) => {
				const told = new Map<string, string>();
				return first(given.asked, (one) => {
					const { index, wanted, reported } = one;
					const { attempts } = reported;
					const counts = wanted.ids.map((id) => requestsFor(id, one, given).length);
					if (attempts !== undefined && attempts !== Math.max(...counts)) {
						return `item ${index} is said to have been sent ${attempts} times: ${counts.join()}`;
					}
					return first(Object.entries(listsOf(reported, wanted.ids) ?? {}), ([name, listed]) =>
						first(listed, (id) => {
							const key = `${wanted.sourceType} ${id}`;
							const before = told.get(key) ?? name;
							told.set(key, name);
							return before === name
								? undefined
								: `${id} is ${before}, and ${name} in item ${index}`;
						}),
					);
				});
			},
		},
	],
	meets: {
		'a file deleted for several items': ({ scenario, exchanges }) => {
			const asked = wantedOf(scenario).flatMap(({ ids }) => ids);
			const isShared = (id: string) => asked.indexOf(id) < asked.lastIndexOf(id);
			return exchanges.some(({ applied, ids }) => applied && ids.some(isShared));
		},
		'a file that was gone': ({ run }) => /"alreadyGone":\[(?!\])/.test(run.stored),
	},
	neverMeets: [],
};
