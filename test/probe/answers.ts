import { isRecord } from '../../nodes/CometChatKnowledgeBase/values/complaint';
import { agentIn, getRequest } from './agentRequests';
import { inBrief } from './asking';
import { couldNotTell, doesNotHold, holds } from './finding';
import type { Question } from './question';

export const uidCase: Question = {
	question: 5,
	title: 'Upper and lower case of a uid',
	choice: 'sends a uid as given; keeps two spellings in one order, as if they were one agent',
	async ask({ asker, agent }) {
		if (agent === undefined) return couldNotTell('there is no agent to look at');
		const { uid } = agent;
		const other = uid === uid.toLowerCase() ? uid.toUpperCase() : uid.toLowerCase();
		if (other === uid) return couldNotTell('the uid has no letters');
		const swapped = await asker.ask('the agent, its uid in the other case', getRequest(other));
		const found = agentIn(swapped, (seen) => seen.uid.toLowerCase() === uid.toLowerCase());
		if (found !== undefined) return holds('case makes no difference');
		const own = await asker.ask('the agent, its uid as it is', getRequest(uid));
		const isReadable = agentIn(own, (seen) => seen.uid === uid) !== undefined;
		return isReadable && swapped.kind === 'answer' && swapped.status < 500
			? holds(`case matters (${inBrief(swapped)} in the other): the shared order costs only time`)
			: couldNotTell(`${inBrief(swapped)} in the other case, ${inBrief(own)} in its own`);
	},
};

const READ_HEADERS = /^(?:retry-after|x-rate-?limit-reset)$/;
const KNOWN_HEADERS = /^(?:retry-after|x-rate-?limit(?:-(?:limit|remaining|reset))?)$/;

export const rateHeaders: Question = {
	question: 7,
	title: 'Rate limit headers',
	choice: 'obeys Retry-After, else X-RateLimit-Reset or X-Rate-Limit-Reset; only on a refusal',
	async ask({ asker }) {
		const names = asker.replies
			.flatMap((reply) => (reply.kind === 'answer' ? Object.keys(reply.headers) : []))
			.filter((name) => /rate-?limit|retry-after/.test(name));
		const seen = [...new Set(names)].sort();
		const strange = seen.filter((name) => !KNOWN_HEADERS.test(name)).map(asker.redact);
		if (strange.length > 0) return doesNotHold(`another spelling: ${strange.join(', ')}`);
		if (seen.length === 0) {
			return couldNotTell(`none on ${asker.replies.length} answers; a limit was not provoked`);
		}
		return seen.some((name) => READ_HEADERS.test(name))
			? holds(`seen: ${seen.join(', ')}`)
			: holds(`seen: ${seen.join(', ')}; what a refusal brings was not provoked`);
	},
};

export const success: Question = {
	question: 9,
	title: 'Success of a PATCH',
	choice: 'takes any 2xx with success true (a boolean) for done, and nothing else',
	async ask({ asker }) {
		if (asker.accepted.length === 0) {
			return couldNotTell('no PATCH had a status of success; name a file in COMETCHAT_FILE_IDS');
		}
		const statuses = [...new Set(asker.accepted.map(({ status }) => status))].join(', ');
		const successes = asker.accepted.map(({ body }) => (isRecord(body) ? body.success : undefined));
		const strange = successes.find((value) => typeof value !== 'boolean');
		if (successes.some((value) => typeof value !== 'boolean')) {
			return doesNotHold(`status ${statuses}, but success is ${kindOf(strange)}`);
		}
		return successes.includes(true)
			? holds(`status ${statuses}, success is a boolean`)
			: couldNotTell(`status ${statuses}, but success was never true`);
	},
};

function kindOf(value: unknown): string {
	return value === undefined ? 'missing' : `a ${typeof value}`;
}
