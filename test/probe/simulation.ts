import { isRecord } from '../../nodes/CometChatKnowledgeBase/values/validationIssue';
import type { AttemptResult } from '../../nodes/CometChatKnowledgeBase/requests/attemptResult';
import { refusalBody } from '../service/refusal';
import type { Envelope, Service } from '../service/service';
import type { HttpRequest, Send } from './http';

/** In which way the service might turn out, where its documents are silent and the stand-in has no option. */
export interface Ways {
	envelope?: Envelope;
	/** Source types that exist; left out: those that the node offers. */
	sourceTypes?: string[];
	/** 409 for an add of what is attached, and a remove of what is not. */
	refusesRepetition?: boolean;
	/** A list with an unknown ID is refused after its known ones have been attached. */
	attachesInPart?: boolean;
	/** Agents on a page at most; 100 if left out. */
	mostAgents?: number;
	refusesNewAgents?: boolean;
	/** How many deletes of an agent fail before one succeeds. */
	failingDeletes?: number;
	/** Headers on every answer. */
	headers?: Record<string, string>;
}

/** An agent of the stand-in that is handed out as the one that the probe has made. */
export const SPARE_UID = '7d3c0f52-1111-4222-8333-abcdefabcdef';

const BUILDER = '/v3/ai-agents/agent-builder';

/** A part of the service: gives the answer, or undefined where the stand-in has one. */
type Route = [
	method: string,
	path: RegExp,
	answer: (
		parts: string[],
		request: HttpRequest,
	) => AttemptResult | undefined | Promise<AttemptResult | undefined>,
];

/**
 * What the stand-in does not have, in front of it: making and deleting agents, and source types that
 * do not exist. All else goes on to the stand-in.
 */
export function simulated(service: Service, through: Send, apiKey: string, ways: Ways) {
	const { envelope = 'gateway', mostAgents = 100 } = ways;
	const { sourceTypes = ['uploads', 'text', 'website', 'knowledge-base'] } = ways;
	let made: string | undefined;
	let failingDeletes = ways.failingDeletes ?? 0;

	const ok = (body: unknown): AttemptResult => ({
		kind: 'response',
		status: 200,
		headers: {},
		body,
	});
	const refuse = (status: number, code: string, message: string): AttemptResult => ({
		kind: 'response',
		status,
		headers: {},
		body: refusalBody({ status, code, message, envelope }),
	});
	const noAgent = refuse(404, 'ERR_AGENT_NOT_FOUND', 'The agent does not exist.');
	const records = () => service.records().map(({ uniqueId }) => uniqueId);

	const routes: Route[] = [
		[
			'POST',
			/^\/agents$/,
			(_, { body }) => {
				if (ways.refusesNewAgents) return refuse(403, 'ERR_PLAN_RESTRICTION', 'Not in this plan.');
				made = isRecord(body) ? String(body.name) : '';
				return ok({ agent: { uid: SPARE_UID, name: made, isActive: false } });
			},
		],
		[
			'GET',
			/^\/agents$/,
			(_, { qs: { limit, search } = {} }) => {
				if (Number(limit) > mostAgents) {
					return refuse(400, 'ERR_BAD_REQUEST', `limit must not be greater than ${mostAgents}`);
				}
				if (search === undefined) return undefined;
				return ok({ data: made === search ? [{ uid: SPARE_UID, name: made }] : [], meta: {} });
			},
		],
		[
			'GET',
			/^\/agents\/([^/]+)$/,
			([uid]) => (uid === SPARE_UID && made !== undefined ? undefined : noAgent),
		],
		[
			'DELETE',
			/^\/agents\/([^/]+)$/,
			([uid]) => {
				if (failingDeletes > 0) {
					failingDeletes -= 1;
					return refuse(503, 'ERR_EXCEPTION', 'Try again.');
				}
				if (uid !== SPARE_UID || made === undefined) return noAgent;
				made = undefined;
				return ok({ success: true, message: 'Deleted' });
			},
		],
		[
			'PATCH',
			/^\/agents\/([^/]+)\/knowledge-base\/([^/]+)\/(add|remove)$/,
			async ([uid = '', type = '', operation], request) => {
				if (!sourceTypes.includes(type)) {
					const message = `sourceType must be one of ${sourceTypes.join(', ')}`;
					return refuse(400, 'ERR_BAD_REQUEST', message);
				}
				const { body } = request;
				const ids = isRecord(body) && Array.isArray(body.uniqueIds) ? body.uniqueIds : [];
				const attached = service.files(uid, type);
				const isRepeated = ids.some((id) => attached.includes(id) === (operation === 'add'));
				if (ways.refusesRepetition && isRepeated) {
					return refuse(409, 'ERR_CONFLICT', 'Nothing to do.');
				}
				const known = ids.filter((id) => records().includes(id));
				if (ways.attachesInPart && 0 < known.length && known.length < ids.length) {
					await through({ ...request, body: { uniqueIds: known } }, 5000);
				}
				return undefined;
			},
		],
	];

	const answer = async (request: HttpRequest): Promise<AttemptResult | undefined> => {
		if (request.headers?.apikey !== apiKey) return undefined;
		const path = new URL(request.url).pathname.replace(BUILDER, '');
		for (const [method, pattern, answered] of routes) {
			const parts = method === request.method ? pattern.exec(path) : null;
			if (parts === null) continue;
			return await answered(parts.slice(1).map(decodeURIComponent), request);
		}
		return undefined;
	};

	const send: Send = async (request, timeoutMs) => {
		const reply = (await answer(request)) ?? (await through(request, timeoutMs));
		if (reply.kind === 'network failure' || ways.headers === undefined) return reply;
		return { ...reply, headers: { ...reply.headers, ...ways.headers } };
	};
	/** `madeAgents`: the names of the agents that were made and are not deleted. */
	return { send, madeAgents: () => (made === undefined ? [] : [made]) };
}
