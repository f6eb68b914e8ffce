import fc from 'fast-check';

import { seededText } from '../../service/texts';
import { oneIn } from '../drafting';
import { askedItems, each } from '../expectations/sending';
import type { Asked, Case, Item, Operation, Wanted } from '../operation';
import { MOST_ITEMS, seed } from '../records';
import { same } from '../report';
import { itemOf, pacing, unusable } from '../scenario';

interface OneText extends Wanted {
	id: string;
	simple: boolean;
}

const FILE = 'a-file';
const TEXTS = Array.from({ length: MOST_ITEMS }, (_, at) => `text-${at}`);

/** Most items have a text that no other asks for, so that it is known whose a request is. */
const draft = itemOf(
	[unusable({ id: '', simple: true }), unusable({ id: TEXTS[0], simple: 'perhaps' })],
	fc.record({
		any: oneIn(3, fc.constantFrom(...TEXTS, 'nowhere', FILE)),
		simple: fc.boolean(),
	}),
	({ any, simple }, index): Item<OneText> => {
		const id = any ?? `text-${index}`;
		return { json: { id, simple }, wanted: { id, simple } };
	},
);

const SIMPLE = ['title', 'status', 'text', 'createdAt', 'updatedAt', 'uniqueId'];

export const getText: Operation<OneText> = {
	name: 'getText',
	runs: 100,
	parameters: {
		resource: 'text',
		operation: 'get',
		textId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
		simple: '={{ $json.simple }}',
	},
	records: [...TEXTS.map((id, at) => seed(id, 'text-details', at)), seed(FILE)],
	requests: ['getText'],
	sharedRequests: [],
	draft,
	mostItems: MOST_ITEMS,
	options: fc.record(pacing),
	ownersOf: ({ ids }, { scenario: { items } }) => {
		const askers = items.flatMap(({ wanted }, index) =>
			typeof wanted === 'object' && ids.includes(wanted.id) ? [index] : [],
		);
		return askers.length === 1 ? askers : [];
	},
	isCountExact: isAlone,
	canBeDone: ({ wanted: { id } }) => TEXTS.includes(id),
	promises: [
		{
			title: 'of each text is told what CometChat has of it, in order what a person looks for',
			contradiction: each(
				askedItems,
				({ index, wanted, reported: { outcome, outputs } }, given) => {
					// The items of a run that stopped are not to be seen.
					if (outcome !== 'applied' || (outputs.length === 0 && given.run.error)) return undefined;
					const [told = {}] = outputs;
					const { id, simple } = wanted;
					const record = given.before.records.find(({ uniqueId }) => uniqueId === id);
					const times = [told.createdAt, told.updatedAt].map((time) =>
						new Date(String(time)).getTime(),
					);
					const isSame = same(
						[id, seededText(id), record?.sourceName],
						[told.uniqueId, told.text, told.title],
					);
					const isWhole = simple
						? SIMPLE.every((name) => name in told) &&
							same(times, [record?.createdAt, record?.updatedAt])
						: told.createdAt === record?.createdAt && told.isActive === true;
					return isSame && isWhole ? undefined : `item ${index} is told ${JSON.stringify(told)}`;
				},
			),
		},
		{
			title: 'that CometChat does not know a text is said where it has said so, and only there',
			contradiction: each(askedItems, ({ index, requests, reported, wanted }) => {
				const last = requests.at(-1);
				if (reported.error === undefined || last === undefined) return undefined;
				const { message } = reported.error;
				const isSaid = String(message).startsWith('CometChat does not know this text');
				const isFound = last.end?.kind === 'answered' && last.end.status === 404;
				// Of one that a misbehaviour made up, the code decides.
				const isMadeUp = last.cause !== undefined;
				const isDenied = isMadeUp || (isFound && !TEXTS.includes(wanted.id));
				const isWrong = isSaid ? !isDenied : isFound && !isMadeUp;
				return isWrong ? `item ${index} says ${JSON.stringify(message)}` : undefined;
			}),
		},
	],
	meets: {
		'an unknown text': ({ exchanges }) =>
			exchanges.some(({ cause, end }) => cause === undefined && end?.status === 404),
	},
	neverMeets: ['skipped', 'unknown', 'partly applied', 'a connection lost after the change'],
};

/** Whether no other item asks for this one's text. */
function isAlone({ wanted: { id } }: Asked<OneText>, { asked }: Case<OneText>): boolean {
	return asked.filter(({ wanted }) => wanted.id === id).length === 1;
}
