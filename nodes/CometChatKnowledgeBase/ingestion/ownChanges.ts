/** What a run itself has changed, which is later than any list. An agent is known by the UID that CometChat gives for it. */
export class OwnChanges {
	/** What was attached (true) and detached (false), by agent and ID. */
	private readonly attached = new Map<string, Map<string, boolean>>();

	/** What was brought into CometChat and surely no agent has, by ID. */
	private readonly unattached = new Set<string>();

	/** Which document has taken the place of another for an agent. */
	private readonly replaced = new Map<string, string>();

	recordCreated(uniqueId: string): void {
		this.unattached.add(uniqueId);
	}

	recordAttached(uid: string, uniqueId: string, isAttached: boolean): void {
		const known = this.of(uid);
		this.attached.set(uid, known.set(uniqueId, isAttached));
	}

	/** It is not known whether an agent has it. */
	recordMaybeAttached(uniqueId: string): void {
		this.unattached.delete(uniqueId);
	}

	recordReplaced(uid: string, oldId: string, newId: string): void {
		// The newest has no successor: a service may give a freed ID again, and the line would go round.
		this.replaced.delete(keyOf(uid, newId));
		this.replaced.set(keyOf(uid, oldId), newId);
	}

	/** What was attached to an agent, and detached from it, by ID. */
	of(uid: string): Map<string, boolean> {
		return this.attached.get(uid) ?? new Map<string, boolean>();
	}

	/** Whether an agent may have a document, as far as the run can tell by what it did itself. */
	mayHave(uid: string, uniqueId: string): boolean {
		return this.of(uid).get(uniqueId) ?? !this.unattached.has(uniqueId);
	}

	/** The version that the run has put in the place of a document; the document itself if it has not. */
	currentVersion(uid: string, uniqueId: string): string {
		let current = uniqueId;
		for (;;) {
			const next = this.replaced.get(keyOf(uid, current));
			if (next === undefined) return current;
			current = next;
		}
	}
}

function keyOf(uid: string, uniqueId: string): string {
	return `${uid}/${uniqueId}`;
}
