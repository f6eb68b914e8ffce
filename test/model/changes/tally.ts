import type { Exchange } from '../exchanges';
import { meaningOf } from '../facts';
import { befallen } from '../tally';
import type { Played } from './play';
import { readReport } from './reported';

/** What some run has to meet, beside what runs of any operation meet. */
export const WANTED = [
	'sent again',
	'a time named that no Max Wait allows, and not by a 429',
	'several items in a request',
	'a request refused and split',
	'an item in several requests',
	'an agent asked for',
	'an unknown agent found out',
];

export function met(played: Played): Set<string> {
	const { run, scenario } = played;
	const isLookup = ({ arrival }: Exchange) => arrival.operation === 'agent';
	const lookups = played.exchanges.filter(isLookup);
	const exchanges = played.exchanges.filter((one) => !isLookup(one));
	const reported = readReport(run, scenario);
	const found = befallen(played);
	const standings = typeof reported === 'string' ? [] : reported;
	for (const { standing } of standings) found.add(standing);
	const bodies = exchanges.map(({ arrival: { uid }, ids }) => `${uid} ${ids.join()}`);
	const when = (holds: boolean, name: string) => holds && found.add(name);
	when(new Set(bodies).size < bodies.length, 'sent again');
	const itemIds = scenario.items.map(({ meaning }) => (meaning.kind === 'ids' ? meaning.ids : []));
	when(
		exchanges.some(({ ids }) => !itemIds.some((own) => ids.every((id) => own.includes(id)))),
		'several items in a request',
	);
	when(
		exchanges.some(
			(one, place) =>
				meaningOf(one) === 'refused' &&
				exchanges
					.slice(place + 1)
					.some(
						({ ids }) => ids.length < one.ids.length && ids.every((id) => one.ids.includes(id)),
					),
		),
		'a request refused and split',
	);
	when(
		itemIds.some((own) => {
			const pieces = exchanges.filter(({ ids }) => ids.every((id) => own.includes(id)));
			return pieces.length > 1 && pieces.every(({ ids }) => ids.length < own.length);
		}),
		'an item in several requests',
	);
	when(lookups.length > 0, 'an agent asked for');
	when(
		lookups.some(({ cause, end }) => cause === undefined && end?.status === 404),
		'an unknown agent found out',
	);
	return found;
}
