import { Rules } from './script';

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
