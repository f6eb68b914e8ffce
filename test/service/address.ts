export const BASE_PATH = '/v3';

const BUILDER = `${BASE_PATH}/ai-agents/agent-builder`;
const KNOWLEDGE_BASE = `${BUILDER}/knowledge-base`;
const AGENT = new RegExp(`^${BUILDER}/agents/([^/]+)$`);
const CHANGE = new RegExp(`^${BUILDER}/agents/([^/]+)/knowledge-base/([^/]+)/(add|remove)$`);
const SYNC = new RegExp(`^${KNOWLEDGE_BASE}/(uploads|text|website)/([^/]+)/sync$`);
const TEXT = new RegExp(`^${KNOWLEDGE_BASE}/text/([^/]+)$`);
const PAGES = new RegExp(`^${KNOWLEDGE_BASE}/(uploads|text|website)/([^/]+)/pages$`);
const THREAD = new RegExp(`^${BASE_PATH}/messages/([^/]+)/thread$`);
const CHAT = new RegExp(`^${BASE_PATH}/users/([^/]+)/messages$`);
const MESSAGE = new RegExp(`^${BASE_PATH}/messages/([^/]+)$`);
const FOUND = new RegExp(`^${KNOWLEDGE_BASE}/website/([^/]+)/discovered-urls(/.+)?$`);
const DELETION = new RegExp(`^${KNOWLEDGE_BASE}/(uploads|text|website)/([^/]+)$`);

/** What a request asks for: 'upload' at the upload host, the others at the API. */
export type Operation =
	| 'list'
	| 'agent'
	| 'createAgent'
	| 'updateAgent'
	| 'models'
	| 'add'
	| 'remove'
	| 'initiate'
	| 'upload'
	| 'records'
	| 'poll'
	| 'createText'
	| 'listTexts'
	| 'getText'
	| 'updateText'
	| 'deleteUpload'
	| 'deleteText'
	| 'deleteWebsite'
	| 'sync'
	| 'pages'
	| 'crawl'
	| 'discoveredUrls'
	| 'processUrls'
	| 'pollUrls'
	| 'retryUrls'
	| 'listUsers'
	| 'sendMessage'
	| 'thread'
	| 'chat'
	| 'deleteMessage';

const FIXED = new Map<string, Operation>([
	[`GET ${BUILDER}/agents`, 'list'],
	[`POST ${BUILDER}/agents`, 'createAgent'],
	[`GET ${BUILDER}/agents/available-models`, 'models'],
	[`POST ${KNOWLEDGE_BASE}/uploads/initiate`, 'initiate'],
	[`GET ${KNOWLEDGE_BASE}`, 'records'],
	[`POST ${KNOWLEDGE_BASE}/status/poll`, 'poll'],
	[`POST ${KNOWLEDGE_BASE}/text`, 'createText'],
	[`GET ${KNOWLEDGE_BASE}/text`, 'listTexts'],
	[`POST ${KNOWLEDGE_BASE}/website/scrape`, 'crawl'],
	[`GET ${BASE_PATH}/users`, 'listUsers'],
	[`POST ${BASE_PATH}/messages`, 'sendMessage'],
]);

/** What is asked of the pages of a website, by what comes behind their path. */
const OF_FOUND: Record<string, Operation> = {
	'GET ': 'discoveredUrls',
	'POST /process': 'processUrls',
	'POST /status/poll': 'pollUrls',
	'PATCH /sync': 'retryUrls',
};

const DELETIONS: Record<string, Operation> = {
	uploads: 'deleteUpload',
	text: 'deleteText',
	website: 'deleteWebsite',
};

/** What a request is about. Empty if its method and path are none of the operations. */
export interface Address {
	operation?: Operation;
	/** Decoded: `a%20b` is `a b`. */
	uid?: string;
	/** Decoded. */
	sourceType?: string;
	/** The file that the path names, decoded. */
	uniqueId?: string;
}

/** @param path The raw path as received, percent-encoded, with or without a query. */
export function readAddress(method: string, path: string): Address {
	const [route = ''] = path.split('?');
	const operation = FIXED.get(`${method} ${route}`);
	if (operation !== undefined) return { operation };
	try {
		const found = readFound(method, route);
		if (found !== undefined) return found;
		if (method === 'GET') {
			return (
				readSource(route, PAGES, 'pages') ??
				readText(route, 'getText') ??
				readAgent(route, 'agent') ??
				readChat(route)
			);
		}
		if (method === 'PATCH') {
			return (
				readText(route, 'updateText') ??
				readAgent(route, 'updateAgent') ??
				readSource(route, SYNC, 'sync') ??
				readChange(route)
			);
		}
		if (method === 'DELETE') return readDeletion(route);
	} catch {
		// `%ZZ` and its like decode to nothing.
	}
	return {};
}

function readAgent(route: string, operation: Operation): Address | undefined {
	const [, uid] = AGENT.exec(route) ?? [];
	return uid === undefined ? undefined : { operation, uid: decodeURIComponent(uid) };
}

function readText(route: string, operation: Operation): Address | undefined {
	const [, uniqueId] = TEXT.exec(route) ?? [];
	return uniqueId === undefined ? undefined : { operation, uniqueId: decodeURIComponent(uniqueId) };
}

function readSource(route: string, form: RegExp, operation: Operation): Address | undefined {
	const [, sourceType, uniqueId] = form.exec(route) ?? [];
	if (uniqueId === undefined) return undefined;
	return { operation, sourceType, uniqueId: decodeURIComponent(uniqueId) };
}

function readFound(method: string, route: string): Address | undefined {
	const [, uniqueId, rest = ''] = FOUND.exec(route) ?? [];
	const operation = OF_FOUND[`${method} ${rest}`];
	if (uniqueId === undefined || operation === undefined) return undefined;
	return { operation, uniqueId: decodeURIComponent(uniqueId) };
}

function readChange(route: string): Address {
	const [, uid, sourceType, operation] = CHANGE.exec(route) ?? [];
	if (uid === undefined || sourceType === undefined) return {};
	return {
		operation: operation === 'add' ? 'add' : 'remove',
		uid: decodeURIComponent(uid),
		sourceType: decodeURIComponent(sourceType),
	};
}

function readChat(route: string): Address {
	const [, uniqueId] = THREAD.exec(route) ?? [];
	if (uniqueId !== undefined)
		return { operation: 'thread', uniqueId: decodeURIComponent(uniqueId) };
	const [, uid] = CHAT.exec(route) ?? [];
	return uid === undefined ? {} : { operation: 'chat', uid: decodeURIComponent(uid) };
}

function readDeletion(route: string): Address {
	const [, message] = MESSAGE.exec(route) ?? [];
	if (message !== undefined)
		return { operation: 'deleteMessage', uniqueId: decodeURIComponent(message) };
	const [, kind = '', uniqueId] = DELETION.exec(route) ?? [];
	if (uniqueId === undefined) return {};
	return { operation: DELETIONS[kind], uniqueId: decodeURIComponent(uniqueId) };
}
