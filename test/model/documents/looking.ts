import { same } from '../outputs';
import type { Promised } from '../promised';
import { first } from '../promised';
import type { Case } from './case';

/** What is promised of Get Many Files and Get Status. */
export const ofLooking: Array<Promised<Case>> = [
	{
		title: 'a list holds every file that fits, each once, newest first; a shorter one is an error',
		contradiction: ({ asked, before, run }) =>
			first(asked, ({ index, wanted, reported }) => {
				if (wanted.kind !== 'getMany' || reported.standing !== 'applied') return undefined;
				const isTold = reported.outputs.length > 0 || run.error === undefined;
				// The items of a run that stopped are not to be seen.
				if (!isTold) return undefined;
				const { limit, statuses, types } = wanted;
				const fitting = before.records.filter(
					({ status, type }) =>
						(statuses.length === 0 || statuses.includes(status)) &&
						(types.length === 0 || types.includes(type)),
				);
				const listed = fitting.slice(0, limit);
				const { outputs } = reported;
				if (outputs.length !== listed.length) {
					return `item ${index} lists ${outputs.length} files, ${listed.length} fit`;
				}
				return first(listed, (record, at) =>
					same(record, outputs[at])
						? undefined
						: `in place ${at} of item ${index} is ${JSON.stringify(outputs[at])}`,
				);
			}),
	},
	{
		title: 'the status of each file asked for is the one that CometChat has, in the order asked',
		contradiction: ({ asked, before, run }) =>
			first(asked, ({ index, wanted, reported }) => {
				if (wanted.kind !== 'getStatus' || reported.standing !== 'applied') return undefined;
				const isTold = reported.outputs.length > 0 || run.error === undefined;
				if (!isTold) return undefined;
				const told = wanted.ids.map((uniqueId) => {
					const record = before.records.find((one) => one.uniqueId === uniqueId);
					const status = record?.status ?? 'notFound';
					return { uniqueId, status, isReady: status === 'indexed' || status === 'inSync' };
				});
				return same(told, reported.outputs)
					? undefined
					: `item ${index} is told ${JSON.stringify(reported.outputs)}`;
			}),
	},
];
