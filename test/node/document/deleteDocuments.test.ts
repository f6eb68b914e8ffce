import { OUT_OF_PLACE } from '../../rules/input/hostileIds';
import type { AgentLists, RecordSeed, Rule, ServiceOptions } from '../../service/service';
import { add, freshService } from '../fixture';
import { agent, arrivals, continuing, errorOf, file, runFiles } from '../operations';

const RECORDS: RecordSeed[] = [
	...['a', 'b', 'c', 'd'].map((id) => ({ sourceName: `${id}.pdf`, uniqueId: id })),
	{ sourceName: 'Hours', uniqueId: 't', type: 'text-details' },
	{ sourceName: 'https://help.example.com', uniqueId: 'w', type: 'website' },
];
const service = freshService({ records: RECORDS });
const left = () =>
	service()
		.records()
		.map(({ uniqueId }) => uniqueId)
		.join('');
const remove = async (fileIds: string, more: Parameters<typeof runFiles>[2] = {}) =>
	await runFiles(service(), 'document.delete', {
		...more,
		parameters: { fileIds, ...more.parameters },
	});

test('each file is deleted by a request of its own, also from its agents, and the output says so', async () => {
	await add(service(), [{ agent: 'support-bot', files: ['a', 'b', 'c'] }]);
	service().clearLog();
	const { output } = await remove('a, c');
	expect(arrivals(service())).toEqual(['deleteUpload a', 'deleteUpload c']);
	expect(left()).toBe('bdtw');
	expect(service().files('support-bot', 'uploads')).toEqual(['b']);
	expect(output.map(({ json }) => json)).toEqual([{ deleted: true, uniqueIds: ['a', 'c'] }]);
});

test.each([
	['a text', 't', 'text', 'deleteText t', 'abcdw'],
	['a website', 'w', 'website', 'deleteWebsite w', 'abcdt'],
])('%s is deleted as what it is, also from its agents', async (_, id, kind, request, rest) => {
	const item = { agent: 'support-bot', files: ['a', id] };
	await add(service(), [item], { parameters: { sourceType: kind } });
	service().clearLog();
	const { output } = await remove(id, { parameters: { sourceType: kind } });
	expect(arrivals(service())).toEqual([request]);
	expect(left()).toBe(rest);
	expect(service().files('support-bot', kind)).toEqual(['a']);
	expect(output[0]?.json).toEqual({ deleted: true, uniqueIds: [id] });
});

test('an ID of another kind deletes nothing, and the output says so', async () => {
	const run = await remove('w', continuing);
	expect(left()).toBe('abcdtw');
	expect(errorOf(run)).toMatchObject({ status: 404, effect: 'not applied' });
});

test('files picked from the list are deleted', async () => {
	await remove('', { parameters: { filesBy: 'list', pickedFiles: ['b', 'd'] } });
	expect(left()).toBe('actw');
});

test('a name for an ID is told from one', async () => {
	const description = expect.stringContaining('"b.pdf" looks like the name of a file');
	expect(errorOf(await remove('b.pdf', continuing))).toMatchObject({ status: 404, description });
});

describe('What is gone', () => {
	test('after an answer that was lost counts as deleted', async () => {
		service().script({ drop: 'afterApplying' });
		const { output } = await remove('a', { options: { maxWaitSeconds: 0 } });
		expect(arrivals(service())).toEqual(['deleteUpload a', 'deleteUpload a']);
		expect(output[0]?.json).toEqual({ deleted: true, uniqueIds: ['a'] });
	});

	test('before anything was sent is an error', async () => {
		const run = await remove('x', continuing);
		expect(errorOf(run)).toMatchObject({
			description: expect.stringContaining(
				"The files were not deleted. Compare the ID with what Document: Get Many lists, and check 'Source Type', where there is one. If it was deleted before, set 'If Already Gone' under Options to Count as Deleted.",
			),
			status: 404,
			effect: 'not applied',
		});
	});

	test('before anything was sent counts as deleted if the user says so, and the output names it', async () => {
		const { output } = await remove('x,a,y', { options: { ifGone: 'deleted' } });
		expect(left()).toBe('bcdtw');
		expect(output[0]?.json).toEqual({
			deleted: true,
			uniqueIds: ['x', 'a', 'y'],
			alreadyGone: ['x', 'y'],
		});
	});

	test('makes no other failure good', async () => {
		service().script({ for: { containsId: 'a' }, status: 400 });
		const run = await remove('x,a', { ...continuing, options: { ifGone: 'deleted' } });
		expect(errorOf(run)).toMatchObject({
			effect: 'partly applied',
			alreadyGone: ['x'],
			files: { applied: ['x'], notApplied: ['a'], unknown: [] },
		});
	});

	test('by our own request, whose answer was lost, was not gone before', async () => {
		service().script({ drop: 'afterApplying' });
		const options = { ifGone: 'deleted', maxWaitSeconds: 0 };
		const { output } = await remove('a', { options });
		expect(output[0]?.json).toEqual({ deleted: true, uniqueIds: ['a'], alreadyGone: [] });
	});

	describe.each<[string, Rule]>([
		['an address', { code: 'ERR_API_NOT_FOUND', envelope: 'gateway' }],
		['an address, in the words of NestJS', { message: 'Cannot DELETE /v3/x' }],
		['something else', { code: 'ERR_FOLDER_NOT_FOUND', envelope: 'gateway' }],
		['a page', { body: '<html>Not found</html>', contentType: 'text/html' }],
		['nothing in particular', { body: '' }],
	])('is not believed if a 404 is for %s', (_, rule) => {
		const missing: Rule = { envelope: 'agentService', ...rule, status: 404 };

		test('after an answer that was lost', async () => {
			service().script({ status: 503, retryAfter: '0' }, missing);
			const run = await remove('a', continuing);
			expect(errorOf(run)).toMatchObject({ effect: 'unknown', status: 404 });
		});

		test('where what is gone counts as deleted', async () => {
			service().script(missing);
			const run = await remove('a', { ...continuing, options: { ifGone: 'deleted' } });
			expect(errorOf(run)).toMatchObject({ effect: 'not applied', status: 404, alreadyGone: [] });
		});
	});
});

describe('Where CometChat refuses without its codes', () => {
	const plain = freshService({
		envelope: 'agentService',
		records: [{ sourceName: 'a.pdf', uniqueId: 'a' }],
	});
	const removePlain = async (fileIds: string) =>
		await runFiles(plain(), 'document.delete', {
			...continuing,
			options: { ifGone: 'deleted' },
			parameters: { fileIds },
		});

	test('a file is gone if the question for its status does not know it either', async () => {
		const { output } = await removePlain('x,a');
		expect(output[0]?.json).toMatchObject({ deleted: true, alreadyGone: ['x'] });
		expect(arrivals(plain())).toEqual(['deleteUpload x', 'poll x', 'deleteUpload a']);
	});

	test.each<[string, Rule[]]>([
		['shows it', []],
		['fails', [{ for: { operation: 'poll' }, status: 400 }]],
		['is refused as unclearly', [{ for: { operation: 'poll' }, status: 404 }]],
	])('a file is not gone if that question %s', async (_, rules) => {
		plain().script({ for: { operation: 'deleteUpload' }, status: 404 }, ...rules);
		const run = await removePlain('a');
		expect(errorOf(run)).toMatchObject({ effect: 'not applied', status: 404, alreadyGone: [] });
		expect(plain().records()).toHaveLength(1);
	});
});

describe('A file that several items ask for', () => {
	const removeBy = async (ids: string[], more: Partial<typeof continuing> = {}) =>
		await remove('={{ $json.ids }}', { items: ids.map((id) => ({ ids: id })), ...more });

	test('is deleted by one request, and all of them say so', async () => {
		const { output } = await removeBy(['a,b', 'b,a', 'a']);
		expect(arrivals(service()).sort()).toEqual(['deleteUpload a', 'deleteUpload b']);
		expect(output.map(({ json }) => json)).toEqual([
			{ deleted: true, uniqueIds: ['a', 'b'] },
			{ deleted: true, uniqueIds: ['b', 'a'] },
			{ deleted: true, uniqueIds: ['a'] },
		]);
	});

	test('fails for all of them alike, sent as often as it was', async () => {
		service().script(
			{ for: { containsId: 'a' }, status: 503, retryAfter: '0' },
			{ for: { containsId: 'a' }, status: 400, message: 'Not this one' },
		);
		const run = await removeBy(['a', 'a', 'b'], continuing);
		expect(arrivals(service()).filter((line) => line === 'deleteUpload a')).toHaveLength(2);
		for (const index of [0, 1]) {
			expect(errorOf(run, index)).toMatchObject({
				message: `CometChat refused the request [item ${index}]`,
				effect: 'unknown',
				attempts: 2,
				status: 400,
			});
		}
		expect(left()).toBe('acdtw');
	});

	test('as something else is another one', async () => {
		const items = [
			{ kind: 'uploads', ids: 'a' },
			{ kind: 'text', ids: 'a' },
		];
		const parameters = { sourceType: '={{ $json.kind }}', fileIds: '={{ $json.ids }}' };
		const { output } = await remove('', { ...continuing, items, parameters });
		expect(arrivals(service()).sort()).toEqual(['deleteText a', 'deleteUpload a']);
		expect(output.map(({ json }) => json.deleted)).toEqual([true, null]);
	});
});

describe('A file that cannot be deleted', () => {
	test('does not keep the others of its item, and the output says which it is', async () => {
		service().script({ for: { operation: 'deleteUpload' }, times: 1 }, { status: 400 });
		const run = await remove('a,b,c', continuing);
		expect(left()).toBe('bdtw');
		expect(errorOf(run)).toMatchObject({
			message: 'CometChat refused the request [item 0]',
			description: expect.stringContaining('Of its 3 files, 2 were deleted; not deleted: "b".'),
			effect: 'partly applied',
			uniqueIds: ['a', 'b', 'c'],
			files: { applied: ['a', 'c'], notApplied: ['b'], unknown: [] },
		});
	});

	test('ends a run that is set to stop: none after it is deleted', async () => {
		service().script({ for: { operation: 'deleteUpload' }, times: 1 }, { status: 400 });
		const { error } = await remove('a,b,c');
		expect(arrivals(service())).toEqual(['deleteUpload a', 'deleteUpload b']);
		expect(left()).toBe('bcdtw');
		expect(error?.description).toContain('Of its 3 files, 1 was deleted; not deleted: "b", "c".');
	});

	test('of which nobody knows is named as such, also after one that was refused', async () => {
		service().script({ status: 400 }, { status: 500, times: Infinity });
		const run = await remove('a,c', { ...continuing, options: { maxAttempts: 1 } });
		expect(errorOf(run)).toMatchObject({
			effect: 'unknown',
			files: { applied: [], notApplied: ['a'], unknown: ['c'] },
			description: expect.stringContaining('It is not known whether the files were deleted'),
		});
	});
});

describe('An ID', () => {
	test.each([
		['given', { filesBy: 'ids', fileIds: '={{ $json.ids }}' }],
		['picked', { filesBy: 'list', pickedFiles: '={{ $json.ids }}' }],
	])('that could leave the address is refused if it is %s, and nothing is sent', async (_, by) => {
		const run = await remove('', {
			...continuing,
			items: OUT_OF_PLACE.map(([, id]) => ({ ids: ['a', id] })),
			parameters: by,
		});
		expect(service().log).toEqual([]);
		for (const index of OUT_OF_PLACE.keys()) {
			expect(errorOf(run, index)).toMatchObject({
				message: expect.stringContaining("An entry of 'File IDs' is "),
			});
		}
	});

	test("that could leave the address is not sent either if it is the service's own", async () => {
		const lies = (body: unknown) => JSON.stringify(body).replaceAll('"a"', '".."');
		service().script({ for: { operation: 'records' }, times: Infinity, transform: lies });
		const run = await runFiles(service(), 'knowledgeBase.replace', {
			...continuing,
			files: [{ data: file('a.pdf') }],
			parameters: { uid: agent('support-bot'), deleteOldVersion: 'always' },
		});
		expect(service().log.filter(({ method }) => method === 'DELETE')).toEqual([]);
		expect(errorOf(run)).toMatchObject({
			message: expect.stringContaining("an address can't hold that as one ID"),
		});
	});

	test('with other signs goes into the address as one part', async () => {
		await remove('', {
			...continuing,
			items: [{ ids: ['a?b#c d&é'] }],
			parameters: { fileIds: '={{ $json.ids }}' },
		});
		expect(service().log[0]).toMatchObject({
			operation: 'deleteUpload',
			uniqueId: 'a?b#c d&é',
			path: expect.stringMatching(/\/uploads\/a%3Fb%23c%20d%26%C3%A9$/),
		});
	});
});

test('a kind that is none of the choices is refused', async () => {
	const run = await remove('a', {
		...continuing,
		parameters: { sourceType: '={{ "../agents" }}' },
	});
	expect(service().log).toEqual([]);
	expect(errorOf(run)).toMatchObject({
		message: "'Source Type' is not one of its choices [item 0]",
	});
});

describe('A document that agents have, with If Agents Have It set to Fail', () => {
	const agentListsOf: NonNullable<ServiceOptions['agentListsOf']> = {};
	const other: RecordSeed = { sourceName: 'https://example.com', uniqueId: 'v', type: 'website' };
	const held = freshService({ records: [...RECORDS, other], agentListsOf });
	const options = { ifAgentsHaveIt: 'fail' };
	const give = async (files: string, sourceType: string, uid = 'support-bot') =>
		await add(held(), [{ agent: uid, files }], { parameters: { sourceType } });
	const removeHeld = async (fileIds: string, sourceType = 'uploads') => {
		held().clearLog();
		const parameters = { fileIds, sourceType };
		return await runFiles(held(), 'document.delete', { ...continuing, options, parameters });
	};
	const deletions = () => arrivals(held()).filter((line) => line.startsWith('delete'));
	const NOT_TOLD = { message: 'CometChat does not tell which agents have it [item 0]' };

	afterEach(() => delete agentListsOf['support-bot']);

	test('stays, and the error names it and the agents; others are deleted', async () => {
		await give('a', 'uploads');
		await give('a', 'uploads', 'sales-assistant');
		const run = await removeHeld('a,b');
		expect(deletions()).toEqual(['deleteUpload b']);
		expect(errorOf(run)).toMatchObject({
			message: "Agents have it, and 'If Agents Have It' is set to Fail [item 0]",
			description: expect.stringMatching(
				/These would lose "a.pdf": "Support Bot", "Sales Assistant"\. Of its 2 files, 1 was deleted; not deleted: "a"\. Take it from these agents first/,
			),
			effect: 'partly applied',
			files: { applied: ['b'], notApplied: ['a'], unknown: [] },
		});
		expect(arrivals(held()).filter((line) => /^(?:list|records)/.test(line))).toHaveLength(2);
	});

	test.each<[string, AgentLists]>([
		['is missing', 'null'],
		['names no document', 'otherIds'],
	])('stays also where the list of an agent %s', async (_, shape) => {
		await give('a', 'uploads', 'sales-assistant');
		await give('b', 'uploads');
		agentListsOf['support-bot'] = shape;
		const run = await removeHeld('c');
		expect(deletions()).toEqual([]);
		expect(errorOf(run)).toMatchObject({
			...NOT_TOLD,
			description: expect.stringContaining(
				'Whether these have "c.pdf" is not told: "Support Bot".',
			),
		});
	});

	test('stays where the list of agents is not to be had', async () => {
		held().script({ for: { operation: 'list' }, status: 403, times: Infinity });
		expect(errorOf(await removeHeld('c'))).toMatchObject({ status: 403, effect: 'not applied' });
		expect(deletions()).toEqual([]);
	});

	describe('as a website', () => {
		test('stays with those that have it, and goes if a list of websites shows that none has', async () => {
			// No agent has a file: the list of websites alone proves.
			await give('w', 'website');
			const run = await removeHeld('w', 'website');
			expect(errorOf(run)).toMatchObject({
				description: expect.stringContaining(
					'These would lose "https://help.example.com": "Support Bot".',
				),
			});
			expect(deletions()).toEqual([]);
			await removeHeld('v', 'website');
			expect(deletions()).toEqual(['deleteWebsite v']);
		});

		test.each<[string, string, AgentLists | undefined]>([
			['is missing', 'v', 'websitesNull'],
			['names no document', 'https://help.example.com', undefined],
		])('stays where the list of websites %s', async (_, site, shape) => {
			await give('a', 'uploads');
			await give(site, 'website');
			if (shape) agentListsOf['support-bot'] = shape;
			expect(errorOf(await removeHeld('w', 'website'))).toMatchObject(NOT_TOLD);
			expect(deletions()).toEqual([]);
		});

		test('stays where no list proves that lists are ever filled', async () => {
			expect(errorOf(await removeHeld('w', 'website'))).toMatchObject(NOT_TOLD);
		});
	});
});
