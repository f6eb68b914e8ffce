import type { IDataObject } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import type { AgentSeed, Rule } from '../../service/service';
import { BY_ITEM, freshAccount, HELD, itemsOf, jsonOf, RECORDS } from './replacement';
import { arrivals, continuing, file } from '../operations';

const MULLER = { composed: 'M\u00fcller.pdf', decomposed: 'Mu\u0308ller.pdf' };

type Item = IDataObject & { brings: string };

/** The places in the log at which an operation arrived. */
function placesOf(lines: string[], operation: string): number[] {
	return lines.flatMap((line, at) => (line.startsWith(operation) ? [at] : []));
}

describe('Two items of one document', () => {
	const { service, replace, attached, recordIds } = freshAccount();

	test.each<[string, string, Item, Item]>([
		['have one name', 'old', { brings: 'prices.pdf' }, { brings: 'prices.pdf' }],
		[
			'have one name in two spellings',
			'composed',
			{ brings: MULLER.composed },
			{ brings: MULLER.decomposed },
		],
		[
			'name one old file, in two spellings, and bring it under its name and another',
			'composed',
			{ brings: MULLER.decomposed, oldName: MULLER.composed },
			{ brings: 'other-name.pdf', oldName: MULLER.decomposed },
		],
		[
			'have one Old File ID',
			'old',
			{ brings: 'a.pdf', oldId: 'old' },
			{ brings: 'b.pdf', oldId: 'old' },
		],
		[
			'have an Old File ID and its name',
			'old',
			{ brings: 'prices.pdf', oldId: 'old' },
			{ brings: 'prices.pdf' },
		],
		[
			'have a name and its Old File ID',
			'old',
			{ brings: 'prices.pdf' },
			{ brings: 'a.pdf', oldId: 'old' },
		],
	])(
		'that %s go one after another: the second replaces what the first has brought',
		async (_, old, ...items) => {
			const { output } = await replace(BY_ITEM, itemsOf(items));
			const [first, second] = output.map(({ json }) => json);
			expect([first?.oldId, second?.oldId]).toEqual([old, first?.newId]);
			expect(attached()).toEqual([...HELD.filter((id) => id !== old), second?.newId]);
			expect(recordIds()).not.toContain(old);
			expect(recordIds()).not.toContain(first?.newId);
			const lines = arrivals(service());
			const [, begins = 0] = placesOf(lines, 'initiate');
			expect(lines.slice(0, begins)).toContain(`deleteUpload ${old}`);
		},
	);

	test('take over from one another where the first has failed: the second replaces the same', async () => {
		service().script({ for: { operation: 'initiate' }, status: 400 });
		const items = [{ brings: 'prices.pdf' }, { brings: 'prices.pdf' }];
		const run = await replace(BY_ITEM, { ...itemsOf(items), ...continuing });
		expect(jsonOf(run, 0)).toMatchObject({ oldId: 'old', effect: 'not applied' });
		expect(jsonOf(run, 1)).toMatchObject({ oldId: 'old', success: true });
	});
});

describe("Where the agents' lists do not tell what they have", () => {
	const { service, replace, attached } = freshAccount({ agentLists: 'empty' });

	test('an upload that the agent surely did not get is not taken for the old version', async () => {
		service().script({ for: { operation: 'add' }, status: 400 });
		const items = [{ brings: 'prices.pdf' }, { brings: 'prices.pdf' }];
		const run = await replace(BY_ITEM, { ...itemsOf(items), ...continuing });
		expect(jsonOf(run, 0)).toMatchObject({ oldId: 'old', reached: ['uploaded', 'indexed'] });
		expect(jsonOf(run, 1)).toMatchObject({ oldId: 'old', success: true });
		expect(attached()).toEqual([...HELD.slice(1), jsonOf(run, 1).newId]);
	});
});

describe('Two items of one agent in two spellings', () => {
	// It is one agent for CometChat; here the second is made when a file is added to it.
	const { service, replace } = freshAccount({ unknownAgents: 'create' });

	test.each<[string, IDataObject]>([
		['File Name', {}],
		['ID', { oldId: 'old' }],
	])('go one after another, too, with the old version found by %s', async (_, by) => {
		const item = { brings: 'prices.pdf', ...by };
		const items = [item, { ...item, agent: 'Support-Bot' }];
		const { output } = await replace({ ...BY_ITEM, deleteOldVersion: 'never' }, itemsOf(items));
		const [first, second] = output.map(({ json }) => json);
		expect(second?.oldId).toBe(first?.newId);
		const lines = arrivals(service());
		const [, begins = 0] = placesOf(lines, 'initiate');
		expect(lines.slice(0, begins)).toContain('remove support-bot old');
	});
});

describe('What the run itself has deleted', () => {
	// Spelled alike, they go one after another.
	const agents = ['support-bot', 'Support-Bot'].map((uid) => ({ uid, name: uid }));
	const namesake = { sourceName: 'theirs.pdf', uniqueId: 'namesake' };
	const account = freshAccount({ agents, records: [...RECORDS, namesake] });

	test('is no sign that the lists of the others do not tell: no namesake is taken for the old version', async () => {
		await account.give('support-bot', 'theirs');
		await account.give('Support-Bot', 'theirs');
		const item = { brings: 'theirs.pdf', oldName: 'theirs.pdf' };
		const items = [item, { ...item, agent: 'Support-Bot' }];
		const parameters = { ...BY_ITEM, deleteOldVersion: 'always' };
		const run = await account.replace(parameters, { ...itemsOf(items), ...continuing });
		expect(jsonOf(run, 0)).toMatchObject({ success: true, oldId: 'theirs' });
		expect(jsonOf(run, 1).message).toContain('has no uploaded file named "theirs.pdf"');
		expect(account.recordIds()).toContain('namesake');
	});
});

describe('Items of different documents', () => {
	const { service, replace } = freshAccount();

	test('go side by side, while the changes of their agent never overlap', async () => {
		service().script(
			{ for: { operation: 'initiate' }, latencyMs: 2000, times: 2 },
			{ for: { uid: 'support-bot' }, latencyMs: 3000, times: Infinity },
		);
		const items = [{ brings: 'prices.pdf' }, { brings: 'prices.docx' }];
		const { output } = await replace(BY_ITEM, itemsOf(items));
		expect(output.map(({ json }) => json.oldId)).toEqual(['old', 'other']);
		const lines = arrivals(service());
		expect(Math.max(...placesOf(lines, 'initiate'))).toBeLessThan(
			Math.min(...placesOf(lines, 'upload')),
		);
		expect(service().maxInFlight('support-bot')).toBe(1);
	});
});

describe('An account with many files and agents', () => {
	const names = Array.from({ length: 8 }, (_, at) => `wanted-${at}.pdf`);
	const records = [
		...Array.from({ length: 120 }, (_, at) => ({ sourceName: `filler-${at}.pdf` })),
		...names.map((sourceName, at) => ({ sourceName, uniqueId: `wanted-${at}` })),
		...RECORDS,
	];
	const agents: AgentSeed[] = Array.from({ length: 60 }, (_, at) => ({
		uid: `agent-${at}`,
		name: `Agent ${at}`,
	}));
	agents.push({ uid: 'support-bot', name: 'Support Bot' });
	const { service, replace, give } = freshAccount({ records, agents });

	test.each([
		[5, [0, 1, 2, 3, 55], ''],
		[7, [0, 1, 2, 3, 55, 58, 59], ', and 2 more'],
	])(
		'has all its agents looked through for the old version, and of %d that have it the first are named',
		async (_, holders, more) => {
			for (const at of holders) await give(`agent-${at}`, 'old');
			const { output } = await replace();
			expect(output[0]?.json.notDeleted).toBe(
				`Other agents have the old version: "Agent 0", "Agent 1", "Agent 2", "Agent 3", "Agent 55"${more}`,
			);
		},
	);

	test('is listed once a run for all items, and its agents anew for those that ask meanwhile', async () => {
		for (const at of names.keys()) await give('support-bot', `wanted-${at}`);
		// The lists that are asked for anew are slow: who is done meanwhile shares the next.
		const list: Rule['for'] = { operation: 'list' };
		service().script({ for: list, times: 2 }, { for: list, latencyMs: 500, times: Infinity });
		const { output } = await replace(
			{},
			{
				files: names.map((name) => ({ data: file(name) })),
				options: { parallelRequests: 10 },
			},
		);
		expect(output.map(({ json }) => json.oldId)).toEqual(names.map((_, at) => `wanted-${at}`));
		for (const { json } of output) expect(json.reached).toContain('deleted');
		const lines = arrivals(service());
		expect(placesOf(lines, 'records')).toHaveLength(2);
		const lists = placesOf(lines, 'list');
		const [firstRemoval = 0] = placesOf(lines, 'remove');
		expect(lists.filter((at) => at < firstRemoval)).toHaveLength(2);
		// Two pages each time; eight items that each asked for themselves would need sixteen.
		expect(lists.length - 2).toBeLessThanOrEqual(6);
		expect(placesOf(lines, 'agent')).toEqual([]);
	});
});

describe('Between adding and removing', () => {
	const { service, replace, attached, recordIds, newest } = freshAccount();
	const uploads = () => service().log.filter(({ operation }) => operation === 'upload');

	test("another item's failure, which ends the run, does not keep an item from its end", async () => {
		service().script(
			{ for: { operation: 'add' }, latencyMs: 10_000 },
			{
				for: { operation: 'upload', fileName: 'prices.docx' },
				latencyMs: 5_000,
				status: 400,
			},
		);
		const items = [{ brings: 'prices.pdf' }, { brings: 'prices.docx' }];
		const { error } = await replace(BY_ITEM, itemsOf(items));
		const kinds = service().log.map(({ kind, operation, status }) =>
			[kind, operation, status].filter(Boolean).join(' '),
		);
		expect(uploads().map(({ kind }) => kind)).toContain('answered');
		const failed = kinds.indexOf('answered upload 400');
		expect(failed).toBeGreaterThan(kinds.indexOf('arrived add'));
		const after = kinds.slice(failed).filter((line) => line.startsWith('arrived'));
		expect(after).toEqual([
			'arrived deleteUpload', // the entry of the item that failed
			'arrived remove',
			'arrived list',
			'arrived deleteUpload',
		]);
		expect(attached()).toEqual([...HELD.slice(1), newest()]);
		expect(recordIds()).not.toContain('old');
		expect(error?.message).toBe(
			'The upload address did not take "prices.docx" [item 1] (1 of 2 items applied, 1 failed, 0 not sent)',
		);
		expect(error?.description).toContain(
			`In CometChat now: "prices.pdf" (ID ${newest()}, item 0).`,
		);
	});

	const stillHas =
		'The agent has the new version of "prices.pdf" (ID NEW) and still has the old one (ID old). To go on, remove the old one with Remove Files.';
	test.each<[string, Rule, string, IDataObject, string]>([
		[
			'before removing is sent again',
			{ for: { operation: 'remove' }, status: 429, retryAfter: '30' },
			'answered remove',
			{ reached: ['uploaded', 'indexed', 'added'] },
			stillHas,
		],
		[
			'while removing is under way',
			{ for: { operation: 'remove' }, latencyMs: 60_000 },
			'arrived remove',
			{ reached: ['uploaded', 'indexed', 'added'], unknown: 'removed' },
			stillHas.replace('still has', 'may still have'),
		],
		[
			'while deleting is under way',
			{ for: { operation: 'deleteUpload' }, latencyMs: 60_000 },
			'arrived deleteUpload',
			{ reached: ['uploaded', 'indexed', 'added', 'removed'], unknown: 'deleted' },
			'The agent has the new version of "prices.pdf" (ID NEW) and no longer the old one. The old one (ID old) may still be in CometChat. To go on, delete the old one with Document: Delete.',
		],
	])(
		"the user's stop %s does cut it, and the output says where",
		async (_, rule, moment, told, words) => {
			service().script(rule);
			const isAt = () =>
				service().log.some(({ kind, operation }) => `${kind} ${operation}` === moment);
			const stop = (async () => {
				while (!isAt()) await sleep(5);
				// Until the node has the answer, too.
				if (moment.startsWith('answered')) await sleep(300);
			})();
			const run = await replace({}, { stop });
			expect(run.status).toBe('canceled');
			expect(isAt()).toBe(true);
			const [operation = ''] = moment.split(' ').slice(1);
			expect(arrivals(service()).at(-1)).toContain(operation);
			const json = jsonOf(run);
			expect(json).toMatchObject({ ...told, effect: 'partly applied', newId: newest() });
			expect(json.description).toContain(words.replace('NEW', newest()));
			expect(json.unknown).toBe(told.unknown);
		},
	);
});
