import { Indexing, type IndexingEnd } from './indexing';
import { behindCursor, BY_CURSOR, cursorOf, cutPage, newestFirst } from './lists';
import { type Place, seeds, startMs } from './lists';
import { DONE, KNOWLEDGE_BASE, refused, route } from './routes';
import type { ServiceOptions } from './service';
import { digits, list, optional, text } from './shapes';
import type { Version } from './texts';
import type { Upload } from './uploads';
import { stateOf, type Website } from './websites';

/** Which of the last three a website has is not documented (see `recordType` of a crawl). */
export type RecordType = 'uploads' | 'text-details' | 'website' | 'web-pages' | 'website-details';

/**
 * A file, text or website as 'List knowledge base records' shows it. Times are Unix times in milliseconds.
 * Undocumented, and chosen here: `sourceName` is the file's name, the text's title or the website's address.
 */
export interface KnowledgeRecord {
	uniqueId: string;
	sourceName: string;
	type: RecordType;
	status: 'inSync' | 'indexing' | 'indexed' | 'failed';
	createdAt: number;
	updatedAt: number;
}

/** A record to start with; what is left out is filled in: an indexed upload. It stays as it is. */
export type RecordSeed = Pick<KnowledgeRecord, 'sourceName'> & Partial<KnowledgeRecord>;

export interface RecordOptions {
	/** The files and texts that are there, newest first, or how many to make up. Left out: none. */
	records?: RecordSeed[] | number;
	/** Whether what was deleted leaves its ID to the next that comes. */
	freedIds?: 'never' | 'again';
	/** An ID that a poll does not know: 'refuse' is 404 for the whole. */
	unknownInPoll?: 'omit' | 'refuse';
	/** Under which name a page of the list says where the next one begins; `cursor` if left out. */
	recordsNext?: string;
}

/** A file, text or website, and whatever belongs to it. */
export interface Source extends Place {
	/** As it was before its indexing. */
	record: KnowledgeRecord;
	/** When it came into the list (`Infinity`: it is not known yet), and when it went, in Unix milliseconds. */
	fromMs: number;
	untilMs: number;
	indexing?: IndexingEnd;
	upload?: Upload;
	/** What it has said, oldest first. */
	versions?: Version[];
	website?: Website;
}

/** `start` and `end`, marked required, are left out in the documentation's own example. */
const LIST = { ...BY_CURSOR, startTime: optional(digits()), endTime: optional(digits()) };

const DELETIONS = [
	['deleteUpload', 'uploads'],
	['deleteText', 'text'],
	['deleteWebsite', 'website'],
] as const;

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
				const found = this.listed(behindMs).filter(isWithin);
				const from = behindCursor(found, cursor);
				const { data, meta } = cutPage(found, placeOf, { limit, from });
				return { data: data.map((source) => recordOf(source, Date.now() - behindMs)), meta };
			};
			return { body };
		}),
		route('poll', `POST ${KNOWLEDGE_BASE}/status/poll`, { uniqueId: list(text()) }, (asked) => {
			const { uniqueId: ids } = asked.given;
			if (this.options.unknownInPoll === 'refuse') ids.forEach((id) => this.known(id));
			const statuses = () => {
				const known = ids.map((id) => this.get(id)).filter((source) => source !== undefined);
				return known.map((source) => [source.record.uniqueId, recordOf(source).status]);
			};
			return { body: () => ({ success: true, data: Object.fromEntries(statuses()) }) };
		}),
		// Whatever its status is (undocumented).
		route('sync', `PATCH ${KNOWLEDGE_BASE}/{sourceType}/{uniqueId}/sync`, {}, (asked) => {
			const source = this.known(asked.uniqueId, asked.sourceType);
			return { ...DONE, change: () => this.reindex(source) };
		}),
		// An upload can be deleted even before its bytes are there.
		...DELETIONS.map(([operation, type]) =>
			route(operation, `DELETE ${KNOWLEDGE_BASE}/${type}/{uniqueId}`, {}, ({ uniqueId }) => {
				const source = this.known(uniqueId, type, this.byId.get(uniqueId));
				const change = () => {
					this.remove(source);
					this.detach(uniqueId);
				};
				return { ...DONE, change };
			}),
		),
	];

	readonly indexing = new Indexing();
	/** Takes a document away from every agent. */
	detach: (uniqueId: string) => void = () => undefined;
	/** Newest first; what was deleted too: a list that is behind shows it still. */
	private sources: Source[] = [];
	private readonly byId = new Map<string, Source>();
	/** Oldest first. */
	private readonly seeded: KnowledgeRecord[];
	/** Both never start anew, so that no ID is given twice in a stand-in's life (unless by `freedIds`). */
	private idCount = 0;
	private sequence = 0;
	/** Of what was deleted, oldest first. */
	private freed: string[] = [];

	constructor(private readonly options: ServiceOptions) {
		const start = seeds(options.records ?? [], (number) => ({ sourceName: `file-${number}.pdf` }));
		this.seeded = start
			.map((seed, index) => this.prepare({ createdAt: startMs(index), ...seed }))
			.reverse();
		this.reset();
	}

	reset(): void {
		[this.sources, this.freed] = [[], []];
		this.byId.clear();
		this.indexing.reset();
		for (const record of this.seeded) this.add(record, -Infinity);
	}

	/** Makes a record with a new ID, which is not yet among the others. */
	prepare(seed: RecordSeed): KnowledgeRecord {
		const freed = this.options.freedIds === 'again' ? this.freed.shift() : undefined;
		if (freed === undefined) this.idCount += 1;
		const { status = 'indexed', createdAt = Date.now() } = seed;
		return {
			uniqueId: freed ?? uuid(this.idCount),
			type: 'uploads',
			status,
			updatedAt: createdAt,
			...seed,
			createdAt,
		};
	}

	/** @param fromMs Since when it is listed; now if left out. */
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

	/** Newest first, also those that are not known or listed yet. */
	all(): Source[] {
		return this.sources.filter(({ untilMs }) => untilMs === Infinity);
	}

	/** @param behindMs As they were so long ago, newest first, instead of as they are. */
	listed(behindMs = 0): Source[] {
		const asOfMs = Date.now() - behindMs;
		return this.sources.filter(({ fromMs, untilMs }) => fromMs <= asOfMs && asOfMs < untilMs);
	}

	get(uniqueId: string): Source | undefined {
		const source = this.byId.get(uniqueId);
		return source?.fromMs === Infinity ? undefined : source;
	}

	/** Refuses an ID that it does not hold; one of another kind is as unknown as any (undocumented). */
	known(uniqueId: string, sourceType?: string, source = this.get(uniqueId)): Source {
		if (source !== undefined && typeOf(source) === (sourceType ?? typeOf(source))) return source;
		throw refused(404, 'ERR_KB_NOT_FOUND', `There is no record with uniqueId ${uniqueId}`);
	}

	/** Whether it is still there: not deleted, nor forgotten by a reset. */
	has(source: Source): boolean {
		return this.byId.get(source.record.uniqueId) === source;
	}

	/** Sends a record into the line, unless it has been there already. */
	index(source: Source): void {
		const { uniqueId, sourceName } = source.record;
		source.indexing ??= this.indexing.begin(uniqueId, sourceName, this.options.indexing);
	}

	/** Sends a record into the line again, whatever became of it the last time. */
	reindex(source: Source, change: Partial<KnowledgeRecord> = {}): void {
		if (!this.has(source)) return;
		source.record = { ...source.record, ...change, status: 'indexing' };
		source.indexing = undefined;
		this.index(source);
	}

	private remove(source: Source): void {
		if (!this.has(source)) return;
		source.untilMs = Date.now();
		this.byId.delete(source.record.uniqueId);
		this.freed.push(source.record.uniqueId);
	}
}

/** The record of a source as it is now, or was then. */
export function recordOf(source: Source, asOfMs = Date.now()): KnowledgeRecord {
	const { record, indexing, website } = source;
	if (indexing !== undefined && asOfMs < indexing.atMs) return { ...record };
	const ended = indexing && { status: indexing.status, updatedAt: indexing.atMs };
	return { ...record, ...ended, ...(website && stateOf(website, asOfMs)) };
}

/** As paths name it. */
export function typeOf({ record: { type } }: Source): 'uploads' | 'text' | 'website' {
	if (type === 'uploads') return 'uploads';
	return type === 'text-details' ? 'text' : 'website';
}

/** A UUID of version 4 to look at. */
export function uuid(number: number): string {
	return `${number.toString(16).padStart(8, '0')}-0000-4000-8000-${'0'.repeat(12)}`;
}
