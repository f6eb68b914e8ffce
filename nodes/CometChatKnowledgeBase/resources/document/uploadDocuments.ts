import { conflicts } from '../../fields/conflicts';
import { agentOf, deliverItems, newBatch } from '../../delivery/deliverItems';
import type { Batch, DeleteOld, Delivery } from '../../delivery/delivery';
import { newDelivery } from '../../delivery/delivery';
import { nameUnused } from '../../delivery/unused';
import type { Plan } from '../../delivery/plan';
import { plan } from '../../delivery/plan';
import { alreadyExists } from '../../delivery/failures';
import { uploadFile } from '../../delivery/upload';
import { batchOperation } from '../../operations/batchOperation';
import type { ItemContext } from '../../operations/itemContext';
import { choiceField } from '../../fields/field';
import { inputFiles } from '../../fields/inputFiles';
import { withNotes } from '../../fields/neverAccepted';
import { maxIndexingOption, toAgent, waitUntilIndexed } from '../../delivery/fields';
import type { Agent } from '../../api/agents';
import { isReady } from '../../api/documents';
import { UserError } from '../../text/failure';
import { quoted } from '../../text/quoting';
import { UPLOADS } from '../../text/sourceTypes';
import { fileToReplace, findFilesToReplace } from './fileToReplace';

type IfNameExists = 'add' | 'fail' | 'replace' | 'replaceAndDelete' | 'skip';

const ifNameExists = choiceField<IfNameExists>({
	displayName: 'If Name Already Exists',
	name: 'ifNameExists',
	type: 'options',
	options: [
		{
			name: 'Add Another',
			value: 'add',
			description:
				'The agent uses both documents. For different documents with the same name, such as scan.pdf.',
		},
		{
			name: 'Fail',
			value: 'fail',
			description: 'Nothing is uploaded, and the item fails',
		},
		{
			name: 'Replace',
			value: 'replace',
			description: 'The agent uses only the new version. The old version stays in CometChat.',
		},
		{
			name: 'Replace and Delete',
			value: 'replaceAndDelete',
			description: 'Deletes the old version permanently if no other agent uses it',
		},
		{
			name: 'Skip',
			value: 'skip',
			description: 'Keeps the existing document, even if the new document has different content',
		},
	],
	default: 'replace',
	description:
		"What to do if the agent already uses an uploaded document with this name. To replace a file with another name, use 'File to Replace' under Options. If 'Add to Agent' is off, 'Replace and Delete' deletes all unused uploaded documents with this name.",
});

const fields = {
	files: inputFiles,
	uid: toAgent(),
	ifNameExists,
	waits: waitUntilIndexed,
};

export const uploadDocuments = batchOperation({
	value: 'upload',
	name: 'Upload',
	action: 'Upload or replace documents and add to agent',
	description:
		"Upload files or texts to an agent. By default, they replace the agent's files of the same name.",
	fields,
	options: { replaced: fileToReplace, maxIndexingMs: maxIndexingOption },
	output: [
		...(['name', 'action', 'success', 'status', 'uniqueId', 'uniqueIds', 'sourceType'] as const),
		...(['agentName', 'uid', 'reason', 'old', 'leftOut', 'unfinished'] as const),
	],
	check: ({ replaced, uid, files, ifNameExists: choice }) => {
		if (replaced === undefined) return;
		const isReplacing = choice === 'replace' || choice === 'replaceAndDelete';
		if (files.length === 1 && uid !== undefined && isReplacing) return;
		throw new UserError(
			"'File to Replace' needs one file, an agent, and 'Replace' or 'Replace and Delete'",
			"Turn on 'Add to Agent', and set 'If Name Already Exists' to 'Replace' or 'Replace and Delete'. If the item has several files, enter the name of one field in 'Input Data Field Name'. Or remove 'File to Replace' under Options.",
		);
	},
	conflicts: (items) =>
		conflicts(
			items.flatMap(({ index, task: { files, uid, ifNameExists: choice } }) =>
				files.map(({ fileName: name, sha256 }) => {
					const same = choice === 'add' ? { value: choice } : { content: sha256 };
					return { index, name, uid, ...same };
				}),
			),
			'have documents with the same name',
			"If the documents are different, rename them in a previous node, or set 'If Name Already Exists' to 'Add Another'. If not, keep only one of them.",
		),
	runAll: async (items, context) => {
		const run = newBatch(context);
		const isListNeeded = items.some(({ task }) => task.ifNameExists !== 'add');
		if (isListNeeded) await run.snapshot.readDocuments();
		return await deliverItems(run, items, {
			toDeliveries: async ({ index, task }, item) => {
				const { files, uid, ifNameExists: choice, waits, maxIndexingMs } = task;
				const agent = await agentOf(run, uid);
				const deletes: DeleteOld = choice === 'replaceAndDelete' ? 'ifUnused' : 'never';
				const target = { index, item, sourceType: UPLOADS, agent, waits, maxIndexingMs, deletes };
				const deliveries: Delivery[] = [];
				for (const file of files) {
					const name = file.fileName;
					const decided = await planFor(run, name, agent, task);
					if (!file.sha256) noteDefaultName(item, name, decided, choice);
					const create = async (delivery: Delivery) => await uploadFile(run, delivery, file);
					const delivery = newDelivery({ ...target, name, plan: decided, create });
					// With 'Replace', the old versions stay in CometChat.
					if (choice !== 'add') await nameUnused(run, delivery);
					deliveries.push(delivery);
				}
				const isSent = deliveries.some((one) => one.plan.action === 'create');
				if (uid === undefined && isSent) item.remark(FILES_WITHOUT_AGENT);
				return deliveries;
			},
			conflicts: replacedTwice,
			rows: ({ uid, files }) => ({
				action: (delivery) => {
					if (delivery.plan.action !== 'create') return 'skipped';
					return uid === undefined ? 'uploaded' : 'added';
				},
				reason: ({ plan: { action } }) => (action === 'create' ? undefined : SKIPPED),
				more: ({ name, item }) => {
					const file = files.find(({ fileName }) => fileName === name);
					return file ? withNotes({}, file, item) : {};
				},
			}),
		});
	},
});

async function planFor(
	run: Batch,
	name: string,
	agent: Agent | undefined,
	{ ifNameExists: choice, replaced }: { ifNameExists: IfNameExists; replaced: string | undefined },
): Promise<Plan> {
	if (choice === 'add') return plan({}, [], 'add');
	const named = await run.snapshot.findByName(UPLOADS, name, agent);
	const chosen = agent && replaced ? await findFilesToReplace(run, agent, replaced) : [];
	const existing = new Map([...chosen, ...named].map((one) => [one.uniqueId, one]));
	const decided = plan(
		{},
		[...existing.values()],
		choice === 'replaceAndDelete' ? 'replace' : choice,
	);
	if (decided.action === 'refuse') {
		const how = { hasAgent: agent !== undefined, hint: REPLACE };
		throw alreadyExists(`an uploaded document named ${quoted(name)}`, decided, how);
	}
	// The execution waits for a document that is still being indexed, because indexing may fail.
	const isOpen = decided.action === 'skip' && !isReady(decided.found.status);
	return isOpen ? { ...decided, action: 'use', retire: [] } : decided;
}

/** File names that say nothing about the content. */
const DEFAULT_NAME = /^(?:file|data|blob|spreadsheet|attachment_\d+)(?:\.\w+)?$/i;

function noteDefaultName(item: ItemContext, name: string, decided: Plan, choice: IfNameExists) {
	if (!DEFAULT_NAME.test(name) || !choice.startsWith('replace')) return;
	const note = `n8n names files ${quoted(name)} by default, so every execution replaces the last file with this name. Enter another name in 'Name in CometChat' under Options`;
	if ('retire' in decided && decided.retire.length > 0) item.warn(note);
	else item.remark(note);
}

/** Finds items that would replace the same file: its ID, its name and the beginning of its name are the same file. */
function replacedTwice(deliveries: Delivery[]): Map<number, UserError> {
	const claims = deliveries.flatMap(({ index, agent, old }) =>
		old.map(({ name = '', uniqueId }) => {
			return { index, name: `${name} (ID ${uniqueId})`, uid: agent?.uid };
		}),
	);
	return conflicts(
		claims,
		'replace the same file',
		'Leave out all but one of the items, or run the workflow once for each item.',
	);
}

const REPLACE = "Set 'If Name Already Exists' to 'Replace' or 'Add Another'.";

const SKIPPED = "The name already exists, and 'If Name Already Exists' is 'Skip'";

const FILES_WITHOUT_AGENT =
	"No agent uses the uploaded documents yet. Turn on 'Add to Agent', or use their IDs in 'Add Files'";
