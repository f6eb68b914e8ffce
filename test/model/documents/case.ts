import type { IDataObject } from 'n8n-workflow';

import type { Exchange } from '../exchanges';
import { meaningOf } from '../facts';
import { isRecord, isTexts } from '../outputs';
import type { Sent } from '../promised';
import { oldVersion, ownId } from './archive';
import type { Played } from './play';
import type { Reported } from './reported';
import type { FileDraft, Item, Wanted } from './scenario';

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
	const asked = items.flatMap((item, index): Asked[] => {
		const says = reported[index];
		const { wanted } = item;
		if (wanted.kind === 'unusable' || wanted.kind === 'empty' || says === undefined) return [];
		const requests = owners.filter(([, owner]) => owner === index).map(([one]) => one);
		return [{ index, item, wanted, reported: says, requests }];
	});
	const isShared = ({ arrival }: Exchange) => arrival.operation?.startsWith('delete') ?? false;
	// A file is deleted once, whichever and however many items ask for it.
	const shared = owners.filter(([one, owner]) => owner === undefined && isShared(one));
	const tries = [...asked.map(({ requests }) => requests), shared.map(([one]) => one)];
	return { ...played, reported, asked, tries: tries.flatMap(triesOf) };
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

/** The item that alone can have caused a request; undefined if several can. */
function ownerOf({ arrival, ids }: Exchange, played: Played): number | undefined {
	const { scenario, names } = played;
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
		if (wanted.kind === 'replace') return id === oldVersion(index).uniqueId;
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
		const key = [operation, uid, operation === 'initiate' ? '' : one.ids.join()].join();
		const known = groups.get(key) ?? [[]];
		groups.set(key, known);
		const last = known.at(-1);
		const before = last?.at(-1);
		// Once answered, the same question may be asked again, to hear how things stand now.
		const isNewQuestion =
			operation === 'poll' && before !== undefined && meaningOf(before).startsWith('done');
		if (isNewQuestion) known.push([one]);
		else last?.push(one);
	}
	return [...groups.values()].flat();
}
