import type { INodeParameters } from 'n8n-workflow';

import type { RecordSeed, Rule, ServiceOptions } from '../../service/service';
import { freshService } from '../fixture';
import { arrivals, continuing, errorOf, runFiles } from '../operations';

const LONG = 'The prices of this year are on the pages behind this one.';
const RECORDS: RecordSeed[] = [
	{ sourceName: 'prices.pdf', uniqueId: 'p' },
	{ sourceName: 'Hours', uniqueId: 't', type: 'text-details' },
	{ sourceName: 'https://example.com', uniqueId: 'w', type: 'website' },
	{ sourceName: 'scan.pdf', uniqueId: 's' },
	{ sourceName: 'short.txt', uniqueId: 'x' },
	{ sourceName: 'new.pdf', uniqueId: 'n', status: 'indexing' },
	{ sourceName: 'bad.pdf', uniqueId: 'b', status: 'failed' },
];
const pages: Record<string, string[]> = {
	p: [LONG, 'Bread costs 3.', '', 'Milk costs 2.'],
	s: ['Page 1', '', ' \n', ''],
	x: ['Closed.'],
};
const document = (value: string) => ({ __rl: true, mode: 'id', value });

describe('Document: Get Content', () => {
	const service = freshService({ records: RECORDS, pages });
	const get = async (id: string, more: Parameters<typeof runFiles>[2] = {}) =>
		await runFiles(service(), 'document.getContent', {
			...continuing,
			...more,
			parameters: { document: document(id), ...more.parameters },
		});
	const byPage = { parameters: { output: 'page' } };

	test('gives the whole text in one item, its pages one after another', async () => {
		const { output, hints } = await get('p');
		expect(output.map(({ json }) => json)).toEqual([
			{
				name: 'prices.pdf',
				status: 'indexed',
				text: `${LONG}\n\nBread costs 3.\n\n\n\nMilk costs 2.`,
				characters: 90,
				pages: 4,
				sourceType: 'uploads',
				uniqueId: 'p',
			},
		]);
		expect(hints).toEqual([]);
		expect(arrivals(service())).toEqual(['records ', 'pages p'].map((line) => line.trim()));
	});

	test('or an item for each page, with its number', async () => {
		const { output } = await get('p', byPage);
		expect(output.map(({ json: { page, pages: of, text } }) => [page, of, text])).toEqual([
			[1, 4, LONG],
			[2, 4, 'Bread costs 3.'],
			[3, 4, ''],
			[4, 4, 'Milk costs 2.'],
		]);
	});

	test.each([
		['t', 'text'],
		['w', 'website'],
	])('%s is looked up in the list: it is a %s', async (id, sourceType) => {
		const { output } = await get(id);
		expect(output[0]?.json).toMatchObject({
			sourceType,
			text: expect.stringContaining('The text'),
		});
	});

	test('a chosen type saves looking it up, and the name is that of the text', async () => {
		const { output } = await get('p', { options: { contentType: 'uploads' } });
		expect(output[0]?.json).toMatchObject({ name: 'prices.pdf', uniqueId: 'p' });
		expect(arrivals(service())).toEqual(['pages p']);
	});

	test('the list is read once for all items', async () => {
		const items = ['p', 't', 'w'].map((id) => ({ id }));
		const { output } = await get('={{ $json.id }}', { items });
		expect(output.map(({ json, pairedItem }) => [json.uniqueId, pairedItem])).toEqual(
			['p', 't', 'w'].map((id, item) => [id, { item }]),
		);
		expect(arrivals(service()).filter((line) => line.startsWith('records'))).toHaveLength(1);
	});

	describe('Max Characters', () => {
		test.each<[number, string, boolean]>([
			[90, `${LONG}\n\nBread costs 3.\n\n\n\nMilk costs 2.`, false],
			[89, `${LONG}\n\nBread costs 3.\n\n\n\nMilk costs 2`, true],
			[3, 'The', true],
		])('of %i ends the text there, and says so', async (maxCharacters, text, isCut) => {
			const { output } = await get('p', { options: { maxCharacters } });
			expect(output[0]?.json).toMatchObject({ text, characters: text.length });
			expect(output[0]?.json.isCut).toBe(isCut || undefined);
			expect(output[0]?.json.reason).toEqual(
				isCut ? expect.stringContaining("'Max Characters' under Options ends it here") : undefined,
			);
		});

		test('counts over all pages, and leaves out those behind', async () => {
			const { output } = await get('p', { ...byPage, options: { maxCharacters: 60 } });
			expect(output.map(({ json: { page, text, isCut } }) => [page, text, isCut])).toEqual([
				[1, LONG, null],
				[2, 'Bre', true],
			]);
		});

		test('never leaves half a character', async () => {
			const body = { data: { pageContent: [{ pageNumber: 1, content: 'ab😀' }] } };
			service().script({ for: { operation: 'pages' }, body: JSON.stringify(body) });
			const { output } = await get('p', { options: { maxCharacters: 3 } });
			expect(output[0]?.json.text).toBe('ab');
		});
	});

	describe('Where there is next to no text', () => {
		const said = async (id: string) => {
			const { output, hints } = await get(id);
			return { hints: JSON.stringify(hints), reason: output[0]?.json.reason };
		};

		test('of a file with pages, a hint and the item say that it may be a scan', async () => {
			const { hints, reason } = await said('s');
			expect(hints).toContain('There is next to no text in \\"scan.pdf\\"');
			expect(reason).toContain('If it is a scan');
		});

		test('a text file may be short', async () => {
			expect(await said('x')).toEqual({ hints: '[]', reason: undefined });
		});

		test.each([
			['n', 'CometChat is still reading it.'],
			['b', 'CometChat was not able to read it, and gives no reason.'],
		])('because it is not indexed (%s), its status says why', async (id, words) => {
			const { hints, reason } = await said(id);
			expect(hints).toBe('[]');
			expect(reason).toEqual(expect.stringContaining(words));
		});

		test('there is an item all the same, page by page too', async () => {
			expect((await get('n', byPage)).output.map(({ json: { text } }) => text)).toEqual(['']);
		});
	});

	test.each<[INodeParameters, INodeParameters, string]>([
		[{ document: document('={{ "" }}') }, {}, "'Document' is empty"],
		[{ document: document('../agents') }, {}, `'Document' is "../agents"`],
		[{ output: '={{ "lines" }}' }, {}, "'Output' is not one of its choices"],
		[{}, { maxCharacters: '={{ 0 }}' }, "'Max Characters' is not a whole number from 1"],
		[{}, { contentType: '={{ "pdf" }}' }, "'Source Type' is not one of its choices"],
	])('%j, %j is refused before anything is sent', async (parameters, options, words) => {
		const run = await get('p', { parameters, options });
		expect(service().log).toEqual([]);
		expect(errorOf(run)).toMatchObject({ message: expect.stringContaining(words) });
	});

	test('a document that the list does not have is an error that says where to look', async () => {
		expect(errorOf(await get('gone'))).toMatchObject({
			message: 'CometChat lists no document with this ID [item 0]',
			description: expect.stringContaining("'Source Type' under Options"),
			effect: 'not applied',
		});
		expect(arrivals(service()).join()).not.toContain('pages');
	});

	test('one of another type is unknown, as CometChat says', async () => {
		expect(errorOf(await get('t', { options: { contentType: 'uploads' } }))).toMatchObject({
			message: 'CometChat does not know one of these files [item 0]',
			status: 404,
		});
	});

	test.each(['{}', '{"data":{"pageContent":[{"content":"a"}]}}', '{"data":{"pageContent":{}}}'])(
		'%s is no text of a document',
		async (body) => {
			service().script({ for: { operation: 'pages' }, body });
			expect(errorOf(await get('p'))).toMatchObject({
				message: 'CometChat gave another answer than its documentation shows [item 0]',
			});
		},
	);
});

/** 250 pages. */
const MANY = Array.from({ length: 250 }, (_, at) => `This is what stands on page ${at}.`);

describe.each<Partial<ServiceOptions>>([
	{},
	{ pagesFrom: 'at' },
	{ firstPage: 0 },
	{ firstPage: 0, pagesFrom: 'at', mostPages: 10 },
	{ pagesFrom: 'at', mostPages: 1 },
	{ mostPages: 7 },
])('Where CometChat counts pages in this way: %j', (manner) => {
	const service = freshService({ records: RECORDS, pages: { p: MANY }, ...manner });
	const get = async (options: INodeParameters = {}) => {
		const parameters = { document: document('p'), output: 'page' };
		return await runFiles(service(), 'document.getContent', { parameters, options });
	};

	test('each page comes once, in order, to the end', async () => {
		const { output } = await get();
		expect(output.map(({ json }) => json.text)).toEqual(MANY);
		expect(output.some(({ json }) => 'reason' in json)).toBe(false);
	});

	test('no more pages are read than are shown', async () => {
		const { output } = await get({ maxCharacters: 100 });
		expect(output.length).toBeLessThan(6);
		expect(arrivals(service()).length).toBeLessThan(11);
	});
});

describe('A service that stops giving pages', () => {
	const service = freshService({ records: RECORDS, pages: { p: MANY } });
	const first = (body: unknown) => {
		const { data, meta } = Object(body);
		return {
			data: { ...data, pageContent: [{ content: LONG, pageNumber: 1, charCount: 1 }] },
			meta,
		};
	};

	test.each<[string, Rule]>([['gives the first again and again', { transform: first }]])(
		'and %s is not asked for ever, and the item says what is missing',
		async (_, rule) => {
			service().script({ for: { operation: 'pages' }, times: Infinity, ...rule });
			const { output } = await runFiles(service(), 'document.getContent', {
				parameters: { document: document('p') },
			});
			expect(output[0]?.json).toMatchObject({
				text: LONG,
				pages: 250,
				reason: 'CometChat gave 1 of its 250 pages.',
			});
			expect(arrivals(service())).toHaveLength(4);
		},
	);
});
