import axios from 'axios';
import type { Request, Response } from 'express';
import express from 'express';

import type { Envelope, Service } from '../service/service';
import { refusalBody } from '../service/refusal';

/** In which way the service might turn out, where its documents are silent. */
export interface Ways {
	envelope?: Envelope;
	/** IDs that exist, beside those of files that are made; left out: any ID is taken. */
	files?: string[];
	/** Source types that exist; left out: any. */
	sourceTypes?: string[];
	/** 409 for an add of what is attached, and a remove of what is not. */
	refusesRepetition?: boolean;
	/** A list with an unknown ID is refused after its known ones have been attached. */
	attachesInPart?: boolean;
	/** How an agent shows its files; 'ids' if left out. */
	shows?: 'ids' | 'records' | 'nothing';
	uidsInAnyCase?: boolean;
	/** Agents on a page at most; 100 if left out. */
	mostAgents?: number;
	refusesNewAgents?: boolean;
	/** The answer to the making of an agent is lost, though it was made. */
	losesNewAgents?: boolean;
	/** How many deletes of an agent fail before one succeeds. */
	failingDeletes?: number;
	/** Headers on every answer. */
	headers?: Record<string, string>;
}

export interface Front {
	baseUrl: string;
	/** Method and path of every request, in order. */
	asked: string[];
	/** The most requests under way at once. */
	mostAtOnce(): number;
	/** The keys received, each once. */
	keys(): string[];
	/** Names of the agents that were made and are not deleted. */
	madeAgents(): string[];
	stop(): Promise<void>;
}

const AGENTS = '/v3/ai-agents/agent-builder/agents';

/** An agent of the stand-in that is handed out as the one that the probe has made. */
export const SPARE_UID = '7d3c0f52-1111-4222-8333-abcdefabcdef';

/**
 * What the stand-in does not have, in front of it: making, showing and deleting agents, and a stricter
 * look at files and source types. All else goes on to the stand-in.
 */
export async function startFront(service: Service, apiKey: string, ways: Ways): Promise<Front> {
	const { files, sourceTypes, envelope = 'gateway', shows = 'ids', mostAgents = 100 } = ways;
	const asked: string[] = [];
	const keys = new Set<string>();
	let made: string | undefined;
	let failingDeletes = ways.failingDeletes ?? 0;
	let underWay = 0;
	let mostAtOnce = 0;

	const refuse = (response: Response, status: number, code: string, message: string) => {
		response.status(status).json(refusalBody({ status, code, message, envelope }));
	};
	const noAgent = (response: Response) =>
		refuse(response, 404, 'ERR_AGENT_NOT_FOUND', 'The agent does not exist.');

	const forward = async (request: Request, response: Response) => {
		const { method, originalUrl } = request;
		const { status, headers, data } = await axios.request<unknown>({
			method,
			url: new URL(originalUrl, service.baseUrl).href,
			headers: { 'Content-Type': 'application/json', apikey: request.headers.apikey ?? null },
			data: method === 'GET' ? undefined : request.body,
			transformRequest: (body: unknown) => body,
			validateStatus: null,
			maxRedirects: 0,
		});
		response.status(status);
		for (const name of ['location', 'retry-after']) {
			const value: unknown = headers[name];
			if (typeof value === 'string') response.set(name, value);
		}
		if (typeof data === 'string') response.type('text').send(data);
		else response.json(data);
	};

	const app = express();
	app.use((request, response, next) => {
		asked.push(`${request.method} ${request.originalUrl}`);
		if (typeof request.headers.apikey === 'string') keys.add(request.headers.apikey);
		underWay += 1;
		mostAtOnce = Math.max(mostAtOnce, underWay);
		response.once('close', () => (underWay -= 1));
		response.set(ways.headers ?? {});
		next();
	});
	app.use(express.text({ type: () => true }));
	app.use(async (request, response, next) => {
		if (request.headers.apikey === apiKey) next();
		else await forward(request, response);
	});

	app.post(AGENTS, (request, response) => {
		if (ways.refusesNewAgents) {
			refuse(response, 403, 'ERR_PLAN_RESTRICTION', 'Not in this plan.');
			return;
		}
		const body: unknown = JSON.parse(String(request.body));
		if (typeof body !== 'object' || body === null || !('name' in body)) {
			refuse(response, 400, 'ERR_BAD_REQUEST', 'name is required');
			return;
		}
		made = String(body.name);
		if (ways.losesNewAgents) request.socket.destroy();
		else response.json({ agent: { uid: SPARE_UID, name: made, isActive: false } });
	});
	app.get(AGENTS, async (request, response) => {
		const { limit, search } = request.query;
		if (Number(limit) > mostAgents) {
			refuse(response, 400, 'ERR_BAD_REQUEST', `limit must not be greater than ${mostAgents}`);
		} else if (search !== undefined) {
			const found = made === search ? [{ uid: SPARE_UID, name: made }] : [];
			response.json({ data: found, meta: { current: { limit: 50, count: found.length } } });
		} else await forward(request, response);
	});
	app.get(`${AGENTS}/:uid`, (request, response) => {
		const given = request.params.uid;
		const uid = ways.uidsInAnyCase ? given.toLowerCase() : given;
		const agent = service.agents().find((one) => one.uid === uid);
		if (agent === undefined || (uid === SPARE_UID && made === undefined)) {
			noAgent(response);
			return;
		}
		const ids = [...service.files(uid, 'uploads'), ...service.files(uid, 'text')];
		const shown =
			shows === 'ids' ? ids : shows === 'records' ? ids.map((uniqueId) => ({ uniqueId })) : [];
		response.json({ ...agent, name: uid === SPARE_UID ? made : agent.name, files: shown });
	});
	app.delete(`${AGENTS}/:uid`, (request, response) => {
		if (failingDeletes > 0) {
			failingDeletes -= 1;
			refuse(response, 503, 'ERR_EXCEPTION', 'Try again.');
		} else if (request.params.uid === SPARE_UID && made !== undefined) {
			made = undefined;
			response.json({ success: true, message: 'Deleted' });
		} else noAgent(response);
	});
	app.patch(`${AGENTS}/:uid/knowledge-base/:sourceType/:operation`, async (request, response) => {
		const { uid, sourceType, operation } = request.params;
		if (sourceTypes && !sourceTypes.includes(sourceType)) {
			const message = `sourceType must be one of ${sourceTypes.join(', ')}`;
			refuse(response, 400, 'ERR_BAD_REQUEST', message);
			return;
		}
		const ids = idsIn(String(request.body));
		const held = service.records().map(({ uniqueId }) => uniqueId);
		const strange = ids.filter((id) => files && !held.includes(id));
		const isKnownAgent = service.agents().some((agent) => agent.uid === uid);
		if (isKnownAgent && strange.length > 0) {
			const known = ids.filter((id) => !strange.includes(id));
			request.body = JSON.stringify({ uniqueIds: known });
			if (ways.attachesInPart && known.length > 0) {
				await axios.patch(
					new URL(request.originalUrl, service.baseUrl).href,
					{ uniqueIds: known },
					{ headers: { apikey: apiKey } },
				);
			}
			refuse(response, 404, 'ERR_KB_NOT_FOUND', `No record ${strange.join(', ')}`);
			return;
		}
		const attached = service.files(uid, sourceType);
		const isRepeated = ids.some((id) => attached.includes(id) === (operation === 'add'));
		if (ways.refusesRepetition && isRepeated) {
			refuse(response, 409, 'ERR_CONFLICT', 'Nothing to do.');
			return;
		}
		await forward(request, response);
	});
	app.use(forward);

	const server = await new Promise<ReturnType<typeof app.listen>>((resolve) => {
		const starting = app.listen(0, '127.0.0.1', () => resolve(starting));
	});
	const address = server.address();
	if (typeof address !== 'object' || address === null) throw new Error('The server has no port.');
	return {
		baseUrl: `http://127.0.0.1:${address.port}/v3`,
		asked,
		mostAtOnce: () => mostAtOnce,
		keys: () => [...keys],
		madeAgents: () => (made === undefined ? [] : [made]),
		stop: async () => {
			await new Promise<void>((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			});
		},
	};
}

function idsIn(text: string): string[] {
	const body: unknown = JSON.parse(text);
	if (typeof body !== 'object' || body === null || !('uniqueIds' in body)) return [];
	const { uniqueIds } = body;
	return Array.isArray(uniqueIds) ? uniqueIds.filter((id) => typeof id === 'string') : [];
}
