import { appOf, REGIONS } from '../../../nodes/CometChatKnowledgeBase/account/account';
import { sourceTypeField } from '../../../nodes/CometChatKnowledgeBase/input/fields';
import { NO_FILE_IDS, readFileIds } from '../../../nodes/CometChatKnowledgeBase/input/fileIds';
import { effectOf } from '../../../nodes/CometChatKnowledgeBase/requests/attemptResult';
import { isRetryable } from '../../../nodes/CometChatKnowledgeBase/requests/retryPolicy';
import type { Cause } from '../../../nodes/CometChatKnowledgeBase/results/messages';
import { explainUnknownAgent } from '../../../nodes/CometChatKnowledgeBase/results/messages';
import {
	agentRequest,
	isAgentList,
	listRequest,
	readAgent,
	readWholeAgent,
	simplifiedAgent,
} from '../../../nodes/CometChatKnowledgeBase/service/agents';
import type { ChangeOperation } from '../../../nodes/CometChatKnowledgeBase/service/attachments';
import { toRequest } from '../../../nodes/CometChatKnowledgeBase/service/attachments';
import {
	KNOWLEDGE_BASE,
	readRecordPage,
	recordsRequest,
} from '../../../nodes/CometChatKnowledgeBase/service/records';
import { sourceTypeOf } from '../../../nodes/CometChatKnowledgeBase/values/sourceTypes';
import {
	isRecord,
	ValidationIssue,
} from '../../../nodes/CometChatKnowledgeBase/values/validationIssue';
import type { Answer, HttpRequest } from '../answer';
import type { Client } from '../client';
import type { Holds, Probe, Questions } from '../probe';
import { all } from '../probe';
import { kindOf } from '../redaction';
import { boundedRecordsRequest } from '../throwaways';

/** Whether a list with this limit has come, and no longer than that. */
function fits({ page, isTaken }: Answer, limit: number): Holds {
	return page === undefined ? isTaken && false : page.entries.length <= limit;
}

/** The first two pages of one entry each: the second goes on, where the list is known to have more. */
export async function twoPages(probe: Probe, list: (next?: string) => HttpRequest, known = 0) {
	const one = await probe.ask(list());
	const next = one.page?.next;
	if (next === undefined) return { one, holds: all(fits(one, 1), known > 1 ? false : undefined) };
	if (typeof next !== 'string') return { one, holds: false };
	const second = await probe.ask(list(next));
	const [before, after] = [one, second].map(({ page }) => page?.entries[0]?.id);
	const goesOn = second.isTaken && after !== undefined && after !== before;
	return { one, second, holds: all(fits(one, 1), goesOn) };
}

/** Where not even this is answered, no other question is worth a request. */
function haltIfUseless(client: Client, answer: Answer): void {
	const { what, cause } = answer.explanation;
	if (isAgentList(answer.result)) return;
	if (answer.status >= 400 && cause === 'configuration-invalid') return;
	const why = answer.isTaken ? 'This host did not answer like CometChat' : what;
	client.halted ??= `${why} (${answer.toJSON()})`;
}

/** The types that the node offers. */
const OFFERED = (sourceTypeField.options ?? []).flatMap((option) =>
	'value' in option && typeof option.value === 'string' ? [option.value] : [],
);

/**
 * Whether each type that is offered is one, told by adding or removing an unknown ID. A refusal may be
 * meant for the ID or for the type, and a made-up type tells them apart: what is answered like that
 * one is no type, what is answered like the first is one.
 */
async function areTypes(probe: Probe, operation: ChangeOperation) {
	const answers: Record<string, Answer> = {};
	const likenessOf = async (type: string) => {
		const answer = (answers[type] = await probe.change(operation, type, probe.unknownId));
		const { status, code, isApplied, explanation } = answer;
		const text = explanation.said?.split(type).join('…').split(probe.unknownId).join('…');
		return { isApplied, likeness: [status, code, text].join(' ') };
	};
	const offered: Array<Awaited<ReturnType<typeof likenessOf>>> = [];
	for (const type of OFFERED) offered.push(await likenessOf(type));
	const madeUp = (await likenessOf('no-such-type')).likeness;
	const verdicts = offered.map(({ isApplied, likeness }) => {
		if (isApplied) return true;
		if (likeness === madeUp) return false;
		return likeness === offered[0]?.likeness ? true : undefined;
	});
	const isTold = offered.some(({ likeness }) => likeness !== madeUp);
	return { answers, holds: isTold ? all(...verdicts) : undefined };
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
function isInEnvelope({ result }: Answer): Holds {
	if (result.kind === 'network failure') return undefined;
	const { body } = result;
	if (!isRecord(body)) return false;
	if (isRecord(body.error)) return typeof body.error.message === 'string';
	const hasMessage = typeof body.message === 'string' || Array.isArray(body.message);
	return typeof body.statusCode === 'number' && hasMessage;
}

/** What Agent: Get shows of an agent, as CometChat's page has it. */
const TOLD_OF_AGENT = [
	'name',
	'uid',
	'isActive',
	'description',
	'model',
	'files',
	'websites',
	'createdAt',
	'updatedAt',
];

const ONE_AGENT = listRequest(undefined, undefined, 1);

/** Lists are asked first: they make nothing, and whether the key is accepted shows there. */
export const ACCOUNT: Questions = {
	'agent-pages': {
		asks: 'List of agents: limits and paging',
		ourChoice: 'asks for 50 at a time, tests the credential with 1, follows meta.next.createdAt',
		async answer(probe) {
			const fifty = await probe.ask(listRequest(undefined, undefined, 50));
			haltIfUseless(probe.client, fifty);
			const hundred = await probe.ask(listRequest(undefined, undefined, 100));
			const listed = (fifty.page ?? hundred.page)?.entries.length;
			const list = (next?: string) => listRequest(undefined, next, 1);
			const { holds: arePages, ...pages } = await twoPages(probe, list, listed);
			// The node never asks for as many: it may be refused.
			const isWide = hundred.isTaken ? fits(hundred, 100) : true;
			return { fifty, hundred, ...pages, holds: all(fits(fifty, 50), isWide, arePages) };
		},
	},
	'record-bounds': {
		asks: 'List of records: start and end',
		ourChoice: 'leaves both out when it lists files',
		async answer(probe) {
			const bare = await probe.ask(recordsRequest());
			const request = boundedRecordsRequest(probe.client.machine.nowMs());
			const bounded = bare.isTaken ? undefined : await probe.ask(request);
			const listed = readRecordPage((bounded ?? bare).body)?.entries ?? [];
			if (listed.length > 0) probe.made.records = listed;
			return { bare, bounded, holds: bare.isTaken || (bounded?.isTaken ? false : undefined) };
		},
	},
	'record-ids': {
		asks: 'Shape of IDs',
		ourChoice: 'takes any text as an ID, and uniqueId or uploadId of a record',
		async answer(probe) {
			const records = probe.need('records');
			const ids = records.map(({ uniqueId }) => uniqueId);
			const read = readFileIds(records);
			const readIds = read instanceof ValidationIssue || read === NO_FILE_IDS ? [] : read.ids;
			const misread = ids.filter((id) => !readIds.includes(id)).length;
			return { shapes: [...new Set(ids.map(kindOf))], misread, holds: misread === 0 };
		},
	},
	'record-times': {
		asks: 'List of records: startTime and endTime',
		ourChoice:
			'lets them narrow what is read, in milliseconds, and looks at createdAt all the same',
		async answer(probe) {
			const records = probe.need('records');
			const times = records.flatMap(({ createdAt }) =>
				typeof createdAt === 'number' ? [createdAt] : [],
			);
			const at = times[0] ?? probe.client.machine.nowMs();
			const within = { startTime: at - 1, endTime: at + 1 };
			const around = await probe.ask(recordsRequest(undefined, 10, within));
			const later = { startTime: at + 365 * 86_400_000 };
			const none = await probe.ask(recordsRequest(undefined, 10, later));
			const isFound = (readRecordPage(around.body)?.entries ?? []).some(
				({ createdAt }) => createdAt === at,
			);
			// Whether it narrows at all is only to know: the node looks by itself.
			return { around, none, holds: times.length > 0 ? around.isTaken && isFound : undefined };
		},
	},
	websites: {
		asks: 'Type of a website in the list',
		ourChoice: 'takes for a website what is neither uploads nor text-details',
		async answer(probe) {
			const records = probe.need('records');
			const types = [...new Set(records.map(({ type }) => type ?? 'no type'))];
			// That address has a page without content: whether it is there is asked only here.
			const parents = await probe.get(`${KNOWLEDGE_BASE}/parent-urls`);
			const others = types.filter((type) => sourceTypeOf(type) === 'website');
			const holds = all(...others.map((type) => /web|site|url|link|scrap|crawl/i.test(type)));
			return { parents, types, holds };
		},
	},
	agent: {
		asks: 'An agent for the other questions',
		ourChoice: 'makes none; this one is inactive, and deleted in the end',
		async answer(probe) {
			const { answer, ids } = await probe.makeAgent();
			[probe.made.agent] = ids;
			return { answer, ids, holds: ids.length > 0 || undefined };
		},
	},
	'uid-case': {
		asks: 'Upper and lower case of a uid',
		ourChoice: 'sends a uid as given; keeps two spellings in one order, as if they were one agent',
		async answer(probe) {
			const agent = probe.need('agent');
			const other = agent === agent.toLowerCase() ? agent.toUpperCase() : agent.toLowerCase();
			const swapped = await probe.ask(agentRequest(other));
			const own = await probe.ask(agentRequest(agent));
			const isTold = other !== agent && readAgent(own.body) && swapped.isTaken !== undefined;
			// Also where case matters: the shared order costs only time.
			return { hasLetters: other !== agent, swapped, own, holds: isTold || undefined };
		},
	},
	'agent-alone': {
		asks: 'One agent alone, and one that there is not',
		ourChoice:
			'reads the agent without anything around it, and takes a 404 of the service for an unknown one',
		async answer(probe) {
			const own = await probe.ask(agentRequest(probe.need('agent')));
			const unknown = await probe.ask(agentRequest(probe.unknownUid));
			const agent = readWholeAgent(own.body);
			const told = agent ? simplifiedAgent(agent) : {};
			const lacking = TOLD_OF_AGENT.filter((name) => told[name] === undefined);
			const isWhole = own.isTaken && agent !== undefined && lacking.length === 0;
			const isNamed = explainUnknownAgent(unknown.explanation) !== undefined;
			const isTold = unknown.isTaken === undefined ? undefined : isNamed;
			return { own, unknown, lacking, holds: all(isWhole, isTold) };
		},
	},
	'source-types': {
		asks: 'Source types',
		ourChoice: `offers ${OFFERED.join(', ')}, and sends any other that is typed in`,
		async answer(probe) {
			const [add, remove] = [await areTypes(probe, 'add'), await areTypes(probe, 'remove')];
			const holds = all(add.holds, remove.holds);
			return { add: add.answers, remove: remove.answers, holds };
		},
	},
	refusals: {
		asks: 'Refusals: status and envelope',
		ourChoice: 'reads both envelopes, sends the person to the field at fault, repeats no refusal',
		async answer(probe) {
			const { unknownUid: uid, unknownId } = probe;
			const change = { operation: 'add' as const, sourceType: 'uploads', uniqueIds: [unknownId] };
			const add = toRequest({ ...change, uid: probe.need('agent') });
			const answers = {
				unknownAgent: await probe.ask(toRequest({ ...change, uid })),
				unknownFile: await probe.ask(add),
				malformed: await probe.ask({ ...add, body: { fileIds: [unknownId] } }),
				nowhere: await probe.get('/ai-agents/agent-builder/no-such-path'),
			};
			const noKey = await probe.ask({ ...ONE_AGENT, isKeyless: true });
			const fields: Record<string, string> = { unknownAgent: "'Agent'", unknownFile: "'File IDs'" };
			const parts = Object.entries(answers).map(([name, answer]) =>
				all(isInEnvelope(answer), isRightlyRead(answer, ['configuration-invalid'], fields[name])),
			);
			const isKeyTheCause = isRightlyRead(noKey, ['credential-invalid']);
			// Only to know: the node never sends one.
			const emptyList = await probe.change('add', 'uploads');
			const holds = all(...parts, isInEnvelope(noKey), isKeyTheCause);
			return { ...answers, noKey, emptyList, holds };
		},
	},
	'app-id-header': {
		asks: 'App ID as a header',
		ourChoice:
			'sends the header appid to a custom host, if the credential has an App ID for it, and to no other',
		/** With it and without it, whichever the node would do; only that must be taken. */
		async answer(probe) {
			const { fields, account } = probe.client.settings;
			const own = await probe.ask(ONE_AGENT);
			const appId = appOf(account)?.id;
			const otherwise =
				account.appId !== undefined
					? await probe.ask({ ...ONE_AGENT, fields: { ...fields, customAppId: '' } })
					: appId === undefined
						? undefined
						: await probe.ask({ ...ONE_AGENT, headers: { appid: appId } });
			return { own, otherwise, holds: isAgentList(own.result) || own.isTaken };
		},
	},
	'wrong-account': {
		asks: 'Wrong app ID or region',
		ourChoice:
			'reads a missing host and a refusal alike as a wrong credential, and repeats neither',
		/** App ID and key are made up: the person's key is for the person's host alone. */
		async answer(probe) {
			const { machine, settings } = probe.client;
			const hex = () => machine.newId().replace(/-/g, '');
			const own = String(settings.fields.region);
			const other = REGIONS.find((region) => region !== own) ?? own;
			const answers: Record<string, Answer> = {};
			// A custom host has no app ID or region in it.
			for (const region of own === 'custom' ? [] : [own, other]) {
				const fields = { region, appId: `probe${hex().slice(0, 12)}`, apiKey: hex() };
				answers[region] = await probe.ask({ ...ONE_AGENT, fields });
			}
			const causes: Cause[] = ['credential-invalid', 'configuration-invalid'];
			const parts = Object.values(answers).map((answer) => isRightlyRead(answer, causes));
			return { ...answers, holds: all(...parts) };
		},
	},
};
