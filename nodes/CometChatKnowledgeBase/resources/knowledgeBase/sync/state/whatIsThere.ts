import type { ItemContext } from '../../../../execution/itemContext';
import type { Records } from '../../../../inventory/records';
import { WhoHasIt } from '../../../../inventory/whoHasIt';
import type { IngestionRun } from '../../../../pipeline/ingestionRun';
import type { Document } from '../../../../service/documents';
import { askStatuses, NOT_LISTED } from '../../../../service/documents';
import { caught, isFailure } from '../../../../values/failure';
import { composed } from '../../../../values/names';
import { UPLOADS } from '../../../../values/sourceTypes';
import type { FileState, SyncState } from './state';
import { uploadsOf } from './state';

/** The IDs of the uploads that an agent has, by name. */
export type AgentUploads = ReadonlyMap<string, string[]>;

/** What CometChat has of a file of the folder. */
export interface FileInCometChat {
	/** Whether CometChat tells which documents the agent has. */
	isKnown: boolean;
	/** The uploads of the file that the agent has; where it is not told, those that it may have. */
	versions: Document[];
	/** Whether the agent has the upload that was sent last, as far as is known. */
	hasSent: boolean;
	/** Those that were sent before and that CometChat still has. */
	sent: Document[];
	/** Whether it is proven that CometChat has the last of them: by a list, or by that of the agent. */
	isSentProven: boolean;
}

/** It needs no records: nothing is done with it. */
const AS_SENT: FileInCometChat = {
	...{ isKnown: true, versions: [] },
	...{ hasSent: true, sent: [], isSentProven: true },
};

/** More of what an agent has beside the folder is looked up anew each time. */
const MOST_OTHERS = 1000;

/**
 * What agents have. Their own answers and the state tell, so that a run in which nothing has changed asks one
 * question for each agent, however much the account has; only where they do not, the lists are read.
 */
export class WhatAgentsHave {
	private readonly found = new Map<string, Promise<AgentUploads | undefined>>();

	/** The names of what was sent for any agent, by ID. */
	private readonly sentNames: ReadonlyMap<string, string>;

	/** Once the list was read to its end: the question for what it may lack. */
	private completed?: Promise<void>;

	/** What it lacks although there is a status of it. */
	private readonly unlisted = new Set<string>();

	constructor(
		private readonly run: IngestionRun,
		private readonly state: SyncState,
	) {
		this.sentNames = state.uploads();
	}

	/**
	 * What an agent has: by its own answer and the state, and if they do not tell, by CometChat's lists.
	 *
	 * @param mayAsk Whether to ask for what is not known yet.
	 */
	async uploadsOf(
		item: ItemContext,
		uid: string,
		{ mayAsk }: { mayAsk: boolean },
	): Promise<AgentUploads | undefined> {
		const { inventory } = this.run;
		if (!mayAsk && !this.completed && !(await this.found.get(uid))) return undefined;
		const found = await this.byState(item, uid);
		if (found) return found;
		const { documents } = await inventory.agentFor(item, uid);
		if (documents === undefined) return undefined;
		const records = await this.all(item);
		return uploadsNamed([...documents], (id) => uploadName(records.withId(id)));
	}

	/**
	 * What there is of a file. If its content is as it was sent, and the agent has that upload and no other of the name,
	 * nothing else is asked for; otherwise the lists tell, and where they do not, the state.
	 *
	 * @param sent What is known of earlier runs.
	 */
	async fileOf(
		item: ItemContext,
		{ uid, name, sha256, sent }: { uid: string; name: string; sha256: string; sent?: FileState },
	): Promise<FileInCometChat> {
		if (sent?.sha256 === sha256 && sent.step === 'attached' && sent.old.length === 0) {
			const attached = (await this.byState(item, uid))?.get(name) ?? [];
			if (attached.join() === sent.uniqueId) return AS_SENT;
		}
		const { inventory } = this.run;
		const records = await this.all(item);
		const { agent, documents } = await inventory.agentFor(item, uid);
		const known = this.state.agentFor(uid);
		known.wasKnown ||= documents !== undefined;
		// Of an agent that has always shown none, it says nothing.
		const { files, websites = [] } = agent;
		const showsNone = known.wasKnown && files?.length === 0 && websites.length === 0;
		const isInFolder = sent !== undefined && sent.step !== 'removed';
		const named = records.named(UPLOADS, name).map(({ uniqueId }) => uniqueId);
		const ids = sent ? [...new Set(uploadsOf(sent))] : [];
		const candidates = documents
			? [...named, ...ids].filter((id) => documents.has(id))
			: isInFolder
				? ids
				: named.filter((id) => !ids.includes(id) && inventory.own.mayHave(uid, id));
		const has = (id: string) => documents?.has(id) ?? (sent?.step === 'attached' && !showsNone);
		const isProven = (id: string) =>
			records.withId(id) !== undefined && (!this.unlisted.has(id) || documents?.has(id) === true);
		return {
			isKnown: documents !== undefined,
			versions: [...new Set(candidates)].flatMap((id) => records.withId(id) ?? []),
			hasSent: isInFolder && has(sent.uniqueId),
			sent: ids.flatMap((id) => records.withId(id) ?? []),
			// A status alone does not prove it: some is given for what is deleted, too.
			isSentProven: sent !== undefined && isProven(sent.uniqueId),
		};
	}

	/** The account's whole list, and what it lacks of what was sent. */
	private async all(item: ItemContext): Promise<Records> {
		const records = await this.run.inventory.list.whole(item);
		this.completed ??= this.addUnlisted(item, records);
		await this.completed;
		return records;
	}

	/** The list may be late: that it lacks what was uploaded once proves nothing. */
	private async addUnlisted(item: ItemContext, records: Records): Promise<void> {
		const unlisted = [...this.sentNames.keys()].filter((id) => records.withId(id) === undefined);
		const there = records.any?.uniqueId;
		const statuses = await askStatuses(item, unlisted, { there }).catch(() => new Map());
		for (const [id, status] of statuses) {
			if (status === NOT_LISTED) continue;
			records.add({ uniqueId: id, type: UPLOADS, sourceName: this.sentNames.get(id), status });
			this.unlisted.add(id);
		}
	}

	/** What an agent had when it was asked for; undefined if its own answer and the state do not tell. */
	private async byState(item: ItemContext, uid: string): Promise<AgentUploads | undefined> {
		// Once for each agent: each of ten thousand files asks.
		const found = this.found.get(uid) ?? this.readByState(item, uid);
		this.found.set(uid, found);
		return await found;
	}

	private async readByState(item: ItemContext, uid: string): Promise<AgentUploads | undefined> {
		const agent = await caught(this.run.inventory.agents.one(item, uid));
		if (isFailure(agent)) return undefined;
		// Believed if it names an upload that this node has sent.
		const who = new WhoHasIt([agent], (id) => (this.sentNames.has(id) ? UPLOADS : undefined));
		if (who.unknownFor(UPLOADS).length > 0) return undefined;
		this.state.agentFor(uid).wasKnown = true;
		return await this.readNames(item, uid, agent.files ?? []);
	}

	/** What the state does not know is looked up once, newest first. What the list does not show is no upload. */
	private async readNames(item: ItemContext, uid: string, ids: string[]): Promise<AgentUploads> {
		const agent = this.state.agentFor(uid);
		const others = ids.filter((id) => !this.sentNames.has(id));
		const unknown = others.filter((id) => !agent.others.has(id));
		const names = new Map(agent.others);
		if (unknown.length > 0) {
			const isFound = (read: Records) => unknown.every((id) => read.withId(id) !== undefined);
			const records = await this.run.inventory.list.until(item, isFound);
			for (const id of unknown) {
				const record = records.withId(id);
				if (record) names.set(id, uploadName(record) ?? NO_UPLOAD);
			}
		}
		const kept = others.slice(0, MOST_OTHERS).map((id) => [id, names.get(id)] as const);
		agent.others = new Map(kept.flatMap(([id, name]) => (name === undefined ? [] : [[id, name]])));
		return uploadsNamed(ids, (id) => {
			const sentName = this.sentNames.get(id);
			return sentName === undefined ? names.get(id) : composed(sentName);
		});
	}
}

function uploadsNamed(ids: string[], nameOf: (id: string) => string | undefined): AgentUploads {
	const uploads = new Map<string, string[]>();
	for (const id of ids) {
		const name = nameOf(id);
		if (name) uploads.set(name, [...(uploads.get(name) ?? []), id]);
	}
	return uploads;
}

/** The place of a name in a document that has none of the folder's. */
const NO_UPLOAD = '';

function uploadName(record: Document | undefined): string | undefined {
	const { uniqueId, type, sourceName = uniqueId } = record ?? {};
	return type === UPLOADS && sourceName !== undefined ? composed(sourceName) : undefined;
}
