/** What is attached to an agent, by the two lists that an agent has for it. */
export interface Attached {
	/** Everything that is no website. */
	files: string[];
	websites: string[];
}

interface Past extends Attached {
	uid: string;
	/** When it changed: Unix time in milliseconds. */
	untilMs: number;
}

/** The file IDs attached to each agent, per source type, in the order in which they were added. */
export class KnowledgeBases {
	/** By agent, and then by source type. */
	private readonly agents = new Map<string, Map<string, Set<string>>>();
	/** What was attached before each change, oldest first. */
	private past: Past[] = [];

	/** @param rememberedMs How far back `attached` can look, at present; 0 if left out. */
	constructor(private readonly rememberedMs: () => number = () => 0) {}

	files(uid: string, sourceType: string): string[] {
		return [...this.source(uid, sourceType)];
	}

	/** @param behindMs As it was so long ago, instead of as it is. */
	attached(uid: string, behindMs = 0): Attached {
		const asOfMs = Date.now() - behindMs;
		const then =
			behindMs > 0
				? this.past.find((past) => past.uid === uid && past.untilMs > asOfMs)
				: undefined;
		const { files, websites } = then ?? this.now(uid);
		return { files, websites };
	}

	/** An ID that is there already keeps its place. */
	add(uid: string, sourceType: string, uniqueIds: string[]): void {
		this.remember(uid);
		const source = this.source(uid, sourceType);
		for (const id of uniqueIds) source.add(id);
	}

	/** An ID that is not there is passed over. */
	remove(uid: string, sourceType: string, uniqueIds: string[]): void {
		this.remember(uid);
		const source = this.source(uid, sourceType);
		for (const id of uniqueIds) source.delete(id);
	}

	/** Takes an ID away from every agent, whatever the source type. */
	detach(uniqueId: string): void {
		for (const [uid, sources] of this.agents) {
			this.remember(uid);
			for (const source of sources.values()) source.delete(uniqueId);
		}
	}

	reset(): void {
		this.agents.clear();
		this.past = [];
	}

	private now(uid: string): Attached {
		const idsOf = (isWanted: (sourceType: string) => boolean) => {
			const sources = [...(this.agents.get(uid) ?? [])];
			const ids = sources.flatMap(([type, source]) => (isWanted(type) ? [...source] : []));
			return [...new Set(ids)];
		};
		return {
			files: idsOf((type) => type !== 'website'),
			websites: idsOf((type) => type === 'website'),
		};
	}

	/** Called before each change of the agent. */
	private remember(uid: string): void {
		const rememberedMs = this.rememberedMs();
		if (rememberedMs === 0) return;
		const untilMs = Date.now();
		this.past = this.past.filter((past) => past.untilMs > untilMs - rememberedMs);
		this.past.push({ uid, untilMs, ...this.now(uid) });
	}

	private source(uid: string, sourceType: string): Set<string> {
		const sources = this.agents.get(uid) ?? new Map<string, Set<string>>();
		this.agents.set(uid, sources);
		const source = sources.get(sourceType) ?? new Set<string>();
		sources.set(sourceType, source);
		return source;
	}
}
