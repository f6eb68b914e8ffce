import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * The given port, or one that the operating system has free. A port that is taken must not get
 * through: whoever answers there would be taken for what was to be started.
 */
export async function freePort(port = 0): Promise<number> {
	const server = createServer().listen(port, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	server.close();
	await once(server, 'close');
	return typeof address === 'object' && address !== null ? address.port : port;
}
