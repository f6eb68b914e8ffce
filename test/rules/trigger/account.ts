import { ApiError } from '../../../nodes/CometChatKnowledgeBase/http/apiError';
import type { ApiClient } from '../../../nodes/CometChatKnowledgeBase/api/apiClient';
import { redacted } from '../redacted';

export const START_MS = Date.UTC(2026, 0, 31, 12);

const SECOND_MS = 1000;

/** The life of a document, in seconds since the start of its account. */
export interface Life {
	created: number;
	/** The delay until it is listed. */
	late: number;
	indexing: number;
	end: 'indexed' | 'inSync' | 'failed';
	/** The time from creation to deletion; left out: never. */
	deleted?: number;
	/** The fault of its time of creation; left out: none. */
	dated?: 'in seconds' | 'ahead';
}

/** The behaviour of CometChat that is unknown. */
export interface Manner {
	/** The response to a request with an unknown ID. */
	unknown: 'left out' | 'refused';
	perPage: number;
}

export interface Course {
	/** The number of responses before the connection is lost, or the time of the poll is over. */
	answers: number;
	isTimeUp: boolean;
}

export const idOf = (at: number) => `doc-${at}`;

const atOf = (id: string) => Number(id.slice('doc-'.length));

/** Returns a title with CometChat's maximum length. */
export const titleOf = (id: string) => `${id} `.padEnd(500, 't');

interface Shown {
	uniqueId: string;
	sourceName: string;
	type: string;
	createdAt?: number;
	status: string;
}

const AHEAD_S = 30 * 24 * 3600;

function dateOf({ created, dated }: Life): number {
	const ms = START_MS + created * SECOND_MS;
	if (dated === 'in seconds') return ms / 1000;
	return dated === 'ahead' ? ms + AHEAD_S * SECOND_MS : ms;
}

/** Returns the documents at a time, newest first. Of two with the same time, the later one is the newer. */
export function shownAt(lives: Life[], now: number): Shown[] {
	return lives
		.map((life, at) => ({ life, at, uniqueId: idOf(at) }))
		.filter(
			({ life: { created, late, deleted = Infinity } }) =>
				created + late <= now && now < created + deleted,
		)
		.sort((one, other) => other.life.created - one.life.created || other.at - one.at)
		.map(({ life, uniqueId }) => ({
			uniqueId,
			sourceName: titleOf(uniqueId),
			type: 'text-details',
			createdAt: dateOf(life),
			status: now < life.created + life.indexing ? 'indexing' : life.end,
		}));
}

const LOST = new ApiError('', '', { attempts: 1, effect: 'unknown', stopReason: 'answered' });
const UNKNOWN = new ApiError('', '', {
	...{ attempts: 1, effect: 'not applied', stopReason: 'answered' },
	...{ status: 404, concernsOneDocument: true, unknown: 'document' },
});

/** Makes a service with the documents at a time. @returns The service, and the number of requests. */
export function serviceAt(lives: Life[], now: number, manner: Manner, course: Course) {
	const all = shownAt(lives, now);
	const statuses = new Map(all.map(({ uniqueId, status }) => [uniqueId, status]));
	const { perPage } = manner;
	let requests = 0;
	const statusesOf = (ids: string[]): unknown => {
		const known = ids.filter((id) => statuses.has(id));
		const isRefused = manner.unknown === 'refused' && known.length < ids.length;
		if (isRefused) return UNKNOWN;
		return { data: Object.fromEntries(known.map((id) => [id, statuses.get(id)])) };
	};
	/** Whether a document is after a cursor, the last document of a page: a deletion moves no other document. */
	const isBehind = (uniqueId: string, cursor: string) => {
		const createdOf = (id: string) => lives[atOf(id)]?.created ?? 0;
		const laterS = createdOf(cursor) - createdOf(uniqueId);
		return laterS > 0 || (laterS === 0 && atOf(uniqueId) < atOf(cursor));
	};
	const pageFrom = (cursor?: string): unknown => {
		const rest = all.filter(({ uniqueId }) => cursor === undefined || isBehind(uniqueId, cursor));
		const data = rest.slice(0, perPage);
		return {
			data,
			// As documented: otherwise, a full page could be the first of many.
			meta: {
				current: { limit: perPage, count: data.length },
				...(rest.length > perPage ? { next: { cursor: data.at(-1)?.uniqueId } } : {}),
			},
		};
	};
	const client: ApiClient = {
		call: async ({ method, qs, body }, read) => {
			requests += 1;
			if (requests > course.answers) throw LOST;
			const answer =
				method === 'GET' ? pageFrom(qs?.cursor?.toString()) : statusesOf(Object(body).uniqueId);
			const value = answer instanceof ApiError ? undefined : read(redacted(answer));
			if (value === undefined || value === null) throw answer instanceof ApiError ? answer : LOST;
			return value;
		},
	};
	const isOver = () => course.isTimeUp && requests > course.answers;
	return { client, requests: () => requests, isOver };
}
