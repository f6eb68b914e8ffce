import type { ItemRun, Performer, Reader } from '../../execution/items';
import { itemByItem } from '../../execution/items';
import type { Operation, RunContext } from '../../execution/operation';
import type { Destination } from '../../ingestion/destination';
import { destinationReader } from '../../ingestion/destination';
import { Ingestion } from '../../ingestion/ingestion';
import { ingestionRun } from '../../ingestion/ingestionRun';
import { OF_FILES } from '../../ingestion/wordings';
import type { Attachment } from '../../input/binary';
import { readAttachments } from '../../input/binary';
import {
	addToAgentFields,
	binaryField,
	maxIndexingOption,
	optionsField,
	requestOptionsField,
} from '../../input/fields';
import { recordOf } from '../../service/uploads';
import { ValidationIssue } from '../../values/validationIssue';

interface UploadTask {
	files: Attachment[];
	destination: Destination;
}

export const uploadDocuments: Operation = {
	value: 'upload',
	name: 'Upload',
	action: 'Upload files and add them to an agent',
	description:
		'Bring files from the workflow into CometChat, so that an agent can answer from them',
	fields: [
		binaryField,
		...addToAgentFields,
		optionsField([maxIndexingOption]),
		requestOptionsField,
	],
	run: itemByItem(uploadReader, uploader),
};

function uploadReader(run: RunContext): Reader<UploadTask> {
	const namesOf = run.parameter('binaryPropertyName');
	const destinationOf = destinationReader(run);
	return async (index) => {
		const destination = destinationOf(index);
		if (destination instanceof ValidationIssue) return destination;
		const files = await readAttachments(run.context, index, namesOf(index));
		if (files instanceof ValidationIssue) return files;
		const requested = { files: files.map(({ fileName }) => fileName) };
		return { kind: 'ready', task: { files, destination }, requested };
	};
}

function uploader(itemRun: ItemRun): Performer<UploadTask> {
	const run = ingestionRun(itemRun);
	return {
		async perform({ task: { files, destination }, requested }) {
			const { uid, waitUntilIndexed } = destination;
			const names = files.map(({ fileName }) => fileName);
			const target = { sourceType: 'uploads' as const, names, uid, wording: OF_FILES };
			const ingestion = new Ingestion(run, target);
			if (await ingestion.upload(files)) await ingestion.deliver(waitUntilIndexed);
			const uploads = ingestion.uploaded.map((upload) => {
				const status = ingestion.statuses.get(upload.uploadId);
				return { ...recordOf(upload), ...(status === undefined ? {} : { status }) };
			});
			const howFar = {
				addedToAgent: ingestion.addedToAgent,
				...(uid === undefined ? {} : { uid }),
				uniqueIds: [...ingestion.uniqueIds],
				uploads,
				...ingestion.unfinished,
			};
			const { failure } = ingestion;
			if (failure) return ingestion.failed(failure, () => ({ ...requested, ...howFar }));
			if (uid === undefined) ingestion.steps.remark(FILES_WITHOUT_AGENT);
			return ingestion.succeeded({ success: true, ...howFar });
		},
	};
}

const FILES_WITHOUT_AGENT =
	"No agent answers from the uploaded files yet: switch on 'Add to Agent', or use their IDs in Add Files";
