import fc from 'fast-check';

import { namesOf } from '../attribution';
import { INDEXING_EVENTS, UPLOAD_EVENTS } from '../coverage';
import { canBeBrought, isCountExact, ofArriving, ofContent } from '../expectations/content';
import { ofIndexing } from '../expectations/indexing';
import type { Item, Operation, Wanted } from '../operation';
import { FEW_RECORDS, MOST_ITEMS } from '../records';
import {
	AFTERWARDS,
	afterwards,
	content,
	itemOf,
	maxIndexingMinutes,
	pacing,
	unusable,
} from '../scenario';

const PLAIN = { waits: false, adds: false, agent: 'unused', fields: 'file_*' };

const ENDS = ['txt', 'pdf', 'md'];

const draft = itemOf(
	[
		unusable({ ...PLAIN, fields: 'missing, file_0' }, { 'a.txt': 9 }),
		unusable(PLAIN, { 'a.txt': 0 }),
		unusable(PLAIN, { 'a.txt': 9, 'b.exe': 9 }),
		unusable({ ...PLAIN, adds: true, agent: '../x' }, { 'a.txt': 9 }),
	],
	fc.record({
		contents: fc.array(content, { minLength: 1, maxLength: 3 }),
		afterwards,
		/** Whether all of them have the same name. */
		areTwins: fc.nat(5).map((drawn) => drawn === 5),
	}),
	({ contents, afterwards: then, areTwins }, index): Item<Wanted> => {
		const files = contents.map((one, at) => ({
			...one,
			fileName: areTwins ? `${index}-0.txt` : `${index}-${at}.${ENDS[at]}`,
		}));
		return {
			json: { fields: 'file_*', ...then.json },
			files: Object.fromEntries(files.map((one, at) => [`file_${at}`, one])),
			wanted: { files, sourceType: 'uploads', ...then.wanted },
		};
	},
);

export const upload: Operation = {
	name: 'upload',
	runs: 250,
	parameters: {
		resource: 'document',
		operation: 'upload',
		binaryPropertyName: '={{ $json.fields }}',
		...AFTERWARDS,
	},
	records: FEW_RECORDS,
	requests: ['initiate', 'upload', 'poll', 'add', 'deleteUpload', 'records', 'agent'],
	sharedRequests: ['poll', 'records', 'agent'],
	looks: ['records', 'agent'],
	draft,
	mostItems: MOST_ITEMS,
	options: fc.record({ ...pacing, maxIndexingMinutes }),
	// An item of which one file can't be read goes to its end: the agent gets the others.
	isSentAfterFailure: (one, { asked }) =>
		one.arrival.operation === 'add' &&
		asked.some(
			({ wanted, requests }) => requests.includes(one) && one.ids.length < namesOf(wanted).length,
		),
	isCountExact,
	canBeDone: canBeBrought,
	promises: [...ofContent, ...ofArriving, ...ofIndexing],
	meets: {
		...UPLOAD_EVENTS,
		...INDEXING_EVENTS,
		'upload addresses in another order': ({ exchanges }) =>
			exchanges.some(({ arrival, cause }) => {
				const isReordered = cause && 'given' in cause && cause.given.kind === 'reordered';
				return isReordered && (arrival.fileNames ?? []).length > 1;
			}),
	},
	neverMeets: ['skipped'],
};
