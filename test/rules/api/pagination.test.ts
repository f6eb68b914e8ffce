import { UserError } from '../../../nodes/CometChatKnowledgeBase/text/failure';
import type { ListPage } from '../../../nodes/CometChatKnowledgeBase/api/pagination';
import { pageOf, pagesOf, collect } from '../../../nodes/CometChatKnowledgeBase/api/pagination';
import { id } from '../../../nodes/CometChatKnowledgeBase/api/shape';
import { redacted } from '../redacted';

/** A page of this list: the IDs, and where the next one begins. */
type Page = [ids: string, next?: string];

async function read(
	pages: Record<string, Page>,
	more: {
		limit?: number;
		fits?: string;
		last?: string;
		onCut?: (isSure: boolean) => void;
	} = {},
) {
	const asked: string[] = [];
	const { limit, fits, last, onCut } = more;
	const all = pagesOf(
		async (place = 'start'): Promise<ListPage<string>> => {
			asked.push(place);
			const [ids, next] = pages[place] ?? pages.else ?? [''];
			if (ids === 'broken') throw new Error('broken');
			// Ever new.
			return { entries: [...ids], next: next === 'new' ? `place ${asked.length}` : next };
		},
		(id) => id,
	);
	const reading = collect(all, {
		limit,
		onCut,
		fits: fits === undefined ? undefined : (id) => fits.includes(id),
		isLast: last === undefined ? undefined : ({ entries }) => entries.includes(last),
	});
	const list = await reading.then(
		(found) => found.join(''),
		(thrown: unknown) => (thrown instanceof UserError ? thrown.title : 'error'),
	);
	return { list, pages: asked.length };
}

const CUT_OFF = "CometChat's list could not be read to the end";

test.each<[string, Record<string, Page>, string, number]>([
	['one page', { start: ['ab'] }, 'ab', 1],
	['an empty page at its end', { start: ['ab', '2'], 2: [''] }, 'ab', 2],
	['a page that is the one before once more', { start: ['ab', '2'], 2: ['ab'] }, 'ab', 2],
	['a page that leads back', { start: ['a', '2'], 2: ['b', '3'], 3: ['c', '2'] }, CUT_OFF, 4],
	['ever new places without anything new', { start: ['a', '2'], else: ['a', 'new'] }, CUT_OFF, 2],
])('a list is whole or an error: %s', async (_, pages, list, asked) => {
	expect(await read(pages)).toEqual({ list, pages: asked });
});

test('what is enough is enough, wherever it goes on', async () => {
	const pages: Record<string, Page> = { start: ['abc', 'nowhere'] };
	expect(await read(pages, { limit: 2 })).toEqual({ list: 'ab', pages: 1 });
	expect(await read(pages, { last: 'c' })).toEqual({ list: 'abc', pages: 1 });
});

test.each<[string, { limit?: number; fits?: string; last?: string }, string, number]>([
	['enough on the first page', { limit: 2 }, 'ab', 1],
	['enough of those that fit', { limit: 2, fits: 'bd' }, 'bd', 2],
	['to the end of the last page that is wanted', { last: 'c' }, 'abc', 1],
])('it is read as far as it is needed: %s', async (_, more, list, asked) => {
	const pages: Record<string, Page> = { start: ['abc', '2'], 2: ['cd', '3'], 3: ['e'] };
	expect(await read(pages, more)).toEqual({ list, pages: asked });
});

test.each<[string, Page, { limit?: number; fits?: string }, boolean | undefined]>([
	['it ends there', ['ab'], { limit: 2 }, undefined],
	['the page has one more', ['abc'], { limit: 2 }, true],
	['there is a next page', ['ab', '2'], { limit: 2 }, true],
	['a next page may have one that fits', ['abc', '2'], { limit: 2, fits: 'ab' }, false],
	['all are wanted', ['ab'], {}, undefined],
])('whether more stands behind the limit is told where %s', async (_, start, more, isSure) => {
	const told: boolean[] = [];
	await read({ start }, { ...more, onCut: (one) => told.push(one) });
	expect(told).toEqual(isSure === undefined ? [] : [isSure]);
});

const current = { limit: 2, count: 2 };

/** A page of two entries, or one: where the next one begins, or that it is not the documented page. */
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
