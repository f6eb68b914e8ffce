import type { Indexing, IndexingEnd } from './indexing';
import type { Page, PageRequest } from './page';
import { cutPage } from './page';
import { seeds, startMs } from './seeds';

export const APP_ID = 'stand-in-app';

/** Which of the last three a website has is not documented (see `recordType` of a crawl). */
export type RecordType = 'uploads' | 'text-details' | 'website' | 'web-pages' | 'website-details';
/** As paths name it. */
export type SourceType = 'uploads' | 'text' | 'website';
export type RecordStatus = 'inSync' | 'indexing' | 'indexed' | 'failed';

/**
 * A file, text or website as 'List knowledge base records' shows it. Times are Unix times in
 * milliseconds. Undocumented, and chosen here: `sourceName` is the file's name, the text's title or
 * the website's address, and the type of a website, which that page does not name, is `website`
 * unless an option says otherwise.
 */
export interface KnowledgeRecord {
	uniqueId: string;
	appId: string;
	sourceName: string;
	type: RecordType;
	status: RecordStatus;
	/** When its last indexing ended; null before (undocumented). */
	lastSynced: number | null;
	createdAt: number;
	updatedAt: number;
}

/** A record to start with; what is left out is filled in: an indexed upload. It stays as it is. */
export type RecordSeed = Pick<KnowledgeRecord, 'sourceName'> & Partial<KnowledgeRecord>;

/** A request for one page of records. */
export interface RecordsRequest extends PageRequest {
	/** Where the page starts, exclusive. */
	cursor?: Cursor;
	/** Only those between, both exclusive (undocumented): Unix times in milliseconds. */
	startTime?: number;
	endTime?: number;
}

/** Written `1732492800000.12345`, as in the documentation's example: the parts are chosen here. */
interface Cursor {
	createdAt: number;
	/** Tells records of one millisecond apart: the later one has the higher number. */
	sequence: number;
}

interface Entry extends Cursor {
	record: KnowledgeRecord;
	indexing?: IndexingEnd;
	/** What comes of its pages. */
	follows?: (asOfMs: number) => Partial<KnowledgeRecord>;
	/** When it came, whatever its `createdAt`, and when it went: Unix times in milliseconds. */
	fromMs: number;
	untilMs: number;
}

/** What is undocumented about the IDs of records. */
export interface IdOptions {
	/** Whether what was deleted leaves its ID to the next that comes; 'never' if left out. */
	freedIds?: 'never' | 'again';
}

export type RecordPage = Page<KnowledgeRecord, { cursor: string }>;

/** The files, texts and websites of the app, newest first. */
export class Records {
	private entries: Entry[] = [];
	/** What was deleted: a list that is behind shows it still. */
	private gone: Entry[] = [];
	private readonly byId = new Map<string, Entry>();
	/** The records to start with, oldest first. */
	private readonly seeded: KnowledgeRecord[];
	/** Both never start anew, so that no ID is given twice in a stand-in's life (unless by `freedIds`). */
	private idCount = 0;
	private sequence = 0;
	/** When all that was added is listed: Unix time in milliseconds. */
	private listedMs = -Infinity;
	/** Of what was deleted, oldest first. */
	private freed: string[] = [];

	/** @param start Records, newest first, or how many to make up; none if left out. */
	constructor(
		private readonly indexing: Indexing,
		start: RecordSeed[] | number = [],
		private readonly options: IdOptions = {},
	) {
		this.seeded = seeds(start, (number) => ({ sourceName: `file-${number}.pdf` }))
			.map((seed, index) => this.prepare({ createdAt: startMs(index), ...seed }))
			.reverse();
		this.reset();
	}

	reset(): void {
		this.entries = [];
		this.gone = [];
		this.freed = [];
		this.byId.clear();
		for (const record of this.seeded) this.add(record, -Infinity);
	}

	/** Makes a record with a new ID, which is not yet among the others. */
	prepare(seed: RecordSeed): KnowledgeRecord {
		const freed = this.options.freedIds === 'again' ? this.freed.shift() : undefined;
		if (freed === undefined) this.idCount += 1;
		const createdAt = seed.createdAt ?? Date.now();
		const { status = 'indexed' } = seed;
		return {
			uniqueId: freed ?? uuid(this.idCount),
			appId: APP_ID,
			type: 'uploads',
			status,
			lastSynced: status === 'indexing' ? null : createdAt,
			updatedAt: createdAt,
			...seed,
			createdAt,
		};
	}

	/** @param fromMs Since when it is listed; now if left out. */
	add(record: KnowledgeRecord, fromMs = Date.now()): void {
		const { uniqueId, createdAt } = record;
		if (this.byId.has(uniqueId)) throw new Error(`Two records have the uniqueId ${uniqueId}.`);
		this.sequence += 1;
		const life = { fromMs, untilMs: Infinity };
		const entry = { record: { ...record }, createdAt, sequence: this.sequence, ...life };
		const newest = this.entries[0];
		this.listedMs = Math.max(this.listedMs, fromMs);
		this.byId.set(uniqueId, entry);
		this.entries.unshift(entry);
		if (newest !== undefined && newest.createdAt > createdAt) this.entries.sort(newestFirst);
	}

	/** Sends a record into the line for indexing, unless it is there already or is unknown. */
	index(uniqueId: string): void {
		const entry = this.byId.get(uniqueId);
		if (entry === undefined || entry.indexing !== undefined) return;
		entry.indexing = this.indexing.begin(uniqueId, entry.record.sourceName, Date.now());
	}

	/** Sends a record into the line again, whatever became of it the last time. */
	reindex(uniqueId: string): void {
		const entry = this.byId.get(uniqueId);
		if (entry === undefined) return;
		entry.record = { ...entry.record, status: 'indexing' };
		entry.indexing = undefined;
		this.index(uniqueId);
	}

	/** Gives a record another name, and sends it into the line again. */
	rename(uniqueId: string, sourceName: string): void {
		const entry = this.byId.get(uniqueId);
		if (entry === undefined) return;
		entry.record = { ...entry.record, sourceName, updatedAt: Date.now() };
		this.reindex(uniqueId);
	}

	/** From now on a record shows what comes of its pages, unless it is in the line itself. */
	follow(uniqueId: string, follows: Entry['follows']): void {
		const entry = this.byId.get(uniqueId);
		if (entry !== undefined) entry.follows = follows;
	}

	/** As it is now. */
	get(uniqueId: string): KnowledgeRecord | undefined {
		const entry = this.byId.get(uniqueId);
		return entry === undefined ? undefined : asOf(Date.now(), entry);
	}

	remove(uniqueId: string): void {
		const entry = this.byId.get(uniqueId);
		if (entry === undefined) return;
		this.byId.delete(uniqueId);
		this.entries = this.entries.filter((one) => one !== entry);
		this.gone.push({ ...entry, untilMs: Date.now() });
		this.freed.push(uniqueId);
	}

	/** @param behindMs As they were so long ago, newest first, instead of as they are. */
	all(behindMs = 0): KnowledgeRecord[] {
		const asOfMs = Date.now() - behindMs;
		return this.at(asOfMs, behindMs > 0).map((entry) => asOf(asOfMs, entry));
	}

	/** @param behindMs As they were so long ago, instead of as they are. */
	page(asked: RecordsRequest, behindMs = 0): RecordPage {
		const { cursor, startTime = -Infinity, endTime = Infinity, ...request } = asked;
		const asOfMs = Date.now() - behindMs;
		const found = this.at(asOfMs, behindMs > 0).filter(
			({ createdAt }) => startTime < createdAt && createdAt < endTime,
		);
		const age = cursor === undefined ? undefined : (entry: Entry) => newestFirst(entry, cursor);
		const placeOf = ({ createdAt, sequence }: Cursor) => ({ cursor: `${createdAt}.${sequence}` });
		const { data, meta } = cutPage(found, request, placeOf, age);
		return { data: data.map((entry) => asOf(asOfMs, entry)), meta };
	}

	private at(asOfMs: number, isPast: boolean): Entry[] {
		if (!isPast && this.listedMs <= asOfMs) return this.entries;
		return [...this.entries, ...this.gone]
			.filter(({ fromMs, untilMs }) => fromMs <= asOfMs && asOfMs < untilMs)
			.sort(newestFirst);
	}
}

function asOf(nowMs: number, { record, indexing, follows }: Entry): KnowledgeRecord {
	if (indexing === undefined) return { ...record, ...follows?.(nowMs) };
	const { atMs, status } = indexing;
	if (nowMs < atMs) return { ...record };
	return { ...record, status, lastSynced: atMs, updatedAt: atMs, ...follows?.(nowMs) };
}

export function sourceTypeOf(type: RecordType): SourceType {
	if (type === 'uploads') return 'uploads';
	return type === 'text-details' ? 'text' : 'website';
}

/** Below 0 if the one comes first, being newer. */
function newestFirst(one: Cursor, other: Cursor): number {
	return other.createdAt - one.createdAt || other.sequence - one.sequence;
}

/** A UUID of version 4 to look at; its first eight digits, as an `s3Key` has them, are the number. */
export function uuid(number: number): string {
	return `${number.toString(16).padStart(8, '0')}-0000-4000-8000-${'0'.repeat(12)}`;
}
