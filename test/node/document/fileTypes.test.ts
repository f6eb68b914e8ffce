import { Container } from '@n8n/di';
import type { INodeParameters } from 'n8n-workflow';
import { BinaryDataService } from 'n8n-core';

import type { Run, TestFile } from '../engine';
import { add, freshService } from '../fixture';
import type { OperationName } from '../operations';
import { agent, arrivals, continuing, errorOf, file, runFiles, STARTS } from '../operations';

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const SIGN_IN = '<!DOCTYPE html><html><title>Sign in</title></html>';

/** The parameters with which each upload operation replaces a file with the same name. */
const OPERATIONS: Record<OperationName, INodeParameters> = {
	'document.upload': { addToAgent: true, ifNameExists: 'replaceAndDelete', waitUntilIndexed: true },
	'knowledgeBase.sync': {},
};

const records = [
	{ sourceName: 'faq.md', uniqueId: 'good' },
	{ sourceName: '2025.pdf', uniqueId: 'other' },
];
const service = freshService({ records, indexing: { ms: 0 } });
beforeEach(async () => {
	await add(service(), [{ agent: 'support-bot', files: records.map(({ uniqueId }) => uniqueId) }]);
	service().clearLog();
});
afterEach(() => jest.restoreAllMocks());

/** Runs an operation for one item with this file. */
async function send(
	name: OperationName,
	data: TestFile,
	options: INodeParameters = {},
): Promise<Run> {
	return await runFiles(service(), name, {
		...continuing,
		files: [{ data }],
		parameters: { uid: agent('support-bot'), ...OPERATIONS[name] },
		options,
		mode: 'trigger',
	});
}

const held = () => service().files('support-bot', 'uploads');
const namesHeld = () =>
	service()
		.records()
		.flatMap(({ uniqueId, sourceName }) => (held().includes(uniqueId) ? [sourceName] : []))
		.sort();
const READING = /^(records|list|agent|pages|poll)/;
const changes = () => arrivals(service()).filter((line) => !READING.test(line));
const messageOf = (run: Run) => String(Object(errorOf(run)).message);

describe.each(Object.keys(OPERATIONS).map((name) => [name as OperationName]))('%s', (name) => {
	test.each<[string, TestFile, string]>([
		['a sign-in page', file('faq.md', SIGN_IN), 'is a web page'],
		[
			'a sign-in page, kept in memory',
			{ ...file('faq.md', SIGN_IN), kept: 'in memory' },
			'is a web page',
		],
		['an error object', file('faq.md', '{"error":{"code":401}}'), 'is an error message'],
		['a MIME type of a web page', { ...file('faq.md'), mimeType: 'text/html' }, '"text/html"'],
		[
			'a MIME type of JSON',
			{ ...file('faq.md'), mimeType: 'application/json' },
			'"application/json"',
		],
		['a picture', { ...file('faq.md'), bytes: new Uint8Array([0x89, 80, 78, 71]) }, 'is a picture'],
		['an error as a PDF', { ...file('2025.pdf'), bytes: file('a.txt').bytes }, 'is not a PDF file'],
		[
			'an old .doc as .docx',
			{ ...file('a.docx'), bytes: new Uint8Array([0xd0, 0xcf, 0x11, 0xe0]) },
			'is an old Office file',
		],
		[
			'a ZIP as a text',
			{ ...file('notes.txt'), bytes: file('a.docx').bytes },
			'is a DOCX, XLSX or ZIP file',
		],
	])(
		'sends nothing for %s under the name of a file, and replaces nothing',
		async (_, data, words) => {
			const run = await send(name, data);
			expect(messageOf(run)).toContain(words);
			expect([changes(), held()]).toEqual([[], ['good', 'other']]);
		},
	);

	test.each<[string, TestFile, { fileName: string; mimeType: string }]>([
		[
			'n8n knows its type, and its name does not say it',
			{ ...file('Intro to Node.js', STARTS.docx), mimeType: DOCX },
			{ fileName: 'Intro to Node.js.docx', mimeType: DOCX },
		],
		[
			'its name says another type than its content and n8n',
			{ ...file('notes.txt', STARTS.docx), mimeType: DOCX },
			{ fileName: 'notes.txt.docx', mimeType: DOCX },
		],
		[
			'only its name says its type',
			file('faq.md', '[Prices](prices.md)'),
			{ fileName: 'faq.md', mimeType: 'text/markdown' },
		],
	])('sends a file with its type and extension where %s', async (_, data, expected) => {
		await send(name, data);
		const initiated = service().log.find(({ operation }) => operation === 'initiate');
		expect(initiated?.body).toEqual({ files: [{ ...expected, fileSize: data.bytes.length }] });
		expect(namesHeld()).toContain(expected.fileName);
	});

	test('takes a name with a slash as a whole', async () => {
		for (const month of [11, 12]) await send(name, file(`Invoice ${month}/2025.pdf`));
		expect(namesHeld()).toEqual([
			...['2025.pdf', 'Invoice 11 - 2025.pdf', 'Invoice 12 - 2025.pdf', 'faq.md'],
		]);
	});

	test.each(['', '=.pdf', '.pdf', ' - .pdf', '//.pdf'])(
		'refuses a file named %j, unless it gets another name',
		async (fileName) => {
			const data = { ...file('a.pdf'), fileName, mimeType: 'application/pdf' };
			const run = await send(name, data);
			expect(errorOf(run)).toMatchObject({
				message: expect.stringMatching(/has (no name|a name without letters or digits)/),
				description: expect.stringContaining("'Name in CometChat'"),
			});
			expect(changes()).toEqual([]);
			await send(name, data, { nameInCometChat: 'Invoice 13' });
			expect(namesHeld()).toContain('Invoice 13.pdf');
		},
	);

	test.each([
		[5, 40],
		[6000, 10_000],
	])('says that n8n has only %i of %i bytes, and tries it once', async (has, size) => {
		const { bytes: start } = file('x.pdf');
		const bytes = new Uint8Array(size);
		bytes.set(start);
		shorten(has);
		const run = await send(name, { fileName: 'x.pdf', bytes });
		expect(messageOf(run)).toBe(`n8n has only ${has} of ${size} bytes of "x.pdf"`);
		expect(changes().filter((line) => line.startsWith('upload ')).length).toBeLessThanOrEqual(1);
		expect(namesHeld()).toEqual(['2025.pdf', 'faq.md']);
		expect(service().records()).toHaveLength(2);
	});
});

/** Makes n8n keep only the first bytes of each file. */
function shorten(length: number): void {
	const stored = Container.get(BinaryDataService);
	const open = stored.getAsStream.bind(stored);
	jest.spyOn(stored, 'getAsStream').mockImplementation(async (...asked) => {
		const stream = await open(...asked);
		let left = length;
		const push = stream.push.bind(stream);
		stream.push = (chunk: Buffer | null, encoding) => {
			if (chunk === null) return push(null);
			const part = chunk.subarray(0, left);
			left -= part.length;
			return part.length > 0 ? push(part, encoding) : push(null);
		};
		return stream;
	});
}
