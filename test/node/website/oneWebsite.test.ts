import type { INodeParameters } from 'n8n-workflow';

import type { RecordSeed } from '../../service/service';
import { add, freshService } from '../fixture';
import type { OperationName } from '../operations';
import { agent, arrivals, continuing, errorOf, runFiles } from '../operations';

const failed = { status: 'failed' as const };
const RECORDS: RecordSeed[] = [
	{ sourceName: 'a.pdf', uniqueId: 'a' },
	{ sourceName: 'https://help.example.com', uniqueId: 'w', type: 'website', ...failed },
	{ sourceName: 'https://example.com', uniqueId: 'v', type: 'website' },
];
const service = freshService({ records: RECORDS, indexing: { ms: 60_000 } });
const site = (value: unknown, mode = 'list'): INodeParameters => ({
	website: { __rl: true, mode, value: `${value}` },
});
const run = async (name: OperationName, more: Parameters<typeof runFiles>[2] = {}) =>
	await runFiles(service(), name, {
		...more,
		parameters: { ...site('w'), uid: agent('support-bot'), ...more.parameters },
	});
const left = () =>
	service()
		.records()
		.map(({ uniqueId }) => uniqueId)
		.join('');

describe('Deleting a website', () => {
	test('takes it from CometChat and from each agent, and nothing else', async () => {
		const items = ['support-bot', 'sales-assistant'].map((uid) => ({ agent: uid, files: 'w,v' }));
		await add(service(), items, { parameters: { sourceType: 'website' } });
		service().clearLog();
		const { output } = await run('website.delete');
		expect(arrivals(service())).toEqual(['deleteWebsite w']);
		expect(left()).toBe('av');
		expect(service().files('support-bot', 'website')).toEqual(['v']);
		expect(service().files('sales-assistant', 'website')).toEqual(['v']);
		expect(output.map(({ json }) => json)).toEqual([{ deleted: true, uniqueIds: ['w'] }]);
	});

	test('keeps one that an agent has, if the user says so', async () => {
		await add(service(), [{ agent: 'support-bot', files: 'w' }], {
			parameters: { sourceType: 'website' },
		});
		const options = { ifAgentsHaveIt: 'fail' };
		const kept = await run('website.delete', { ...continuing, options });
		expect(left()).toBe('awv');
		expect(Object(errorOf(kept)).description).toContain('The website was not deleted.');
	});

	test('that is gone is an error, which names the way out, or counts as deleted', async () => {
		const parameters = site('x');
		const gone = await run('website.delete', { ...continuing, parameters });
		expect(errorOf(gone)).toMatchObject({
			message: 'CometChat does not know this website [item 0]',
			description: expect.stringContaining(
				"The website was not deleted. Check 'Website': pick it from the list, or copy its ID from Website: Get Many. Its address is no ID. If it was deleted before, set 'If Already Gone' under Options to Count as Deleted.",
			),
			status: 404,
			effect: 'not applied',
		});
		const { output } = await run('website.delete', {
			parameters,
			options: { ifGone: 'deleted' },
		});
		expect(output[0]?.json).toEqual({ deleted: true, uniqueIds: ['x'], alreadyGone: ['x'] });
	});
});

test('a website is sent to be indexed again as what it is, and no file is', async () => {
	const { output } = await run('website.retryIndexing');
	expect(service().log[0]).toMatchObject({ operation: 'sync', sourceType: 'website' });
	expect(output.map(({ json }) => json)).toEqual([{ success: true, uniqueIds: ['w'] }]);
	const asFile = await run('website.retryIndexing', { ...continuing, parameters: site('a') });
	expect(errorOf(asFile)).toMatchObject({
		message: 'CometChat does not know this website [item 0]',
		effect: 'not applied',
	});
});

test('the status of a website is asked for by its ID, with what to do about one that failed', async () => {
	const { output } = await run('website.getStatus');
	expect(service().log[0]).toMatchObject({ operation: 'poll', uniqueIds: ['w'] });
	expect(output.map(({ json }) => json)).toEqual([
		{
			name: 'https://help.example.com',
			status: 'failed',
			isReady: false,
			advice:
				'CometChat was not able to read it, and gives no reason. Try Website: Retry Indexing; if it fails again, delete it with Website: Delete and crawl it anew.',
			uniqueId: 'w',
		},
	]);
});

test('a website is taken for one, also where the list of names is not to be had', async () => {
	service().script({ for: { operation: 'records' }, status: 403, times: Infinity });
	const { output } = await run('website.getStatus');
	expect(output[0]?.json.advice).toContain('crawl it anew');
});

describe('The text of a website', () => {
	const pagesOf = (texts: string[]) => ({
		for: { operation: 'pages' as const },
		body: JSON.stringify({
			data: {
				sourceDetails: { fileName: 'https://example.com', totalPages: texts.length },
				pageContent: texts.map((content, at) => ({ content, pageNumber: at + 1 })),
			},
		}),
	});

	test('is asked for as that of a website, without a look at the list, whole or by page', async () => {
		service().script(pagesOf(['Open from 9.', 'Closed on Monday.']));
		const { output } = await run('website.getContent', { parameters: site('v') });
		expect(service().log[0]).toMatchObject({ operation: 'pages', sourceType: 'website' });
		expect(arrivals(service())).toEqual(['pages v']);
		expect(output[0]?.json).toEqual({
			name: 'https://example.com',
			text: 'Open from 9.\n\nClosed on Monday.',
			characters: 31,
			pages: 2,
			sourceType: 'website',
			uniqueId: 'v',
		});
		service().script(pagesOf(['Open from 9.', 'Closed on Monday.']));
		const byPage = await run('website.getContent', {
			parameters: { ...site('v'), output: 'page' },
		});
		expect(byPage.output.map(({ json }) => [json.page, json.text])).toEqual([
			[1, 'Open from 9.'],
			[2, 'Closed on Monday.'],
		]);
	});

	test('that is empty is no scan: its pages may not be read', async () => {
		service().script(pagesOf([' ']));
		const { output } = await run('website.getContent');
		expect(output[0]?.json.reason).toBe(
			'There is next to no text in it: CometChat may not have read its pages. Website: Get Status says how far it is.',
		);
	});
});

describe('Listing websites', () => {
	const many = async (filters: INodeParameters = {}, options: INodeParameters = {}) => {
		const { output } = await runFiles(service(), 'website.getMany', {
			parameters: { filters },
			options,
		});
		return output.map(({ json }) => json);
	};

	test('gives websites alone, whatever else is asked for', async () => {
		expect((await many()).map(({ uniqueId }) => uniqueId)).toEqual(['w', 'v']);
		expect(await many({ statuses: ['failed'] })).toMatchObject([{ uniqueId: 'w' }]);
		expect(await many({ nameContains: 'HELP.' })).toMatchObject([{ uniqueId: 'w' }]);
		expect(await many({ sourceTypes: ['uploads'], nameContains: 'a.pdf' })).toEqual([]);
	});

	test('names the agents that have them, and finds those of one', async () => {
		// A list of websites proves nothing: one of files does.
		await add(service(), [{ agent: 'support-bot', files: 'a' }]);
		await change('add', 'v');
		expect(await many({}, { showAgents: true })).toMatchObject([
			{ uniqueId: 'w', agents: [] },
			{ uniqueId: 'v', agents: ['Support Bot'] },
		]);
		const uid = agent('support-bot');
		expect(await many({ attachedTo: 'agent', uid })).toMatchObject([{ uniqueId: 'v' }]);
	});
});

async function change(operation: 'add' | 'remove', id: string, more = {}) {
	return await run(`website.${operation}`, {
		...more,
		parameters: { uid: agent('support-bot'), ...site(id) },
	});
}

describe('Adding a website to an agent, and removing it', () => {
	test('is one request to the list of websites, and the output says so', async () => {
		const { output } = await change('add', 'v');
		expect(arrivals(service())).toEqual(['add support-bot v']);
		expect(service().files('support-bot', 'website')).toEqual(['v']);
		const told = { success: true, uid: 'support-bot', sourceType: 'website', uniqueIds: ['v'] };
		expect(output.map(({ json }) => json)).toEqual([{ ...told, operation: 'add' }]);
		const removed = await change('remove', 'v');
		expect(arrivals(service())).toEqual(['add support-bot v', 'remove support-bot v']);
		expect(service().files('support-bot', 'website')).toEqual([]);
		expect(removed.output.map(({ json }) => json)).toEqual([{ ...told, operation: 'remove' }]);
	});

	test.each([
		[
			{ status: 404, code: 'ERR_KB_NOT_FOUND' },
			'CometChat does not know this website',
			"'Website'",
		],
		[{ status: 404, code: 'ERR_AGENT_NOT_FOUND' }, 'CometChat does not know this agent', "'Agent'"],
		[
			{ status: 400, code: 'ERR_KB_INDEXING_FAILED' },
			'CometChat was not able to read this website',
			'Website: Retry Indexing',
		],
	])('leads to the field that a refusal is about: %j', async (refusal, message, remedy) => {
		service().script({ ...refusal, times: Infinity });
		const refused = errorOf(await change('add', 'v', continuing));
		expect(refused).toMatchObject({
			message: `${message} [item 0]`,
			description: expect.stringContaining(remedy),
		});
		expect(Object(refused).description).toContain('The website was not added.');
	});
});

describe.each<OperationName>([
	...(['website.add', 'website.remove', 'website.delete', 'website.retryIndexing'] as const),
	...(['website.getStatus', 'website.getContent'] as const),
])('%s', (name) => {
	test.each([
		['={{ "" }}', "'Website' is empty"],
		['https://example.com', `'Website' is "https://example.com", and an address can't hold that`],
		['..', `'Website' is "..", and an address can't hold that as one ID`],
	])('sends nothing for %j, and names the field', async (value, message) => {
		const refused = await run(name, { ...continuing, parameters: site(value, 'id') });
		expect(service().log).toEqual([]);
		expect(errorOf(refused)).toMatchObject({
			message: expect.stringContaining(message),
			description: expect.stringContaining(
				'Pick the website from the list, or give its ID, which is not its address.',
			),
		});
	});

	test('takes the ID from each item', async () => {
		const items = ['w', 'v'].map((id) => ({ id }));
		const { output } = await run(name, { items, parameters: site('={{ $json.id }}', 'id') });
		expect(output.flatMap(({ json }) => json.uniqueIds ?? json.uniqueId)).toEqual(['w', 'v']);
	});

	test('sends no refusal to fields that it does not have', async () => {
		service().script({ status: 400, times: Infinity });
		const { message, description } = Object(errorOf(await run(name, continuing)));
		expect(`${message} ${description}`).not.toMatch(/'File IDs'|'Source Type'|\bfiles?\b/);
	});
});
