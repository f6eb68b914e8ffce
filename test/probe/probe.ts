import { readStatuses, statusRequest } from '../../nodes/CometChatKnowledgeBase/execution/indexing';
import type { DocumentInfo } from '../../nodes/CometChatKnowledgeBase/input/document';
import { readDocument } from '../../nodes/CometChatKnowledgeBase/input/document';
import { textRequest } from '../../nodes/CometChatKnowledgeBase/resources/text/createText';
import type { Agent } from '../../nodes/CometChatKnowledgeBase/service/agents';
import { agentRequest, readAgent } from '../../nodes/CometChatKnowledgeBase/service/agents';
import type { ChangeOperation } from '../../nodes/CometChatKnowledgeBase/service/attachments';
import { toRequest } from '../../nodes/CometChatKnowledgeBase/service/attachments';
import type { KnowledgeBaseRecord } from '../../nodes/CometChatKnowledgeBase/service/records';
import { readRecordPage, recordsRequest } from '../../nodes/CometChatKnowledgeBase/service/records';
import type { Upload } from '../../nodes/CometChatKnowledgeBase/service/uploads';
import {
	initiateRequest,
	isUploadAddress,
	readUploads,
} from '../../nodes/CometChatKnowledgeBase/service/uploads';
import {
	ValidationIssue,
	isRecord,
} from '../../nodes/CometChatKnowledgeBase/values/validationIssue';
import type { Answer } from './answer';
import type { Asked, ProbeClient } from './client';
import type { Throwaways } from './throwaways';
import { CONTENT, isSafeId } from './throwaways';

/** What is said of an ID that a poll leaves out. */
export const LEFT_OUT = 'left out';

/** Why a question can't be asked. */
export class Missing extends Error {}

/** What one question leaves for the next. */
export interface Made {
	/** The account's newest; at least one. */
	records?: KnowledgeBaseRecord[];
	/** A uid. */
	agent?: string;
	/** Its bytes are sent first, and it is watched until it is indexed. */
	upload?: Upload;
	/** The same, once its bytes have arrived. */
	stored?: Upload;
	/** The same, once it was seen to be ready. */
	indexed?: Upload;
	/** Its bytes are sent only when it is to be added before it is indexed. */
	second?: Upload;
	/** Its bytes are never sent. It has the first one's name. */
	namesake?: Upload;
	/** Called a PDF, but none. */
	broken?: Upload;
	/** The same, once its bytes have arrived. */
	brokenStored?: Upload;
	/** A uniqueId. */
	text?: string;
}

/** What questions are asked with. It changes nothing but what it has made. */
export class Probe {
	readonly made: Made = {};
	/** Tells what this run has made from everything else in the account. */
	readonly mark: string;
	/** The IDs of no file and of no agent. */
	readonly unknownId: string;
	readonly unknownUid: string;

	constructor(
		readonly client: ProbeClient,
		readonly throwaways: Throwaways,
	) {
		const { machine } = client;
		this.mark = machine.newId().slice(-12);
		[this.unknownId, this.unknownUid] = [machine.newId(), machine.newId()];
	}

	/** @throws {Missing} if no question has left that. */
	need<Key extends keyof Made>(key: Key): NonNullable<Made[Key]> {
		const made = this.made[key];
		if (made === undefined && key !== 'agent' && key !== 'records') this.throwUnlessAllowed();
		if (made === undefined) throw new Missing(`there is no ${key}`);
		return made;
	}

	private throwUnlessAllowed(): void {
		if (this.client.settings.filesMayBeMade) return;
		throw new Missing('it needs files that the probe makes: allow it with --files-may-be-made');
	}

	/** Says of itself what it is, for whoever meets it in the dashboard. */
	name(what: string): string {
		return `n8n-probe-${this.mark}-safe-to-delete-${what}`;
	}

	async ask(request: Asked): Promise<Answer> {
		return await this.client.ask(request);
	}

	/** One after another; the answers have the names of the requests. */
	async askAll(requests: Record<string, Asked>): Promise<Record<string, Answer>> {
		const answers: Record<string, Answer> = {};
		for (const [name, request] of Object.entries(requests)) answers[name] = await this.ask(request);
		return answers;
	}

	/** Adds files to, or removes them from, the agent that was made: no other one is ever changed. */
	changing(operation: ChangeOperation, sourceType: string, ...uniqueIds: string[]) {
		return toRequest({ operation, uid: this.need('agent'), sourceType, uniqueIds });
	}

	/** The agent that was made; undefined if it can't be read. */
	async shownAgent(): Promise<Agent | undefined> {
		if (this.made.agent === undefined) return undefined;
		const agent = readAgent((await this.ask(agentRequest(this.made.agent))).body);
		return agent?.uid === this.made.agent ? agent : undefined;
	}

	/**
	 * Inactive, so that nobody can chat with it. Name and isActive are required, and once the
	 * description was (https://www.cometchat.com/docs/ai-agents/apis/create-agent).
	 */
	async makeAgent() {
		const name = this.name('agent');
		const request = {
			method: 'POST' as const,
			url: '/ai-agents/agent-builder/agents',
			headers: { 'Content-Type': 'application/json' },
			body: { name, isActive: false, description: 'Made by a test; safe to delete' },
		};
		return await this.throwaways.make(this.client, 'agent', [name], request, (body) => {
			// 'Create agent' shows it as `agent`, other calls bare or as `data`.
			const places = isRecord(body) ? [body.agent, body.data, body] : [];
			return places.map((place) => readAgent(place)?.uid).filter(isSafeId);
		});
	}

	/** The status of an ID; undefined if the answer tells none at all. */
	async poll(id: string, ...others: string[]) {
		const answer = await this.ask(statusRequest([...others, id]));
		const statuses = readStatuses(answer.body);
		return { answer, status: statuses && (statuses.get(id) ?? LEFT_OUT) };
	}

	/** The newest records, and the one of that ID among them. */
	async listed(id: string) {
		const answer = await this.ask(recordsRequest());
		const records = readRecordPage(answer.body)?.entries ?? [];
		return { answer, records, record: records.find(({ uniqueId }) => uniqueId === id) };
	}

	/** Asks for upload addresses; no `uploads` unless there is one for each. */
	async announce(names: string[], fileSize = CONTENT.length) {
		this.throwUnlessAllowed();
		const files = names.map((name) => ({ ...documentNamed(this.name(name)), fileSize }));
		const read = (body: unknown) => readUploads(body, files) ?? [];
		const { answer } = await this.throwaways.make(
			this.client,
			'uploads',
			files.map(({ fileName }) => fileName),
			initiateRequest(files),
			(body) => read(body).map(({ uploadId }) => uploadId),
		);
		const uploads = read(answer.body);
		this.client.uploadAddresses.push(...uploads.map(({ presignedUrl }) => presignedUrl));
		return { answer, uploads };
	}

	/** @returns undefined if bytes may not be sent to that address, because it is not encrypted. */
	async sendBytes({ presignedUrl: url, fileName }: Upload, isTyped = true) {
		if (!isUploadAddress(url, this.client.settings.account)) return undefined;
		const headers = {
			...(isTyped ? { 'Content-Type': documentNamed(fileName).mimeType } : {}),
			'Content-Length': String(CONTENT.length),
		};
		return await this.client.store({ method: 'PUT', url, headers, body: CONTENT });
	}

	async writeText(title: string, text: string) {
		this.throwUnlessAllowed();
		const request = textRequest(title, text);
		return await this.throwaways.make(this.client, 'text', [title], request, (body) => {
			const data = isRecord(body) && isRecord(body.data) ? body.data : {};
			return [data.uniqueId].filter(isSafeId);
		});
	}
}

/** As the node announces a file of this name. */
function documentNamed(fileName: string): DocumentInfo {
	const info = readDocument('probe', { fileName, mimeType: '', fileSize: CONTENT.length });
	if (info instanceof ValidationIssue) throw new Error(info.what);
	return info;
}
