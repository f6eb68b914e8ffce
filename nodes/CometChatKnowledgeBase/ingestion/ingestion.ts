import { ApiError } from '../apiErrors/apiError';
import { ItemContext } from '../execution/itemContext';
import type { InputFile } from '../files/inputFiles';
import { recordCreated } from '../inventory/inventory';
import type { DeleteOld } from '../pipeline/fields';
import type { UploadLog } from '../pipeline/fileUploads';
import { FileUploads } from '../pipeline/fileUploads';
import { remedyIfEmpty } from '../pipeline/indexing';
import type { IngestionRun } from '../pipeline/ingestionRun';
import { changeAgent } from '../pipeline/ingestionRun';
import type { CreatedDocument, Fields, ItemState } from '../results/itemResult';
import { nameWithId } from '../results/itemResult';
import type { Progress } from '../results/progress';
import { describeProgress } from '../results/progress';
import type { StatusById } from '../service/documents';
import { FAILED, isReady } from '../service/documents';
import { firstPageRequest, readSourcePages } from '../service/sourcePages';
import { caught, isFailure, mayBeDone, onFailure, UserError } from '../values/failure';
import { composed } from '../values/names';
import { listed, quoted } from '../values/quoting';
import type { OldVersion } from './replacement';
import { deleteOld, deleteSuperseded, detachOld, oldRows } from './replacement';

/** What an item brings, and where. */
export interface Target {
	/** As CometChat calls the kind. */
	sourceType: string;
	/** How a person calls the documents, in the order of the item. */
	names: readonly string[];
	/** The agent; left out for none. */
	uid?: string;
	/** Whether it is changed where it is. */
	isChange?: boolean;
	/** How a new run goes on with what is there; left out: it would bring it a second time. */
	hint?: string;
}

/** How far the documents of an item have come: those that are in CometChat are the first so many of the names. */
interface IngestionLog extends UploadLog {
	/** What has become of the indexing of each, as far as it was asked for. */
	statuses: StatusById;
	/** The IDs of uploads that CometChat's list showed before: an upload may be answered with an ID that exists. */
	existing: string[];
	/** The IDs of those that the agent has. */
	attached: string[];
	/** What is to be said of those that hold no text, by ID. */
	empty: Map<string, string>;
	/** The IDs of documents without text that would have replaced a document with text. */
	refused: string[];
	/** The request whose answer was lost. */
	unknown?: Progress['unknown'];
}

/**
 * Documents of an item on their way to an agent, in four steps. Each throws if it cannot be done, and writes into the log
 * how far it came: what an error says of that is made from the log, in one place.
 *
 * The order is the promise: the agent has the new document, which is indexed and contains text, before an old version is
 * removed.
 */
export class Ingestion {
	readonly log: IngestionLog = {
		...{ documents: [], leftovers: [], mayHaveLeftover: false },
		...{ statuses: new Map(), existing: [], attached: [], empty: new Map(), refused: [] },
	};

	/** What is there of the documents; to be set before it is replaced. */
	old: OldVersion[] = [];

	constructor(
		readonly run: IngestionRun,
		readonly item: ItemContext,
		readonly target: Target,
	) {}

	/** The other three, of what is in CometChat by now: waits as well where something is to be replaced. */
	async complete(how: { waits: boolean; deleteOld: DeleteOld }): Promise<void> {
		const { waits, deleteOld: choice } = how;
		const { run, item, old, target, log } = this;
		const before = [...log.attached];
		const replaces = old.length > 0 && (target.uid !== undefined || choice !== 'never');
		const give = async () => {
			if (waits || replaces) await this.waitUntilIndexed();
			if (replaces) await this.track(undefined, async () => await keepReadable(this, choice));
			await this.attach();
		};
		await onFailure(give(), async () => {
			if (choice === 'never') return;
			item.mustComplete = true;
			await caught(deleteSuperseded({ run, item, ...target }, old, choice));
			this.recordProgress();
		});
		await this.replaceOld(choice);
		if (!replaces) await lookForText(this, before);
	}

	/** Sends files to CometChat, one after another. */
	async upload(files: InputFile[]): Promise<void> {
		const { run, item, log, target } = this;
		await this.track(undefined, async () => {
			await onFailure(new FileUploads(run, item, log).send(files), (failure) => {
				// What was taken away again is not there, whatever has become of its bytes.
				if (log.leftovers.length > 0 && mayBeDone(failure)) log.unknown = 'upload';
			});
		});
		for (const { uniqueId, name: sourceName } of log.documents) {
			if (run.inventory.record(uniqueId)) log.existing.push(uniqueId);
			recordCreated(run.inventory, { uniqueId, sourceName, type: target.sourceType });
		}
	}

	/** Makes the next document in another way. @param create Gives its ID. */
	async create(create: () => Promise<string>): Promise<void> {
		await this.track('upload', async () => this.continueWith(await create()));
	}

	/** Goes on with one that is in CometChat already, or even with the agent. @param status As far as it is known. */
	continueWith(uniqueId: string, isAttached = false, status?: string): void {
		const { log, target } = this;
		const name = target.names[log.documents.length] ?? uniqueId;
		log.documents.push({ uniqueId, name });
		if (status !== undefined) log.statuses.set(uniqueId, status);
		if (isAttached) log.attached.push(uniqueId);
		this.recordProgress();
	}

	/** Waits until CometChat has read them: its guide asks for that before they are attached. */
	private async waitUntilIndexed(): Promise<void> {
		const { run, item, ids, log, target } = this;
		const { sourceType } = target;
		const waiting = this.track(undefined, async () => {
			await run.indexing.untilIndexed(item, { ...log, sourceType });
		});
		await onFailure(waiting, async (failure) => {
			const isOver = failure instanceof ApiError || failure.more.isCancelled;
			// Old versions of several names go together or not at all.
			if (isOver || this.old.some(({ is }) => is === 'attached')) return;
			// One file that can't be read is no reason for the agent to lack the others.
			item.mustComplete = true;
			await caught(this.attach(ids.filter((id) => isReady(log.statuses.get(id)))));
		});
	}

	/** Lets the agent answer from them, if there is one. */
	async attach(ids = this.ids): Promise<void> {
		const { run, item, log } = this;
		const { sourceType, uid } = this.target;
		const uniqueIds = ids.filter((id) => !log.attached.includes(id));
		await this.track('attach', async () => {
			if (uid === undefined || uniqueIds.length === 0) return;
			await changeAgent(run, item, { operation: 'add', uid, sourceType, uniqueIds });
			log.attached.push(...uniqueIds);
		});
	}

	/**
	 * Takes the old versions from the agent, and deletes them if that is wanted and nobody has them. From here on the item
	 * goes to its end, whatever becomes of others.
	 */
	async replaceOld(choice: DeleteOld): Promise<void> {
		const { run, item, ids, target } = this;
		// Under its ID the new version has overwritten the old one: to remove it would leave the agent without.
		this.old = this.old.filter(({ uniqueId }) => !ids.includes(uniqueId));
		if (this.old.length === 0) return;
		item.mustComplete = true;
		// Without an agent, no list shows the new one.
		const newId = target.uid === undefined ? undefined : ids[0];
		const replacement = { run, item, ...target, newId };
		await this.track('detach', async () => await detachOld(replacement, this.old));
		await this.track('delete', async () => await deleteOld(replacement, this.old, choice));
	}

	/** @param name What may be done all the same if its answer is lost. */
	private async track(name: Progress['unknown'], work: () => Promise<void>): Promise<void> {
		try {
			await onFailure(work(), (failure) => {
				if (name !== undefined && mayBeDone(failure)) this.log.unknown = name;
			});
		} finally {
			this.recordProgress();
		}
	}

	/** What an error says of how far it came, and what its row shows. */
	private recordProgress(): void {
		this.item.shown = failedRow(this);
		this.item.state = stateOf(this);
	}

	private get ids(): string[] {
		return this.log.documents.map(({ uniqueId }) => uniqueId);
	}
}

/** What an error says of how far the documents of an item have come. */
function stateOf({ log, old, target }: Ingestion): ItemState {
	const { documents, attached, statuses, refused, ...rest } = log;
	const { names: wanted, uid, isChange, hint } = target;
	const isUnreadable = ({ uniqueId }: CreatedDocument) =>
		statuses.get(uniqueId) === FAILED || refused.includes(uniqueId);
	return describeProgress({
		...{ wanted, documents, isChange, hint },
		unreadable: documents.filter(isUnreadable).map(({ uniqueId }) => uniqueId),
		attached: uid === undefined ? undefined : attached,
		old: old.flatMap(({ uniqueId, is }) =>
			is === 'attached' || is === 'detached' ? [{ uniqueId, is }] : [],
		),
		...rest,
	});
}

/** Of what was not sent. */
export const SKIPPED = "The name is there already, and 'If Name Already Exists' is Skip";

/** A document that has come, with what was there under its name before. @param document Left out: the only one. */
export function documentRow(
	ingestion: Ingestion,
	{ action, reason }: { action: string; reason?: string },
	document?: CreatedDocument,
): Fields {
	const { log, target } = ingestion;
	const [first = { name: target.names.join(), uniqueId: '' }] = log.documents;
	const { name, uniqueId } = document ?? first;
	const isOfIt = (one: { name: string }) =>
		target.names.length === 1 || composed(one.name) === composed(name);
	const old = oldRows(ingestion.old).filter(isOfIt);
	return {
		...whereTo(ingestion),
		name,
		action: old.some((one) => one.action !== 'kept') ? 'replaced' : action,
		success: true,
		status: log.statuses.get(uniqueId),
		uniqueId,
		reason: log.empty.get(uniqueId) ?? reason,
		...some('old', old),
		...some('unfinished', log.leftovers.filter(isOfIt)),
	};
}

/** The documents of an item that went no further. */
function failedRow(ingestion: Ingestion): Fields {
	const { log, old, target } = ingestion;
	const statuses = [...new Set(log.statuses.values())];
	const ids = log.documents.map(({ uniqueId }) => uniqueId);
	// Of several entries, the bytes went to the last: the others were refused.
	const uniqueId = ids[0] ?? log.leftovers.at(-1)?.uniqueId;
	const isOne = target.names.length <= 1;
	return {
		...whereTo(ingestion),
		name: target.names.join(', '),
		action: 'failed',
		...(statuses.length > 0 && { status: statuses.join(', ') }),
		...(isOne ? uniqueId !== undefined && { uniqueId } : some('uniqueIds', ids)),
		...some('old', oldRows(old)),
		...some('unfinished', log.leftovers),
	};
}

/** What they are and where they go. */
function whereTo({ run, target: { sourceType, uid } }: Ingestion): Fields {
	if (uid === undefined) return { sourceType };
	return { sourceType, agentName: run.inventory.agents.asked(uid)?.name, uid };
}

/** A list, if there is anything in it. */
function some(field: string, entries: string[] | Array<Fields | CreatedDocument>): Fields {
	const copies = entries.map((one) => (typeof one === 'string' ? one : { ...one }));
	return copies.length > 0 ? { [field]: copies } : {};
}

/** Warns of those that are indexed and hold no text, such as scans. @param before The IDs of those that the agent had. */
async function lookForText({ run, item, log, target }: Ingestion, before: string[]): Promise<void> {
	if (target.sourceType === 'text') return;
	for (const { uniqueId, name } of log.documents) {
		if (before.includes(uniqueId) || !isReady(log.statuses.get(uniqueId))) continue;
		const warning = await emptyWarning(run, { ...target, uniqueId, name });
		if (warning === undefined) continue;
		item.warn(warning);
		log.empty.set(uniqueId, warning);
	}
}

/**
 * A document without text never replaces a document with text: agents could no longer answer from either.
 *
 * @throws UserError if a new document has no text, and an old version may have some.
 */
async function keepReadable(ingestion: Ingestion, choice: DeleteOld): Promise<void> {
	const { run, item, log, target, old } = ingestion;
	const { sourceType, names } = target;
	if (sourceType === 'text') return;
	for (const { uniqueId, name } of log.documents) {
		const versions = old.filter(
			(one) =>
				(one.is === 'attached' || choice === 'ifUnused' || (choice === 'own' && one.isOwn)) &&
				!log.documents.some((document) => document.uniqueId === one.uniqueId) &&
				(names.length === 1 || composed(one.name ?? '') === composed(name)),
		);
		const warning = await emptyWarning(run, { ...target, uniqueId, name }, TO_BE_SURE);
		if (warning === undefined) continue;
		const areEmpty = versions.map(async (one) => {
			const version = { sourceType, uniqueId: one.uniqueId, name };
			return (await emptyWarning(run, version, TO_BE_SURE)) !== undefined;
		});
		if ((await Promise.all(areEmpty)).every((isEmpty) => isEmpty)) {
			item.warn(warning);
			log.empty.set(uniqueId, warning);
		} else {
			log.refused.push(uniqueId);
		}
	}
	const refused = log.documents.filter(({ uniqueId }) => log.refused.includes(uniqueId));
	if (refused.length > 0) throw withoutText(refused);
}

function withoutText(documents: CreatedDocument[]): UserError {
	return new UserError(
		`CometChat found no text in ${listed(documents.map(({ name }) => quoted(name)))}, so the old version was not replaced`,
		`If it is a scan, upload a version with recognized text (OCR). Delete ${listed(documents.map((one) => nameWithId(one)))} with Document: Delete.`,
		{ cause: 'configuration-invalid' },
	);
}

/** It is one look, and nobody's failure: it must not keep an item waiting. */
const ONE_LOOK = { maxAttempts: 1, maxWaitMs: 1000 };

/** Where an old version is removed because of the answer. */
const TO_BE_SURE = { maxAttempts: 3, maxWaitMs: 10_000 };

/**
 * Whether a document is indexed and holds no text, such as a scan: no agent can answer from it. Asked once for a new one,
 * after it is indexed; where CometChat does not tell, it is not said.
 *
 * @returns What someone should know of it, as a clause; undefined if it has text.
 */
export async function emptyWarning(
	run: IngestionRun,
	{ sourceType, uniqueId, name }: { sourceType: string; uniqueId: string; name: string },
	policy = ONE_LOOK,
): Promise<string | undefined> {
	const look = new ItemContext(run);
	const request = firstPageRequest(sourceType, uniqueId);
	const asking = async () => await look.call(request, readSourcePages, policy);
	const answer = await caught(run.permits.without(async () => await run.looks.run(asking)));
	if (isFailure(answer)) return undefined;
	const { total, pages } = answer;
	const [first] = pages;
	const isEmpty = first ? first.text.trim() === '' : total === 0;
	if (!isEmpty) return undefined;
	const where = total !== undefined && total > 1 ? ` on the first of the ${total} pages of` : ' in';
	return `CometChat has indexed and found no text${where} ${quoted(name)}: ${remedyIfEmpty(sourceType)}`;
}
