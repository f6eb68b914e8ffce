export const BASE_PATH = '/v3';

const AGENTS = `${BASE_PATH}/ai-agents/agent-builder/agents`;
const CHANGE = new RegExp(`^${AGENTS}/([^/]+)/knowledge-base/([^/]+)/(add|remove)$`);

export type Operation = 'add' | 'remove' | 'list';

/** What a request is about. Empty if its method and path are none of the three operations. */
export interface Address {
	operation?: Operation;
	/** Decoded: `a%20b` is `a b`. */
	uid?: string;
	/** Decoded. */
	sourceType?: string;
}

/** @param path The raw path as received, percent-encoded, with or without a query. */
export function readAddress(method: string, path: string): Address {
	const [route = ''] = path.split('?');
	if (method === 'GET' && route === AGENTS) return { operation: 'list' };
	const [, uid, sourceType, operation] = CHANGE.exec(route) ?? [];
	if (method !== 'PATCH' || uid === undefined || sourceType === undefined) return {};
	try {
		return {
			operation: operation === 'add' ? 'add' : 'remove',
			uid: decodeURIComponent(uid),
			sourceType: decodeURIComponent(sourceType),
		};
	} catch {
		// `%ZZ` and its like decode to nothing.
		return {};
	}
}
