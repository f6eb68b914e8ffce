import fc from 'fast-check';

import { oneIn } from '../drafting';
import { askedItems, each } from '../expectations/sending';
import type { Asked, Case, Item, Operation, Scenario, Wanted } from '../operation';
import { AGENTS, FEW_RECORDS, KNOWN_AGENTS } from '../records';
import { present, same } from '../report';
import { itemOf, pacing, unusable } from '../scenario';

interface OneAgent extends Wanted {
	uid: string;
	simple: boolean;
}

/** Most items have an agent that no other asks for, so that it is known whose a request is. */
const draft = itemOf(
	[
		unusable({ agent: '', simple: true }),
		unusable({ agent: '../guide', simple: true }),
		unusable({ agent: 'guide', simple: 'perhaps' }),
	],
	fc.record({ any: oneIn(3, fc.constantFrom(...AGENTS)), simple: fc.boolean() }),
	({ any, simple }, index): Item<OneAgent> => {
		const uid = any ?? AGENTS[index % AGENTS.length] ?? 'nobody';
		return { json: { agent: uid, simple }, wanted: { uid, simple } };
	},
);

/** What a person looks for, in that order. */
const SIMPLE = [
	...['name', 'uid', 'isActive', 'description', 'model', 'files', 'websites'],
	...['createdAt', 'updatedAt'],
];

export const getAgent: Operation<OneAgent> = {
	name: 'getAgent',
	runs: 100,
	parameters: {
		resource: 'agent',
		operation: 'get',
		uid: { __rl: true, mode: 'id', value: '={{ $json.agent }}' },
		simple: '={{ $json.simple }}',
	},
	records: FEW_RECORDS,
	requests: ['agent'],
	sharedRequests: [],
	draft,
	mostItems: AGENTS.length,
	options: fc.record(pacing),
	heldBefore: fc.uniqueArray(fc.constantFrom(...KNOWN_AGENTS), { maxLength: 2 }).map((uids) => ({
		of: () => uids.map((uid) => ({ uid, sourceType: 'uploads', ids: ['own', 'shared'] })),
	})),
	addressee: oneIn(3, fc.constantFrom(...AGENTS)).map((uid) => {
		return { operation: 'agent', ...(uid === undefined ? {} : { uid }) };
	}),
	ownersOf: ({ arrival }, { scenario: { items } }) => {
		const askers = items.flatMap(({ wanted }, index) =>
			typeof wanted === 'object' && wanted.uid === arrival.uid ? [index] : [],
		);
		return askers.length === 1 ? askers : [];
	},
	isCountExact: isAlone,
	canBeDone: ({ wanted: { uid } }) => uid !== 'nobody',
	promises: [
		{
			title:
				'of each agent is told what CometChat has of it: all of it, or in order what a person looks for',
			contradiction: each(
				askedItems,
				({ index, wanted, reported: { outcome, outputs } }, { before, run, scenario }) => {
					// The items of a run that stopped are not to be seen.
					if (outcome !== 'applied' || (outputs.length === 0 && run.error)) return undefined;
					const [told = {}] = outputs;
					const { simple, uid } = wanted;
					const agent = before.agents.find((one) => one.uid === uid);
					const { createdAt, updatedAt, ...kept } = agent ?? {};
					const times = { createdAt, updatedAt };
					const files = before.attached.get(`${uid}/uploads`) ?? [];
					const all = { ...kept, ...(simple ? readable(times) : times), files };
					const expected = simple ? only(SIMPLE, all) : all;
					const isSame = same(unclear(present(expected), scenario), unclear(told, scenario));
					// Beside an item that has more, its columns stand between these.
					const isInOrder =
						!scenario.items.every(({ wanted: one }) => typeof one === 'object' && one.simple) ||
						SIMPLE.filter((name) => name in told).join() === Object.keys(told).join();
					return isSame && isInOrder ? undefined : `item ${index} is told ${JSON.stringify(told)}`;
				},
			),
		},
		{
			title: 'that CometChat does not know an agent is said where it has said so, and only there',
			contradiction: each(askedItems, ({ index, requests, reported, wanted }) => {
				const last = requests.at(-1);
				if (reported.error === undefined || last === undefined) return undefined;
				const isSaid = String(reported.error.message).startsWith(
					'CometChat does not know this agent',
				);
				const isFound = last.end?.kind === 'answered' && last.end.status === 404;
				// One that a misbehaviour made up may say something else.
				const isClear = isFound && last.cause === undefined;
				// By its status, or by its own code beside another one.
				const isDenied = isFound || wanted.uid === 'nobody';
				const isWrong = isSaid ? !isDenied : isClear;
				return isWrong ? `item ${index} says ${JSON.stringify(reported.error.message)}` : undefined;
			}),
		},
	],
	meets: {
		'an agent that has files': (_, reported) =>
			reported.some(({ outputs }) => outputs.some(({ files }) => same(files, ['own', 'shared']))),
		'an unknown agent': ({ exchanges }) =>
			exchanges.some(({ cause, end }) => cause === undefined && end?.status === 404),
	},
	neverMeets: ['skipped', 'unknown', 'partly applied', 'a connection lost after the change'],
};

/** Whether no other item asks for this one's agent. */
function isAlone({ wanted: { uid } }: Asked<OneAgent>, { asked }: Case<OneAgent>): boolean {
	return asked.filter(({ wanted }) => wanted.uid === uid).length === 1;
}

function readable(times: Record<string, number | undefined>): Record<string, string> {
	const entries = Object.entries(times);
	return Object.fromEntries(entries.map(([name, ms = NaN]) => [name, new Date(ms).toISOString()]));
}

function only(names: string[], all: Record<string, unknown>): Record<string, unknown> {
	return Object.fromEntries(names.map((name) => [name, all[name]]));
}

/** Without what is not as it is in the service: the key in a name, lists of another kind. */
function unclear(agent: Record<string, unknown>, { variant }: Scenario): Record<string, unknown> {
	const { name, files, websites, ...rest } = agent;
	const { repeatsKey, agentLists = 'uniqueIds', agentListsOf = {} } = variant;
	const shape = agentListsOf[String(agent.uid)] ?? agentLists;
	return {
		...rest,
		...(repeatsKey === 'agentName' ? {} : { name }),
		...(shape === 'uniqueIds' || shape === 'stale' ? { files, websites } : {}),
	};
}
