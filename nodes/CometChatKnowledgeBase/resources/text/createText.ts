import type { ItemRun, Performer, Reader } from '../../execution/items';
import { itemByItem } from '../../execution/items';
import type { Operation, RunContext } from '../../execution/operation';
import { NOTHING_CHANGED, ItemContext } from '../../execution/itemContext';
import type { Destination } from '../../ingestion/destination';
import { destinationReader } from '../../ingestion/destination';
import { documentRow, failedRow, skippedRow } from '../../ingestion/documentRow';
import type { IfNameExists } from '../../ingestion/ifNameExists';
import { deletionBy, ifNameExistsField, ifNameExistsReader } from '../../ingestion/ifNameExists';
import { maxIndexingOption } from '../../ingestion/indexing';
import { Ingestion } from '../../ingestion/ingestion';
import { ingestionRun } from '../../ingestion/ingestionRun';
import { NewNames } from '../../ingestion/newNames';
import { decideByName } from '../../ingestion/sameName';
import { OF_TEXT } from '../../ingestion/wordings';
import { toAgentFields, waitUntilIndexedField } from '../../input/fields';
import { isItemFailure } from '../../results/apiError';
import { unusable } from '../../results/failure';
import { creationOf, readTextId } from '../../service/texts';
import {
	readTextWords,
	readTitle,
	TEXT,
	TEXT_WITHOUT_AGENT,
	textField,
	titleField,
} from './textFields';

interface TextTask {
	title: string;
	text: string;
	destination: Destination;
	ifNameExists: IfNameExists;
}

const ifTitleExistsField = {
	...ifNameExistsField,
	description:
		'For a text that changes, use Create or Update instead, which changes it where it is. What to do if the agent has a text of this title already, or CometChat if it goes to no agent.',
};

export const createText: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create a text and add it to an agent',
	description: 'Write a text into CometChat, so that an agent can answer from it',
	fields: [titleField, textField, ...toAgentFields, ifTitleExistsField, waitUntilIndexedField],
	options: [maxIndexingOption],
	output: [
		'name',
		'action',
		'success',
		'status',
		'uniqueId',
		'sourceType',
		'agentName',
		'uid',
		'reason',
		'old',
	],
	run: async (run) => {
		const titles = new NewNames('text', 'give each a title of its own');
		const reader = (context: RunContext) => textReader(context, titles);
		const performer = (itemRun: ItemRun) => writer(itemRun, titles);
		return await itemByItem(reader, performer)(run);
	},
};

function textReader(run: RunContext, titles: NewNames): Reader<TextTask> {
	const titleOf = run.parameter('title');
	const textOf = run.parameter('text');
	const destinationOf = destinationReader(run);
	const ifNameExistsOf = ifNameExistsReader(run);
	return (index) => {
		const title = readTitle(titleOf(index));
		const text = readTextWords(textOf(index));
		const destination = destinationOf(index);
		const ifNameExists = ifNameExistsOf(index);
		const task = { title, text, destination, ifNameExists };
		titles.claim(index, bringingOf(task));
		const requested = { name: title, sourceType: TEXT, uid: destination.uid };
		const issue = titles.claimedTwice(index, bringingOf(task));
		return issue ? unusable(issue, requested) : { kind: 'ready', task, requested };
	};
}

function bringingOf({ title, destination: { uid }, ifNameExists }: TextTask) {
	return { names: [title], uid, ifNameExists };
}

function writer(itemRun: ItemRun, titles: NewNames): Performer<TextTask> {
	const run = ingestionRun(itemRun);
	const { inventory } = run;
	const timeZone = run.context.getTimezone();
	return {
		async perform({ index, task, requested }) {
			const issue = titles.claimedTwice(index, bringingOf(task));
			if (issue) return unusable(issue, requested);
			const { title, text, destination, ifNameExists } = task;
			const { uid, waitUntilIndexed } = destination;
			const steps = new ItemContext(run);
			const search = { steps, inventory, sourceType: TEXT, uid };
			const decision = await decideByName(search, [title], { choice: ifNameExists, timeZone });
			if (isItemFailure(decision)) {
				return steps.failed(decision, { ...requested, action: 'failed' }, NOTHING_CHANGED);
			}
			const target = { sourceType: TEXT, names: [title], uid, wording: OF_TEXT };
			const ingestion = new Ingestion(run, target, steps);
			const [known] = decision.skipped;
			if (known) return steps.done([skippedRow(ingestion, known)]);
			// Sent again after a lost answer, it could be there twice.
			const arrive = async () =>
				await ingestion.create(creationOf(title, text), readTextId, 'never');
			ingestion.oldVersions.set(decision.replaced);
			await ingestion.bring(arrive, waitUntilIndexed, deletionBy(ifNameExists));
			const { failure } = ingestion;
			if (failure) return ingestion.failed(failure, () => failedRow(ingestion));
			if (uid === undefined) steps.remark(TEXT_WITHOUT_AGENT);
			const written = ingestion.uniqueIds.map((uniqueId) => ({ name: title, uniqueId }));
			return steps.done(written.map((one) => documentRow(ingestion, one, { action: 'created' })));
		},
		keysOf: async ({ task }) => titles.keysOf(bringingOf(task)),
	};
}
