import type { ItemOfFiles } from '../../bundling/splitResult';
import type { Ready } from '../../execution/items';
import type { RunContext } from '../../execution/operation';
import { Steps } from '../../execution/steps';
import { switchOption } from '../../input/options';
import { FIND_IDS } from '../../results/advice';
import { RequestFailure } from '../../results/itemFailure';
import type { Failed, ItemResult } from '../../results/itemResult';
import { failedBy, unusable } from '../../results/itemResult';
import { STATUSES } from '../../service/records';
import { askStatuses } from '../../service/statusQuestions';
import { IDS_PER_QUESTION } from '../../service/statuses';
import { quoted } from '../../values/quoting';
import { listed } from '../../values/shown';
import { ValidationIssue } from '../../values/validationIssue';

export const checkIdsOption = switchOption({
	displayName: 'Check IDs First',
	name: 'checkIds',
	type: 'boolean',
	default: false,
	description:
		'Whether to ask CometChat for the status of all IDs before anything is sent, up to 100 in one request. An item with an ID that CometChat does not seem to know fails; in a workflow that stops on errors, nothing is sent then. It does not check Source Type.',
});

/** Whether CometChat has given an ID one of its statuses, or why it has given none of any. */
type Answer = boolean | RequestFailure;

/**
 * With 'Check IDs First', the items that are not to be sent: CometChat does not seem to know one of their
 * files, or has not answered. The question knows no source type, and neither does the check.
 */
export async function itemsNotToSend(
	run: RunContext,
	ready: Array<Ready<ItemOfFiles>>,
): Promise<Map<number, ItemResult>> {
	const held = new Map<number, ItemResult>();
	if (!run.option(checkIdsOption)) return held;
	const ids = new Set(ready.flatMap(({ task }) => task.change.uniqueIds));
	const answers = await answersFor(run, [...ids]);
	// A run that the user has stopped sends nothing anyway, and nobody has said anything of its IDs.
	if (run.clock.isCancelled()) return held;
	for (const item of ready) {
		const failed = whyNotSent(item, answers);
		if (failed !== undefined) held.set(item.index, failed);
	}
	return held;
}

async function answersFor(run: RunContext, ids: string[]): Promise<Map<string, Answer>> {
	const answers = new Map<string, Answer>();
	for (let from = 0; from < ids.length; from += IDS_PER_QUESTION) {
		const asked = ids.slice(from, from + IDS_PER_QUESTION);
		const statuses = await askStatuses(new Steps(run), asked);
		const isFailure = statuses instanceof RequestFailure;
		for (const id of asked) answers.set(id, isFailure ? statuses : isStatus(statuses.get(id)));
		// Whatever the other answers would be, nothing is sent any more.
		if (isFailure && run.stopsOnFailure) break;
	}
	return answers;
}

/** What CometChat says of an ID that it does not know is not documented; what it says of others is. */
function isStatus(status: string | undefined): boolean {
	return STATUSES.some(({ value }) => value === status);
}

function whyNotSent(
	{ task: { change }, requested }: Ready<ItemOfFiles>,
	answers: Map<string, Answer>,
): Failed | undefined {
	const unknown = change.uniqueIds.filter((id) => answers.get(id) === false);
	if (unknown.length > 0) return unusable(notKnown(unknown), requested);
	const failure = change.uniqueIds
		.map((id) => answers.get(id))
		.find((answer) => answer instanceof RequestFailure);
	if (failure === undefined) return undefined;
	const result = { ...failure.result, attempts: 0 };
	const unsent = { effect: 'not applied', attempts: 0, isRepeated: false } as const;
	return failedBy(result, { requested, consequence: NOT_CHECKED, ...unsent });
}

const NOT_CHECKED =
	"Nothing was sent for this item, because 'Check IDs First' is on and its file IDs could not be checked.";

function notKnown(ids: string[]): ValidationIssue {
	const isOne = ids.length === 1;
	return new ValidationIssue(
		`CometChat does not seem to know the file ${isOne ? 'ID' : 'IDs'} ${listed(ids.map(quoted))}`,
		`It was asked for the status, and gave none. ${FIND_IDS} If Document: Get Many lists ${isOne ? 'it' : 'them'}, switch off 'Check IDs First' under Options.`,
	);
}
