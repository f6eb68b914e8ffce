import fc from 'fast-check';

import { startMs } from '../../service/seeds';
import { askedItems, each, first } from '../expectations/sending';
import type { Item, Operation, Wanted } from '../operation';
import { DOCUMENTS, MOST_ITEMS } from '../records';
import { present, same } from '../report';
import { itemOf, pacing, unusable } from '../scenario';

interface Listed extends Wanted {
	limit: number;
	statuses: string[];
	sourceTypes: string[];
	/** Not before the one, and before the other. */
	after: string;
	before: string;
}

/** Every time that there is. */
export const EVER = { after: '2000-01-01T00:00:00Z', before: '2100-01-01T00:00:00Z' };

/** From one record to another; each has a minute of its own. */
const span = fc.tuple(fc.nat(DOCUMENTS.length), fc.nat(DOCUMENTS.length)).map(([one, other]) => ({
	after: new Date(startMs(Math.max(one, other) + 1)).toISOString(),
	before: new Date(startMs(Math.min(one, other))).toISOString(),
}));

const draft = itemOf(
	[
		unusable({ ...EVER, all: false, limit: 0, statuses: [], sourceTypes: [] }),
		unusable({ ...EVER, all: false, limit: 1, statuses: [], sourceTypes: ['other'] }),
		unusable({
			all: true,
			limit: 1,
			statuses: [],
			sourceTypes: [],
			after: EVER.before,
			before: EVER.after,
		}),
	],
	fc.record({
		all: fc.boolean(),
		limit: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constantFrom(99, 100, 101, 150, 200, 300)),
		statuses: fc.oneof(
			{ weight: 2, arbitrary: fc.constant<string[]>([]) },
			{ weight: 1, arbitrary: fc.subarray(['failed', 'indexed', 'inSync']) },
		),
		sourceTypes: fc.oneof(
			{ weight: 2, arbitrary: fc.constant<string[]>([]) },
			{ weight: 1, arbitrary: fc.subarray(['uploads', 'text', 'website']) },
		),
		within: fc.oneof({ weight: 2, arbitrary: fc.constant(EVER) }, { weight: 1, arbitrary: span }),
	}),
	({ all, limit, within, ...filters }): Item<Listed> => ({
		json: { all, limit, ...filters, ...within },
		wanted: { limit: all ? Infinity : limit, ...filters, ...within },
	}),
);

export const getMany: Operation<Listed> = {
	name: 'getMany',
	runs: 60,
	parameters: {
		resource: 'document',
		operation: 'getMany',
		returnAll: '={{ $json.all }}',
		limit: '={{ $json.limit }}',
		simple: false,
		filters: {
			statuses: '={{ $json.statuses }}',
			sourceTypes: '={{ $json.sourceTypes }}',
			createdAfter: '={{ $json.after }}',
			createdBefore: '={{ $json.before }}',
		},
	},
	records: DOCUMENTS,
	requests: ['records'],
	sharedRequests: [],
	draft,
	mostItems: MOST_ITEMS,
	options: fc.record(pacing),
	isList: true,
	canBeDone: (_, { scenario }) => (scenario.variant.recordsNext === undefined ? true : undefined),
	promises: [
		{
			title:
				'a list holds every file that fits, each once, newest first; a shorter one is an error',
			contradiction: each(
				askedItems,
				({ index, wanted, reported: { outcome, outputs } }, { before, run, scenario }) => {
					// The items of a run that stopped are not to be seen.
					if (outcome !== 'applied' || (outputs.length === 0 && run.error)) return undefined;
					const { limit, statuses, sourceTypes, after, before: until } = wanted;
					const types = sourceTypes.map((type) => (type === 'text' ? 'text-details' : type));
					const fitting = before.records.filter(
						({ status, type, createdAt }) =>
							createdAt >= Date.parse(after) &&
							createdAt < Date.parse(until) &&
							(statuses.length === 0 || statuses.includes(status)) &&
							(types.length === 0 || types.includes(type)),
					);
					const listed = fitting.slice(0, limit);
					// What repeats the key is not shown as it is.
					const isPlain = scenario.variant.repeatsKey === undefined;
					// The statuses are then others than those that are asked for.
					if (scenario.variant.repeatsKey === 'status' && statuses.length > 0) return undefined;
					if (outputs.length !== listed.length) {
						return `item ${index} lists ${outputs.length} files, ${listed.length} fit`;
					}
					return first(listed, (record, at) =>
						(
							isPlain
								? same(present({ ...record }), outputs[at])
								: record.uniqueId === outputs[at]?.uniqueId
						)
							? undefined
							: `in place ${at} of item ${index} is ${JSON.stringify(outputs[at])}`,
					);
				},
			),
		},
	],
	meets: {},
	neverMeets: ['skipped', 'unknown', 'partly applied', 'a connection lost after the change'],
};
