import { KEY } from '../../node/fixture';
import type { Exchange } from '../exchanges';
import { mostUnderWay } from '../exchanges';
import { isRepeated, meaningOf, notBeforeMs } from '../facts';
import { same } from '../outputs';
import type { Promised } from '../promised';
import {
	brief,
	endsAll,
	first,
	firstBroken,
	namesTooLong,
	ofOthers,
	ofSending,
	ofStopping,
} from '../promised';
import { ofArriving } from './arriving';
import type { Asked, Case } from './case';
import { agentOf, broughtBy, caseOf, filesOf, isTakingAway, namesOf, sourceTypeOf } from './case';
import { ofDeleting, wasGone } from './deleting';
import { ofIndexing } from './indexing';
import { ofLooking } from './looking';
import type { Played } from './play';
import { arrived } from './play';
import { oldVersionOf, ofReplacing } from './replacing';
import { readReport } from './reported';
import type { Operation, Replacement, Scenario, Wanted } from './scenario';

const ONE_OUTCOME = 'every item has exactly one outcome, in input order';

/** What is promised of every operation with documents. */
const ofAll: Array<Promised<Case>> = [
	{
		title: ONE_OUTCOME,
		contradiction: ({ scenario, reported, run, stoppedAtMs }) => {
			const index = reported.findIndex(({ standing }, at) => {
				const wanted = scenario.items[at]?.wanted;
				return wanted === undefined || !isExpected(standing, wanted, scenario);
			});
			if (index >= 0) return `item ${index} is reported as '${reported[index]?.standing}'`;
			if (stoppedAtMs !== undefined) return undefined;
			return run.status === (run.error ? 'error' : 'success')
				? undefined
				: `the run is ${run.status}`;
		},
	},
	...ofStopping,
	...ofOthers,
	{
		title: 'a run that stops names what its other items have brought, and only that',
		holdsFor: ({ scenario, run, stoppedAtMs }) =>
			scenario.items.length > 1 && run.error !== undefined && stoppedAtMs === undefined,
		contradiction: (given) => {
			const { message = '', description } = given.run.error ?? {};
			const cause = Number(/\[item (\d+)\]/.exec(message)?.[1]);
			const [brought = ''] = (description ?? '').split('There without content');
			const said = [...brought.matchAll(/\(ID ([^,)]+), item (\d+)\)/g)];
			const named = new Map(said.map(([, id = '', item]) => [id, Number(item)]));
			return first(given.asked, (one) => {
				const { index, wanted } = one;
				const ids = broughtBy(one, given);
				const there = ids.filter(
					(id) => wanted.kind === 'addText' || given.lastSeen.get(id)?.stored,
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
		title: 'what is reported as not sent never arrived',
		contradiction: ({ asked }) =>
			first(asked, ({ index, reported, requests }) =>
				reported.standing === 'not sent' && requests.length > 0
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
		contradiction: ({ asked, tries, scenario, exchanges, names }) =>
			first(asked, ({ index, wanted, reported: { attempts }, requests }) => {
				if (attempts === undefined) return undefined;
				const own = tries.filter((sent) => sent.some((one) => requests.includes(one)));
				const most = own.reduce((longest, sent) => Math.max(longest, sent.length), 0);
				if (attempts > (scenario.options.maxAttempts ?? 5)) return `item ${index}: ${attempts}`;
				// Lists, and files that several items ask for, may have been sent for any of them.
				const isOwn =
					(wanted.kind === 'upload' || wanted.kind === 'addText') &&
					!exchanges.some(({ arrival, ids }) => {
						const own = namesOf(wanted);
						const isMixed = ids.some((id) => !own.includes(names.get(id) ?? ''));
						return arrival.operation === 'poll' && isMixed;
					});
				return (isOwn ? attempts === most : attempts >= most)
					? undefined
					: `item ${index} was sent ${most} times, and is said to have been ${attempts} times`;
			}),
	},
	{
		title: 'the status that an error names is one that the item was answered with',
		contradiction: (given) =>
			first(given.asked, (item) => {
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
		contradiction: (given) =>
			first(given.asked, (item) => {
				const { index, reported } = item;
				const { standing } = reported;
				const isOpen = given.exchanges.some(
					(one) => concerns(one, item, given) && meaningOf(one).includes('uncertain'),
				);
				return standing === 'unknown' && !isOpen
					? `item ${index} had clear answers only`
					: undefined;
			}),
	},
	{
		title: 'nothing is sent that no item asks for, and the key goes to the API alone',
		contradiction: ({ scenario, exchanges, asked }) =>
			first(exchanges, (one) => {
				const { arrival, ids } = one;
				const { operation, headers, host, method, body, request } = arrival;
				if (host === 'uploads') {
					if (ids.length !== 1) return `request ${request} goes to no address of a file`;
					if (JSON.stringify(arrival).includes(KEY)) return `request ${request} holds the key`;
					return method === 'PUT' ? undefined : `request ${request} is ${method}`;
				}
				if (headers.apikey !== KEY) return `request ${request} has another key`;
				if (!isRequestOf(scenario.operation, operation)) return `request ${request}: ${operation}`;
				const owner = asked.find(({ requests }) => requests.includes(one));
				return owner === undefined || isAskedFor(owner, operation, body)
					? undefined
					: `request ${request} of item ${owner.index} holds ${JSON.stringify(body)}`;
			}),
	},
	{
		title: 'the service holds what it held and what was asked for, and nothing else changes',
		contradiction: (given) => {
			const { before, after, asked } = given;
			const brought = asked.flatMap((one) => broughtBy(one, given));
			const was = new Set(before.records.map(({ uniqueId }) => uniqueId));
			const is = new Set(after.records.map(({ uniqueId }) => uniqueId));
			const stray = [...is].find((id) => !was.has(id) && !brought.includes(id));
			if (stray) return `${stray} is there`;
			const nameOf = (id: string) => given.names.get(id) ?? '';
			const gone = [...was].find(
				(id) => !is.has(id) && !asked.some(({ wanted }) => mayDelete(wanted, id, nameOf(id))),
			);
			if (gone) return `${gone} is gone`;
			return first(after.attached, ([place, ids]) => {
				const held = before.attached.get(place) ?? [];
				const mayAdd = asked
					.filter(({ wanted }) => `${agentOf(wanted)}/${sourceTypeOf(wanted)}` === place)
					.flatMap((one) => broughtBy(one, given));
				const added = ids.find((id) => !held.includes(id) && !mayAdd.includes(id));
				if (added) return `${added} is at ${place}`;
				const removed = held.find(
					(id) =>
						!ids.includes(id) &&
						!asked.some(({ wanted }) => mayRemove(wanted, id, nameOf(id), place)),
				);
				return removed && `${removed} is no longer at ${place}`;
			});
		},
	},
	{
		title: 'no bytes lie under the ID of another file',
		contradiction: ({ lastSeen, asked }) => {
			const files = asked.flatMap(({ wanted }) => filesOf(wanted));
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
		holdsFor: ({ scenario, stoppedAtMs }) =>
			(scenario.operation === 'upload' || scenario.operation === 'replace') &&
			stoppedAtMs === undefined,
		contradiction: (given) => {
			// Taking away waits for 10 s at most.
			const isHeld = given.exchanges.some(
				(one) => one.end?.status === 429 || notBeforeMs(one, given) !== undefined,
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
					if (!isTried && !isHeld) return `nobody tried to take away ${id} of item ${index}`;
					// Not in every case by its own item: the message of a run that stops is about another.
					const json = reported.outputs[0] ?? reported.error;
					const said = `${JSON.stringify(json)} ${given.run.error?.description}`;
					return said.includes(id) ? undefined : `${id} of item ${index} is named nowhere`;
				});
			});
		},
	},
	{
		title: 'nothing is advised together with its opposite',
		contradiction: ({ asked }) =>
			first(asked, ({ index, reported: { description = '' } }) => {
				// What follows is about the other items.
				const [own = ''] = description.split('By item, counted from 0');
				return /[Rr]un it again|[Uu]pload it again/.test(own) && own.includes('To go on')
					? `item ${index} is advised: ${own}`
					: undefined;
			}),
	},
	{
		title: 'changes of an agent are made one at a time',
		contradiction: ({ log }) => {
			const changes = log.filter(({ operation }) => operation === 'add' || operation === 'remove');
			const lanes = new Set(changes.map(({ uid }) => uid?.toLowerCase()));
			return first(lanes, (lane) => {
				const most = mostUnderWay(changes.filter(({ uid }) => uid?.toLowerCase() === lane));
				return most <= 1 ? undefined : `${lane} had ${most} changes at once`;
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
			const isSigned = SIGNATURE.test(said.replace(OF_N8N, ''));
			return isThere || isSigned ? 'it is there' : undefined;
		},
	},
	{
		title:
			'a request is sent again unless its attempts are used up, the wait is too long, or the run is over',
		holdsFor: ({ scenario, stoppedAtMs }) =>
			scenario.onError !== 'stopWorkflow' && stoppedAtMs === undefined,
		contradiction: (given) => {
			const allowed = given.scenario.options.maxAttempts ?? 5;
			if (given.exchanges.some((one) => endsAll(one, given))) return undefined;
			return first(given.tries, (sent) => {
				const last = sent.at(-1);
				if (last === undefined || !isRepeated(last) || sent.length >= allowed) return undefined;
				if (namesTooLong(last, given) || isTakingAway(last, given)) return undefined;
				return `${brief(last)} was sent ${sent.length} times only`;
			});
		},
	},
	{
		title: 'a run that is set to stop sends nothing new after the first item that failed',
		holdsFor: ({ scenario, stoppedAtMs }) =>
			scenario.onError === 'stopWorkflow' && stoppedAtMs === undefined,
		contradiction: (given) =>
			first(given.tries, (sent) => {
				const { log, scenario, exchanges } = given;
				const last = sent.at(-1);
				const { end } = last ?? {};
				if (last === undefined || end === undefined || isTakingAway(last, given)) return undefined;
				// The others are asked for without what is refused, and an address is asked for anew.
				if (last.arrival.operation === 'poll' && last.ids.length > 1) return undefined;
				if (last.arrival.operation === 'upload' && end.status === 403) return undefined;
				const isUsedUp = isRepeated(last) && sent.length >= (scenario.options.maxAttempts ?? 5);
				const isGone = scenario.options.ifGone === 'deleted' && wasGone(sent);
				const isDone = meaningOf(last).startsWith('done') || isDoneBefore(sent) || isGone;
				if (isRepeated(last) ? !isUsedUp : isDone) return undefined;
				const since = log.slice(log.indexOf(end) + 1);
				const later = since.find(({ kind, request }) => {
					const one = exchanges.find(({ arrival }) => arrival.request === request);
					return kind === 'arrived' && one !== undefined && !isGoingToItsEnd(one, given);
				});
				return later && `${later.operation} was sent after ${brief(last)} had failed`;
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
		contradiction: (given) =>
			first(given.asked, (one) => {
				const can = canBeDone(one, given);
				const isDone = one.reported.standing === 'applied';
				return can === undefined || can === isDone
					? undefined
					: `item ${one.index} is '${one.reported.standing}'`;
			}),
	},
];

const OF_OPERATION: Record<Operation, Array<Promised<Case>>> = {
	upload: [...ofArriving, ...ofIndexing],
	addText: [...ofArriving, ...ofIndexing],
	getMany: ofLooking,
	getStatus: ofLooking,
	delete: ofDeleting,
	replace: [...ofReplacing, ...ofIndexing],
};

/** What is promised of these operations, each promise once. */
export function promisesOf(operations: Operation[]): Array<Promised<Case>> {
	const own = operations.flatMap((operation) => OF_OPERATION[operation]);
	return [...ofAll, ...new Set(own), ...ofSending];
}

/** @returns The first promise that a run breaks. */
export function brokenPromise(played: Played): { title: string; what: string } | undefined {
	const reported = readReport(played);
	if (typeof reported === 'string') return { title: ONE_OUTCOME, what: reported };
	return firstBroken(promisesOf([played.scenario.operation]), caseOf(played, reported));
}

function isExpected(standing: string, { kind }: Wanted, { options }: Scenario): boolean {
	switch (kind) {
		case 'unusable':
			return standing === 'unusable' || standing === 'not sent';
		case 'empty':
			return standing === (options.ifNoFileIds === 'skip' ? 'skipped' : 'unusable');
		default:
			return standing !== 'unusable' && standing !== 'skipped';
	}
}

/** Whether an answer may have been given to this item. */
function concerns(
	one: Exchange,
	{ wanted, index }: Asked,
	{ asked, names }: Pick<Case, 'asked' | 'names'>,
): boolean {
	const owner = asked.find(({ requests }) => requests.includes(one));
	if (owner !== undefined) return owner.index === index;
	const { operation = '' } = one.arrival;
	if (['records', 'list', 'agent'].includes(operation)) {
		return wanted.kind === 'getMany' || wanted.kind === 'replace';
	}
	if (one.ids.some((id) => namesOf(wanted).includes(names.get(id) ?? ''))) return true;
	if (operation === 'deleteUpload' && wanted.kind === 'replace') return true;
	return 'ids' in wanted && one.ids.some((id) => wanted.ids.includes(id));
}

/** A signature, or a large part of one, also of an address that was never used. */
const SIGNATURE = /(?=\d*[a-f])(?=[a-f]*\d)[0-9a-f]{40}/;

/** What n8n stores with each execution, and looks the same. */
const OF_N8N = /resumeToken\W+\w+/;

const REQUESTS: Record<Operation, string[]> = {
	upload: ['initiate', 'poll', 'add', 'deleteUpload'],
	addText: ['createText', 'poll', 'add'],
	getMany: ['records'],
	getStatus: ['poll'],
	delete: ['deleteUpload', 'deleteText', 'deleteWebsite'],
	replace: ['records', 'list', 'agent', 'initiate', 'poll', 'add', 'remove', 'deleteUpload'],
};

function isRequestOf(operation: Operation, request = 'none'): boolean {
	return REQUESTS[operation].includes(request);
}

/** Whether the body of a request is what its item asks for. */
function isAskedFor(
	{ wanted, requests }: Asked,
	operation: string | undefined,
	body: unknown,
): boolean {
	if (operation === 'createText') {
		return wanted.kind === 'addText' && same(body, { title: wanted.title, text: wanted.text });
	}
	if (operation !== 'initiate') return true;
	const files = filesOf(wanted).map(({ fileName, size: fileSize }) => ({ fileName, fileSize }));
	const named: unknown = Object(body).files;
	if (!Array.isArray(named)) return false;
	const asked = named.map(({ fileName, fileSize }) => ({ fileName, fileSize }));
	const isExpired = requests.some(
		({ arrival, end }) => arrival.operation === 'upload' && end?.status === 403,
	);
	// Of an address that is no longer good, one file is announced anew.
	return same(asked, files) || (isExpired && files.some((file) => same(asked, [file])));
}

function mayDelete(wanted: Wanted, id: string, name: string): boolean {
	if (wanted.kind === 'delete') return wanted.ids.includes(id);
	return (
		wanted.kind === 'replace' && wanted.deleteOld !== 'never' && isOldVersion(wanted, id, name)
	);
}

function mayRemove(wanted: Wanted, id: string, name: string, place: string): boolean {
	if (wanted.kind !== 'replace' || !isOldVersion(wanted, id, name)) return false;
	return wanted.deleteOld === 'always' || place === `${wanted.uid}/uploads`;
}

function isOldVersion({ old }: Replacement, id: string, name: string): boolean {
	return 'id' in old ? old.id === id : old.name === name;
}

/** What is sent although another item has failed: entries without content go, replacements are brought to their end. */
function isGoingToItsEnd(one: Exchange, given: Case): boolean {
	if (isTakingAway(one, given)) return true;
	const { operation = '', request } = one.arrival;
	const isAdded = given.exchanges.some(
		(sent) =>
			sent.arrival.operation === 'add' &&
			sent.arrival.request < request &&
			meaningOf(sent).startsWith('done'),
	);
	return (
		given.scenario.operation === 'replace' &&
		['remove', 'list', 'deleteUpload'].includes(operation) &&
		isAdded
	);
}

/** What a refusal means after an answer was lost: the file is there already, or gone already. */
function isDoneBefore(sent: Exchange[]): boolean {
	const status = sent.at(-1)?.end?.status;
	const isLost = sent.slice(0, -1).some((one) => meaningOf(one).includes('uncertain'));
	return isLost && (status === 412 || status === 404);
}

/** Whether an honest service lets an item be done; undefined where that depends on the moment. */
function canBeDone(one: Asked, given: Case): boolean | undefined {
	const { wanted } = one;
	const { habits, options, items } = given.scenario;
	const there = given.before.records.map(({ uniqueId }) => uniqueId);
	switch (wanted.kind) {
		case 'getMany':
			return true;
		case 'getStatus':
			return habits.unknownInPoll !== 'refuse' || wanted.ids.every((id) => there.includes(id));
		case 'delete':
			return options.ifGone === 'deleted' || wanted.ids.every((id) => there.includes(id));
		case 'replace': {
			const found = oldVersionOf({ ...one, wanted }, given);
			if (found === 'refused') return false;
			if (found === undefined) return undefined;
			break;
		}
		default:
	}
	if (agentOf(wanted) === 'nobody') return false;
	const waits = wanted.kind === 'replace' || ('waits' in wanted && wanted.waits);
	const isNeeded = agentOf(wanted) !== undefined && habits.unindexedFiles === 'refuse';
	if (!waits) return isNeeded ? undefined : true;
	const own = given.after.records.filter(({ uniqueId }) =>
		broughtBy(one, given).includes(uniqueId),
	);
	if (own.some(({ status }) => status === 'failed')) return false;
	const files = items.reduce((sum, item) => sum + namesOf(item.wanted).length, 0);
	const indexingMs = (habits.indexingMs ?? 20) * files;
	const isSlow = indexingMs > (options.maxIndexingMinutes ?? 10) * 60_000 - 2000;
	return isSlow ? undefined : true;
}

/** Whether the node was told that this file or text has arrived. */
function isConfirmed({ wanted, requests }: Asked, id: string): boolean {
	return requests.some((one) => {
		const { operation } = one.arrival;
		const brings =
			wanted.kind === 'addText'
				? operation === 'createText'
				: operation === 'upload' && one.ids.includes(id);
		return brings && meaningOf(one) === 'done';
	});
}
