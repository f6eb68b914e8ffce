import { KNOWLEDGE_BASE } from './address';
import type { KnowledgeRecord, Records, Source } from './records';
import { recordOf } from './records';
import { badRequest } from './refusal';
import type { Answer } from './routes';
import { route } from './routes';
import { APP_ID } from './seeds';
import type { ServiceOptions } from './service';
import { optional, text } from './shapes';

interface TextEntry {
	title: string;
	text: string;
}

/** What a text has said since a Unix time in milliseconds. */
export interface Version extends TextEntry {
	fromMs: number;
}

const TEXTS = `${KNOWLEDGE_BASE}/text`;
const SHAPES = { title: text(1, 500), text: text(1, 5000) };
const CHANGE = { title: optional(SHAPES.title), text: optional(SHAPES.text) };

/** The texts of the app. Those of the start, which nobody has written here, say so in a sentence. */
export class Texts {
	readonly routes = [
		route(
			'createText',
			`POST ${TEXTS}`,
			SHAPES,
			({ given }) => this.create(given),
			({ title }) => [title],
		),
		// All of them, newest first (undocumented), with what they say, and without pages.
		route('listTexts', `GET ${TEXTS}`, {}, () => {
			const behindMs = this.options.lagsMs?.texts ?? 0;
			const shown = (source: Source) => shownText(source, Date.now() - behindMs) ?? [];
			return { body: () => ({ data: this.records.listed(behindMs).flatMap(shown) }) };
		}),
		route('getText', `GET ${TEXTS}/{uniqueId}`, {}, ({ uniqueId }) => {
			const source = this.records.known(uniqueId, 'text');
			const more = { vectorizationStatus: 'completed', isActive: true };
			return { body: () => ({ data: { ...shownText(source), ...more } }) };
		}),
		route('updateText', `PATCH ${TEXTS}/{uniqueId}`, CHANGE, ({ uniqueId, given }) =>
			this.update(this.records.known(uniqueId, 'text'), given),
		),
	];

	constructor(
		private readonly records: Records,
		private readonly options: ServiceOptions,
	) {}

	private create(entry: TextEntry): Answer {
		const { title: sourceName } = entry;
		const draft = { sourceName, type: 'text-details', status: 'indexing' } as const;
		const record = this.records.prepare(draft);
		const change = () => {
			const source = this.records.add(record);
			source.versions = [{ ...entry, fromMs: Date.now() }];
			this.records.index(source);
		};
		const body = () => written('Text detail created successfully', record, entry);
		return { status: this.options.createdStatus ?? 201, body, change };
	}

	/** Its ID stays, and so do the agents that have it. What a change of nothing does is undocumented. */
	private update(source: Source, given: Partial<TextEntry>): Answer {
		if (Object.keys(given).length === 0) throw badRequest('There is nothing to change.');
		const before = textOf(source);
		const entry = { ...before, ...given };
		const change = () => {
			const versions = source.versions ?? [{ ...before, fromMs: -Infinity }];
			source.versions = [...versions, { ...entry, fromMs: Date.now() }];
			this.records.reindex(source, { sourceName: entry.title, updatedAt: Date.now() });
		};
		const body = () => written('Text detail updated successfully', source.record, entry);
		return { body, change };
	}
}

/** What a text says, or said then. */
export function textOf({ record, versions = [] }: Source, asOfMs = Infinity): TextEntry {
	const { uniqueId, sourceName } = record;
	const seeded = { title: sourceName, text: seededText(uniqueId) };
	const { title, text: said } = versions.findLast(({ fromMs }) => fromMs <= asOfMs) ?? seeded;
	return { title, text: said };
}

/** What a text of the start says. */
export function seededText(uniqueId: string): string {
	return `This is ${uniqueId}.`;
}

/** Documented is only that a text is kept as a Markdown file. */
export function textFileName(uniqueId: string): string {
	return `${uniqueId}.md`;
}

function shownText(source: Source, asOfMs = Date.now()): object | undefined {
	const { type, uniqueId, status, createdAt, updatedAt } = recordOf(source, asOfMs);
	if (type !== 'text-details') return undefined;
	const times = { createdAt, updatedAt };
	return { uniqueId, ...textOf(source, asOfMs), ...keptAs(uniqueId), status, ...times };
}

function written(message: string, { uniqueId }: KnowledgeRecord, { title }: TextEntry) {
	const data = { uniqueId, title, ...keptAs(uniqueId), status: 'indexing' };
	return { success: true, message, data };
}

function keptAs(uniqueId: string) {
	const fileName = textFileName(uniqueId);
	return { fileName, s3Key: `${APP_ID}/text/${uniqueId.slice(0, 8)}/${fileName}` };
}
