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
import { OF_FILES } from '../../ingestion/wordings';
import type { Attachment } from '../../input/binary';
import { attachmentFieldsReader, readAttachments } from '../../input/binary';
import { binaryField, nameOption, toAgentFields, waitUntilIndexedField } from '../../input/fields';
import { isItemFailure } from '../../results/apiError';
import type { Fields } from '../../results/itemResult';
import { unusable } from '../../results/failure';

interface UploadTask {
	files: Attachment[];
	destination: Destination;
	/** How the items of the run are told apart. */
	bringing: { names: string[]; uid?: string; ifNameExists: IfNameExists };
}

export const uploadDocuments: Operation = {
	value: 'upload',
	name: 'Upload',
	action: 'Upload files and add them to an agent',
	description:
		'For files that come now and then, also again under their name: an agent can answer from them',
	fields: [binaryField, ...toAgentFields, ifNameExistsField, waitUntilIndexedField],
	options: [maxIndexingOption, nameOption],
	output: [
		'name',
		'action',
		'success',
		'status',
		'uniqueId',
		'uniqueIds',
		'sourceType',
		'agentName',
		'uid',
		'reason',
		'old',
		'unfinished',
	],
	run: async (run) => {
		const names = new NewNames('file', TELL_APART);
		const reader = (context: RunContext) => uploadReader(context, names);
		const performer = (itemRun: ItemRun) => uploader(itemRun, names);
		return await itemByItem(reader, performer)(run);
	},
};

const TELL_APART: string = "let 'Name in CometChat' put their folders before their names";

function uploadReader(run: RunContext, newNames: NewNames): Reader<UploadTask> {
	const filesOf = attachmentFieldsReader((name) => run.parameter(name));
	const destinationOf = destinationReader(run);
	const ifNameExistsOf = ifNameExistsReader(run);
	return async (index) => {
		const destination = destinationOf(index);
		const ifNameExists = ifNameExistsOf(index);
		const files = await readAttachments(run.context, index, filesOf(index));
		const { uid } = destination;
		const names = files.map(({ fileName }) => fileName);
		const bringing = { names, uid, ifNameExists };
		newNames.claim(index, bringing);
		const requested = { name: names.join(', '), sourceType: UPLOADS, uid };
		const issue = newNames.claimedTwice(index, bringing);
		if (issue) return unusable(issue, requested);
		return { kind: 'ready', task: { files, destination, bringing }, requested };
	};
}

const UPLOADS: string = 'uploads';

function uploader(itemRun: ItemRun, newNames: NewNames): Performer<UploadTask> {
	const run = ingestionRun(itemRun);
	const { inventory } = run;
	const timeZone = run.context.getTimezone();
	return {
		async perform({ index, task: { files, destination, bringing }, requested }) {
			const issue = newNames.claimedTwice(index, bringing);
			if (issue) return unusable(issue, requested);
			const { names, uid, ifNameExists } = bringing;
			const steps = new ItemContext(run);
			const search = { steps, inventory, sourceType: UPLOADS, uid };
			const decision = await decideByName(search, names, { choice: ifNameExists, timeZone });
			if (isItemFailure(decision)) {
				return steps.failed(decision, { ...requested, action: 'failed' }, NOTHING_CHANGED);
			}
			const { replaced, skipped } = decision;
			const wanted = files.filter(({ fileName }) => !skipped.some(({ name }) => name === fileName));
			const target = { sourceType: UPLOADS, names: namesOf(wanted), uid, wording: OF_FILES };
			const ingestion = new Ingestion(run, target, steps);
			const arrive = async () => await ingestion.upload(wanted);
			ingestion.oldVersions.set(replaced);
			if (wanted.length > 0) {
				await ingestion.bring(arrive, destination.waitUntilIndexed, deletionBy(ifNameExists));
			}
			const { failure } = ingestion;
			if (failure) return ingestion.failed(failure, () => failedRow(ingestion));
			if (uid === undefined && wanted.length > 0) steps.remark(FILES_WITHOUT_AGENT);
			const uploaded = uploadedRows(ingestion, uid);
			const rows = names.flatMap((fileName): Fields[] => {
				const known = skipped.find(({ name }) => name === fileName);
				return known ? [skippedRow(ingestion, known)] : uploaded.splice(0, 1);
			});
			return steps.done(rows);
		},
		keysOf: async ({ task: { bringing } }) => newNames.keysOf(bringing),
	};
}

function namesOf(files: Attachment[]): string[] {
	return files.map(({ fileName }) => fileName);
}

function uploadedRows(ingestion: Ingestion, uid: string | undefined): Fields[] {
	const action = uid === undefined ? 'uploaded' : 'added';
	return ingestion.uploaded.map(({ fileName: name, uploadId: uniqueId }) =>
		documentRow(ingestion, { name, uniqueId }, { action }),
	);
}

const FILES_WITHOUT_AGENT =
	"No agent answers from the uploaded files yet: switch on 'Add to Agent', or use their IDs in Add Files";
