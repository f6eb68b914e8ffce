import { meaningOf } from '../facts';
import { befallen } from '../tally';
import { isTakingAway, textsIn } from './case';
import type { Played } from './play';
import { readReport } from './reported';

/** What some run that uploads has to meet. */
export const UPLOADING = [
	'an expired address',
	'bytes cut short',
	'an address that leads astray',
	'bytes from the disk',
	'asked more than twice',
	'a file that can not be read',
	'waited for in vain',
	'upload addresses in another order',
	'upload addresses in another shape',
	'a success that is denied',
	'an entry without content taken away',
	'a question for several items',
	'a refused question asked again in parts',
];

/** What some run of Replace File has to meet. */
export const REPLACING = [
	'an old version deleted',
	'an old version kept for another agent',
	'an old version kept because the lists do not tell',
	'a document replaced twice in a run',
	'an agent asked for by itself',
	'a step that nobody can know of',
	'brought to its end although another item failed',
];

export function met(played: Played): Set<string> {
	const { run, scenario, exchanges, after, names } = played;
	const { operation, items } = scenario;
	const reported = readReport(played);
	const standings = typeof reported === 'string' ? [] : reported;
	const found = befallen(played);
	for (const { standing } of standings) {
		found.add(standing);
		found.add(`${operation}: ${standing}`);
	}
	const when = (holds: boolean, name: string) => holds && found.add(name);
	const uploads = exchanges.filter(({ arrival }) => arrival.host === 'uploads');
	const { expiresMs } = scenario.habits;
	when(
		expiresMs !== undefined &&
			uploads.some(({ end, cause }) => end?.status === 403 && cause === undefined),
		'an expired address',
	);
	when(
		uploads.some(
			({ cause, end }) =>
				cause !== undefined &&
				'given' in cause &&
				cause.given.afterBytes !== undefined &&
				end?.kind === 'dropped',
		),
		'bytes cut short',
	);
	when(
		uploads.some(({ end }) => end?.status === 412),
		'a second use of an address',
	);
	when(
		exchanges.some(({ cause }) => cause && 'given' in cause && cause.given.kind === 'astray'),
		'an address that leads astray',
	);
	when(
		uploads.length > 0 &&
			items.some(({ files = {} }) => Object.values(files).some(({ kept }) => kept === 'on disk')),
		'bytes from the disk',
	);
	const causes = exchanges.flatMap(({ cause }) => (cause && 'given' in cause ? [cause.given] : []));
	const isMet = (kind: string) => causes.some((given) => given.kind === kind);
	when(
		exchanges.some(({ arrival, cause }) => {
			const isSo = cause && 'given' in cause && cause.given.kind === 'reordered';
			return isSo && (arrival.fileNames ?? []).length > 1;
		}),
		'upload addresses in another order',
	);
	when(isMet('reshaped'), 'upload addresses in another shape');
	when(isMet('denied'), 'a success that is denied');
	when(
		exchanges.some((one) => isTakingAway(one, played) && one.applied),
		'an entry without content taken away',
	);
	const polls = exchanges.filter(({ arrival }) => arrival.operation === 'poll');
	when(polls.filter((one) => meaningOf(one) === 'done').length > 2, 'asked more than twice');
	when(
		after.records.some(({ status, uniqueId }) => status === 'failed' && /^0{4}/.test(uniqueId)),
		'a file that can not be read',
	);
	const deletions = exchanges.filter(({ arrival }) => arrival.operation === 'deleteUpload');
	const hasSeveral = (id: string) =>
		items.filter(({ wanted }) => wanted.kind === 'delete' && wanted.ids.includes(id)).length > 1;
	when(
		deletions.some(({ ids, applied }) => applied && ids.some(hasSeveral)),
		'a file deleted for several items',
	);
	when(/"alreadyGone":\[(?!\])/.test(run.stored), 'a file that was gone');
	when(run.stored.includes('did not finish indexing'), 'waited for in vain');
	const shared = polls.filter(({ ids }) => new Set(ids.map((id) => names.get(id))).size > 1);
	when(shared.length > 0 && items.length > 1, 'a question for several items');
	when(
		shared.some((one) => meaningOf(one) === 'refused'),
		'a refused question asked again in parts',
	);
	when(
		run.stored.includes('Other agents have the old version'),
		'an old version kept for another agent',
	);
	when(
		run.stored.includes("CometChat's list of agents does not show"),
		'an old version kept because the lists do not tell',
	);
	const outputs = standings.flatMap((one) => one.outputs);
	when(
		outputs.some(({ oldId }) => oldId && outputs.some(({ newId }) => newId === oldId)),
		'a document replaced twice in a run',
	);
	when(
		outputs.some((output) => textsIn(output, 'reached')?.includes('deleted') === true),
		'an old version deleted',
	);
	when(
		exchanges.some(({ arrival }) => arrival.operation === 'agent'),
		'an agent asked for by itself',
	);
	when(
		standings.some(({ error }) => typeof error?.unknown === 'string'),
		'a step that nobody can know of',
	);
	const failed =
		run.error === undefined ? -1 : standings.findIndex((one) => one.standing === 'not applied');
	when(
		operation === 'replace' &&
			failed >= 0 &&
			exchanges.some(({ arrival }) => arrival.operation === 'remove'),
		'brought to its end although another item failed',
	);
	return found;
}
