import type { IDataObject } from 'n8n-workflow';

import type { Exchange } from '../exchanges';
import { meaningOf } from '../facts';
import { isRecord, isTexts } from '../outputs';
import type { Sent } from '../promised';
import { ownId } from './archive';
import type { Played } from './play';
import type { Reported } from './reported';
import type { FileDraft, Item, Replacement, Wanted } from './scenario';

/** What a run came to, with what the node says of each item. */
export interface Case extends Played, Pick<Sent, 'tries'> {
	reported: Reported[];
	asked: Asked[];
}

/** An item that can be sent, and the requests that it alone can have caused. */
export interface Asked {
	index: number;
	item: Item;
	wanted: Wanted;
	reported: Reported;
	requests: Exchange[];
}

export function caseOf(played: Played, reported: Reported[]): Case {
	const { items } = played.scenario;
	const owners = played.exchanges.map((one) => [one, ownerOf(one, played)] as const);
	const shared = owners.flatMap(([one, owner]) => (owner === undefined ? [one] : []));
	const asked = items.flatMap((item, index): Asked[] => {
		const says = reported[index];
		const { wanted } = item;
		if (wanted.kind === 'unusable' || wanted.kind === 'empty' || says === undefined) return [];
		const requests = owners.filter(([, owner]) => owner === index).map(([one]) => one);
		return [{ index, item, wanted, reported: says, requests }];
	});
	// A file is deleted once, whichever and however many items ask for it.
	const isDeletion = ({ arrival }: Exchange) =>
		played.scenario.operation === 'delete' && (arrival.operation?.startsWith('delete') ?? false);
	const together = shared.filter(
		(one) => isShared(one.arrival.operation, played) || isDeletion(one),
	);
	const tries = [...asked.map(({ requests }) => requests), together].flatMap(triesOf);
	return { ...played, reported, asked, tries };
}

/** The files that an item uploads. */
export function filesOf(wanted: Wanted): FileDraft[] {
	if (wanted.kind === 'upload') return wanted.files;
	return wanted.kind === 'replace' ? [wanted.file] : [];
}

/** The names of what an item brings into the service. */
export function namesOf(wanted: Wanted): string[] {
	if (wanted.kind === 'addText') return [wanted.title];
	return filesOf(wanted).map(({ fileName }) => fileName);
}

/** The agent that an item gives something to. */
export function agentOf(wanted: Wanted): string | undefined {
	return 'uid' in wanted ? wanted.uid : undefined;
}

/** The IDs in the service of what an item has brought there, also of what was left on the way. */
export function broughtBy({ wanted }: Pick<Asked, 'wanted'>, { names, before }: Played): string[] {
	const own = namesOf(wanted);
	const were = new Set(before.records.map(({ uniqueId }) => uniqueId));
	return [...names].filter(([id, name]) => own.includes(name) && !were.has(id)).map(([id]) => id);
}

export function attachedTo(uid: string, sourceType: string, held: Played['after']): string[] {
	return held.attached.get(`${uid}/${sourceType}`) ?? [];
}

/** Where an item's content is attached. */
export function sourceTypeOf({ kind }: Wanted): string {
	return kind === 'addText' ? 'text' : 'uploads';
}

/** Whether a request of this operation was carried out for this ID. */
export function isDone(requests: Exchange[], operation: string, id: string): boolean {
	return requests.some(
		(one) => one.applied && one.arrival.operation === operation && one.ids.includes(id),
	);
}

/** Whether nobody can know what became of any request of this operation. */
export function isUncertain(requests: Exchange[], operation: string): boolean {
	return requests.some(
		(one) => one.arrival.operation === operation && meaningOf(one).includes('uncertain'),
	);
}

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

/** Whether a request is made once for all items: the list of Replace File, and the question of all that wait. */
function isShared(operation: string | undefined, { scenario }: Played): boolean {
	if (operation === 'records') return scenario.operation === 'replace';
	return operation === 'poll' && scenario.operation !== 'getStatus';
}

/**
 * Whether a request takes away an entry whose bytes are not there as far as the node was told, and no
 * version that was replaced.
 */
export function isTakingAway({ arrival, ids }: Exchange, played: Played): boolean {
	const { exchanges, before, scenario } = played;
	if (arrival.operation !== 'deleteUpload' || scenario.operation === 'delete') return false;
	const [id = ''] = ids;
	if (before.records.some(({ uniqueId }) => uniqueId === id)) return false;
	const sent = exchanges.filter(
		(one) =>
			one.arrival.operation === 'upload' &&
			one.ids.includes(id) &&
			one.arrival.request < arrival.request,
	);
	return !isUploaded(sent);
}

/** Whether the attempts to send a file's bytes have ended in what means that they are there. */
export function isUploaded(sent: Exchange[]): boolean {
	const isOpen = sent.some((one) => meaningOf(one).includes('uncertain'));
	const isUsedUp = sent.some(({ end }) => end?.kind === 'answered' && end.status === 412);
	return (isOpen && isUsedUp) || sent.some((one) => meaningOf(one) === 'done');
}

/** The names that a replacement is about. */
function namesAbout({ file, old }: Replacement, names: Map<string, string>): string[] {
	return [file.fileName, 'id' in old ? (names.get(old.id) ?? old.id) : old.name];
}

/** The replacements that may be about the same documents as this one: their places, and the names. */
export function relatedTo(
	index: number,
	{ scenario: { items }, names }: Played,
): { group: number[]; about: Set<string> } {
	const group = new Set([index]);
	const about = new Set<string>();
	const start = items[index]?.wanted;
	const agent = start?.kind === 'replace' ? start.uid.toLowerCase() : undefined;
	for (let before = -1; before < group.size + about.size; ) {
		before = group.size + about.size;
		for (const [place, { wanted }] of items.entries()) {
			if (wanted.kind !== 'replace' || wanted.uid.toLowerCase() !== agent) continue;
			const own = namesAbout(wanted, names);
			if (!group.has(place) && !own.some((name) => about.has(name))) continue;
			group.add(place);
			for (const name of own) about.add(name);
		}
		if (before === group.size + about.size) break;
	}
	return { group: [...group].sort((one, other) => one - other), about };
}

/** The item that takes a document from an agent: the last that has given it one of these names. */
function removerOf({ arrival, ids }: Exchange, played: Played): number | undefined {
	const { exchanges, names, scenario } = played;
	const name = names.get(ids[0] ?? '') ?? '';
	const adders = exchanges.flatMap(({ arrival: { operation, uid, request }, ids: [id = ''] }) => {
		const isBefore = operation === 'add' && uid === arrival.uid && request < arrival.request;
		return isBefore ? [ownerOfName(names.get(id) ?? '', scenario.items)] : [];
	});
	return adders.findLast(
		(adder) => adder !== undefined && relatedTo(adder, played).about.has(name),
	);
}

/** The item that alone can have caused a request; undefined if several can. */
function ownerOf(one: Exchange, played: Played): number | undefined {
	const { arrival, ids } = one;
	const { scenario, names, exchanges } = played;
	if (isShared(arrival.operation, played)) {
		const [owner, another] = new Set(
			ids.map((id) => ownerOfName(names.get(id) ?? '', scenario.items)),
		);
		return another === undefined ? owner : undefined;
	}
	if (scenario.operation === 'replace') {
		if (arrival.operation === 'remove') return removerOf(one, played);
		if (arrival.operation === 'deleteUpload' && !isTakingAway(one, played)) {
			const removals = exchanges.filter(
				(other) => other.arrival.operation === 'remove' && other.ids.join() === ids.join(),
			);
			const [owner, another] = new Set(removals.map((other) => removerOf(other, played)));
			return another === undefined ? owner : undefined;
		}
	}
	const owners = [
		...(arrival.fileNames ?? []).map((name) => ownerOfName(name, scenario.items)),
		...ids.map((id) => ownerOfId(id, scenario.items, names)),
	];
	return owners.find((owner) => owner !== undefined);
}

function ownerOfName(name: string, items: Item[]): number | undefined {
	const owner = items.findIndex(({ wanted }) => namesOf(wanted).includes(name));
	return owner < 0 ? undefined : owner;
}

function ownerOfId(id: string, items: Item[], names: Map<string, string>): number | undefined {
	const owner = items.findIndex(({ wanted }, index) => {
		const [kind = ''] = id.split('-');
		const asks = 'ids' in wanted && wanted.ids.includes(id);
		return asks && [0, 1, 2].some((at) => ownId(kind, index, at) === id);
	});
	return owner < 0 ? ownerOfName(names.get(id) ?? '', items) : owner;
}

/** The requests of an item, those that repeat each other together. */
function triesOf(requests: Exchange[]): Exchange[][] {
	const groups = new Map<string, Exchange[][]>();
	for (const one of requests) {
		const { operation, uid } = one.arrival;
		// A file is announced once, whatever it is called.
		const place = operation === 'records' ? one.arrival.path : one.ids.join();
		const key = [operation, uid, operation === 'initiate' ? '' : place].join();
		const known = groups.get(key) ?? [[]];
		groups.set(key, known);
		const last = known.at(-1);
		const before = last?.at(-1);
		// Once answered, the same question may be asked again, to hear how things stand now, or because
		// the address has expired.
		const isNewQuestion =
			(operation === 'poll' || operation === 'initiate') &&
			before !== undefined &&
			meaningOf(before).startsWith('done');
		if (isNewQuestion) known.push([one]);
		else last?.push(one);
	}
	return [...groups.values()].flat();
}
