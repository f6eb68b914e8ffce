import {
	behindCursor,
	BY_CURSOR,
	cursorOf,
	cutPage,
	newestFirst,
	seeds,
	startMs,
	type Place,
} from './lists';
import { DONE, KNOWLEDGE_BASE, refused, route } from './routes';
import { Rules } from './script';
import type { ServiceOptions } from './service';
import { digits, list, optional, text } from './shapes';
import type { Version } from './texts';
import type { Upload } from './uploads';
import { stateOf, type Website } from './websites';

/** The type of a document. It is not documented which of the last three a website has (`recordType` of a crawl). */
export type RecordType = 'uploads' | 'text-details' | 'website' | 'web-pages' | 'website-details';

/**
 * A file, text or website as 'List knowledge base records' shows it. `sourceName` is a name, title or URL (our choice).
 */
export interface KnowledgeRecord {
	uniqueId: string;
	sourceName: string;
	type: RecordType;
	status: 'inSync' | 'indexing' | 'indexed' | 'failed';
	createdAt: number;
	updatedAt: number;
}

/** A record at the start. Missing fields get the defaults of an indexed upload. */
export type RecordSeed = Pick<KnowledgeRecord, 'sourceName'> & Partial<KnowledgeRecord>;

export interface RecordOptions {
	/** The files and texts at the start, newest first, or their number. Left out: none. */
	records?: RecordSeed[] | number;
	/** Whether the ID of a deleted document is used again. */
	freedIds?: 'never' | 'again';
	/** The response for an unknown ID in a poll: 'refuse' is 404 for the whole request. */
	unknownInPoll?: 'omit' | 'refuse';
	/** The name of the start of the next page; `cursor` if left out. */
	recordsNext?: string;
}

/** The indexing of files and texts. */
export interface IndexingOptions {
	/** The time for a file or text; 20 if left out. */
	ms?: number;
	/** The status after successful indexing. */
	ends?: 'indexed' | 'inSync';
	/** Lets every nth indexing fail: 3 means the third, the sixth … Left out: none. */
	failEvery?: number;
}

/** A rule for a file, which replaces the options. */
export interface IndexingRule {
	for?: { fileName?: string; uniqueId?: string };
	/** The number of indexings; 1 if left out, `Infinity` for all. */
	times?: number;
	ms?: number;
	ends?: IndexingEnd['status'];
}

/** The end of an indexing, with its Unix time in milliseconds. */
export interface IndexingEnd {
	atMs: number;
	status: 'indexed' | 'inSync' | 'failed';
}

/** A file, text or website, and everything that belongs to it. */
export interface Source extends Place {
	/** The record before its indexing. */
	record: KnowledgeRecord;
	/** The times when the document appeared in the list (`Infinity`: not yet) and left it, in Unix milliseconds. */
	fromMs: number;
	untilMs: number;
	indexing?: IndexingEnd;
	upload?: Upload;
	/** Its texts, oldest first. */
	versions?: Version[];
	website?: Website;
}

/** `start` and `end`, marked as required, are left out in the documentation's own example. */
const LIST = { ...BY_CURSOR, startTime: optional(digits()), endTime: optional(digits()) };

const DELETIONS = [
	['deleteUpload', 'uploads'],
	['deleteText', 'text'],
	['deleteWebsite', 'website'],
] as const;

/** The indexing of files and texts. */
export class Indexing {
	readonly rules = new Rules<IndexingRule>();
	private count = 0;

	reset(): void {
		this.rules.reset();
		this.count = 0;
	}

	/** @param fileName The name, or the title of a text. */
	begin(uniqueId: string, fileName: string, options: IndexingOptions = {}): IndexingEnd {
		const { ms = 20, ends = 'indexed', failEvery = Infinity } = options;
		const rule = this.rules.take({ uniqueId, fileName });
		this.count += 1;
		const usual = this.count % failEvery === 0 ? 'failed' : ends;
		return { atMs: Date.now() + (rule?.ms ?? ms), status: rule?.ends ?? usual };
	}
}

/** The files, texts and websites of the app. */
export class Records {
	readonly routes = [
		route('records', `GET ${KNOWLEDGE_BASE}`, LIST, ({ given }) => {
			const { recordsNext = 'cursor', lagsMs } = this.options;
			const { cursor, limit, startTime = -Infinity, endTime = Infinity } = given;
			const isWithin = ({ createdAt }: Source) =>
				Number(startTime) < createdAt && createdAt < Number(endTime);
			const placeOf = (source: Source) => ({ [recordsNext]: cursorOf(source) });
			const body = () => {
				const behindMs = lagsMs?.records ?? 0;
				const found = behindCursor(this.listed(behindMs).filter(isWithin), cursor);
				const { data, meta } = cutPage(found, limit, placeOf);
				return { data: data.map((source) => recordOf(source, Date.now() - behindMs)), meta };
			};
			return { body };
		}),
		route('poll', `POST ${KNOWLEDGE_BASE}/status/poll`, { uniqueId: list(text()) }, (asked) => {
			const { uniqueId: ids } = asked.given;
			if (this.options.unknownInPoll === 'refuse') ids.forEach((id) => this.known(id));
			const statusOf = (id: string) => {
				const source = this.get(id);
				return source === undefined ? [] : [[id, recordOf(source).status]];
			};
			const statuses = () => Object.fromEntries(ids.flatMap(statusOf));
			return { body: () => ({ success: true, data: statuses() }) };
		}),
		// Any status is allowed (undocumented).
		route('sync', `PATCH ${KNOWLEDGE_BASE}/{sourceType}/{uniqueId}/sync`, {}, (asked) => {
			const source = this.known(asked.uniqueId, asked.sourceType);
			return { ...DONE, change: () => this.reindex(source) };
		}),
		// An upload can be deleted before its bytes have arrived.
		...DELETIONS.map(([operation, type]) =>
			route(operation, `DELETE ${KNOWLEDGE_BASE}/${type}/{uniqueId}`, {}, ({ uniqueId }) => {
				const source = this.known(uniqueId, type, this.byId.get(uniqueId));
				return { ...DONE, change: () => this.remove(source) };
			}),
		),
	];

	readonly indexing = new Indexing();
	/** Removes a document from all agents. */
	detach: (uniqueId: string) => void = () => undefined;
	/** Newest first, including deleted documents, because a late list still contains them. */
	private sources: Source[] = [];
	private readonly byId = new Map<string, Source>();
	/** Oldest first. */
	private readonly seeded: KnowledgeRecord[];
	/** Both are never reset, so that no ID is used twice (unless by `freedIds`). */
	private idCount = 0;
	private sequence = 0;
	/** The IDs of deleted documents, oldest first. */
	private freed: string[] = [];

	constructor(private readonly options: ServiceOptions) {
		const start = seeds(options.records ?? [], (number) => ({ sourceName: `file-${number}.pdf` }));
		const prepare = (seed: RecordSeed, index: number) =>
			this.prepare({ createdAt: startMs(index), ...seed });
		this.seeded = start.map(prepare).reverse();
		this.reset();
	}

	reset(): void {
		[this.sources, this.freed] = [[], []];
		this.byId.clear();
		this.indexing.reset();
		for (const record of this.seeded) this.add(record, -Infinity);
	}

	/** Makes a record with a new ID, which is not in the list yet. */
	prepare(seed: RecordSeed): KnowledgeRecord {
		const freed = this.options.freedIds === 'again' ? this.freed.shift() : undefined;
		if (freed === undefined) this.idCount += 1;
		const { createdAt = Date.now() } = seed;
		const usual = {
			uniqueId: freed ?? uuid(this.idCount),
			type: 'uploads',
			status: 'indexed',
		} as const;
		return { ...usual, updatedAt: createdAt, ...seed, createdAt };
	}

	/** @param fromMs The time since which the record is listed; now if left out. */
	add(record: KnowledgeRecord, fromMs = Date.now()): Source {
		const { uniqueId, createdAt } = record;
		if (this.byId.has(uniqueId)) throw new Error(`Two records have the uniqueId ${uniqueId}.`);
		this.sequence += 1;
		const place = { createdAt, sequence: this.sequence };
		const source: Source = { record, ...place, fromMs, untilMs: Infinity };
		this.byId.set(uniqueId, source);
		this.sources.unshift(source);
		const [, next] = this.sources;
		if (next !== undefined && next.createdAt > createdAt) this.sources.sort(newestFirst);
		return source;
	}

	/** Returns all documents, newest first, including unlisted ones. */
	all(): Source[] {
		return this.sources.filter(({ untilMs }) => untilMs === Infinity);
	}

	/** Returns the list, newest first. @param behindMs The age of the returned state. */
	listed(behindMs = 0): Source[] {
		const asOfMs = Date.now() - behindMs;
		return this.sources.filter(({ fromMs, untilMs }) => fromMs <= asOfMs && asOfMs < untilMs);
	}

	get(uniqueId: string): Source | undefined {
		const source = this.byId.get(uniqueId);
		return source?.fromMs === Infinity ? undefined : source;
	}

	/** Finds a document, and refuses an unknown ID or another source type (undocumented). */
	known(uniqueId: string, sourceType?: string, source = this.get(uniqueId)): Source {
		if (source !== undefined && typeOf(source) === (sourceType ?? typeOf(source))) return source;
		throw refused(404, 'ERR_KB_NOT_FOUND', `There is no record with uniqueId ${uniqueId}`);
	}

	/** Adds a record to the queue, once. */
	index(source: Source): void {
		const { uniqueId, sourceName } = source.record;
		source.indexing ??= this.indexing.begin(uniqueId, sourceName, this.options.indexing);
	}

	/** Adds a record to the queue again. */
	reindex(source: Source, change: Partial<KnowledgeRecord> = {}): void {
		source.record = { ...source.record, ...change, status: 'indexing' };
		source.indexing = undefined;
		this.index(source);
	}

	private remove(source: Source): void {
		const { uniqueId } = source.record;
		// Another request, or a reset, has deleted the document.
		if (this.byId.get(uniqueId) !== source) return;
		source.untilMs = Date.now();
		this.byId.delete(uniqueId);
		this.freed.push(uniqueId);
		this.detach(uniqueId);
	}
}

/** Returns the record of a document, now or at an earlier time. */
export function recordOf(source: Source, asOfMs = Date.now()): KnowledgeRecord {
	const { record, indexing, website } = source;
	if (indexing !== undefined && asOfMs < indexing.atMs) return { ...record };
	const ended = indexing && { status: indexing.status, updatedAt: indexing.atMs };
	return { ...record, ...ended, ...(website && stateOf(website, asOfMs)) };
}

/** Returns the source type in paths. */
export function typeOf({ record: { type } }: Source): 'uploads' | 'text' | 'website' {
	if (type === 'uploads') return 'uploads';
	return type === 'text-details' ? 'text' : 'website';
}

/** Makes a text that looks like a UUID of version 4. */
export function uuid(number: number): string {
	return `${number.toString(16).padStart(8, '0')}-0000-4000-8000-${'0'.repeat(12)}`;
}
