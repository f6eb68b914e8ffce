import type { IDataObject } from 'n8n-workflow';

import { KEY } from '../../node/fixture';
import type { Promised } from '../suite';
import { firstOf } from '../suite';
import { isRecord } from '../serviceRules';
import type { Item, Story } from './story';
import { isSlow, isTold } from './story';
import type { Passed } from './play';
import type { Document, Truth } from './truth';
import { documentsOf, nameOf, pictureOf, plain } from './truth';

/**
 * The promises about each operation, from the requests, documents, wanted facts and output, but no operation's rules.
 */
export const INVARIANTS: Array<Promised<Passed>> = [
	{
		title: 'each input item has its outcome, linked to it',
		contradiction: (passed) =>
			firstOf(passed.runs, (run) => {
				if (run.error) return isStopping(passed) ? undefined : `it ended: ${run.error.message}`;
				const linked = outcomesOf(run).map(({ index }) => index);
				if (linked.some((at) => passed.story.workflow.items[at] === undefined)) {
					return `items are linked to ${linked.join()}`;
				}
				return firstOf(passed.story.workflow.items, ({ wants }, at) => {
					const count = linked.filter((one) => one === at).length;
					// Several documents, or a search, may have any number of items.
					return count > 0 || wants.length === 0 ? undefined : `item ${at} has none`;
				});
			}),
	},
	{
		title: 'what is said to be done is so',
		contradiction: eachOutcome(({ json, item, isAlone }, { truths, runs, week }) => {
			if (isFailed(json) || json.action === 'skipped') return undefined;
			if (week.showsBarrier) return undefined;
			return firstOf(item.wants, ({ title, isSo, isOfOne, unlessSaid }) => {
				if (isOfOne && runs.length > 1) return undefined;
				// Another item or execution with the same subject may have changed it since.
				const seen = isAlone ? truths.slice(-1) : truths;
				if (unlessSaid?.test(JSON.stringify(json))) return undefined;
				return seen.some(isSo) ? undefined : `not so: ${title}`;
			});
		}),
	},
	{
		title: 'what is said to be with the agent, indexed or deleted is so',
		contradiction: eachOutcome(({ json, isAlone }, { truths }) => {
			const seen = isAlone ? truths.slice(-1) : truths;
			const ids = [json.uniqueId, json.uniqueIds].flat().filter(isText);
			const isGiven = json.success === true && isText(json.uid) && GIVEN.has(json.action);
			return firstOf(ids, (id) => {
				const has = ({ attached }: Truth) => attached.get(String(json.uid))?.includes(id);
				const isUsable = ({ documents }: Truth) => documents.get(id)?.isUsable;
				const isGone = ({ documents }: Truth) => !documents.has(id);
				// An ID may be used again, so another item may mean the earlier document.
				if (isGiven && !truths.some(has)) return `${id} is not at ${json.uid}`;
				const isIndexed = json.status === 'indexed' || json.status === 'inSync';
				if (isIndexed && !truths.some(isUsable)) return `${id} is not indexed`;
				return json.deleted === true && !seen.some(isGone) ? `${id} is there` : undefined;
			});
		}),
	},
	{
		title: 'an item that is said not to be done has changed nothing',
		contradiction: (passed) => {
			const { truths, runs } = passed;
			const [before, after] = [truths[0], truths.at(-1)];
			if (before === undefined || after === undefined) return undefined;
			const outcomes = runs.flatMap(outcomesOf);
			// A named empty document stays until a user deletes it.
			const isUndone = outcomes.every(
				({ json }) => detailsOf(json).effect === 'not applied' && !detailsOf(json).unfinished,
			);
			if (!isUndone || runs.some(({ error }) => error) || outcomes.length === 0) return undefined;
			return pictureOf(before) === pictureOf(after) ? undefined : difference(before, after);
		},
	},
	{
		title: 'nothing is deleted that no item names, or that an agent has',
		contradiction: eachLoss(({ id, document, before, after, takers, isNew }) => {
			if (after.documents.get(id)?.createdAt === document.createdAt) return undefined;
			if (takers.length === 0 && !isNew) return `${id} (${document.name}) is gone`;
			if (takers.some(({ takesFromAll }) => takesFromAll)) return undefined;
			const [uid] = [...before.attached].find(([, ids]) => ids.includes(id)) ?? [];
			return uid && `${id} (${document.name}) is gone, and ${uid} has it`;
		}),
	},
	{
		title:
			'nothing that was there before is deleted unless the user chose that, but for websites without a page that was read',
		contradiction: eachLoss(({ id, document, after, takers, isNew }) => {
			if (isNew || after.documents.get(id)?.createdAt === document.createdAt) return undefined;
			if (document.name.startsWith('https:') && document.read.length === 0) return undefined;
			return takers.some(({ deletes }) => deletes) ? undefined : `${id} (${document.name}) is gone`;
		}),
	},
	{
		title: 'what an agent answered from, and was not to be taken, it still has',
		contradiction: eachLoss(({ id, document, before, after, takers, isNew }) => {
			return firstOf([...before.attached], ([uid, ids]) => {
				const isLost = ids.includes(id) && !after.attached.get(uid)?.includes(id);
				if (!isLost || isNew) return undefined;
				return takers.some((item) => item.uid === uid || item.takesFromAll)
					? undefined
					: `${uid} has lost ${id} (${document.name})`;
			});
		}),
	},
	{
		title: 'a text that its agent has not is left as it is, where the agent has one of this title',
		holdsFor: ({ story }) => story.workflow.operation === 'upsert' && isTold(story),
		contradiction: ({ story: { workflow, variant }, truths }) => {
			const [before, after] = [truths[0], truths.at(-1)];
			// A title with the key is hidden.
			if (before === undefined || variant.repeatsKey === 'title') return undefined;
			return firstOf(workflow.items, ({ uid, takes }) => {
				if (uid === undefined) return undefined;
				const own = documentsOf(before, uid).filter(({ name }) => takes.includes(name));
				return firstOf(documentsOf(before), ({ id, name, content }) => {
					const isOther = takes.includes(name) && own.every((one) => one.id !== id);
					const isChanged = content !== (after?.documents.get(id)?.content ?? content);
					return own.length > 0 && isOther && isChanged ? `${id} (${name}) is changed` : undefined;
				});
			});
		},
	},
	{
		title: 'what is replaced is lost only once something whole is in its place',
		contradiction: eachLoss(({ id, document, before, after, takers, story }) => {
			// After an early response, nobody knows whether a crawl has ended, so the pages from before are enough.
			const isEarly = story.variant.web?.crawling?.answersEarly === true;
			const isAsBefore = (one: Document) =>
				one.name === document.name && document.read.every((url) => one.read.includes(url));
			const isWanted = document.isUsable && takers.length > 0;
			if (!isWanted || takers.some(({ takes }) => takes.includes(id))) return undefined;
			return firstOf([...before.attached], ([uid, ids]) => {
				if (!ids.includes(id) || after.attached.get(uid)?.includes(id)) return undefined;
				const isReplaced = takers.some(
					(item) =>
						(item.uid === uid || item.takesFromAll || item.takesAfter === undefined) &&
						(item.takesAfter ?? item.wants.filter(({ comesFirst }) => comesFirst)).every((fact) =>
							fact.isSo(after),
						),
				);
				const isKept = isEarly && documentsOf(after, uid).some(isAsBefore);
				if (isReplaced || isKept) return undefined;
				return `${uid} has lost ${id} (${document.name}) for nothing`;
			});
		}),
	},
	{
		title: 'each ID that was created is named in the output, or gone',
		contradiction: (passed) => {
			const { runs, truths, week, log } = passed;
			const [before, after] = [truths[0], truths.at(-1)];
			// n8n shows no output of a stopped execution.
			if (runs.some(({ status }) => status === 'canceled')) return undefined;
			if (before === undefined || after === undefined) return undefined;
			const told = runs.map(toldIn).join();
			// If CometChat has not returned the ID, the name is enough.
			const isNamed = (id: string, name: string) =>
				!log.some(({ uniqueIds }) => uniqueIds?.includes(id)) &&
				runs.some((run) => errorsIn(run).includes(name.replace('https://', '')));
			return firstOf([...after.documents], ([id, { name, createdAt }]) => {
				const isNew = before.documents.get(id)?.createdAt !== createdAt;
				const isLost = week.misbehaviours.length > 0 && !isAnswered(log, name, week.misbehaviours);
				// The next execution corrects two simultaneous crawls of the same URL.
				const isSecond = runs.length > 1 && name.startsWith('https:');
				if (!isNew || isLost || isSecond || told.includes(id) || isNamed(id, name))
					return undefined;
				return `${id} (${name}) is not named`;
			});
		},
	},
	{
		title: 'neither what is shown nor what is stored holds the API key or a part of it',
		contradiction: ({ runs }) => {
			const shown = runs.map(({ stored, hints }) => stored + JSON.stringify(hints)).join();
			const secrets = [KEY, KEY.slice(0, 12), KEY.slice(-12), 'X-Amz-Signature='];
			const at = secrets.map((part) => shown.indexOf(part)).find((one) => one >= 0);
			return at === undefined ? undefined : shown.slice(Math.max(0, at - 200), at + 50);
		},
	},
	{
		title: 'nothing is sent without end, nor after the end',
		contradiction: ({ story, runs, log, endedAtMs, timersLeft }) => {
			const sent = log.filter(({ kind }) => kind === 'arrived');
			const most = MOST_REQUESTS * story.workflow.items.length * runs.length;
			if (sent.length > most) return `${sent.length} requests`;
			if (timersLeft > 0) return `${timersLeft} timers are left`;
			const late = sent.find(({ atMs }) => atMs > endedAtMs);
			return late && `#${late.request} is sent after the end`;
		},
	},
	{
		title: 'no two requests change one agent at once',
		contradiction: ({ log, runs }) => {
			const underWay = new Map<string, number>();
			return firstOf(log, ({ operation, uid = '', kind, request }) => {
				if (operation !== 'add' && operation !== 'remove') return undefined;
				const count = (underWay.get(uid) ?? 0) + (kind === 'arrived' ? 1 : -1);
				underWay.set(uid, count);
				return count > runs.length ? `#${request} for ${uid}` : undefined;
			});
		},
	},
	{
		title: 'once nothing goes wrong any more, what can be done is done',
		holdsFor: ({ story, calm }) => calm >= 2 && isTold(story) && !isSlow(story),
		contradiction: eachOutcome(({ json, item, isAlone }, { previous }) => {
			const { mayFail = false } = item;
			// The previous week may have corrected the effects of the faults.
			if (mayFail || !isAlone || previous === undefined || !isFailed(json)) return undefined;
			return String(isRecord(json.error) ? json.error.message : json.error);
		}),
	},
	{
		title: 'what several agents are to have is one document for all',
		holdsFor: ({ story, calm }) => calm >= 2 && isTold(story) && !isSlow(story),
		contradiction: ({ runs, truths, story }) => {
			const after = truths.at(-1);
			const isFailing = runs.some((run) => outcomesOf(run).some(({ json }) => isFailed(json)));
			if (after === undefined || isFailing) return undefined;
			const sharing = story.workflow.items.filter(({ uid, shares }) => uid && shares);
			return firstOf(sharing, ({ uid, shares }) => {
				const first = sharing.find((one) => one.shares === shares);
				// The agent may also use an older document, which the item names.
				const [its, that] = [uid, first?.uid].map((each) =>
					documentsOf(after, each)
						.filter(({ name }) => name === shares)
						.reduce((newest, one) => (one.createdAt > newest.createdAt ? one : newest)),
				);
				return its?.id === that?.id
					? undefined
					: `${uid} has ${its?.id}, ${first?.uid} ${that?.id}`;
			});
		},
	},
	{
		title: 'the same run again changes nothing, but for a copy of a document that it names',
		holdsFor: (passed) => isRepeated(passed) && !leavesWebsites(passed.story),
		contradiction: ({ truths, story, runs }) => {
			const [before, after] = [truths[0], truths.at(-1)];
			if (before === undefined || after === undefined) return undefined;
			// Slow new documents are not indexed at the end of an execution.
			const isRead = !isSlow(story);
			const isSame = [after, withoutNamedCopies(before, after, runs)].some(
				(one) => pictureOf(before, isRead) === pictureOf(one, isRead),
			);
			return isSame ? undefined : difference(before, after);
		},
	},
	{
		title: 'the same run again writes no text that is there',
		holdsFor: (passed) => isRepeated(passed) && passed.story.workflow.operation !== 'update',
		contradiction: ({ log, runs, truths: [before] }) => {
			return firstOf(log, ({ kind, operation = '', request, fileNames = [] }) => {
				const isWritten = kind === 'arrived' && /^(?:create|update)Text$/.test(operation);
				const isNamed = fileNames.some(
					(name) => before && isUnusedNamed(before, plain(name), runs),
				);
				return isWritten && !isNamed ? `#${request} is ${operation}` : undefined;
			});
		},
	},
	{
		title:
			'the number of documents does not grow from run to run, but by a copy of a document that it names',
		holdsFor: ({ story, calm }) =>
			calm === 3 && isTold(story) && !story.workflow.grows && !leavesWebsites(story),
		contradiction: ({ truths, runs }) => {
			const [first, last] = [truths[0], truths.at(-1)];
			if (first === undefined || last === undefined) return undefined;
			const counts = [first, withoutNamedCopies(first, last, runs)].map((truth) => [
				truth.documents.size,
				...[...truth.attached.values()].map((ids) => ids.length),
			]);
			const [before = [], after = []] = counts;
			const isMore = after.some((count, at) => count > (before[at] ?? 0));
			return isMore ? `${before.join()} become ${after.join()}` : undefined;
		},
	},
];

/** The actions of documents for an agent. */
const GIVEN = new Set<unknown>([
	...['added', 'created', 'replaced', 'updated', 'unchanged'],
	...['crawled', 'refreshed', 'continued'],
]);

const MOST_REQUESTS = 250;

interface Outcome {
	json: IDataObject;
	index: number;
}

function outcomesOf({ output, errorOutput }: Passed['runs'][number]): Outcome[] {
	return [...output, ...errorOutput].map(({ json, pairedItem }) => ({
		json,
		index: isRecord(pairedItem) && typeof pairedItem.item === 'number' ? pairedItem.item : -1,
	}));
}

function isFailed({ error }: IDataObject): boolean {
	return error !== undefined && error !== null;
}

/** Returns the final documents, without new documents whose rows name an older unused document. */
function withoutNamedCopies(before: Truth, after: Truth, runs: Passed['runs']): Truth {
	const kept = new Map([...before.documents].filter(([id]) => after.documents.has(id)));
	const isCopy = ([id, { name }]: [string, Document]) =>
		!before.documents.has(id) && isUnusedNamed({ ...before, documents: kept }, name, runs);
	return { ...after, documents: new Map([...after.documents].filter((one) => !isCopy(one))) };
}

function isUnusedNamed(before: Truth, name: string, runs: Passed['runs']): boolean {
	const isUnused = (id: string) => [...before.attached.values()].every((ids) => !ids.includes(id));
	return documentsOf(before).some(
		(one) =>
			one.name === name && isUnused(one.id) && runs.some((run) => toldIn(run).includes(one.id)),
	);
}

/** Returns everything that users can read. */
function toldIn({ output, errorOutput, error, hints }: Passed['runs'][number]): string {
	const items = [...output, ...errorOutput].map(({ json }) => json);
	return JSON.stringify([items, error?.message, error?.description, hints]);
}

function errorsIn(run: Passed['runs'][number]): string {
	const items = [...run.output, ...run.errorOutput].map(({ json }) => json.error);
	return [run.error?.message, run.error?.description, JSON.stringify(items)].join();
}

function isStopping({ week: { onError, stop } }: Passed): boolean {
	return onError === 'stopWorkflow' || stop !== undefined;
}

function detailsOf({ error }: IDataObject): Record<string, unknown> {
	return isRecord(error) && isRecord(error.details) ? error.details : {};
}

/** @param contradiction Its `isAlone` is true if nothing else in the week has the same subject. */
function eachOutcome(
	contradiction: (
		given: Outcome & { item: Item; isAlone: boolean },
		passed: Passed,
	) => string | undefined,
) {
	return (passed: Passed): string | undefined => {
		const { items } = passed.story.workflow;
		return firstOf(passed.runs.flatMap(outcomesOf), ({ json, index }) => {
			const item = items[index];
			if (item === undefined) return undefined;
			const others = items.filter((one) => one !== item);
			const isShared = ({ wants, takes }: Item) =>
				[...takes, ...wants.map(({ about }) => about)].some((key) =>
					[...item.takes, ...item.wants.map(({ about }) => about)].includes(key),
				);
			const isAlone = passed.runs.length === 1 && !others.some(isShared);
			const why = contradiction({ json, index, item, isAlone }, passed);
			return why && `item ${index}: ${why}`;
		});
	};
}

/** A document that an agent, or the account, had at one moment and not at the next. */
interface Loss {
	id: string;
	document: Document;
	before: Truth;
	after: Truth;
	/** The items that may remove the document. */
	takers: Item[];
	isNew: boolean;
	story: Story;
}

function eachLoss(contradiction: (loss: Loss) => string | undefined) {
	return (passed: Passed): string | undefined => {
		const { truths, story } = passed;
		return firstOf(truths.slice(1), (after, at) => {
			const before = truths[at];
			if (before === undefined || before === after) return undefined;
			return firstOf([...before.documents], ([id, document]) => {
				const takers = story.workflow.items.filter(({ takes }) =>
					takes.some((one) => one === id || one === document.name),
				);
				const isNew = truths[0]?.documents.get(id)?.createdAt !== document.createdAt;
				return contradiction({ id, document, before, after, takers, isNew, story });
			});
		});
	};
}

/** Whether a calm week repeats the week before, so that nothing should change. */
function isRepeated({ story, calm }: Passed): boolean {
	const { workflow } = story;
	return calm === 3 && isTold(story) && !workflow.grows && isSteady(workflow.items);
}

/** Whether no two items have the same subject, and each wants the same as in the previous week. */
function isSteady(items: Item[]): boolean {
	if (items.some(({ isNew }) => isNew)) return false;
	const about = items.flatMap(({ wants }) => [...new Set(wants.map((fact) => fact.about))]);
	return new Set(about).size === about.length;
}

/** Whether the response with the ID of a new document was regular. */
function isAnswered(
	log: Passed['log'],
	name: string,
	misbehaviours: Passed['week']['misbehaviours'],
): boolean {
	const creating = log.filter(
		({ fileNames, applied, operation }) =>
			applied && operation !== 'upload' && fileNames?.some((one) => nameOf(one).startsWith(name)),
	);
	return creating.every(
		({ operation, kind, status = 0 }) =>
			kind === 'answered' &&
			status < 300 &&
			!misbehaviours.some((one) => one.for.operation === operation),
	);
}

/** Whether each execution crawls a website and ends before a page is indexed, so that the named website stays. */
function leavesWebsites(story: Story): boolean {
	return story.workflow.resource === 'website' && isSlow(story);
}

function difference(before: Truth, after: Truth): string {
	const [left, right] = [before, after].map((truth) => pictureOf(truth).split('\n'));
	const only = (all: string[] = [], others: string[] = []) =>
		all.filter((line, at) => line !== others[at]).slice(0, 5);
	return `${only(left, right).join('\n')}\nbecomes\n${only(right, left).join('\n')}`;
}

function isText(value: unknown): value is string {
	return typeof value === 'string';
}
