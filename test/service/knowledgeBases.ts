/** The file IDs attached to each agent, per source type, in the order in which they were added. */
export class KnowledgeBases {
	private readonly sources = new Map<string, Set<string>>();

	files(uid: string, sourceType: string): string[] {
		return [...this.source(uid, sourceType)];
	}

	/** An ID that is there already keeps its place. */
	add(uid: string, sourceType: string, uniqueIds: string[]): void {
		const source = this.source(uid, sourceType);
		for (const id of uniqueIds) source.add(id);
	}

	/** An ID that is not there is passed over. */
	remove(uid: string, sourceType: string, uniqueIds: string[]): void {
		const source = this.source(uid, sourceType);
		for (const id of uniqueIds) source.delete(id);
	}

	/** Takes an ID away from every agent, whatever the source type. */
	detach(uniqueId: string): void {
		for (const source of this.sources.values()) source.delete(uniqueId);
	}

	reset(): void {
		this.sources.clear();
	}

	private source(uid: string, sourceType: string): Set<string> {
		// As JSON, so that no choice of names makes two pairs look the same.
		const key = JSON.stringify([uid, sourceType]);
		const source = this.sources.get(key) ?? new Set<string>();
		this.sources.set(key, source);
		return source;
	}
}
