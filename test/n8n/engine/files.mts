import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import express from 'express';
import { listen, type Host } from '../../service/http.js';
import { addDrives } from './drives.mjs';

const UPLOADS = [
	{ agent: 'support-bot', uploadId: 'http-1', fileName: 'returns.pdf' },
	{ agent: 'sales-assistant', uploadId: 'http-2', fileName: 'prices.pdf' },
	{ agent: 'support-bot', uploadId: 'http-3', fileName: 'warranty.docx' },
];

const ARTICLES = [
	[
		{ title: 'How do I return a chair?', body: '<h2>Returns</h2><p>Within <b>30 days</b>.</p>' },
		{ title: 'Delivery', body: '' },
	],
	[{ title: 'Warranty / repairs', body: '<ul><li>Chairs: 2 years</li></ul>' }],
];

export interface Document {
	name: string;
	/** For example `2026-01-31T12:00:00.000Z` */
	changedAt: string;
	text?: string;
}

/** The size of a document if no other size is requested. */
const USUAL_BYTES = 40_000;
const PIECE_BYTES = 65_536;

/** A user's own file storage, which a workflow reads before our node. */
export interface Files extends Host {
	lay(documents: Document[]): void;
}

export async function startFiles(): Promise<Files> {
	let folder: Document[] = [];
	const app = express();
	addDrives(app);
	app.get('/uploads', (_request, response) => {
		response.json(UPLOADS);
	});
	app.get('/folder', (_request, response) => {
		response.json({ folder: [{ uniqueId: 'folder-1' }, { uniqueId: 'folder-2' }] });
	});
	app.get('/documents', (_request, response) => {
		response.json(folder.map(({ name, changedAt }) => ({ name, changedAt })));
	});
	// A help center with two pages, like Zendesk's API for articles.
	app.get('/api/v2/help_center/en-us/articles.json', ({ query, headers, path }, response) => {
		const next = `http://${headers.host}${path}?page=2`;
		const isLast = query.page === '2';
		response.json({ articles: ARTICLES[isLast ? 1 : 0], next_page: isLast ? null : next });
	});
	// Any name and any size: `/documents/handbook.pdf?bytes=50000000`.
	app.get('/documents/:name', async (request, response) => {
		const { name } = request.params;
		response.attachment(name);
		const { text } = folder.find((document) => document.name === name) ?? {};
		if (text !== undefined) {
			response.send(text);
			return;
		}
		const bytes = Number(request.query.bytes ?? USUAL_BYTES);
		response.set('Content-Length', String(bytes));
		await pipeline(Readable.from(documentBytes(name, bytes)), response);
	});
	return {
		...(await listen(async (request, response) => void app(request, response))),
		lay: (laid) => {
			folder = laid;
		},
	};
}

/** Returns the bytes of a document, in parts that are all different, also from other documents. */
export function* documentBytes(name: string, bytes = USUAL_BYTES): Generator<Buffer> {
	const [extension = ''] = /\.(?:pdf|docx)\b/.exec(name) ?? [];
	const start = STARTS[extension] ?? '';
	for (let at = 0; at < bytes; at += PIECE_BYTES) {
		yield Buffer.alloc(Math.min(PIECE_BYTES, bytes - at), `${start}${name} from byte ${at} on. `);
	}
}

const STARTS: Record<string, string> = { '.pdf': '%PDF-1.7 ', '.docx': 'PK\x03\x04' };
