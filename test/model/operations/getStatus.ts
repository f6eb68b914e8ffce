import fc from 'fast-check';

import { oneIn } from '../drafting';
import { meaningOf } from '../exchanges';
import { askedItems, each, endsAll } from '../expectations/sending';
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
	requests: ['poll', 'records'],
	sharedRequests: ['records'],
	draft,
	mostItems: MOST_ITEMS,
	options: fc.record({ ...pacing, ifNoFileIds }),
	isList: true,
	// Names are no part of the question.
	isNoFailure: (sent) => sent.every(({ arrival }) => arrival.operation === 'records'),
	canBeDone: ({ wanted: { ids } }, { scenario, before }) =>
		scenario.variant.unknownInPoll !== 'refuse' ||
		ids.every((id) => before.records.some(({ uniqueId }) => uniqueId === id)),
	promises: [
		{
			title:
				'of each file asked for is told, in the order asked, what CometChat has; a name is missing only where the list of names was not to be had',
			contradiction: each(
				askedItems,
				({ index, wanted, reported: { outcome, outputs } }, given) => {
					const { before, run, exchanges, stoppedAtMs } = given;
					if (outcome !== 'applied' || (outputs.length === 0 && run.error)) return undefined;
					const isNamed =
						stoppedAtMs === undefined &&
						given.scenario.variant.recordsNext === undefined &&
						!exchanges.some((one) => endsAll(one, given)) &&
						exchanges.every(
							(one) => one.arrival.operation !== 'records' || meaningOf(one).startsWith('done'),
						);
					const told = wanted.ids.map((uniqueId, at) => {
						const record = before.records.find((one) => one.uniqueId === uniqueId);
						const { sourceName: name, status = 'notFound' } = record ?? {};
						const isReady = status === 'indexed' || status === 'inSync';
						const shown = isNamed || outputs[at]?.name !== undefined;
						return {
							...(record && shown && { name }),
							status,
							isReady,
							// Its words are told by the tests of the operation.
							...(!isReady && { advice: outputs[at]?.advice ?? 'some' }),
							uniqueId,
						};
					});
					// What repeats the key is not shown as it is.
					const isPlain = given.scenario.variant.repeatsKey === undefined;
					const ids = (all: Array<Record<string, unknown>>) => all.map(({ uniqueId }) => uniqueId);
					return (isPlain ? same(told, outputs) : same(ids(told), ids(outputs)))
						? undefined
						: `item ${index} is told ${JSON.stringify(outputs)}`;
				},
			),
		},
	],
	meets: {
		'a name that was not to be had': (_, reported) =>
			reported.some(({ outputs }) =>
				outputs.some(({ name, status }) => name === undefined && status !== 'notFound'),
			),
	},
	neverMeets: ['unknown', 'partly applied', 'a connection lost after the change'],
};
