import type { RequestHandler } from 'express';
import express from 'express';

/** A server on 127.0.0.1. */
export interface Host {
	/** `http://127.0.0.1:PORT` */
	origin: string;
	port: number;
	/** Closes every connection at once and frees the port. */
	stop(): Promise<void>;
}

/** @param port 0 is any free port. */
export async function listen(handle: RequestHandler, port: number): Promise<Host> {
	const app = express();
	app.disable('x-powered-by').disable('etag');
	app.enable('case sensitive routing').enable('strict routing');
	app.use(handle);
	const server = await new Promise<ReturnType<typeof app.listen>>((resolve, reject) => {
		const starting = app.listen(port, '127.0.0.1', (error) => {
			if (error) reject(error);
			else resolve(starting);
		});
	});
	// A connection that closes just as the client uses it again would look like misbehaviour.
	server.keepAliveTimeout = 60_000;
	const address = server.address();
	if (typeof address !== 'object' || address === null) throw new Error('The server has no port.');
	let stopped: Promise<void> | undefined;
	return {
		origin: `http://127.0.0.1:${address.port}`,
		port: address.port,
		stop: async () => {
			stopped ??= new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			});
			await stopped;
		},
	};
}
