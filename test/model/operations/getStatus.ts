import fc from 'fast-check';

import { oneIn } from '../drafting';
import { askedItems, each } from '../expectations/sending';
import type { Item, Operation, Wanted } from '../operation';
import { DOCUMENTS, KINDS, MOST_ITEMS, someIds } from '../records';
import { same } from '../report';
import { empty, ifNoFileIds, itemOf, pacing, unusable } from '../scenario';

const draft = itemOf(
	[empty({ ids: '' }), unusable({ ids: true })],
	fc.record({
		kind: fc.constantFrom(...KINDS),
		idsOf: someIds,
		/** More than one question takes. */
		more: oneIn(4, fc.constantFrom(97, 150)),
	}),
	({ kind, idsOf, more = 0 }, index): Item<Wanted & { ids: string[] }> => {
		const others = Array.from({ length: more }, (_, at) => `filler-${at}`);
		const ids = [...idsOf(kind, index), ...others];
		return { json: { ids }, wanted: { ids } };
	},
);

export const getStatus: Operation<Wanted & { ids: string[] }> = {
	name: 'getStatus',
	runs: 100,
	parameters: { resource: 'document', operation: 'getStatus', fileIds: '={{ $json.ids }}' },
	records: DOCUMENTS,
	requests: ['poll'],
	sharedRequests: [],
	draft,
	mostItems: MOST_ITEMS,
	options: fc.record({ ...pacing, ifNoFileIds }),
	isList: true,
	canBeDone: ({ wanted: { ids } }, { scenario, before }) =>
		scenario.variant.unknownInPoll !== 'refuse' ||
		ids.every((id) => before.records.some(({ uniqueId }) => uniqueId === id)),
	promises: [
		{
			title: 'the status of each file asked for is the one that CometChat has, in the order asked',
			contradiction: each(
				askedItems,
				({ index, wanted, reported: { outcome, outputs } }, { before, run }) => {
					if (outcome !== 'applied' || (outputs.length === 0 && run.error)) return undefined;
					const told = wanted.ids.map((uniqueId) => {
						const record = before.records.find((one) => one.uniqueId === uniqueId);
						const status = record?.status ?? 'notFound';
						return { uniqueId, status, isReady: status === 'indexed' || status === 'inSync' };
					});
					return same(told, outputs)
						? undefined
						: `item ${index} is told ${JSON.stringify(outputs)}`;
				},
			),
		},
	],
	meets: {},
	neverMeets: ['unknown', 'partly applied', 'a connection lost after the change'],
};
