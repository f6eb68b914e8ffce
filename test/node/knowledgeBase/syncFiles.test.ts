import { sleep } from 'n8n-workflow';

import type { Rule } from '../../service/service';
import { credentialFor } from '../fixture';
import { agent, arrivals, continuing, errorOf, file, runFiles } from '../operations';
import { actionsOf, freshFolder, hintsOf } from './folder';

const THREE = { 'a.txt': 'A', 'b.txt': 'B', 'c.txt': 'C' };

/** Before anything that the stand-in makes in these tests. */
const LONG_AGO = '2020-01-01T00:00:00Z';

describe('A night', () => {
	const { service, night, known, changes, idsOf, give, take, loseNote, note } = freshFolder({
		records: [
			{ sourceName: 'handbook.pdf', uniqueId: 'handbook' },
			{ sourceName: 'a.txt', uniqueId: 'of-sales' },
		],
	});

	// So that the lists tell what each agent has.
	beforeEach(async () => await give('support-bot', 'handbook'));

	test('adds what is new, leaves what has not changed, replaces what has, takes out what is gone', async () => {
		await give('sales-assistant', 'of-sales');
		expect(actionsOf(await night(THREE))).toEqual(['added a.txt', 'added b.txt', 'added c.txt']);

		const second = await night(THREE);
		expect(actionsOf(second)).toEqual(['unchanged a.txt', 'unchanged b.txt', 'unchanged c.txt']);
		expect(arrivals(service())).toEqual(['agent support-bot', 'records']);

		const [oldId = ''] = idsOf('b.txt');
		const options = { wholeFolder: true };
		const third = await night({ 'a.txt': 'A', 'b.txt': 'B2', 'd.txt': 'D' }, { options });
		expect(actionsOf(third)).toEqual([
			'unchanged a.txt',
			'replaced b.txt',
			'added d.txt',
			'removed c.txt',
		]);
		expect(third.output[1]).toEqual({
			json: {
				success: true,
				action: 'replaced',
				fileName: 'b.txt',
				agentName: 'Support Bot',
				uniqueId: idsOf('b.txt')[0],
				oldId,
				reason: 'The content has changed',
				status: 'indexed',
				uid: 'support-bot',
			},
			pairedItem: { item: 1 },
		});
		expect(third.output[3]).toEqual({
			json: {
				success: true,
				action: 'removed',
				fileName: 'c.txt',
				agentName: 'Support Bot',
				status: null,
				oldId: null,
				uniqueId: idsOf('c.txt')[0],
				reason: 'No longer in the folder',
				uid: 'support-bot',
			},
		});
		expect(hintsOf(third, 'any')[0]).toBe('Files: 1 added, 1 replaced, 1 unchanged, 1 removed.');
		expect(known()).toEqual(['a.txt', 'b.txt', 'd.txt', 'handbook.pdf']);
		expect(service().files('sales-assistant', 'uploads')).toEqual(['of-sales']);
	});

	test('says nothing of an old version where the one before brought none to the agent', async () => {
		service().script({ for: { operation: 'add' }, status: 400, times: Infinity });
		await night({ 'a.txt': 'A' });
		service().script({ for: { operation: 'initiate' }, status: 400 });
		const { description } = Object(errorOf(await night({ 'a.txt': 'A2' })));
		expect(description).toContain('"a.txt" was not uploaded.');
		expect(description).not.toContain('old version');
	});

	test('gives the agent back what it has lost, without an upload', async () => {
		await night(THREE);
		const [lost = ''] = idsOf('b.txt');
		await take('support-bot', lost);
		expect(actionsOf(await night(THREE))).toContain('added b.txt');
		expect(changes()).toEqual([expect.stringMatching('poll'), `add support-bot ${lost}`]);
		expect(known()).toEqual([...Object.keys(THREE), 'handbook.pdf']);
	});

	test('gives it back also where no agent has anything left, so that no list proves anything', async () => {
		await night({ 'a.txt': 'A' });
		await take('support-bot', 'handbook', ...idsOf('a.txt'));
		expect(actionsOf(await night({ 'a.txt': 'A' }))).toEqual(['added a.txt']);
		expect(known()).toEqual(['a.txt']);
	});

	test.each<[string, Record<string, string>, string[]]>([
		['nothing tells the time', {}, ['replaced a.txt']],
		['it was modified since', { modified: '2099-01-01T00:00:00Z' }, ['replaced a.txt']],
		['it was not modified since', { modified: LONG_AGO }, ['unchanged a.txt']],
	])('without its note, after %s, ends the same', async (_, parameters, expected) => {
		await night({ 'a.txt': 'A' });
		loseNote();
		expect(actionsOf(await night({ 'a.txt': 'A' }, { parameters }))).toEqual(expected);
		expect(known()).toEqual(['a.txt', 'handbook.pdf']);
		// Noted again, it needs nothing to be told.
		expect(actionsOf(await night({ 'a.txt': 'A' }))).toEqual(['unchanged a.txt']);
	});

	test('asks nothing of Modified where it has noted what it sent', async () => {
		await night({ 'a.txt': 'A' });
		const parameters = { modified: '2099-01-01T00:00:00Z' };
		expect(actionsOf(await night({ 'a.txt': 'A' }, { parameters }))).toEqual(['unchanged a.txt']);
	});

	test('takes out the twin that a second night at the same time has left', async () => {
		await night({ 'a.txt': 'A' });
		const [first = ''] = idsOf('a.txt');
		await take('support-bot', first);
		loseNote();
		await night({ 'a.txt': 'A' });
		await give('support-bot', first);
		const third = await night({ 'a.txt': 'A' });
		expect(third.output[0]?.json).toMatchObject({ action: 'replaced', oldId: first });
		expect(known()).toEqual(['a.txt', 'handbook.pdf']);
		expect(changes().join()).not.toContain('upload ');
	});

	test('does not guess without its note which of two uploads a file is', async () => {
		await night({ 'a.txt': 'A' });
		await give('support-bot', 'of-sales');
		loseNote();
		const run = await night({ 'a.txt': 'A' });
		expect(errorOf(run)).toMatchObject({
			message: 'The agent has 2 files named "a.txt" [item 0]',
			effect: 'not applied',
		});
		expect(changes()).toEqual([]);
	});

	test('tried dry says the same and does nothing: no change, no note', async () => {
		await night(THREE);
		const before = JSON.stringify(note());
		const dry = { parameters: { dryRun: true }, options: { wholeFolder: true } };
		const run = await night({ 'a.txt': 'A', 'b.txt': 'B2', 'd.txt': 'D' }, dry);
		expect(actionsOf(run)).toEqual([
			'unchanged a.txt',
			'would be replaced b.txt',
			'would be added d.txt',
			'would be removed c.txt',
		]);
		expect(run.output.map(({ json }) => json.dryRun)).toEqual([true, true, true, true]);
		expect(run.output.map(({ json }) => json.success)).toEqual([true, true, true, true]);
		expect(hintsOf(run, 'any')[0]).toMatch(/^Dry run, nothing was changed/);
		// Items side by side ask for the agent and for the records at the same time.
		expect(arrivals(service()).sort()).toEqual(['agent support-bot', 'list', 'records']);
		expect(JSON.stringify(note())).toBe(before);
	});

	test('skips a file that CometChat does not take, warns of it, and brings the others', async () => {
		const brings = {
			items: [{}, {}, {}],
			files: ['prices.xlsx', 'empty.txt', 'a.txt'].map((name) => ({
				data: file(name, name === 'empty.txt' ? '' : 'A'),
			})),
		};
		const run = await night({}, { brings, onError: 'stopWorkflow' });
		expect(actionsOf(run)).toEqual(['skipped prices.xlsx', 'skipped empty.txt', 'added a.txt']);
		expect(run.output[0]?.json).toMatchObject({
			success: false,
			action: 'skipped',
			fileName: 'prices.xlsx',
			reason: `The file in 'data', "prices.xlsx", is not of a type that CometChat takes`,
			uid: 'support-bot',
		});
		expect(hintsOf(run)).toEqual([
			expect.stringMatching(/^1 file was skipped: "prices.xlsx"\. CometChat takes .* Convert it;/),
			expect.stringMatching(/^1 file was skipped: "empty.txt"\. Open it where it comes from/),
		]);
		expect(run.hints.map(({ message }) => message)).toContain('Files: 1 added, 2 skipped.');
	});

	test('fails for an item with several files: with one that can be sent, it is not skipped', async () => {
		const files = [{ data: file('prices.xlsx'), more: file('a.txt') }];
		const parameters = { binaryPropertyName: '*' };
		const run = await night({}, { brings: { items: [{}], files }, parameters });
		expect(errorOf(run)).toMatchObject({ message: expect.stringContaining('takes one [item 0]') });
	});

	test.each(['continueRegularOutput', 'stopWorkflow'] as const)(
		'with an agent that CometChat does not know explains it once, and refers to that (%s)',
		async (onError) => {
			const run = await night(THREE, { parameters: { uid: agent('suport-bot') }, onError });
			const told = expect.stringMatching(/for "a.txt"\. .*Check 'Agent'/);
			if (onError === 'stopWorkflow') {
				expect(run.error).toMatchObject({ description: told });
				return;
			}
			expect(hintsOf(run)).toEqual([
				expect.stringMatching(
					/^3 items failed \("a.txt", .* not know this agent\. .*Check 'Agent'/,
				),
			]);
			const see = 'See "a.txt" (item 0) for the reason, and what to do.';
			expect(run.output.map(({ json: { error } }) => Object(error))).toMatchObject([
				{ message: 'CometChat does not know this agent [item 0]', description: told },
				{
					message: 'CometChat does not know this agent [item 1]',
					description: `Nothing was changed for "b.txt". ${see}`,
				},
				{ description: `Nothing was changed for "c.txt". ${see}` },
			]);
		},
	);

	test('that stops says that the next one does what is left, with all files', async () => {
		service().script({ for: { operation: 'initiate' }, status: 400 });
		const { description } = Object((await night(THREE, { onError: 'stopWorkflow' })).error);
		expect(description).toContain('run the workflow again with all files of the folder');
		expect(description).not.toMatch(/those that were not applied|a second time/);
	});

	test('by hand does all, and says that n8n keeps no record of it', async () => {
		const run = await night(THREE, { mode: 'manual' });
		expect(known()).toEqual([...Object.keys(THREE), 'handbook.pdf']);
		expect(run.hints.map(({ message }) => message).join()).toContain(
			'keeps no record of a run by hand',
		);
	});

	test('by hand a second time leaves alone what has not changed, as does the published one after it', async () => {
		const byHand = { mode: 'manual' as const };
		await night(THREE, byHand);
		const same = ['unchanged a.txt', 'unchanged b.txt', 'unchanged c.txt'];
		expect(actionsOf(await night(THREE, byHand))).toEqual(same);
		expect(changes()).toEqual([]);
		const changed = { ...THREE, 'b.txt': 'B2' };
		const one = ['unchanged a.txt', 'replaced b.txt', 'unchanged c.txt'];
		expect(actionsOf(await night(changed, byHand))).toEqual(one);
		expect(actionsOf(await night(changed))).toEqual(same);
		expect(changes()).toEqual([]);
	});

	test('by hand a second time brings what the agent does not show under the ID that it had', async () => {
		const byHand = { mode: 'manual' as const };
		await night(THREE, byHand);
		await take('support-bot', ...idsOf('a.txt'));
		await give('support-bot', 'of-sales');
		expect(actionsOf(await night(THREE, byHand))).toContain('replaced a.txt');
		expect(idsOf('a.txt')).toContain('of-sales');
	});

	test('by hand a second time neither deletes what the one before has sent, nor takes it for gone', async () => {
		const byHand = { mode: 'manual' as const, options: { wholeFolder: true } };
		await night(THREE, byHand);
		const [first = ''] = idsOf('a.txt');
		const run = await night({ 'a.txt': 'A2', 'b.txt': 'B' }, byHand);
		expect(actionsOf(run)).toEqual(['replaced a.txt', 'unchanged b.txt']);
		expect(changes().join()).not.toContain('delete');
		expect(idsOf('a.txt')).toContain(first);
		expect(known()).toEqual([...Object.keys(THREE), 'handbook.pdf']);
	});

	test('says what became of how many files, and what it knew of earlier ones', async () => {
		const saidOf = async (...given: Parameters<typeof night>) =>
			hintsOf(await night(...given), 'any').map((message) => message.slice(0, 24));
		const file = { 'a.txt': 'A' };
		const parameters = { dryRun: true };
		const [tried, nothing] = ['Dry run, nothing was cha', 'No record of earlier run'];
		expect(await saidOf(file, { parameters })).toEqual([tried, nothing]);
		expect((await saidOf(file)).slice(0, 2)).toEqual(['Files: 1 added.', nothing]);
		expect(await saidOf(file)).toEqual(['Files: 1 unchanged.']);
		expect(await saidOf(file, { parameters })).toEqual([tried]);
		const byHand = ['Files: 1 unchanged.', 'n8n keeps no record of a'];
		expect(await saidOf(file, { mode: 'manual' })).toEqual(byHand);
		service().script({ for: { operation: 'records' }, status: 400 });
		const failed = ['Files: none.', '1 item failed: CometChat'];
		expect(await saidOf({ 'a.txt': 'A2' }, { mode: 'manual' })).toEqual(failed);
	});

	test('that is run again by n8n without a note does not overwrite the one that there is', async () => {
		loseNote();
		expect((await night(THREE, { mode: 'retry' })).staticData).toEqual({});
	});

	test('for two agents keeps each in step with its own files', async () => {
		const items = ['support-bot', 'sales-assistant', 'sales-assistant'].map((uid) => ({ uid }));
		const files = ['a.txt', 'b.txt', 'a.txt'].map((name) => ({ data: file(name) }));
		const parameters = { uid: agent('={{ $json.uid }}') };
		await night({}, { brings: { items, files }, parameters });
		const brings = { items: items.slice(0, 2), files: files.slice(0, 2) };
		await night({}, { brings, parameters, options: { wholeFolder: true, maxShareToRemove: 100 } });
		expect([known(), known('sales-assistant')]).toEqual([['a.txt', 'handbook.pdf'], ['b.txt']]);
	});

	test('refuses two files of one name for an agent: each night one would replace the other', async () => {
		const items = [{}, {}, {}];
		const files = ['a.txt', 'b.txt', 'a.txt'].map((name, at) => ({ data: file(name, `${at}`) }));
		const run = await night({}, { brings: { items, files }, ...continuing });
		expect(actionsOf(run)).toEqual([
			'Several items bring a file named "a.txt" for the same agent [item 0]',
			'added b.txt',
			'Several items bring a file named "a.txt" for the same agent [item 2]',
		]);
		const named = { uid: 'support-bot', fileName: 'a.txt' };
		expect([errorOf(run, 0), errorOf(run, 2)]).toMatchObject([named, named]);
	});

	test('in another account takes nothing out of the first one', async () => {
		await night(THREE);
		const { baseUrl } = service();
		const other = baseUrl.replace('127.0.0.1', 'localhost');
		const credential = { ...credentialFor(service()), baseUrl: other };
		const parameters = { modified: LONG_AGO };
		const run = await night({ 'a.txt': 'A' }, { credential, parameters });
		expect(actionsOf(run)).toEqual(['unchanged a.txt']);
		expect(known()).toEqual([...Object.keys(THREE), 'handbook.pdf']);
		const agents = Object(note()['node:CometChat Knowledge Base']).syncedFiles.agents;
		expect(agents).toMatchObject([{ account: baseUrl }, { account: other }]);
	});
});

describe('Where CometChat gives a freed ID again', () => {
	const { service, night, idsOf, give, loseNote } = freshFolder({
		freedIds: 'again',
		records: [{ sourceName: 'handbook.pdf', uniqueId: 'handbook' }],
	});

	test('a run by hand does not take the newer content under it for what it has sent once', async () => {
		await give('support-bot', 'handbook');
		await night({ 'a.txt': 'A' }, { mode: 'manual' });
		const ids = idsOf('a.txt');
		await runFiles(service(), 'document.delete', { parameters: { fileIds: ids.join() } });
		await night({ 'a.txt': 'A2' });
		expect(idsOf('a.txt')).toEqual(ids);
		loseNote();
		expect(actionsOf(await night({ 'a.txt': 'A' }, { mode: 'manual' }))).toEqual([
			'replaced a.txt',
		]);
	});
});

describe('Where CometChat shows an empty list for every agent, as its examples do', () => {
	const { service, night, changes, idsOf } = freshFolder({ agentLists: 'empty' });

	test('an upload that the agent may have, and that CometChat can read no longer, is taken out before it is deleted', async () => {
		service().script({ for: { operation: 'add' }, times: 5, drop: 'afterApplying' });
		await night({ 'a.txt': 'A' });
		const [lost = ''] = idsOf('a.txt');
		const failed = (body: unknown): unknown =>
			JSON.parse(JSON.stringify(body).replaceAll('"indexed"', '"failed"'));
		service().script({ for: { operation: 'records' }, transform: failed });
		await night({ 'a.txt': 'A' });
		const removal = changes().indexOf(`remove support-bot ${lost}`);
		expect(removal).toBeGreaterThan(changes().findIndex((line) => line.startsWith('add')));
		expect(changes().indexOf(`deleteUpload ${lost}`)).toBe(-1);
	});

	test('an upload that the agent may have is taken out, also once the folder has again what it had before', async () => {
		const options = { maxIndexingMinutes: 1 };
		await night({ 'a.txt': 'A' });
		const [first] = idsOf('a.txt');
		service().scriptIndexing({ ms: 90_000 });
		await night({ 'a.txt': 'A2' }, { options });
		const [second = ''] = idsOf('a.txt');
		await sleep(3600_000);
		service().script(
			{ for: { operation: 'add' }, times: 5, drop: 'afterApplying' },
			{ for: { operation: 'initiate' }, status: 400 },
		);
		await night({ 'a.txt': 'A3' }, { options });
		expect(service().files('support-bot', 'uploads')).toEqual([first, second]);
		await night({ 'a.txt': 'A' });
		expect(changes()).toContain(`remove support-bot ${second}`);
		expect(service().files('support-bot', 'uploads')).toEqual([first]);
	});

	test('an upload that the agent may have since the second try to add it is taken out before it is deleted', async () => {
		service().script(
			{ for: { operation: 'add' }, status: 400 },
			{ for: { operation: 'add' }, times: 5, drop: 'afterApplying' },
		);
		for (let nights = 0; nights < 2; nights++) await night({ 'a.txt': 'A' });
		const [lost = ''] = idsOf('a.txt');
		await night({ 'a.txt': 'A2' });
		expect(changes().filter((line) => /^(add|remove)/.test(line))).toEqual([
			`add support-bot ${idsOf('a.txt')[0]}`,
			`remove support-bot ${lost}`,
		]);
	});

	test('an upload that no agent got stays where CometChat gives its ID to the newer one', async () => {
		service().scriptIndexing({ ms: 30_000 });
		service().script({ for: { operation: 'poll' }, status: 500 });
		await night({ 'a.txt': 'A' }, { options: { maxAttempts: 1 } });
		const [first = ''] = idsOf('a.txt');
		const reused = (body: unknown) =>
			JSON.stringify(body).replace(/"uploadId":"[^"]+"/, `"uploadId":"${first}"`);
		service().script({ for: { operation: 'initiate' }, transform: reused });
		await night({ 'a.txt': 'A2' });
		expect(service().files('support-bot', 'uploads')).toEqual([first]);
		expect(changes().join()).not.toContain('delete');
	});

	test('a night without changes sends nothing, and a changed file leaves no old version', async () => {
		await night({ 'a.txt': 'A', 'b.txt': 'B' });
		expect(actionsOf(await night({ 'a.txt': 'A', 'b.txt': 'B' }))).toEqual([
			'unchanged a.txt',
			'unchanged b.txt',
		]);
		expect(changes()).toEqual([]);
		await night({ 'a.txt': 'A2', 'b.txt': 'B' });
		expect(service().files('support-bot', 'uploads')).toHaveLength(2);
	});
});

describe('A file that could not be brought', () => {
	const { service, night, known, changes, idsOf, give, take } = freshFolder();
	const nextDay = async () => await sleep(24 * 3600_000);
	const UPLOADS = /^upload /;
	const uploads = () => changes().filter((line) => UPLOADS.test(line)).length;

	test('is tried again in the next night, and its old version stays until then', async () => {
		await night({ 'a.txt': 'A' });
		const [old] = idsOf('a.txt');
		service().script({ for: { operation: 'initiate' }, status: 400 });
		const failed = await night({ 'a.txt': 'A2' });
		expect(errorOf(failed)).toMatchObject({ effect: 'not applied' });
		expect(idsOf('a.txt')).toEqual([old]);
		expect(known()).toEqual(['a.txt']);
		expect(actionsOf(await night({ 'a.txt': 'A2' }))).toEqual(['replaced a.txt']);
		expect(idsOf('a.txt')).not.toContain(old);
	});

	test('because CometChat is not able to read it is tried in three nights, then once a week, or once it has changed', async () => {
		service().scriptIndexing(...Array.from({ length: 5 }, () => ({ ends: 'failed' as const })));
		const tries: number[] = [];
		for (let nights = 0; nights < 12; nights++) {
			const run = await night({ 'a.txt': 'A' });
			expect(errorOf(run)).toMatchObject({
				message: expect.stringContaining('CometChat was not able to read'),
				effect: expect.stringMatching(nights === 3 ? 'not applied' : 'applied'),
			});
			expect(idsOf('a.txt')).toHaveLength(uploads());
			expect(known()).toEqual([]);
			if (uploads() > 0) tries.push(nights);
			await nextDay();
		}
		expect(tries).toEqual([0, 1, 2, 9]);
		await night({ 'a.txt': 'A2' });
		expect(uploads()).toBe(1);
		await nextDay();
		expect(actionsOf(await night({ 'a.txt': 'A2' }))).toEqual(['added a.txt']);
		expect(idsOf('a.txt')).toHaveLength(1);
	});

	test('because CometChat is not able to read it counts as tried also where the run had ended before that was known', async () => {
		service().scriptIndexing(
			{ for: { fileName: 'a.txt' }, ms: 0, ends: 'failed', times: Infinity },
			{ for: { fileName: 'b.txt' }, ms: 3000, ends: 'failed', times: Infinity },
		);
		const tries: number[] = [];
		for (let nights = 0; nights < 6; nights++) {
			const contents = { 'a.txt': `A${nights}`, 'b.txt': 'B' };
			const { error } = await night(contents, { onError: 'stopWorkflow' });
			expect(error?.message).toContain('CometChat was not able to read');
			const sent = service().log.filter(
				({ kind, operation }) => kind === 'answered' && operation === 'upload',
			);
			if (sent.some(({ fileNames }) => fileNames?.includes('b.txt'))) tries.push(nights);
			await nextDay();
		}
		expect(tries).toEqual([0, 1, 2]);
	});

	test('says when it was tried last, and when it is tried again', async () => {
		service().scriptIndexing(...Array.from({ length: 3 }, () => ({ ends: 'failed' as const })));
		for (let nights = 0; nights < 3; nights++) await night({ 'a.txt': 'A' });
		const { message, description } = Object(errorOf(await night({ 'a.txt': 'A' })));
		expect(message).toMatch(
			/^CometChat was not able to read "a.txt" in 3 tries, the last one on \d+ \w+ \d{4}/,
		);
		expect(description).toMatch(
			/A changed file is sent at once; this one is tried again after \d+ /,
		);
	});

	test('leaves one upload that no agent has, though it changes every night and the agent takes nothing', async () => {
		service().script({ for: { operation: 'add' }, status: 400, times: Infinity });
		for (let nights = 0; nights < 3; nights++) {
			await night({ 'a.txt': `A${nights}` });
			expect(idsOf('a.txt')).toHaveLength(1);
		}
		expect(known()).toEqual([]);
	});

	test.each([Infinity, 1])(
		'leaves no older upload behind that could not be deleted, with %d refused additions',
		async (times) => {
			service().script({ for: { operation: 'add' }, status: 400, times });
			await night({ 'a.txt': 'A' });
			service().script({ for: { operation: 'deleteUpload' }, status: 400 });
			await night({ 'a.txt': 'A2' });
			expect(idsOf('a.txt')).toHaveLength(2);
			await night({ 'a.txt': 'A2' });
			service().clearScript();
			await night({ 'a.txt': 'A2' });
			expect(idsOf('a.txt')).toHaveLength(1);
			expect(known()).toEqual(['a.txt']);
		},
	);

	test.each([
		[1, ['a.txt']],
		[Infinity, []],
	])(
		'leaves an older upload that somebody has given to another agent meanwhile, with %d refused additions',
		async (times, expected) => {
			service().script({ for: { operation: 'add', uid: 'support-bot' }, status: 400, times });
			await night({ 'a.txt': 'A' });
			await give('sales-assistant', ...idsOf('a.txt'));
			await night({ 'a.txt': 'A2' });
			expect([known(), known('sales-assistant')]).toEqual([expected, ['a.txt']]);
		},
	);

	test('does not wait for an older upload that is not indexed yet', async () => {
		const options = { maxIndexingMinutes: 1 };
		service().scriptIndexing({ ms: 3600_000 });
		await night({ 'a.txt': 'A' }, { options });
		const [older = ''] = idsOf('a.txt');
		await night({ 'a.txt': 'A2' }, { options });
		expect(changes().filter((line) => line.startsWith('poll') && line.includes(older))).toEqual([]);
		expect(known()).toEqual(['a.txt']);
	});

	test('because CometChat is not able to read it, and that the agent has all the same, is taken out before it is deleted', async () => {
		service().scriptIndexing({ ends: 'failed' });
		await night({ 'a.txt': 'A' });
		const [unreadable = ''] = idsOf('a.txt');
		await give('support-bot', unreadable);
		await night({ 'a.txt': 'A' });
		const removal = changes().indexOf(`remove support-bot ${unreadable}`);
		expect(removal).toBeGreaterThan(changes().findIndex((line) => line.startsWith('add')));
		expect(changes().indexOf(`deleteUpload ${unreadable}`)).toBeGreaterThan(removal);
	});

	test('gives the agent what has been indexed since, though it changes every night and takes longer than a run waits', async () => {
		const options = { maxIndexingMinutes: 1 };
		await night({ 'a.txt': 'A0' });
		const [first] = idsOf('a.txt');
		service().scriptIndexing(...Array.from({ length: 3 }, () => ({ ms: 90_000 })));
		await night({ 'a.txt': 'A1' }, { options });
		const [second] = idsOf('a.txt');
		expect(service().files('support-bot', 'uploads')).toEqual([first]);
		await nextDay();
		await night({ 'a.txt': 'A2' }, { options });
		expect(service().files('support-bot', 'uploads')).toEqual([second]);
		expect(idsOf('a.txt')).toHaveLength(2);
		await nextDay();
		await night({ 'a.txt': 'A3' }, { options });
		expect(idsOf('a.txt')).not.toContain(second);
		expect(idsOf('a.txt')).toHaveLength(2);
		expect(known()).toEqual(['a.txt']);
	});

	test.each<[string, ReadonlyArray<'remove' | 'deleteUpload'>]>([
		['whatever it has taken the place of goes once', []],
		['what it could not take out of the agent is taken out again', ['remove']],
		['what it could not delete is deleted, and not taken out again', ['deleteUpload']],
	])('gives the agent what has been indexed since, and %s', async (_, refused) => {
		await night({ 'a.txt': 'A0' });
		const [first = ''] = idsOf('a.txt');
		service().scriptIndexing({ ms: 90_000 });
		await night({ 'a.txt': 'A1' }, { options: { maxIndexingMinutes: 1 } });
		const [second = ''] = idsOf('a.txt');
		await nextDay();
		for (const operation of refused) {
			service().script({ for: { operation, containsId: first }, status: 400 });
		}
		await night({ 'a.txt': 'A2' });
		const timesOf = (line: string) => changes().filter((one) => one === line).length;
		for (const operation of ['remove', 'deleteUpload'] as const) {
			const expected = refused.includes(operation) ? 2 : 1;
			const place = operation === 'remove' ? `remove support-bot` : operation;
			expect([timesOf(`${place} ${first}`), timesOf(`${place} ${second}`)]).toEqual([expected, 1]);
		}
		expect([known(), idsOf('a.txt').length]).toEqual([['a.txt'], 1]);
	});

	test('gives the agent what has been indexed since, and knows it again once its content is back', async () => {
		const options = { maxIndexingMinutes: 1 };
		await night({ 'a.txt': 'A0' });
		service().scriptIndexing({ ms: 90_000 }, { ms: 90_000 });
		await night({ 'a.txt': 'A1' }, { options });
		const [second] = idsOf('a.txt');
		await nextDay();
		await night({ 'a.txt': 'A2' }, { options });
		expect(actionsOf(await night({ 'a.txt': 'A1' }, { options }))).toEqual(['unchanged a.txt']);
		expect(idsOf('a.txt')).toEqual([second]);
	});

	test('gives the agent what has been indexed since, and remembers what it leaves in CometChat for it', async () => {
		const more = { options: { maxIndexingMinutes: 1 }, parameters: { deleteOldVersion: 'never' } };
		await night({ 'a.txt': 'A0' }, more);
		const [first] = idsOf('a.txt');
		service().scriptIndexing({ ms: 90_000 });
		await night({ 'a.txt': 'A1' }, more);
		await nextDay();
		await night({ 'a.txt': 'A2' }, more);
		expect((await night({ 'a.txt': 'A0' }, more)).output[0]?.json.uniqueId).toBe(first);
		expect(uploads()).toBe(0);
	});

	test('and that an agent may have all the same is no upload in vain: it is taken out before it is deleted', async () => {
		service().script({ for: { operation: 'add' }, times: 5, drop: 'afterApplying' });
		await night({ 'a.txt': 'A' });
		const [lost = ''] = idsOf('a.txt');
		await night({ 'a.txt': 'A2' });
		const removal = changes().findIndex((line) => line === `remove support-bot ${lost}`);
		const deletion = changes().findIndex((line) => line === `deleteUpload ${lost}`);
		expect(removal).toBeGreaterThan(changes().findIndex((line) => line.startsWith('add')));
		expect(deletion).toBeGreaterThan(removal);
		expect(idsOf('a.txt')).toHaveLength(1);
	});

	test('is not uploaded again if it was only not indexed in time', async () => {
		service().scriptIndexing({ ms: 90_000 });
		const options = { maxIndexingMinutes: 1 };
		const slow = await night({ 'a.txt': 'A' }, { options });
		expect(errorOf(slow)).toMatchObject({
			effect: 'partly applied',
			description: expect.stringContaining('The next run of this workflow goes on from here.'),
		});
		expect(actionsOf(await night({ 'a.txt': 'A' }, { options }))).toEqual(['added a.txt']);
		expect(uploads()).toBe(0);
		expect(known()).toEqual(['a.txt']);
	});

	test('is not forgotten if the agent has a newer one by now and it could not be deleted at once', async () => {
		service().scriptIndexing({ ends: 'failed' });
		await night({ 'a.txt': 'A' });
		const [superseded] = idsOf('a.txt');
		service().script({ for: { operation: 'deleteUpload' }, status: 400, times: 2 });
		await night({ 'a.txt': 'A2' });
		expect(idsOf('a.txt')).toHaveLength(2);
		await night({ 'a.txt': 'A2' });
		expect(changes()).toEqual([`deleteUpload ${superseded}`]);
		expect(known()).toEqual(['a.txt']);
	});

	test('is not uploaded again if only the agent could not be changed', async () => {
		service().script({ for: { operation: 'add' }, status: 400 });
		await night({ 'a.txt': 'A' });
		expect(known()).toEqual([]);
		await night({ 'a.txt': 'A' });
		expect(uploads()).toBe(0);
		expect(known()).toEqual(['a.txt']);
	});

	test('was never given to the agent if it is not known whether it is indexed: nothing is taken out', async () => {
		service().script({ for: { operation: 'poll' }, status: 500, times: 5 });
		service().scriptIndexing({ ms: 3600_000 });
		expect(errorOf(await night({ 'a.txt': 'A' }))).toMatchObject({ reached: ['uploaded'] });
		await night({ 'a.txt': 'A2' });
		expect(changes().join()).not.toContain('remove');
		expect([idsOf('a.txt').length, known()]).toEqual([1, ['a.txt']]);
	});

	test('though the agent had it once is not given to it again where the folder has a newer one', async () => {
		await night({ 'a.txt': 'A', 'b.txt': 'B' });
		const [lost = ''] = idsOf('a.txt');
		await take('support-bot', lost);
		service().script({ for: { operation: 'add' }, status: 400 });
		await night({ 'a.txt': 'A', 'b.txt': 'B' });
		await night({ 'a.txt': 'A2', 'b.txt': 'B' });
		const [newer] = idsOf('a.txt');
		expect(changes().filter((line) => line.startsWith('add'))).toEqual([
			`add support-bot ${newer}`,
		]);
		expect(idsOf('a.txt')).toEqual([newer]);
	});

	test('and whose entry stays without content is named with that entry', async () => {
		service().script(
			{ for: { operation: 'upload' }, status: 400 },
			{ for: { operation: 'deleteUpload' }, status: 400 },
		);
		const run = await night({ 'a.txt': 'A' });
		const [uniqueId] = idsOf('a.txt');
		expect(errorOf(run)).toMatchObject({ unfinished: [{ uniqueId, fileName: 'a.txt' }] });
	});

	test('does not take the place of a newer one that somebody has brought meanwhile', async () => {
		service().script({ for: { operation: 'add' }, status: 400 });
		await night({ 'a.txt': 'A' });
		const [older] = idsOf('a.txt');
		const files = [{ data: file('a.txt', 'by hand') }];
		await runFiles(service(), 'document.upload', { files });
		const [byHand = ''] = idsOf('a.txt').filter((id) => id !== older);
		await give('support-bot', byHand);
		await night({ 'a.txt': 'A2' });
		expect(changes().filter((line) => /^(add|remove)/.test(line))).toEqual([
			expect.stringMatching(/^add support-bot /),
			`remove support-bot ${byHand}`,
		]);
		expect(idsOf('a.txt')).not.toContain(older);
	});

	test('is deleted once the folder has again what the agent has', async () => {
		await night({ 'a.txt': 'A' });
		service().script({ for: { operation: 'add' }, status: 400 });
		await night({ 'a.txt': 'A2' });
		expect(idsOf('a.txt')).toHaveLength(2);
		await night({ 'a.txt': 'A' });
		expect([idsOf('a.txt').length, known()]).toEqual([1, ['a.txt']]);
	});

	test('by hand says how to go on by hand, since no next run knows of it', async () => {
		service().script({ for: { operation: 'add' }, status: 400 });
		expect(errorOf(await night({ 'a.txt': 'A' }, { mode: 'manual' }))).toMatchObject({
			description: expect.stringContaining('To go on, use this ID'),
		});
	});

	test('is not added twice if only the old version could not be taken out', async () => {
		await night({ 'a.txt': 'A' });
		const [old] = idsOf('a.txt');
		service().script({ for: { operation: 'remove' }, status: 400, times: 2 });
		for (let nights = 0; nights < 2; nights++) {
			expect(errorOf(await night({ 'a.txt': 'A2' }))).toMatchObject({
				effect: 'partly applied',
				reached: ['uploaded', 'indexed', 'added'],
				description: expect.stringContaining(`still has the old one (ID ${old})`),
			});
			expect(known()).toEqual(['a.txt', 'a.txt']);
		}
		await night({ 'a.txt': 'A2' });
		expect(uploads()).toBe(0);
		expect(known()).toEqual(['a.txt']);
		expect(idsOf('a.txt')).toHaveLength(1);
	});

	const twoVersions = async () => {
		await night({ 'a.txt': 'A' });
		const [first = ''] = idsOf('a.txt');
		service().script({ for: { operation: 'remove' }, status: 400 });
		await night({ 'a.txt': 'A2' });
		const second = idsOf('a.txt').find((id) => id !== first) ?? '';
		return { first, second };
	};

	test('of several old versions names the one that is left', async () => {
		const { first, second } = await twoVersions();
		service().script({ for: { operation: 'remove', containsId: first }, status: 400 });
		const { description } = Object(errorOf(await night({ 'a.txt': 'A3' })));
		expect(description).toContain(`still has the old one (ID ${first})`);
		expect(description).not.toContain(second);
		await night({ 'a.txt': 'A3' });
		expect([idsOf('a.txt').length, known()]).toEqual([1, ['a.txt']]);
	});

	test('of several old versions names the one that could not be deleted', async () => {
		const { first, second } = await twoVersions();
		service().script({ for: { operation: 'deleteUpload', containsId: first }, status: 400 });
		const { description } = Object(errorOf(await night({ 'a.txt': 'A3' })));
		expect(description).toContain(`The old one (ID ${first}) is still in CometChat.`);
		expect(idsOf('a.txt')).not.toContain(second);
	});

	test('of several old versions does not name one from elsewhere, which is to stay', async () => {
		await night({ 'a.txt': 'A' });
		const [own = ''] = idsOf('a.txt');
		await runFiles(service(), 'document.upload', { files: [{ data: file('a.txt', 'by hand') }] });
		await give('support-bot', ...idsOf('a.txt').filter((id) => id !== own));
		service().script({ for: { operation: 'deleteUpload', containsId: own }, status: 400 });
		const { description } = Object(errorOf(await night({ 'a.txt': 'A2' })));
		expect(description).toContain(`The old one (ID ${own}) is still in CometChat.`);
		expect([idsOf('a.txt').length, known()]).toEqual([3, ['a.txt']]);
	});

	test('of several old versions leaves the one whose ID CometChat gives to the new one', async () => {
		const { first, second } = await twoVersions();
		const reused = (body: unknown) =>
			JSON.stringify(body).replace(/"uploadId":"[^"]+"/, `"uploadId":"${second}"`);
		service().script({ for: { operation: 'initiate' }, transform: reused });
		await night({ 'a.txt': 'A3' });
		expect(service().files('support-bot', 'uploads')).toEqual([second]);
		expect(idsOf('a.txt')).toContain(second);
		expect(idsOf('a.txt')).not.toContain(first);
	});

	test('because n8n cannot read it has nothing changed', async () => {
		await night({ 'a.txt': 'A' });
		const files = [{ data: { ...file('a.txt', 'A2'), kept: 'deleted' as const } }];
		const run = await night({}, { brings: { items: [{}], files } });
		expect(errorOf(run)).toMatchObject({ effect: 'not applied' });
		expect(changes()).toEqual([]);
	});
});

describe('Where the list of records is behind', () => {
	const lagsMs = { records: 0 };
	const { service, night, known, changes, idsOf } = freshFolder({ lagsMs });
	beforeEach(() => {
		lagsMs.records = 0;
	});

	test('what was sent the night before is there all the same: CometChat is asked for it', async () => {
		await night(THREE);
		lagsMs.records = 3_600_000;
		service().script({ for: { operation: 'agent' }, status: 400 });
		expect(actionsOf(await night(THREE))).toEqual([
			'unchanged a.txt',
			'unchanged b.txt',
			'unchanged c.txt',
		]);
		const [question = '', ...others] = changes();
		const asked = question.replace('poll ', '').split(',');
		expect([asked.sort(), others]).toEqual([Object.keys(THREE).flatMap(idsOf).sort(), []]);
	});

	test('a status alone does not prove that it is there: what has been deleted is uploaded anew', async () => {
		await night(THREE);
		const [deleted = ''] = idsOf('a.txt');
		await runFiles(service(), 'document.delete', { parameters: { fileIds: deleted } });
		const stillKnown = (body: unknown) => {
			const { data } = { data: {}, ...Object(body) };
			return { data: { ...data, [deleted]: 'indexed' } };
		};
		service().script({ for: { operation: 'poll' }, transform: stillKnown, times: Infinity });
		const wanted = ['added a.txt', 'unchanged b.txt', 'unchanged c.txt'];
		expect(actionsOf(await night(THREE))).toEqual(wanted);
		expect(known()).toEqual(Object.keys(THREE));
		expect(idsOf('a.txt')).not.toContain(deleted);
	});

	test('what CometChat was not able to read leaves one upload, and not one each night', async () => {
		service().scriptIndexing(...Array.from({ length: 3 }, () => ({ ends: 'failed' as const })));
		await night({ 'a.txt': 'A' });
		lagsMs.records = 3_600_000;
		await night({ 'a.txt': 'A' });
		lagsMs.records = 0;
		await night({ 'a.txt': 'A' });
		expect(idsOf('a.txt')).toHaveLength(1);
		expect(known()).toEqual([]);
	});
});

describe('An old version that is not deleted', () => {
	const { service, night, changes, known, idsOf } = freshFolder();

	test.each<[string, Rule[]]>([
		['that the agent had', []],
		[
			'that the agent may have had',
			[{ for: { operation: 'add' }, times: 5, drop: 'afterApplying' }],
		],
	])('%s is dealt with: a night without changes leaves it alone', async (_, rules) => {
		service().script(...rules);
		await night({ 'a.txt': 'A' });
		await night({ 'a.txt': 'A2' }, { parameters: { deleteOldVersion: 'never' } });
		const [same] = (await night({ 'a.txt': 'A2' })).output;
		expect(same?.json).toMatchObject({ action: 'unchanged' });
		expect(same?.json.oldId).toBeUndefined();
		expect([changes(), idsOf('a.txt').length, known()]).toEqual([[], 2, ['a.txt']]);
	});

	test('goes to the agent again, without an upload, once its content is back', async () => {
		const more = { parameters: { deleteOldVersion: 'never' } };
		for (const text of ['A', 'A2', 'A3']) await night({ 'a.txt': text }, more);
		const [third, second, first] = idsOf('a.txt');
		for (const [text, wanted, other] of [
			['A', first, third],
			['A2', second, first],
			['A3', third, second],
		]) {
			await night({ 'a.txt': String(text) }, more);
			expect(changes().filter((line) => !line.startsWith('poll'))).toEqual([
				`add support-bot ${wanted}`,
				`remove support-bot ${other}`,
			]);
		}
		expect(known()).toEqual(['a.txt']);
	});
});

describe('An old version from elsewhere', () => {
	const { service, night, known, idsOf, give, note } = freshFolder({
		records: [{ sourceName: 'a.txt', uniqueId: 'theirs' }],
	});

	test.each(['ifUnused', 'always', 'never'])(
		"is taken out and never deleted, with '%s', also once it is noted",
		async (deleteOldVersion) => {
			await give('support-bot', 'theirs');
			const parameters = { deleteOldVersion };
			const [first] = (await night({ 'a.txt': 'A' }, { parameters })).output;
			expect(first?.json).toMatchObject({ action: 'replaced', oldId: 'theirs' });
			if (deleteOldVersion !== 'never') {
				expect(first?.json.notDeleted).toBe('This node has no record of uploading it');
			}
			await night({ 'a.txt': 'A2' }, { parameters });
			expect(known()).toEqual(['a.txt']);
			expect(idsOf('a.txt')).toContain('theirs');
			expect(idsOf('a.txt')).toHaveLength(deleteOldVersion === 'never' ? 3 : 2);
		},
	);

	test('that could not be taken out at once is not deleted by the next night either', async () => {
		await give('support-bot', 'theirs');
		service().script({ for: { operation: 'remove' }, status: 400 });
		for (let nights = 0; nights < 2; nights++) await night({ 'a.txt': 'A' });
		expect([known(), idsOf('a.txt').length]).toEqual([['a.txt'], 2]);
		expect(idsOf('a.txt')).toContain('theirs');
	});

	test('whose ID CometChat gives to the new version is not deleted later, as if it were all of this node', async () => {
		await give('support-bot', 'theirs');
		const reused = (body: unknown) =>
			JSON.stringify(body).replace(/"uploadId":"[^"]+"/, '"uploadId":"theirs"');
		service().script({ for: { operation: 'initiate' }, transform: reused });
		const [first] = (await night({ 'a.txt': 'A' })).output;
		expect(first?.json.uniqueId).toBe('theirs');
		await night({ 'a.txt': 'A2' });
		expect(known()).toEqual(['a.txt']);
		expect(idsOf('a.txt')).toContain('theirs');
	});

	test('that was taken over because it was not modified is not deleted either', async () => {
		await give('support-bot', 'theirs');
		const parameters = { modified: LONG_AGO };
		expect(actionsOf(await night({ 'a.txt': 'A' }, { parameters }))).toEqual(['unchanged a.txt']);
		await night({ 'a.txt': 'A2' });
		expect([known(), idsOf('a.txt').length]).toEqual([['a.txt'], 2]);
		expect(JSON.stringify(note())).toContain('theirs');
	});
});

describe('An old version that CometChat was not able to read', () => {
	const { service, night, known, idsOf, give, take } = freshFolder({
		records: [{ sourceName: 'a.txt', uniqueId: 'theirs', status: 'failed' }],
	});

	beforeEach(async () => {
		await give('support-bot', 'theirs');
		await give('sales-assistant', 'theirs');
	});

	test('stays for another agent, also if it is not known whether it was taken from this one', async () => {
		service().script({ for: { operation: 'remove' }, times: 5, drop: 'afterApplying' });
		expect(errorOf(await night({ 'a.txt': 'A' }))).toMatchObject({ unknown: 'removed' });
		expect(actionsOf(await night({ 'a.txt': 'A' }))).toEqual(['unchanged a.txt']);
		expect(known('sales-assistant')).toEqual(['a.txt']);
		expect(idsOf('a.txt')).toContain('theirs');
	});

	test('stays for another agent, also if this one was to get it back', async () => {
		const listed = (status: string) => ({
			for: { operation: 'records' as const },
			transform: (body: unknown) => JSON.parse(JSON.stringify(body).replace('"failed"', status)),
		});
		service().script(listed('"indexed"'), listed('"indexed"'));
		await night({ 'a.txt': 'A' }, { parameters: { modified: LONG_AGO } });
		await take('support-bot', 'theirs');
		expect(errorOf(await night({ 'a.txt': 'A' }))).toMatchObject({ uniqueId: 'theirs' });
		expect(actionsOf(await night({ 'a.txt': 'A' }))).toEqual(['added a.txt']);
		expect(known('sales-assistant')).toEqual(['a.txt']);
		expect(idsOf('a.txt')).toContain('theirs');
	});
});
