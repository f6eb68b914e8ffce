import type { Afterwards, Progress } from '../../execution/afterwards';
import { afterwardsReader, doAfterwards, notAdded, notBegun } from '../../execution/afterwards';
import type { Attachment } from '../../input/binary';
import { readAttachments } from '../../input/binary';
import { ValidationIssue } from '../../values/validationIssue';
import type { Words } from '../../values/shown';
import { joined, worded } from '../../values/shown';
import { quoted } from '../../values/quoting';
import {
	addToAgentFields,
	binaryField,
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
import { mayBeDone } from '../../results/itemFailure';
import { Steps } from '../../execution/steps';
import type { Upload } from '../../service/uploads';
import { recordOf } from '../../service/uploads';
import { leftOver, notStarted, uploadAll } from '../../execution/uploading';

interface Task {
	files: Attachment[];
	afterwards: Afterwards;
}

const SOURCE_TYPE: Words = 'uploads';

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
	run: itemByItem(reader, (run) => ({ perform: uploader(run) })),
};

function reader(run: RunContext): Reader<Task> {
	const namesOf = run.parameter('binaryPropertyName');
	const afterwardsOf = afterwardsReader(run);
	return async (index) => {
		const afterwards = afterwardsOf(index);
		if (afterwards instanceof ValidationIssue) return afterwards;
		const files = await readAttachments(run.context, index, namesOf(index));
		if (files instanceof ValidationIssue) return files;
		const requested = { files: files.map(({ fileName }) => fileName) };
		return { kind: 'ready', task: { files, afterwards }, requested };
	};
}

function uploader(run: ItemRun): (item: Ready<Task>) => Promise<ItemResult> {
	return async ({ task: { files, afterwards }, requested }) => {
		const steps = new Steps(run);
		const uploading = notStarted();
		const { done } = uploading;
		const notUploaded = await uploadAll(steps, run, files, uploading);
		const { uid } = afterwards;
		const uniqueIds = done.map(({ uploadId }) => uploadId);
		const progress = notBegun();
		const state = () => ({
			addedToAgent: progress.isAttached,
			...(uid === undefined ? {} : { uid }),
			uniqueIds,
			uploads: uploadsOf(done, progress),
			...(uploading.open.length > 0 ? { unfinished: uploading.open.map(recordOf) } : {}),
		});
		if (notUploaded) {
			const { open, mayBeOpen } = uploading;
			const left = files.slice(done.length).map(({ fileName }) => quoted(fileName));
			const isUnknown = mayBeOpen || (open.length > 0 && mayBeDone(notUploaded));
			const surely =
				open.length > 0 && isUnknown ? 'Not uploaded, as far as is known' : 'Not uploaded';
			const consequence = sentences(
				arrived(done),
				worded`${surely}: ${joined(left, ', ')}.`,
				leftOver(uploading),
			);
			const effect = done.length > 0 ? 'partly applied' : isUnknown ? 'unknown' : 'not applied';
			const goOn = done.length > 0 ? GO_ON_WITH_THE_OTHERS : undefined;
			return steps.failed(notUploaded, effect, consequence, { ...requested, ...state() }, goOn);
		}

		const content = { sourceType: SOURCE_TYPE, uniqueIds };
		const failure = await doAfterwards(steps, run, afterwards, content, progress);
		if (failure === undefined) {
			if (uid === undefined) steps.remark(NO_AGENT);
			return steps.done([{ success: true, ...state() }]);
		}
		const consequence = sentences(
			arrived(done),
			uid !== undefined && notAdded(progress),
			leftOver(uploading),
		);
		const isReadable = (id: string) => progress.statuses.get(id) !== 'failed';
		const others = uniqueIds.some(isReadable) ? GO_ON_WITH_READABLE : '';
		const goOn = hasFailed(progress.statuses) ? others : GO_ON;
		return steps.failed(failure, 'partly applied', consequence, { ...requested, ...state() }, goOn);
	};
}

const NO_AGENT =
	"No agent answers from the uploaded files yet: switch on 'Add to Agent', or use their IDs in Add Files";

const GO_ON_WITH_THE_OTHERS =
	'To go on, upload only those that are missing; for the others, use these IDs in Document: Get Status and Add Files: uploading them again would make a second copy.';

const GO_ON_WITH_READABLE =
	'To go on with the others, use their IDs in Document: Get Status and Add Files; uploading them again would make a second copy.';

const GO_ON =
	'To go on, use these IDs in Document: Get Status and Add Files; uploading again would make a second copy.';

function uploadsOf(done: Upload[], { statuses }: Progress) {
	return done.map((upload) => {
		const status = statuses.get(upload.uploadId);
		return { ...recordOf(upload), ...(status === undefined ? {} : { status }) };
	});
}

function arrived(done: Upload[]): Words {
	if (done.length === 0) return '';
	const files = done.map(({ fileName, uploadId }) => `${quoted(fileName)} (ID ${uploadId})`);
	return `Uploaded: ${files.join(', ')}.`;
}
