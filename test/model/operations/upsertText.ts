import fc from 'fast-check';

import { seededText } from '../../service/texts';
import { attachedTo, broughtBy, isUncertain } from '../attribution';
import { INDEXING_EVENTS } from '../coverage';
import { oneIn } from '../drafting';
import { ofIndexing } from '../expectations/indexing';
import { askedItems, each } from '../expectations/sending';
import { meaningOf } from '../exchanges';
import type { Case, Item, Operation, Wanted } from '../operation';
import { KNOWN_AGENTS, MOST_ITEMS, seed } from '../records';
import { AFTERWARDS, afterwards, itemOf, maxIndexingMinutes, pacing, unusable } from '../scenario';
import { nameOf } from '../serviceBehaviour';

interface TitledText extends Wanted {
	title: string;
	text: string;
}

const PLAIN = { waits: false, adds: false, agent: 'unused' };

/** Titles at these places are there, at the last twice. */
const THERE = [0, 2, 4];
const RECORDS = [...THERE, 4].map((index, at) => {
	const uniqueId = `text-${index}-${at}`;
	const { status } = seed(uniqueId, 'text-details', at);
	const type = 'text-details' as const;
	// One that is being read for ever would be waited for in vain.
	const now = status === 'indexing' ? 'failed' : status;
	return { uniqueId, type, status: now, sourceName: nameOf(index) };
});

/** Each item has a title that no other has. */
const draft = itemOf(
	[
		unusable({ ...PLAIN, title: ' ', text: 'x' }),
		unusable({ ...PLAIN, title: 'x', text: 'y'.repeat(5001) }),
	],
	fc.record({ afterwards, isSame: fc.boolean(), isNew: oneIn(3, fc.constant(true)) }),
	({ afterwards: then, isSame, isNew = false }, index): Item<TitledText> => {
		const title = isNew ? `new-${nameOf(index)}` : nameOf(index);
		const known = RECORDS.find(({ sourceName }) => sourceName === title);
		const text = isSame && known ? seededText(known.uniqueId) : `New ${index}.`;
		const own = { sourceType: 'text', adds: known ? [known.uniqueId] : [] };
		return { json: { title, text, ...then.json }, wanted: { title, text, ...own, ...then.wanted } };
	},
);

export const upsertText: Operation<TitledText> = {
	name: 'upsertText',
	runs: 260,
	parameters: {
		resource: 'text',
		operation: 'upsert',
		title: '={{ $json.title }}',
		text: '={{ $json.text }}',
		...AFTERWARDS,
	},
	records: RECORDS,
	requests: ['listTexts', 'createText', 'updateText', 'poll', 'agent', 'add'],
	sharedRequests: ['listTexts', 'poll', 'agent', 'add'],
	draft,
	mostItems: MOST_ITEMS,
	options: fc.record({ ...pacing, maxIndexingMinutes }),
	heldBefore: fc.uniqueArray(fc.constantFrom(...KNOWN_AGENTS), { maxLength: 2 }).map((uids) => ({
		of: () => uids.map((uid) => ({ uid, sourceType: 'text', ids: ['text-0-0', 'text-2-1'] })),
	})),
	// Of a bundle that is refused, each is sent again by itself.
	isNoFailure: (sent) =>
		sent.some(({ arrival, ids }) => arrival.operation === 'add' && ids.length > 1),
	isSentAfterFailure: ({ arrival }) => arrival.operation === 'agent' || arrival.operation === 'add',
	canBeDone: (one, given) => {
		const { title, uid, waits } = one.wanted;
		const { variant, options, items } = given.scenario;
		if (uid === 'nobody' || wereOf(title, given).length > 1) return false;
		if (!waits) return uid !== undefined && variant.unindexedFiles === 'refuse' ? undefined : true;
		if (areOf(title, given).some(({ status }) => status === 'failed')) return false;
		const limitMs = (options.maxIndexingMinutes ?? 10) * 60_000 - 2000;
		return (variant.indexingMs ?? 20) * items.length > limitMs ? undefined : true;
	},
	promises: [
		{
			title: 'no title is there more often than before, but for one that was not there',
			contradiction: each(askedItems, ({ index, wanted: { title } }, given) => {
				const [before, after] = [wereOf(title, given), areOf(title, given)];
				return after.length <= Math.max(before.length, 1)
					? undefined
					: `the title of item ${index} is there ${after.length} times`;
			}),
		},
		{
			title:
				'what is said to be there says what it should, and was changed, written or left alone as is said',
			contradiction: each(askedItems, (one, given) => {
				const { index, wanted, reported, requests } = one;
				const [told = reported.error ?? {}]: Array<Record<string, unknown>> = reported.outputs;
				if (told.action === undefined) return undefined;
				const id = String(told.uniqueId);
				const was = given.before.records.find(({ uniqueId }) => uniqueId === id);
				if (given.text(id) !== wanted.text) return `item ${index} says ${given.text(id)}`;
				const isSame = was?.status !== 'failed' && seededText(id) === wanted.text;
				const action = was === undefined ? 'created' : isSame ? 'unchanged' : 'updated';
				const writes = requests.filter(({ arrival: { operation = '' } }) =>
					['createText', 'updateText'].includes(operation),
				);
				if (told.action !== action) return `item ${index} is ${String(told.action)}`;
				return isSame && writes.length > 0 ? `item ${index} is written` : undefined;
			}),
		},
		{
			title: 'an item that is said not to be done has changed nothing of its title',
			contradiction: each(askedItems, (one, given) => {
				const { index, wanted, reported, requests } = one;
				if (!['not applied', 'not sent', 'unknown'].includes(reported.outcome)) return undefined;
				if (reported.outcome === 'unknown') {
					const mayBe = ['createText', 'updateText'].some((name) => isUncertain(requests, name));
					return mayBe || given.stoppedAtMs !== undefined
						? undefined
						: `nobody needs to wonder about item ${index}`;
				}
				const isChanged = wereOf(wanted.title, given).some(
					({ uniqueId }) => given.text(uniqueId) !== seededText(uniqueId),
				);
				return isChanged || broughtBy(one, given).length > 0 ? `item ${index} is there` : undefined;
			}),
		},
		{
			title: 'what is said to be with the agent is',
			contradiction: each(askedItems, (one, given) => {
				const { index, wanted, reported } = one;
				const [told = reported.error ?? {}]: Array<Record<string, unknown>> = reported.outputs;
				if (told.addedToAgent !== true) return undefined;
				const isThere = attachedTo(wanted, given.after).includes(String(told.uniqueId));
				return isThere ? undefined : `item ${index} is not at ${wanted.uid}`;
			}),
		},
		{
			title: 'the texts are listed once in a run, before anything is written',
			contradiction: ({ exchanges }) => {
				const lists = exchanges.filter(({ arrival }) => arrival.operation === 'listTexts');
				const done = lists.filter((one) => meaningOf(one).startsWith('done'));
				if (done.length > 1) return `they are listed ${done.length} times`;
				const early = exchanges.find(
					({ arrival: { operation = '', atMs } }) =>
						['createText', 'updateText', 'add'].includes(operation) &&
						atMs < (done[0]?.end?.atMs ?? Infinity),
				);
				return early && `${early.arrival.operation} is sent before`;
			},
		},
		...ofIndexing,
	],
	meets: {
		...INDEXING_EVENTS,
		'two of a title': ({ run }) => run.stored.includes('CometChat has 2 texts'),
		'a text left alone with its agent': (_, reported) =>
			reported.some(
				({ outputs: [told] }) => told?.action === 'unchanged' && told.addedToAgent === true,
			),
		'several given to an agent at once': ({ exchanges }) =>
			exchanges.some(({ arrival, ids }) => arrival.operation === 'add' && ids.length > 1),
	},
	neverMeets: ['skipped'],
};

function wereOf(title: string, { before }: Case<TitledText>) {
	return before.records.filter(({ sourceName }) => sourceName === title);
}

function areOf(title: string, { after }: Case<TitledText>) {
	return after.records.filter(({ sourceName }) => sourceName === title);
}
