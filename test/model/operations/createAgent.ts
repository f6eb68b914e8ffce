import fc from 'fast-check';

import type { Exchange } from '../exchanges';
import { meaningOf } from '../exchanges';
import { askedItems, each, first } from '../expectations/sending';
import type { Case, Item, Operation, Wanted } from '../operation';
import { FEW_RECORDS, MOST_ITEMS } from '../records';
import { itemOf, pacing, unusable } from '../scenario';
import { nameOf } from '../serviceBehaviour';

const draft = itemOf(
	[
		unusable({ name: ' ', instruction: 'x' }),
		unusable({ name: 'x', instruction: 'y'.repeat(32_001) }),
	],
	fc.record({ length: fc.constantFrom(0, 12, 32_000) }),
	({ length }, index): Item<Wanted> => ({
		json: { name: nameOf(index), instruction: `${index}`.repeat(length) },
		wanted: { title: nameOf(index) },
	}),
);

/** The agents that an item has made, by their names. */
function madeBy({ title }: Wanted, { after }: Case): string[] {
	return after.agents.filter(({ name }) => name === title).map(({ uid }) => uid);
}

export const createAgent: Operation = {
	name: 'createAgent',
	runs: 90,
	parameters: {
		resource: 'agent',
		operation: 'create',
		name: '={{ $json.name }}',
		additionalFields: { instruction: '={{ $json.instruction }}' },
	},
	records: FEW_RECORDS,
	requests: ['createAgent'],
	sharedRequests: [],
	draft,
	mostItems: MOST_ITEMS,
	options: fc.record(pacing),
	isCountExact: () => true,
	canBeDone: () => true,
	promises: [
		{
			title: 'an agent that is said to be made is there, once, under its ID',
			contradiction: each(askedItems, ({ index, wanted, reported }, given) => {
				const made = madeBy(wanted, given);
				const told = reported.outputs.map(({ uid }) => uid);
				if (made.length > 1) return `item ${index} has made ${made.join()}`;
				return told.every((uid) => uid === made[0])
					? undefined
					: `item ${index} names ${told.join()}, and there is ${made.join()}`;
			}),
		},
		{
			title: 'an agent that is said not to be made is not, and one that CometChat confirmed is',
			contradiction: each(askedItems, ({ index, wanted, reported, requests }, given) => {
				const { outcome } = reported;
				const isDenied = outcome === 'not applied' || outcome === 'not sent';
				if (isDenied && madeBy(wanted, given).length > 0) return `that of item ${index} is there`;
				const isConfirmed = requests.some(
					(one) => meaningOf(one) === 'done' && isBeforeStop(one, given),
				);
				return isConfirmed && outcome !== 'applied' ? `item ${index} is '${outcome}'` : undefined;
			}),
		},
		{
			title: 'no other agent than those that were asked for is made or changed',
			contradiction: ({ before, after, asked }) =>
				first(after.agents, (agent) => {
					const isAsked = asked.some(({ wanted }) => wanted.title === agent.name);
					return isAsked || before.agents.some(({ uid }) => uid === agent.uid)
						? undefined
						: `${agent.name} is there`;
				}),
		},
	],
	meets: {},
	neverMeets: ['skipped', 'partly applied'],
};

/** What is answered after the stop button, nobody waits for. */
function isBeforeStop({ end }: Exchange, { stoppedAtMs = Infinity }: Case): boolean {
	return (end?.atMs ?? 0) < stoppedAtMs;
}
