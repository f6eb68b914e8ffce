import type { INodeParameters } from 'n8n-workflow';

import type { RecordSeed, ServiceOptions } from '../../service/service';
import { freshService, KEY } from '../fixture';
import type { OperationName } from '../operations';
import { agent, arrivals, errorOf, file, prepareRun } from '../operations';

/** Links in texts, titles and URLs of users, and the node's own replacements of secrets. */
const QUERIES = ['?q=x&key=AIza0xyz', '?a=1&token=fexyz', '?sig=ab%3D', '?X-Amz-Signature=0xyz'];
const TEXTS = [
	...QUERIES.map((query) => `See [the map](https://maps.example/${query}) "now".`),
	'curl -H "apikey: [API Key]" https://a.example/#access_token=1',
	'[address], [link removed] and https://b.example/?apikey=<your key>',
	`https://c.example/?token=${'fedcba9876'.repeat(490)}`,
];
const [TEXT = ''] = TEXTS;
const SITE = 'https://shop.example.com/?token=fedcba9876543210';
const PAGES = QUERIES.map((query) => `https://shop.example.com/help/${query}`);
const TITLE = 'Login at /start?token=1';
const record = (uniqueId: string, sourceName: string): RecordSeed => {
	return { uniqueId, sourceName, type: 'text-details' };
};
const answering: NonNullable<ServiceOptions['answering']> = {};
const service = freshService({
	answering,
	agents: [{ uid: 'support-bot', name: 'Bot ?token=1', instruction: TEXT }],
	records: [
		record('titled', TITLE),
		record('hours', 'Hours'),
		record('keyed', `About ${KEY}`),
		{ uniqueId: 'file', sourceName: 'a?sig=1&key=2.pdf' },
	],
	sites: {
		[SITE]: { pages: [{ url: SITE }, ...PAGES.map((url) => ({ url, content: `At ${url}` }))] },
	},
	pages: { file: TEXTS },
	indexing: { ms: 0 },
});

const run = async (name: OperationName, parameters: INodeParameters = {}, files?: string[]) =>
	await prepareRun(service, name)(parameters, {
		files: files?.map((content) => ({ data: file('a.txt', content) })),
	});
const jsonOf = async (...given: Parameters<typeof run>) =>
	(await run(...given)).output.map(({ json }) => json);
const writes = () => arrivals(service()).filter((line) => /^(?:create|update)Text /.test(line));
const upsert = async (title: string, text: string) => {
	service().clearLog();
	return await jsonOf('text.upsert', { title, text });
};

const beginning = (text: string) => text.slice(0, 70);

describe.each(TEXTS.map((text) => [beginning(text), text]))('The text %s', (_, text = '') => {
	test('is created, found unchanged by the second execution, and read and written unchanged', async () => {
		expect(await upsert('New', text)).toMatchObject([{ action: 'created', success: true }]);
		expect(await upsert('New', text)).toMatchObject([{ action: 'unchanged', success: true }]);
		expect(writes()).toEqual([]);
		const textId = agent(String(service().records()[0]?.uniqueId));
		expect(service().text(textId.value)).toBe(text);
		expect(await jsonOf('text.get', { textId })).toMatchObject([{ text }]);
		expect(await jsonOf('text.get', { textId, simple: false })).toMatchObject([{ text }]);
		expect(await jsonOf('document.getContent', { document: textId })).toMatchObject([{ text }]);
		const updateFields = { text: `${text.slice(-100)} New.`, title: text.slice(-100) };
		await run('text.update', { textId, updateFields });
		expect(await jsonOf('text.get', { textId })).toMatchObject([
			{ name: updateFields.title, text: updateFields.text },
		]);
	});

	test('is the answer of an agent', async () => {
		Object.assign(answering, { says: () => [text] });
		const parameters = { uid: agent('support-bot'), question: 'Where?', askAs: 'checker' };
		expect(await jsonOf('agent.ask', parameters)).toMatchObject([{ answer: text }]);
	});
});

test('A title with a link in it is found again, and does not disturb other titles', async () => {
	expect(await upsert(TITLE, 'New.')).toMatchObject([{ action: 'updated', uniqueId: 'titled' }]);
	expect(await upsert(TITLE, 'New.')).toMatchObject([{ action: 'unchanged', uniqueId: 'titled' }]);
	expect(await upsert('Hours', 'New.')).toMatchObject([{ action: 'updated', uniqueId: 'hours' }]);
	expect(await upsert('?sig=1 [API Key]', 'New.')).toMatchObject([{ action: 'created' }]);
	expect(await upsert('?sig=1 [API Key]', 'New.')).toMatchObject([{ action: 'unchanged' }]);
});

test('The lists show names with such links, simplified or not', async () => {
	for (const simple of [true, false]) {
		const name = simple ? 'name' : 'sourceName';
		const documents = await jsonOf('document.getMany', { simple });
		expect(documents.map((one) => one[name])).toEqual(
			expect.arrayContaining([TITLE, 'a?sig=1&key=2.pdf']),
		);
		const agents = await jsonOf('agent.getMany', { simple });
		expect(agents).toMatchObject([{ name: 'Bot ?token=1' }]);
	}
	const [one] = await jsonOf('agent.get', { uid: agent('support-bot'), simple: false });
	expect(one).toMatchObject({ instruction: TEXT });
	const [content] = await jsonOf('document.getContent', { document: agent('file') });
	expect(content?.text).toBe(TEXTS.join('\n\n'));
});

describe('A website with a token in its URL, and pages with such URLs,', () => {
	const crawl = async (parameters: INodeParameters = {}) =>
		await run('website.crawl', { url: SITE, addToAgent: false, ...parameters });

	test('is crawled once and found again, and its pages are listed and read', async () => {
		const [crawled] = (await crawl()).output.map(({ json }) => json);
		const pages = { pagesFound: 1 + PAGES.length, pagesProcessed: 1 + PAGES.length };
		expect(crawled).toMatchObject({ name: SITE, action: 'crawled', success: true, ...pages });
		service().clearLog();
		const [again] = (await crawl()).output.map(({ json }) => json);
		expect(again).toMatchObject({ uniqueId: crawled?.uniqueId, ...pages });
		expect(arrivals(service()).join()).not.toContain('crawl');
		const website = agent(String(crawled?.uniqueId));
		for (const simple of [true, false]) {
			const listed = await jsonOf('website.getPages', { website, simple });
			const urls = listed.map((page) => page[simple ? 'name' : 'url']);
			expect(urls.sort()).toEqual([SITE, ...PAGES].sort());
		}
		const [content] = await jsonOf('document.getContent', { document: website });
		for (const url of PAGES) expect(content?.text).toContain(`At ${url}`);
	});

	test('are chosen by a part of their URLs', async () => {
		const { output } = await crawl({ pages: { include: '&token=' } });
		expect(output[0]?.json).toMatchObject({ success: true, pagesProcessed: 1 });
		const [{ pages } = { pages: [] }] = service().websites();
		const read = pages.filter(({ status }) => status === 'processed').map(({ url }) => url);
		expect(read).toEqual([PAGES[1]]);
	});
});

test.each(QUERIES)('An error of CometChat loses its signed links: %s', async (query) => {
	const link = `https://s3.example.com/bucket/a.pdf${query}`;
	for (const [name, given] of [
		['text.get', { textId: agent('hours') }],
		['document.upload', { addToAgent: false }],
	] as const) {
		const message = `The plan is full (see https://app.example.com/plans?page=2): ${link}`;
		service().script({ status: 400, message, times: Infinity });
		const failed = await run(name, given, name === 'text.get' ? undefined : ['Some text.']);
		expect(Object(errorOf(failed)).description).toContain('The plan is full');
		for (const part of ['s3.example', query, query.slice(-4)]) {
			expect(failed.stored).not.toContain(part);
		}
		service().clearScript();
	}
});

describe('A text from whose title or content the API key was removed', () => {
	test('is never mistaken for another text, and disturbs no other title', async () => {
		expect(await upsert('Hours', 'New.')).toMatchObject([{ uniqueId: 'hours' }]);
		expect(await upsert('About [API Key]', 'New.')).toMatchObject([{ action: 'created' }]);
	});

	test('is written again: without the key, it may be another text', async () => {
		await upsert('Hours', `Send ${KEY}.`);
		const [{ text } = { text: '' }] = await jsonOf('text.get', { textId: agent('hours') });
		expect(text).not.toContain(KEY);
		for (const next of [String(text), 'Send [API Key].']) {
			expect(await upsert('Hours', `Send ${KEY}.`)).toMatchObject([{ action: 'updated' }]);
			expect(await upsert('Hours', next)).toMatchObject([{ action: 'updated' }]);
			expect(service().text('hours')).toBe(next);
		}
	});
});
