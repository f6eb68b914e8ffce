import type { Exchange } from '../exchanges';
import { meaningOf } from '../facts';
import type { Lists } from '../outputs';
import { readLists, same } from '../outputs';
import type { Promised } from '../promised';
import { first } from '../promised';
import type { Asked, Case } from './case';
import { isDone } from './case';
import type { Wanted } from './scenario';

type Deletion = Extract<Wanted, { kind: 'delete' }>;

interface Deleting extends Asked {
	wanted: Deletion;
	/** Those that no other item asks for, and that were there. */
	ownIds: string[];
}

/** What is promised of Delete Files. */
export const ofDeleting: Array<Promised<Case>> = [
	{
		title: 'the lists of an item hold each of its files once, and fit what is said of it',
		contradiction: (given) =>
			first(deleting(given), ({ index, wanted, reported }) => {
				const [output] = reported.outputs;
				if (reported.standing === 'applied') {
					const { ids } = wanted;
					const alreadyGone = ids.filter((id) => wasGone(deletionsOf(id, wanted, given)));
					const takesGone = given.scenario.options.ifGone === 'deleted';
					const more = takesGone ? { alreadyGone } : {};
					if (alreadyGone.length > 0 && !takesGone) return `${alreadyGone.join()} was never there`;
					return output === undefined || same(output, { deleted: true, uniqueIds: ids, ...more })
						? undefined
						: `the output of item ${index} is ${JSON.stringify(output)}`;
				}
				const lists = listsOf(reported, wanted);
				if (lists === undefined) return undefined;
				const { applied, notApplied, unknown } = lists;
				const listed = [...applied, ...notApplied, ...unknown];
				if ([...listed].sort().join() !== [...wanted.ids].sort().join()) {
					return `item ${index} asks for ${wanted.ids.join()}, and lists ${listed.join()}`;
				}
				const otherwise = unknown.length > 0 ? 'unknown' : 'not applied';
				const standing = applied.length > 0 ? 'partly applied' : otherwise;
				return reported.standing === standing || reported.standing === 'not sent'
					? undefined
					: `item ${index} is '${reported.standing}' with ${JSON.stringify(lists)}`;
			}),
	},
	{
		title: 'a file that is said to be deleted is gone, from every agent too, and no other is',
		contradiction: (given) =>
			first(deleting(given), ({ index, wanted, reported, requests, ownIds }) => {
				const lists = listsOf(reported, wanted);
				if (lists === undefined) return undefined;
				const left = given.after.records.map(({ uniqueId }) => uniqueId);
				const here = lists.applied.find((id) => left.includes(id));
				if (here) return `${here} of item ${index} is still there`;
				const gone = lists.notApplied.find((id) => ownIds.includes(id) && !left.includes(id));
				if (gone) return `${gone} of item ${index} is gone`;
				if (given.stoppedAtMs !== undefined) return undefined;
				const known = lists.unknown.find(
					(id) =>
						!given.exchanges.some(
							(one) => one.ids.includes(id) && meaningOf(one).includes('uncertain'),
						),
				);
				if (known) return `nobody needs to wonder about ${known} of item ${index}`;
				const silent = requests.find(
					(one) => meaningOf(one) === 'done' && !one.ids.every((id) => lists.applied.includes(id)),
				);
				return silent && `${silent.ids.join()} was confirmed, and is not said to be deleted`;
			}),
	},
	{
		title: 'items that ask for the same file are told the same of it, and how often it was sent',
		holdsFor: ({ scenario, stoppedAtMs }) =>
			scenario.onError !== 'stopWorkflow' && stoppedAtMs === undefined,
		contradiction: (given) => {
			const told = new Map<string, string>();
			return first(deleting(given), ({ index, wanted, reported }) => {
				const { ids, sourceKind } = wanted;
				const { attempts } = reported;
				const counts = ids.map((id) => deletionsOf(id, wanted, given).length);
				if (attempts !== undefined && attempts !== Math.max(...counts)) {
					return `item ${index} is said to have been sent ${attempts} times: ${counts.join()}`;
				}
				const lists = listsOf(reported, wanted);
				if (lists === undefined) return undefined;
				return first(Object.entries(lists), ([name, listed]) =>
					first(listed, (id) => {
						const key = `${sourceKind} ${id}`;
						const before = told.get(key) ?? name;
						told.set(key, name);
						return before === name ? undefined : `${id} is ${before}, and ${name} in item ${index}`;
					}),
				);
			});
		},
	},
	{
		title: 'only files that an item asks for are deleted, as the kind that it says',
		contradiction: (given) =>
			first(given.exchanges, ({ arrival, ids }) => {
				const kind = KIND_OF.get(arrival.operation ?? '');
				if (kind === undefined || given.scenario.operation !== 'delete') return undefined;
				const isAsked = deleting(given).some(
					({ wanted }) => wanted.sourceKind === kind && ids.every((id) => wanted.ids.includes(id)),
				);
				return isAsked ? undefined : `${ids.join()} is deleted as ${kind}`;
			}),
	},
	{
		title: 'what is said not to be sent is not deleted',
		contradiction: (given) =>
			first(deleting(given), ({ index, wanted, reported, requests }) => {
				if (reported.standing !== 'not sent' && reported.standing !== 'not applied')
					return undefined;
				const done = wanted.ids.find((id) =>
					[...KIND_OF.keys()].some((operation) => isDone(requests, operation, id)),
				);
				return done && `${done} of item ${index} was deleted`;
			}),
	},
];

const KIND_OF = new Map([
	['deleteUpload', 'uploads'],
	['deleteText', 'text'],
	['deleteWebsite', 'website'],
]);

/** The requests to delete a file as what an item says it is, whichever item they are for. */
function deletionsOf(id: string, { sourceKind }: Deletion, { exchanges }: Case): Exchange[] {
	return exchanges.filter(
		({ arrival: { operation = '' }, ids }) =>
			KIND_OF.get(operation) === sourceKind && ids.includes(id),
	);
}

/** Whether the service said that it has no such file, with nothing before that may have deleted it. */
export function wasGone(sent: Exchange[]): boolean {
	const { end, cause } = sent.at(-1) ?? {};
	const isClear = sent.every((one) => !meaningOf(one).includes('uncertain'));
	// A status that a misbehaviour made up is no word about the file (see `possible`).
	const isMadeUp = cause !== undefined && 'given' in cause && cause.given.kind === 'status';
	return end?.status === 404 && !isMadeUp && isClear;
}

function deleting({ asked, before }: Case): Deleting[] {
	const there = before.records.map(({ uniqueId }) => uniqueId);
	return asked.flatMap((one) => {
		const { wanted } = one;
		if (wanted.kind !== 'delete') return [];
		const others = asked.filter(({ index }) => index !== one.index);
		const ownIds = wanted.ids.filter(
			(id) =>
				there.includes(id) &&
				!others.some((other) => 'ids' in other.wanted && other.wanted.ids.includes(id)),
		);
		return [{ ...one, wanted, ownIds }];
	});
}

/** Undefined where nothing is said of each file. */
function listsOf({ standing, error }: Asked['reported'], { ids }: Deletion): Lists | undefined {
	const none: Lists = { applied: [], notApplied: [], unknown: [] };
	if (standing === 'applied') return { ...none, applied: ids };
	if (standing === 'not sent') return { ...none, notApplied: ids };
	const lists = readLists(error?.files);
	if (typeof lists === 'object') return lists;
	if (standing === 'not applied') return { ...none, notApplied: ids };
	return standing === 'unknown' && ids.length === 1 ? { ...none, unknown: ids } : undefined;
}
