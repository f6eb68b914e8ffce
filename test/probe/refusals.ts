import { NO_FILE_IDS, readFileIds } from '../../nodes/CometChatKnowledgeBase/input/fileIds';
import { listRequest } from '../../nodes/CometChatKnowledgeBase/service/agents';
import { toRequest } from '../../nodes/CometChatKnowledgeBase/service/attachments';
import { isRecord } from '../../nodes/CometChatKnowledgeBase/values/complaint';
import type { Cause } from '../../nodes/CometChatKnowledgeBase/results/explain';
import { explain, serviceWords } from '../../nodes/CometChatKnowledgeBase/results/explain';
import type { Reply } from '../../nodes/CometChatKnowledgeBase/requests/reply';
import { effectOf } from '../../nodes/CometChatKnowledgeBase/requests/reply';
import { isWorthRepeating } from '../../nodes/CometChatKnowledgeBase/requests/retry';
import type { Asker } from './asking';
import { inBrief } from './asking';
import type { Verdict } from './finding';
import { couldNotTell, doesNotHold, holds, together } from './finding';
import type { Question } from './question';
import type { Session } from './session';

const NO_SUCH_PATH = '/ai-agents/agent-builder/no-such-path';

/** What the node's words for a refusal have to be. */
interface Expected {
	cause: Cause;
	/** The field that the person is sent to. */
	field?: string;
}

const AGENT: Expected = { cause: 'configuration-invalid', field: "'Agent'" };
const FILES: Expected = { cause: 'configuration-invalid', field: "'File IDs'" };
const REQUEST: Expected = { cause: 'configuration-invalid' };
const KEY: Expected = { cause: 'credential-invalid' };

export const refusals: Question = {
	question: 3,
	title: 'Refusals: status and envelope',
	choice: 'reads both envelopes, sends the person to the field at fault, repeats no refusal',
	async ask(session) {
		const { asker, unknownId } = session;
		const verdicts: Verdict[] = [];
		const judge = (what: string, reply: Reply, expected: Expected) => {
			verdicts.push(refusalVerdict(asker, what, reply, expected));
		};
		const nobody = {
			operation: 'add' as const,
			uid: asker.around.newId(),
			sourceType: 'uploads',
			uniqueIds: [unknownId],
		};
		judge('unknown agent', await asker.ask('add to an unknown agent', toRequest(nobody)), AGENT);
		const { unknownIdReply } = session;
		if (unknownIdReply) judge('unknown file', unknownIdReply, FILES);
		verdicts.push(...(await bodyVerdicts(session)));
		const agents = listRequest(undefined, undefined, 1);
		judge('no key', await asker.ask('agents, without a key', agents, { signature: 'no key' }), KEY);
		const nowhere = { method: 'GET' as const, url: NO_SUCH_PATH };
		judge('bad path', await asker.ask('a path that does not exist', nowhere), REQUEST);
		return together(...verdicts);
	},
};

/** Bodies that a careless service might take for 'all files' are kept from an existing agent. */
async function bodyVerdicts({ asker, agent, unknownId }: Session): Promise<Verdict[]> {
	if (!agent?.isThrowaway) {
		return [
			couldNotTell(
				'unknown file, malformed body and empty list are asked of a throwaway agent only',
			),
		];
	}
	const { uid } = agent;
	const change = { operation: 'add' as const, uid, sourceType: 'uploads', uniqueIds: [] };
	const malformed = { ...toRequest(change), body: { fileIds: [unknownId] } };
	const malformedReply = await asker.ask('add, the body without uniqueIds', malformed);
	const emptyReply = await asker.ask('add an empty list', toRequest(change));
	return [
		effectOf(malformedReply) === 'applied'
			? doesNotHold('malformed body: answered with success')
			: refusalVerdict(asker, 'malformed body', malformedReply, REQUEST),
		readFileIds([]) === NO_FILE_IDS
			? holds(`empty list: ${inBrief(emptyReply)}, the node never sends one`)
			: doesNotHold('the node would send an empty list'),
	];
}

function refusalVerdict(asker: Asker, what: string, reply: Reply, expected: Expected): Verdict {
	const brief = `${what}: ${asker.redact(inBrief(reply))}`;
	if (reply.kind === 'silence') return couldNotTell(brief);
	if (effectOf(reply) === 'applied') {
		return doesNotHold(`${brief} is success, which the node passes on as done`);
	}
	if (isWorthRepeating(reply)) return doesNotHold(`${brief} is repeated by the node, in vain`);
	const { what: words, remedy, cause } = explain(reply, asker.given.account);
	if (effectOf(reply) === 'unknown') return doesNotHold(`${brief} reads as "${words}"`);
	const envelope = envelopeOf(reply.body);
	if (envelope === undefined) return doesNotHold(`${brief} comes in no known envelope`);
	const isFit = cause === expected.cause && remedy.includes(expected.field ?? '');
	return isFit
		? holds(`${brief} in the ${envelope} envelope`)
		: doesNotHold(`${brief} reads as "${words}"`);
}

/** The two public ones; undefined for any other. */
function envelopeOf(body: unknown): 'gateway' | 'agent service' | undefined {
	if (!isRecord(body) || serviceWords(body).text === '') return undefined;
	if (isRecord(body.error)) {
		return typeof body.error.message === 'string' ? 'gateway' : undefined;
	}
	const hasMessage = typeof body.message === 'string' || Array.isArray(body.message);
	return typeof body.statusCode === 'number' && hasMessage ? 'agent service' : undefined;
}
