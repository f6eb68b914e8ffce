import fc from 'fast-check';

import { maybe } from '../drafting';
import { askedItems, each } from '../expectations/sending';
import type { Case, Item, Operation, Options, Wanted } from '../operation';
import { AGENTS, DOCUMENTS, KNOWN_AGENTS, MOST_ITEMS } from '../records';
import { same } from '../report';
import { itemOf, pacing, unusable } from '../scenario';
import { variant } from '../serviceBehaviour';

interface Attached extends Wanted {
	attachedTo: string;
	/** Of the filter; `uid` would let a misbehaviour pick the item. */
	agent: string;
	name: string;
	limit: number;
}

interface Showing extends Options {
	showAgents?: boolean;
}

const draft = itemOf(
	[unusable({ attachedTo: 'all', agent: 'guide', name: '.md', limit: 5 })],
	fc.record({
		attachedTo: fc.constantFrom('agent', 'any', 'none'),
		agent: fc.constantFrom(...AGENTS),
		name: fc.constantFrom('.MD', 'filler-1', 'text'),
		limit: fc.constantFrom(1, 3, 500),
	}),
	(given): Item<Attached> => ({ json: { ...given }, wanted: given }),
);

/** The last is at the end of the account's list. */
const HELD = ['uploads-0-0', 'text-1-0', 'filler-1', 'filler-159'];

export const getManyAttached: Operation<Attached, Showing> = {
	name: 'getManyAttached',
	runs: 100,
	parameters: {
		resource: 'document',
		operation: 'getMany',
		limit: '={{ $json.limit }}',
		filters: {
			attachedTo: '={{ $json.attachedTo }}',
			uid: { __rl: true, mode: 'id', value: '={{ $json.agent }}' },
			nameContains: '={{ $json.name }}',
		},
	},
	records: DOCUMENTS,
	requests: ['records', 'list', 'agent'],
	sharedRequests: ['records', 'list', 'agent'],
	draft,
	mostItems: MOST_ITEMS,
	options: fc.record({ ...pacing, showAgents: maybe(fc.boolean()) }),
	heldBefore: fc
		.record({
			uids: fc.uniqueArray(fc.constantFrom(...KNOWN_AGENTS), { maxLength: 3 }),
			ids: fc.subarray(HELD, { minLength: 1 }),
		})
		.map(({ uids, ids }) => ({
			of: () => uids.map((uid) => ({ uid, sourceType: 'uploads', ids })),
		})),
	// Agents have what is not indexed, which could not be given to them then.
	variant: variant.map((usual) => ({ ...usual, unindexedFiles: undefined })),
	isList: true,
	// Whether the lists tell is another question, and a filter that cannot be applied is an error.
	canBeDone: ({ wanted: { attachedTo, agent } }) =>
		attachedTo === 'agent' && agent === 'nobody' ? false : undefined,
	promises: [
		{
			title:
				'a list has each document that the agents of the filter have, and no other; where that is not told, it is an error, and never called none',
			contradiction: each(askedItems, ({ index, wanted, reported }, given) => {
				const { outcome, outputs } = reported;
				if (outcome !== 'applied' || (outputs.length === 0 && given.run.error)) return undefined;
				if (given.scenario.variant.repeatsKey === 'recordName') return undefined;
				const ids = outputs.map(({ uniqueId }) => uniqueId);
				const { attachedTo, agent, name, limit } = wanted;
				const isMeant = (id: string) => {
					const holders = holdersOf(id, given);
					if (attachedTo === 'agent') return holders.includes(agent);
					return holders.length > 0 === (attachedTo === 'any');
				};
				const expected = given.before.records
					.filter(({ sourceName }) => sourceName.includes(name.toLowerCase()))
					.map(({ uniqueId }) => uniqueId)
					.filter(isMeant)
					.slice(0, limit);
				if (!same(ids, expected))
					return `item ${index} lists ${ids.join()}, not ${expected.join()}`;
				const wrong = outputs.find((one) => !isRightlyShown(one, given));
				return wrong && `item ${index} shows ${JSON.stringify(wrong)}`;
			}),
		},
	],
	meets: {
		'documents of no agent': (_, reported) =>
			reported.some(({ outputs }) => outputs.some(({ agents }) => same(agents, []))),
		'a document of several agents': (_, reported) =>
			reported.some(({ outputs }) =>
				outputs.some(({ agentIds }) => Array.isArray(agentIds) && agentIds.length > 1),
			),
		'lists that do not tell': (_, reported) =>
			reported.some(({ error }) => String(error?.message).startsWith('CometChat does not tell')),
	},
	neverMeets: ['skipped', 'unknown', 'partly applied', 'a connection lost after the change'],
};

/** Of the agents that the list shows. */
function holdersOf(id: string, { scenario }: Case<Attached, Showing>): string[] {
	return scenario.heldBefore.flatMap(({ uid, ids }) => (ids.includes(id) ? [uid] : []));
}

/** Names an agent only of those that have it, leaves out none without saying that it is not told. */
function isRightlyShown(
	{ uniqueId, agents, agentIds, reason }: Record<string, unknown>,
	given: Case<Attached, Showing>,
): boolean {
	if (given.scenario.options.showAgents !== true) return agents === undefined;
	const holders = holdersOf(String(uniqueId), given);
	const shown = Array.isArray(agentIds) ? agentIds : [];
	if (!shown.every((uid) => holders.includes(uid))) return false;
	if (agents === null) return reason !== undefined && shown.length === 0;
	return shown.length === holders.length || reason !== undefined;
}
