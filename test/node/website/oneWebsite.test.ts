import type { INodeParameters } from 'n8n-workflow';

import type { RecordSeed } from '../../service/service';
import { add, freshService } from '../fixture';
import type { OperationName } from '../operations';
import { arrivals, continuing, errorOf, runFiles } from '../operations';

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
		parameters: { ...site('w'), ...more.parameters },
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

describe.each<OperationName>(['website.delete', 'website.retryIndexing'])('%s', (name) => {
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
		expect(output.map(({ json }) => json.uniqueIds ?? json.uniqueId)).toEqual([['w'], ['v']]);
	});

	test('sends no refusal to fields that it does not have', async () => {
		service().script({ status: 400, times: Infinity });
		const { message, description } = Object(errorOf(await run(name, continuing)));
		expect(`${message} ${description}`).not.toMatch(/'File IDs'|'Source Type'|\bfiles?\b/);
	});
});
