import { KNOWLEDGE_BASE } from './address';
import { type KnowledgeRecord, recordOf, type Records, type Source } from './records';
import { badRequest } from './refusal';
import { route } from './routes';
import { APP_ID } from './seeds';
import type { ServiceOptions } from './service';
import { optional, text } from './shapes';

/** What a text has said since a Unix time in milliseconds. */
export interface Version {
	title: string;
	text: string;
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
			({ given }) => {
				const draft = { type: 'text-details', status: 'indexing' } as const;
				const record = this.records.prepare({ ...draft, sourceName: given.title });
				const change = () => {
					const source = this.records.add(record);
					source.versions = [{ ...given, fromMs: Date.now() }];
					this.records.index(source);
				};
				const status = this.options.createdStatus ?? 201;
				return { status, body: () => written(record, given.title), change };
			},
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
		// Its ID stays, and so do the agents that have it. What a change of nothing does is undocumented.
		route('updateText', `PATCH ${TEXTS}/{uniqueId}`, CHANGE, ({ uniqueId, given }) => {
			if (Object.keys(given).length === 0) throw badRequest('There is nothing to change.');
			const source = this.records.known(uniqueId, 'text');
			const before = textOf(source);
			const { title = before.title, text: said = before.text } = given;
			const change = () => {
				const versions = source.versions ?? [{ ...before, fromMs: -Infinity }];
				source.versions = [...versions, { title, text: said, fromMs: Date.now() }];
				this.records.reindex(source, { sourceName: title, updatedAt: Date.now() });
			};
			return { body: () => written(source.record, title), change };
		}),
	];

	constructor(
		private readonly records: Records,
		private readonly options: ServiceOptions,
	) {}
}

/** What a text says, or said then. */
export function textOf({ record, versions = [] }: Source, asOfMs = Infinity) {
	const { uniqueId, sourceName } = record;
	const seeded = { title: sourceName, text: seededText(uniqueId) };
	const { title, text: said } = versions.findLast(({ fromMs }) => fromMs <= asOfMs) ?? seeded;
	return { title, text: said };
}

/** What a text of the start says. */
export function seededText(uniqueId: string): string {
	return `This is ${uniqueId}.`;
}

function shownText(source: Source, asOfMs = Date.now()): object | undefined {
	const { type, uniqueId, status, createdAt, updatedAt } = recordOf(source, asOfMs);
	if (type !== 'text-details') return undefined;
	const said = textOf(source, asOfMs);
	return { uniqueId, ...said, ...keptAs(uniqueId), status, createdAt, updatedAt };
}

function written({ uniqueId }: KnowledgeRecord, title: string) {
	const data = { uniqueId, title, ...keptAs(uniqueId), status: 'indexing' };
	return { success: true, message: 'Text detail written successfully', data };
}

/** Documented is only that a text is kept as a Markdown file. */
function keptAs(uniqueId: string) {
	const fileName = `${uniqueId}.md`;
	return { fileName, s3Key: `${APP_ID}/text/${uniqueId.slice(0, 8)}/${fileName}` };
}
