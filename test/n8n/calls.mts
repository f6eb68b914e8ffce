import type { Service } from '../service/service.js';

/** One call of the workflow `queue.json`: an item for each entry. */
export interface Call {
	entries: Array<{ agent: string; add: string[]; remove: string[] }>;
}

/** Calls whose file IDs all differ. Each entry adds three files and then removes one of them. */
export function makeCalls(
	name: string,
	count: number,
	entriesEach: number,
	agents: string[],
): Call[] {
	return Array.from({ length: count }, (_, call) => ({
		entries: Array.from({ length: entriesEach }, (_, entry) => {
			const agent = agents[(call + entry) % agents.length] ?? '';
			const file = (kind: string) => `${name}-${call}-${entry}-${kind}`;
			return {
				agent,
				add: [file('first'), file('second'), file('outdated')],
				remove: [file('outdated')],
			};
		}),
	}));
}

/** Where an agent does not hold exactly what these calls leave there; empty if all is well. */
export function misplaced(service: Service, calls: Call[]): string {
	const entries = calls.flatMap((call) => call.entries);
	const wrong = service.agents().flatMap(({ uid }) => {
		const wanted = entries
			.filter(({ agent }) => agent === uid)
			.flatMap(({ add, remove }) => add.filter((id) => !remove.includes(id)));
		const held = service.files(uid, 'uploads');
		const missing = wanted.filter((id) => !held.includes(id));
		const tooMany = held.filter((id) => !wanted.includes(id));
		return missing.length + tooMany.length === 0
			? []
			: [`${uid} lacks ${list(missing)} and has ${list(tooMany)} too many`];
	});
	return wrong.join('; ');
}

function list(ids: string[]): string {
	if (ids.length <= 5) return ids.join(', ') || 'nothing';
	return `${ids.slice(0, 5).join(', ')} and ${ids.length - 5} more`;
}
