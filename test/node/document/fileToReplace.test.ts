import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import type { Rule, ServiceOptions } from '../../service/service';
import { inMemory } from '../knowledgeBase/folder';
import { arrivals, continuing } from '../operations';
import { BY_ITEM, freshAccount, HELD, itemsOf, jsonOf, of, RECORDS } from './replacement';

/** Returns the row of an old version, by default of the usual file. */
const oldRow = (action: string, uniqueId = 'old', name = 'prices.pdf') => ({
	name,
	action,
	uniqueId,
});
const DELETED = [oldRow('deleted')];
/** The versions that lost their agent; a kept row only names a version that no agent uses. */
const oldIds = ({ old }: IDataObject) =>
	[old].flat().flatMap((one) => (Object(one).action === 'kept' ? [] : Object(one).uniqueId));

const { service, replace, newest, attached, recordIds, standings, give } = freshAccount();
const reading = (lines: string[]) => lines.filter((line) => /^(records|list|agent)/.test(line));
const list: Rule['for'] = { operation: 'list' };

describe('The order', () => {
	test('is: looked up, uploaded, indexed, read, added, removed, deleted if no other agent uses it', async () => {
		const json = jsonOf(await replace());
		const id = newest();
		expect(arrivals(service())).toEqual([
			...['records', 'agent support-bot'],
			...['initiate prices.pdf', 'upload prices.pdf', `poll ${id}`, `pages ${id}`],
			...[`add support-bot ${id}`, 'agent support-bot', 'remove support-bot old'],
			...['list', 'deleteUpload old'],
			// The names under which CometChat lists the new file.
			'records',
		]);
		expect(attached()).toEqual([...HELD.slice(1), id]);
		expect(recordIds()).not.toContain('old');
		const place = { sourceType: 'uploads', agentName: 'Support Bot', uid: 'support-bot' };
		const told = { name: 'prices.pdf', action: 'replaced', success: true, status: 'indexed' };
		expect(json).toEqual({ ...told, uniqueId: id, ...place, old: DELETED });
	});

	test('is the same if indexing is slow, also without Wait Until Indexed', async () => {
		service().scriptIndexing({ for: { fileName: 'prices.pdf' }, ms: 1500 });
		await replace({ ifNameExists: 'replace', waitUntilIndexed: false });
		const lines = arrivals(service());
		expect(lines.filter((line) => line.startsWith('poll')).length).toBeGreaterThan(1);
		const last = [`add support-bot ${newest()}`, 'agent support-bot', 'remove support-bot old'];
		expect(lines.slice(-4)).toEqual([...last, 'records']);
	});

	test('ends if the new version cannot be indexed: it is not added, and the old one stays', async () => {
		service().scriptIndexing({ ends: 'failed' });
		const json = jsonOf(await replace({}, continuing));
		expect(attached()).toEqual(HELD);
		expect(json).toMatchObject({
			message: `CometChat couldn't index "prices.pdf"`,
			description: expect.stringContaining(
				`then 'Add Files', and 'Remove Files' for the old version. If not, delete "prices.pdf" (ID ${newest()})`,
			),
			...{ action: 'failed', uniqueId: newest(), old: [oldRow('kept')] },
		});
	});
});

describe('The old version', () => {
	test.each<[string, INodeParameters, string, string]>([
		['has the name of the new one', {}, 'prices.pdf', 'old'],
		['has another name than the new one', of(' prices.docx '), 'x.pdf', 'other'],
		['is named by macOS, as the new one', {}, 'Mu\u0308ller.pdf', 'composed'],
		['begins like another Unicode form', of('Z\u00fcri*'), 'x.pdf', 'decomposed'],
		['is told by an expression with its ID, though two have its name', of('two'), 'x.pdf', 'two'],
		['is entered by its ID', of({ __rl: true, mode: 'name', value: ' one ' }), 'x.pdf', 'one'],
		['is chosen', of({ __rl: true, mode: 'list', value: 'one' }), 'x.pdf', 'one'],
	])('%s', async (_, parameters, fileName, oldId) => {
		const run = await replace(parameters, { files: [{ data: inMemory(fileName) }] });
		expect(jsonOf(run)).toMatchObject({ success: true, action: 'replaced' });
		expect(oldIds(jsonOf(run))).toEqual([oldId]);
		expect(attached()).toEqual([...HELD.filter((id) => id !== oldId), newest()]);
	});

	test("is replaced together with the files that have the new file's name", async () => {
		const run = await replace(of('prices.docx'));
		expect(oldIds(jsonOf(run))).toEqual(['other', 'old']);
	});

	test('is replaced together with all files that have its name', async () => {
		const run = await replace(of('twice.pdf'), { files: [{ data: inMemory('x.pdf') }] });
		expect(oldIds(jsonOf(run))).toEqual(['two', 'one']);
	});

	const HAS_NONE = 'The agent "Support Bot" has no uploaded file';
	test.each<[string, string, string, RegExp]>([
		[
			'is nowhere',
			'none.pdf',
			`${HAS_NONE} "none.pdf"`,
			/The agent has the files ("[^"]+", ){5}and 1 more\./,
		],
		['is of another agent', 'theirs.pdf', HAS_NONE, /Check 'Agent'/],
		[
			'begins like several, one of which has the name of the new one',
			'pri*',
			`'File to Replace' is "pri*", and the agent has 2 files with different names`,
			/The files are: "prices.pdf", "prices.docx"\./,
		],
		['begins like none', 'xyz*', `${HAS_NONE} "xyz*"`, /remove 'File to Replace'/],
		['has no such ID', 'gone', HAS_NONE, /"prices.pdf"/],
		['is with another', 'theirs', HAS_NONE, /"prices.pdf"/],
		['is a text entry', 'text', HAS_NONE, /"prices.pdf"/],
	])('is not guessed, and nothing is uploaded, if its name %s', async (_, old, what, how) => {
		await give('support-bot', 'text', 'text');
		await give('sales-assistant', 'theirs');
		const json = jsonOf(await replace(of(old), continuing));
		expect(arrivals(service()).sort()).toEqual(['agent support-bot', 'records']);
		expect(json).toMatchObject({
			message: expect.stringContaining(what),
			description: expect.stringMatching(how),
			effect: 'not applied',
		});
		expect([json.old, json.uniqueId, json.action]).toEqual([undefined, undefined, 'failed']);
	});

	test.each<[string, unknown, string]>([
		['by nothing', { __rl: true, mode: 'list', value: '' }, "'File to Replace' is empty"],
		['by an expression that found nothing', '={{ $json.product }}', "'File to Replace' is empty"],
		['by undefined', "={{ $json.product + '*' }}", 'the expression found nothing'],
		['by all names', '={{ $json.product }}*', `'File to Replace' is "*", with fewer than three`],
		['by two characters', 'pr *', `'File to Replace' is "pr *", with fewer than three`],
	])('is unknown %s: refused before anything is sent', async (_, old, message) => {
		const json = jsonOf(await replace(of(old), continuing));
		expect(json).toMatchObject({ message: expect.stringContaining(message) });
		expect(arrivals(service())).toEqual([]);
	});

	const two = [{ data: inMemory('prices.pdf'), other: inMemory('b.pdf') }];
	test.each<[string, INodeParameters, object]>([
		['no agent', { addToAgent: false }, {}],
		['several files', {}, { files: two }],
		...['add', 'fail', 'skip'].map((choice): [string, INodeParameters, object] => {
			return [`'If Name Already Exists' as ${choice}`, { ifNameExists: choice }, {}];
		}),
	])('needs one file, an agent and Replace: refused with %s', async (_, parameters, more) => {
		const run = await replace({ ...of('old'), ...parameters }, { ...continuing, ...more });
		const message = "'File to Replace' needs one file, an agent, and";
		expect(jsonOf(run)).toMatchObject({ message: expect.stringContaining(message) });
		expect(arrivals(service())).toEqual([]);
	});

	test.each<[string, INodeParameters]>([
		['its ID', of('other')],
		['another name', of('prices.docx')],
	])(
		'is found by %s: unused files with the new name are no old versions, and stay',
		async (_, told) => {
			const files = [{ data: inMemory('theirs.pdf') }];
			expect(oldIds(jsonOf(await replace(told, { files })))).toEqual(['other']);
			expect(recordIds()).toContain('theirs');
		},
	);

	test("has the new file's name in CometChat, if no other is entered", async () => {
		const files = [{ scan: inMemory('scan 17.pdf') }];
		const json = jsonOf(await replace({ options: { nameInCometChat: 'prices' } }, { files }));
		expect(json).toMatchObject({ name: 'prices.pdf', old: DELETED });
	});
});

describe('The old version, once the agent uses the new one,', () => {
	const others = 'Used by other agents: "Sales Assistant"';

	test.each<[string, string | undefined, string | undefined]>([
		['no other agent has it', undefined, undefined],
		['another agent has it', 'uploads', others],
	])(
		'is deleted if no other agent uses it and the user chose that, if %s',
		async (_, sourceType, reason) => {
			if (sourceType !== undefined) await give('sales-assistant', 'old', sourceType);
			const json = jsonOf(await replace());
			expect(json.old).toEqual(reason === undefined ? DELETED : [{ ...oldRow('removed'), reason }]);
			expect(recordIds().includes('old')).toBe(reason !== undefined);
		},
	);

	test('with Replace, nothing is deleted, and no list of agents is read for it', async () => {
		const { old } = jsonOf(await replace({ ifNameExists: 'replace' }));
		expect(old).toEqual([oldRow('removed')]);
		const lines = arrivals(service());
		expect(lines.filter((line) => line.startsWith('delete'))).toEqual([]);
		expect(reading(lines)).toEqual(['records', ...Array(2).fill('agent support-bot'), 'records']);
		expect(recordIds()).toHaveLength(RECORDS.length + 1);
	});

	test('is deleted night after night, so that one upload has the name, whatever a stopped execution has left', async () => {
		service().script({ for: { operation: 'upload' }, latencyMs: 60_000, apply: false });
		const stop = (async () => {
			while (!arrivals(service()).some((line) => line.startsWith('upload'))) await sleep(5);
		})();
		expect((await replace({}, { stop })).status).toBe('canceled');
		for (let current = 'old', night = 0; night < 2; night++) {
			const json = jsonOf(await replace());
			expect([oldIds(json), attached()]).toEqual([[current], [...HELD.slice(1), json.uniqueId]]);
			current = String(json.uniqueId);
		}
		expect(recordIds()).toHaveLength(RECORDS.length + 1);
	});
});

const NOT_KNOWN =
	"Unknown whether another agent uses this document: CometChat doesn't show this, or its list is late";

describe.each<[string, Partial<ServiceOptions>]>([
	['do not tell all of another agent', { agentListsOf: { 'sales-assistant': 'null' } }],
	['hide this agent', { hiddenAgents: ['support-bot'] }],
	['are read as they were before', { lagsMs: { agents: 60_000 } }],
])('Where the lists of agents %s', (_, options) => {
	const account = freshAccount(options);

	test('the old version by its name is removed from the agent, and not deleted', async () => {
		await account.give('sales-assistant', 'theirs');
		const json = jsonOf(await account.replace());
		expect(json.old).toEqual([{ ...oldRow('removed'), reason: NOT_KNOWN }]);
		expect(account.attached()).toEqual([...HELD.slice(1), account.newest()]);
		expect(account.recordIds()).toContain('old');
	});
});

describe.each<[string, Partial<ServiceOptions>]>([
	['are empty', { agentLists: 'empty' }],
	['are behind', { lagsMs: { agents: 60_000, agent: 60_000 } }],
])('Where the lists of the agent %s', (_, options) => {
	const account = freshAccount(options);

	test.each<[string, string, string[]]>([
		['by its name', 'prices.pdf', ['old']],
		['by a name that two have', 'twice.pdf', ['two', 'one']],
		['by its ID', 'old', ['old']],
	])('the old version %s stays, and row and note say so', async (__, old, ids) => {
		const run = await account.replace(of(old), { files: [{ data: inMemory('new.pdf') }] });
		const json = jsonOf(run);
		const name = old === 'old' ? 'prices.pdf' : old;
		const reason = expect.stringContaining("doesn't report the agent's documents");
		expect(json.old).toEqual(ids.map((uniqueId) => ({ name, action: 'kept', uniqueId, reason })));
		expect(json).toMatchObject({ action: 'added', success: true });
		expect(account.attached()).toEqual([...HELD, account.newest()]);
		const note = expect.stringMatching(/^The agent may still use the old version: CometChat /);
		expect(run.hints).toEqual([expect.objectContaining({ type: 'warning', message: note })]);
	});

	test('nothing is uploaded if its ID belongs to a text entry', async () => {
		const json = jsonOf(await account.replace(of('text'), continuing));
		expect(json.message).toContain('has no uploaded file "text"');
		expect(account.recordIds()).toHaveLength(RECORDS.length);
	});
});

describe('A list that changes, or fails, when it is read again before a deletion', () => {
	interface Listed {
		uid: string;
		files?: string[];
	}
	const shown = (change: (one: Listed) => Listed): Rule => ({
		for: list,
		transform: (page) => ({ ...Object(page), data: Object(page).data.map(change) }),
	});
	const isOwn = ({ uid }: Listed) => uid === 'support-bot';
	const withOld = (one: Listed) => ({ ...one, files: [...(one.files ?? []), 'old'] });
	const withoutNew = HELD.filter((id) => id !== 'old');
	const cases: Array<[string, Rule]> = [
		['does not show the new version', shown((one) => ({ ...one, files: withoutNew }))],
		['still shows the old one', shown((one) => (isOwn(one) ? withOld(one) : one))],
	];

	test.each(cases)('%s three times: the old version stays in CometChat', async (_, rule) => {
		service().script({ ...rule, times: 3 });
		const json = jsonOf(await replace());
		expect(json.old).toEqual([{ ...oldRow('removed'), reason: NOT_KNOWN }]);
		expect(recordIds()).toContain('old');
		expect(arrivals(service()).filter((line) => line === 'list')).toHaveLength(3);
	});

	test.each(cases)('%s twice: the old version is deleted after the third time', async (_, rule) => {
		service().script({ ...rule, times: 2 });
		expect(jsonOf(await replace()).old).toEqual(DELETED);
	});

	test('late for one agent, it holds up no old version of another agent', async () => {
		await give('sales-assistant', 'theirs');
		const isLate = ({ uid }: Listed) => uid === 'sales-assistant';
		const late = shown((one) => (isLate(one) ? { ...one, files: ['theirs'] } : one));
		service().script({ ...late, times: Infinity });
		const items = [
			{ agent: 'support-bot', brings: 'prices.pdf' },
			{ agent: 'sales-assistant', brings: 'theirs.pdf' },
		];
		const run = await replace(BY_ITEM, itemsOf(items));
		const actions = [0, 1].map((at) => Object(jsonOf(run, at).old)[0]?.action);
		expect(actions).toEqual(['deleted', 'removed']);
		expect([recordIds().includes('old'), recordIds().includes('theirs')]).toEqual([false, true]);
	});

	test("is refused: the old version stays in CometChat, and the row has CometChat's message", async () => {
		service().script({ for: list, status: 402, message: 'Upgrade' });
		const reason =
			"Unknown whether another agent uses this document: The app's plan does not allow this: Upgrade";
		expect(jsonOf(await replace()).old).toEqual([{ ...oldRow('removed'), reason }]);
		expect(recordIds()).toContain('old');
	});
});

describe('In a large account', () => {
	const others = Array.from({ length: 250 }, (_, at) => ({
		sourceName: `other-${at}.pdf`,
		uniqueId: `other-${at}`,
	}));
	const agents = Array.from({ length: 60 }, (_, at) => ({ uid: `agent-${at}`, name: `A ${at}` }));
	const large = freshAccount({
		records: [...RECORDS, ...others],
		agents: [...agents, { uid: 'support-bot', name: 'Support Bot' }],
	});
	const ofLists = () => reading(arrivals(large.service()));

	test('all pages of agents are read, and the first agents that use the old version are named', async () => {
		for (const at of [0, 1, 2, 3, 55, 58, 59]) await large.give(`agent-${at}`, 'old');
		const reason = 'Used by other agents: "A 0", "A 1", "A 2", "A 3", "A 55", and 2 more';
		expect(jsonOf(await large.replace()).old).toEqual([{ ...oldRow('removed'), reason }]);
	});

	test('the lists are read once for all items', async () => {
		const ids = Array.from({ length: 8 }, (_, at) => `other-${at}`);
		for (const id of ids) await large.give('support-bot', id);
		const items = itemsOf(ids.map((id) => ({ brings: `${id}.pdf` })));
		const run = await large.replace(BY_ITEM, { ...items });
		expect(run.output.map(({ json }) => json.old)).toEqual(
			ids.map((id) => [oldRow('deleted', id, `${id}.pdf`)]),
		);
		// Two pages of agents, three of documents, and finally the first page of documents again.
		expect(ofLists().filter((line) => line === 'list')).toHaveLength(2);
		expect(ofLists().filter((line) => line === 'records')).toHaveLength(4);
	});
});

describe('Two items with one document', () => {
	test.each<[string, Parameters<typeof itemsOf>[0]]>([
		['one name', [{ brings: 'prices.pdf' }, { brings: 'prices.pdf' }]],
		['one ID', [1, 2].map((at) => ({ brings: `${at}.pdf`, old: 'old' }))],
		['an ID and its name', [{ brings: 'prices.pdf', old: 'old' }, { brings: 'prices.pdf' }]],
		['its ID and its name', [{ brings: 'x.pdf', old: 'old' }, { brings: 'prices.pdf' }]],
		['its name and its begin', [{ brings: 'prices.pdf' }, { brings: 'y.pdf', old: 'prices.p*' }]],
	])('with %s are both refused, and the others continue', async (_, items) => {
		const run = await replace(BY_ITEM, {
			...itemsOf([...items, { brings: 'prices.docx' }]),
			...continuing,
		});
		for (const at of [0, 1]) {
			const message = expect.stringMatching(/^Items 1, 2 /);
			expect(jsonOf(run, at)).toMatchObject({ message, effect: 'not applied' });
		}
		expect(oldIds(jsonOf(run, 2))).toEqual(['other']);
		expect(attached()).toContain('old');
	});

	test('one per agent are not refused', async () => {
		await give('sales-assistant', 'old');
		const items = ['support-bot', 'sales-assistant'].map((one) => ({
			agent: one,
			brings: 'prices.pdf',
		}));
		const run = await replace(BY_ITEM, itemsOf(items));
		expect([0, 1].map((at) => oldIds(jsonOf(run, at)))).toEqual([['old'], ['old']]);
		expect(recordIds()).not.toContain('old');
	});
});

test('Items with different documents run at the same time, while the changes of their agent never overlap', async () => {
	service().script(
		{ for: { operation: 'initiate' }, latencyMs: 2000, times: 2 },
		{ for: { uid: 'support-bot' }, latencyMs: 3000, times: Infinity },
	);
	const { output } = await replace(
		BY_ITEM,
		itemsOf([{ brings: 'prices.pdf' }, { brings: 'prices.docx' }]),
	);
	expect(output.map(({ json }) => oldIds(json))).toEqual([['old'], ['other']]);
	const lines = arrivals(service());
	expect(lines.indexOf('initiate prices.docx')).toBeLessThan(lines.indexOf('upload prices.pdf'));
	expect(service().maxInFlight('support-bot')).toBe(1);
	// The agent always uses one of the two versions.
	const ids = ['old', String(output[0]?.json.uniqueId)];
	expect(standings.every((held) => ids.some((id) => held.includes(id)))).toBe(true);
});
