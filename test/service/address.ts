export const BASE_PATH = '/v3';
export const AGENTS = '/ai-agents/agent-builder/agents';
export const KNOWLEDGE_BASE = '/ai-agents/agent-builder/knowledge-base';

type OfAgents = 'list' | 'agent' | 'createAgent' | 'updateAgent' | 'models' | 'add' | 'remove';
type OfRecords = 'records' | 'poll' | 'sync' | 'pages';
type OfDeletion = 'deleteUpload' | 'deleteText' | 'deleteWebsite';
type OfTexts = 'createText' | 'listTexts' | 'getText' | 'updateText';
type OfWebsites = 'crawl' | 'discoveredUrls' | 'processUrls' | 'pollUrls' | 'retryUrls';
type OfChats = 'listUsers' | 'sendMessage' | 'thread' | 'chat' | 'deleteMessage';
/** 'upload' at the upload host, all others at the API. */
type OfFiles = 'initiate' | 'upload';

/** What a request asks for. */
export type Operation =
	OfAgents | OfRecords | OfDeletion | OfTexts | OfWebsites | OfChats | OfFiles;

/** What a path names, decoded: `a%20b` is `a b`. */
export interface Address {
	uid?: string;
	sourceType?: string;
	/** Of a document or a message. */
	uniqueId?: string;
}
