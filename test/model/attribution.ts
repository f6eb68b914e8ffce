import type { Exchange } from './exchanges';
import { isRepeated, meaningOf } from './exchanges';
import type { Asked, Case, Operation, Played, Wanted } from './operation';
import type { Reported } from './report';

/** Which requests each item has caused, and which requests repeat each other. */
export function caseOf(operation: Operation, played: Played, reported: Reported[]): Case {
	const { items } = played.scenario;
	const usable = items.flatMap((item, index) => {
		const { wanted } = item;
		const says = reported[index];
		if (typeof wanted === 'string' || says === undefined) return [];
		return [{ index, item, wanted, reported: says }];
	});
	const withOwn = usable.map((one) => {
		const { ids = [] } = one.wanted;
		const others = usable.filter((other) => other !== one && isSamePlace(one, other));
		const isOwn = (id: string) => !others.some(({ wanted }) => wanted.ids?.includes(id));
		return { ...one, ownIds: ids.filter(isOwn) };
	});
	const owned = played.exchanges.map((one) => {
		const owners = operation.ownersOf?.(one, played) ?? ownersOf(one, withOwn, played);
		const isShared = owners.length > 1 && (operation.hasTwins || isMadeForSeveral(one, operation));
		return { one, owners: isShared ? [] : owners };
	});
	const asked = withOwn.map((item) => {
		const own = owned.filter(({ owners }) => owners.includes(item.index));
		return { ...item, requests: own.map(({ one }) => one) };
	});
	return { ...played, operation, reported, asked, tries: triesOf(owned, operation) };
}

function ownersOf(
	{ arrival, ids }: Exchange,
	items: Array<Omit<Asked<Wanted>, 'requests'>>,
	played: Played,
): number[] {
	const held = [...(arrival.fileNames ?? []), ...ids.map((id) => nameIn(played, id))];
	return items.flatMap(({ index, wanted, ownIds }) => {
		const isThere = arrival.uid === wanted.uid && arrival.sourceType === wanted.sourceType;
		const isOwn =
			namesOf(wanted).some((name) => held.includes(name)) ||
			(isThere && ownIds.some((id) => ids.includes(id)));
		return isOwn ? [index] : [];
	});
}

function isSamePlace(one: { wanted: Wanted }, other: { wanted: Wanted }): boolean {
	return one.wanted.uid === other.wanted.uid && one.wanted.sourceType === other.wanted.sourceType;
}

function isMadeForSeveral({ arrival }: Exchange, { sharedRequests }: Operation): boolean {
	return sharedRequests.some((operation) => operation === arrival.operation);
}

function triesOf(
	owned: Array<{ one: Exchange; owners: number[] }>,
	operation: Operation,
): Exchange[][] {
	const groups = new Map<string, Exchange[][]>();
	const anew: string[] = ['poll', 'initiate', 'agent', ...(operation.asksAnew ?? [])];
	for (const { one, owners } of owned) {
		const { operation: request, uid, sourceType, path, fileNames } = one.arrival;
		if (owners.length === 0 && (operation.hasTwins || !isMadeForSeveral(one, operation))) {
			// Several items ask for the same: what surely ended here is repeated by none of them.
			if (operation.perFile && !isRepeated(one)) groups.set(`${one.arrival.request}`, [[one]]);
			continue;
		}
		// A file is announced once, whatever it is called; a text may be written in parts.
		const isPaged = ['records', 'pages', 'discoveredUrls'].includes(request ?? '');
		const named = request === 'createText' ? fileNames?.join() : one.ids.join();
		const holds = isPaged ? path : request === 'initiate' ? '' : named;
		const key = JSON.stringify([owners, request, uid, sourceType, holds]);
		const known = groups.get(key) ?? [[]];
		groups.set(key, known);
		const last = known.at(-1);
		const before = last?.at(-1);
		// Once answered, the same question may be asked again, to hear how things stand now, or because
		// the address has expired.
		const isNewQuestion =
			anew.includes(request ?? '') &&
			before !== undefined &&
			(meaningOf(before).startsWith('done') || isAskedInParts(before, one, owned));
		if (isNewQuestion) known.push([one]);
		else last?.push(one);
	}
	return [...groups.values()].flat();
}

/**
 * Whether a question for several files was given up, and asked in smaller ones before it came up again.
 * That it may also be one that is sent again, until its attempts are used up, is no reason against it:
 * a 503 may carry a code that speaks of one file.
 */
function isAskedInParts(before: Exchange, again: Exchange, all: Array<{ one: Exchange }>): boolean {
	if (before.arrival.operation !== 'poll') return false;
	return before.ids.every((id) =>
		all.some(
			({ one: { arrival, ids } }) =>
				arrival.operation === 'poll' &&
				ids.length < before.ids.length &&
				ids.includes(id) &&
				arrival.request > before.arrival.request &&
				arrival.request < again.arrival.request,
		),
	);
}

/** The names of what an item brings into the service. */
export function namesOf({ title, parts, addresses, files = [] }: Wanted): string[] {
	if (parts !== undefined) return parts.map((part) => part.title);
	if (addresses !== undefined) return addresses;
	return title === undefined ? files.map(({ fileName }) => fileName) : [title];
}

/** The name of a file or text that the service ever held, or announced. */
export function nameIn({ lastSeen, exchanges }: Played, id: string): string {
	const { record } = lastSeen.get(id) ?? {};
	if (record !== undefined) return record.sourceName;
	const sent = exchanges.find(({ arrival, ids }) => arrival.fileNames && ids.includes(id));
	return sent?.arrival.fileNames?.[0] ?? '';
}

/** The IDs in the service of what an item has brought there, also of what was left on the way. */
export function broughtBy(
	{ wanted }: Pick<Asked<Wanted>, 'wanted'>,
	{ lastSeen, before }: Played,
): string[] {
	const own = namesOf(wanted);
	const were = new Set(before.records.map(({ uniqueId }) => uniqueId));
	return [...lastSeen].flatMap(([id, { record }]) =>
		own.includes(record.sourceName) && !were.has(id) ? [id] : [],
	);
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

/** What an agent has. */
export function attachedTo({ uid, sourceType }: Wanted, { attached }: Played['after']): string[] {
	return attached.get(`${uid}/${sourceType}`) ?? [];
}

/** Whether the node was told that there is no such file, with nothing before that may have deleted it. */
export function wasGone(sent: Exchange[]): boolean {
	const { end, cause } = sent.at(-1) ?? {};
	const isClear = sent.every((one) => !meaningOf(one).includes('uncertain'));
	// A status that a misbehaviour made up is no word about the file (see `possible`).
	const isMadeUp = cause !== undefined && 'given' in cause && cause.given.kind === 'status';
	return end?.status === 404 && !isMadeUp && isClear;
}

/**
 * Whether a request takes away an entry whose bytes are not there as far as the node was told, and no
 * version that was replaced.
 */
export function isTakingAway({ arrival, ids }: Exchange, played: Played): boolean {
	const { exchanges, before } = played;
	const isUploading = exchanges.some((one) => one.arrival.operation === 'initiate');
	if (arrival.operation !== 'deleteUpload' || !isUploading) return false;
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
function isUploaded(sent: Exchange[]): boolean {
	const isOpen = sent.some((one) => meaningOf(one).includes('uncertain'));
	const isUsedUp = sent.some(({ end }) => end?.kind === 'answered' && end.status === 412);
	return (isOpen && isUsedUp) || sent.some((one) => meaningOf(one) === 'done');
}
