import { isFailure, toResult } from '../../../nodes/CometChatKnowledgeBase/text/failure';
import type { ListPage } from '../../../nodes/CometChatKnowledgeBase/api/pagination';
import {
	allPages,
	firstEntries,
	firstPage,
	pageOf,
	pagesOf,
	pagesUntil,
} from '../../../nodes/CometChatKnowledgeBase/api/pagination';
import { id } from '../../../nodes/CometChatKnowledgeBase/api/shape';
import { redacted } from '../redacted';

/** A page of a list: the IDs, and the start of the next page. */
type Page = [ids: string, next?: string];

/** Returns a list, and the pages that were requested. */
function listOf(pages: Record<string, Page>) {
	const asked: string[] = [];
	const list = pagesOf(
		async (place = 'start'): Promise<ListPage<string>> => {
			asked.push(place);
			const [ids, next] = pages[place] ?? pages.else ?? [''];
			// A new start for each page.
			return { entries: [...ids], next: next === 'new' ? `place ${asked.length}` : next };
		},
		(one) => one,
	);
	return { list, asked };
}

const CUT_OFF = "CometChat's list could not be read to the end";

test.each<[string, Record<string, Page>, string, number]>([
	['one page', { start: ['ab'] }, 'ab', 1],
	['an empty page at its end', { start: ['ab', '2'], 2: [''] }, 'ab', 2],
	['a page that is the one before once more', { start: ['ab', '2'], 2: ['ab'] }, 'ab', 2],
	['a page that leads back', { start: ['a', '2'], 2: ['b', '3'], 3: ['c', '2'] }, CUT_OFF, 4],
	['ever new places without anything new', { start: ['a', '2'], else: ['a', 'new'] }, CUT_OFF, 2],
])('a list is complete or an error: %s', async (_, pages, expected, count) => {
	const { list, asked } = listOf(pages);
	const all = await toResult(allPages(list));
	expect(isFailure(all) ? all.title : all.join('')).toBe(expected);
	expect(asked).toHaveLength(count);
});

const THREE: Record<string, Page> = { start: ['abc', '2'], 2: ['cd', '3'], 3: ['e'] };

test.each<
	[string, (page: string[], all: string[]) => boolean, number | undefined, string, string?]
>([
	['the page with an entry', (page) => page.includes('d'), undefined, 'abcd', '3'],
	['enough entries in all', (_, all) => all.length > 2, undefined, 'abc', '2'],
	['so many pages', () => false, 2, 'abcd', '3'],
	['its end', () => false, undefined, 'abcde', undefined],
])('a list is read to %s, and no further', async (_, isFound, mostPages, expected, next) => {
	const { entries, ...more } = await pagesUntil(listOf(THREE).list, isFound, mostPages);
	expect([entries.join(''), more.next]).toEqual([expected, next]);
});

test('the first page is one request, wherever the list continues', async () => {
	const { list, asked } = listOf({ start: ['abc', 'nowhere'] });
	expect([await firstPage(list), asked]).toEqual([['a', 'b', 'c'], ['start']]);
});

test.each<[string, Page, number, string, string, boolean]>([
	['it ends there', ['ab'], 2, 'ab', 'ab', false],
	['the page has one more', ['abc'], 2, 'abc', 'ab', true],
	['there is a next page', ['ab', '2'], 2, 'ab', 'ab', true],
	['a next page may have one that fits', ['abc', '2'], 2, 'ab', 'ab', true],
	['fewer fit', ['abc'], 2, 'b', 'b', false],
	['all are wanted', ['ab'], Infinity, 'ab', 'ab', false],
])('a list with a limit is cut or not: %s', async (_, start, limit, fitting, expected, isCut) => {
	const found = await firstEntries(listOf({ start }).list, limit, (one) => fitting.includes(one));
	expect(found).toEqual({ entries: [...expected], isCut });
});

const current = { limit: 2, count: 2 };

/** Returns the next start of a page of two entries, or one; or reports that the page is not the documented one. */
function nextOf(meta: unknown, isFull: boolean): string | undefined {
	const data = isFull ? ['a', 'b'] : ['a'];
	const page = pageOf(id, 'cursor', 2)(redacted({ data, meta }));
	return page === undefined ? 'not a page' : page.next;
}

test.each<[unknown, string]>([
	[{ current, next: { affix: 'append', cursor: '17.5' } }, '17.5'],
	[{ next: { cursor: 17 } }, '17'],
])('the next page of %j begins at %p', (meta, next) => {
	for (const isFull of [true, false]) expect(nextOf(meta, isFull)).toBe(next);
});

test.each<[unknown]>([[{ current }], [{ current, next: null }]])(
	'after %j there is no other',
	(meta) => {
		for (const isFull of [true, false]) expect(nextOf(meta, isFull)).toBeUndefined();
	},
);

test.each<[unknown]>([
	[{ current, next: { affix: 'append', createdAt: 17 } }],
	[{ current, next: { affix: 'append', cursor: null } }],
	[{ current, next: 'elsewhere' }],
])('%j is not the documented page: the list is an error, not shorter', (meta) => {
	for (const isFull of [true, false]) expect(nextOf(meta, isFull)).toBe('not a page');
});

test.each<[unknown]>([[undefined], [null], [{}], [{ next: null }], [{ total: 10 }], ['none']])(
	'%j is no documented end of a full page, and is one of a page that is not full',
	(meta) => {
		expect(nextOf(meta, true)).toBe('not a page');
		expect(nextOf(meta, false)).toBeUndefined();
	},
);
