import fc from 'fast-check';

import { seededText } from '../../service/texts';
import { attachedTo, isUncertain } from '../attribution';
import { INDEXING_EVENTS } from '../coverage';
import { oneIn } from '../drafting';
import { isCountExact } from '../expectations/content';
import { ofIndexing } from '../expectations/indexing';
import { askedItems, each } from '../expectations/sending';
import { meaningOf } from '../exchanges';
import type { Asked, Case, Item, Operation, Wanted } from '../operation';
import { MOST_ITEMS, seed } from '../records';
import { same } from '../report';
import { AFTERWARDS, afterwards, itemOf, maxIndexingMinutes, pacing, unusable } from '../scenario';
import { nameOf } from '../serviceBehaviour';

interface ChangedText extends Wanted {
	id: string;
	/** What is sent. */
	changes: { title?: string; text?: string };
	/** How it is called in the end. */
	title: string;
}

const PLAIN = { waits: false, adds: false, agent: 'unused' };
const IDS = Array.from({ length: MOST_ITEMS }, (_, at) => `text-${at}`);

/** Each item has a text that no other asks for. */
const draft = itemOf(
	[
		unusable({ ...PLAIN, id: IDS[0], title: '', text: '' }),
		unusable({ ...PLAIN, id: IDS[0], title: '', text: 'y'.repeat(5001) }),
		unusable({ ...PLAIN, id: '', title: 'x', text: '' }),
	],
	fc.record({
		afterwards,
		given: fc.constantFrom('title', 'text', 'both'),
		isUnknown: oneIn(6, fc.constant(true)),
	}),
	({ afterwards: then, given, isUnknown = false }, index): Item<ChangedText> => {
		const id = isUnknown ? `nowhere-${index}` : `text-${index}`;
		const changes = {
			...(given !== 'text' && { title: nameOf(index) }),
			...(given !== 'title' && { text: `New ${index}.` }),
		};
		const title = changes.title ?? `${id}.md`;
		const own = { sourceType: 'text', adds: [id], ids: [id] };
		return {
			json: { id, title: '', text: '', ...changes, ...then.json },
			wanted: { id, changes, title, ...own, ...then.wanted },
		};
	},
);

export const updateText: Operation<ChangedText> = {
	name: 'updateText',
	runs: 130,
	parameters: {
		resource: 'text',
		operation: 'update',
		textId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
		updateFields: { title: '={{ $json.title }}', text: '={{ $json.text }}' },
		...AFTERWARDS,
	},
	records: IDS.map((id, at) => seed(id, 'text-details', at)),
	requests: ['updateText', 'poll', 'add'],
	sharedRequests: ['poll'],
	draft,
	mostItems: MOST_ITEMS,
	options: fc.record({ ...pacing, maxIndexingMinutes }),
	ownersOf: ({ ids }, { scenario: { items } }) =>
		items.flatMap(({ wanted }, index) =>
			typeof wanted === 'object' && ids.includes(wanted.id) ? [index] : [],
		),
	isCountExact,
	canBeDone: (one, given) => {
		const { id, uid, waits } = one.wanted;
		const { variant, options, items } = given.scenario;
		if (uid === 'nobody' || !IDS.includes(id)) return false;
		if (!waits) return uid !== undefined && variant.unindexedFiles === 'refuse' ? undefined : true;
		if (statusOf(one, given) === 'failed') return false;
		const limitMs = (options.maxIndexingMinutes ?? 10) * 60_000 - 2000;
		return (variant.indexingMs ?? 20) * items.length > limitMs ? undefined : true;
	},
	promises: [
		{
			title: 'what is sent to a text is what its item gives, and nothing else',
			contradiction: each(askedItems, ({ index, requests, wanted: { changes } }) => {
				const sent = requests.filter(({ arrival }) => arrival.operation === 'updateText');
				const other = sent.find(({ arrival }) => !same(arrival.body, changes));
				return other && `item ${index} sends ${JSON.stringify(other.arrival.body)}`;
			}),
		},
		{
			title:
				'a text that is said to be changed says what it should, and one that is not has stayed',
			contradiction: each(askedItems, (one, given) => {
				const { index, wanted, reported, requests } = one;
				const { outcome } = reported;
				const told = { changed: isChanged(one, given), stayed: isChanged(one, given, false) };
				if (outcome === 'applied' && !told.changed) return `item ${index} is not changed`;
				if (['not applied', 'not sent'].includes(outcome) && !told.stayed) {
					return `item ${index} is changed`;
				}
				const isConfirmed = requests.some(
					(sent) => sent.arrival.operation === 'updateText' && meaningOf(sent) === 'done',
				);
				return outcome === 'partly applied' && isConfirmed && !told.changed
					? `item ${index} is changed to ${given.text(wanted.id)}`
					: undefined;
			}),
		},
		{
			title: 'what is said to be with the agent is, and what is not said to be is not',
			contradiction: each(askedItems, (one, given) => {
				const { index, wanted, reported, requests } = one;
				const json: Record<string, unknown> | undefined = reported.outputs[0] ?? reported.error;
				if (json === undefined || wanted.uid === undefined) return undefined;
				const isThere = attachedTo(wanted, given.after).includes(wanted.id);
				const { addedToAgent = false } = json;
				if (addedToAgent === 'unknown') {
					return isUncertain(requests, 'add') ? undefined : `nobody needs to wonder about ${index}`;
				}
				return addedToAgent === isThere ? undefined : `item ${index} says ${String(addedToAgent)}`;
			}),
		},
		{
			title: 'a text is added only once it is changed, and indexed if its item waits for that',
			contradiction: each(askedItems, ({ index, requests, wanted }, { after }) => {
				const add = requests.find(({ arrival }) => arrival.operation === 'add');
				if (add === undefined) return undefined;
				const change = requests.find(
					(one) => one.arrival.operation === 'updateText' && meaningOf(one).startsWith('done'),
				);
				const record = after.records.find(({ uniqueId }) => uniqueId === wanted.id);
				const isReady = (record?.lastSynced ?? Infinity) <= add.arrival.atMs;
				if (change === undefined) return `item ${index} is added and was not changed`;
				return wanted.waits && !isReady ? `item ${index} is added too early` : undefined;
			}),
		},
		...ofIndexing,
	],
	meets: {
		...INDEXING_EVENTS,
		'a file that cannot be read': ({ after }) =>
			after.records.some(
				({ uniqueId, status, sourceName }) =>
					status === 'failed' && IDS.includes(uniqueId) && sourceName === '0-0.txt',
			),
		'an unknown text': ({ exchanges }) =>
			exchanges.some(
				({ arrival, cause, end }) =>
					arrival.operation === 'updateText' && cause === undefined && end?.status === 404,
			),
	},
	neverMeets: ['skipped'],
};

function statusOf({ wanted: { id } }: Asked<ChangedText>, { after }: Case<ChangedText>) {
	return after.records.find(({ uniqueId }) => uniqueId === id)?.status;
}

/** Whether a text is as it was asked for; with `false`, as it was. */
function isChanged(
	{ wanted: { id, changes } }: Asked<ChangedText>,
	{ after, text }: Case<ChangedText>,
	toWhatIsAsked = true,
): boolean {
	const { title = `${id}.md`, text: words = seededText(id) } = toWhatIsAsked ? changes : {};
	const record = after.records.find(({ uniqueId }) => uniqueId === id);
	// Of a text that is not there, only a service that lies confirms it.
	return record === undefined || (record.sourceName === title && text(id) === words);
}
