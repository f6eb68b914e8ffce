import { isRecord, quoted } from './complaint';
import type { Session } from './operation';
import { KNOWLEDGE_BASE } from './records';
import type { Setback, Steps } from './steps';
import { Refused, Stuck } from './steps';

/** Our choice: the service documents no maximum for the IDs of one question. */
const IDS_PER_QUESTION = 100;

/** The statuses of a file that an agent can answer from; the pages name both and explain neither. */
const READY = ['indexed', 'inSync'];

const FAILED = 'failed';

/** What is said of an ID that the service leaves out of its answer. */
const NOT_LISTED = 'notFound';

/** By file ID. */
export type StatusById = Map<string, string>;

/**
 * Poll knowledge base status
 * (https://www.cometchat.com/docs/rest-api/ai-agents-apis/knowledge-base/poll-knowledge-base-status):
 * the field is `uniqueId`, in the singular, and a list. Built on that page, not tried.
 */
export function statusRequest(uniqueIds: string[]) {
	return {
		method: 'POST' as const,
		url: `${KNOWLEDGE_BASE}/status/poll`,
		headers: { 'Content-Type': 'application/json' },
		body: { uniqueId: uniqueIds },
	};
}

export function readStatuses(body: unknown): StatusById | undefined {
	if (!isRecord(body) || !isRecord(body.data)) return undefined;
	const entries = Object.entries(body.data);
	return new Map(entries.map(([id, status]) => [id, String(status)]));
}

/** The status of each ID, in the order given. */
export async function statusesOf(steps: Steps, uniqueIds: string[]): Promise<StatusById | Refused> {
	const found: StatusById = new Map();
	for (let from = 0; from < uniqueIds.length; from += IDS_PER_QUESTION) {
		const ids = uniqueIds.slice(from, from + IDS_PER_QUESTION);
		const answer = await steps.ask(statusRequest(ids), readStatuses);
		if (answer instanceof Refused) return answer;
		for (const id of ids) found.set(id, answer.get(id) ?? NOT_LISTED);
	}
	return found;
}

export function isReady(status: string | undefined): boolean {
	return status !== undefined && READY.includes(status);
}

const FIRST_PAUSE_MS = 1000;

/** Indexing takes from seconds to minutes; asking more often than this only uses up the rate limit. */
const LONGEST_PAUSE_MS = 15_000;

/**
 * Waits until all of the files are ready, asking less and less often.
 *
 * @param statuses Is kept up to date, for whoever wants to know how far it came.
 * @returns Why it can't be waited for any longer; undefined if all are ready.
 */
export async function untilIndexed(
	steps: Steps,
	{ clock }: Pick<Session, 'clock'>,
	uniqueIds: string[],
	maxIndexingMs: number,
	statuses: StatusById,
): Promise<Setback | undefined> {
	const lastMs = clock.nowMs() + maxIndexingMs;
	for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
		if (clock.isOver()) return STOPPED;
		const open = uniqueIds.filter((id) => !isReady(statuses.get(id)));
		const answer = await statusesOf(steps, open);
		if (answer instanceof Refused) return answer;
		for (const [id, status] of answer) statuses.set(id, status);

		const failed = uniqueIds.filter((id) => statuses.get(id) === FAILED);
		if (failed.length > 0) return couldNotIndex(failed);
		if (uniqueIds.every((id) => isReady(statuses.get(id)))) return undefined;
		const leftMs = lastMs - clock.nowMs();
		if (leftMs <= 0) return tooSlow(statuses);
		await clock.pause(Math.min(pauseMs, leftMs));
	}
}

const STOPPED = new Stuck(
	'The run stopped while CometChat was indexing',
	'Ask for the status later with Get Status.',
	{ because: 'run over' },
);

function tooSlow(statuses: StatusById): Stuck {
	const open = [...statuses].filter(([, status]) => !isReady(status));
	const said = open.slice(0, MOST_LISTED).map(([id, status]) => `${quoted(id)} is ${status}`);
	const more = open.length > MOST_LISTED ? `, and ${open.length - MOST_LISTED} more are open` : '';
	return new Stuck(
		"CometChat did not finish indexing within 'Max Indexing Time (Minutes)'",
		'Ask for the status later with Get Status, or raise that option.',
		{ said: `${said.join(', ')}${more}.`, cause: 'temporarily-unavailable' },
	);
}

/** More would bury the message. */
const MOST_LISTED = 5;

/** Whether any of the files can't be read, so that waiting and going on are of no use. */
export function hasFailed(statuses: StatusById): boolean {
	return [...statuses.values()].includes(FAILED);
}

function couldNotIndex(ids: string[]): Stuck {
	return new Stuck(
		ids.length === 1
			? 'CometChat was not able to read the file'
			: `CometChat was not able to read ${ids.length} files`,
		`Check that the file opens, is not protected by a password and holds text; then delete it (${ids.map(quoted).join(', ')}) and upload it again.`,
		{ cause: 'configuration-invalid' },
	);
}
