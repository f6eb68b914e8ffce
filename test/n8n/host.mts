import { once } from 'node:events';
import type { Express } from 'express';

/** A server on 127.0.0.1. */
export interface Host {
	/** `http://127.0.0.1:PORT` */
	origin: string;
	/** Closes every connection at once and frees the port. */
	stop(): Promise<void>;
}

/** Lets an app listen at any free port. */
export async function listen(app: Express): Promise<Host> {
	const server = app.listen(0, '127.0.0.1');
	await once(server, 'listening');
	// A connection that closes just as the client uses it again would look like misbehaviour.
	server.keepAliveTimeout = 60_000;
	const address = server.address();
	if (typeof address !== 'object' || address === null) throw new Error('The server has no port.');
	return {
		origin: `http://127.0.0.1:${address.port}`,
		stop: async () => {
			const closed = once(server, 'close');
			server.close();
			server.closeAllConnections();
			await closed;
		},
	};
}
