import { buf as checksumOf } from 'crc-32';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Scenario } from '../engine';
import { arrivals, errorOf, file } from '../operations';
import { freshUploads, hinted, TO_AGENT } from './uploads';

const { service, upload, uploaded, names, ids, attached } = freshUploads({ indexing: { ms: 0 } });

const FROM_TEXT: INodeParameters = {
	...{ contentFrom: 'text', ifNameExists: 'replace' },
	...{ documentName: '={{ $json.title }}', text: '={{ $json.text }}' },
};

async function texts(items: IDataObject[], more: Partial<Scenario> = {}) {
	const parameters = { ...TO_AGENT, ...FROM_TEXT, ...more.parameters };
	return await upload([], { files: undefined, items, ...more, parameters });
}

const article = { title: 'How do I pay?', text: 'By card.\r\n'.repeat(1000) };

test('A text of any length is uploaded and added to the agent, beginning with its name, and a new version replaces it', async () => {
	service().script({ for: { operation: 'upload' }, status: 503 });
	const run = await texts([article]);
	const name = 'How do I pay?.txt';
	expect(run.output.map(({ json }) => json)).toMatchObject([
		{ name, action: 'added', success: true, sourceType: 'uploads', uid: 'support-bot' },
	]);
	const content = Buffer.from(`How do I pay?\n\n${article.text}`);
	const [id = ''] = ids();
	const body = { fileName: name, mimeType: 'text/plain', fileSize: content.length };
	const asked = service().log.find(({ operation }) => operation === 'initiate');
	expect(asked?.body).toEqual({ files: [body] });
	expect(service().stored(id)?.checksum).toBe(checksumOf(content));
	const again = await texts([{ ...article, text: 'In cash.' }], {
		parameters: { startWithName: false },
	});
	expect(again.output[0]?.json).toMatchObject({ name, action: 'replaced', success: true });
	const [, newId = ''] = ids();
	expect([attached(), service().stored(newId)?.checksum]).toEqual([
		[newId],
		checksumOf(Buffer.from('In cash.')),
	]);
});

test('A name in which a field is missing is refused by its label, and nothing is sent', async () => {
	const documentName = '=Offer {{ $json.customer }}, {{ undefined + "" }}';
	const run = await texts([{ text: 'b' }], { parameters: { documentName } });
	const said = /^'Document Name' is "Offer .*undefined": the expression found nothing/;
	expect(errorOf(run)).toMatchObject({
		...{ message: expect.stringMatching(said), effect: 'not applied', attempts: 0 },
	});
	expect(service().log).toEqual([]);
});

test('A title may contain the word undefined', async () => {
	const run = await texts([{ title: 'What does undefined mean?', text: 'Nothing.' }]);
	expect(run.output[0]?.json).toMatchObject({ action: 'added' });
});

test('Of items with one name, those with another text are refused, and those with the same text are uploaded once', async () => {
	const other = { title: 'Hours', text: 'Closed.' };
	const run = await texts([article, other, { ...other, text: 'Open.' }, article]);
	expect(run.output.map(({ json }) => json.action)).toEqual([
		...['added', 'failed', 'failed', 'skipped'],
	]);
	expect(errorOf(run, 1)).toMatchObject({
		message: expect.stringMatching(/^Items 2, 3 have documents with the same name/),
		description: expect.stringContaining('rename them'),
	});
	expect(run.output[3]?.json).toMatchObject({
		...{ name: 'How do I pay?.txt', success: true, uid: 'support-bot' },
		reason: 'Item 1 has the same name and text',
	});
	expect(names()).toEqual(['How do I pay?.txt']);
});

test('Of items with one name and text, all fail if the upload fails', async () => {
	service().script({ for: { operation: 'initiate' }, status: 400 });
	const run = await texts([article, article]);
	expect(run.output.map(({ json }) => [json.action, json.success])).toEqual([
		...[
			['failed', false],
			['failed', false],
		],
	]);
	expect(errorOf(run, 1)).toMatchObject({ status: 400 });
});

test('HTML tags and a file of the item are remarked on, and the file is not sent', async () => {
	const run = await texts([{ title: 'a', text: '<p>Hi</p><br>' }], {
		files: [{ data: file('b.txt') }],
	});
	expect(hinted(run)).toMatch(/The text contains HTML tags\. .*Markdown node/);
	expect(hinted(run)).toContain('The files of the item are ignored');
	expect(uploaded()).toEqual(['a.txt']);
});

test('Name in CometChat is for files, and a title such as Data is no default name', async () => {
	const run = await texts([{ title: 'Data', text: 'b' }], {
		parameters: { options: { nameInCometChat: 'Other' } },
	});
	expect(run.output[0]?.json).toMatchObject({ name: 'Data.txt' });
	expect(run.hints).toEqual([]);
});

test('As a tool of an AI agent, the content is a text without being chosen', async () => {
	const { contentFrom, ...parameters } = FROM_TEXT;
	const run = await upload([], {
		...{ files: undefined, items: [article], isTool: true },
		parameters: { ...TO_AGENT, ...parameters },
	});
	expect(contentFrom).toBe('text');
	expect(run.output[0]?.json).toMatchObject({ name: 'How do I pay?.txt', action: 'added' });
	expect(arrivals(service())).toContain('upload How do I pay?.txt');
});
