import type { Hint } from '../../../results/hints';
import type { ItemResult } from '../../../results/itemResult';
import { listed, quoted } from '../../../values/quoting';
import type { FileRows } from './fileRow';
import type { NotedUpload } from './syncNote';

/** A file that an agent has and no item brings. */
export interface AbsentFile {
	fileName: string;
	/** Those that the agent may have. */
	uploads: NotedUpload[];
	/** Undefined if it is taken out. */
	stays?: Stays;
}

/** Why a file stays with the agent. */
export interface Stays {
	/** A clause. */
	because: string;
	/** Whether it needs somebody who does something, so that it also stands above the output. */
	isWarned?: boolean;
}

export const UNNAMED: Stays = {
	because: 'some items come without a file name, and one of them may be the file',
	isWarned: true,
};

export const REPEATED: Stays = {
	because: 'a retry brings the files of an earlier time, so it takes nothing out',
};

export const BY_HAND: Stays = {
	because: 'a run by hand takes nothing out; the next run of the published workflow does',
};

export const EXECUTION_NOT_KEPT: Stays = {
	because:
		"n8n has not kept the run before, so nobody knows whether it saw the whole folder (in the workflow's settings, let n8n save successful executions, for longer than until the next run)",
	isWarned: true,
};

export const NOT_WELL: Stays = {
	because: 'the run before was broken off, or had not ended, so it does not count',
};

export const IS_TOOL: Stays = {
	because: 'the node is run as a tool, for one item at a time',
	isWarned: true,
};

export const EXECUTES_ONCE: Stays = {
	because: "'Execute Once' is on in the node's settings",
	isWarned: true,
};

/** Where the user says that the items are whole: what shows that a call may have a part only. */
const mayBePart = (why: string): Stays => ({
	because: `${why}, so it may have got a part of the folder only; let it get all files at once, or set 'What Each Run Brings' to The Folder, Perhaps in Parts`,
	isWarned: true,
});

export const IN_LOOP = mayBePart('the node stands in a loop');
export const BRANCHES = mayBePart('several nodes lead into this one');
export const SEVERAL_CALLS = mayBePart('n8n calls the node several times in a run');

export function notYet(runsLeft: number): Stays {
	return {
		because:
			runsLeft === 1
				? 'the next run takes it out if it is still missing'
				: `it is taken out once ${runsLeft} more runs have come without it`,
	};
}

export function tooMany(gone: number, before: number): Stays {
	return {
		because: `${gone} of ${Math.max(gone, before)} files are missing at once, and the folder may not have been read to its end; to allow it, raise 'Too Many to Remove at Once (Percent)' under Options`,
		isWarned: true,
	};
}

/** What comes of a file that stays. */
export function missingResult(
	rows: FileRows,
	{ fileName, uploads, stays }: AbsentFile,
): ItemResult {
	const row = rows.row({
		action: 'missing',
		name: fileName,
		reason: `Not among the files of this run: ${stays?.because ?? ''}`,
		uniqueId: uploads[0]?.uniqueId,
	});
	const json = [{ ...row, success: stays?.isWarned !== true }];
	return { kind: 'succeeded', json, attempts: 0, isRepeated: false };
}

/** Of a run that has not shown the folder. */
export function partHint(uid: string, named: number, known: number): Hint {
	return {
		type: 'info',
		message: `This run brought ${named} of ${known} known files of the agent ${quoted(uid)}. A file counts as gone only once a run has brought more than half of them without it, so none was taken out.`,
	};
}

/** Of files that came with others which are not here either. */
export function otherFolderHint(uid: string, count: number): Hint {
	return {
		type: 'info',
		message: `${files(count)} of the agent ${quoted(uid)} last came in another run, and most files of that run are missing here, too. They seem to be of another folder, and stay.`,
	};
}

/** One for each reason that needs somebody who does something. */
export function warningsOf(uid: string, missing: AbsentFile[]): Hint[] {
	const reasons = new Set(missing.flatMap(({ stays }) => (stays?.isWarned ? [stays.because] : [])));
	return [...reasons].map((because) => {
		const those = missing.filter(({ stays }) => stays?.because === because);
		return leftHint(uid, because, those);
	});
}

/** @param absent Left out where it is not known which they are. */
export function leftHint(uid: string, because: string, absent: AbsentFile[] = []): Hint {
	const names = listed(absent.map(({ fileName }) => quoted(fileName)));
	const named = absent.length > 0 ? `: ${names}` : '';
	const what: string = absent.length > 0 ? `${files(absent.length)} not` : 'What is not';
	return {
		type: 'warning',
		message: `${what} among the files of this run stayed with the agent ${quoted(uid)}, because ${because}${named}.`,
	};
}

/** Of what came from elsewhere, as far as this node can tell. */
export function unnotedHint(uid: string, names: string[]): Hint {
	const named = listed(names.map(quoted));
	const them = names.length === 1 ? 'it' : 'them';
	return {
		type: 'warning',
		message: `The agent ${quoted(uid)} also has ${files(names.length)} beside those of this folder, perhaps from elsewhere: ${named}. To take ${them} out, use Remove Files. Or set 'What Each Run Brings' under Options to All the Agent Should Know, which takes out every uploaded file that is not in the folder; try that with 'Dry Run' first.`,
	};
}

function files(count: number): string {
	return count === 1 ? '1 file' : `${count} files`;
}
