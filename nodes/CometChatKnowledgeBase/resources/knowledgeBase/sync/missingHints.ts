import type { Hint } from '../../../results/hints';
import { listed, quoted } from '../../../values/quoting';
import type { MissingFile } from './removal';

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
		message: `${filesWords(count)} of the agent ${quoted(uid)} last came in another run, and most files of that run are missing here, too. They seem to be of another folder, and stay.`,
	};
}

/** One for each reason that needs somebody who does something. */
export function reasonHints(uid: string, missing: MissingFile[]): Hint[] {
	const reasons = new Set(
		missing.flatMap(({ reason }) => (reason?.isWarned ? [reason.because] : [])),
	);
	return [...reasons].map((because) => {
		const those = missing.filter(({ reason }) => reason?.because === because);
		return notRemovedHint(
			uid,
			because,
			those.map(({ name }) => name),
		);
	});
}

export function disuseHint(uid: string, names: string[]): Hint {
	return notRemovedHint(uid, 'no item is for this agent', names);
}

/** @param names Left out where it is not known which they are. */
export function notRemovedHint(uid: string, because: string, names: string[] = []): Hint {
	const named = names.length > 0 ? `: ${listed(names.map(quoted))}` : '';
	const what = names.length > 0 ? `${filesWords(names.length)} not` : 'What is not';
	return {
		type: 'warning',
		message: `${what} among the files of this run stayed with the agent ${quoted(uid)}, because ${because}${named}.`,
	};
}

/** Of what came from elsewhere, as far as this node can tell. */
export function unknownHint(uid: string, names: string[]): Hint {
	const named = listed(names.map(quoted));
	const them = names.length === 1 ? 'it' : 'them';
	return {
		type: 'warning',
		message: `The agent ${quoted(uid)} also has ${filesWords(names.length)} beside those of this folder, perhaps from elsewhere: ${named}. To take ${them} out, use Remove Files. Or set 'What Each Run Brings' under Options to All the Agent Should Know, which takes out every uploaded file that is not in the folder; try that with 'Dry Run' first.`,
	};
}

function filesWords(count: number): string {
	return count === 1 ? '1 file' : `${count} files`;
}
