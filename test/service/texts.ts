import type { Answer } from './answer';
import type { TextEntry } from './given';
import { readTextChange, readTextEntry } from './given';
import type { Holdings } from './holdings';
import type { ReceivedRequest } from './log';
import type { KnowledgeRecord } from './records';
import { APP_ID } from './records';
import type { Envelope } from './refusal';
import { badRequest, noSuchFile, refuse } from './refusal';

/** What is undocumented about looking at texts. */
export interface TextOptions {
	/** How far behind the list is, in milliseconds; 0 if left out. */
	lagsMs?: { texts?: number };
}

interface Version extends TextEntry {
	/** Unix time in milliseconds. */
	fromMs: number;
}

/** What the texts say. Those of the start, which nobody has written here, say so in a sentence. */
export class Texts {
	/** By ID, oldest first. */
	private readonly versions = new Map<string, Version[]>();

	reset(): void {
		this.versions.clear();
	}

	/** @param seeded What it said at the start, if it was there then. */
	write(uniqueId: string, entry: TextEntry, seeded?: TextEntry): void {
		const first = seeded ? [{ ...seeded, fromMs: -Infinity }] : [];
		const before = this.versions.get(uniqueId) ?? first;
		this.versions.set(uniqueId, [...before, { ...entry, fromMs: Date.now() }]);
	}

	/** What it says, if it was written here. */
	written(uniqueId: string): string | undefined {
		return this.versions.get(uniqueId)?.at(-1)?.text;
	}

	/** @param asOfMs As it was then, instead of as it is. */
	of(record: KnowledgeRecord | undefined, asOfMs = Infinity): TextEntry | undefined {
		if (record?.type !== 'text-details') return undefined;
		const versions = this.versions.get(record.uniqueId) ?? [];
		const { title, text } = versions.findLast(({ fromMs }) => fromMs <= asOfMs) ?? {
			title: record.sourceName,
			text: seededText(record.uniqueId),
		};
		return { title, text };
	}
}

/** What a text of the start says. */
export function seededText(uniqueId: string): string {
	return `This is ${uniqueId}.`;
}

/** All of them, newest first (undocumented), with what they say, and without pages. */
export function listTexts({ records, texts }: Holdings, { lagsMs }: TextOptions): Answer {
	const behindMs = lagsMs?.texts ?? 0;
	const body = () => ({
		data: records
			.all(behindMs)
			.flatMap((record) => shownText(record, texts.of(record, Date.now() - behindMs)) ?? []),
	});
	return { status: 200, body };
}

export function getText(
	{ uniqueId = '' }: ReceivedRequest,
	{ records, texts }: Holdings,
	envelope: Envelope,
): Answer {
	const record = records.get(uniqueId);
	const entry = texts.of(record);
	if (record === undefined || entry === undefined) return refuse(noSuchFile(uniqueId, envelope));
	const more = { vectorizationStatus: 'completed', isActive: true };
	return { status: 200, body: () => ({ data: { ...shownText(record, entry), ...more } }) };
}

export function createText({ body }: ReceivedRequest, holdings: Holdings, status: number): Answer {
	const { records, texts } = holdings;
	const entry = readTextEntry(body);
	if (entry === undefined) return refuse(badRequest('title and text must be texts.'));
	const { title: sourceName } = entry;
	const record = records.prepare({ sourceName, type: 'text-details', status: 'indexing' });
	const { uniqueId } = record;
	return {
		status,
		body: () => written('Text detail created successfully', uniqueId, entry),
		change: () => {
			records.add(record);
			texts.write(uniqueId, entry);
			records.index(uniqueId);
		},
	};
}

/** Changes a text where it is: its ID stays, and so do the agents that have it. */
export function updateText(
	{ uniqueId = '', body }: ReceivedRequest,
	{ records, texts }: Holdings,
	envelope: Envelope,
): Answer {
	const before = texts.of(records.get(uniqueId));
	if (before === undefined) return refuse(noSuchFile(uniqueId, envelope));
	const entry = { ...before, ...readTextChange(body) };
	return {
		status: 200,
		body: () => written('Text detail updated successfully', uniqueId, entry),
		change: () => {
			texts.write(uniqueId, entry, before);
			records.rename(uniqueId, entry.title);
		},
	};
}

function written(message: string, uniqueId: string, { title }: TextEntry) {
	const data = { uniqueId, title, ...keptAs(uniqueId), status: 'indexing' };
	return { success: true, message, data };
}

function shownText(
	{ uniqueId, status, createdAt, updatedAt }: KnowledgeRecord,
	entry: TextEntry | undefined,
) {
	return entry && { uniqueId, ...entry, ...keptAs(uniqueId), status, createdAt, updatedAt };
}

function keptAs(uniqueId: string) {
	const fileName = textFileName(uniqueId);
	return { fileName, s3Key: `${APP_ID}/text/${uniqueId.slice(0, 8)}/${fileName}` };
}

/** Documented is only that a text is kept as a Markdown file. */
export function textFileName(uniqueId: string): string {
	return `${uniqueId}.md`;
}
