import type { Hint } from '../../../../results/report';
import type { Failure } from '../../../../values/failure';
import { reasonOf } from '../../../../values/failure';
import { listed, quoted } from '../../../../values/quoting';
import type { NodeCall } from '../state/executions';
import type { AgentState, GoneFiles } from '../state/state';
import { attachedUploads, GONE_FILES, inFolder, uploadsOf } from '../state/state';
import type { AgentUploads } from '../state/whatIsThere';
import { viewOf } from './removable';

/*
 * What becomes of files that an agent has and no item of a call brings.
 *
 * | 'What Each Run Brings'       | What is missing                            | It stays                                  |
 * | ---------------------------- | ------------------------------------------ | ----------------------------------------- |
 * | The Folder, Perhaps in Parts | what `removable` says, by the rule of time | until enough executions have lacked it    |
 * | The Whole Folder at Once     | what is known and not brought              | if the call may not have the whole folder |
 * | All the Agent Should Know    | that, and every other upload that it has   | the same                                  |
 *
 * If too much is missing at once, nothing is taken out.
 */

/** A file that an agent has and no item brings. */
export interface MissingFile {
	name: string;
	/** Those that the agent may have. */
	uploads: string[];
	/** Whether the agent has never used one of them: its upload was not attached, and the agent's list shows none. */
	isUnused?: boolean;
	/** Why it is not removed; undefined if it is. */
	reason?: Reason;
}

/** Why a missing file is not removed. */
export interface Reason {
	/** A clause. */
	clause: string;
	/** Whether it needs somebody who does something, so that it also stands above the output. */
	isWarned?: boolean;
}

/** What the items bring for one agent. */
export interface AgentFolder {
	/** As the first of its items spells it. */
	uid: string;
	/** The files that they name. */
	names: Set<string>;
	/** The mildest of what its items say. */
	goneFiles: GoneFiles;
	/** Whether 'Dry Run' is on for any of its items: then it holds for all of them. */
	isTried: boolean;
	/** Whether it is on for each of them. */
	isAllTried: boolean;
}

/** What the items of a call bring, by agent in lower case: two spellings may be one agent. */
export function foldersOf(
	tasks: Array<
		Pick<AgentFolder, 'uid' | 'goneFiles'> & { itemFile: { names: string[] }; isDryRun: boolean }
	>,
): Map<string, AgentFolder> {
	const folders = new Map<string, AgentFolder>();
	for (const { uid, itemFile, goneFiles, isDryRun } of tasks) {
		const key = uid.toLowerCase();
		const folder = folders.get(key) ?? {
			...{ uid, names: new Set<string>(), goneFiles, isTried: false, isAllTried: true },
		};
		folders.set(key, folder);
		folder.goneFiles = mildest(goneFiles, folder.goneFiles);
		folder.isTried ||= isDryRun;
		folder.isAllTried &&= isDryRun;
		for (const name of itemFile.names) folder.names.add(name);
	}
	return folders;
}

/** Where items differ, the one that takes least. */
export function mildest(one: GoneFiles, other: GoneFiles | undefined): GoneFiles {
	return GONE_FILES.find((value) => value === one || value === other) ?? one;
}

/** What a call shows of an agent's folder. */
export interface FolderCall {
	agent: AgentState;
	folder: AgentFolder;
	node: NodeCall;
	/** Whether each item names its file. */
	isEachNamed: boolean;
	/** How many files were known before. */
	sizeBefore: number;
	/** 'What Each Run Brings'. */
	itemsAre: 'parts' | 'folder' | 'all';
	maxShare: number;
	runsMissing: number;
	/** What the agent has, where that is known; why it is not, where it has to be. */
	uploads?: AgentUploads | Reason;
	/** The uploads of all folders of the node. */
	sent: ReadonlyMap<string, string>;
}

/** What is to be done, and said. */
interface MissingFiles {
	files: MissingFile[];
	hints: Hint[];
	/** Of how many files too many are missing; undefined if they are not. */
	missingOf?: number;
}

export function missingFrom(call: FolderCall): MissingFiles {
	const { agent, folder, itemsAre, maxShare } = call;
	const { files, hints = [], of } = foundMissing(call);
	// For as long as they are missing, also where another reason comes first.
	const before = Math.min(of ?? Infinity, agent.missingOf ?? Infinity);
	const isTooMuch = files.length > 0 && maxShare < 100 && (files.length / before) * 100 >= maxShare;
	const tooMuch = isTooMuch ? tooMany(files.length, before) : undefined;
	const judged = files
		.map((one) => (one.reason?.isWarned ? one : { ...one, reason: tooMuch ?? one.reason }))
		.map((one) => ({ ...one, isUnused: isUnused(one, call) }))
		// They were noted as they came to their end, which differs from run to run.
		.sort((one, other) => (one.name < other.name ? -1 : 1));
	const beside = itemsAre === 'all' || of === undefined ? [] : unknownBeside(call);
	return {
		files: judged,
		hints: [...hints, ...missingHints(folder.uid, judged), ...beside],
		missingOf: of === undefined ? agent.missingOf : isTooMuch ? before : undefined,
	};
}

/** What is missing, and of how many files; of none where nothing can be told yet. */
interface Found {
	files: MissingFile[];
	hints?: Hint[];
	of?: number;
}

function foundMissing(call: FolderCall): Found {
	const { itemsAre, sizeBefore: of } = call;
	if (itemsAre === 'parts') return longMissing(call);
	return itemsAre === 'all' ? allOthers(call) : { files: notInCall(call), of };
}

/** Both the record and the agent's list have to say so: the answer to an attach request may have been lost. */
function isUnused({ name, uploads: ids }: MissingFile, { agent, uploads }: FolderCall): boolean {
	const known = agent.files.get(name);
	if (known === undefined || attachedUploads(known).length > 0) return false;
	if (uploads === undefined || !isKnown(uploads)) return false;
	const attached = new Set([...uploads.values()].flat());
	return !ids.some((id) => attached.has(id));
}

/** What is known of the agent and not brought by a call that is taken for the whole folder. */
function notInCall(call: FolderCall): MissingFile[] {
	const reason = whyNotWhole(call);
	return inFolder(call.agent)
		.filter(([name]) => !call.folder.names.has(name))
		.map(([name, file]) => ({ name, uploads: uploadsOf(file), reason }));
}

/** By the rule of time: see `removable`. */
function longMissing(call: FolderCall): Found {
	const view = viewOf(call.agent);
	const who = `the agent ${quoted(call.folder.uid)}`;
	// Others may be yet to come.
	if (view.kind === 'incomplete') return { files: [] };
	if (view.kind === 'part') {
		const message = `This run brought ${view.named} of ${view.known} known files of ${who}. A file counts as gone only once a run has brought more than half of them without it, so none was taken out.`;
		return { files: [], hints: [{ type: 'info', message }] };
	}
	const others = view.ofAnotherFolder.length;
	const message = `${filesWords(others)} of ${who} last came in another run, and most files of that run are missing here, too. They seem to be of another folder, and stay.`;
	const files = view.missing.map(([name, file]) => {
		const runsLeft = Math.max(0, call.runsMissing - file.missed);
		return { name, uploads: uploadsOf(file), reason: whyNotYet(call, runsLeft) };
	});
	return { files, hints: others > 0 ? [{ type: 'info', message }] : [], of: call.sizeBefore };
}

/** Whatever upload the agent has and no item brings. */
function allOthers(call: FolderCall): Found {
	const { agent, folder, uploads = LISTS_UNCLEAR } = call;
	if (!isKnown(uploads)) {
		return { files: [{ name: 'What else the agent has', uploads: [], reason: uploads }] };
	}
	const reason = whyNotWhole(call);
	const missing = new Map(notInCall(call).map((one) => [one.name, one]));
	const present = [...folder.names].flatMap((name) => agent.files.get(name) ?? []);
	const own = new Set(present.flatMap(uploadsOf));
	for (const [name, ids] of uploads) {
		const others = ids.filter((id) => !own.has(id));
		if (others.length === 0 || folder.names.has(name)) continue;
		const known = missing.get(name)?.uploads ?? [];
		missing.set(name, { name, uploads: [...new Set([...known, ...others])], reason });
	}
	return { files: [...missing.values()], of: [...uploads.values()].flat().length };
}

function isKnown(uploads: AgentUploads | Reason): uploads is AgentUploads {
	return !('clause' in uploads);
}

/** One for each reason that needs somebody who does something. */
function missingHints(uid: string, files: MissingFile[]): Hint[] {
	const warnings = files.flatMap(({ reason }) => (reason?.isWarned ? [reason.clause] : []));
	return [...new Set(warnings)].map((clause) => {
		const those = files.filter(({ reason, uploads }) => {
			return reason?.clause === clause && uploads.length > 0;
		});
		return missingHint(uid, clause, those);
	});
}

function missingHint(uid: string, clause: string, files: Array<{ name: string }>): Hint {
	const names = files.length > 0 ? `: ${listed(files.map(({ name }) => quoted(name)))}` : '';
	const message = `What is not among the files of this run stayed with the agent ${quoted(uid)}, because ${clause}${names}.`;
	return { type: 'warning', message };
}

/**
 * Of an agent that no item is for any more, in the first execution without one. Where n8n calls the node several
 * times, an item for it may be yet to come.
 */
export function disuseHint(agent: AgentState, executionId: string): Hint | undefined {
	const { execution } = agent;
	const files = inFolder(agent);
	const wasInUse = execution?.calls === 1 && files.some(([, { isMissing }]) => !isMissing);
	if (!wasInUse || execution.id === executionId) return undefined;
	const named = files.map(([name]) => ({ name }));
	return missingHint(agent.uid, 'no item is for this agent', named);
}

/** What the agent has, and neither an item brings nor the state knows: no rule removes it. */
function unknownBeside(call: FolderCall): Hint[] {
	const { agent, folder, itemsAre, sent, uploads } = call;
	if (uploads === undefined || !isKnown(uploads) || whyNotWhole(call) !== undefined) return [];
	const others = [...uploads].filter(([name]) => !folder.names.has(name));
	const unknown = others.flatMap(([name, ids]) =>
		ids.flatMap((id) => (sent.has(id) ? [] : [name])),
	);
	// In a first run nobody knows yet how many calls there will be: this may be a part of the folder.
	const isDoubtful =
		itemsAre === 'parts' && agent.lastCalls === 0 && unknown.length >= folder.names.size;
	if (unknown.length === 0 || isDoubtful) return [];
	const them = unknown.length === 1 ? 'it' : 'them';
	const message = `The agent ${quoted(folder.uid)} also has ${filesWords(unknown.length)} beside those of this folder, perhaps from elsewhere: ${listed(unknown.map(quoted))}. To take ${them} out, use Remove Files. Or set 'What Each Run Brings' under Options to All the Agent Should Know, which takes out every uploaded file that is not in the folder; try that with 'Dry Run' first.`;
	return [{ type: 'warning', message }];
}

/** Where the user says that a call is whole: why it may not have the folder as it is now, or only a part of it. */
function whyNotWhole({ agent, isEachNamed, node }: FolderCall): Reason | undefined {
	const { mode, shape } = node;
	const calls = Math.max(agent.execution?.calls ?? 0, agent.lastCalls);
	return firstOf([
		[mode === 'retry', RETRY],
		[node.isTool, warned('the node is run as a tool, for one item at a time')],
		[node.isOnce, warned("'Execute Once' is on in the node's settings")],
		[!isEachNamed, UNNAMED],
		[shape === 'loop', perhapsPart('the node stands in a loop')],
		[shape === 'branches', perhapsPart('several nodes lead into this one')],
		[node.isAnother || calls > 1, perhapsPart('n8n calls the node several times in a run')],
	]);
}

/**
 * By the rule of time: why a file is not removed by this execution.
 *
 * @param runsLeft How many executions that count have to go by without it, this one included; 0: it is removable.
 */
function whyNotYet({ agent, folder, node }: FolderCall, runsLeft: number): Reason | undefined {
	const { before, isWhole = false } = agent.execution ?? {};
	return firstOf([
		[node.mode === 'retry', RETRY],
		[!isWhole, UNNAMED],
		[runsLeft === 0, node.mode === 'manual' && !folder.isTried ? BY_HAND : undefined],
		[before === 'not kept', NOT_KEPT],
		[before === 'not well', NOT_WELL],
		[true, notYet(runsLeft)],
	]);
}

/** The reason of the first row that holds. */
function firstOf(rows: Array<[boolean, Reason | undefined]>): Reason | undefined {
	return rows.find(([holds]) => holds)?.[1];
}

function warned(clause: string): Reason {
	return { clause, isWarned: true };
}

function tooMany(missing: number, of: number): Reason {
	return warned(
		`${missing} of ${Math.max(missing, of)} files are missing at once, and the folder may not have been read to its end; to allow it, raise 'Too Many to Remove at Once (Percent)' under Options`,
	);
}

function notYet(runsLeft: number): Reason {
	const clause =
		runsLeft === 1
			? 'the next run takes it out if it is still missing'
			: `it is taken out once ${runsLeft} more runs have come without it`;
	return { clause };
}

function perhapsPart(why: string): Reason {
	return warned(
		`${why}, so it may have got a part of the folder only; let it get all files at once, or set 'What Each Run Brings' to The Folder, Perhaps in Parts`,
	);
}

const UNNAMED = warned('some items come without a file name, and one of them may be the file');

const RETRY: Reason = {
	clause: 'a retry brings the files of an earlier time, so it takes nothing out',
};

const BY_HAND: Reason = {
	clause: 'a run by hand takes nothing out; the next run of the published workflow does',
};

const NOT_KEPT = warned(
	"n8n has not kept the run before, so nobody knows whether it saw the whole folder (in the workflow's settings, let n8n save successful executions, for longer than until the next run)",
);

const NOT_WELL: Reason = {
	clause: 'the run before was broken off, or had not ended, so it does not count',
};

/** Why it is not known what an agent has. */
const LISTS_UNCLEAR = warned("CometChat's list of agents does not tell which documents they have");

export function listsUnread({ title, more }: Failure): Reason {
	return warned(`CometChat's lists could not be read (${reasonOf(title, more)})`);
}

function filesWords(count: number): string {
	return count === 1 ? '1 file' : `${count} files`;
}
