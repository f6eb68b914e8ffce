import fc from 'fast-check';

import { meaningOf } from '../exchanges';
import { first } from '../expectations/sending';
import type { Asked, Case, Item, Operation, Wanted } from '../operation';
import { AGENTS, FEW_RECORDS } from '../records';
import { itemOf, pacing, unusable } from '../scenario';

interface Renaming extends Wanted {
	uid: string;
	/** That no other item gives. */
	newName: string;
}

/** Most items have an agent that no other asks for, so that it is known whose a request is. */
const draft = itemOf(
	[unusable({ agent: '', name: 'x' }), unusable({ agent: 'guide', name: '' })],
	fc.record({ agent: fc.option(fc.constantFrom(...AGENTS), { nil: undefined, freq: 2 }) }),
	({ agent }, index): Item<Renaming> => {
		const uid = agent ?? AGENTS[index % AGENTS.length] ?? 'nobody';
		const newName = `name-${index}`;
		return { json: { agent: uid, name: newName }, wanted: { uid, newName } };
	},
);

/** Which items alone can have caused a request: the name that it gives says so. */
function nameIn(body: unknown): unknown {
	return Object(body).name;
}

export const updateAgent: Operation<Renaming> = {
	name: 'updateAgent',
	runs: 130,
	parameters: {
		resource: 'agent',
		operation: 'update',
		uid: { __rl: true, mode: 'id', value: '={{ $json.agent }}' },
		updateFields: { name: '={{ $json.name }}' },
	},
	records: FEW_RECORDS,
	requests: ['updateAgent'],
	sharedRequests: [],
	draft,
	mostItems: AGENTS.length,
	options: fc.record(pacing),
	ownersOf: ({ arrival }, { scenario: { items } }) =>
		items.flatMap(({ wanted }, index) =>
			typeof wanted === 'object' && wanted.newName === nameIn(arrival.body) ? [index] : [],
		),
	isCountExact: () => true,
	canBeDone: ({ wanted: { uid } }) => uid !== 'nobody',
	promises: [
		{
			title: 'an agent ends with the name that the last of its items that is done has given it',
			contradiction: (given) =>
				first(given.after.agents, ({ uid, name }) => {
					const its = given.asked.filter(({ wanted }) => wanted.uid === uid);
					const isOpen = its.some((one) => isUnsure(one));
					const done = its.filter(({ reported }) => reported.outcome === 'applied').at(-1);
					const were = given.before.agents.find((one) => one.uid === uid)?.name;
					const expected = done?.wanted.newName ?? were;
					return isOpen || name === expected ? undefined : `${uid} is called ${name}`;
				}),
		},
		{
			title: 'items of one agent are sent one after another, in input order',
			contradiction: ({ exchanges, asked }: Case<Renaming>) =>
				first(AGENTS, (uid) => {
					const sent = exchanges.filter(({ arrival }) => arrival.uid === uid);
					const order = asked
						.filter((one) => one.wanted.uid === uid)
						.map(({ wanted }) => wanted.newName);
					const places = sent.map(({ arrival }) => order.indexOf(String(nameIn(arrival.body))));
					const isInOrder = places.every((place, at) => place >= (places[at - 1] ?? 0));
					return isInOrder ? undefined : `${uid} was given ${places.join()}`;
				}),
		},
	],
	meets: {
		'an agent that several items change': ({ scenario: { items } }) => {
			const uids = items.flatMap(({ wanted }) => (typeof wanted === 'object' ? [wanted.uid] : []));
			return new Set(uids).size < uids.length;
		},
	},
	neverMeets: ['skipped', 'partly applied'],
};

/** Whether nobody can know what an item did. */
function isUnsure({ requests, reported }: Asked<Renaming>): boolean {
	return (
		reported.outcome === 'unknown' ||
		requests.some((one) => meaningOf(one) !== 'refused' && reported.outcome !== 'applied')
	);
}
