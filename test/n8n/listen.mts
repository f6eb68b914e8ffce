import type { Express } from 'express';

/** A server on this machine, for as long as a proof needs it. */
export interface Listening {
	/** `http://127.0.0.1:PORT` */
	baseUrl: string;
	stop(): Promise<void>;
}

export async function listen(app: Express): Promise<Listening> {
	const server = await new Promise<ReturnType<typeof app.listen>>((resolve, reject) => {
		const starting = app.listen(0, '127.0.0.1', (error) => {
			if (error) reject(error);
			else resolve(starting);
		});
	});
	const address = server.address();
	if (typeof address !== 'object' || address === null) throw new Error('The server has no port.');
	return {
		baseUrl: `http://127.0.0.1:${address.port}`,
		stop: async () => {
			await new Promise((resolve) => {
				server.close(resolve);
				server.closeAllConnections();
			});
		},
	};
}
