import { KEY } from '../../node/fixture';
import { broughtBy, isTakingAway, nameIn, namesOf } from '../attribution';
import type { Exchange } from '../exchanges';
import { isRepeated, meaningOf, mostUnderWay } from '../exchanges';
import type { Asked, Case, Item, Promised, Wanted } from '../operation';
import { same } from '../report';
import { askedItems, brief, each, endsAll, first, namesTooLong } from './sending';

export const ONE_OUTCOME = 'every item has exactly one outcome, in input order';

/** What is promised of the items of every operation, and of what it changes. */
export const ofItems: Array<Promised<Case>> = [
	{
		title: ONE_OUTCOME,
		contradiction: (given) => {
			const { scenario, reported, run, stoppedAtMs } = given;
			const index = scenario.items.findIndex(
				(item, at) => !isExpected(reported[at]?.outcome ?? '', item, given),
			);
			if (index >= 0) return `item ${index} is reported as '${reported[index]?.outcome}'`;
			if (stoppedAtMs !== undefined) return undefined;
			return run.status === (run.error ? 'error' : 'success')
				? undefined
				: `the run is ${run.status}`;
		},
	},
	{
		title: 'a run that is set to stop ends in an error if any item failed, and only then',
		holdsFor: ({ scenario, stoppedAtMs }) =>
			scenario.onError === 'stopWorkflow' && stoppedAtMs === undefined,
		contradiction: ({ reported, run }) => {
			const isAllDone = reported.every(({ outcome }) => ['applied', 'skipped'].includes(outcome));
			return isAllDone === (run.error === undefined) ? undefined : `the run is ${run.status}`;
		},
	},
	{
		title: 'a run that is set to stop sends nothing if any item is unusable',
		holdsFor: ({ scenario, reported }) =>
			scenario.onError === 'stopWorkflow' && reported.some(({ outcome }) => outcome === 'unusable'),
		contradiction: ({ exchanges }) =>
			exchanges.length === 0 ? undefined : `${exchanges.length} requests were sent`,
	},
	{
		title: 'a run that is set to stop sends nothing new after the first item that failed',
		holdsFor: ({ scenario, stoppedAtMs }) =>
			scenario.onError === 'stopWorkflow' &&
			!scenario.options.combineItems &&
			stoppedAtMs === undefined,
		contradiction: (given) =>
			first(given.tries, (sent) => {
				const { log, exchanges, operation } = given;
				const last = sent.at(-1);
				const { end } = last ?? {};
				if (last === undefined || end === undefined || !hasFailed(sent, last, given)) {
					return undefined;
				}
				const since = log.slice(log.indexOf(end) + 1);
				const later = since.find(({ kind, request }) => {
					const one = exchanges.find(({ arrival }) => arrival.request === request);
					if (kind !== 'arrived' || one === undefined || isTakingAway(one, given)) return false;
					return !operation.isSentAfterFailure?.(one, given);
				});
				return later && `${later.operation} was sent after ${brief(last)} had failed`;
			}),
	},
	{
		title: 'every item is sent, unless a 429 asks for too long a pause, or the run is over',
		holdsFor: ({ scenario, stoppedAtMs }) =>
			scenario.onError !== 'stopWorkflow' && stoppedAtMs === undefined,
		contradiction: (given) => {
			if (given.exchanges.some((one) => endsAll(one, given))) return undefined;
			const { isHeldBack = () => false } = given.operation;
			return first(given.reported, ({ outcome }, index) => {
				const one = given.asked.find((each) => each.index === index);
				const isHeld = one !== undefined && isHeldBack(one, given);
				return outcome === 'not sent' && !isHeld ? `item ${index} was not sent` : undefined;
			});
		},
	},
	{
		title:
			'a request is sent again unless its attempts are used up, the wait is too long, or the run is over',
		holdsFor: ({ scenario, stoppedAtMs }) =>
			scenario.onError !== 'stopWorkflow' &&
			!scenario.options.combineItems &&
			stoppedAtMs === undefined,
		contradiction: (given) => {
			const allowed = given.scenario.options.maxAttempts ?? 5;
			if (given.exchanges.some((one) => endsAll(one, given))) return undefined;
			return first(given.tries, (sent) => {
				const last = sent.at(-1);
				if (last === undefined || !isRepeated(last) || sent.length >= allowed) return undefined;
				if (namesTooLong(last, given) || isTakingAway(last, given)) return undefined;
				if (isLook(last, given)) return undefined;
				return `${brief(last)} was sent ${sent.length} times only`;
			});
		},
	},
	{
		title: 'what is reported as not sent never arrived',
		contradiction: each(askedItems, ({ index, reported, requests }) =>
			reported.outcome === 'not sent' && requests.length > 0
				? `${requests.map(brief).join('; ')} of item ${index} arrived`
				: undefined,
		),
	},
	{
		title: 'what is reported as sent was sent, as often as the report says',
		holdsFor: ({ stoppedAtMs, scenario }) =>
			stoppedAtMs === undefined &&
			// What leads nowhere is in no log.
			!scenario.misbehaviours.some(({ kind }) => kind === 'astray'),
		contradiction: each(askedItems, (one, given) => {
			const { index, reported } = one;
			const { attempts, outcome } = reported;
			const most = mostSent(one, given);
			const isExact = given.operation.isCountExact?.(one, given) ?? false;
			if (isExact && most === 0 && outcome !== 'not sent') {
				return `item ${index} is '${outcome}' and never arrived`;
			}
			if (attempts === undefined) return undefined;
			return (isExact ? attempts === most : attempts >= most)
				? undefined
				: `item ${index} was sent ${most} times, and is said to have been ${attempts} times`;
		}),
	},
	{
		title: 'the status that an error names is one that the item was answered with',
		contradiction: each(askedItems, (item, given) => {
			const { index, reported } = item;
			const { status } = reported;
			const isTrue = given.exchanges.some(
				(one) => concerns(one, item, given) && one.end?.status === status,
			);
			return status === undefined || isTrue
				? undefined
				: `item ${index} was never answered with ${status}`;
		}),
	},
	{
		title: 'only what nobody can know is reported as unknown',
		holdsFor: ({ stoppedAtMs }) => stoppedAtMs === undefined,
		contradiction: each(askedItems, (item, given) => {
			const isOpen = given.exchanges.some(
				(one) => concerns(one, item, given) && meaningOf(one).includes('uncertain'),
			);
			const mayBe = isOpen || given.operation.mayBeUnknown?.(item, given);
			return item.reported.outcome === 'unknown' && !mayBe
				? `item ${item.index} had clear answers only`
				: undefined;
		}),
	},
	{
		title:
			'nothing is sent that no item asks for, no ID twice in a request, and the key goes to the API alone',
		contradiction: (given) =>
			first(given.exchanges, (one) => {
				const { arrival, ids } = one;
				const { operation, headers, host, method, request } = arrival;
				if (new Set(ids).size !== ids.length) return `request ${request} holds ${ids.join()}`;
				if (host === 'uploads') {
					if (ids.length !== 1) return `request ${request} goes to no address of a file`;
					if (JSON.stringify(arrival).includes(KEY)) return `request ${request} holds the key`;
					return method === 'PUT' ? undefined : `request ${request} is ${method}`;
				}
				if (headers.apikey !== KEY) return `request ${request} has another key`;
				if (!given.operation.requests.some((known) => known === operation)) {
					return `request ${request}: ${operation}`;
				}
				return isAskedFor(one, given)
					? undefined
					: `request ${request} holds ${JSON.stringify(arrival.body)} for ${arrival.uid}`;
			}),
	},
	{
		title:
			'the service and its agents hold what they held and what was asked for, and nothing else changes',
		contradiction: (given) => {
			const { before, after, asked } = given;
			const { mayTake = () => false, mayGive = () => false } = given.operation;
			const brought = asked.flatMap((one) => broughtBy(one, given));
			const was = new Set(before.records.map(({ uniqueId }) => uniqueId));
			const is = new Set(after.records.map(({ uniqueId }) => uniqueId));
			const stray = [...is].find((id) => !was.has(id) && !brought.includes(id));
			if (stray) return `${stray} is there`;
			const isTaken = (id: string, place: string) =>
				asked.some(({ wanted }) => mayTake(wanted, { id, name: nameIn(given, id) }, place));
			const gone = [...was].find((id) => !is.has(id) && !isTaken(id, 'service'));
			if (gone) return `${gone} is gone`;
			return first(after.attached, ([place, ids]) => {
				const held = before.attached.get(place) ?? [];
				const mayAdd = asked
					.filter(({ wanted: { uid, sourceType } }) => `${uid}/${sourceType}` === place)
					.flatMap((one) => [...broughtBy(one, given), ...(one.wanted.adds ?? [])]);
				const isGiven = (id: string) =>
					asked.some(({ wanted }) => mayGive(wanted, { id, name: nameIn(given, id) }));
				const added = ids.find((id) => ![...held, ...mayAdd].includes(id) && !isGiven(id));
				if (added) return `${added} is at ${place}`;
				const removed = held.find((id) => !ids.includes(id) && !isTaken(id, place));
				return removed && `${removed} is no longer at ${place}`;
			});
		},
	},
	{
		title: 'changes of an agent are made one at a time, unless the order is not to be kept',
		holdsFor: ({ scenario }) => scenario.options.keepOrder !== false,
		contradiction: ({ log, operation: { perFile } }) => {
			const changes = log.filter(({ operation, uid }) =>
				perFile ? uid !== undefined : operation === 'add' || operation === 'remove',
			);
			const agents = new Set(changes.map(({ uid }) => uid?.toLowerCase()));
			return first(agents, (agent) => {
				const most = mostUnderWay(changes.filter(({ uid }) => uid?.toLowerCase() === agent));
				return most <= 1 ? undefined : `${agent} had ${most} changes at once`;
			});
		},
	},
	{
		title: 'nothing is advised together with its opposite',
		contradiction: each(askedItems, ({ index, reported: { description = '' } }) => {
			// What follows is about the other items.
			const [own = ''] = description.split('By item, counted from 0');
			return /[Rr]un it again|[Uu]pload it again/.test(own) && own.includes('To go on')
				? `item ${index} is advised: ${own}`
				: undefined;
		}),
	},
	{
		title: 'where the service is honest, every item that can be done is done',
		holdsFor: ({ scenario, stoppedAtMs }) =>
			scenario.misbehaviours.length === 0 &&
			scenario.rateLimit === undefined &&
			scenario.onError !== 'stopWorkflow' &&
			(scenario.options.maxRequestsPerMinute ?? Infinity) >= 500 &&
			stoppedAtMs === undefined,
		contradiction: each(askedItems, (one, given) => {
			const can = given.operation.canBeDone(one, given);
			return can === undefined || can === (one.reported.outcome === 'applied')
				? undefined
				: `item ${one.index} is '${one.reported.outcome}'`;
		}),
	},
];

function isExpected(
	outcome: string,
	{ wanted }: Item<Wanted>,
	{ scenario, operation }: Pick<Case, 'scenario' | 'operation'>,
): boolean {
	switch (wanted) {
		case 'unusable':
			// Files are looked at one after another, until the run stops.
			return outcome === 'unusable' || (outcome === 'not sent' && !operation.perFile);
		case 'empty':
			return outcome === (scenario.options.ifNoFileIds === 'skip' ? 'skipped' : 'unusable');
		default:
			return outcome !== 'unusable' && outcome !== 'skipped';
	}
}

/** Whether it only asks for what a warning says. */
function isLook({ arrival }: Exchange, { operation: { looks = [] } }: Case): boolean {
	return looks.some((operation) => operation === arrival.operation);
}

/** Whether requests that repeat each other have ended in what fails their item. */
function hasFailed(sent: Exchange[], last: Exchange, given: Case): boolean {
	const { scenario, operation } = given;
	const { operation: request } = last.arrival;
	if (isTakingAway(last, given) || isLook(last, given)) return false;
	if (operation.isNoFailure?.(sent, given)) return false;
	// The others are asked for without what is refused, and an address is asked for anew.
	if (request === 'poll' && last.ids.length > 1) return false;
	if (request === 'upload' && last.end?.status === 403) return false;
	if (isRepeated(last)) return sent.length >= (scenario.options.maxAttempts ?? 5);
	// What a refusal means after an answer was lost: the file is there already, or gone already.
	const isLost = sent.slice(0, -1).some((one) => meaningOf(one).includes('uncertain'));
	const isDoneBefore = isLost && [404, 412].includes(last.end?.status ?? 0);
	return !(meaningOf(last).startsWith('done') || isDoneBefore);
}

/** The most often that any request of an item was sent, or any of its IDs. */
function mostSent({ requests, ownIds }: Asked<Wanted>, { tries, operation }: Case): number {
	const counts = operation.perFile
		? ownIds.map((id) => requests.filter(({ ids }) => ids.includes(id)).length)
		: tries.filter((sent) => sent.some((one) => requests.includes(one))).map((sent) => sent.length);
	return Math.max(0, ...counts);
}

const READING = ['records', 'list', 'agent', 'getText', 'listTexts', 'thread', 'chat'];

/** Whether an answer may have been given to this item. */
function concerns(one: Exchange, item: Asked<Wanted>, given: Case): boolean {
	const { index, wanted, requests } = item;
	const { operation = '', uid } = one.arrival;
	const { perFile, ownersOf } = given.operation;
	if (requests.includes(one) || ownersOf?.(one, given)?.includes(index)) return true;
	if (!perFile && given.asked.some((other) => other.requests.includes(one))) return false;
	if (operation === 'agent' && perFile) return uid === wanted.uid;
	if (READING.includes(operation)) return true;
	const names = [...(one.arrival.fileNames ?? []), ...one.ids.map((id) => nameIn(given, id))];
	if (namesOf(wanted).some((name) => names.includes(name))) return true;
	const { ids = [] } = wanted;
	if (!one.ids.some((id) => ids.includes(id))) return operation === 'deleteUpload' && !perFile;
	return perFile?.concerns(one, wanted) ?? true;
}

/** Whether the body of a request is what items ask for. */
function isAskedFor(one: Exchange, { asked, operation: { perFile } }: Case): boolean {
	const { operation, body } = one.arrival;
	if (perFile && operation !== 'agent') {
		const askers = asked.filter(({ wanted }) => perFile.concerns(one, wanted));
		const isBody = body === undefined || same(body, { uniqueIds: one.ids });
		const isAsked = (id: string) => askers.some(({ wanted }) => wanted.ids?.includes(id));
		return isBody && one.ids.length > 0 && one.ids.every(isAsked);
	}
	const owner = asked.find(({ requests }) => requests.includes(one));
	if (owner === undefined) return true;
	const { wanted, requests } = owner;
	if (operation === 'createText') {
		const { title, text, parts = [{ title, text }] } = wanted;
		return parts.some((part) => same(body, part));
	}
	if (operation !== 'initiate') return true;
	const drafts = wanted.files ?? [];
	const files = drafts.map(({ fileName, size: fileSize }) => ({ fileName, fileSize }));
	const named: unknown = Object(body).files;
	if (!Array.isArray(named)) return false;
	const sent = named.map(({ fileName, fileSize }) => ({ fileName, fileSize }));
	// Of an address that is no longer good, one file is announced anew.
	return same(sent, files) || (hasExpired(requests) && files.some((file) => same(sent, [file])));
}

/** Whether an address was no longer good, so that there may be an entry for another. */
export function hasExpired(requests: Exchange[]): boolean {
	return requests.some(({ arrival, end }) => arrival.operation === 'upload' && end?.status === 403);
}
