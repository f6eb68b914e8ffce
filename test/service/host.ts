import { createServer, type IncomingMessage, type ServerResponse } from './nodeHttp';

/** A server on 127.0.0.1. */
export interface Host {
	/** `http://127.0.0.1:PORT` */
	origin: string;
	port: number;
	/** Closes every connection at once and frees the port. */
	stop(): Promise<void>;
}

/** @param port 0 is any free port. */
export async function listen(
	handle: (request: IncomingMessage, response: ServerResponse) => void,
	port: number,
): Promise<Host> {
	const server = createServer(handle);
	// A connection that closes just as the client uses it again would look like misbehaviour.
	server.keepAliveTimeout = 60_000;
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject).listen(port, '127.0.0.1', resolve);
	});
	const address = server.address();
	if (typeof address !== 'object' || address === null) throw new Error('The server has no port.');
	const stopped = new Promise<void>((resolve) => server.once('close', resolve));
	return {
		origin: `http://127.0.0.1:${address.port}`,
		port: address.port,
		stop: async () => {
			server.close();
			server.closeAllConnections();
			await stopped;
		},
	};
}
