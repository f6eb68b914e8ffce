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

/** How the service indexes what was uploaded or written. */
export interface IndexingOptions {
	/** How long one file or text takes; 20 if left out. */
	ms?: number;
	/** How many are indexed at once, the others wait in line; `Infinity` if left out. */
	atOnce?: number;
	/** Which of the two is the good end. */
	ends?: 'indexed' | 'inSync';
	/** Lets each so-manieth indexing fail: 3 is the third, the sixth … Left out: none. */
	failEvery?: number;
}

/** A departure from the options for one file. What it leaves out goes as usual. */
export interface IndexingRule {
	for?: { fileName?: string; uniqueId?: string };
	/** How many indexings it is for; 1 if left out, `Infinity` for all. */
	times?: number;
	ms?: number;
	ends?: IndexingEnd['status'];
}

/** How and when (Unix time in milliseconds) an indexing will end. */
export interface IndexingEnd {
	atMs: number;
	status: 'indexed' | 'inSync' | 'failed';
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

/** The line in which files and texts wait to be indexed. */
export class Indexing {
	readonly rules = new Rules<IndexingRule>();
	private endsMs: number[] = [];
	private count = 0;

	reset(): void {
		this.rules.reset();
		[this.endsMs, this.count] = [[], 0];
	}

	/** Puts a file into the line. @param fileName Or the title of a text. */
	begin(uniqueId: string, fileName: string, options: IndexingOptions = {}): IndexingEnd {
		const { ms = 20, ends = 'indexed', failEvery = Infinity, atOnce = Infinity } = options;
		const rule = this.rules.take({ uniqueId, fileName });
		const nowMs = Date.now();
		this.count += 1;
		this.endsMs = this.endsMs.filter((endMs) => endMs > nowMs).sort((one, other) => one - other);
		// When it has its turn.
		const startMs = this.endsMs.at(-atOnce) ?? nowMs;
		const atMs = startMs + (rule?.ms ?? ms);
		this.endsMs.push(atMs);
		const usual = this.count % failEvery === 0 ? 'failed' : ends;
		return { atMs, status: rule?.ends ?? usual };
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
		// Whatever its status is (undocumented).
		route('sync', `PATCH ${KNOWLEDGE_BASE}/{sourceType}/{uniqueId}/sync`, {}, (asked) => {
			const source = this.known(asked.uniqueId, asked.sourceType);
			return { ...DONE, change: () => this.reindex(source) };
		}),
		// An upload can be deleted even before its bytes are there.
		...DELETIONS.map(([operation, type]) =>
			route(operation, `DELETE ${KNOWLEDGE_BASE}/${type}/{uniqueId}`, {}, ({ uniqueId }) => {
				const source = this.known(uniqueId, type, this.byId.get(uniqueId));
				return { ...DONE, change: () => this.remove(source) };
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

	/** Makes a record with a new ID, which is not yet among the others. */
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

	/** Sends a record into the line, unless it has been there already. */
	index(source: Source): void {
		const { uniqueId, sourceName } = source.record;
		source.indexing ??= this.indexing.begin(uniqueId, sourceName, this.options.indexing);
	}

	/** Sends a record into the line again, whatever became of it the last time. */
	reindex(source: Source, change: Partial<KnowledgeRecord> = {}): void {
		source.record = { ...source.record, ...change, status: 'indexing' };
		source.indexing = undefined;
		this.index(source);
	}

	private remove(source: Source): void {
		const { uniqueId } = source.record;
		// Another request has deleted it, or a reset.
		if (this.byId.get(uniqueId) !== source) return;
		source.untilMs = Date.now();
		this.byId.delete(uniqueId);
		this.freed.push(uniqueId);
		this.detach(uniqueId);
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
