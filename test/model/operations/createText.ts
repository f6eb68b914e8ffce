import fc from 'fast-check';

import { INDEXING_EVENTS } from '../coverage';
import { canBeBrought, isCountExact, ofArriving, ofContent } from '../expectations/content';
import { ofIndexing } from '../expectations/indexing';
import type { Item, Operation, Wanted } from '../operation';
import { FEW_RECORDS, MOST_ITEMS } from '../records';
import { AFTERWARDS, afterwards, itemOf, maxIndexingMinutes, pacing, unusable } from '../scenario';
import { nameOf } from '../serviceBehaviour';

const PLAIN = { waits: false, adds: false, agent: 'unused' };

const draft = itemOf(
	[
		unusable({ ...PLAIN, title: ' ', text: 'x' }),
		unusable({ ...PLAIN, title: 'x', text: 'y'.repeat(5001) }),
	],
	fc.record({ afterwards, length: fc.constantFrom(1, 12, 5000) }),
	({ afterwards: then, length }, index): Item<Wanted> => {
		const entry = { title: nameOf(index), text: `${index}`.repeat(length) };
		return {
			json: { ...entry, ...then.json },
			wanted: { ...entry, sourceType: 'text', ...then.wanted },
		};
	},
);

export const createText: Operation = {
	name: 'create',
	runs: 130,
	parameters: {
		resource: 'text',
		operation: 'create',
		title: '={{ $json.title }}',
		text: '={{ $json.text }}',
		...AFTERWARDS,
	},
	records: FEW_RECORDS,
	requests: ['createText', 'poll', 'add', 'records', 'agent'],
	sharedRequests: ['poll', 'records', 'agent'],
	looks: ['records', 'agent'],
	draft,
	mostItems: MOST_ITEMS,
	options: fc.record({ ...pacing, maxIndexingMinutes }),
	isCountExact,
	canBeDone: canBeBrought,
	promises: [...ofContent, ...ofArriving, ...ofIndexing],
	meets: INDEXING_EVENTS,
	neverMeets: ['skipped'],
};
