import express from 'express';
import { listen, type Listening } from '../listen.mjs';

const UPLOADS = [
	{ agent: 'support-bot', uploadId: 'http-1', fileName: 'returns.pdf' },
	{ agent: 'sales-assistant', uploadId: 'http-2', fileName: 'prices.pdf' },
	{ agent: 'support-bot', uploadId: 'http-3', fileName: 'warranty.docx' },
];

/** A user's own place for files, which a workflow asks before it comes to the node. */
export async function startFiles(): Promise<Listening> {
	const app = express();
	app.get('/uploads', (_request, response) => {
		response.json(UPLOADS);
	});
	app.get('/folder', (_request, response) => {
		response.json({ folder: [{ uniqueId: 'folder-1' }, { uniqueId: 'folder-2' }] });
	});
	return await listen(app);
}
