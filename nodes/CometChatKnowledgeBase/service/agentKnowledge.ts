export type ChangeOperation = 'add' | 'remove';

/** What one PATCH asks for. */
export interface Change {
	operation: ChangeOperation;
	/** The agent's unique identifier. */
	uid: string;
	sourceType: string;
	uniqueIds: string[];
}

/** The PATCH as the contract shows it (section 4); the credential adds host and key. */
export function knowledgeRequest({ operation, uid, sourceType, uniqueIds }: Change) {
	const agent = encodeURIComponent(uid);
	const source = encodeURIComponent(sourceType);
	return {
		method: 'PATCH' as const,
		url: `/ai-agents/agent-builder/agents/${agent}/knowledge-base/${source}/${operation}`,
		headers: { 'Content-Type': 'application/json' },
		body: { uniqueIds },
	};
}
