import { REGIONS } from '../../../nodes/CometChatKnowledgeBase/account/account';
import { sourceTypeField } from '../../../nodes/CometChatKnowledgeBase/input/fields';
import { effectOf } from '../../../nodes/CometChatKnowledgeBase/requests/attemptResult';
import { isRetryable } from '../../../nodes/CometChatKnowledgeBase/requests/retryPolicy';
import type { Cause } from '../../../nodes/CometChatKnowledgeBase/results/messages';
import {
	agentRequest,
	listRequest,
	readAgent,
} from '../../../nodes/CometChatKnowledgeBase/service/agents';
import type { ChangeOperation } from '../../../nodes/CometChatKnowledgeBase/service/attachments';
import { toRequest } from '../../../nodes/CometChatKnowledgeBase/service/attachments';
import { isRecord } from '../../../nodes/CometChatKnowledgeBase/values/validationIssue';
import type { Answer } from '../answer';
import type { Asked } from '../client';
import type { Holds, Questions } from '../question';
import { all, question } from '../question';

/** The types that the node offers. */
const OFFERED = (sourceTypeField.options ?? []).flatMap((option) =>
	'value' in option && typeof option.value === 'string' ? [option.value] : [],
);

const NO_SUCH_TYPE = 'no-such-type';

/**
 * Whether each type that is offered is one, told by adding or removing an unknown ID. A refusal may be
 * meant for the ID or for the type, and a made-up type tells them apart: what is answered like that
 * one is no type, what is answered like the first is one.
 */
function areTypes(answers: Record<string, Answer>, operation: ChangeOperation, id: string): Holds {
	const [first, ...others] = [...OFFERED, NO_SUCH_TYPE].map((type) => {
		const { status, code, text, isApplied } = answers[`${operation} ${type}`] ?? {};
		const likeness = [status, code, text?.split(type).join('…').split(id).join('…')].join(' ');
		return { likeness, isApplied };
	});
	const madeUp = others.pop();
	const offered = [first, ...others];
	if (offered.every((type) => type?.likeness === madeUp?.likeness)) return undefined;
	return all(
		...offered.map((type) => {
			if (type?.isApplied) return true;
			if (type?.likeness === madeUp?.likeness) return false;
			return type?.likeness === first?.likeness ? true : undefined;
		}),
	);
}

/**
 * Whether the node reads a refusal as such, and repeats it not in vain.
 *
 * @param field The field that the person has to be sent to.
 */
function isRightlyRead({ result, explanation }: Answer, causes: Cause[], field = ''): Holds {
	const { cause, remedy } = explanation;
	if (result.kind === 'network failure' && isRetryable(result)) return undefined;
	if (effectOf(result) !== 'not applied' || isRetryable(result)) return false;
	return causes.some((expected) => expected === cause) && remedy.includes(field);
}

/** Whether it comes in one of the two public envelopes, the gateway's or the agent service's. */
function isInEnvelope({ result, text }: Answer): Holds {
	if (result.kind === 'network failure') return undefined;
	const { body } = result;
	if (!isRecord(body) || text === '') return false;
	if (isRecord(body.error)) return typeof body.error.message === 'string';
	const hasMessage = typeof body.message === 'string' || Array.isArray(body.message);
	return typeof body.statusCode === 'number' && hasMessage;
}

const ONE_AGENT = listRequest(undefined, undefined, 1);

export const AGENTS: Questions = {
	agent: question({
		asks: 'An agent for the other questions',
		ourChoice: 'makes none; this one is inactive, and deleted in the end',
		async ask(probe) {
			const { answer, ids } = await probe.makeAgent();
			[probe.made.agent] = ids;
			return { answer, ids };
		},
		holds: ({ ids }) => ids.length > 0 || undefined,
	}),
	'uid-case': question({
		asks: 'Upper and lower case of a uid',
		ourChoice: 'sends a uid as given; keeps two spellings in one order, as if they were one agent',
		async ask(probe) {
			const agent = probe.need('agent');
			const lower = agent.toLowerCase();
			const other = agent === lower ? agent.toUpperCase() : lower;
			const swapped = await probe.ask(agentRequest(other));
			return { hasLetters: other !== agent, swapped, own: await probe.ask(agentRequest(agent)) };
		},
		/** Also where case matters: the shared order costs only time. */
		holds: ({ hasLetters, swapped, own }) =>
			(hasLetters && readAgent(own.body) && swapped.isTaken !== undefined) || undefined,
	}),
	'source-types': question({
		asks: 'Source types',
		ourChoice: `offers ${OFFERED.join(', ')}, and sends any other that is typed in`,
		async ask(probe) {
			const requests: Record<string, Asked> = {};
			for (const operation of ['add', 'remove'] as const) {
				for (const type of [...OFFERED, NO_SUCH_TYPE]) {
					requests[`${operation} ${type}`] = probe.changing(operation, type, probe.unknownId);
				}
			}
			return { answers: await probe.askAll(requests), id: probe.unknownId };
		},
		holds: ({ answers, id }) => all(areTypes(answers, 'add', id), areTypes(answers, 'remove', id)),
	}),
	refusals: question({
		asks: 'Refusals: status and envelope',
		ourChoice: 'reads both envelopes, sends the person to the field at fault, repeats no refusal',
		async ask(probe) {
			const add = probe.changing('add', 'uploads', probe.unknownId);
			const { unknownUid: uid, unknownId } = probe;
			const change = { operation: 'add' as const, sourceType: 'uploads', uniqueIds: [unknownId] };
			const answers = await probe.askAll({
				unknownAgent: toRequest({ ...change, uid }),
				unknownFile: add,
				malformed: { ...add, body: { fileIds: [unknownId] } },
				noKey: { ...ONE_AGENT, account: 'no key' },
				nowhere: { method: 'GET', url: '/ai-agents/agent-builder/no-such-path' },
			});
			// Only to know: the node never sends one.
			return { answers, emptyList: await probe.ask(probe.changing('add', 'uploads')) };
		},
		holds({ answers }) {
			const fields: Record<string, string> = {
				unknownAgent: "'Agent'",
				unknownFile: "'File IDs'",
			};
			const parts = Object.entries(answers).map(([name, answer]) => {
				const cause = name === 'noKey' ? 'credential-invalid' : 'configuration-invalid';
				return all(isInEnvelope(answer), isRightlyRead(answer, [cause], fields[name]));
			});
			return all(...parts);
		},
	}),
	'wrong-account': question({
		asks: 'Wrong app ID or region',
		ourChoice:
			'reads a missing host and a refusal alike as a wrong credential, and repeats neither',
		/** App ID and key are made up: the person's key is for the person's host alone. */
		async ask(probe) {
			const { machine, settings } = probe.client;
			const hex = () => machine.newId().replace(/-/g, '');
			const own = String(settings.fields.region);
			const other = REGIONS.find((region) => region !== own) ?? own;
			const requests: Record<string, Asked> = {};
			// A custom host has no app ID or region in it.
			for (const region of own === 'custom' ? [] : [own, other]) {
				const account = { region, appId: `probe${hex().slice(0, 12)}`, apiKey: hex() };
				requests[region] = { ...ONE_AGENT, account };
			}
			return await probe.askAll(requests);
		},
		holds: (answers) => {
			const causes: Cause[] = ['credential-invalid', 'configuration-invalid'];
			return all(...Object.values(answers).map((answer) => isRightlyRead(answer, causes)));
		},
	}),
};
