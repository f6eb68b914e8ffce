import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { oneIn } from '../drafting';
import type { Item } from '../operation';
import { AGENTS, MOST_ITEMS, UNKNOWN_IDS } from '../records';
import { itemOf, pacing, unusable } from '../scenario';
import { changeOf } from './addRemove';
import type { FilesOfType } from './delete';
import { deleteDocuments } from './delete';
import { getContent } from './getContent';
import { EVER, getMany } from './getMany';
import { getStatus } from './getStatus';
import { retryIndexing } from './retryIndexing';

/** As those of documents, of which they are a part: an item picks one website. */
const RUNS = 120;

const parameters = {
	resource: 'website',
	website: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
};

/** One ID can't be done in part, and an item that names none is unusable. */
const NEVER = ['partly applied', 'skipped'];

/** Its own website, that of the first item, or none that there is. */
const picked = fc
	.record({
		at: fc.nat(2),
		isShared: fc.boolean(),
		unknown: oneIn(5, fc.constantFrom(...UNKNOWN_IDS)),
	})
	.map(({ at, isShared, unknown }) => (index: number) => {
		return unknown ?? `website-${isShared ? 0 : index}-${at}`;
	});

const flaws = (json: IDataObject) =>
	['', 'https://example.com'].map((id) => unusable({ ...json, id }));

const oneWebsite = itemOf(flaws({}), picked, (idOf, index): Item<FilesOfType> => {
	const id = idOf(index);
	return { json: { id }, wanted: { sourceType: 'website', ids: [id] } };
});

export const deleteWebsite: typeof deleteDocuments = {
	...deleteDocuments,
	name: 'deleteWebsite',
	runs: RUNS,
	parameters: { ...parameters, operation: 'delete' },
	requests: ['deleteWebsite'],
	sharedRequests: ['deleteWebsite'],
	draft: oneWebsite,
	neverMeets: NEVER,
};

export const retryWebsite: typeof retryIndexing = {
	...retryIndexing,
	name: 'retryWebsite',
	// A pause that is short and named is rare here.
	runs: 200,
	parameters: { ...parameters, operation: 'retryIndexing' },
	draft: oneWebsite,
	options: fc.record(pacing),
	neverMeets: NEVER,
};

export const getWebsiteStatus: typeof getStatus = {
	...getStatus,
	name: 'getWebsiteStatus',
	runs: RUNS,
	parameters: { ...parameters, operation: 'getStatus' },
	draft: oneWebsite,
	options: fc.record(pacing),
	neverMeets: [...getStatus.neverMeets, 'skipped'],
};

export const getWebsiteContent: typeof getContent = {
	...getContent,
	name: 'getWebsiteContent',
	runs: RUNS,
	parameters: { ...parameters, operation: 'getContent', output: '={{ $json.output }}' },
	requests: ['pages'],
	sharedRequests: [],
	draft: itemOf(
		flaws({ output: 'page' }),
		fc.record({ idOf: picked, byPage: fc.boolean() }),
		({ idOf, byPage }, index) => {
			const id = idOf(index);
			return {
				json: { id, output: byPage ? 'page' : 'document' },
				wanted: { ids: [id], byPage },
			};
		},
	),
	canBeDone: ({ wanted: { ids } }, { before }) =>
		before.records.some(({ uniqueId }) => uniqueId === ids[0]),
};

export const getManyWebsites: typeof getMany = {
	...getMany,
	name: 'getManyWebsites',
	runs: RUNS,
	parameters: { ...getMany.parameters, ...parameters, operation: 'getMany' },
	draft: itemOf(
		[unusable({ all: false, limit: 0, statuses: [], sourceTypes: [], ...EVER })],
		fc.record({
			all: fc.boolean(),
			limit: fc.integer({ min: 1, max: 20 }),
			statuses: fc.subarray(['failed', 'indexed']),
			// Nobody sees this filter any more: it may be left of another resource.
			left: fc.subarray(['uploads', 'website']),
		}),
		({ all, limit, statuses, left }) => ({
			json: { all, limit, statuses, sourceTypes: left, ...EVER },
			wanted: { limit: all ? Infinity : limit, statuses, sourceTypes: ['website'], ...EVER },
		}),
	),
};

function changeOfWebsite(operation: 'add' | 'remove'): ReturnType<typeof changeOf> {
	return {
		...changeOf(operation),
		name: `${operation}Website`,
		runs: RUNS,
		parameters: {
			...parameters,
			operation,
			uid: { __rl: true, mode: 'id', value: '={{ $json.agent }}' },
		},
		requests: [operation],
		sharedRequests: [],
		mostItems: MOST_ITEMS,
		options: fc.record(pacing),
		draft: itemOf(
			flaws({ agent: 'support-bot' }),
			fc.record({ idOf: picked, uid: fc.constantFrom('support-bot', 'support-bot', ...AGENTS) }),
			({ idOf, uid }, index) => {
				const ids = [idOf(index)];
				const sourceType = 'website';
				return {
					json: { agent: uid, sourceType, id: ids[0] },
					wanted: { uid, sourceType, ids, ...(operation === 'add' ? { adds: ids } : {}) },
				};
			},
		),
		badIds: fc.array(
			fc.record({
				id: fc.constantFrom('website-0-0', 'website-0-1'),
				status: fc.constantFrom(400, 404),
				code: fc.constantFrom('ERR_KB_NOT_FOUND', 'ERR_BAD_REQUEST'),
			}),
			{ maxLength: 1 },
		),
		meets: {},
		neverMeets: NEVER,
	};
}

export const addWebsite = changeOfWebsite('add');

export const removeWebsite = changeOfWebsite('remove');
