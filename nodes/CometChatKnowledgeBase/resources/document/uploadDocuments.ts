import { operation } from '../../execution/buildOperation';
import type { RunContext } from '../../execution/operation';
import type { InputFile } from '../../files/inputFiles';
import { inputFiles } from '../../files/inputFiles';
import { withLeftOut } from '../../files/neverAccepted';
import { documentRow, Ingestion, SKIPPED } from '../../ingestion/ingestion';
import type { Settled } from '../../ingestion/namesakes';
import { decideByName, NameClaims, tellApart } from '../../ingestion/namesakes';
import type { ValuesOf } from '../../input/field';
import {
	deletionBy,
	ifNameExistsField,
	maxIndexingOption,
	toAgent,
	waitUntilIndexed,
} from '../../pipeline/fields';
import { ingestionRun } from '../../pipeline/ingestionRun';
import { GOES_ON } from '../../results/progress';
import { UPLOADS } from '../../values/sourceTypes';

const fields = {
	files: inputFiles,
	uid: toAgent(),
	ifNameExists: ifNameExistsField(
		'What to do if the agent has a document of this name already. If it goes to no agent, those of the account count.',
	),
	waits: waitUntilIndexed,
};

export const uploadDocuments = operation({
	value: 'upload',
	name: 'Upload',
	action: 'Upload files and add them to an agent',
	description:
		'For files that come now and then, also again under their name: an agent can answer from them',
	fields,
	options: { maxIndexing: maxIndexingOption },
	output: [
		...(['name', 'action', 'success', 'status', 'uniqueId', 'uniqueIds', 'sourceType'] as const),
		...(['agentName', 'uid', 'reason', 'old', 'leftOut', 'unfinished'] as const),
	],
	shared: (run: RunContext) => ({ run: ingestionRun(run), claims: new NameClaims(documentsOf) }),
	together: (items, { claims }) =>
		claims.clashes(
			items,
			'file',
			tellApart("let 'Name in CometChat' put their folders before their names"),
		),
	order: (task, { claims }) => claims.keysOf(task),
	run: async ({ files, uid, ifNameExists, waits }, item, { run }) => {
		item.shown = { action: 'failed' };
		const search = { run, item, sourceType: UPLOADS, uid };
		const decided: Array<Settled & { file: InputFile }> = [];
		for (const file of files) {
			decided.push({ file, ...(await decideByName(search, file.fileName, ifNameExists)) });
		}
		const sent = decided.filter((one) => one.action === 'upload');
		const brought = [...decided.filter((one) => one.action === 'continue'), ...sent];
		const names = brought.map(({ file }) => file.fileName);
		// A new run with the others would leave one more of a name.
		const hint = ['replaceAndDelete', 'skip'].includes(ifNameExists) ? GOES_ON : undefined;
		const ingestion = new Ingestion(run, item, { sourceType: UPLOADS, names, uid, hint });
		ingestion.old = decided.flatMap(({ old }) => old);
		for (const one of decided) {
			if (one.action !== 'continue') continue;
			ingestion.continueWith(one.found.uniqueId, one.isAttached, one.found.status);
		}
		if (sent.length > 0) await ingestion.upload(sent.map(({ file }) => file));
		if (brought.length > 0) {
			await ingestion.complete({ waits, deleteOld: deletionBy(ifNameExists) });
			if (uid === undefined) item.remark(FILES_WITHOUT_AGENT);
		}
		const rows = decided.map((one) => {
			const { fileName: name } = one.file;
			if (one.action === 'skip') {
				const { uniqueId } = one.found;
				return documentRow(ingestion, { action: 'skipped', reason: SKIPPED }, { name, uniqueId });
			}
			const reason = one.action === 'continue' ? WAS_THERE : undefined;
			const action = uid === undefined ? 'uploaded' : 'added';
			const document = ingestion.log.documents[brought.indexOf(one)];
			return documentRow(ingestion, { action, reason }, document);
		});
		return rows.map((row, at) => withLeftOut(row, files[at]?.leftOut ?? [], item));
	},
});

function documentsOf({ files, uid, ifNameExists }: ValuesOf<typeof fields>) {
	return { names: files.map(({ fileName }) => fileName), uid, ifNameExists };
}

const WAS_THERE = 'CometChat had it already, and no agent had it: it was not sent again';

const FILES_WITHOUT_AGENT =
	"No agent answers from the uploaded files yet: switch on 'Add to Agent', or use their IDs in Add Files";
