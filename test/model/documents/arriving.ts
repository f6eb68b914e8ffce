import type { Exchange } from '../exchanges';
import { meaningOf } from '../facts';
import { same } from '../outputs';
import type { Promised } from '../promised';
import { first } from '../promised';
import type { Asked, Case } from './case';
import {
	agentOf,
	attachedTo,
	broughtBy,
	filesOf,
	isDone,
	isUncertain,
	namesOf,
	recordsIn,
	sourceTypeOf,
	textsIn,
} from './case';
import { arrived } from './play';
import type { FileDraft, Wanted } from './scenario';

type Bringing = Extract<Wanted, { kind: 'upload' | 'addText' }>;

const READY = ['indexed', 'inSync'];

/** What the node says of the content that an item brings. */
interface Told {
	/** What has arrived. */
	there: Array<{ uniqueId: string; fileName: string; status?: string }>;
	/** What may be there without its bytes. */
	unfinished: Array<{ uniqueId: string; fileName: string }>;
	isAttached: boolean | 'unknown';
}

/** What is promised of Upload Files and Add Text. */
export const ofArriving: Array<Promised<Case>> = [
	{
		title: 'what is said of files and texts has the documented form',
		contradiction: ({ asked }) =>
			first(bringing(asked), ({ index, wanted, reported }) => {
				const json = reported.outputs[0] ?? reported.error;
				if (json === undefined || reported.standing === 'not sent') return undefined;
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
		contradiction: (given) =>
			first(telling(given), ({ index, wanted, told }) => {
				const ids = told.there.map(({ uniqueId }) => uniqueId);
				if (new Set(ids).size !== ids.length) return `item ${index} names an ID twice`;
				return first(told.there, ({ uniqueId, fileName }, at) => {
					if (given.names.get(uniqueId) !== fileName) {
						return `item ${index} calls ${given.names.get(uniqueId)} ${fileName}`;
					}
					const file = filesOf(wanted)[at];
					return file === undefined || isWhole(file, uniqueId, given)
						? undefined
						: `of ${fileName} of item ${index} there is ${JSON.stringify(given.stored(uniqueId))}`;
				});
			}),
	},
	{
		title:
			'no text is there twice, and the bytes of no file at two places, unless one could not be taken away',
		contradiction: (given) =>
			first(given.asked, (one) => {
				const ids = broughtBy(one, given);
				const isText = one.wanted.kind === 'addText';
				const there = ids.filter(
					(id) => isText || (given.stored(id) !== undefined && !wasToGo(one.requests, id)),
				);
				return there.length <= namesOf(one.wanted).length
					? undefined
					: `item ${one.index} has brought ${there.join()}`;
			}),
	},
	{
		title: 'what is said to be indexed is, and what is said to be unreadable is',
		contradiction: (given) =>
			first(telling(given), ({ index, told }) =>
				first(told.there, ({ uniqueId, status }) => {
					const is = given.after.records.find((record) => record.uniqueId === uniqueId)?.status;
					const isSo = status === undefined || !isFinal(status) || status === is;
					return isSo
						? undefined
						: `${uniqueId} of item ${index} is ${is}, and said to be ${status}`;
				}),
			),
	},
	{
		title: 'an item that is done is indexed if it asked for that, and added if it asked for that',
		contradiction: (given) =>
			first(telling(given), ({ index, wanted, told, reported }) => {
				if (reported.standing !== 'applied') return undefined;
				const open = told.there.find(({ status = '' }) => wanted.waits && !READY.includes(status));
				if (open) return `${open.uniqueId} of item ${index} is ${open.status}`;
				return told.isAttached === (wanted.uid !== undefined)
					? undefined
					: `item ${index} is said to be ${told.isAttached ? '' : 'not '}added`;
			}),
	},
	{
		title: 'what is said to be added to the agent is, and what is said not to be is not',
		contradiction: (given) =>
			first(telling(given), ({ index, wanted, told, reported, requests }) => {
				const { uid } = wanted;
				if (uid === undefined) return undefined;
				const attached = attachedTo(uid, sourceTypeOf(wanted), given.after);
				const ids = told.there.map(({ uniqueId }) => uniqueId);
				if (told.isAttached === true) {
					const lacking = ids.find((id) => !attached.includes(id));
					return lacking && `${lacking} of item ${index} is not at ${uid}`;
				}
				const there = ids.find((id) => attached.includes(id));
				const isOpen = told.isAttached === 'unknown';
				if (isOpen && !isUncertain(requests, 'add')) return `nobody needs to wonder about ${index}`;
				const isSaid = reported.description?.includes('not known whether the agent has it');
				if (isOpen !== isSaid) return `item ${index} says otherwise in words than in fields`;
				return isOpen ? undefined : there && `${there} of item ${index} is at ${uid}`;
			}),
	},
	{
		title: 'what is said not to be uploaded or written is not',
		contradiction: (given) =>
			first(bringing(given.asked), (one) => {
				const { index, wanted, reported, requests } = one;
				const told = toldOf(reported, wanted);
				const said = typeof told === 'object' ? told.there.map(({ uniqueId }) => uniqueId) : [];
				// Bytes whose answer was lost, at an address that was no longer good for the next attempt.
				const left = hasExpired(requests) && typeof told === 'object' ? idsOf(told.unfinished) : [];
				const isText = wanted.kind === 'addText';
				const stray = broughtBy(one, given).find(
					(id) =>
						!said.includes(id) &&
						(isText || (given.stored(id) !== undefined && !left.includes(id))),
				);
				const { standing, description = '' } = reported;
				const isAccount = reported.error === undefined && reported.outputs.length === 0;
				// The account of a run that stopped has no names: 'in part' may be any of them.
				if (isAccount && ['partly applied', 'failed', 'applied'].includes(standing))
					return undefined;
				const isOpen = isText
					? standing === 'unknown'
					: standing === 'unknown' || description.includes('as far as is known');
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
		contradiction: (given) =>
			first(telling(given), ({ index, wanted, told, requests, reported }) =>
				first(requests, (one) => {
					const { operation = '' } = one.arrival;
					if (meaningOf(one) !== 'done') return undefined;
					if ((one.end?.atMs ?? 0) >= (given.stoppedAtMs ?? Infinity)) return undefined;
					const ids = told.there.map(({ uniqueId }) => uniqueId);
					const isSaid =
						operation === 'upload'
							? one.ids.every((id) => ids.includes(id))
							: operation === 'add'
								? told.isAttached === true
								: operation === 'createText'
									? ids.length === 1
									: true;
					return isSaid
						? undefined
						: `${operation} for item ${index} (${wanted.kind}) is '${reported.standing}'`;
				}),
			),
	},
	{
		title: 'what is named as left without content is a real entry, named in the message, too',
		contradiction: (given) =>
			first(telling(given), ({ index, wanted, told, reported, requests }) => {
				const isListed = given.scenario.habits.recorded !== 'fromBytes';
				const made = told.unfinished.find(
					({ uniqueId, fileName }) => isListed && given.names.get(uniqueId) !== fileName,
				);
				if (made) return `item ${index} names ${made.uniqueId}, which was never there`;
				const silent = told.unfinished.find(
					({ uniqueId }) =>
						reported.error !== undefined && !reported.description?.includes(uniqueId),
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
		contradiction: (given) =>
			first(bringing(given.asked), (one) => {
				const { index, wanted, requests } = one;
				const adds = requests.filter(({ arrival }) => arrival.operation === 'add');
				return first(adds, ({ arrival, ids }) => {
					if (arrival.uid !== agentOf(wanted)) return `item ${index} is added to ${arrival.uid}`;
					if (arrival.sourceType !== sourceTypeOf(wanted))
						return `${index} as ${arrival.sourceType}`;
					if (ids.length !== namesOf(wanted).length) return `item ${index} adds ${ids.join()}`;
					const early = given.after.records.find(
						({ uniqueId, lastSynced, status }) =>
							ids.includes(uniqueId) &&
							wanted.waits &&
							!(READY.includes(status) && (lastSynced ?? Infinity) <= arrival.atMs),
					);
					if (early) return `${early.uniqueId} of item ${index} is added before it is indexed`;
					const missing = ids.find(
						(id) =>
							!isDone(requests, wanted.kind === 'upload' ? 'upload' : 'createText', id) &&
							wanted.kind === 'upload',
					);
					return missing && `${missing} of item ${index} is added before it is there`;
				});
			}),
	},
];

function bringing(asked: Asked[]): Array<Asked & { wanted: Bringing }> {
	return asked.flatMap((one) => {
		const { wanted } = one;
		return wanted.kind === 'upload' || wanted.kind === 'addText' ? [{ ...one, wanted }] : [];
	});
}

/** The items of which the node tells how far they came. */
function telling({ asked }: Case): Array<Asked & { wanted: Bringing; told: Told }> {
	return bringing(asked).flatMap((one) => {
		const told = toldOf(one.reported, one.wanted);
		return typeof told === 'object' ? [{ ...one, told }] : [];
	});
}

/** Undefined where nothing is told; the words for what is wrong with it, if anything is. */
function toldOf(
	{ outputs, error, standing }: Asked['reported'],
	wanted: Bringing,
): Told | string | undefined {
	const json: Record<string, unknown> | undefined = outputs[0] ?? error;
	if (json === undefined || standing === 'not sent') return undefined;
	const { addedToAgent } = json;
	const isAttached = addedToAgent === 'unknown' ? addedToAgent : addedToAgent === true;
	if (wanted.kind === 'addText') {
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

function idsOf(records: Told['unfinished']): string[] {
	return records.map(({ uniqueId }) => uniqueId);
}

function wasToGo(requests: Exchange[], id: string): boolean {
	return requests.some(
		({ arrival, ids }) => arrival.operation === 'deleteUpload' && ids.includes(id),
	);
}

/** Whether an address was no longer good, so that there may be an entry for another. */
function hasExpired(requests: Exchange[]): boolean {
	return requests.some(({ arrival, end }) => arrival.operation === 'upload' && end?.status === 403);
}

function outputOf({ there, unfinished, isAttached }: Told, wanted: Bringing): object {
	const uid = wanted.uid === undefined ? {} : { uid: wanted.uid };
	const always = { success: true, addedToAgent: isAttached, ...uid };
	const state = ({ status }: { status?: string }) => (status === undefined ? {} : { status });
	if (wanted.kind === 'addText') {
		const [text] = there;
		return { ...always, uniqueId: text?.uniqueId, title: wanted.title, ...state(text ?? {}) };
	}
	const uploads = wanted.files.map(({ fileName }, at) => {
		const upload = there[at];
		return { uniqueId: upload?.uniqueId, fileName, ...state(upload ?? {}) };
	});
	const left = unfinished.length === 0 ? {} : { unfinished };
	return { ...always, ...left, uploads, uniqueIds: uploads.map(({ uniqueId }) => uniqueId) };
}

/** In what was replaced and deleted, as it was before. */
export function isWhole(file: FileDraft, uniqueId: string, given: Case): boolean {
	const isReplacing = given.scenario.operation === 'replace';
	const was = isReplacing ? given.lastSeen.get(uniqueId)?.stored : undefined;
	return same(given.stored(uniqueId) ?? was, arrived(file));
}

/** Whether a status will not change any more. */
function isFinal(status: string): boolean {
	return status === 'failed' || READY.includes(status);
}
