import fc from 'fast-check';

import type { AgentLists, RecordSeed } from '../../service/service';
import { attachedTo, broughtBy, isDone, isTakingAway, isUncertain, nameIn } from '../attribution';
import { INDEXING_EVENTS, UPLOAD_EVENTS } from '../coverage';
import { oneIn } from '../drafting';
import type { Exchange } from '../exchanges';
import { isRepeated, meaningOf } from '../exchanges';
import { canBeBrought, isWhole, ofContent, recordsIn, textsIn } from '../expectations/content';
import { ofIndexing } from '../expectations/indexing';
import { hasExpired } from '../expectations/items';
import { each, endsAll, first, namesTooLong } from '../expectations/sending';
import type {
	Asked,
	Case,
	FileDraft,
	Held,
	Item,
	Operation,
	Options,
	Played,
	Promised,
	Wanted,
} from '../operation';
import { KNOWN_AGENTS, MOST_ITEMS, seed } from '../records';
import { same } from '../report';
import {
	agent,
	content,
	itemOf,
	maxIndexingMinutes,
	pacing,
	unusable,
	wantedOf,
} from '../scenario';
import { nameOf } from '../serviceBehaviour';

interface Replacement extends Wanted {
	uid: string;
	files: [FileDraft];
	/** What to find the old version by. */
	old: { id: string } | { name: string };
	/** Whether all of the name are replaced. */
	takesAll: boolean;
	addIfNotFound: boolean;
	deleteOld: 'ifUnused' | 'always' | 'never';
}

type Given = Case<Replacement>;

type PlayedHere = Played<Replacement>;

/** The old version that the item at this place replaces, and no other. */
function oldVersion(index: number): { uniqueId: string; sourceName: string } {
	return { uniqueId: `old-${index}`, sourceName: `document-${index}.pdf` };
}

/** A name that two uploads have, one on each page of the list. */
const TWINS = 'twin.pdf';

/** A name that only a text has. */
const TEXT_NAME = 'text.pdf';

/** One page of the list and a little more. */
const OLD_VERSIONS: RecordSeed[] = [
	{ sourceName: TWINS, uniqueId: 'twin-0' },
	...Array.from({ length: MOST_ITEMS }, (_, index) => oldVersion(index)),
	{ sourceName: TEXT_NAME, uniqueId: 'text-0', type: 'text-details' },
	// Of the same name, and no upload.
	{ ...oldVersion(0), uniqueId: 'text-1', type: 'text-details' },
	...Array.from({ length: 96 }, (_, place) => seed(`filler-${place}`, 'uploads', place)),
	oldVersion(MOST_ITEMS),
	{ sourceName: TWINS, uniqueId: 'twin-1' },
];

const PLAIN = {
	fields: 'file_0',
	agent: 'guide',
	by: 'id',
	oldName: '',
	oldId: 'old-0',
	ifNotFound: 'fail',
	deletes: 'ifUnused',
};

/** What stands for the old version of a replacement. */
const OLD_BY_ID: Record<string, (at: number) => string> = {
	own: (at) => oldVersion(at).uniqueId,
	twin: () => 'twin-0',
	text: () => 'text-0',
	nowhere: () => 'nowhere-0',
};

const OLD_BY_NAME: Record<string, (at: number) => string> = {
	own: (at) => oldVersion(at).sourceName,
	twins: () => TWINS,
	none: (at) => `nothing-${at}.pdf`,
	text: () => TEXT_NAME,
	/** What another item uploads. */
	new: nameOf,
	/** The name that the new file has. */
	same: () => '',
};

const oldVersions = fc.oneof(
	fc
		.constantFrom('own', 'own', 'own', 'own', 'twin', 'text', 'nowhere')
		.map((kind) => ({ by: 'id' as const, kind })),
	fc
		.constantFrom('own', 'own', 'own', 'same', 'same', 'twins', 'new', 'new', 'none', 'text')
		.map((kind) => ({ by: 'fileName' as const, kind })),
	fc
		.constantFrom('twins', 'twins', 'own', 'same', 'new', 'none')
		.map((kind) => ({ by: 'allNamed' as const, kind })),
);

const draft = itemOf(
	[
		unusable({ ...PLAIN, fields: 'file_*' }, { 'a.txt': 9, 'b.txt': 9 }),
		unusable({ ...PLAIN, oldId: 'a/b' }, { 'a.txt': 9 }),
		unusable({ ...PLAIN, fields: 'missing, file_0' }, { 'a.txt': 9 }),
		unusable({ ...PLAIN, deletes: true }, { 'a.txt': 9 }),
	],
	fc.record({
		uid: agent,
		content,
		oldVersion: oldVersions,
		/** Whether it replaces what the first item replaces, if that is not one of a kind of its own. */
		isFirst: fc.nat(3).map((drawn) => drawn === 3),
		addIfNotFound: fc.boolean(),
		deleteOld: fc.constantFrom<Replacement['deleteOld']>('ifUnused', 'ifUnused', 'always', 'never'),
	}),
	(
		{ uid, content: given, oldVersion: { by, kind }, isFirst, addIfNotFound, deleteOld },
		index,
	): Item<Replacement> => {
		const at = isFirst ? 0 : index;
		const isSame = by !== 'id' && kind === 'same';
		const fileName = isSame ? oldVersion(index).sourceName : nameOf(index);
		const file = { ...given, fileName };
		const oldId = by === 'id' ? (OLD_BY_ID[kind]?.(at) ?? '') : 'unused';
		const oldName = by === 'id' ? '' : (OLD_BY_NAME[kind]?.(at) ?? '');
		const old = by === 'id' ? { id: oldId } : { name: oldName || fileName };
		return {
			json: {
				fields: 'file_0',
				agent: uid,
				by,
				oldName,
				oldId,
				ifNotFound: addIfNotFound ? 'add' : 'fail',
				deletes: deleteOld,
			},
			files: { file_0: file },
			wanted: {
				uid,
				sourceType: 'uploads',
				files: [file],
				waits: true,
				old,
				takesAll: by === 'allNamed',
				addIfNotFound,
				deleteOld,
			},
		};
	},
);

/** Which agents have the old versions before the run, of twins the newer, unless all are to be replaced. */
function heldBy(items: Array<Item<Replacement>>, isHeld: boolean, alsoHeldBy?: string): Held[] {
	const held = new Map<string, string[]>();
	for (const { uid, old, takesAll } of wantedOf({ items })) {
		const found = OLD_VERSIONS.filter(
			({ uniqueId, sourceName, type = 'uploads' }) =>
				type === 'uploads' && ('id' in old ? uniqueId === old.id : sourceName === old.name),
		).flatMap(({ uniqueId }) => uniqueId ?? []);
		const uids = [...(isHeld ? [uid] : []), ...(alsoHeldBy === undefined ? [] : [alsoHeldBy])];
		const ids = takesAll ? found : found.slice(0, 1);
		for (const one of uids.filter((name) => ids.length > 0 && name !== 'nobody')) {
			held.set(one, [...(held.get(one) ?? []), ...ids]);
		}
	}
	return [...held].map(([uid, ids]) => ({ uid, sourceType: 'uploads', ids }));
}

/** The way of a replacement, and the request that takes each step. */
const STEPS: Array<{ step: string; operation?: string }> = [
	{ step: 'uploaded', operation: 'upload' },
	{ step: 'indexed' },
	{ step: 'added', operation: 'add' },
	{ step: 'removed', operation: 'remove' },
	{ step: 'deleted', operation: 'deleteUpload' },
];

interface Replacing extends Asked<Replacement> {
	/** The requests that take the old version away and delete it. */
	taking: Exchange[];
	deleting: Exchange[];
}

/** How far the node says that a replacement came. */
interface Told extends Replacing {
	reached: string[];
	/** The old versions, as it says. */
	oldIds: string[];
	newId?: string;
	unknown?: string;
	/** The requests that delete an old version, those of other items that replace it among them. */
	deletingOld: Exchange[];
}

/** What is to be found as the old version, or as all of them. */
type Found = { ids: string[] } | 'none' | 'refused';

/** What is promised of Replace File. */
const promises: Array<Promised<Given>> = [
	{
		title: 'at no moment does an agent stand without the document: it has the old or the new one',
		contradiction: each(losses, ({ uid, id, now }, given) => {
			const takers = given.exchanges.filter(
				({ arrival, ids }) =>
					arrival.operation === 'remove' && arrival.uid === uid && ids.includes(id),
			);
			// Others may ask for it again, who were not told.
			const taker = takers.find(({ applied }) => applied);
			const removers = replacing(given).filter(({ taking }) =>
				taking.some((one) => (taker ? one === taker : takers.includes(one))),
			);
			// Whoever deletes for good takes it from every agent, as asked.
			const isDeleted = replacing(given).some(
				({ wanted, taking }) =>
					wanted.uid !== uid &&
					wanted.deleteOld === 'always' &&
					taking.some(({ ids }) => ids.includes(id)),
			);
			if (isDeleted) return undefined;
			const bare = removers.find((one) => !broughtBy(one, given).some((own) => now.includes(own)));
			return bare && `item ${bare.index} leaves ${uid} without ${id}, and with ${now.join()}`;
		}),
	},
	{
		title: 'no agent loses a document to the replacement of another, unless that always deletes',
		contradiction: each(losses, ({ uid, id }, given) => {
			const all = replacing(given);
			const isOwn = all.some(
				({ wanted, taking }) => wanted.uid === uid && taking.some(({ ids }) => ids.includes(id)),
			);
			const isAsked = all.some(
				({ wanted, deleting, taking }) =>
					wanted.deleteOld === 'always' &&
					[...deleting, ...taking].some(({ ids }) => ids.includes(id)),
			);
			// An entry without content that was taken away can't have been attached.
			return isOwn || isAsked ? undefined : `${uid} has lost ${id}`;
		}),
	},
	{
		title: 'a replacement that reports success leaves exactly one version with the agent',
		contradiction: (given) => {
			const done = telling(given).filter(({ reported }) => reported.outcome === 'applied');
			return first(done, (one) => {
				const { index, wanted } = one;
				const { group } = relatedTo(index, given);
				const others = replacing(given).filter((other) => other.index !== index);
				const related = others.filter((other) => group.includes(other.index));
				// What another item began, and nobody knows how it ended.
				const isTouched = related.some(
					({ reported, requests }) => reported.outcome !== 'applied' && requests.length > 0,
				);
				const versions = versionsOf(one, done);
				const isDeletedByOthers = others.some(
					(other) =>
						!group.includes(other.index) &&
						other.deleting.some(({ ids }) => ids.some((id) => versions.includes(id))),
				);
				if (isTouched || isDeletedByOthers) return undefined;
				const attached = attachedTo(wanted, given.after);
				const left = versions.filter((id) => attached.includes(id));
				return left.length === 1
					? undefined
					: `of ${versions.join()} of item ${index}, ${wanted.uid} has ${left.join()}`;
			});
		},
	},
	{
		title: 'the old version is taken away only once the agent has the new one, indexed and whole',
		contradiction: (given) =>
			first(
				given.exchanges.filter(({ arrival }) => arrival.operation === 'remove'),
				({ arrival, ids }) => {
					const { uid = '', atMs } = arrival;
					const owner = replacing(given).find(({ taking }) =>
						taking.some(({ arrival: { request } }) => request === arrival.request),
					);
					if (owner === undefined) return `${ids.join()} is taken from ${uid} for no item`;
					const { index, wanted, requests } = owner;
					const others = owner.taking.filter((other) => other.ids.join() !== ids.join());
					const isAsked = others.length === 0 || wanted.takesAll;
					if (ids.length !== 1 || !isAsked) return `item ${index} takes away several`;
					const isThere = broughtBy(owner, given).some(
						(id) =>
							isWhole(wanted.files[0], id, given) &&
							isIndexedBefore(id, atMs, given) &&
							isBefore(requests, 'add', atMs, id),
					);
					return isThere ? undefined : `item ${index} takes ${ids.join()} away too early`;
				},
			),
	},
	{
		title: 'an old version is deleted only where that is asked for, and after it was taken away',
		contradiction: each(deletions, ({ arrival, ids }, given) => {
			const takers = replacing(given).filter(({ taking }) =>
				isBefore(taking, 'remove', arrival.atMs, ids.join()),
			);
			if (takers.length === 0) return `${ids.join()} is deleted too early`;
			return takers.some(({ wanted }) => wanted.deleteOld !== 'never')
				? undefined
				: `${ids.join()} is deleted unasked`;
		}),
	},
	{
		title:
			'what only goes if no other agent has it stays where the lists do not tell, or tell of another',
		contradiction: each(deletions, ({ ids }, given) => {
			const takers = replacing(given).filter(({ taking }) =>
				taking.some((other) => other.ids.join() === ids.join()),
			);
			if (takers.some(({ wanted }) => wanted.deleteOld === 'always')) return undefined;
			const { agentLists = 'uniqueIds', agentListsOf = {} } = given.scenario.variant;
			// Of who has nothing, most lists show nothing, whatever they would show.
			const isOdd = Object.entries(agentListsOf).some(
				([uid, shape]) =>
					['null', 'missing', 'websitesNull'].includes(shape) ||
					given.before.attached.get(`${uid}/uploads`)?.length,
			);
			if (isOdd || UNTOLD.includes(agentLists)) {
				return `${ids.join()} is deleted by lists that do not tell`;
			}
			const uids = takers.map(({ wanted }) => wanted.uid);
			const other = [...given.after.attached].find(
				([place, held]) =>
					!uids.some((uid) => place.startsWith(`${uid}/`)) && held.includes(ids[0] ?? ''),
			);
			return other && `${ids.join()} is deleted, and ${other[0]} has it`;
		}),
	},
	{
		title:
			'the old version is the one upload of its name that the agent has, all of them if that is asked for, or the one with its ID, by now; where there is none, or not exactly one, nothing is uploaded unless a new file is welcome',
		contradiction: each(replacing, (one, given) => {
			const { index, requests, taking, reported, wanted } = one;
			const found = oldVersionOf(one, given);
			if (found === undefined) return undefined;
			const sent = requests.map(({ arrival }) => arrival.operation).join();
			if (found === 'refused') {
				if (requests.length > 0) return `item ${index} has sent ${sent}`;
				return reported.outcome === 'applied' ? `item ${index} is done` : undefined;
			}
			const wantedIds = found === 'none' ? [] : found.ids;
			const other = taking.find(({ ids }) => !wantedIds.includes(ids.join()));
			if (other)
				return `item ${index} takes ${other.ids.join()} away instead of ${wantedIds.join()}`;
			const json = reported.outputs[0] ?? reported.error;
			if (requests.length === 0 || json === undefined) return undefined;
			const told = oldIdsIn(json);
			return same([...told].sort(), [...wantedIds].sort()) && 'oldIds' in json === wanted.takesAll
				? undefined
				: `item ${index} calls ${told.join()} the old version instead of ${wantedIds.join()}`;
		}),
	},
	{
		title: 'what is said of a replacement has the documented form',
		contradiction: each(replacing, ({ index, wanted, reported }) => {
			const [output] = reported.outputs;
			if (output === undefined) return undefined;
			const { newId, oldId, oldIds, notDeleted, unfinished, ...rest } = output;
			const {
				uid,
				files: [file],
				deleteOld,
			} = wanted;
			const isNew = oldId === undefined;
			const mayStay = !isNew && deleteOld === 'ifUnused';
			const stays = deleteOld === 'never' || (mayStay && typeof notDeleted === 'string');
			const steps = STEPS.map(({ step }) => step);
			const reached = steps.slice(0, isNew ? 3 : stays ? 4 : 5);
			return typeof newId === 'string' &&
				(unfinished === undefined || recordsIn(output, 'unfinished') !== undefined) &&
				(notDeleted === undefined || (mayStay && typeof notDeleted === 'string')) &&
				(oldIds === undefined || textsIn(output, 'oldIds')?.[0] === oldId) &&
				same(rest, { success: true, uid, fileName: file.fileName, reached })
				? undefined
				: `the output of item ${index} is ${JSON.stringify(output)}`;
		}),
	},
	{
		title: 'the reason why an old version was kept is true',
		contradiction: each(telling, ({ index, reported, oldIds, wanted, exchanges }, given) => {
			const json = reported.outputs[0] ?? reported.error ?? {};
			const why = typeof json.notDeleted === 'string' ? json.notDeleted : '';
			const named = /^Other agents have the old version: (.*)$/.exec(why)?.[1];
			const holders = [...given.before.attached, ...given.after.attached].flatMap(
				([place, held]) => (oldIds.some((id) => held.includes(id)) ? [place.split('/')[0]] : []),
			);
			const stray = named
				?.split(', ')
				// What an agent's name repeats of the key is not shown.
				.map((name) => name.replaceAll('"', '').replace(/ \[API Key\]$/, ''))
				.find((name) => name === wanted.uid || !isHolder(name, holders, given, oldIds));
			if (stray !== undefined) return `item ${index} says that ${stray} has ${oldIds.join()}`;
			const isUnread = why.endsWith('the list of agents could not be read');
			const isRead = exchanges.every(
				(one) => one.arrival.operation !== 'list' || meaningOf(one) === 'done',
			);
			const isHeld = given.exchanges.some((sent) => endsAll(sent, given));
			return isUnread && isRead && !isHeld && given.stoppedAtMs === undefined
				? `item ${index} says that the list could not be read`
				: undefined;
		}),
	},
	{
		title: 'what is said to be reached is, and nothing beyond it but what nobody can know',
		contradiction: each(telling, (one, given) => {
			const { index, wanted, reached, newId, oldIds, reported } = one;
			const order = STEPS.map(({ step }) => step).slice(0, reached.length);
			if (reached.join() !== order.join()) return `item ${index} has reached ${reached.join()}`;
			return first(STEPS, ({ step, operation }, at) => {
				const sent = requestsOf(one, operation);
				const isNew = step === 'uploaded' || step === 'added';
				const ids = isNew ? [newId ?? ''] : oldIds;
				const is =
					step === 'indexed'
						? isIndexedBefore(newId, Infinity, given)
						: step === 'uploaded'
							? newId !== undefined && isWhole(wanted.files[0], newId, given)
							: operation !== undefined && isEachDone(sent, operation, ids);
				if (reached.includes(step)) {
					// What several items delete, one of them has deleted.
					const isGone = step === 'deleted' && !ids.some((id) => isListed(id, given));
					return is || isGone ? undefined : `item ${index} has not ${step}, and says so`;
				}
				if (!is || operation === undefined || isUncertain(sent, operation)) return undefined;
				// The run was over before the answer was there.
				if (given.stoppedAtMs !== undefined) return undefined;
				return at >= reached.length
					? `item ${index} is ${step}, and '${reported.outcome}' after ${reached.join()}`
					: undefined;
			});
		}),
	},
	{
		title: 'the step of which nobody can know is named, and no other',
		contradiction: each(telling, (one, given) => {
			const { index, reached, unknown, reported, requests } = one;
			if (reported.error === undefined) return undefined;
			if (unknown !== undefined) {
				const known = STEPS.find(({ step }) => step === unknown);
				const { operation } = known ?? {};
				const sent = unknown === 'deleted' ? one.deletingOld : requestsOf(one, operation);
				const isOpen = operation !== undefined && isUncertain(sent, operation);
				return isOpen && !reached.includes(unknown)
					? undefined
					: `nobody needs to wonder whether item ${index} is ${unknown}`;
			}
			return first(STEPS, ({ step, operation }) => {
				const sent = openOnes(requestsOf(one, operation));
				// What was taken away again is known not to be there.
				if (step === 'uploaded' && !requests.some((request) => isLeft(request, given))) {
					return undefined;
				}
				// Bytes whose answer was lost, at an address that was no longer good, are named as an entry.
				const isNamed = reported.description?.includes('CometChat may show');
				if (step === 'uploaded' && isNamed && hasExpired(requests)) return undefined;
				const isOpen = sent.some((request) => meaningOf(request) === 'uncertain');
				return isOpen && !reached.includes(step)
					? `nobody knows whether item ${index} is ${step}, and it does not say so`
					: undefined;
			});
		}),
	},
	{
		title:
			'once added a replacement goes to its end, unless the user stops it or a 429 ends the run',
		holdsFor: ({ stoppedAtMs }) => stoppedAtMs === undefined,
		contradiction: (given) => {
			if (given.exchanges.some((one) => endsAll(one, given))) return undefined;
			return first(replacing(given), (one) => {
				const { index, requests, taking, deleting, wanted } = one;
				const isAdded = requests.some(
					(sent) => sent.arrival.operation === 'add' && meaningOf(sent) === 'done',
				);
				const found = oldVersionOf(one, given, true);
				if (!isAdded || typeof found !== 'object') return undefined;
				if (taking.length === 0) return `item ${index} stops between adding and removing`;
				const allowed = given.scenario.options.maxAttempts ?? 5;
				const isCutShort = [taking, deleting].some((sent) => {
					const last = sent.at(-1);
					const isOpen = last !== undefined && isRepeated(last) && !namesTooLong(last, given);
					return (
						isOpen && sent.filter(({ ids }) => ids.join() === last.ids.join()).length < allowed
					);
				});
				if (isCutShort) return `item ${index} has attempts left, and does not use them`;
				const isAnswered = (id: string) =>
					taking.some((sent) => sent.ids.join() === id && meaningOf(sent) === 'done');
				const isTaken = found.ids.every(isAnswered);
				const isDeletion = deletions(given).some(({ ids }) => found.ids.includes(ids.join()));
				return isTaken && wanted.deleteOld === 'always' && deleting.length === 0 && !isDeletion
					? `item ${index} stops between removing and deleting`
					: undefined;
			});
		},
	},
	{
		title: 'a replacement that is said not to be applied has left nothing but an entry',
		contradiction: each(replacing, (one, given) => {
			const { index, reported, requests } = one;
			const isOpen = reported.outcome === 'unknown';
			const isUnclear = ['upload', 'initiate'].some((operation) =>
				isUncertain(requests, operation),
			);
			if (isOpen && !isUnclear && given.stoppedAtMs === undefined) {
				return `nobody needs to wonder about item ${index}`;
			}
			if (reported.outcome !== 'not applied' && reported.outcome !== 'not sent') {
				return undefined;
			}
			const stored = broughtBy(one, given).find((id) => given.stored(id) !== undefined);
			return stored && `${stored} of item ${index} is there`;
		}),
	},
	{
		title: 'a replacement names the new version by its real ID',
		contradiction: each(telling, (one, given) => {
			const { index, newId } = one;
			const isListed = given.scenario.variant.recorded !== 'fromBytes';
			return newId === undefined || !isListed || broughtBy(one, given).includes(newId)
				? undefined
				: `item ${index} calls ${newId} the new version`;
		}),
	},
	{
		title: 'the message of a replacement that broke off says what the agent has and what is there',
		contradiction: each(telling, (one, given) => {
			const { index, wanted, oldIds, newId = '', reported, requests, taking } = one;
			const { deletingOld } = one;
			const { description = '' } = reported;
			// Another item may have replaced it meanwhile, or deleted it.
			const isShared = replacing(given).some(
				(other) =>
					other.index !== index &&
					[...other.taking, ...other.deleting].some(({ ids }) =>
						ids.some((id) => oldIds.includes(id) || id === newId),
					),
			);
			if (isShared) return undefined;
			const attached = attachedTo(wanted, given.after);
			const before = given.before.attached.get(`${wanted.uid}/uploads`);
			const wasThere = oldIds.some((id) => before?.includes(id));
			const isThere = oldIds.some((id) => attached.includes(id));
			const claims: Array<[RegExp, boolean]> = [
				[/was not taken from the agent/, !wasThere || isThere],
				[/The new one was not uploaded/, given.stored(newId) === undefined],
				[/not known whether the new one was uploaded/, isUncertain(requests, 'upload')],
				[/was not added to the agent/, !attached.includes(newId)],
				[/may have been added to the agent/, isUncertain(requests, 'add')],
				[/The agent has the new version/, attached.includes(newId)],
				[/still has the old one/, !wasThere || isThere],
				[/may still have the old one/, isUncertain(taking, 'remove')],
				[/no longer the old one/, !isThere],
				[/is still in CometChat/, oldIds.some((id) => isListed(id, given))],
				[/may still be in CometChat/, isUncertain(deletingOld, 'deleteUpload')],
			];
			return first(claims, ([words, isSo]) =>
				words.test(description) && !isSo
					? `item ${index} says '${words.source}', which is not so`
					: undefined,
			);
		}),
	},
	{
		title: 'what CometChat confirmed of a replacement is reported',
		contradiction: each(telling, (told, given) =>
			first(STEPS, ({ step, operation }) => {
				const sent = requestsOf(told, operation);
				const isOld = step === 'removed' || step === 'deleted';
				// Of several, one may have been refused, or kept.
				if (isOld && !isEachDone(sent, operation ?? '', told.oldIds)) return undefined;
				return first(sent, (one) => {
					if (meaningOf(one) !== 'done') return undefined;
					if ((one.end?.atMs ?? 0) >= (given.stoppedAtMs ?? Infinity)) return undefined;
					return told.reached.includes(step)
						? undefined
						: `${operation} of item ${told.index} was confirmed, and it has reached ${told.reached.join()}`;
				});
			}),
		),
	},
];

export const replace: Operation<Replacement> = {
	name: 'replace',
	runs: 600,
	parameters: {
		resource: 'knowledgeBase',
		operation: 'replace',
		uid: { __rl: true, mode: 'id', value: '={{ $json.agent }}' },
		binaryPropertyName: '={{ $json.fields }}',
		oldVersionBy: '={{ $json.by }}',
		oldFileName: '={{ $json.oldName }}',
		ifNotFound: '={{ $json.ifNotFound }}',
		oldFile: { __rl: true, mode: 'id', value: '={{ $json.oldId }}' },
		deleteOldVersion: '={{ $json.deletes }}',
	},
	records: OLD_VERSIONS,
	requests: [
		'records',
		'list',
		'agent',
		'initiate',
		'upload',
		'poll',
		'add',
		'remove',
		'deleteUpload',
	],
	sharedRequests: ['records', 'poll'],
	draft,
	mostItems: MOST_ITEMS,
	options: fc.record<Options>({ ...pacing, maxIndexingMinutes }),
	heldBefore: fc
		.record({
			isHeld: fc.nat(4).map((drawn) => drawn !== 4),
			alsoHeldBy: oneIn(3, fc.constantFrom(...KNOWN_AGENTS)),
		})
		.map(({ isHeld, alsoHeldBy }) => ({ of: (items) => heldBy(items, isHeld, alsoHeldBy) })),
	mayTake: (wanted, { id, name }, place) => {
		const { old, deleteOld, uid } = wanted;
		if ('id' in old ? old.id !== id : old.name !== name) return false;
		if (place === 'service') return deleteOld !== 'never';
		return deleteOld === 'always' || place === `${uid}/uploads`;
	},
	ownersOf,
	// Replacements are brought to their end; before an entry is taken away, the list of records is read on.
	isSentAfterFailure: ({ arrival: { operation = '', request } }, { exchanges }) => {
		const isAfter = (earlier: string) =>
			exchanges.some(
				(sent) =>
					sent.arrival.operation === earlier &&
					sent.arrival.request < request &&
					meaningOf(sent).startsWith('done'),
			);
		if (operation === 'records') return isAfter('initiate');
		return isAfter('add') && ['remove', 'list', 'deleteUpload'].includes(operation);
	},
	canBeDone: (one, given) => {
		if (given.scenario.variant.recordsNext !== undefined) return undefined;
		const found = oldVersionOf(one, given);
		if (found === 'refused') return false;
		return found && canBeBrought(one, given);
	},
	promises: [...ofContent, ...promises, ...ofIndexing],
	meets: {
		...UPLOAD_EVENTS,
		...INDEXING_EVENTS,
		'an old version deleted': (_, reported) =>
			reported.some(({ outputs: [output] }) => output && reachedIn(output).includes('deleted')),
		'an old version kept for another agent': ({ run }) =>
			run.stored.includes('Other agents have the old version'),
		'an old version kept because the lists do not tell': ({ run }) =>
			run.stored.includes("CometChat's list of agents does not show"),
		'a document replaced twice in a run': (_, reported) => {
			const outputs = reported.flatMap((one) => one.outputs);
			return outputs.some(({ oldId }) => oldId && outputs.some(({ newId }) => newId === oldId));
		},
		'several of a name replaced': (_, reported) =>
			reported.some(
				({ outputs: [output] }) =>
					output && oldIdsIn(output).length > 1 && reachedIn(output).includes('deleted'),
			),
		'an agent asked for by itself': ({ exchanges }) =>
			exchanges.some(({ arrival }) => arrival.operation === 'agent'),
		'a step that nobody can know of': (_, reported) =>
			reported.some(({ error }) => typeof error?.unknown === 'string'),
		'brought to its end although another item failed': ({ run, exchanges }, reported) =>
			run.error !== undefined &&
			reported.some(({ outcome }) => outcome === 'not applied') &&
			exchanges.some(({ arrival }) => arrival.operation === 'remove'),
	},
	neverMeets: ['skipped'],
};

function replacing(given: Given): Replacing[] {
	return given.asked.map((one) => {
		const { requests } = one;
		const taking = requests.filter(({ arrival }) => arrival.operation === 'remove');
		const deleting = requests.filter(
			(sent) => sent.arrival.operation === 'deleteUpload' && !isTakingAway(sent, given),
		);
		return { ...one, taking, deleting };
	});
}

/** The items of which the node tells how far they came. */
function telling(given: Given): Array<Told & Pick<Given, 'exchanges'>> {
	return replacing(given).flatMap((one) => {
		const json: Record<string, unknown> | undefined = one.reported.outputs[0] ?? one.reported.error;
		if (json === undefined) return [];
		const { newId, unknown } = json;
		const reached = reachedIn(json);
		const oldIds = oldIdsIn(json);
		return [
			{
				...one,
				exchanges: given.exchanges,
				reached,
				oldIds,
				deletingOld: deletions(given).filter(({ ids }) => oldIds.includes(ids.join())),
				...(typeof newId === 'string' ? { newId } : {}),
				...(typeof unknown === 'string' ? { unknown } : {}),
			},
		];
	});
}

function reachedIn(json: Record<string, unknown>): string[] {
	return textsIn(json, 'reached') ?? [];
}

/** The old versions that an output names. */
function oldIdsIn(json: Record<string, unknown>): string[] {
	const { oldId } = json;
	return textsIn(json, 'oldIds') ?? (typeof oldId === 'string' ? [oldId] : []);
}

/** Whether something was done with all of them, and there is one. */
function isEachDone(sent: Exchange[], operation: string, ids: string[]): boolean {
	return ids.length > 0 && ids.every((id) => isDone(sent, operation, id));
}

/** The requests after which it is not known of their files that they are done. */
function openOnes(sent: Exchange[]): Exchange[] {
	const done = new Set(sent.flatMap((one) => (meaningOf(one) === 'done' ? [one.ids.join()] : [])));
	return sent.filter(({ ids }) => !done.has(ids.join()));
}

/** The requests of an item that take a step. */
function requestsOf({ requests, taking, deleting }: Replacing, operation = 'none'): Exchange[] {
	if (operation === 'remove') return taking;
	if (operation === 'deleteUpload') return deleting;
	return requests.filter(({ arrival }) => arrival.operation === operation);
}

/** The requests that delete an old version. */
function deletions(given: Given): Exchange[] {
	return given.exchanges.filter(
		(one) => one.arrival.operation === 'deleteUpload' && !isTakingAway(one, given),
	);
}

/** What was no longer with an agent at some moment, and what was then. */
function losses({ moments }: Given): Array<{ uid: string; id: string; now: string[] }> {
	return moments.slice(1).flatMap((attached, before) =>
		[...(moments[before] ?? [])].flatMap(([place, held]) => {
			const now = attached.get(place) ?? [];
			const [uid = ''] = place.split('/');
			return held.filter((id) => !now.includes(id)).map((id) => ({ uid, id, now }));
		}),
	);
}

/** All versions of a document that items have replaced one after another for an agent. */
function versionsOf(one: Told, done: Told[]): string[] {
	const versions = new Set([...one.oldIds, one.newId]);
	const own = done.filter(({ wanted }) => wanted.uid === one.wanted.uid);
	for (let before = 0; before < versions.size;) {
		before = versions.size;
		for (const { oldIds, newId } of own) {
			const all = [...oldIds, newId];
			if (oldIds.length === 0 || !all.some((id) => versions.has(id))) continue;
			for (const id of all) versions.add(id);
		}
	}
	return [...versions].filter((id) => id !== undefined);
}

/**
 * The old version that is to be found.
 *
 * @param isLenient Whether an item of which it is only known that it has one counts as having it.
 * @returns Undefined where it depends on the moment, or on what nobody can know.
 */
function oldVersionOf(one: Asked<Replacement>, given: Given, isLenient = false): Found | undefined {
	const { index, wanted, reported } = one;
	const { uid, old, addIfNotFound, takesAll } = wanted;
	if (uid === 'nobody') return 'refused';
	const { group, about } = relatedTo(index, given);
	const all = replacing(given);
	const isMixed = all.some(
		(other) =>
			!group.includes(other.index) &&
			[...relatedTo(other.index, given).about].some((name) => about.has(name)),
	);
	const earlier = all.filter((other) => group.includes(other.index) && other.index < index);
	const outputs = earlier.map((other) => ({ ...other, output: other.reported.outputs[0] }));
	const isClear = outputs.every(
		({ output, requests }) =>
			(output === undefined && requests.length === 0) ||
			// Of several, nobody says which are deleted.
			(output !== undefined &&
				(oldIdsIn(output).length < 2 || reachedIn(output).includes('deleted'))),
	);
	if (isMixed || !isClear) {
		const ids = oldIdsIn(reported.outputs[0] ?? reported.error ?? {});
		return isLenient && ids.length > 0 ? { ids } : undefined;
	}
	const held = new Set(attachedTo(wanted, given.before));
	const records = new Map(given.before.records.map((record) => [record.uniqueId, record]));
	const names = new Map(
		given.before.records.flatMap(({ uniqueId, sourceName, type }): Array<[string, string]> =>
			type === 'uploads' ? [[uniqueId, sourceName]] : [],
		),
	);
	const replaced = new Map<string, string>();
	const made = new Set(outputs.map(({ output }) => String(output?.newId)));
	for (const { output, wanted: before } of outputs) {
		if (output === undefined) continue;
		const newId = String(output.newId);
		names.set(newId, before.files[0].fileName);
		if (before.uid === uid) held.add(newId);
		for (const oldId of oldIdsIn(output)) {
			if (reachedIn(output).includes('deleted')) {
				names.delete(oldId);
				records.delete(oldId);
				held.delete(oldId);
			}
			if (before.uid !== uid) continue;
			held.delete(oldId);
			replaced.set(oldId, newId);
		}
	}
	// Beside lists that tell, an empty one is believed, whatever the agent has.
	if (isAnyEmptyAmongOthers(given)) return undefined;
	const isTold = areListsTold(given);
	if ('id' in old) {
		let { id } = old;
		for (let next = replaced.get(id); next !== undefined; next = replaced.get(id)) id = next;
		if (!names.has(id)) return 'refused';
		if (held.has(id)) return { ids: [id] };
		return isTold === undefined ? undefined : isTold ? 'refused' : { ids: [id] };
	}
	const named = [...names].flatMap(([id, name]) => (name === old.name ? [id] : []));
	const count = (ids: string[]): Found => {
		if (ids.length > 1 && !takesAll) return 'refused';
		if (ids.length > 0) return { ids };
		return addIfNotFound ? 'none' : 'refused';
	};
	const told = count(named.filter((id) => held.has(id)));
	// By what this run did itself.
	const mayHave = (id: string) => held.has(id) || !(replaced.has(id) || made.has(id));
	const untold = takesAll ? 'refused' : count(named.filter(mayHave));
	if (isTold === undefined) return same(told, untold) ? told : undefined;
	return isTold ? told : untold;
}

/** Lists that do not tell which documents an agent has, or not all. */
const UNTOLD: AgentLists[] = ['empty', 'otherIds', 'null', 'missing', 'objects', 'websitesNull'];

/** Whether the agents' lists name any record; undefined where that depends on the moment. */
function areListsTold({ scenario, before }: Given): boolean | undefined {
	const { agentLists = 'uniqueIds', agentListsOf, hiddenAgents } = scenario.variant;
	// It depends on the agent, and on what the others' lists prove.
	if (agentListsOf !== undefined || hiddenAgents !== undefined) return undefined;
	if (UNTOLD.includes(agentLists)) return false;
	const isAnything = [...before.attached.values()].some((ids) => ids.length > 0);
	if (scenario.items.length === 1) return isAnything;
	return isAnything && agentLists === 'uniqueIds' ? true : undefined;
}

function isAnyEmptyAmongOthers({ scenario }: Given): boolean {
	const { agentLists, agentListsOf } = scenario.variant;
	return (
		agentListsOf !== undefined && [agentLists, ...Object.values(agentListsOf)].includes('empty')
	);
}

/** Whether an agent has had a document at any time that a list may show. */
function isHolder(
	name: string,
	holders: Array<string | undefined>,
	{ moments }: Given,
	ids: string[],
): boolean {
	return (
		holders.includes(name) ||
		moments.some((attached) => attached.get(`${name}/uploads`)?.some((id) => ids.includes(id)))
	);
}

/** Whether a request is the last that could take away an entry, and did not surely. */
function isLeft(one: Exchange, given: Given): boolean {
	return isTakingAway(one, given) && meaningOf(one) === 'uncertain' && !isGone(one);
}

function isGone({ end }: Exchange): boolean {
	return end?.kind === 'answered' && end.status === 404;
}

function isListed(id: string | undefined, { after }: Given): boolean {
	return after.records.some(({ uniqueId }) => uniqueId === id);
}

/** Whether a request for this ID was carried out in time. */
function isBefore(requests: Exchange[], operation: string, atMs: number, id: string): boolean {
	const early = requests.filter(({ arrival }) => arrival.atMs < atMs);
	return isDone(early, operation, id);
}

function isIndexedBefore(id = '', atMs: number, { lastSeen }: Given): boolean {
	const { record } = lastSeen.get(id) ?? {};
	const isReady = record?.status === 'indexed' || record?.status === 'inSync';
	return isReady && (record.lastSynced ?? Infinity) <= atMs;
}

/** The names that a replacement is about. */
function namesAbout({ files: [file], old }: Replacement, played: PlayedHere): string[] {
	return [file.fileName, 'id' in old ? nameIn(played, old.id) || old.id : old.name];
}

/** The replacements that may be about the same documents as this one: their places, and the names. */
function relatedTo(index: number, played: PlayedHere): { group: number[]; about: Set<string> } {
	const { items } = played.scenario;
	const group = new Set([index]);
	const about = new Set<string>();
	const start = items[index]?.wanted;
	const agent = typeof start === 'object' ? start.uid.toLowerCase() : undefined;
	for (let before = -1; before < group.size + about.size;) {
		before = group.size + about.size;
		for (const [place, { wanted }] of items.entries()) {
			if (typeof wanted !== 'object' || wanted.uid.toLowerCase() !== agent) continue;
			const own = namesAbout(wanted, played);
			if (!group.has(place) && !own.some((name) => about.has(name))) continue;
			group.add(place);
			for (const name of own) about.add(name);
		}
		if (before === group.size + about.size) break;
	}
	return { group: [...group].sort((one, other) => one - other), about };
}

/** The item that takes a document from an agent: the last that has given it one of these names. */
function removerOf({ arrival, ids }: Exchange, played: PlayedHere): number[] {
	const name = nameIn(played, ids[0] ?? '');
	const adders = played.exchanges.flatMap((one) => {
		const { operation, uid, request } = one.arrival;
		const isBefore = operation === 'add' && uid === arrival.uid && request < arrival.request;
		return isBefore ? uploaderOf(nameIn(played, one.ids[0] ?? ''), played) : [];
	});
	const remover = adders.findLast((adder) => relatedTo(adder, played).about.has(name));
	return remover === undefined ? [] : [remover];
}

function uploaderOf(name: string, { scenario }: PlayedHere): number[] {
	return scenario.items.flatMap(({ wanted }, index) =>
		typeof wanted === 'object' && wanted.files[0].fileName === name ? [index] : [],
	);
}

/** The items that alone can have caused a request that is not about their own file. */
function ownersOf(one: Exchange, played: PlayedHere): number[] | undefined {
	const { operation } = one.arrival;
	if (operation === 'remove') return removerOf(one, played);
	if (operation !== 'deleteUpload' || isTakingAway(one, played)) return undefined;
	const removals = played.exchanges.filter(
		(other) => other.arrival.operation === 'remove' && other.ids.join() === one.ids.join(),
	);
	const owners = new Set(removals.flatMap((removal) => removerOf(removal, played)));
	return owners.size === 1 ? [...owners] : [];
}
