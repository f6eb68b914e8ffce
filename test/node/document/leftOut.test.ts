import type { TestFile } from '../engine';
import { arrivals, continuing, errorOf, file } from '../operations';
import { freshUploads, hinted, TO_AGENT } from './uploads';

const { service, upload, uploaded } = freshUploads({ indexing: { ms: 0 } });

const logo: TestFile = { ...file('image001.png'), mimeType: 'image/png' };
const contract: TestFile = { ...file('contract.pdf'), mimeType: 'application/pdf' };

function attachments(...files: TestFile[]): Record<string, TestFile> {
	return Object.fromEntries(files.map((one, at) => [`attachment_${at}`, one]));
}

const OTHER_TYPE = 'The file is not of a type that CometChat accepts';
const SYSTEM = 'The file is a temporary, hidden or system file';

describe('* takes all files that CometChat accepts', () => {
	test.each<[string, TestFile, string, string]>([
		['a logo without a name', { ...logo, fileName: '' }, 'attachment_0', OTHER_TYPE],
		['a lock file', file('~$contract.docx'), '~$contract.docx', SYSTEM],
		['an empty file', file('notes.txt', ''), 'notes.txt', 'The file is empty'],
		['a logo that n8n has deleted', { ...logo, kept: 'deleted' }, 'image001.png', OTHER_TYPE],
	])('%s is left out, never sent, and named in the row', async (_, other, name, reason) => {
		const run = await upload([], {
			files: [attachments(other, contract)],
			onError: 'stopWorkflow',
			parameters: TO_AGENT,
		});
		expect(run.output.map(({ json }) => json)).toMatchObject([
			{ name: 'contract.pdf', action: 'added', success: true, leftOut: [{ name, reason }] },
		]);
		expect(uploaded()).toEqual(['contract.pdf']);
		expect(arrivals(service()).join()).not.toContain(name);
		expect(hinted(run)).toMatch(/^Left out: "/);
	});

	test('for each email by its attachments, and the first row of an item names the files that were left out', async () => {
		const files = [
			attachments(logo, contract),
			attachments(file('a.md'), logo, file('b.csv'), file('Thumbs.db')),
			attachments(file('c.txt')),
		];
		const { output } = await upload([], { files, onError: 'stopWorkflow' });
		const rows = output.map(({ json, pairedItem }) => {
			const names = JSON.parse(JSON.stringify(json.leftOut ?? []));
			return [json.name, Object(pairedItem).item, names.map((one: object) => Object(one).name)];
		});
		expect(rows).toEqual([
			['contract.pdf', 0, ['image001.png']],
			['a.md', 1, ['image001.png', 'Thumbs.db']],
			['b.csv', 1, []],
			['c.txt', 2, []],
		]);
		expect(uploaded()).toHaveLength(4);
	});

	test('a file larger than 15 MB is uploaded with a warning that names the limit of the dashboard', async () => {
		const sized = (fileName: string, size: number) => ({ fileName, bytes: new Uint8Array(size) });
		const files = [{ a: sized('large.txt', 15_000_001), b: sized('small.txt', 15_000_000) }];
		const run = await upload([], { files });
		expect(uploaded()).toEqual(['large.txt', 'small.txt']);
		const warnings = run.hints.filter(({ type }) => type === 'warning');
		expect(warnings).toMatchObject([
			{ message: expect.stringMatching(/"large\.txt".* PDF, DOCX and TXT files of up to 15 MB/) },
		]);
	});

	test('a document that is too large is left out with a warning', async () => {
		const large = { fileName: 'scan.pdf', bytes: new Uint8Array(50_000_001) };
		const run = await upload([], { files: [attachments(large, contract)] });
		expect(run.output[0]?.json).toMatchObject({
			leftOut: [{ name: 'scan.pdf', reason: 'The file is larger than 50 MB' }],
		});
		const warnings = run.hints.filter(({ type }) => type === 'warning');
		expect(warnings.map(({ message }) => message).join()).toContain(
			'"scan.pdf" is larger than 50 MB',
		);
	});

	test('the name in CometChat is for the only remaining file', async () => {
		const options = { nameInCometChat: 'Contract 7' };
		const run = await upload([], { files: [attachments(logo, contract)], options });
		expect(run.output[0]?.json).toMatchObject({ name: 'Contract 7.pdf', success: true });
	});
});

describe('An item without an accepted file fails, and the others are uploaded', () => {
	test.each<[Record<string, TestFile>, RegExp]>([
		[attachments(logo), /^The file in 'attachment_0', "image001\.png", is not of a type/],
		[
			attachments(logo, file('~$a.docx'), file('b.md', '')),
			/^CometChat accepts none of the item's 3 files: "image001\.png" is not of a type .*, "~\$a\.docx" is a temporary.*, "b\.md" is empty/,
		],
	])('%#', async (held, message) => {
		const run = await upload([], { files: [held, attachments(logo, contract)], ...continuing });
		expect(errorOf(run)).toMatchObject({
			message: expect.stringMatching(message),
			description: expect.stringContaining('PDF, TXT, DOCX, CSV and MD'),
			...{ effect: 'not applied', attempts: 0 },
		});
		expect(uploaded()).toEqual(['contract.pdf']);
	});

	test('before anything is sent if the execution stops', async () => {
		const files = [attachments(contract), attachments(logo)];
		const { error } = await upload([], { files, onError: 'stopWorkflow' });
		expect(error?.message).toContain('"image001.png", is not of a type that CometChat accepts');
		expect(service().log).toEqual([]);
	});
});
