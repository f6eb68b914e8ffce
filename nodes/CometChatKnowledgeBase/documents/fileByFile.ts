import type { ItemRun, Performer } from '../execution/items';
import type { RunContext } from '../execution/operation';
import { Steps } from '../execution/steps';
import { insteadOfId } from '../input/fileIds';
import type { Effect } from '../requests/attemptResult';
import { describeFiles, effectOnItem, filesByEffect, withAdvice } from '../results/filesOfItem';
import type { ItemFailure } from '../results/itemFailure';
import { RequestFailure } from '../results/itemFailure';
import type { Fields, ItemResult } from '../results/itemResult';
import type { Shown, Words } from '../values/shown';

/** The files of an item. */
export interface FilesOfType {
	/** The part of the address that says what they are. */
	sourceType: string;
	uniqueIds: Shown[];
}

/** What is done to a file, and how it is told. */
export interface FileAction {
	/** What becomes of it, in a word: 'deleted'. */
	done: Words;
	/** What n8n expects of an item of which all files are done. */
	success: Fields;
	perform(steps: Steps, sourceType: string, uniqueId: string): Promise<true | ItemFailure>;
	/** Whether a failure counts as done, because there was nothing left to do. Left out: none does. */
	isDoneAlready?(failure: ItemFailure): boolean;
	/** What stands beside the IDs in an item's output. Left out: nothing. */
	details?(doneAlready: Shown[]): Fields;
	/** The same failure, with more to say. */
	explained?(failure: ItemFailure): ItemFailure;
}

/** What became of a file, and the requests that it took. */
interface Performed {
	answer: true | ItemFailure;
	steps: Steps;
}

/**
 * One request for each file: the service documents none for several. Once for all items that name the
 * file: a second request would meet what the first has done.
 */
export function fileByFile(
	actionIn: (run: ItemRun) => FileAction,
): (run: ItemRun) => Performer<FilesOfType> {
	return (run) => {
		const action = actionIn(run);
		const performed = new Map<string, Promise<Performed>>();
		const performOne = async (sourceType: string, uniqueId: string): Promise<Performed> => {
			const steps = new Steps(run);
			return { answer: await action.perform(steps, sourceType, uniqueId), steps };
		};
		const performOnce = async (sourceType: string, uniqueId: string) => {
			const key = JSON.stringify([sourceType, uniqueId]);
			const one = performed.get(key) ?? performOne(sourceType, uniqueId);
			performed.set(key, one);
			return await one;
		};
		return { perform: async ({ task }) => await performAll(run, action, task, performOnce) };
	};
}

async function performAll(
	run: RunContext,
	action: FileAction,
	{ sourceType, uniqueIds }: FilesOfType,
	performOnce: (sourceType: string, uniqueId: string) => Promise<Performed>,
): Promise<ItemResult> {
	const { isDoneAlready = () => false, details = () => ({}), explained = (it) => it } = action;
	const steps = new Steps(run);
	const parts: Array<{ uniqueIds: Shown[]; effect: Effect }> = [];
	const doneAlready: Shown[] = [];
	let failure: ItemFailure | undefined;
	for (const uniqueId of uniqueIds) {
		if (failure && run.stopsOnFailure) {
			parts.push({ uniqueIds: [uniqueId], effect: 'not applied' });
			continue;
		}
		const { answer, steps: taken } = await performOnce(sourceType, uniqueId);
		steps.include(taken);
		const effect = answer === true ? 'applied' : failureEffect(answer);
		const isAlready = answer !== true && isDoneAlready(answer);
		if (isAlready) doneAlready.push(uniqueId);
		parts.push({ uniqueIds: [uniqueId], effect: isAlready ? 'applied' : effect });
		if (answer !== true && !isAlready) failure ??= answer;
	}
	const requested = { uniqueIds, ...details(doneAlready) };
	if (failure === undefined) return steps.done([{ ...action.success, ...requested }]);
	const files = filesByEffect(parts);
	const effect = effectOnItem(files);
	const consequence = describeFiles(files, uniqueIds.length, action.done, sourceType);
	const advice = insteadOfId([...files.notApplied, ...files.unknown], []);
	const advised =
		failure instanceof RequestFailure
			? new RequestFailure(withAdvice(failure.result, advice))
			: failure;
	const shown = { ...requested, ...(uniqueIds.length > 1 ? { files } : {}) };
	return steps.failed(explained(advised), shown, { effect, consequence });
}

function failureEffect(failure: ItemFailure): Effect {
	if (failure instanceof RequestFailure) return failure.result.effect;
	return failure.more.effect ?? 'not applied';
}
