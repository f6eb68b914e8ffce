import type { IDataObject, WorkflowExecuteMode } from 'n8n-workflow';

import { isRecord } from '../../values/validationIssue';

/** An upload, and the SHA-256 of its content. */
export interface NotedVersion {
	uniqueId: string;
	sha256: string;
}

/** What is noted of a file for an agent. */
export interface NotedFile {
	/** What the agent was given last. */
	current?: NotedVersion;
	/** What was uploaded, and not given to the agent as far as is known. */
	pending?: NotedVersion;
	/** Uploads that are still to be taken from the agent or deleted. */
	old: string[];
}

/** Where and for whom something is noted. */
export interface NotedAgent {
	/** The account's base URL. */
	account: string;
	/** In lower case: two spellings may be one agent. */
	uid: string;
	/** By the file's name. */
	files: Map<string, NotedFile>;
	/** Whether CometChat has ever told which documents the agent has. */
	wasTold: boolean;
}

/** Of the shape that is written below; a note of another version counts as none. */
const VERSION = 1;

/**
 * What a node has sent in earlier runs, as n8n keeps it in the node's static data. By account and agent,
 * so that a node that is pointed elsewhere and back finds its own again.
 *
 * Whoever reads it must be right without it, too: n8n keeps nothing of a run by hand or one that was
 * killed, a copy of the workflow begins without, and of two runs at the same time the last one wins.
 *
 * @param note Foreign: what does not have the shape is passed over.
 */
export function readNote(note: unknown): NotedAgent[] {
	if (!isRecord(note) || note.version !== VERSION || !Array.isArray(note.agents)) return [];
	return note.agents.flatMap((agent: unknown) => {
		if (!isRecord(agent) || !Array.isArray(agent.files)) return [];
		const { account, uid } = agent;
		if (typeof account !== 'string' || typeof uid !== 'string') return [];
		const files = new Map<string, NotedFile>();
		for (const file of agent.files) {
			if (!isRecord(file) || typeof file.name !== 'string') continue;
			const current = readVersion(file);
			const pending = readVersion(file.pending);
			const old = Array.isArray(file.old) ? file.old.filter((id) => typeof id === 'string') : [];
			files.set(file.name, { current, pending, old });
		}
		return [{ account, uid, files, wasTold: agent.wasTold === true }];
	});
}

function readVersion(value: unknown): NotedVersion | undefined {
	if (!isRecord(value)) return undefined;
	const { uniqueId, sha256 } = value;
	return typeof uniqueId === 'string' && typeof sha256 === 'string'
		? { uniqueId, sha256 }
		: undefined;
}

/** As `readNote` reads it: about 150 bytes a file. */
export function writtenNote(agents: NotedAgent[]): IDataObject {
	return {
		version: VERSION,
		agents: agents
			.filter(({ files }) => files.size > 0)
			.map(({ account, uid, files, wasTold }) => ({
				account,
				uid,
				wasTold,
				files: [...files].map(([name, { current, pending, old }]) => ({
					name,
					...current,
					...(pending && { pending: { ...pending } }),
					...(old.length > 0 && { old }),
				})),
			})),
	};
}

/** Its name in the static data. */
const KEY = 'syncedFiles';

/** The note of a node during a run. */
export class SyncNote {
	private readonly agents: NotedAgent[];

	/** How many files were noted for each agent when the run began. */
	private readonly sizes: Map<NotedAgent, number>;

	/**
	 * @param staticData Of the node; changed by `save`.
	 * @param mode n8n's word for what has started the execution.
	 */
	constructor(
		private readonly staticData: IDataObject,
		private readonly mode: WorkflowExecuteMode,
		private readonly account: string,
	) {
		this.agents = readNote(staticData[KEY]);
		this.sizes = new Map(this.agents.map((agent) => [agent, agent.files.size]));
	}

	/** Whether nothing was noted when the run began. */
	get wasEmpty(): boolean {
		return this.sizes.size === 0;
	}

	/** Whether n8n keeps what is saved. It hands no note to the retry of an execution. */
	get isKept(): boolean {
		return this.mode !== 'manual' && !(this.mode === 'retry' && this.wasEmpty);
	}

	/** Those of the account for which anything is noted. */
	notedAgents(): NotedAgent[] {
		return this.agents.filter(({ account, files }) => account === this.account && files.size > 0);
	}

	/** How many files were noted for an agent when the run began. */
	sizeBefore(uid: string): number {
		return this.sizes.get(this.agentFor(uid)) ?? 0;
	}

	/** The files of an agent, by name; to be changed. */
	filesOf(uid: string): Map<string, NotedFile> {
		return this.agentFor(uid).files;
	}

	/** What is noted of an agent; to be changed. */
	agentFor(uid: string): NotedAgent {
		const { account } = this;
		const key = uid.toLowerCase();
		const known = this.agents.find((one) => one.account === account && one.uid === key);
		if (known) return known;
		const agent = { account, uid: key, files: new Map<string, NotedFile>(), wasTold: false };
		this.agents.push(agent);
		return agent;
	}

	save(): void {
		if (this.isKept) this.staticData[KEY] = writtenNote(this.agents);
	}
}
