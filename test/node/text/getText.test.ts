import type { INodeParameters } from 'n8n-workflow';

import type { Rule } from '../../service/service';
import { freshService } from '../fixture';
import { agent as locator, arrivals, continuing, errorOf, runFiles } from '../operations';

const HOURS = { uniqueId: 'hours', sourceName: 'Opening hours', type: 'text-details' as const };
const TIMES = { createdAt: 1795301932599, updatedAt: 1795301999000 };
const service = freshService({
	records: [
		{ ...HOURS, ...TIMES },
		{ uniqueId: 'file', sourceName: 'a.pdf' },
	],
});

/** One item, in a run that goes on. */
const get = async (parameters: INodeParameters = {}) =>
	await runFiles(service(), 'text.get', {
		...continuing,
		parameters: { textId: locator('hours'), ...parameters },
	});

test('a text says what a person looks for: title first, whether it can be answered from, times to read, the ID last', async () => {
	const { output } = await get();
	expect(output.map(({ json }) => Object.entries(json))).toEqual([
		[
			['title', 'Opening hours'],
			['status', 'indexed'],
			['text', 'This is hours.'],
			['createdAt', '2026-11-21T22:58:52.599Z'],
			['updatedAt', '2026-11-21T22:59:59.000Z'],
			['uniqueId', 'hours'],
		],
	]);
	expect(arrivals(service())).toEqual(['getText hours']);
});

test('without Simplify, it is the text as CometChat gives it', async () => {
	const { output } = await get({ simple: false });
	expect(output[0]?.json).toMatchObject({
		...TIMES,
		fileName: 'hours.md',
		vectorizationStatus: 'completed',
		isActive: true,
	});
});

test.each<[string, object, object]>([
	['nothing but its ID', {}, { title: 'hours' }],
	['other values than documented', { title: 7, text: null, createdAt: 'now' }, { title: 'hours' }],
])('of a text with %s, what there is is told', async (_, data, told) => {
	service().script({ body: JSON.stringify({ data: { ...data, uniqueId: 'hours' } }) });
	expect((await get()).output[0]?.json).toMatchObject({ ...told, uniqueId: 'hours' });
});

const noCode = { status: 404, envelope: 'agentService', message: 'Text not found' } as const;

test.each<[string, string, Rule[]]>([
	['that is not there', 'none', []],
	['that is not there, said without a code', 'none', [noCode]],
	['that is a file', 'file', []],
])('a text %s is one that CometChat does not know', async (_, id, rules) => {
	service().script(...rules);
	const run = await get({ textId: locator(id) });
	expect(errorOf(run)).toMatchObject({
		message: 'CometChat does not know this text [item 0]',
		description: expect.stringMatching(/not found\. Nothing was changed\. Check 'Text': /),
		effect: 'not applied',
		uniqueId: id,
	});
});

test.each<[string, Rule]>([
	['a 404 that is a web page', { status: 404, body: '<html></html>' }],
	['a text without an ID', { body: '{"data":{"title":"Hours"}}' }],
	['a text without its envelope', { body: '{"uniqueId":"hours"}' }],
])('%s is no text, and not the word that there is none', async (_, rule) => {
	service().script(rule);
	expect(errorOf(await get())).toMatchObject({
		message: expect.stringMatching(/^CometChat (?:has nothing at|gave another answer than)/),
	});
});

test.each<[INodeParameters, string]>([
	[{ textId: locator('={{ "" }}') }, "'Text' is empty"],
	[{ textId: locator('../text') }, `'Text' is "../text"`],
	[{ simple: '={{ "maybe" }}' }, "'Simplify' is neither true nor false"],
])('%j is refused before anything is sent', async (parameters, words) => {
	const run = await get(parameters);
	expect(service().log).toEqual([]);
	expect(errorOf(run)).toMatchObject({ message: expect.stringContaining(words) });
});
