import { meaningOf } from '../facts';
import { befallen } from '../tally';
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
];

export function met(played: Played): Set<string> {
	const { run, scenario, exchanges, after } = played;
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
	return found;
}
