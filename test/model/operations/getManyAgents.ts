import fc from 'fast-check';

import { askedItems, each } from '../expectations/sending';
import type { Item, Operation, Wanted } from '../operation';
import { AGENTS, FEW_RECORDS, MOST_ITEMS } from '../records';
import { same } from '../report';
import { itemOf, pacing, unusable } from '../scenario';

interface Found extends Wanted {
	limit: number;
	/** A part of what some agents are called. */
	search: string;
}

const draft = itemOf(
	[unusable({ all: false, limit: 0, search: 'o' }), unusable({ all: true, limit: 1, search: '' })],
	fc.record({
		all: fc.boolean(),
		limit: fc.integer({ min: 1, max: AGENTS.length }),
		search: fc.constantFrom('o', 'support', 'GUIDE', 'nobody'),
	}),
	({ all, limit, search }): Item<Found> => ({
		json: { all, limit, search },
		wanted: { limit: all ? Infinity : limit, search },
	}),
);

export const getManyAgents: Operation<Found> = {
	name: 'getManyAgents',
	runs: 90,
	parameters: {
		resource: 'agent',
		operation: 'getMany',
		returnAll: '={{ $json.all }}',
		limit: '={{ $json.limit }}',
		simple: false,
		filters: { search: '={{ $json.search }}' },
	},
	records: FEW_RECORDS,
	requests: ['list'],
	sharedRequests: [],
	draft,
	mostItems: MOST_ITEMS,
	options: fc.record(pacing),
	isList: true,
	canBeDone: () => true,
	promises: [
		{
			title:
				'a list holds every agent that is found, each once, newest first; a shorter one is an error',
			contradiction: each(
				askedItems,
				({ index, wanted, reported: { outcome, outputs } }, { before, run, scenario }) => {
					// The items of a run that stopped are not to be seen.
					if (outcome !== 'applied' || (outputs.length === 0 && run.error)) return undefined;
					const { hiddenAgents = [] } = scenario.variant;
					const found = before.agents.filter(
						({ uid, name }) =>
							!hiddenAgents.includes(uid) &&
							[uid, name].some((text) => text.toLowerCase().includes(wanted.search.toLowerCase())),
					);
					const expected = found.slice(0, wanted.limit).map(({ uid }) => uid);
					const told = outputs.map(({ uid }) => uid);
					return same(expected, told) ? undefined : `item ${index} lists ${told.join()}`;
				},
			),
		},
	],
	meets: {
		'an agent that is found': (_, reported) => reported.some(({ outputs }) => outputs.length > 0),
	},
	neverMeets: ['skipped', 'unknown', 'partly applied', 'a connection lost after the change'],
};
