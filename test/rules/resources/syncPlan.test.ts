import type { ExistingDocument } from '../../../nodes/CometChatKnowledgeBase/delivery/plan';
import {
	findFailed,
	planFile,
} from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/planFile';
import type { FileRecord } from '../../../nodes/CometChatKnowledgeBase/resources/knowledgeBase/sync/record';

const HOUR_MS = 3_600_000;

const DAY_MS = Date.UTC(2026, 10, 21);

/** Uploads by ID, which is the hour of their creation. With '!', CometChat could not index the upload. */
interface Existing {
	/** The uploads that the agent uses; with '?', may use. */
	agent?: string;
	/** The uploads that are only in CometChat; in `own`, those that this node uploaded. */
	beside?: string;
	own?: string;
}

function versionsOf({ agent = '', beside = '', own = '' }: Existing): ExistingDocument[] {
	const isKnown = !agent.includes('?');
	const words = (text: string, isAttached?: boolean) =>
		text
			.replace('?', '')
			.split(' ')
			.filter(Boolean)
			.map((word): ExistingDocument => {
				const uniqueId = word.replace('!', '');
				const status = word.endsWith('!') ? 'failed' : 'indexed';
				const createdMs = DAY_MS + Number(uniqueId) * HOUR_MS;
				return { uniqueId, status, createdMs, isAttached, isOwn: own.includes(uniqueId) };
			});
	const all = [...words(agent, isKnown ? true : undefined), ...words(beside, false)];
	return all.sort((one, other) => (other.createdMs ?? 0) - (one.createdMs ?? 0));
}

/** Describes a plan: `use 1`, `create, out 1 2`. */
function shown({ plan }: ReturnType<typeof planFile>): string {
	const found = 'found' in plan && !Array.isArray(plan.found) ? ` ${plan.found.uniqueId}` : '';
	const out = 'retire' in plan ? plan.retire.map(({ uniqueId }) => ` ${uniqueId}`) : [];
	return `${plan.action}${found}${out.length > 0 ? `, out${out.join('')}` : ''}`;
}

const record = (more: Partial<FileRecord> = {}): FileRecord => ({
	uniqueId: '1',
	sha256: 'A',
	...more,
});

describe.each([
	['content', { sha256: 'A', modified: 9 }],
	// The time decides for a PDF or DOCX file.
	['Last Modified', { modified: 7 }],
])('The %s is the recorded one, and', (_, file) => {
	test.each<[string, Partial<FileRecord>, Existing, string]>([
		['the agent has it', {}, { agent: '1' }, 'use 1'],
		['the agent has lost it', {}, { beside: '1' }, 'use 1'],
		['it was not added yet', { step: 'uploaded' }, { beside: '1' }, 'use 1'],
		['it was removed', { step: 'removed' }, { beside: '1' }, 'use 1'],
		['CometChat no longer has it', {}, {}, 'create'],
		['CometChat has another', {}, { agent: '2' }, 'create, out 2'],
		['the agent has another, too', {}, { agent: '1 2' }, 'use 1, out 2'],
		['it could not be indexed', { step: 'uploaded' }, { beside: '1!' }, 'update 1'],
		['it could not be indexed, and is attached', {}, { agent: '1!' }, 'update 1'],
		[
			'an old one is with the agent',
			{ uniqueId: '2' },
			{ agent: '1', beside: '2' },
			'use 2, out 1',
		],
		[
			'an old one is in CometChat',
			{ uniqueId: '2' },
			{ agent: '2', beside: '1', own: '1' },
			'use 2, out 1',
		],
		['a foreign one is in CometChat', { uniqueId: '2' }, { agent: '2', beside: '1' }, 'use 2'],
	])('%s', (__, more, existing, expected) => {
		expect(shown(planFile(file, record({ modified: 7, ...more }), versionsOf(existing)))).toBe(
			expected,
		);
	});
});

test('The reason says that the content has changed only if it was compared', () => {
	const reasonFor = (sha256?: string) =>
		planFile({ sha256: 'B', modified: 9 }, record({ sha256, modified: 7 }), []).reason;
	const reasons = ['The content has changed', 'Last Modified has changed'];
	expect([reasonFor('A'), reasonFor()]).toEqual(reasons);
});

describe('The content is not the recorded one, and', () => {
	test.each<[string, Partial<FileRecord>, Existing, string]>([
		['the agent has the recorded one', {}, { agent: '1' }, 'create, out 1'],
		[
			'an earlier execution did not end',
			{ uniqueId: '2', step: 'uploaded' },
			{ agent: '1', beside: '2', own: '2' },
			'create, out 2 1',
		],
		[
			'CometChat could not index the recorded one',
			{ step: 'uploaded' },
			{ beside: '1!', own: '1' },
			'create, out 1',
		],
		['the time decided then', { sha256: undefined, modified: 3 }, { agent: '1' }, 'create, out 1'],
		['it is back', { step: 'removed' }, { beside: '1', own: '1' }, 'create, out 1'],
		[
			'it is back, and the agent has got one meanwhile',
			{ step: 'removed' },
			{ agent: '5', beside: '1', own: '1' },
			'use 5, out 1',
		],
	])('%s', (_, more, existing, expected) => {
		// The content decides, not the time, unless the file was missing before.
		const file = { sha256: 'B', modified: 0 };
		expect(shown(planFile(file, record(more), versionsOf(existing)))).toBe(expected);
	});
});

describe('There is no record, and', () => {
	test.each<[string, Existing, number | undefined, string]>([
		['the agent has none with the name', { beside: '5' }, undefined, 'create'],
		['it has one', { agent: '5' }, undefined, 'create, out 5'],
		['it has one, later than the change', { agent: '5' }, 4, 'use 5'],
		['it has one, a minute less later', { agent: '5' }, 4 + 1 / 60, 'create, out 5'],
		['it may have one, later than the change', { agent: '5?' }, 4, 'create, out 5'],
		['it has one that could not be indexed', { agent: '5!' }, 1, 'update 5'],
		['it has a changed one that could not be indexed', { agent: '5!' }, 6, 'create, out 5'],
		['it has several', { agent: '5 6' }, undefined, 'create, out 6 5'],
		['it has several, the newest later', { agent: '5 6' }, 5, 'use 6, out 5'],
	])('%s', (_, existing, hour, expected) => {
		const modified = hour === undefined ? undefined : DAY_MS + hour * HOUR_MS;
		expect(shown(planFile({ sha256: 'A', modified }, undefined, versionsOf(existing)))).toBe(
			expected,
		);
	});

	test('an upload without a time counts as the oldest', () => {
		const version = { uniqueId: '1', isAttached: true };
		expect(shown(planFile({ sha256: 'A', modified: 1 }, undefined, [version]))).toBe(
			'create, out 1',
		);
	});

	test.each<[string, Existing, number | undefined, string | undefined]>([
		['failed since the last change', { beside: '5!' }, 4.9, '5'],
		['failed before the last change', { beside: '5!' }, 5.1, undefined],
		['failed, and nothing tells the time', { beside: '5!' }, undefined, undefined],
		['was indexed', { beside: '5' }, 4, undefined],
		['failed, and the agent has one', { agent: '4', beside: '5!' }, 3, undefined],
	])('an upload that no agent uses %s', (_, existing, hour, expected) => {
		const modified = hour === undefined ? undefined : DAY_MS + hour * HOUR_MS;
		const versions = versionsOf(existing);
		expect(findFailed({ modified }, versions)?.uniqueId).toBe(expected);
	});
});

describe('An own upload counts as used by the agent', () => {
	test.each<[string, Partial<FileRecord>, Existing, boolean | undefined]>([
		['if the record says so, and the list may be late', {}, { beside: '1', own: '1' }, true],
		['if CometChat does not report it', { step: 'uploaded' }, { agent: '1?', own: '1' }, true],
		[
			'unless the list and the record say no',
			{ step: 'uploaded' },
			{ beside: '1', own: '1' },
			false,
		],
		['unless somebody else uploaded it', { uniqueId: '2' }, { agent: '1?' }, undefined],
	])('%s', (_, more, existing, expected) => {
		const { plan } = planFile({ sha256: 'B' }, record(more), versionsOf(existing));
		expect('retire' in plan && plan.retire[0]?.isAttached).toBe(expected);
	});
});

test('A file that the agent uses more than once has that as its reason', () => {
	const { reason } = planFile({ sha256: 'A' }, record(), versionsOf({ agent: '1 2' }));
	expect(reason).toBe('The agent used several files with this name');
});
