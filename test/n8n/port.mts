import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Returns the requested port, or a free one. A used port is refused: its server would be mistaken for the started one.
 */
export async function freePort(port = 0): Promise<number> {
	const server = createServer().listen(port, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	server.close();
	await once(server, 'close');
	return typeof address === 'object' && address !== null ? address.port : port;
}
