import type { Plan } from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/plan/plan';
import { planFor } from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/plan/plan';
import type { FileState } from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/state/state';
import {
	sentFile,
	uploadsOf,
} from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/state/state';
import type { FileInCometChat } from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/state/whatIsThere';

const HOUR_MS = 3_600_000;

const DAY_MS = Date.UTC(2026, 10, 21);

/** Uploads by ID; that of the number n was made at the hour n of that day. A '!' behind it: CometChat could not read it. */
interface There {
	/** What the agent has; with '?', may have. */
	agent?: string;
	/** What of the name else is in CometChat. */
	beside?: string;
}

function recordOf(word: string) {
	const uniqueId = word.replace('!', '');
	const status = word.endsWith('!') ? 'failed' : 'indexed';
	return { uniqueId, status, createdAt: DAY_MS + Number(uniqueId) * HOUR_MS };
}

function thereIs({ agent = '', beside = '' }: There, sent?: FileState): FileInCometChat {
	const words = (text: string) => text.replace('?', '').split(' ').filter(Boolean).map(recordOf);
	const versions = words(agent);
	const all = [...versions, ...words(beside)];
	const ids = sent ? uploadsOf(sent) : [];
	const known = all.filter(({ uniqueId }) => ids.includes(uniqueId));
	return {
		isKnown: !agent.includes('?'),
		versions,
		hasSent: versions.some(({ uniqueId }) => uniqueId === sent?.uniqueId),
		sent: known,
		isSentProven: known.some(({ uniqueId }) => uniqueId === sent?.uniqueId),
	};
}

/** `unchanged 1`, `replaced upload, out 1, delete 2`. */
function shown(plan: Plan | undefined): string {
	if (plan === undefined) return 'nobody knows';
	const { action, current, old } = plan;
	const steps = current && [
		current.uniqueId,
		...(current.status === 'failed' ? ['read'] : []),
		...(current.isAttached ? [] : ['attach']),
	];
	const what = steps?.join(' ') ?? 'upload';
	const rest = old.map((one) => `, ${one.wasAttached ? 'out' : 'delete'} ${one.uniqueId}`);
	return `${action} ${what}${rest.join('')}`;
}

const sentAs = (step: FileState['step'], id = '1', old: string[] = []): FileState => ({
	...sentFile(id, 'A', step),
	old,
});

describe('The content is what was sent last, and', () => {
	test.each<[string, FileState, There, string]>([
		['the agent has it', sentAs('attached'), { agent: '1' }, 'unchanged 1'],
		['the agent has lost it', sentAs('attached'), { beside: '1' }, 'added 1 attach'],
		['it was not added yet', sentAs('uploaded'), { beside: '1' }, 'added 1 attach'],
		['was taken out', sentAs('removed'), { beside: '1' }, 'added 1 attach'],
		['CometChat has it no longer', sentAs('attached'), {}, 'added upload'],
		['CometChat has another', sentAs('attached'), { agent: '2' }, 'replaced upload, out 2'],
		['the agent has another, too', sentAs('attached'), { agent: '1 2' }, 'replaced 1, out 2'],
		['it was not read', sentAs('uploaded'), { beside: '1!' }, 'added 1 read attach'],
		['it was not read, and is attached', sentAs('attached'), { agent: '1!' }, 'added 1 read'],
		[
			'an old one is left with the agent',
			sentAs('uploaded', '2', ['1']),
			{ agent: '1', beside: '2' },
			'replaced 2 attach, out 1',
		],
		[
			'an old one is left in CometChat',
			sentAs('attached', '2', ['1']),
			{ agent: '2', beside: '1' },
			'unchanged 2, delete 1',
		],
		['an old one is left nowhere', sentAs('attached', '2', ['1']), { agent: '2' }, 'unchanged 2'],
	])('%s', (_, sent, there, expected) => {
		expect(shown(planFor({ sha256: 'A' }, sent, thereIs(there, sent)))).toBe(expected);
	});
});

describe('The content is another than was sent, and', () => {
	test.each<[string, FileState, There, string]>([
		['the agent has what was sent', sentAs('attached'), { agent: '1' }, 'replaced upload, out 1'],
		[
			'an earlier run did not get to its end',
			sentAs('uploaded', '2', ['1']),
			{ agent: '1', beside: '2' },
			'replaced upload, out 1, delete 2',
		],
		['CometChat has not read that', sentAs('uploaded'), { beside: '1!' }, 'added upload, delete 1'],
		['what was sent came late', sentAs('uploaded'), { agent: '1' }, 'replaced upload, out 1'],
		['it is back', sentAs('removed'), { beside: '1' }, 'added upload, delete 1'],
		[
			'it is back, and the agent has got one meanwhile',
			sentAs('removed'),
			{ agent: '5', beside: '1' },
			'unchanged 5, delete 1',
		],
	])('%s', (_, sent, there, expected) => {
		// Whatever the time says, the content tells: but for what is back.
		const file = { sha256: 'B', modifiedMs: 0 };
		expect(shown(planFor(file, sent, thereIs(there, sent)))).toBe(expected);
	});
});

describe('Nobody knows what was sent, and', () => {
	test.each<[string, There, number | undefined, string]>([
		['the agent has none of the name', { beside: '5' }, undefined, 'added upload'],
		['it has one', { agent: '5' }, undefined, 'replaced upload, out 5'],
		['it has one, later than the change', { agent: '5' }, 4, 'unchanged 5'],
		['it has one, a minute less later', { agent: '5' }, 4 + 1 / 60, 'replaced upload, out 5'],
		['it may have one, later than the change', { agent: '5?' }, 4, 'replaced upload, out 5'],
		['it has one that was not read', { agent: '5!' }, 1, 'replaced upload, out 5'],
		['it has several', { agent: '5 6' }, undefined, 'replaced upload, out 5, out 6'],
		['it has several, the newest later', { agent: '5 6' }, 5, 'replaced 6, out 5'],
		['it may have one of several', { agent: '5 6?' }, 1, 'nobody knows'],
	])('%s', (_, there, hour, expected) => {
		const modifiedMs = hour === undefined ? undefined : DAY_MS + hour * HOUR_MS;
		expect(shown(planFor({ sha256: 'A', modifiedMs }, undefined, thereIs(there)))).toBe(expected);
	});

	test('an upload without a time counts as the oldest', () => {
		const there = { ...thereIs({}), versions: [{ uniqueId: '1' }] };
		expect(shown(planFor({ sha256: 'A', modifiedMs: 1 }, undefined, there))).toContain('upload');
	});
});

describe('An old version is own', () => {
	const own = (sent: FileState | undefined, there: There) =>
		planFor({ sha256: 'B' }, sent, thereIs(there, sent))
			?.old.filter(({ isOwn }) => isOwn)
			.map(({ uniqueId }) => uniqueId);

	test.each<[string, FileState | undefined, There, string[]]>([
		[
			'if the record has it as an upload',
			sentAs('attached', '2', ['1']),
			{ agent: '1 2' },
			['1', '2'],
		],
		[
			'unless it was found by its name',
			{ ...sentAs('attached'), foreign: ['1'] },
			{ agent: '1' },
			[],
		],
		['and no other with this name', sentAs('attached'), { agent: '1 5' }, ['1']],
		['which without a record is none', undefined, { agent: '5 6' }, []],
	])('%s', (_, sent, there, expected) => {
		expect(own(sent, there)).toEqual(expected);
	});
});

test('What the agent has more than once is given that as its reason', () => {
	const sent = sentAs('attached');
	const plan = planFor({ sha256: 'A' }, sent, thereIs({ agent: '1 2' }, sent));
	expect(plan?.reason).toBe('The agent had it more than once');
});
