import type { INodeProperties } from 'n8n-workflow';

import { readPathValue } from '../../input/identifiers';
import { isWhole } from '../../account/redaction';
import type { Shown, ShownJson } from '../../values/shown';
import { given } from '../../values/shown';
import { ValidationIssue, isRecord } from '../../values/validationIssue';
import {
	addToAgentFields,
	maxIndexingOption,
	optionsField,
	requestOptionsField,
} from '../../input/fields';
import type { ItemRun, Performer, Reader } from '../../execution/items';
import { itemByItem } from '../../execution/items';
import type { Operation, RunContext } from '../../execution/operation';
import type { Destination } from '../../ingestion/destination';
import { destinationReader } from '../../ingestion/destination';
import { Ingestion } from '../../ingestion/ingestion';
import { ingestionRun } from '../../ingestion/ingestionRun';
import { OF_TEXT } from '../../ingestion/wordings';
import { KNOWLEDGE_BASE } from '../../service/records';

interface TextTask {
	title: Shown;
	text: string;
	destination: Destination;
}

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
	run: itemByItem(textReader, writer),
};

function textReader(run: RunContext): Reader<TextTask> {
	const titleOf = run.parameter('title');
	const textOf = run.parameter('text');
	const destinationOf = destinationReader(run);
	return (index) => {
		const title = readText("'Title'", titleOf(index), LONGEST_TITLE);
		if (title instanceof ValidationIssue) return title;
		const text = readText("'Text'", textOf(index), LONGEST_TEXT);
		if (text instanceof ValidationIssue) return text;
		const destination = destinationOf(index);
		if (destination instanceof ValidationIssue) return destination;
		return { kind: 'ready', task: { title, text, destination }, requested: { title } };
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

function writer(itemRun: ItemRun): Performer<TextTask> {
	const run = ingestionRun(itemRun);
	return {
		async perform({ task: { title, text, destination }, requested }) {
			const { uid, waitUntilIndexed } = destination;
			const target = { sourceType: 'text' as const, names: [title], uid, wording: OF_TEXT };
			const ingestion = new Ingestion(run, target);
			// Sent again after a lost answer, it could be there twice.
			const isThere = await ingestion.create(textRequest(title, text), readTextId, 'never');
			if (isThere) await ingestion.deliver(waitUntilIndexed);
			const { failure, newId } = ingestion;
			const status = newId === undefined ? undefined : ingestion.statuses.get(newId);
			const howFar = {
				addedToAgent: ingestion.addedToAgent,
				...(uid === undefined ? {} : { uid }),
				uniqueId: newId,
				title,
			};
			if (failure) {
				if (newId === undefined) return ingestion.failed(failure, () => requested);
				// Beside an error, `status` is that of the answer.
				const indexing = status === undefined ? {} : { indexingStatus: status };
				return ingestion.failed(failure, () => ({ ...requested, ...howFar, ...indexing }));
			}
			if (uid === undefined) ingestion.steps.remark(TEXT_WITHOUT_AGENT);
			return ingestion.succeeded({
				success: true,
				...howFar,
				...(status === undefined ? {} : { status }),
			});
		},
	};
}

const TEXT_WITHOUT_AGENT =
	"No agent answers from the text yet: switch on 'Add to Agent', or use its ID in Add Files with Source Type 'Text'";

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
