import type { Service } from '../../service/service';
import { BARRIER } from './world';

/** The actual state at a moment, independent of the node and of late lists. */
export interface Truth {
	/** The files, texts and websites of the account, by ID. */
	documents: ReadonlyMap<string, Document>;
	/** The IDs of each agent's documents, by UID. */
	attached: ReadonlyMap<string, readonly string[]>;
	agents: readonly string[];
}

export interface Document {
	/** Distinguishes documents with the same ID, which may be used again. */
	createdAt: number;
	/** The file's name, the title with plain spaces, or the URL without a slash at its end. */
	name: string;
	isUsable: boolean;
	/** The bytes' checksum, the text with plain spaces, or the URLs of the indexed pages. */
	content: string;
	/** The URLs of a website's pages that were indexed without a barrier, and of pages without indexing. */
	read: readonly string[];
	open: readonly string[];
}

export function plain(text: string): string {
	return text.replace(/\s+/g, ' ').trim();
}

const SOURCE_TYPES = ['uploads', 'text', 'website'];

export function truthOf(service: Service): Truth {
	const websites = new Map(service.websites().map((one) => [one.uniqueId, one.pages]));
	const documents = service.records().map((record): [string, Document] => {
		const { uniqueId, sourceName, status, createdAt } = record;
		const pages = websites.get(uniqueId) ?? [];
		const having = (...statuses: string[]) =>
			pages
				.flatMap(({ status: one, url, content: text }) =>
					statuses.includes(one) && text !== BARRIER ? [url] : [],
				)
				.sort();
		const read = having('processed');
		const stored = service.stored(uniqueId)?.checksum;
		const said = pages.length > 0 ? read.join(' ') : service.text(uniqueId);
		const content = stored === undefined ? plain(String(said)) : String(stored);
		const isUsable = status === 'indexed' || status === 'inSync';
		const name = plain(nameOf(sourceName));
		const open = having('discovered', 'processing');
		return [uniqueId, { createdAt, name, isUsable, content, read, open }];
	});
	const agents = service.agents();
	const attached = agents.map(({ uid }): [string, string[]] => [
		uid,
		SOURCE_TYPES.flatMap((sourceType) => service.files(uid, sourceType)),
	]);
	return {
		documents: new Map(documents),
		attached: new Map(attached),
		agents: agents.map(({ name }) => name),
	};
}

/** Returns the name of a document; for a website, one form of its URL. */
export function nameOf(sourceName: string): string {
	return sourceName.replace(/\/$/, '').replace(/^https?:\/\/(?:www\.)?/, 'https://');
}

/** Returns the existing documents of an agent, or of the account. */
export function documentsOf(truth: Truth, uid?: string): Array<Document & { id: string }> {
	const ids = uid === undefined ? [...truth.documents.keys()] : (truth.attached.get(uid) ?? []);
	return ids.flatMap((id) => {
		const document = truth.documents.get(id);
		return document === undefined ? [] : [{ id, ...document }];
	});
}

/** Returns the names and contents of the account and of each agent. @param isRead Whether the indexing matters. */
export function pictureOf(truth: Truth, isRead = true): string {
	const seen = (uid?: string) =>
		documentsOf(truth, uid)
			.map(
				({ name, isUsable, content }) =>
					`${name} (${isUsable || !isRead ? content : 'not usable'})`,
			)
			.sort();
	const agents = [...truth.attached.keys()].map((uid) => [uid, seen(uid)]);
	return JSON.stringify({ account: seen(), agents, names: [...truth.agents].sort() }, null, 1);
}
