import type { INodeProperties } from 'n8n-workflow';

import type { Afterwards } from '../../execution/afterwards';
import { afterwardsReader, doAfterwards, notAdded, notBegun } from '../../execution/afterwards';
import { readPathValue } from '../../input/identifiers';
import { isWhole } from '../../account/redaction';
import type { Shown, ShownJson, Words } from '../../values/shown';
import { given } from '../../values/shown';
import { quoted } from '../../values/quoting';
import { ValidationIssue, isRecord } from '../../values/validationIssue';
import {
	addToAgentFields,
	maxIndexingOption,
	optionsField,
	requestOptionsField,
} from '../../input/fields';
import type { ItemRun, Reader, Ready } from '../../execution/items';
import { itemByItem } from '../../execution/items';
import { hasFailed } from '../../service/statuses';
import type { Operation, RunContext } from '../../execution/operation';
import type { ItemResult } from '../../results/itemResult';
import { sentences } from '../../results/itemResult';
import { KNOWLEDGE_BASE } from '../../service/records';
import { mayBeDone, RequestFailure } from '../../results/itemFailure';
import { Steps } from '../../execution/steps';

interface Task {
	title: Shown;
	text: string;
	afterwards: Afterwards;
}

const SOURCE_TYPE: Words = 'text';

/** In characters (`CreateTextDetailDto` of CometChat's OpenAPI description). */
const LONGEST_TITLE = 500;
const LONGEST_TEXT = 5000;

const titleField: INodeProperties = {
	displayName: 'Title',
	name: 'title',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. Opening hours',
	description: `What the text is about, in up to ${LONGEST_TITLE} characters`,
};

const textField: INodeProperties = {
	displayName: 'Text',
	name: 'text',
	type: 'string',
	typeOptions: { rows: 6 },
	required: true,
	default: '',
	placeholder: 'e.g. We are open from 9 to 5, Monday to Friday.',
	description: `What the agent can answer from, in up to ${LONGEST_TEXT} characters`,
};

export const createText: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create a text and add it to an agent',
	description: 'Write a text into CometChat, so that an agent can answer from it',
	fields: [
		titleField,
		textField,
		...addToAgentFields,
		optionsField([maxIndexingOption]),
		requestOptionsField,
	],
	run: itemByItem(reader, (run) => ({ perform: adder(run) })),
};

function reader(run: RunContext): Reader<Task> {
	const titleOf = run.parameter('title');
	const textOf = run.parameter('text');
	const afterwardsOf = afterwardsReader(run);
	return (index) => {
		const title = readText("'Title'", titleOf(index), LONGEST_TITLE);
		if (title instanceof ValidationIssue) return title;
		const text = readText("'Text'", textOf(index), LONGEST_TEXT);
		if (text instanceof ValidationIssue) return text;
		const afterwards = afterwardsOf(index);
		if (afterwards instanceof ValidationIssue) return afterwards;
		return { kind: 'ready', task: { title, text, afterwards }, requested: { title } };
	};
}

function readText(label: string, value: unknown, longest: number): Shown | ValidationIssue {
	const remedy = `Give a text of up to ${longest} characters.`;
	if (typeof value !== 'string') return new ValidationIssue(`${label} is not a text`, remedy);
	if (value.trim() === '') return new ValidationIssue(`${label} is empty`, remedy);
	if (value.length <= longest) return given(value);
	return new ValidationIssue(
		`${label} has ${value.length} characters, more than CometChat takes`,
		`${remedy} A longer one can be uploaded as a TXT or MD file.`,
	);
}

function adder(run: ItemRun): (item: Ready<Task>) => Promise<ItemResult> {
	return async ({ task: { title, text, afterwards }, requested }) => {
		const steps = new Steps(run);
		// Sent again after a lost answer, it could be there twice.
		const request = textRequest(title, text);
		const uniqueId = await steps.call(request, readTextId, { repeat: 'never' });
		if (uniqueId instanceof RequestFailure) {
			return mayBeDone(uniqueId)
				? steps.failed(uniqueId, 'unknown', LOST, requested, LOOK_FIRST)
				: steps.failed(uniqueId, 'not applied', NOT_ADDED, requested);
		}

		steps.noteCreated({ uniqueId, name: title });
		const progress = notBegun();
		const content = { sourceType: SOURCE_TYPE, uniqueIds: [uniqueId] };
		const failure = await doAfterwards(steps, run, afterwards, content, progress);
		const { uid } = afterwards;
		const status = progress.statuses.get(uniqueId);
		const state = {
			addedToAgent: progress.isAttached,
			...(uid === undefined ? {} : { uid }),
			uniqueId,
			title,
		};
		if (failure === undefined) {
			if (uid === undefined) steps.remark(NO_AGENT);
			return steps.done([{ success: true, ...state, ...(status === undefined ? {} : { status }) }]);
		}
		const consequence = sentences(
			`The text ${quoted(title)} is in CometChat (ID ${uniqueId}).`,
			uid !== undefined && notAdded(progress),
		);
		// Beside an error, `status` is that of the answer.
		const indexing = status === undefined ? {} : { indexingStatus: status };
		const goOn = hasFailed(progress.statuses) ? '' : GO_ON;
		const howFar = { ...requested, ...state, ...indexing };
		return steps.failed(failure, 'partly applied', consequence, howFar, goOn);
	};
}

const NO_AGENT =
	"No agent answers from the text yet: switch on 'Add to Agent', or use its ID in Add Files with Source Type 'Text'";

const NOT_ADDED = 'The text was not added.';

const LOST =
	'It is not known whether the text was added. It was not sent again, because it would then be there twice.';

const LOOK_FIRST = 'Look at the knowledge base in the CometChat dashboard before you run it again.';

const GO_ON =
	'To go on, use this ID in Document: Get Status and Add Files; adding the text again would make a second copy.';

/** Create text detail (https://www.cometchat.com/docs/rest-api/ai-agents-apis/knowledge-base/create-text-detail), not tried. */
export function textRequest(title: string, text: string) {
	return {
		method: 'POST' as const,
		url: `${KNOWLEDGE_BASE}/text`,
		headers: { 'Content-Type': 'application/json' },
		body: { title, text },
	};
}

function readTextId(body: ShownJson | undefined): Shown | undefined {
	if (!isRecord(body) || !isRecord(body.data)) return undefined;
	const uniqueId = readPathValue(body.data.uniqueId, 'uniqueId', '');
	return uniqueId instanceof ValidationIssue || !isWhole(uniqueId) ? undefined : uniqueId;
}
