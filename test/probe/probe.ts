import {
	isReady,
	readStatuses,
	statusRequest,
} from '../../nodes/CometChatKnowledgeBase/service/statuses';
import type { DocumentInfo } from '../../nodes/CometChatKnowledgeBase/input/document';
import { readDocument } from '../../nodes/CometChatKnowledgeBase/input/document';
import { creationOf } from '../../nodes/CometChatKnowledgeBase/service/texts';
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
import type { Shown } from '../../nodes/CometChatKnowledgeBase/values/shown';
import {
	ValidationIssue,
	isRecord,
} from '../../nodes/CometChatKnowledgeBase/values/validationIssue';
import type { Answer } from './answer';
import type { Asked, Machine, Settings } from './client';
import { Client, NotAsked } from './client';
import { isSafeId, Throwaways, USERS } from './throwaways';

/** Whether what the node does fits what the service does; undefined if that can't be told. */
export type Holds = boolean | undefined;

/** One open point of the service's documents, and what settles it. */
export interface Question {
	asks: string;
	/** What the node does, where the documents are silent; follows "the node". */
	ourChoice: string;
	/** Whether that holds, and what it rests on: of an `Answer` status and code are reported. */
	answer(probe: Probe): Promise<{ holds: Holds; [observed: string]: unknown }>;
}

/** By the name of the file in which their answers are saved. */
export type Questions = Record<string, Question>;

/** What is said of several parts is what is said of the worst of them; of none nothing. */
export function all(...parts: Holds[]): Holds {
	if (parts.includes(false)) return false;
	return parts.length === 0 || parts.includes(undefined) ? undefined : true;
}

/** What is in every file and text. */
export const CONTENT = 'Made by a test of n8n-nodes-cometchat. It is safe to delete.\n';

/** What is said of an ID that a poll leaves out. */
export const LEFT_OUT = 'left out';

/** How long is waited before each poll but the first, in seconds: a minute and a half in all. */
export const PAUSES_S = [1, 2, 3, 5, 8, 12, 15, 20, 25];

/** What one question leaves for the next. */
interface Made {
	/** The account's newest; at least one. */
	records?: KnowledgeBaseRecord[];
	/** A uid. */
	agent?: string;
	/** Its bytes are sent first, and it is watched until it is indexed. */
	upload?: Upload;
	/** The same, once its bytes have arrived, and once it was seen to be ready. */
	stored?: Upload;
	indexed?: Upload;
	/** Its bytes are sent only when it is to be added before it is indexed. */
	second?: Upload;
	/** Its bytes are never sent. It has the first one's name. */
	namesake?: Upload;
	/** Called a PDF, but none; and once its bytes have arrived. */
	broken?: Upload;
	brokenStored?: Upload;
	/** A uniqueId. */
	text?: string;
	/** Of the app; a UID. */
	user?: string;
	/** The address that is crawled, and which record of the list may be what came of that. */
	site?: { site: Shown; isNewSite: (record: KnowledgeBaseRecord) => boolean };
	/** A uniqueId, and a urlId. */
	website?: Shown;
	page?: Shown;
}

/** What needs a website, and what nobody has to allow. */
const OF_SITE: Array<keyof Made> = ['site', 'website', 'page'];
const OF_ALL: Array<keyof Made> = ['agent', 'records'];

/** What questions are asked with. It changes nothing but what it has made. */
export class Probe {
	readonly client: Client;
	readonly throwaways: Throwaways;
	made: Made = {};
	/** All words for the status of a file or text of its own that have come. */
	readonly statuses = new Set<string>();
	/** Tells what this run has made from everything else in the account. */
	private readonly mark: string;
	/** The IDs of no file and of no agent. */
	readonly unknownId: string;
	readonly unknownUid: string;

	constructor(settings: Settings, machine: Machine) {
		this.client = new Client(settings, machine);
		this.throwaways = new Throwaways(this.client);
		this.mark = machine.newId().slice(-12);
		[this.unknownId, this.unknownUid] = [machine.newId(), machine.newId()];
		for (const id of [this.unknownId, this.unknownUid]) this.throwaways.own.add(id);
	}

	/** @throws {NotAsked} if no question has left that. */
	need<Key extends keyof Made>(key: Key): NonNullable<Made[Key]> {
		const made = this.made[key];
		if (made === undefined && OF_SITE.includes(key)) this.siteAllowed();
		else if (made === undefined && !OF_ALL.includes(key)) this.throwUnlessAllowed();
		if (made === undefined) throw new NotAsked(`there is no ${key}`);
		return made;
	}

	/** @throws {NotAsked} if the person has named none. */
	siteAllowed(): Shown {
		const { site } = this.client.settings;
		if (site !== undefined) return site;
		throw new NotAsked('it crawls a page: name one of yours with --site https://…');
	}

	throwUnlessTwice(): void {
		if (this.client.settings.crawlTwice) return;
		throw new NotAsked('it crawls the page again: allow it with --crawl-twice');
	}

	private throwUnlessAllowed(): void {
		if (this.client.settings.filesMayBeMade) return;
		throw new NotAsked('it needs files that the probe makes: allow it with --files-may-be-made');
	}

	/** Says of itself what it is, for whoever meets it in the dashboard. */
	name(what: string): string {
		return `n8n-probe-${this.mark}-safe-to-delete-${what}`;
	}

	async ask(request: Asked): Promise<Answer> {
		return await this.client.ask(request);
	}

	async get(url: string, qs?: Record<string, unknown>): Promise<Answer> {
		return await this.ask({ method: 'GET', url, qs });
	}

	/** Adds files to, or removes them from, the agent that was made: no other one is ever changed. */
	async change(operation: ChangeOperation, sourceType: string, ...uniqueIds: string[]) {
		return await this.ask(toRequest({ operation, uid: this.need('agent'), sourceType, uniqueIds }));
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
		return await this.throwaways.make('agent', [name], request, ({ body }) => {
			// 'Create agent' shows it as `agent`, other calls bare or as `data`.
			const places = isRecord(body) ? [body.agent, body.data, body] : [];
			return places.flatMap((place) => readAgent(place)?.uid ?? []).filter(isSafeId);
		});
	}

	/** A user of the app, who is deleted with all messages. The UID is ours to choose. */
	async makeUser() {
		this.throwUnlessAllowed();
		const askAs = this.name('user');
		const request = {
			method: 'POST' as const,
			url: USERS,
			headers: { 'Content-Type': 'application/json' },
			body: { uid: askAs, name: askAs },
		};
		const { answer } = await this.throwaways.make('user', [askAs], request, () => [askAs]);
		if (answer.isTaken) this.made.user = askAs;
		return { answer, askAs };
	}

	/** The status of an ID; undefined if the answer tells none at all. */
	async statusOf(id: string, ...others: string[]) {
		const answer = await this.ask(statusRequest([...others, id]));
		const statuses = readStatuses(answer.body);
		for (const status of statuses?.values() ?? []) this.statuses.add(status);
		return { answer, status: statuses && (statuses.get(id) ?? LEFT_OUT) };
	}

	/** Polls until the file is ready or has failed, for a time that is bounded. */
	async watch({ uploadId }: Upload) {
		const statuses: string[] = [];
		let last = await this.statusOf(uploadId);
		for (const pauseS of PAUSES_S) {
			const { status } = last;
			if (status === undefined) break;
			// One that stays is named once.
			if (statuses.at(-1) !== status) statuses.push(status);
			if (isReady(status) || status === 'failed') break;
			await this.client.rest(pauseS);
			last = await this.statusOf(uploadId);
		}
		return { statuses, ...last, isReady: isReady(last.status) };
	}

	/** The newest records, and the one of that ID among them. */
	async listed(id: string) {
		const answer = await this.ask(recordsRequest());
		const records = readRecordPage(answer.body)?.entries ?? [];
		for (const { uniqueId, status } of records) {
			if (status !== undefined && this.throwaways.own.has(uniqueId)) this.statuses.add(status);
		}
		return { answer, records, record: records.find(({ uniqueId }) => uniqueId === id) };
	}

	/** Asks for upload addresses; no `uploads` unless there is one for each. */
	async announce(names: string[], fileSize = CONTENT.length) {
		this.throwUnlessAllowed();
		const files = names.map((name) => ({ ...documentNamed(this.name(name)), fileSize }));
		const uploadsIn = ({ body }: Answer) => readUploads(body, files) ?? [];
		const fileNames = files.map(({ fileName }) => fileName);
		const request = initiateRequest(files);
		const { answer } = await this.throwaways.make('uploads', fileNames, request, (given) =>
			uploadsIn(given).map(({ uploadId }) => uploadId),
		);
		return { answer, uploads: uploadsIn(answer) };
	}

	/** Of a storage, every refusal counts. */
	async sendBytes({ presignedUrl: url, fileName }: Upload, isTyped = true): Promise<Answer> {
		if (!isUploadAddress(url, this.client.settings.account)) {
			throw new NotAsked('the upload address is not encrypted');
		}
		const headers = {
			...(isTyped ? { 'Content-Type': documentNamed(fileName).mimeType } : {}),
			'Content-Length': String(CONTENT.length),
		};
		return await this.client.store({
			method: 'PUT',
			url: url.use((address) => address),
			headers,
			body: CONTENT,
		});
	}

	async writeText(title: string, text: string) {
		this.throwUnlessAllowed();
		return await this.throwaways.make('text', [title], creationOf(title, text), ({ data }) =>
			[String(data.uniqueId ?? '')].filter(isSafeId),
		);
	}
}

/** As the node announces a file of this name. */
function documentNamed(fileName: string): DocumentInfo {
	const info = readDocument('probe', { fileName, mimeType: '', fileSize: CONTENT.length });
	if (info instanceof ValidationIssue) throw new Error(info.what);
	return info;
}
