import type { Express } from 'express';
import { documentBytes } from './files.mjs';

const GOOGLE_TYPE = 'application/vnd.google-apps.';
const GOOGLE_FOLDER = `${GOOGLE_TYPE}folder`;
const PDF = 'application/pdf';

/** A file in a folder in a folder in `manuals`. */
const ENTRIES = [
	{ id: 'returns', name: 'Returns', parent: 'manuals', mimeType: `${GOOGLE_TYPE}document` },
	{ id: 'prices', name: 'Prices', parent: 'manuals', mimeType: GOOGLE_FOLDER },
	{ id: 'list', name: 'list.pdf', parent: 'prices', mimeType: PDF },
	{ id: 'old', name: '2025', parent: 'prices', mimeType: GOOGLE_FOLDER },
	{ id: 'old-list', name: 'list.pdf', parent: 'old', mimeType: PDF },
];
type Entry = (typeof ENTRIES)[number];

const MODIFIED = '2026-01-31T12:00:00.000Z';

/** Adds Google Drive and OneDrive, as far as n8n's nodes use them in the examples. */
export function addDrives(app: Express): void {
	app.get('/drive/v3/files', ({ query: { q } }, response) => {
		const [, parent] = /'([^']+)' in parents/.exec(String(q)) ?? [];
		const isForFolders = String(q).includes(`mimeType = '${GOOGLE_FOLDER}'`);
		const files = ENTRIES.filter(
			(entry) => entry.parent === parent && (entry.mimeType === GOOGLE_FOLDER) === isForFolders,
		).map((entry) => ({ ...entry, modifiedTime: MODIFIED }));
		response.json({ files });
	});
	app.get('/drive/v3/files/:id', ({ params, query: { alt } }, response) => {
		if (alt === 'media') response.type('pdf').send(bytesOf(`${params.id}.pdf`));
		else response.json(entryWith(params.id));
	});
	app.get('/drive/v3/files/:id/export', ({ params, query: { mimeType } }, response) => {
		response.type(String(mimeType)).send(bytesOf(`${params.id}.docx`));
	});
	app.get('/v1.0/me/drive/items/:id/children', ({ params }, response) => {
		const children = ENTRIES.filter(({ parent }) => parent === params.id);
		response.json({ value: children.map(asOneDrive) });
	});
	app.get('/v1.0/me/drive/items/:id', ({ params }, response) => {
		response.json(asOneDrive(entryWith(params.id)));
	});
	app.get('/v1.0/me/drive/items/:id/content', ({ params }, response) => {
		response.type('pdf').send(bytesOf(`${params.id}.pdf`));
	});
}

function entryWith(id: string): Entry {
	const entry = ENTRIES.find((each) => each.id === id);
	if (entry === undefined) throw new Error(`The drives have no ${id}.`);
	return entry;
}

function asOneDrive({ id, name, mimeType }: Entry) {
	const kind = mimeType === GOOGLE_FOLDER ? { folder: {} } : { file: { mimeType } };
	return { id, name, lastModifiedDateTime: MODIFIED, ...kind };
}

function bytesOf(name: string): Buffer {
	return Buffer.concat([...documentBytes(name)]);
}
