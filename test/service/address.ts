export const BASE_PATH = '/v3';
export const AGENTS = '/ai-agents/agent-builder/agents';
export const KNOWLEDGE_BASE = '/ai-agents/agent-builder/knowledge-base';

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

/** What a path names, decoded: `a%20b` is `a b`. */
export interface Address {
	uid?: string;
	sourceType?: string;
	/** Of a document or a message. */
	uniqueId?: string;
}
