import { sleep } from 'n8n-workflow';

import type { AgentLists, Rule } from '../../service/service';
import { openedFiles } from '../engine';
import { arrivals, continuing, runFiles } from '../operations';
import { actionsOf, freshFolder } from './folder';
import { BY_ITEM, freshAccount, HELD, itemsOf, jsonOf } from './replacement';

/** In which an agent's own list does not tell what it has, whatever the others' do. */
const UNTOLD: AgentLists[] = ['null', 'missing', 'objects', 'otherIds'];
const NOT_KNOWN = 'Not known whether another agent has the old version: ';

describe.each(UNTOLD)(
	"Where an agent's own list does not tell (%s), and those of others do",
	(shape) => {
		const agentListsOf = { 'support-bot': shape };
		const account = freshAccount({ agentListsOf });
		const folder = freshFolder({
			agentListsOf,
			records: [{ sourceName: 'theirs.pdf', uniqueId: 'theirs' }],
		});

		test('Replace File finds the old version, and the agent does not end with both', async () => {
			await account.give('sales-assistant', 'theirs');
			const { output } = await account.replace({ ifNotFound: 'add' });
			expect(output[0]?.json).toMatchObject({ success: true, oldId: 'old' });
			expect(account.attached()).toEqual([...HELD.slice(1), account.newest()]);
		});

		test('Replace File does not take its word for which of two is the old one', async () => {
			await account.give('sales-assistant', 'theirs');
			const run = await account.replace(
				{ oldFileName: 'twice.pdf', ifNotFound: 'add' },
				continuing,
			);
			expect(jsonOf(run).message).toContain('CometChat has 2 files named "twice.pdf"');
			expect(arrivals(account.service())).toEqual(['records', 'list']);
		});

		test('Sync Files leaves what has not changed, and replaces what has', async () => {
			await folder.give('sales-assistant', 'theirs');
			await folder.night({ 'a.txt': 'A' });
			expect(actionsOf(await folder.night({ 'a.txt': 'A' }))).toEqual(['unchanged a.txt']);
			expect(folder.changes()).toEqual([]);
			const [before = ''] = folder.idsOf('a.txt');
			await folder.night({ 'a.txt': 'B' });
			expect(folder.known()).toEqual(['a.txt']);
			expect(folder.service().files('support-bot', 'uploads')).not.toContain(before);
		});
	},
);

describe('An unreadable list of websites', () => {
	const { replace, give } = freshAccount({ agentLists: 'websitesNull' });
	const { night, take, idsOf } = freshFolder({ agentLists: 'websitesNull' });

	test('is no reason to leave an agent without what it has lost', async () => {
		await night({ 'a.txt': 'A' });
		expect(actionsOf(await night({ 'a.txt': 'A' }))).toEqual(['unchanged a.txt']);
		await take('support-bot', ...idsOf('a.txt'));
		expect(actionsOf(await night({ 'a.txt': 'A' }))).toEqual(['added a.txt']);
	});

	test("leaves an agent's uploads told", async () => {
		await give('sales-assistant', 'theirs');
		const run = await replace({ oldFileName: 'theirs.pdf' }, continuing);
		expect(jsonOf(run).message).toContain('has no uploaded file named "theirs.pdf", though');
	});
});

describe.each<AgentLists>([...UNTOLD, 'websitesNull'])(
	"Where another agent's own list does not tell all that it has (%s)",
	(shape) => {
		const { service, replace, give } = freshAccount({
			agentListsOf: { 'sales-assistant': shape },
		});

		test('an old version is not deleted: that agent may have it', async () => {
			await give('sales-assistant', 'old');
			const { output } = await replace();
			expect(output[0]?.json.notDeleted).toBe(
				`${NOT_KNOWN}CometChat's list does not show the documents of every agent`,
			);
			expect(arrivals(service()).join()).not.toContain('delete');
		});
	},
);

describe('Where the list of agents hides some', () => {
	const hiddenAgents: string[] = [];
	const { service, replace, give } = freshAccount({ hiddenAgents });
	const hide = (...uids: string[]) => hiddenAgents.splice(0, Infinity, ...uids);
	const HIDES = `${NOT_KNOWN}CometChat's list of agents does not show every agent`;

	test('such as this agent itself, an old version is not deleted', async () => {
		hide('support-bot', 'onboarding-guide');
		await give('onboarding-guide', 'old');
		const { output } = await replace();
		expect(output[0]?.json).toMatchObject({ success: true, oldId: 'old', notDeleted: HIDES });
		expect(arrivals(service()).join()).not.toContain('delete');
	});

	test('such as an agent of another item, an old version is not deleted', async () => {
		hide('sales-assistant');
		await give('sales-assistant', 'theirs');
		const items = [{ brings: 'theirs.pdf', agent: 'sales-assistant' }, { brings: 'prices.pdf' }];
		const { output } = await replace(BY_ITEM, itemsOf(items));
		expect(output.map(({ json }) => json.notDeleted)).toEqual([HIDES, HIDES]);
		expect(arrivals(service()).join()).not.toContain('delete');
	});

	test.each<[string, string, Rule[], string | undefined]>([
		['was asked for in vain', 'sales-assistant', [{ status: 403, body: '<html>' }], HIDES],
		['is none at all, as CometChat says', 'nobody', [], undefined],
	])('and an agent of another item %s', async (_, other, rules, notDeleted) => {
		if (other === 'sales-assistant') await give(other, 'old');
		hide(other);
		service().script(...rules.map((rule) => ({ for: { operation: 'agent' as const }, ...rule })));
		const items = [{ brings: 'prices.pdf', agent: other }, { brings: 'prices.pdf' }];
		const run = await replace(BY_ITEM, { ...itemsOf(items), ...continuing });
		expect(jsonOf(run, 0).message).toBeDefined();
		expect(jsonOf(run, 1)).toMatchObject({ success: true, oldId: 'old' });
		expect(jsonOf(run, 1).notDeleted).toBe(notDeleted);
	});
});

describe('Where the lists of agents are behind', () => {
	const lagsMs = { agents: 3_600_000 };
	const { replace, attached } = freshAccount({ lagsMs });
	const two = itemsOf([{ brings: 'prices.pdf' }, { brings: 'prices.pdf' }]);

	test('a second item replaces what the first has brought, as the run itself knows', async () => {
		await sleep(2 * lagsMs.agents);
		const { output } = await replace(BY_ITEM, two);
		const [first, second] = output.map(({ json }) => json);
		expect(first?.notDeleted).toMatch(NOT_KNOWN);
		expect([first?.oldId, second?.oldId]).toEqual(['old', first?.newId]);
		expect(attached()).toEqual([...HELD.slice(1), second?.newId]);
	});
});

describe('What somebody else gives the agent while the node runs', () => {
	const { service, replace, give, attached } = freshAccount();

	test('is seen by the items that come after the next list of agents', async () => {
		await give('support-bot', 'theirs');
		const before = (body: unknown): unknown =>
			JSON.parse(JSON.stringify(body).replace(',"theirs"', ''));
		service().script({ for: { operation: 'list' }, transform: before });
		const items = [{ brings: 'prices.pdf' }, { brings: 'prices.pdf', oldName: 'theirs.pdf' }];
		const { output } = await replace(BY_ITEM, itemsOf(items));
		const [first, second] = output.map(({ json }) => json);
		expect([first?.oldId, second?.oldId]).toEqual(['old', 'theirs']);
		expect(attached()).not.toContain('theirs');
	});
});

describe('A list of agents that cannot be read when it is asked for anew', () => {
	const { service, replace } = freshAccount();

	test('is no reason to forget the one before', async () => {
		const list: Rule['for'] = { operation: 'list' };
		service().script({ for: list }, { for: list, status: 400, times: Infinity });
		const items = [{ brings: 'prices.pdf' }, { brings: 'prices.docx' }, { brings: 'prices.pdf' }];
		const { output } = await replace(BY_ITEM, { ...itemsOf(items), ...continuing });
		const [first, second, third] = output.map(({ json }) => json);
		expect(first?.notDeleted).toBe(`${NOT_KNOWN}the list of agents could not be read`);
		expect([second?.oldId, third?.oldId]).toEqual(['other', first?.newId]);
	});
});

describe('A list of agents that is to be asked for again', () => {
	const { service, night } = freshFolder();
	afterEach(() => jest.restoreAllMocks());

	test('is not, once another item has failed and that ends the run', async () => {
		const list: Rule['for'] = { operation: 'list' };
		service().script({ for: list, status: 429, retryAfter: '20' });
		const isAnswered = () =>
			service().log.some(({ kind, operation }) => `${kind} ${operation}` === 'answered list');
		let files = 0;
		openedFiles(async () => {
			files += 1;
			if (files === 1) return;
			while (!isAnswered()) await sleep(5);
			throw new Error('The disk is gone');
		});
		const run = await night({ 'a.txt': 'A', 'b.txt': 'B' }, { onError: 'stopWorkflow' });
		expect(run.error?.message).toContain('n8n was not able to read the file');
		expect(arrivals(service())).toEqual(['records', 'list']);
	});
});

describe('A new version of which nobody knows whether the agent has it', () => {
	const { service, replace, attached } = freshAccount({ agentLists: 'empty' });

	test('counts as one that it may have: the next item of its name does not pick another', async () => {
		const lost = { for: { operation: 'add' as const }, drop: 'afterApplying' as const };
		service().script({ ...lost, times: 5 });
		const two = itemsOf([{ brings: 'prices.pdf' }, { brings: 'prices.pdf' }]);
		const run = await replace(BY_ITEM, { ...two, ...continuing });
		expect(jsonOf(run, 0)).toMatchObject({ unknown: 'added', oldId: 'old' });
		expect(jsonOf(run, 1).message).toContain('CometChat has 2 files named "prices.pdf"');
		expect(attached()).toHaveLength(HELD.length + 1);
	});
});

describe('A service that gives a freed ID again', () => {
	const { replace, attached } = freshAccount({ freedIds: 'again' });

	test('does not lead round: each item replaces what the one before has brought', async () => {
		const items = Array.from({ length: 5 }, () => ({ brings: 'prices.pdf', oldId: 'old' }));
		const { output } = await replace(BY_ITEM, itemsOf(items));
		const ids = output.map(({ json }) => json.newId);
		expect(output.map(({ json }) => json.oldId)).toEqual(['old', ...ids.slice(0, -1)]);
		expect(ids).toContain('old');
		expect(attached()).toEqual([...HELD.slice(1), ids.at(-1)]);
	});

	test('does not make a file of another name the old version', async () => {
		const items = [
			{ brings: 'prices.pdf' },
			{ brings: 'fresh.pdf', oldName: 'prices.pdf' },
			{ brings: 'prices.pdf' },
		];
		const { output } = await replace({ ...BY_ITEM, ifNotFound: 'add' }, itemsOf(items));
		const [first, second, third] = output.map(({ json }) => json);
		expect(second).toMatchObject({ oldId: first?.newId, newId: 'old' });
		expect(third?.oldId).toBeNull();
		expect(attached()).toEqual([...HELD.slice(1), 'old', third?.newId]);
	});

	const folder = freshFolder({ freedIds: 'again' });

	test.each([{}, { wholeFolder: true }, { onlyThisFolder: true }])(
		'does not make a file of the folder one that is gone, with %j',
		async (options) => {
			const night = { options, parameters: { goneFiles: 'delete' } };
			const rest = { 'x.txt': 'X', 'y.txt': 'Y', 'z.txt': 'Z' };
			await folder.night({ ...rest, 'a.txt': 'A' }, night);
			const [freed = ''] = folder.idsOf('a.txt');
			await runFiles(folder.service(), 'document.delete', { parameters: { fileIds: freed } });
			const contents = { ...rest, 'b.txt': 'B' };
			for (const wanted of ['added', 'unchanged', 'unchanged']) {
				const run = await folder.night(contents, night);
				expect(actionsOf(run).filter((action) => /[ab].txt/.test(action))).toEqual([
					`${wanted} b.txt`,
				]);
				expect(folder.idsOf('b.txt')).toEqual([freed]);
				expect(folder.known()).toEqual(Object.keys(contents).sort());
			}
		},
	);

	describe('takes it from another file, of which the rest stays noted:', () => {
		const { service, night, known, changes, idsOf } = folder;
		const rest = { 'x.txt': 'X', 'y.txt': 'Y', 'z.txt': 'Z' };
		const oldIsKept = { parameters: { deleteOldVersion: 'never' } };
		const refuse = (operation: 'add' | 'remove') =>
			service().script({ for: { operation }, status: 400 });

		/** Uploads of a.txt, the first of which is b.txt's by now; a.txt is missing since. */
		async function takenOver(second: () => Promise<unknown>) {
			await night({ ...rest, 'a.txt': 'A' }, oldIsKept);
			const [freed = ''] = idsOf('a.txt');
			await second();
			const [left] = idsOf('a.txt').filter((id) => id !== freed);
			await runFiles(service(), 'document.delete', { parameters: { fileIds: freed } });
			await night({ ...rest, 'b.txt': 'B' });
			expect(idsOf('b.txt')).toEqual([freed]);
			return { freed, left };
		}
		const replaced = async () => await night({ ...rest, 'a.txt': 'A2' }, oldIsKept);
		const notAdded = async () => {
			refuse('add');
			await replaced();
		};
		const notRemoved = async () => {
			refuse('remove');
			await replaced();
		};

		test.each<[string, () => Promise<unknown>, string]>([
			['what the agent has', replaced, 'unchanged'],
			['what it was to be given', notAdded, 'added'],
		])('%s', async (_, second, action) => {
			const { left } = await takenOver(second);
			const run = await night({ ...rest, 'b.txt': 'B', 'a.txt': 'A2' });
			expect(run.output[4]?.json).toMatchObject({ action, uniqueId: left });
			expect(changes().filter((line) => line.startsWith('upload'))).toEqual([]);
		});

		test('what the agent had before is no content of it any more', async () => {
			const { freed } = await takenOver(replaced);
			const run = await night({ ...rest, 'b.txt': 'B', 'a.txt': 'A' });
			expect(run.output[4]?.json).toMatchObject({ action: 'replaced' });
			expect(run.output[4]?.json.uniqueId).not.toBe(freed);
			expect(known()).toEqual(['a.txt', 'b.txt', ...Object.keys(rest)]);
		});

		test('what the agent lost before is known again', async () => {
			await night({ ...rest, 'a.txt': 'A' }, oldIsKept);
			const [first = ''] = idsOf('a.txt');
			await replaced();
			const fileIds = idsOf('a.txt').filter((id) => id !== first);
			await runFiles(service(), 'document.delete', { parameters: { fileIds: fileIds.join() } });
			await night({ ...rest, 'b.txt': 'B' });
			expect(idsOf('b.txt')).toEqual(fileIds);
			const run = await night({ ...rest, 'b.txt': 'B', 'a.txt': 'A' });
			expect(run.output[4]?.json).toMatchObject({ action: 'added', uniqueId: first });
		});

		test.each([
			['with what was still to be taken out', notRemoved],
			['with what it has as well', replaced],
		])('it is taken out as one that is gone, %s', async (_, second) => {
			const { left } = await takenOver(second);
			const run = await night({ ...rest, 'b.txt': 'B' });
			expect(actionsOf(run)).toContain('removed a.txt');
			expect(changes()).toEqual([`remove support-bot ${left}`]);
		});

		test('of one that no agent got, nothing is left that could be gone', async () => {
			await night(rest);
			refuse('add');
			await takenOver(async () => undefined);
			const run = await night({ ...rest, 'b.txt': 'B' });
			expect(actionsOf(run).join()).not.toContain('a.txt');
			expect(changes()).toEqual([]);
		});
	});
});
