import type { ItemRun, Performer, Reader } from '../../execution/items';
import { itemByItem } from '../../execution/items';
import type { Operation, RunContext } from '../../execution/operation';
import { NOTHING_CHANGED, Steps } from '../../execution/steps';
import type { Destination } from '../../ingestion/destination';
import { destinationReader } from '../../ingestion/destination';
import { ifNameExistsOption } from '../../ingestion/ifNameExists';
import { maxIndexingOption } from '../../ingestion/indexing';
import { Ingestion } from '../../ingestion/ingestion';
import { ingestionRun } from '../../ingestion/ingestionRun';
import { sameNameFields, NewNames } from '../../ingestion/newNames';
import { asOld } from '../../ingestion/oldVersions';
import { OF_TEXT } from '../../ingestion/wordings';
import { addToAgentFields } from '../../input/fields';
import { isItemFailure } from '../../results/itemFailure';
import type { Fields } from '../../results/itemResult';
import { creationOf, readTextId } from '../../service/texts';
import type { Shown } from '../../values/shown';
import { ValidationIssue } from '../../values/validationIssue';
import {
	readTextWords,
	readTitle,
	TEXT,
	TEXT_WITHOUT_AGENT,
	textField,
	titleField,
} from './textFields';

interface TextTask {
	title: Shown;
	text: string;
	destination: Destination;
}

const ifTitleExistsOption = {
	...ifNameExistsOption,
	property: {
		...ifNameExistsOption.property,
		description:
			'For a text that changes, use Create or Update instead, which changes it where it is. What to do if the agent has a text of this title already, or CometChat if it goes to no agent.',
	},
};

export const createText: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create a text and add it to an agent',
	description: 'Write a text into CometChat, so that an agent can answer from it',
	fields: [titleField, textField, ...addToAgentFields],
	options: [ifTitleExistsOption, maxIndexingOption],
	run: itemByItem(textReader, writer),
};

function textReader(run: RunContext): Reader<TextTask> {
	const titleOf = run.parameter('title');
	const textOf = run.parameter('text');
	const destinationOf = destinationReader(run);
	return (index) => {
		const title = readTitle(titleOf(index));
		if (title instanceof ValidationIssue) return title;
		const text = readTextWords(textOf(index));
		if (text instanceof ValidationIssue) return text;
		const destination = destinationOf(index);
		if (destination instanceof ValidationIssue) return destination;
		return { kind: 'ready', task: { title, text, destination }, requested: { title } };
	};
}

function writer(itemRun: ItemRun): Performer<TextTask> {
	const run = ingestionRun(itemRun);
	const names = new NewNames(run, TEXT);
	return {
		async perform({ task: { title, text, destination }, requested }) {
			const { uid, waitUntilIndexed } = destination;
			const steps = new Steps(run);
			const decision = await names.decide(steps, [title], uid);
			if (isItemFailure(decision)) return steps.failed(decision, requested, NOTHING_CHANGED);
			if (decision.skipped.length > 0) {
				return steps.done([
					{ title, addedToAgent: false, success: true, ...sameNameFields(decision) },
				]);
			}
			const target = { sourceType: TEXT, names: [title], uid, wording: OF_TEXT };
			const ingestion = new Ingestion(run, target, steps);
			// Sent again after a lost answer, it could be there twice.
			const arrive = async () =>
				await ingestion.create(creationOf(title, text), readTextId, 'never');
			ingestion.oldVersions.set(asOld(decision.replaced));
			await ingestion.bring(arrive, waitUntilIndexed, 'ifUnused');
			const { failure, newId } = ingestion;
			const more = { uid, ...sameNameFields(decision, ingestion) };
			if (failure) {
				if (newId === undefined) return ingestion.failed(failure, () => requested);
				// Beside an error, `status` is that of the answer.
				const howFar = textFields(ingestion, title, 'indexingStatus');
				return ingestion.failed(failure, () => ({ ...howFar, ...more }));
			}
			if (newId !== undefined) names.note([{ name: title, uniqueId: newId, uid }]);
			if (uid === undefined) steps.remark(TEXT_WITHOUT_AGENT);
			const howFar = textFields(ingestion, title, 'status');
			return ingestion.succeeded({ ...howFar, success: true, ...more });
		},
		keysOf: async ({ task: { title, destination } }) => names.keysOf([title], destination.uid),
		finish: async () => ({ hints: await names.hints() }),
	};
}

/** How far a text came, under these names. */
function textFields(
	{ addedToAgent, newId, statuses }: Ingestion,
	title: Shown,
	statusField: string,
): Fields {
	const status = newId === undefined ? undefined : statuses.get(newId);
	return {
		title,
		addedToAgent,
		...(status !== undefined && { [statusField]: status }),
		uniqueId: newId,
	};
}
