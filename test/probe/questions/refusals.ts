import { REGIONS, readAccount } from '../../../nodes/CometChatKnowledgeBase/account/account';
import { listRequest } from '../../../nodes/CometChatKnowledgeBase/service/agents';
import { toRequest } from '../../../nodes/CometChatKnowledgeBase/service/attachments';
import {
	ValidationIssue,
	isRecord,
} from '../../../nodes/CometChatKnowledgeBase/values/validationIssue';
import type { Cause } from '../../../nodes/CometChatKnowledgeBase/results/messages';
import { explain, serviceWords } from '../../../nodes/CometChatKnowledgeBase/results/messages';
import type { AttemptResult } from '../../../nodes/CometChatKnowledgeBase/requests/attemptResult';
import { effectOf } from '../../../nodes/CometChatKnowledgeBase/requests/attemptResult';
import { isRetryable } from '../../../nodes/CometChatKnowledgeBase/requests/retryPolicy';
import { inBrief, isSuccessStatus } from '../client';
import type { Context } from '../context';
import { change, isApplied } from '../context';
import type { Verdict } from '../question';
import { couldNotTell, doesNotHold, holds, question, together } from '../question';

const ONE_AGENT = listRequest(undefined, undefined, 1);

export const refusals = question({
	id: 'refusals',
	asks: 'Refusals: status and envelope',
	choice: 'reads both envelopes, sends the person to the field at fault, repeats no refusal',
	needs: ['agent'],
	async run(context) {
		const { client, uid = '', unknownUid, unknownId, unknownIdReply } = context;
		const add = { operation: 'add' as const, sourceType: 'uploads' };
		const nobody = toRequest({ ...add, uid: unknownUid, uniqueIds: [unknownId] });
		const malformed = {
			...toRequest({ ...add, uid, uniqueIds: [] }),
			body: { fileIds: [unknownId] },
		};
		const nowhere = { method: 'GET' as const, url: '/ai-agents/agent-builder/no-such-path' };
		return {
			nobody: await client.ask('adds to an unknown agent', nobody),
			unknownFile: unknownIdReply,
			malformed: await client.ask('adds, the body without uniqueIds', malformed),
			empty: await change(context, 'adds an empty list', 'add', 'uploads'),
			noKey: await client.ask('agents, without a key', ONE_AGENT, { account: 'no key' }),
			nowhere: await client.ask('a path that does not exist', nowhere),
		};
	},
	judge({ nobody, unknownFile, malformed, empty, noKey, nowhere }, context) {
		const verdict = (what: string, reply: AttemptResult, cause: Cause, field = '') =>
			refusalVerdict(context, `${what}: ${inBrief(reply)}`, reply, cause, field);
		return together(
			verdict('unknown agent', nobody, 'configuration-invalid', "'Agent'"),
			unknownFile
				? verdict('unknown file', unknownFile, 'configuration-invalid', "'File IDs'")
				: couldNotTell('no unknown file was added'),
			verdict('malformed body', malformed, 'configuration-invalid'),
			holds(`empty list: ${inBrief(empty)}, the node never sends one`),
			verdict('no key', noKey, 'credential-invalid'),
			verdict('bad path', nowhere, 'configuration-invalid'),
		);
	},
});

/** @param field The field that the person has to be sent to. */
function refusalVerdict(
	{ client }: Context,
	brief: string,
	reply: AttemptResult,
	expected: Cause,
	field: string,
): Verdict {
	if (reply.kind === 'network failure') return couldNotTell(brief);
	if (isApplied(reply)) return doesNotHold(`${brief} is success, which the node passes on as done`);
	if (isRetryable(reply)) return doesNotHold(`${brief} is repeated by the node, in vain`);
	const { what, remedy, cause } = explain(reply, client.settings.account);
	if (effectOf(reply) === 'unknown') return doesNotHold(`${brief} reads as "${what}"`);
	const envelope = envelopeOf(reply.body);
	if (envelope === undefined) return doesNotHold(`${brief} comes in no known envelope`);
	return cause === expected && remedy.includes(field)
		? holds(`${brief} in the ${envelope} envelope`)
		: doesNotHold(`${brief} reads as "${what}"`);
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

export const wrongAccount = question({
	id: 'wrong-account',
	asks: 'Wrong app ID or region',
	choice: 'reads a missing host and a refusal alike as a wrong credential, and repeats neither',
	/** App ID and key are made up: the person's key is for the person's host alone. */
	async run({ client }) {
		const regions = REGIONS.filter((region) => region !== 'custom');
		const own = regions.find((region) => region === client.settings.fields.region);
		const other = regions.find((region) => region !== own);
		const replies: Array<{
			where: string;
			reply: AttemptResult;
			account: Record<string, unknown>;
		}> = [];
		if (own === undefined || other === undefined) return replies;
		const hex = () => client.machine.newId().replace(/-/g, '');
		for (const region of [own, other]) {
			const account = {
				region,
				appId: `probe${hex().slice(0, 12)}`,
				apiKey: hex() + hex().slice(24),
			};
			const where = region === own ? 'the same region' : 'another region';
			const what = `agents of a made-up app in ${where}, with a made-up key`;
			replies.push({ where, reply: await client.ask(what, ONE_AGENT, { account }), account });
		}
		return replies;
	},
	judge(replies) {
		if (replies.length === 0) return couldNotTell('a custom host has no app ID or region in it');
		return together(
			...replies.map(({ where, reply, account: fields }) => {
				const brief = `${where}: ${inBrief(reply)}`;
				if (isSuccessStatus(reply)) return doesNotHold(`${brief} for a made-up app`);
				if (reply.kind === 'network failure' && reply.code === 'EAI_AGAIN')
					return couldNotTell(brief);
				if (isRetryable(reply)) return doesNotHold(`${brief} is repeated by the node, in vain`);
				const account = readAccount(fields);
				if (account instanceof ValidationIssue) return couldNotTell(account.what);
				const { what, cause } = explain(reply, account);
				return cause === 'credential-invalid' || cause === 'configuration-invalid'
					? holds(`${brief} reads as "${what}"`)
					: doesNotHold(`${brief} reads as "${what}"`);
			}),
		);
	},
});
