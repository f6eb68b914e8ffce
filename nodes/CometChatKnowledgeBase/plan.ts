import type { Change, Operation } from './change';
import { readSourceType, readUid } from './change';
import { Complaint } from './complaint';
import { NO_FILE_IDS, readFileIds } from './fileIds';
import type { Failed, Outcome, Skipped } from './outcome';
import { unusable } from './outcome';
import type { Settings } from './settings';

/** A request that is ready to be sent for one item. */
export interface Plan {
	kind: 'plan';
	change: Change;
	/** How many file IDs stood in the item more than once. */
	repeated: number;
}

/** What the fields of one item evaluated to. */
export interface Values {
	uid: unknown;
	sourceType: unknown;
	fileIds: unknown;
}

const EMPTY = new Complaint(
	"'File IDs' is empty",
	"Check the expression in File IDs against this item's data. To leave such items out, set 'If No File IDs' under Options to Skip the Item.",
);

/** What is to be done for one item: send a request, skip it, or refuse what it holds. */
export function readPlan(
	values: Values,
	operation: Operation,
	{ ifNoFileIds }: Settings,
): Plan | Skipped | Failed {
	const uid = readUid(values.uid);
	if (uid instanceof Complaint) return unusable(uid);
	const sourceType = readSourceType(values.sourceType);
	if (sourceType instanceof Complaint) return unusable(sourceType);
	const fileIds = readFileIds(values.fileIds);
	if (fileIds instanceof Complaint) return unusable(fileIds);

	const asked = { operation, uid, sourceType };
	if (fileIds === NO_FILE_IDS) {
		return ifNoFileIds === 'skip' ? { kind: 'skipped', asked } : unusable(EMPTY);
	}
	const { ids: uniqueIds, repeated } = fileIds;
	return { kind: 'plan', change: { ...asked, uniqueIds }, repeated };
}

const NOT_STARTED = new Complaint(
	'This item was not sent, because another item is unusable',
	'Correct that item, and run the workflow again.',
);

/** The outcome of an item in a run that stops before its first request. */
export function unsent(plan: Plan | Skipped | Failed): Outcome {
	return plan.kind === 'plan'
		? { ...unusable(NOT_STARTED), change: plan.change, because: 'run over' }
		: plan;
}
