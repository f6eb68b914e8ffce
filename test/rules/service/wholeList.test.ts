import { StepFailure } from '../../../nodes/CometChatKnowledgeBase/results/itemFailure';
import type { ListPage } from '../../../nodes/CometChatKnowledgeBase/service/wholeList';
import { readNext, readWholeList } from '../../../nodes/CometChatKnowledgeBase/service/wholeList';

/** A page of this list: the IDs, and where the next one begins. */
type Page = [ids: string, next?: string];

async function read(
	pages: Record<string, Page>,
	more: { limit?: number; fits?: string; last?: string } = {},
) {
	const asked: string[] = [];
	const { limit, fits, last } = more;
	const found = await readWholeList(
		async (place = 'start'): Promise<ListPage<string> | Error> => {
			asked.push(place);
			const [ids, next] = pages[place] ?? pages.else ?? [''];
			if (ids === 'broken') return new Error('broken');
			// Ever new.
			return { entries: [...ids], next: next === 'new' ? `place ${asked.length}` : next };
		},
		(page) => page instanceof Error,
		(id) => id,
		{
			limit,
			fits: fits === undefined ? undefined : (id) => fits.includes(id),
			isLast: last === undefined ? undefined : ({ entries }) => entries.includes(last),
		},
	);
	const list = Array.isArray(found)
		? found.join('')
		: found instanceof StepFailure
			? found.what
			: 'error';
	return { list, pages: asked.length };
}

const ENDLESS = "CometChat's list does not come to an end";

test.each<[string, Record<string, Page>, string, number]>([
	['one page', { start: ['ab'] }, 'ab', 1],
	['an empty list', { start: [''] }, '', 1],
	['an empty page at its end', { start: ['ab', '2'], 2: [''] }, 'ab', 2],
	['an entry on two pages', { start: ['ab', '2'], 2: ['bc'] }, 'abc', 2],
	['a page that is the one before once more', { start: ['ab', '2'], 2: ['ab'] }, 'ab', 2],
	['a page that leads to itself', { start: ['a', '2'], 2: ['b', '2'] }, ENDLESS, 3],
	['a page that leads back', { start: ['a', '2'], 2: ['b', '3'], 3: ['c', '2'] }, ENDLESS, 4],
	['ever new places without anything new', { start: ['a', '2'], else: ['a', 'new'] }, ENDLESS, 2],
	['ever new places that are empty', { start: ['a', '2'], else: ['', 'new'] }, ENDLESS, 2],
	['a page that can not be read', { start: ['a', '2'], 2: ['broken'] }, 'error', 2],
])('a list is whole or an error: %s', async (_, pages, list, asked) => {
	expect(await read(pages)).toEqual({ list, pages: asked });
});

test('a list that always goes on is given up after 10,000 pages, with advice', async () => {
	let asked = 0;
	const found = await readWholeList(
		async (): Promise<ListPage<number> | Error> => ({ entries: [++asked], next: 'more' }),
		(page) => page instanceof Error,
		String,
	);
	expect(asked).toBe(10_000);
	expect(found).toEqual({
		what: ENDLESS,
		remedy: 'If it stays like this, ask CometChat.',
		more: {
			said: 'A page of it shows nothing new, and names a next one all the same; so it can not be told what is there.',
			again: 'Run it again later.',
			cause: 'temporarily-unavailable',
		},
	});
});

test.each<[string, { limit?: number; fits?: string; last?: string }, string, number]>([
	['enough on the first page', { limit: 2 }, 'ab', 1],
	['enough of those that fit', { limit: 2, fits: 'bd' }, 'bd', 2],
	['fewer than the limit', { limit: 9 }, 'abcde', 3],
	['none that fits', { fits: 'x' }, '', 3],
	['to the end of the last page that is wanted', { last: 'c' }, 'abc', 1],
	['a last page that never comes', { last: 'x' }, 'abcde', 3],
])('it is read as far as it is needed: %s', async (_, more, list, asked) => {
	const pages: Record<string, Page> = { start: ['abc', '2'], 2: ['cd', '3'], 3: ['e'] };
	expect(await read(pages, more)).toEqual({ list, pages: asked });
});

test.each<[unknown, string | undefined]>([
	[{ next: { cursor: '17.5' } }, '17.5'],
	[{ next: { cursor: 17 } }, '17'],
	[{ next: { createdAt: 17 } }, undefined],
	[{ next: { cursor: null } }, undefined],
	[{ next: { cursor: ['17'] } }, undefined],
	[{ next: '17' }, undefined],
	[{}, undefined],
	[undefined, undefined],
])('the next page of %j begins at %p', (meta, next) => {
	expect(readNext(meta, 'cursor')).toBe(next);
});
