import type { Service } from '../../service/service.js';
import type { Item } from '../execution.mjs';
import { at, listAt, textAt } from '../fields.mjs';
import type { Fault } from './faults.mjs';

/** What became of a file: by the node's output, or by the service's log. */
export type Effect = 'applied' | 'not applied' | 'unknown';

/** What one item asks for. */
export interface Asked {
	file: string;
	agent: string;
}

type Ended = Pick<Service['log'][number], 'kind' | 'status'>;

/** What the node can know of a file, by all that the service has answered for it, in order. */
export function effectByLog(service: Service, faults: Fault[]): Map<string, Effect> {
	const meanings = new Map(faults.map(({ file, means }) => [file, means]));
	const effects = new Map<string, Effect>();
	for (const { kind, status, uniqueIds = [] } of service.log) {
		if (kind === 'arrived') continue;
		for (const file of uniqueIds) {
			const effect = effectOf({ kind, status }, meanings.get(file));
			// A refusal does not take back what an answer that was lost may have done.
			if (effect !== 'not applied' || !effects.has(file)) effects.set(file, effect);
		}
	}
	return effects;
}

function effectOf({ kind, status = 0 }: Ended, means: Fault['means']): Effect {
	if (kind !== 'answered' || status >= 500) return 'unknown';
	return status === 200 ? (means ?? 'applied') : 'not applied';
}

/** Where the output is not one item for each that was asked for, in order and linked to it. */
export function misnumbered(items: Item[], asked: Asked[]): string[] {
	if (items.length !== asked.length) return [`${items.length} items for ${asked.length}`];
	return items.flatMap((item, index) => {
		const isOwn = idOf(item) === asked[index]?.file && at(item.pairedItem, 'item') === index;
		return isOwn ? [] : [`item ${index} is ${JSON.stringify(item)}`];
	});
}

export function effectInOutput(item: Item | undefined): Effect | 'no effect' {
	if (at(item?.json, 'success') === true) return 'applied';
	const effect = textAt(item?.json, 'error', 'effect');
	return effect === 'not applied' || effect === 'unknown' ? effect : 'no effect';
}

/** The only file of an item. */
function idOf({ json }: Item): string {
	const ids =
		json.success === true ? listAt(json, 'uniqueIds') : listAt(json, 'error', 'uniqueIds');
	return ids.join();
}

/** Requests for other files or agents than those that were asked for. */
export function strayRequests(service: Service, asked: Asked[]): string[] {
	const agents = new Map(asked.map(({ file, agent }) => [file, agent]));
	return service.requests().flatMap(({ operation, uid, sourceType, uniqueIds = [], path }) => {
		const [file = '', ...more] = uniqueIds;
		const isAsked =
			operation === 'add' &&
			sourceType === 'uploads' &&
			more.length === 0 &&
			uid !== undefined &&
			agents.get(file) === uid;
		return isAsked ? [] : [`${path} with ${uniqueIds.join()}`];
	});
}
