import fc from 'fast-check';

import { oneIn } from '../drafting';
import { meaningOf } from '../exchanges';
import { askedItems, each } from '../expectations/sending';
import type { Case, Item, Operation, Wanted } from '../operation';
import { AGENTS, DOCUMENTS, KNOWN_AGENTS, MOST_ITEMS } from '../records';
import { same } from '../report';
import { itemOf, pacing, unusable } from '../scenario';
import { variant } from '../serviceBehaviour';

interface Knowledge extends Wanted {
	uid: string;
	limit: number;
}

const draft = itemOf(
	[unusable({ agent: '', limit: 5 }), unusable({ agent: 'guide', limit: 0 })],
	fc.record({
		uid: fc.oneof(
			{ weight: 8, arbitrary: fc.constantFrom(...KNOWN_AGENTS) },
			{ weight: 1, arbitrary: fc.constantFrom(...AGENTS) },
		),
		limit: fc.constantFrom(1, 2, 50),
	}),
	({ uid, limit }): Item<Knowledge> => ({ json: { agent: uid, limit }, wanted: { uid, limit } }),
);

/** The one is at the end of the account's list, the other not in it. */
const HELD = ['uploads-0-0', 'text-1-0', 'filler-159', 'nowhere-0'];

export const getKnowledge: Operation<Knowledge> = {
	name: 'getKnowledge',
	runs: 100,
	parameters: {
		resource: 'knowledgeBase',
		operation: 'getMany',
		uid: { __rl: true, mode: 'id', value: '={{ $json.agent }}' },
		limit: '={{ $json.limit }}',
	},
	records: DOCUMENTS,
	requests: ['records', 'list', 'agent', 'poll'],
	sharedRequests: ['records', 'list', 'agent', 'poll'],
	draft,
	mostItems: MOST_ITEMS,
	options: fc.record(pacing),
	heldBefore: fc
		.record({
			uids: fc.uniqueArray(fc.constantFrom(...KNOWN_AGENTS), { maxLength: 3 }),
			ids: fc.subarray(HELD, { minLength: 1 }),
			website: oneIn(2, fc.constantFrom('website-0-0', 'nowhere-1')),
		})
		.map(({ uids, ids, website }) => ({
			of: () =>
				uids.flatMap((uid) => [
					{ uid, sourceType: 'uploads', ids },
					...(website ? [{ uid, sourceType: 'website', ids: [website] }] : []),
				]),
		})),
	// An agent has an ID that is no document, which could not be given to it then.
	variant: variant.map((usual) => ({ ...usual, unindexedFiles: undefined })),
	isList: true,
	// The list tells that a document is there; the question is only for one that it lacks.
	isNoFailure: (sent) => sent.every(({ arrival }) => arrival.operation === 'poll'),
	canBeDone: ({ wanted: { uid } }) => uid !== 'nobody',
	promises: [
		{
			title:
				'of each agent is told, in order, what it has, with the name and status that CometChat has; what its lists do not tell is said',
			contradiction: each(askedItems, ({ index, wanted, reported }, given) => {
				const { outcome, outputs } = reported;
				if (outcome !== 'applied' || (outputs.length === 0 && given.run.error)) return undefined;
				const shape = shapeOf(wanted.uid, given);
				if (shape === undefined) return undefined;
				const untold = outputs.filter(({ status }) => status === 'notTold');
				const told = outputs.filter(({ status }) => status !== 'notTold');
				const ids = told.map(({ uniqueId }) => uniqueId);
				const held = heldBy(wanted.uid, shape, given).slice(0, wanted.limit);
				if (!same(ids, held)) return `item ${index} is told of ${ids.join()}, not ${held.join()}`;
				const isSaid = untold.length > 0 && untold.every(({ reason }) => reason !== undefined);
				const isUntold = !['uniqueIds', 'stale', 'empty'].includes(shape);
				if (isUntold && !isSaid) return `item ${index} does not say what is not told`;
				const wrong = told.find((one) => !isRight(one, given));
				return wrong && `item ${index} says ${JSON.stringify(wrong)}`;
			}),
		},
	],
	meets: {
		'a document that the account does not list': (_, reported) =>
			reported.some(({ outputs }) => outputs.some(({ status }) => status === 'notFound')),
		'a name at the end of the list': (_, reported) =>
			reported.some(({ outputs }) => outputs.some(({ name }) => name === 'filler-159.md')),
		'lists that do not tell': (_, reported) =>
			reported.some(({ outputs }) => outputs.some(({ status }) => status === 'notTold')),
		'an agent that has nothing': ({ run }, reported) =>
			!run.error &&
			reported.some(({ outcome, outputs }) => outcome === 'applied' && outputs.length === 0),
	},
	neverMeets: ['skipped', 'unknown', 'partly applied', 'a connection lost after the change'],
};

/** Undefined where entries are none of the agent's IDs. */
function shapeOf(uid: string, { scenario }: Case<Knowledge>): string | undefined {
	const { agentListsOf, agentLists = 'uniqueIds' } = scenario.variant;
	const shape = agentListsOf?.[uid] ?? agentLists;
	return shape === 'otherIds' ? undefined : shape;
}

function heldBy(uid: string, shape: string, { scenario }: Case<Knowledge>): string[] {
	const of = (wanted: string) =>
		scenario.heldBefore.flatMap(({ uid: one, sourceType, ids }) =>
			one === uid && sourceType === wanted ? ids : [],
		);
	const [files, websites] = [of('uploads'), of('website')];
	switch (shape) {
		case 'uniqueIds':
		case 'stale':
			return [...files, ...websites];
		case 'websitesNull':
			return files;
		default:
			return [];
	}
}

/** A name or status is left out only where the list, or the question, was not to be had. */
function isRight(told: Record<string, unknown>, given: Case<Knowledge>): boolean {
	const { before, scenario, exchanges } = given;
	const record = before.records.find(({ uniqueId }) => uniqueId === told.uniqueId);
	const isCut =
		scenario.variant.recordsNext !== undefined ||
		exchanges.some(({ arrival, cause }) => arrival.operation === 'records' && cause !== undefined);
	// What repeats the key is not shown as it is.
	if (scenario.variant.repeatsKey !== undefined) return true;
	const isAsked = !exchanges.some(
		(one) => one.arrival.operation === 'poll' && !meaningOf(one).startsWith('done'),
	);
	if (record === undefined) {
		return told.reason !== undefined && (told.status === 'notFound' || isCut);
	}
	const isWhole = told.name === record.sourceName && told.status === record.status;
	const isUnnamed =
		told.reason !== undefined && [record.status, 'unknown'].includes(`${told.status}`);
	return isWhole || (isCut && isUnnamed) || (isCut && !isAsked && told.status === 'notFound');
}
