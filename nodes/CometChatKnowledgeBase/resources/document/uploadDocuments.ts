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
import { OF_FILES } from '../../ingestion/wordings';
import type { Attachment } from '../../input/binary';
import { readAttachments } from '../../input/binary';
import { addToAgentFields, binaryField } from '../../input/fields';
import { isItemFailure } from '../../results/itemFailure';
import type { Fields } from '../../results/itemResult';
import { recordOf } from '../../service/uploads';
import type { Shown, Words } from '../../values/shown';
import { joined } from '../../values/shown';
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
	fields: [binaryField, ...addToAgentFields],
	options: [ifNameExistsOption, maxIndexingOption],
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
		const requested = { fileName: joined(fileNamesOf(files), ', ') };
		return { kind: 'ready', task: { files, destination }, requested };
	};
}

const UPLOADS: Words = 'uploads';

function uploader(itemRun: ItemRun): Performer<UploadTask> {
	const run = ingestionRun(itemRun);
	const { inventory } = run;
	const names = new NewNames(run, UPLOADS);
	return {
		async perform({ task: { files, destination }, requested }) {
			const { uid, waitUntilIndexed } = destination;
			const steps = new Steps(run);
			const decision = await names.decide(steps, fileNamesOf(files), uid);
			if (isItemFailure(decision)) return steps.failed(decision, requested, NOTHING_CHANGED);
			const { replaced, skipped } = decision;
			const isNew = ({ fileName }: Attachment) => !skipped.some(({ name }) => name === fileName);
			const wanted = files.filter(isNew);
			const target = { sourceType: UPLOADS, names: fileNamesOf(wanted), uid, wording: OF_FILES };
			const ingestion = new Ingestion(run, target, steps);
			const existed = async (id: string) => replaced.length > 0 && (await inventory.existed(id));
			if (wanted.length > 0) {
				const arrive = async () => await ingestion.upload(wanted, existed);
				ingestion.oldVersions.set(asOld(replaced));
				await ingestion.bring(arrive, waitUntilIndexed, 'ifUnused');
			}
			const howFar = { ...uploadedBy(ingestion, uid), ...sameNameFields(decision, ingestion) };
			const { addedToAgent, failure } = ingestion;
			if (!failure || addedToAgent !== false) names.note(newIn(ingestion, uid));
			if (failure) return ingestion.failed(failure, () => ({ ...requested, ...howFar }));
			if (uid === undefined && wanted.length > 0) steps.remark(FILES_WITHOUT_AGENT);
			return ingestion.succeeded({ ...atFirstSight(ingestion), success: true, ...howFar });
		},
		keysOf: async ({ task: { files, destination } }) =>
			names.keysOf(fileNamesOf(files), destination.uid),
		finish: async () => ({ hints: await names.hints() }),
	};
}

function fileNamesOf(files: ReadonlyArray<{ fileName: Shown }>): Shown[] {
	return files.map(({ fileName }) => fileName);
}

function newIn({ uploaded }: Ingestion, uid?: Shown) {
	return uploaded.map(({ fileName: name, uploadId: uniqueId }) => ({ name, uniqueId, uid }));
}

/** What the output's table begins with. */
function atFirstSight({ addedToAgent, statuses, uploaded }: Ingestion): Fields {
	const told = [...new Set(statuses.values())];
	return {
		fileName: joined(fileNamesOf(uploaded), ', '),
		addedToAgent,
		...(told.length > 0 && { status: joined(told, ', ') }),
	};
}

/** What has arrived, and how far it came. */
function uploadedBy(ingestion: Ingestion, uid: Shown | undefined): Fields {
	const uploads = ingestion.uploaded.map((upload) => {
		const status = ingestion.statuses.get(upload.uploadId);
		return { ...recordOf(upload), ...(status === undefined ? {} : { status }) };
	});
	return {
		addedToAgent: ingestion.addedToAgent,
		...(uid === undefined ? {} : { uid }),
		uniqueIds: [...ingestion.uniqueIds],
		uploads,
		...ingestion.unfinished,
	};
}

const FILES_WITHOUT_AGENT =
	"No agent answers from the uploaded files yet: switch on 'Add to Agent', or use their IDs in Add Files";
