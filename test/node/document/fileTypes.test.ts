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
	test.each(['on disk', 'in memory'] as const)(
		'sends nothing for a sign-in page under the name of a file, kept %s, and replaces nothing',
		async (kept) => {
			const run = await send(name, { ...file('faq.md', SIGN_IN), kept });
			expect(messageOf(run)).toContain('is a web page');
			expect([changes(), held()]).toEqual([[], ['good', 'other']]);
		},
	);

	test('sends a file with the type and the extension of its content', async () => {
		const data = { ...file('notes.txt', STARTS.docx), mimeType: DOCX };
		await send(name, data);
		const initiated = service().log.find(({ operation }) => operation === 'initiate');
		const expected = { fileName: 'notes.txt.docx', mimeType: DOCX };
		expect(initiated?.body).toEqual({ files: [{ ...expected, fileSize: data.bytes.length }] });
		expect(namesHeld()).toContain(expected.fileName);
	});

	test.each([
		[5, 40],
		[6000, 10_000],
	])('says that n8n has only a part, %i of %i bytes, and tries it once', async (has, size) => {
		const { bytes: start } = file('x.pdf');
		const bytes = new Uint8Array(size);
		bytes.set(start);
		shorten(has);
		const run = await send(name, { fileName: 'x.pdf', bytes });
		expect(messageOf(run)).toBe(`n8n has only a part of "x.pdf" (${has} of ${size} bytes)`);
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
