/** What a run itself has changed, which is later than any list. */
export class OwnChanges {
	/** What was attached (true) and detached (false), by agent and ID. */
	private readonly attached = new Map<string, Map<string, boolean>>();

	/** What was brought into CometChat and surely no agent has, by ID. */
	private readonly unattached = new Set<string>();

	/** Which document has taken the place of another for an agent. */
	private readonly replaced = new Map<string, string>();

	/** @param spelled An agent's UID as CometChat gives it: two spellings may be one agent, or two. */
	constructor(private readonly spelled: (uid: string) => string) {}

	/** A document of this run, which no agent has yet. */
	recordCreated(uniqueId: string): void {
		this.unattached.add(uniqueId);
	}

	recordAttached(uid: string, uniqueId: string, isAttached: boolean): void {
		this.attached.set(this.spelled(uid), this.of(uid).set(uniqueId, isAttached));
	}

	/** It is not known whether an agent has it. */
	recordMaybeAttached(uniqueId: string): void {
		this.unattached.delete(uniqueId);
	}

	recordReplaced(uid: string, oldId: string, newId: string): void {
		// The newest has no successor: a service may give a freed ID again, and the line would go round.
		this.replaced.delete(this.keyOf(uid, newId));
		this.replaced.set(this.keyOf(uid, oldId), newId);
	}

	/** What was attached to an agent, and detached from it, by ID. */
	of(uid: string): Map<string, boolean> {
		return this.attached.get(this.spelled(uid)) ?? new Map<string, boolean>();
	}

	/** Whether this run itself has given a document to an agent. */
	hasGiven(uid: string, uniqueId: string): boolean {
		return this.of(uid).get(uniqueId) === true;
	}

	/** Whether an agent may have a document, as far as the run can tell by what it did itself. */
	mayHave(uid: string, uniqueId: string): boolean {
		return this.of(uid).get(uniqueId) ?? !this.unattached.has(uniqueId);
	}

	/** The version that the run has put in the place of a document; the document itself if it has not. */
	currentVersion(uid: string, uniqueId: string): string {
		let current = uniqueId;
		for (;;) {
			const next = this.replaced.get(this.keyOf(uid, current));
			if (next === undefined) return current;
			current = next;
		}
	}

	private keyOf(uid: string, uniqueId: string): string {
		return `${this.spelled(uid)}/${uniqueId}`;
	}
}
