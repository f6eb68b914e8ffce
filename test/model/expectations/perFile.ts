import type { Exchange } from '../exchanges';
import { meaningOf } from '../exchanges';
import type { Asked, Case, Promised, Wanted } from '../operation';
import type { Lists } from '../report';
import { listsOf } from '../report';
import { each } from './sending';

/** What is promised of operations that do the same to each of a list of files, and tell of each. */
export const ofEachFile: Array<Promised<Case>> = [
	{
		title: 'the lists of an item hold each of its files once, and fit what is said of it',
		contradiction: each(
			listing,
			({ index, ids, reported, lists: { applied, notApplied, unknown } }) => {
				if (reported.error?.files === undefined) return undefined;
				const listed = [...applied, ...notApplied, ...unknown];
				if ([...listed].sort().join() !== [...ids].sort().join()) {
					return `item ${index} asks for ${ids.join()}, and lists ${listed.join()}`;
				}
				const otherwise = unknown.length > 0 ? 'unknown' : 'not applied';
				const outcome = applied.length > 0 ? 'partly applied' : otherwise;
				const isFitting = applied.length < ids.length && reported.outcome === outcome;
				return isFitting || reported.outcome === 'not sent'
					? undefined
					: `item ${index} is '${reported.outcome}' with ${JSON.stringify(reported.error.files)}`;
			},
		),
	},
	{
		title: 'what is reported as done is done, also in the end',
		contradiction: each(listing, ({ index, wanted, lists }, given) => {
			const wrong = lists.applied.find((id) => !given.operation.perFile?.isSo(id, wanted, given));
			return wrong && `${wrong} of item ${index} is reported as done, and is not`;
		}),
	},
	{
		title: 'what CometChat confirmed is reported as done',
		contradiction: each(listing, (one, given) => {
			const { index, ownIds, lists, reported } = one;
			const silent = ownIds.find(
				(id) =>
					!lists.applied.includes(id) &&
					requestsFor(id, one, given).some(
						(sent) =>
							meaningOf(sent) === 'done' && (sent.end?.atMs ?? 0) < (given.stoppedAtMs ?? Infinity),
					),
			);
			return silent && `${silent} of item ${index} was confirmed, and is '${reported.outcome}'`;
		}),
	},
	{
		title: 'what is reported as not applied was not applied',
		contradiction: each(listing, (one, given) => {
			const { index, ownIds, lists } = one;
			const wrong = lists.notApplied.find(
				(id) => ownIds.includes(id) && requestsFor(id, one, given).some(({ applied }) => applied),
			);
			return wrong && `${wrong} of item ${index} was in an applied request`;
		}),
	},
	{
		title: 'of each file, only what nobody can know is reported as unknown',
		holdsFor: ({ stoppedAtMs }) => stoppedAtMs === undefined,
		contradiction: each(listing, (one, given) => {
			const { index, reported, lists } = one;
			const { unknown } = lists;
			const known = unknown.filter(
				(id) => !requestsFor(id, one, given).some((sent) => meaningOf(sent).includes('uncertain')),
			);
			// Without lists, one such file makes the whole item unknown.
			const isKnown = reported.error?.files
				? known.length > 0
				: known.length === unknown.length && unknown.length > 0;
			return isKnown ? `${known.join()} of item ${index} had clear answers only` : undefined;
		}),
	},
];

/** An item of which it is told what became of each of its IDs. */
interface Listing extends Asked<Wanted> {
	ids: string[];
	lists: Lists;
}

function listing({ asked }: Case): Listing[] {
	return asked.flatMap((one) => {
		const { ids = [] } = one.wanted;
		const lists = listsOf(one.reported, ids);
		return lists === undefined ? [] : [{ ...one, ids, lists }];
	});
}

/** All requests that ask for this for an ID, whichever item they are for. */
export function requestsFor(id: string, { wanted }: Asked<Wanted>, given: Case): Exchange[] {
	return given.exchanges.filter(
		(one) => one.ids.includes(id) && given.operation.perFile?.concerns(one, wanted),
	);
}
