import type { IDataObject } from 'n8n-workflow';

import { attachedTo, broughtBy, isDone, isUncertain, nameIn, namesOf } from '../attribution';
import { arrived } from '../environment';
import type { Exchange } from '../exchanges';
import { meaningOf, notBeforeMs } from '../exchanges';
import type { Asked, Case, FileDraft, Promised, Wanted } from '../operation';
import type { Reported } from '../report';
import { isRecord, isTexts, same } from '../report';
import { wantedOf } from '../scenario';
import { hasExpired } from './items';
import { askedItems, each, first } from './sending';

const READY = ['indexed', 'inSync'];

/** What the node says of the content that an item brings. */
interface Told {
	/** What has arrived. */
	there: Array<{ uniqueId: string; fileName: string; status?: string }>;
	/** What may be there without its bytes. */
	unfinished: Array<{ uniqueId: string; fileName: string }>;
	isAttached: boolean | 'unknown' | 'partly';
}

/** What is promised of all that bring files and texts into the service. */
export const ofContent: Array<Promised<Case>> = [
	{
		title: 'a run that stops names what its other items have brought, and only that',
		holdsFor: ({ scenario, run, stoppedAtMs }) =>
			scenario.items.length > 1 && run.error !== undefined && stoppedAtMs === undefined,
		contradiction: (given) => {
			const { message = '', description } = given.run.error ?? {};
			const cause = Number(/\[item (\d+)\]/.exec(message)?.[1]);
			const [brought = ''] = (description ?? '').split('In CometChat without content');
			const said = [...brought.matchAll(/\(ID ([^,)]+), item (\d+)\)/g)];
			const named = new Map(said.map(([, id = '', item]) => [id, Number(item)]));
			return first(given.asked, (one) => {
				const { index, wanted } = one;
				const ids = broughtBy(one, given);
				const there = ids.filter(
					(id) => wanted.title !== undefined || given.lastSeen.get(id)?.stored,
				);
				const [stray] = [...named].find(([id, at]) => at === index && !there.includes(id)) ?? [];
				if (stray !== undefined) return `${stray} of item ${index} is not there`;
				if (index === cause) return undefined;
				const lost = ids.find((id) => isConfirmed(one, id) && named.get(id) !== index);
				return lost && `${lost} of item ${index} is not named`;
			});
		},
	},
	{
		title: 'no bytes lie under the ID of another file',
		contradiction: ({ lastSeen, asked }) => {
			const files = asked.flatMap(({ wanted }) => wanted.files ?? []);
			return first(lastSeen.values(), ({ record: { uniqueId, sourceName }, stored }) => {
				const own = files.filter(({ fileName }) => fileName === sourceName);
				const isForeign = stored && !own.some((file) => same(stored, arrived(file)));
				return isForeign ? `under ${uniqueId} lies not all of ${sourceName}` : undefined;
			});
		},
	},
	{
		title:
			'entries without content that a run has made are gone, or tried to delete and named, unless the user stops it',
		holdsFor: ({ stoppedAtMs, operation }) =>
			stoppedAtMs === undefined && operation.requests.includes('upload'),
		contradiction: (given) => {
			// Taking away waits for 10 s at most.
			const isHeld = given.exchanges.some(
				(one) => one.end?.status === 429 || notBeforeMs(one, given) !== undefined,
			);
			// It may have been there before, under the ID that the service has given to the entry.
			const isUntold =
				given.scenario.variant.recordsNext !== undefined ||
				given.exchanges.some(
					(one) => one.arrival.operation === 'records' && !meaningOf(one).startsWith('done'),
				);
			return first(given.asked, (one) => {
				const { index, requests, reported } = one;
				const listed = given.after.records.map(({ uniqueId }) => uniqueId);
				const left = broughtBy(one, given).filter(
					(id) => listed.includes(id) && given.stored(id) === undefined,
				);
				// Of an entry whose announcement was not answered, nobody has the ID.
				const initiated = requests.filter(({ arrival }) => arrival.operation === 'initiate');
				const isTold = initiated.every((sent) => meaningOf(sent) === 'done');
				return first(isTold ? left : [], (id) => {
					const isTried = requests.some(
						(sent) => sent.arrival.operation === 'deleteUpload' && sent.ids.includes(id),
					);
					if (!isTried && !isHeld && !isUntold)
						return `nobody tried to take away ${id} of item ${index}`;
					// Not in every case by its own item: the message of a run that stops is about another.
					const json = reported.outputs[0] ?? reported.error;
					const said = `${JSON.stringify(json)} ${given.run.error?.description}`;
					return said.includes(id) ? undefined : `${id} of item ${index} is named nowhere`;
				});
			});
		},
	},
	{
		title: 'the address of an upload stands nowhere in what n8n stores',
		contradiction: ({ run, exchanges }) => {
			const { error, stored, hints } = run;
			const said = JSON.stringify([stored, error?.message, error?.description, hints]);
			const secrets = exchanges
				.filter(({ arrival }) => arrival.host === 'uploads')
				.map(({ arrival }) => /Signature=(\w+)/.exec(arrival.path)?.[1] ?? arrival.path);
			const isThere = [...secrets, 'X-Amz', '/astray/'].some((secret) => said.includes(secret));
			const hex = said.replace(OF_N8N, '').match(/[0-9a-f]{40,}/g) ?? [];
			// A signature, or a large part of one, also of an address that was never used.
			const isSigned = hex.some((part) => /\d/.test(part) && /[a-f]/.test(part));
			return isThere || isSigned ? 'it is there' : undefined;
		},
	},
];

/** What is promised of Document: Upload and Text: Create. */
export const ofArriving: Array<Promised<Case>> = [
	{
		title: 'what is said of files and texts has the documented form',
		contradiction: each(askedItems, ({ index, wanted, reported }) => {
			const json = reported.outputs[0] ?? reported.error;
			if (json === undefined || reported.outcome === 'not sent') return undefined;
			const told = toldOf(reported, wanted);
			if (typeof told === 'string') return `item ${index}: ${told}`;
			const [output] = reported.outputs;
			return told === undefined || output === undefined || same(output, outputOf(told, wanted))
				? undefined
				: `the output of item ${index} is ${JSON.stringify(output)}`;
		}),
	},
	{
		title:
			'a file that is said to be uploaded is there with exactly its bytes, a text exactly once',
		contradiction: each(telling, ({ index, wanted, told }, given) => {
			const ids = told.there.map(({ uniqueId }) => uniqueId);
			if (new Set(ids).size !== ids.length) return `item ${index} names an ID twice`;
			return first(told.there, ({ uniqueId, fileName }, at) => {
				if (nameIn(given, uniqueId) !== fileName) {
					return `item ${index} calls ${nameIn(given, uniqueId)} ${fileName}`;
				}
				const file = wanted.files?.[at];
				return file === undefined || isWhole(file, uniqueId, given)
					? undefined
					: `of ${fileName} of item ${index} there is ${JSON.stringify(given.stored(uniqueId))}`;
			});
		}),
	},
	{
		title:
			'no text is there twice, and the bytes of no file at two places, unless one could not be taken away, or it was too late for that',
		contradiction: each(askedItems, (one, given) => {
			const ids = broughtBy(one, given);
			const isText = one.wanted.title !== undefined;
			const told = toldOf(one.reported, one.wanted);
			// After the stop button nothing is sent, and taking away waits for 10 s at most: it is only named.
			const isHeld =
				given.stoppedAtMs !== undefined || given.exchanges.some(({ end }) => end?.status === 429);
			const named = isHeld && typeof told === 'object' ? idsOf(told.unfinished) : [];
			const isLeft = (id: string) => wasToGo(one.requests, id) || named.includes(id);
			const there = ids.filter((id) => isText || (given.stored(id) !== undefined && !isLeft(id)));
			return there.length <= namesOf(one.wanted).length
				? undefined
				: `item ${one.index} has brought ${there.join()}`;
		}),
	},
	{
		title: 'what is said to be indexed is, and what is said to be unreadable is',
		contradiction: each(telling, ({ index, told }, given) =>
			first(told.there, ({ uniqueId, status }) => {
				const is = given.after.records.find((record) => record.uniqueId === uniqueId)?.status;
				const isSo = status === undefined || !isFinal(status) || status === is;
				return isSo ? undefined : `${uniqueId} of item ${index} is ${is}, and said to be ${status}`;
			}),
		),
	},
	{
		title: 'an item that is done is indexed if it asked for that, and added if it asked for that',
		contradiction: each(telling, ({ index, wanted, told, reported }) => {
			if (reported.outcome !== 'applied') return undefined;
			const open = told.there.find(({ status = '' }) => wanted.waits && !READY.includes(status));
			if (open) return `${open.uniqueId} of item ${index} is ${open.status}`;
			return told.isAttached === (wanted.uid !== undefined)
				? undefined
				: `item ${index} is said to be ${told.isAttached ? '' : 'not '}added`;
		}),
	},
	{
		title: 'of several files, those that can be read are added though another cannot be',
		holdsFor: ({ scenario, stoppedAtMs }) =>
			scenario.misbehaviours.length === 0 &&
			scenario.rateLimit === undefined &&
			scenario.onError !== 'stopWorkflow' &&
			stoppedAtMs === undefined,
		contradiction: each(telling, ({ index, wanted, told }) => {
			const isSplit = told.there.some(({ status }) => status === 'failed');
			if (!isSplit || wanted.uid === undefined || wanted.uid === 'nobody') return undefined;
			return !wanted.waits || readableOf(told).length === 0 || told.isAttached === 'partly'
				? undefined
				: `of item ${index} it is said to be ${told.isAttached}`;
		}),
	},
	{
		title: 'what is said to be added to the agent is, and what is said not to be is not',
		contradiction: each(telling, ({ index, wanted, told, reported, requests }, given) => {
			const { uid } = wanted;
			if (uid === undefined) return undefined;
			const attached = attachedTo(wanted, given.after);
			const ids = told.there.map(({ uniqueId }) => uniqueId);
			if (told.isAttached === true) {
				const lacking = ids.find((id) => !attached.includes(id));
				return lacking && `${lacking} of item ${index} is not at ${uid}`;
			}
			const readable = told.isAttached === 'partly' ? readableOf(told) : [];
			const missing = readable.find((id) => !attached.includes(id));
			if (missing) return `${missing} of item ${index} can be read and is not at ${uid}`;
			const there = ids.find((id) => attached.includes(id) && !readable.includes(id));
			const isOpen = told.isAttached === 'unknown';
			if (isOpen && !isUncertain(requests, 'add')) return `nobody needs to wonder about ${index}`;
			const isSaid = reported.description?.includes('not known whether the agent has it');
			if (isOpen !== isSaid) return `item ${index} says otherwise in words than in fields`;
			return isOpen ? undefined : there && `${there} of item ${index} is at ${uid}`;
		}),
	},
	{
		title: 'what is said not to be uploaded or written is not',
		contradiction: each(askedItems, (one, given) => {
			const { index, wanted, reported, requests } = one;
			const told = toldOf(reported, wanted);
			const said = typeof told === 'object' ? told.there.map(({ uniqueId }) => uniqueId) : [];
			// Bytes whose answer was lost, at an address that was no longer good for the next attempt.
			const left = hasExpired(requests) && typeof told === 'object' ? idsOf(told.unfinished) : [];
			const isText = wanted.title !== undefined;
			const stray = broughtBy(one, given).find(
				(id) =>
					!said.includes(id) && (isText || (given.stored(id) !== undefined && !left.includes(id))),
			);
			const { outcome, description = '' } = reported;
			const isAccount = reported.error === undefined && reported.outputs.length === 0;
			// The account of a run that stopped has no names: 'in part' may be any of them.
			if (isAccount && ['partly applied', 'failed', 'applied'].includes(outcome)) return undefined;
			const isOpen = isText
				? outcome === 'unknown'
				: outcome === 'unknown' || description.includes('as far as is known');
			const mayBe = (isText ? ['createText'] : ['initiate', 'upload']).some((operation) =>
				isUncertain(requests, operation),
			);
			if (isOpen && !mayBe && given.stoppedAtMs === undefined) {
				return `nobody needs to wonder about item ${index}`;
			}
			return isOpen ? undefined : stray && `${stray} of item ${index} is there`;
		}),
	},
	{
		title: 'what CometChat confirmed of files and texts is reported',
		contradiction: each(telling, ({ index, told, requests, reported }, given) =>
			first(requests, (one) => {
				const { operation = '' } = one.arrival;
				if (meaningOf(one) !== 'done') return undefined;
				if ((one.end?.atMs ?? 0) >= (given.stoppedAtMs ?? Infinity)) return undefined;
				const ids = told.there.map(({ uniqueId }) => uniqueId);
				const isSaid =
					operation === 'upload'
						? one.ids.every((id) => ids.includes(id))
						: operation === 'add'
							? told.isAttached === true || told.isAttached === 'partly'
							: operation === 'createText'
								? ids.length === 1
								: true;
				return isSaid ? undefined : `${operation} for item ${index} is '${reported.outcome}'`;
			}),
		),
	},
	{
		title: 'what is named as left without content is a real entry, named in the message, too',
		contradiction: each(telling, ({ index, wanted, told, reported, requests }, given) => {
			const isListed = given.scenario.variant.recorded !== 'fromBytes';
			const made = told.unfinished.find(
				({ uniqueId, fileName }) => isListed && nameIn(given, uniqueId) !== fileName,
			);
			if (made) return `item ${index} names ${made.uniqueId}, which was never there`;
			const silent = told.unfinished.find(
				({ uniqueId }) => reported.error !== undefined && !reported.description?.includes(uniqueId),
			);
			if (silent) return `the message of item ${index} does not name ${silent.uniqueId}`;
			const count = told.there.length + told.unfinished.length;
			const isExpired = hasExpired(requests);
			return isExpired || count <= namesOf(wanted).length
				? undefined
				: `item ${index} accounts for ${count} files`;
		}),
	},
	{
		title: 'content is added only once it is there, and indexed if the item waits for that',
		contradiction: each(askedItems, (one, given) => {
			const { index, wanted, requests } = one;
			const adds = requests.filter(({ arrival }) => arrival.operation === 'add');
			return first(adds, ({ arrival, ids }) => {
				if (arrival.uid !== wanted.uid) return `item ${index} is added to ${arrival.uid}`;
				if (arrival.sourceType !== wanted.sourceType) return `${index} as ${arrival.sourceType}`;
				const own = broughtBy(one, given);
				const unready = given.after.records.filter(
					({ uniqueId, lastSynced, status }) =>
						own.includes(uniqueId) &&
						!ids.includes(uniqueId) &&
						!(READY.includes(status) && (lastSynced ?? Infinity) <= arrival.atMs),
				);
				const isWhole = ids.length === namesOf(wanted).length;
				if (!isWhole && !(wanted.waits && unready.length > 0)) {
					return `item ${index} adds ${ids.join()}`;
				}
				const early = given.after.records.find(
					({ uniqueId, lastSynced, status }) =>
						ids.includes(uniqueId) &&
						wanted.waits &&
						!(READY.includes(status) && (lastSynced ?? Infinity) <= arrival.atMs),
				);
				if (early) return `${early.uniqueId} of item ${index} is added before it is indexed`;
				const missing = ids.find(
					(id) => wanted.title === undefined && !isDone(requests, 'upload', id),
				);
				return missing && `${missing} of item ${index} is added before it is there`;
			});
		}),
	},
];

/** The items of which the node tells how far they came. */
function telling({ asked }: Case): Array<Asked<Wanted> & { told: Told }> {
	return asked.flatMap((one) => {
		const told = toldOf(one.reported, one.wanted);
		return typeof told === 'object' ? [{ ...one, told }] : [];
	});
}

/** Undefined where nothing is told; the words for what is wrong with it, if anything is. */
function toldOf({ outputs, error, outcome }: Reported, wanted: Wanted): Told | string | undefined {
	const json: Record<string, unknown> | undefined = outputs[0] ?? error;
	if (json === undefined || outcome === 'not sent') return undefined;
	const { addedToAgent } = json;
	const isOpen = addedToAgent === 'unknown' || addedToAgent === 'partly';
	const isAttached = isOpen ? addedToAgent : addedToAgent === true;
	if (wanted.title !== undefined) {
		const { uniqueId, title, indexingStatus } = json;
		// Beside an error, `status` is that of the answer.
		const status = error === undefined ? json.status : indexingStatus;
		if (title !== wanted.title) return `its title is ${String(title)}`;
		if (uniqueId === undefined) return { there: [], unfinished: [], isAttached };
		if (typeof uniqueId !== 'string') return `its ID is ${String(uniqueId)}`;
		const state = typeof status === 'string' ? { status } : {};
		return { there: [{ uniqueId, fileName: wanted.title, ...state }], unfinished: [], isAttached };
	}
	const there = recordsIn(json, 'uploads');
	const unfinished = 'unfinished' in json ? recordsIn(json, 'unfinished') : [];
	if (there === undefined || unfinished === undefined) return `it is ${JSON.stringify(json)}`;
	const ids = there.map(({ uniqueId }) => uniqueId);
	if (textsIn(json, 'uniqueIds')?.join() !== ids.join()) return 'uniqueIds and uploads differ';
	return { there, unfinished, isAttached };
}

function readableOf({ there }: Told): string[] {
	return there.flatMap(({ uniqueId, status = '' }) => (READY.includes(status) ? [uniqueId] : []));
}

function idsOf(records: Told['unfinished']): string[] {
	return records.map(({ uniqueId }) => uniqueId);
}

function wasToGo(requests: Exchange[], id: string): boolean {
	return requests.some(
		({ arrival, ids }) => arrival.operation === 'deleteUpload' && ids.includes(id),
	);
}

function outputOf({ there, unfinished, isAttached }: Told, wanted: Wanted): object {
	const uid = wanted.uid === undefined ? {} : { uid: wanted.uid };
	const always = { success: true, addedToAgent: isAttached, ...uid };
	const state = ({ status }: { status?: string }) => (status === undefined ? {} : { status });
	if (wanted.title !== undefined) {
		const [text] = there;
		return { ...always, uniqueId: text?.uniqueId, title: wanted.title, ...state(text ?? {}) };
	}
	const uploads = (wanted.files ?? []).map(({ fileName }, at) => {
		const upload = there[at];
		return { uniqueId: upload?.uniqueId, fileName, ...state(upload ?? {}) };
	});
	const left = unfinished.length === 0 ? {} : { unfinished };
	const fileName = uploads.map((upload) => upload.fileName).join(', ');
	const statuses = new Set(there.flatMap(({ status }) => status ?? []));
	const status = statuses.size === 0 ? {} : { status: [...statuses].join(', ') };
	const uniqueIds = uploads.map(({ uniqueId }) => uniqueId);
	return { fileName, ...status, ...always, ...left, uploads, uniqueIds };
}

/** In what was replaced and deleted, as it was before. */
export function isWhole(file: FileDraft, uniqueId: string, given: Case): boolean {
	const was = given.operation.mayTake ? given.lastSeen.get(uniqueId)?.stored : undefined;
	return same(given.stored(uniqueId) ?? was, arrived(file));
}

/** Whether a status will not change any more. */
function isFinal(status: string): boolean {
	return status === 'failed' || READY.includes(status);
}

/** Whether no question is about other items, too: such a question may be sent for any of them. */
export function isCountExact({ wanted }: Asked<Wanted>, given: Case): boolean {
	const own = namesOf(wanted);
	return !given.exchanges.some(
		({ arrival, ids }) =>
			arrival.operation === 'poll' && ids.some((id) => !own.includes(nameIn(given, id))),
	);
}

/** Whether an honest service lets what brings content be done; undefined where that depends on the moment. */
export function canBeBrought(one: Asked<Wanted>, given: Case): boolean | undefined {
	const { uid, waits } = one.wanted;
	const { variant, options } = given.scenario;
	if (uid === 'nobody') return false;
	if (!waits) return uid !== undefined && variant.unindexedFiles === 'refuse' ? undefined : true;
	const brought = broughtBy(one, given);
	const own = given.after.records.filter(({ uniqueId }) => brought.includes(uniqueId));
	if (own.some(({ status }) => status === 'failed')) return false;
	const files = wantedOf(given.scenario).flatMap(namesOf);
	const indexingMs = (variant.indexingMs ?? 20) * files.length;
	const isSlow = indexingMs > (options.maxIndexingMinutes ?? 10) * 60_000 - 2000;
	return isSlow ? undefined : true;
}

/** Whether the node was told that this file or text has arrived. */
function isConfirmed({ wanted, requests }: Asked<Wanted>, id: string): boolean {
	return requests.some((one) => {
		const { operation } = one.arrival;
		const brings =
			wanted.title !== undefined
				? operation === 'createText'
				: operation === 'upload' && one.ids.includes(id);
		return brings && meaningOf(one) === 'done';
	});
}

/** What n8n stores with each execution, and looks the same. */
const OF_N8N = /resumeToken\W+\w+/;

/** A list of texts in what the node says; undefined if it is none. */
export function textsIn(json: Record<string, unknown>, name: string): string[] | undefined {
	const { [name]: value } = json;
	return isTexts(value) ? value : undefined;
}

/** A list of records in what the node says; undefined if it is none. */
export function recordsIn(
	json: Record<string, unknown> | IDataObject,
	name: string,
): Array<{ uniqueId: string; fileName: string; status?: string }> | undefined {
	const { [name]: value } = json;
	if (!Array.isArray(value)) return undefined;
	const found = value.flatMap((entry: unknown) => {
		if (!isRecord(entry)) return [];
		const { uniqueId, fileName, status, ...rest } = entry;
		if (typeof uniqueId !== 'string' || typeof fileName !== 'string') return [];
		if (status !== undefined && typeof status !== 'string') return [];
		return Object.keys(rest).length === 0 ? [{ uniqueId, fileName, status }] : [];
	});
	return found.length === value.length ? found : undefined;
}
