import type { IDataObject } from 'n8n-workflow';

import { add, freshService, FROM_ITEM } from '../fixture';
import { errorOf } from '../operations';

/*
 * Promises that need n8n's engine and a socket: a value is sent unchanged, or the item is refused before any request;
 * and only a small part of any response is kept. ../../rules proves which values are refused, with which messages.
 * Nothing is timed here: an endless execution reaches Jest's limit.
 */

const service = freshService();

const calm = { agent: 'support-bot', type: 'uploads', files: ['calm'] };
const parameters = { ...FROM_ITEM, sourceType: '={{ $json.type }}' };
const MEGABYTES_5 = 5_000_000;

/** The longest shown text, for any value or response. */
const MOST_CHARACTERS = 1500;

describe('A value that could change the request, or is useless, is refused, and nothing of the item is sent', () => {
	const hostile: IDataObject[] = [
		...['..', 'a\u0000', 'a\r\nb', '.'.repeat(MEGABYTES_5)].flatMap((value) => [
			{ agent: value },
			{ type: value },
		]),
		{ files: '..' },
		{ files: '\u200b'.repeat(MEGABYTES_5) },
		{ files: ['<b>\u0000'] },
		{ files: [{ ['<'.repeat(1e6)]: 1, ['y'.repeat(1e6)]: 2 }] },
		{ files: '{"a":'.repeat(1e5) + '1' + '}'.repeat(1e5) },
	];

	test('and in an execution that continues, each fails at its position, and the others are sent', async () => {
		const items = hostile.flatMap((item) => [{ ...calm, ...item }, calm]);
		const onError = 'continueRegularOutput';
		const { output } = await add(service(), items, { parameters, onError });
		expect(service().requests()).toHaveLength(hostile.length);
		expect(output.map(({ json }) => json.success)).toEqual(hostile.flatMap(() => [false, true]));
		expect(JSON.stringify(output).length).toBeLessThan(items.length * MOST_CHARACTERS);
		expect(JSON.stringify(output)).not.toMatch(/[<>]/);
	});
});

test('A message of 5 MB is told in a few words, nothing else of it is kept, and the run goes on', async () => {
	const message = 'x'.repeat(MEGABYTES_5);
	service().script({ for: { operation: 'add' }, status: 400, message });
	const run = await add(service(), [calm, calm], { onError: 'continueRegularOutput' });
	expect(run.output.map(({ json }) => json.success)).toEqual([false, true]);
	expect(errorOf(run)).toMatchObject({ description: expect.stringContaining('xxx…') });
	expect(run.stored.length).toBeLessThan(20 * MOST_CHARACTERS);
});
