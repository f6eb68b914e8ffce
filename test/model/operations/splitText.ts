import fc from 'fast-check';

import { seededText } from '../../service/texts';
import { attachedTo, isUncertain, nameIn } from '../attribution';
import { oneIn } from '../drafting';
import { askedItems, each, first } from '../expectations/sending';
import type { Again, Asked, Case, Holdings, Item, Operation, Options, Wanted } from '../operation';
import { KNOWN_AGENTS, MOST_ITEMS } from '../records';
import { isRecord, same } from '../report';
import { AFTERWARDS, afterwards, itemOf, maxIndexingMinutes, pacing, unusable } from '../scenario';
import { nameOf, variant } from '../serviceBehaviour';

/** A text of so many paragraphs, of which one or two make a part. */
interface Words {
	paragraphs: number;
	perPart: 1 | 2;
	edition: number;
}

interface SplitText extends Wanted {
	title: string;
	parts: Array<{ title: string; text: string }>;
	/** Those that the run before has written. */
	earlierTitles: string[];
}

interface SplitOptions extends Options {
	splitLongText: true;
}

/** Less than there is between two runs, and more than any lasts. */
const LATE_MS = 5_000_000;

const PLAIN = { waits: false, adds: false, agent: 'unused' };

/** What nobody here has written: a text, parts, the end of some, and two of one title. */
const FOREIGN: Array<[place: number, end: string]> = [
	[1, ''],
	[2, ' (1/2)'],
	[2, ' (2/2)'],
	[3, ' (3/3)'],
	[4, ' (1/3)'],
	[4, ' (1/3)'],
];
const RECORDS = FOREIGN.map(([place, end], at) => ({
	uniqueId: `text-${at}`,
	type: 'text-details' as const,
	status: 'indexed' as const,
	sourceName: `${nameOf(place)}${end}`,
}));

const words: fc.Arbitrary<Words> = fc.oneof(
	{ weight: 2, arbitrary: fc.constant({ paragraphs: 3, perPart: 1 as const, edition: 0 }) },
	{
		weight: 2,
		arbitrary: fc.record({
			paragraphs: fc.integer({ min: 1, max: 5 }),
			perPart: fc.constantFrom(1 as const, 2 as const),
			edition: fc.constantFrom(0, 1),
		}),
	},
);

/** How its paragraphs begin, and how long each is; the second edition begins otherwise. */
function drafted({ paragraphs, perPart, edition }: Words) {
	const text = Array.from(
		{ length: paragraphs },
		(_, at) => `${at + edition * (at === 0 ? 9 : 0)} `,
	);
	return { text, length: perPart === 1 ? 3000 : 2000 };
}

function paragraphsOf(given: Words): string[] {
	const { text, length } = drafted(given);
	return text.map((start) => start.padEnd(length, 'x'));
}

function partsOf(title: string, given: Words): SplitText['parts'] {
	const paragraphs = paragraphsOf(given);
	const count = Math.ceil(paragraphs.length / given.perPart);
	return Array.from({ length: count }, (_, at) => ({
		title: count === 1 ? title : `${title} (${at + 1}/${count})`,
		text: paragraphs.slice(at * given.perPart, (at + 1) * given.perPart).join('\n\n'),
	}));
}

/** What the title says without the number of a part. */
function wholeOf(name: string): string {
	return name.replace(/ \(\d+\/\d+\)$/, '');
}

/** Written by the node: what is there from the start has other IDs. */
function isWritten(id: string): boolean {
	return /^0{4}/.test(id);
}

const draft = itemOf(
	[
		unusable({ ...PLAIN, title: ' ', text: ['x'], length: 1 }),
		unusable({ ...PLAIN, title: 'x (1/2)', text: ['x'], length: 1 }),
		unusable({ ...PLAIN, title: 'x'.repeat(496), text: ['x'], length: 5001 }),
	],
	fc.record({
		afterwards,
		words,
		before: fc.option(words, { nil: undefined }),
		isTwin: oneIn(3, fc.constant(true)),
		isEdited: oneIn(3, fc.constant(true)),
	}),
	(
		{ afterwards: then, words: given, before, isTwin, isEdited = false },
		index,
	): Item<SplitText> => {
		const title = nameOf(isTwin && index > 0 ? index - 1 : index);
		const text = paragraphsOf(given).join('\n\n');
		const earlier = before && drafted(before);
		const parts = partsOf(title, given);
		const earlierTitles = before ? partsOf(title, before).map((part) => part.title) : [];
		return {
			json: { title, ...drafted(given), earlier, isEdited, ...then.json },
			wanted: { title, text, parts, earlierTitles, sourceType: 'text', ...then.wanted },
		};
	},
);

export const splitText: Operation<SplitText, SplitOptions> = {
	name: 'splitText',
	runs: 260,
	parameters: {
		resource: 'text',
		operation: 'upsert',
		title: '={{ $json.title }}',
		text: '={{ $json.text.map((start) => start.padEnd($json.length, "x")).join("\\n\\n") }}',
		...AFTERWARDS,
	},
	records: RECORDS,
	requests: [
		'listTexts',
		'createText',
		'updateText',
		'poll',
		'agent',
		'add',
		'getText',
		'deleteText',
	],
	sharedRequests: ['listTexts', 'poll', 'agent', 'add'],
	hasTwins: true,
	draft,
	mostItems: MOST_ITEMS,
	options: fc.record({ ...pacing, maxIndexingMinutes, splitLongText: fc.constant(true as const) }),
	variant: fc
		.record({ usual: variant, late: oneIn(3, fc.constant(LATE_MS)) })
		.map(({ usual, late }) => ({ ...usual, lagsMs: { texts: late } })),
	earlier: (items) => {
		const texts = new Map(
			items.flatMap(({ json: { title, earlier } }) =>
				isRecord(earlier) ? [[title, { ...PLAIN, title, ...earlier }] as const] : [],
			),
		);
		return [...texts.values()];
	},
	edits: (items, there) =>
		items.flatMap(({ json, wanted }) => {
			if (!json.isEdited || typeof wanted !== 'object') return [];
			const last = ofTitle(wanted.title, there).find(
				({ uniqueId, sourceName }) =>
					isWritten(uniqueId) && !sourceName.includes('(1/') && sourceName !== wanted.title,
			);
			return last === undefined ? [] : [{ id: last.uniqueId, text: 'Mine.' }];
		}),
	comesAgain: true,
	heldBefore: fc.uniqueArray(fc.constantFrom(...KNOWN_AGENTS), { maxLength: 2 }).map((uids) => ({
		of: () => uids.map((uid) => ({ uid, sourceType: 'text', ids: ['text-0', 'text-1'] })),
	})),
	ownersOf: (one, played) => {
		const { ids, arrival } = one;
		const names = [...(arrival.fileNames ?? []), ...ids.map((id) => nameIn(played, id))];
		const titles = names.map(wholeOf);
		return played.scenario.items.flatMap(({ wanted }, index) =>
			typeof wanted === 'object' && titles.includes(wanted.title) ? [index] : [],
		);
	},
	mayTake: ({ title }, { id, name }) => isWritten(id) && wholeOf(name) === title,
	mayGive: ({ title }, { name }) => wholeOf(name) === title,
	isNoFailure: ([one, ...more]) =>
		['getText', 'deleteText'].includes(one?.arrival.operation ?? '') ||
		[one, ...more].some((sent) => sent?.arrival.operation === 'add' && sent.ids.length > 1),
	isSentAfterFailure: ({ arrival }) =>
		['agent', 'add', 'getText', 'deleteText'].includes(arrival.operation ?? ''),
	isHeldBack: ({ wanted, index }, { asked, reported }) =>
		twinsOf(wanted, asked).some(
			(one) =>
				one.wanted.text !== wanted.text ||
				(one.index < index && reported[one.index]?.outcome !== 'applied'),
		),
	canBeDone: (one, given) => canBeWritten(one, given, given.before, given.after),
	promises: [
		{
			title: 'of what is said to be there no word is lost: its parts are all there, in order',
			contradiction: each(askedItems, ({ index, wanted, reported }, given) => {
				const why = whyNotWhole(wanted, reported.outputs[0], given, given.edits);
				return why && `of item ${index}, ${why}`;
			}),
		},
		{
			title: 'there are never two parts of one number, but for those that there were',
			contradiction: ({ asked, before, after, again }) =>
				first(asked, ({ wanted: { title } }) =>
					first([after, again?.after ?? after], (there) => {
						const names = ofTitle(title, there).map(({ sourceName }) => sourceName);
						const were = ofTitle(title, before).map(({ sourceName }) => sourceName);
						return first(names, (name) =>
							count(names, name) > Math.max(count(were, name), 1)
								? `${name} is there ${count(names, name)} times`
								: undefined,
						);
					}),
				),
		},
		{
			title: 'what is of another hand stays as it is, unless it has the very title of a part',
			contradiction: ({ asked, after, text, again }) =>
				first(RECORDS, ({ uniqueId, sourceName }) => {
					const titles = asked.flatMap(({ wanted: { parts, earlierTitles } }) => [
						...parts.map((part) => part.title),
						...earlierTitles,
					]);
					// A text that was not split becomes the first part.
					if (titles.includes(sourceName) || wholeOf(sourceName) === sourceName) return undefined;
					return first([{ after, text }, again ?? { after, text }], (at) => {
						const now = at.after.records.find((one) => one.uniqueId === uniqueId);
						const isSame =
							now?.sourceName === sourceName && at.text(uniqueId) === seededText(uniqueId);
						return isSame ? undefined : `${uniqueId} is not as it was`;
					});
				}),
		},
		{
			title: 'what somebody has written since the list was made is not deleted',
			holdsFor: ({ scenario }) => scenario.variant.lagsMs?.texts !== undefined,
			contradiction: ({ edits, after }) =>
				first(edits, ({ id }) =>
					after.records.some(({ uniqueId }) => uniqueId === id) ? undefined : `${id} is gone`,
				),
		},
		{
			title:
				'what is left of a title, beside its parts, is named in a warning; what is said to be deleted is',
			holdsFor: ({ run, stoppedAtMs }) => run.error === undefined && stoppedAtMs === undefined,
			contradiction: each(askedItems, ({ index, wanted, reported }, { after, run }) => {
				const [told] = reported.outputs;
				if (told === undefined) return undefined;
				const warned = run.hints.filter(({ type }) => type === 'warning');
				const said = warned.map(({ message }) => message).join();
				const there = ofTitle(wanted.title, after).map(({ uniqueId }) => uniqueId);
				const left = there.filter((id) => !idsIn(told).includes(id) && !said.includes(id));
				if (left.length > 0) return `nothing is said of ${left.join()}, left of item ${index}`;
				const { deleted = [] } = told;
				return first([deleted].flat(), (id) =>
					there.includes(String(id)) ? `${String(id)} is there` : undefined,
				);
			}),
		},
		{
			title: 'an item that is said not to be done has changed nothing of its title',
			contradiction: each(askedItems, ({ index, wanted, reported, requests }, given) => {
				if (!['not applied', 'not sent', 'unknown'].includes(reported.outcome)) return undefined;
				if (twinsOf(wanted, given.asked).length > 1) return undefined;
				if (reported.outcome === 'unknown') {
					const mayBe = ['createText', 'updateText'].some((name) => isUncertain(requests, name));
					return mayBe || given.stoppedAtMs !== undefined
						? undefined
						: `nobody needs to wonder about item ${index}`;
				}
				const [was, is] = [given.before, given.after].map((there) =>
					ofTitle(wanted.title, there).map(({ uniqueId, sourceName }) => [uniqueId, sourceName]),
				);
				return JSON.stringify(was) === JSON.stringify(is)
					? undefined
					: `of item ${index} there is ${JSON.stringify(is)}`;
			}),
		},
		{
			title: 'what is said to be with the agent is, all of it',
			contradiction: each(askedItems, ({ index, wanted, reported }, { after }) => {
				const [told = {}] = reported.outputs;
				if (told.addedToAgent !== true) return undefined;
				const held = attachedTo(wanted, after);
				const lacking = idsIn(told).find((id) => !held.includes(id));
				return lacking && `${lacking} of item ${index} is not at ${wanted.uid}`;
			}),
		},
		{
			title: 'what was done and can be read is not written again in the next run',
			contradiction: (given) =>
				first(given.asked, (one) => {
					const { again, edits } = given;
					const told = toldAgain(one, again);
					if (again === undefined || one.reported.outcome !== 'applied') return undefined;
					const were = ofTitle(one.wanted.title, again.before);
					if (were.some(({ status }) => status === 'failed')) return undefined;
					if (were.some(({ uniqueId }) => edits.some(({ id }) => id === uniqueId)))
						return undefined;
					const ids = were.map(({ uniqueId }) => uniqueId);
					const written = again.log.find(
						({ operation = '', fileNames = [], uniqueIds = [] }) =>
							(operation === 'createText' && fileNames.map(wholeOf).includes(one.wanted.title)) ||
							(operation === 'updateText' && uniqueIds.some((id) => ids.includes(id))),
					);
					if (written) return `${written.operation} is sent for item ${one.index}`;
					const isLeft = [told?.deleted ?? []].flat().length > 0;
					const action = isLeft ? 'updated' : 'unchanged';
					return told === undefined || told.error != null || told.action === action
						? undefined
						: `item ${one.index} is ${String(told.action)}`;
				}),
		},
		{
			title:
				'the next run mends whatever became of this one: all parts are there, and no others that the node had noted',
			contradiction: (given) =>
				first(given.asked, (one) => {
					const { again, before, edits } = given;
					if (again === undefined || !isMendable(one, given, again)) return undefined;
					const told = toldAgain(one, again);
					if (told?.success !== true)
						return `item ${one.index} says ${JSON.stringify(told?.error)}`;
					const why = whyNotWhole(one.wanted, told, again);
					if (why) return `of item ${one.index}, ${why}`;
					const noted = ofTitle(one.wanted.title, before).filter(
						({ uniqueId }) => isWritten(uniqueId) && !edits.some(({ id }) => id === uniqueId),
					);
					const left = noted.find(
						({ uniqueId, sourceName }) =>
							wholeOf(sourceName) !== sourceName &&
							!idsIn(told).includes(uniqueId) &&
							again.after.records.some((record) => record.uniqueId === uniqueId),
					);
					return left && `${left.uniqueId} is left of item ${one.index}`;
				}),
		},
	],
	meets: {
		'parts deleted': (_, reported) => reported.some(({ outputs: [told] }) => told?.deleted),
		'parts that were already right': (_, reported) =>
			reported.some(({ outputs: [told] }) => told?.action === 'unchanged' && told.parts),
		'parts of another hand': ({ run }) => run.stored.includes('may be of another hand'),
		'two of a title': ({ run }) => run.stored.includes('CometChat has 2 texts'),
		'two items of a title, one text': ({ scenario: { items } }, reported) =>
			items.some(
				({ json }, at) =>
					json.title === items[at + 1]?.json.title &&
					same(json.text, items[at + 1]?.json.text) &&
					reported[at + 1]?.outcome === 'applied',
			),
		'two items of a title, two texts': ({ run }) => run.stored.includes('and different texts'),
		'an item that waits for what another may have written': ({ run }) =>
			run.stored.includes('whether another item has written'),
		'a part that somebody has changed is not deleted': ({ run }) =>
			run.stored.includes('could not be deleted'),
		'a text mended by the next run': ({ again }, reported) =>
			reported.some(
				({ outcome, outputs }, at) =>
					outcome === 'unknown' && outputs.length === 0 && again?.run.output[at]?.json.success,
			),
	},
	neverMeets: ['skipped'],
};

function ofTitle(title: string, { records }: Holdings) {
	return records.filter(({ sourceName }) => wholeOf(sourceName) === title);
}

function count(names: string[], name: string): number {
	return names.filter((one) => one === name).length;
}

function idsIn(told: Record<string, unknown>): string[] {
	const { uniqueId, uniqueIds } = told;
	return [uniqueIds ?? uniqueId].flat().map(String);
}

/** Why what is said to be done is not. @param edits What the node could not know. */
function whyNotWhole(
	{ parts }: SplitText,
	told: Record<string, unknown> | undefined,
	{ after, text }: Pick<Case, 'after' | 'text'>,
	edits: Case['edits'] = [],
): string | undefined {
	if (told === undefined) return undefined;
	const ids = idsIn(told);
	if (ids.some((id) => edits.some((one) => one.id === id))) return undefined;
	const names = ids.map((id) => after.records.find(({ uniqueId }) => uniqueId === id)?.sourceName);
	const wanted = parts.map(({ title }) => title);
	if (names.join() !== wanted.join()) return `there is ${names.join()}`;
	const said = ids.map((id) => text(id)).join('\n\n');
	return said === parts.map((part) => part.text).join('\n\n') ? undefined : 'words are lost';
}

function toldAgain({ index }: Asked<SplitText>, again?: Again) {
	return again?.run.output[index]?.json;
}

/** The items of its title, itself among them. */
function twinsOf({ title }: SplitText, asked: Array<Asked<SplitText>>) {
	return asked.filter((one) => one.wanted.title === title);
}

function canBeWritten(
	{ wanted }: Asked<SplitText>,
	{ scenario, asked }: Case<SplitText, SplitOptions>,
	before: Holdings,
	after: Holdings,
): boolean | undefined {
	const { title, uid, waits, parts } = wanted;
	const { variant: usual, options, items } = scenario;
	const twins = twinsOf(wanted, asked);
	if (twins.some((one) => one.wanted.text !== wanted.text)) return false;
	const names = ofTitle(title, before).map(({ sourceName }) => sourceName);
	if (uid === 'nobody') return false;
	if ([title, ...parts.map((part) => part.title)].some((name) => count(names, name) > 1)) {
		return false;
	}
	// One of them may fail the other.
	if (twins.length > 1) return undefined;
	if (!waits) return uid !== undefined && usual.unindexedFiles === 'refuse' ? undefined : true;
	const own = parts.map((part) => part.title);
	const isFailed = after.records.some(
		({ sourceName, status }) => own.includes(sourceName) && status === 'failed',
	);
	if (isFailed) return false;
	const limitMs = (options.maxIndexingMinutes ?? 10) * 60_000 - 2000;
	const most = 5 * items.length;
	return (usual.indexingMs ?? 20) * most > limitMs ? undefined : true;
}

/** The next run has no options but its own. */
function isMendable(one: Asked<SplitText>, given: Case<SplitText, SplitOptions>, again: Again) {
	const { scenario } = given;
	const calm = { ...given, scenario: { ...scenario, options: { splitLongText: true as const } } };
	return canBeWritten(one, calm, again.before, again.after) === true;
}
