import type { Exchange } from '../exchanges';
import { meaningOf } from '../facts';
import { same } from '../outputs';
import type { Promised } from '../promised';
import { first } from '../promised';
import { isWhole } from './arriving';
import type { Asked, Case } from './case';
import { attachedTo, broughtBy, isDone, isUncertain, textsIn } from './case';
import type { Replacement } from './scenario';

/** The way of a replacement, and the request that takes each step. */
const STEPS: Array<{ step: string; operation?: string }> = [
	{ step: 'uploaded', operation: 'upload' },
	{ step: 'indexed' },
	{ step: 'added', operation: 'add' },
	{ step: 'removed', operation: 'remove' },
	{ step: 'deleted', operation: 'deleteUpload' },
];

interface Replacing extends Asked {
	wanted: Replacement;
	/** Undefined if the item has none. */
	oldId?: string;
}

/** How far the node says that a replacement came. */
interface Told extends Replacing {
	reached: string[];
	newId?: string;
}

/** What is promised of Replace File. */
export const ofReplacing: Array<Promised<Case>> = [
	{
		title: 'at no moment does an agent stand without the document: it has the old or the new one',
		contradiction: (given) =>
			first(replacing(given), (one) => {
				const { index, wanted, oldId } = one;
				const place = `${wanted.uid}/uploads`;
				if (oldId === undefined || !given.before.attached.get(place)?.includes(oldId)) {
					return undefined;
				}
				const versions = [oldId, ...broughtBy(one, given)];
				const without = given.moments.findIndex(
					(attached) => !attached.get(place)?.some((id) => versions.includes(id)),
				);
				return without < 0 ? undefined : `item ${index} leaves ${wanted.uid} without (${without})`;
			}),
	},
	{
		title: 'the old version is taken away only once the agent has the new one, indexed and whole',
		contradiction: (given) =>
			first(replacing(given), (one) => {
				const { index, wanted, requests, oldId } = one;
				return first(requests, ({ arrival, ids }) => {
					if (arrival.operation !== 'remove') return undefined;
					if (arrival.uid !== wanted.uid || ids.join() !== oldId) {
						return `item ${index} takes ${ids.join()} from ${arrival.uid}`;
					}
					const attached = attachedTo(wanted.uid, 'uploads', given.after);
					const isThere = broughtBy(one, given).some(
						(id) =>
							isWhole(wanted.file, id, given) &&
							isIndexedBefore(id, arrival.atMs, given) &&
							attached.includes(id) &&
							isBefore(requests, 'add', arrival.atMs, id),
					);
					return isThere ? undefined : `item ${index} takes ${oldId} away too early`;
				});
			}),
	},
	{
		title: 'the old version is deleted only if that is asked for, and after it was taken away',
		contradiction: (given) =>
			first(replacing(given), ({ index, wanted, requests, oldId = '' }) =>
				first(requests, ({ arrival, ids }) => {
					if (arrival.operation !== 'deleteUpload') return undefined;
					if (!wanted.deleteOld) return `item ${index} deletes ${ids.join()} unasked`;
					return ids.join() === oldId && isBefore(requests, 'remove', arrival.atMs, oldId)
						? undefined
						: `item ${index} deletes ${ids.join()} too early`;
				}),
			),
	},
	{
		title:
			'nothing is uploaded where the old version is not exactly one, unless a new file is welcome',
		contradiction: (given) =>
			first(replacing(given), ({ index, wanted, requests }) => {
				const isRefused =
					wanted.old === 'several' || (wanted.old === 'none' && !wanted.addIfNotFound);
				const sent = requests.map(({ arrival }) => arrival.operation).join();
				if (isRefused && requests.length > 0) return `item ${index} has sent ${sent}`;
				const isNew = wanted.old === 'none';
				return isNew && /remove|delete/.test(sent) ? `item ${index} has sent ${sent}` : undefined;
			}),
	},
	{
		title: 'what is said of a replacement has the documented form',
		contradiction: (given) =>
			first(replacing(given), ({ index, wanted, reported, oldId }) => {
				const [output] = reported.outputs;
				if (output === undefined) return undefined;
				const { newId, ...rest } = output;
				const isNew = oldId === undefined;
				const steps = STEPS.map(({ step }) => step);
				const reached = steps.slice(0, isNew ? 3 : wanted.deleteOld ? 5 : 4);
				const { uid, file } = wanted;
				const old = isNew ? {} : { oldId };
				return typeof newId === 'string' &&
					same(rest, { success: true, uid, fileName: file.fileName, ...old, reached })
					? undefined
					: `the output of item ${index} is ${JSON.stringify(output)}`;
			}),
	},
	{
		title: 'what is said to be reached is, and nothing beyond it but what nobody can know',
		contradiction: (given) =>
			first(telling(given), (one) => {
				const { index, wanted, reached, newId, oldId, requests, reported } = one;
				const order = STEPS.map(({ step }) => step).slice(0, reached.length);
				if (reached.join() !== order.join()) return `item ${index} has reached ${reached.join()}`;
				return first(STEPS, ({ step, operation }, at) => {
					const isNew = step === 'uploaded' || step === 'added';
					const id = isNew ? newId : oldId;
					const is =
						step === 'indexed'
							? isIndexedBefore(newId, Infinity, given)
							: step === 'uploaded'
								? newId !== undefined && isWhole(wanted.file, newId, given)
								: id !== undefined && operation !== undefined && isDone(requests, operation, id);
					if (reached.includes(step)) {
						return is ? undefined : `item ${index} has not ${step}, and says so`;
					}
					if (!is || operation === undefined || isUncertain(requests, operation)) return undefined;
					// The run was over before the answer was there.
					if (given.stoppedAtMs !== undefined) return undefined;
					return at >= reached.length
						? `item ${index} is ${step}, and '${reported.standing}' after ${reached.join()}`
						: undefined;
				});
			}),
	},
	{
		title: 'a replacement that is said not to be applied has left nothing but an entry',
		contradiction: (given) =>
			first(replacing(given), (one) => {
				const { index, reported, requests } = one;
				const isOpen = reported.standing === 'unknown';
				if (isOpen && !isUncertain(requests, 'upload') && given.stoppedAtMs === undefined) {
					return `nobody needs to wonder about item ${index}`;
				}
				if (reported.standing !== 'not applied' && reported.standing !== 'not sent') {
					return undefined;
				}
				const stored = broughtBy(one, given).find((id) => given.stored(id) !== undefined);
				return stored && `${stored} of item ${index} is there`;
			}),
	},
	{
		title: 'a replacement names the old and the new version by their real IDs',
		contradiction: (given) =>
			first(telling(given), (one) => {
				const { index, oldId, newId, reported } = one;
				const json = reported.outputs[0] ?? reported.error ?? {};
				if (json.oldId !== undefined && json.oldId !== oldId) {
					return `item ${index} calls ${String(json.oldId)} the old version`;
				}
				const isListed = given.scenario.habits.recorded !== 'fromBytes';
				return newId === undefined || !isListed || broughtBy(one, given).includes(newId)
					? undefined
					: `item ${index} calls ${newId} the new version`;
			}),
	},
	{
		title: 'the message of a replacement that broke off says what the agent has and what is there',
		contradiction: (given) =>
			first(telling(given), (one) => {
				const { index, wanted, oldId, newId = '', reported, requests } = one;
				const { description = '' } = reported;
				const attached = attachedTo(wanted.uid, 'uploads', given.after);
				const wasThere = given.before.attached.get(`${wanted.uid}/uploads`)?.includes(oldId ?? '');
				const isThere = given.after.records.some(({ uniqueId }) => uniqueId === oldId);
				const old = oldId ?? '';
				const claims: Array<[RegExp, boolean]> = [
					[/was not taken from the agent/, !wasThere || attached.includes(old)],
					[/The new one was not uploaded/, given.stored(newId) === undefined],
					[/not known whether the new one was uploaded/, isUncertain(requests, 'upload')],
					[/was not added to the agent/, !attached.includes(newId)],
					[/may have been added to the agent/, isUncertain(requests, 'add')],
					[/The agent has the new version/, attached.includes(newId)],
					[/still has the old one/, !wasThere || attached.includes(old)],
					[/may still have the old one/, isUncertain(requests, 'remove')],
					[/no longer the old one/, !attached.includes(old)],
					[/is still in CometChat/, isThere],
					[/may still be in CometChat/, isUncertain(requests, 'deleteUpload')],
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
		contradiction: (given) =>
			first(telling(given), ({ index, requests, reached }) =>
				first(requests, (one) => {
					if (meaningOf(one) !== 'done') return undefined;
					if ((one.end?.atMs ?? 0) >= (given.stoppedAtMs ?? Infinity)) return undefined;
					const { operation } = one.arrival;
					const step = STEPS.find((known) => known.operation === operation)?.step;
					return step === undefined || reached.includes(step)
						? undefined
						: `${operation} of item ${index} was confirmed, and it has reached ${reached.join()}`;
				}),
			),
	},
];

function replacing({ asked }: Case): Replacing[] {
	return asked.flatMap((one) => {
		const { wanted } = one;
		if (wanted.kind !== 'replace') return [];
		const oldId = typeof wanted.old === 'object' ? wanted.old.id : undefined;
		return [{ ...one, wanted, oldId }];
	});
}

/** The items of which the node tells how far they came. */
function telling(given: Case): Told[] {
	return replacing(given).flatMap((one) => {
		const json: Record<string, unknown> | undefined = one.reported.outputs[0] ?? one.reported.error;
		if (json === undefined) return [];
		const { newId } = json;
		const reached = textsIn(json, 'reached') ?? [];
		return [{ ...one, reached, ...(typeof newId === 'string' ? { newId } : {}) }];
	});
}

/** Whether a request for this ID was carried out in time. */
function isBefore(requests: Exchange[], operation: string, atMs: number, id: string): boolean {
	const early = requests.filter(({ arrival }) => arrival.atMs < atMs);
	return isDone(early, operation, id);
}

function isIndexedBefore(id: string | undefined, atMs: number, { after }: Case): boolean {
	const record = after.records.find(({ uniqueId }) => uniqueId === id);
	const isReady = record?.status === 'indexed' || record?.status === 'inSync';
	return isReady && (record.lastSynced ?? Infinity) <= atMs;
}
