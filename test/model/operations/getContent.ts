import fc from 'fast-check';

import { maybe } from '../drafting';
import { askedItems, each } from '../expectations/sending';
import type { Item, Operation, Options, Wanted } from '../operation';
import { DOCUMENTS, KINDS, MOST_ITEMS, someIds } from '../records';
import { same } from '../report';
import { itemOf, pacing, unusable } from '../scenario';
import { variant } from '../serviceBehaviour';

interface Content extends Wanted {
	ids: [string];
	byPage: boolean;
}

interface Cutting extends Options {
	maxCharacters?: number;
}

/** Of every second document, more than an answer has at times. */
const PAGES = Array.from({ length: 5 }, (_, at) => `What stands on page ${at}.`);
const pages = Object.fromEntries(
	DOCUMENTS.filter((_, place) => place % 2 === 0).map(({ sourceName }) => [sourceName, PAGES]),
);

const draft = itemOf(
	[unusable({ id: '', output: 'page' }), unusable({ id: 'uploads-0-0', output: 'pages' })],
	fc.record({ kind: fc.constantFrom(...KINDS), idsOf: someIds, byPage: fc.boolean() }),
	({ kind, idsOf, byPage }, index): Item<Content> => {
		const [id = 'nowhere-0'] = idsOf(kind, index).reverse();
		const output = byPage ? 'page' : 'document';
		return { json: { id, output }, wanted: { ids: [id], byPage } };
	},
);

export const getContent: Operation<Content, Cutting> = {
	name: 'getContent',
	runs: 200,
	parameters: {
		resource: 'document',
		operation: 'getContent',
		document: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
		output: '={{ $json.output }}',
	},
	records: DOCUMENTS,
	requests: ['records', 'pages'],
	sharedRequests: ['records'],
	draft,
	mostItems: MOST_ITEMS,
	options: fc.record({ ...pacing, maxCharacters: maybe(fc.constantFrom(1, 30, 500)) }),
	variant: fc
		.tuple(
			variant,
			fc.record({
				pagesFrom: fc.constantFrom('behind' as const, 'at' as const),
				firstPage: fc.constantFrom(0 as const, 1 as const),
				mostPages: fc.constantFrom(1, 2, 100),
			}),
		)
		.map(([usual, counting]) => ({ ...usual, pages: { pages, ...counting } })),
	isList: true,
	canBeDone: ({ wanted: { ids } }, { before, scenario }) =>
		scenario.variant.recordsNext === undefined
			? before.records.some(({ uniqueId }) => uniqueId === ids[0])
			: undefined,
	promises: [
		{
			title:
				'the text of a document comes whole and in order, as far as Max Characters goes, and what is cut says so',
			contradiction: each(
				askedItems,
				({ index, wanted, reported: { outcome, outputs } }, { before, run, scenario }) => {
					if (outcome !== 'applied' || (outputs.length === 0 && run.error)) return undefined;
					const record = before.records.find(({ uniqueId }) => uniqueId === wanted.ids[0]);
					if (record === undefined) return `item ${index} has the text of nothing`;
					const isRead = record.status === 'indexed' || record.status === 'inSync';
					const own = pages[record.sourceName] ?? [`The text of ${record.sourceName}.`];
					const all = isRead ? own : [];
					const { maxCharacters = Infinity } = scenario.options;
					const between = wanted.byPage ? '' : '\n\n';
					const text = outputs.map((one) => one.text).join('');
					const whole = all.join(between);
					if (text !== whole.slice(0, maxCharacters)) return `item ${index} says ${text}`;
					const isCut = outputs.at(-1)?.isCut === true;
					if (isCut !== text.length < whole.length) return `item ${index} says ${isCut} of its cut`;
					const names = outputs.map(({ name }) => name);
					const isNamed = names.every((name) => name === record.sourceName);
					const isPlain = scenario.variant.repeatsKey === undefined;
					return isNamed || !isPlain ? undefined : `item ${index} is called ${names.join()}`;
				},
			),
		},
	],
	meets: {
		'a text of several answers': ({ exchanges }) =>
			exchanges.filter(({ arrival }) => /pages.*page=/.test(arrival.path)).length > 1,
		'a text that is cut': (_, reported) =>
			reported.some(({ outputs }) => outputs.some(({ isCut }) => isCut === true)),
		'page by page': (_, reported) =>
			reported.some(({ outputs }) =>
				same(
					outputs.map(({ text }) => text),
					PAGES,
				),
			),
	},
	neverMeets: ['skipped', 'unknown', 'partly applied', 'a connection lost after the change'],
};
