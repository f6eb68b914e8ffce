import type { RecordSeed } from '../service/service';
import { add, freshService } from './fixture';
import { arrivals, errorOf, runFiles } from './uploaded';

const RECORDS: RecordSeed[] = [
	...['a', 'b', 'c', 'd'].map((id) => ({ sourceName: `${id}.pdf`, uniqueId: id })),
	{ sourceName: 'Hours', uniqueId: 't', type: 'text-details' },
	{ sourceName: 'https://help.example.com', uniqueId: 'w', type: 'website' },
];
const service = freshService({ records: RECORDS });
const continuing = { onError: 'continueRegularOutput' as const };
const left = () =>
	service()
		.records()
		.map(({ uniqueId }) => uniqueId)
		.join('');
const remove = async (fileIds: string, more: Parameters<typeof runFiles>[2] = {}) =>
	await runFiles(service(), 'delete', { ...more, parameters: { fileIds, ...more.parameters } });

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
	const { output } = await remove(id, { parameters: { fileKind: kind } });
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
			message: 'CometChat does not know one of these files [item 0]',
			description: expect.stringContaining(
				'The files were not deleted. Check the ID, and that it belongs to a file of the kind that the node is set to.',
			),
			status: 404,
			effect: 'not applied',
		});
	});

	test('is not believed of an address that is gone', async () => {
		service().script(
			{ status: 503 },
			{ status: 404, code: 'ERR_API_NOT_FOUND', envelope: 'gateway' },
		);
		const run = await remove('a', continuing);
		expect(errorOf(run)).toMatchObject({ effect: 'unknown', code: 'ERR_API_NOT_FOUND' });
	});
});

describe('A file that can not be deleted', () => {
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
	test.each(['../agents', 'a/b', '..', '.', 'a%2fb', 'a\\b', 'uploads/../../x'])(
		'that could leave the address is refused, and nothing is sent: %s',
		async (id) => {
			const run = await remove('', {
				...continuing,
				items: [{ ids: ['a', id] }],
				parameters: { fileIds: '={{ $json.ids }}' },
			});
			expect(service().log).toEqual([]);
			expect(errorOf(run)).toMatchObject({
				message: expect.stringContaining("An entry of 'File IDs' is "),
			});
		},
	);

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
		parameters: { fileKind: '={{ "../agents" }}' },
	});
	expect(service().log).toEqual([]);
	expect(errorOf(run)).toMatchObject({
		message: "'Kind of File' is not one of its choices [item 0]",
	});
});
