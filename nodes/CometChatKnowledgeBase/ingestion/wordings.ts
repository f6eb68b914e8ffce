import { sentences } from '../results/itemResult';
import { FAILED, hasFailed } from '../service/statuses';
import { quoted } from '../values/quoting';
import type { ShownText, Words } from '../values/shown';
import { given, joined, worded } from '../values/shown';
import type { Progress, Wording } from './report';

/** Files that are new. */
export const OF_FILES: Wording = (progress) => {
	const { entries, hasAgent, ids, names, reached, statuses, unknown } = progress;
	const arrived: Words | false =
		ids.length > 0 && `Uploaded: ${ids.map((id, at) => named(progress, at, id)).join(', ')}.`;
	if (reached === undefined) {
		const isUnknown = entries.count > 0 && (entries.mayBeMore || unknown !== undefined);
		const surely = isUnknown ? 'Not uploaded, as far as is known' : 'Not uploaded';
		const missing = joined(names.slice(ids.length).map(quoted), ', ');
		return {
			consequence: sentences(arrived, worded`${surely}: ${missing}.`, entries.words),
			goOn: ids.length > 0 ? GO_ON_WITH_THE_OTHERS : undefined,
		};
	}
	const others = ids.some((id) => statuses.get(id) !== FAILED) ? GO_ON_WITH_READABLE : '';
	return {
		consequence: sentences(arrived, hasAgent && notAdded(progress), entries.words),
		goOn: hasFailed(statuses) ? others : GO_ON_WITH_FILES,
	};
};

/** A text that is new. */
export const OF_TEXT: Wording = (progress) => {
	const { hasAgent, names, newId, reached, statuses, unknown } = progress;
	if (reached === undefined) {
		return unknown === undefined
			? { consequence: 'The text was not added.' }
			: { consequence: TEXT_LOST, goOn: LOOK_FIRST };
	}
	const consequence = sentences(
		worded`The text ${quoted(names[0] ?? '')} is in CometChat (ID ${given(newId) ?? ''}).`,
		hasAgent && notAdded(progress),
	);
	return { consequence, goOn: hasFailed(statuses) ? '' : GO_ON_WITH_TEXT };
};

/** A new version, and what the agent has of the document now. */
export const OF_NEW_VERSION: Wording = (progress) => {
	const { entries, names, newId, old, reached, unknown } = progress;
	const name = quoted(names[0] ?? '');
	const newOne = `the new version of ${name} (ID ${newId})` as const;
	const held = old.held.join(', ');
	switch (reached) {
		case undefined:
		case 'uploaded':
		case 'indexed':
			return notWithAgent(progress);
		case 'added':
			return {
				consequence: sentences(
					`The agent has ${newOne} and ${unknown ? 'may still have' : 'still has'} the old one (ID ${held}).`,
					entries.words,
				),
				goOn: 'To go on, remove the old one with Remove Files.',
			};
		default:
			return {
				consequence: sentences(
					`The agent has ${newOne} and no longer the old one. The old one (ID ${old.left.join(', ')}) ${unknown ? 'may still be' : 'is still'} in CometChat.`,
					entries.words,
				),
				goOn: 'To go on, delete the old one with Document: Delete.',
			};
	}
};

/** A new version that the agent does not have. */
function notWithAgent({ entries, names, newId, old, reached, statuses, unknown }: Progress) {
	const name = quoted(names[0] ?? '');
	const hasOld = old.held.length > 0;
	const before: Words | false =
		hasOld &&
		`The old version of ${name} (ID ${old.held.join(', ')}) was not taken from the agent.`;
	if (reached === undefined) {
		const what = unknown
			? worded`It is not known whether ${hasOld ? 'the new one' : name} was uploaded.`
			: worded`${hasOld ? 'The new one' : name} was not uploaded.`;
		return { consequence: sentences(before, what, entries.words) };
	}
	const there = worded`${hasOld ? 'The new one' : name} (ID ${given(newId) ?? ''}) is in CometChat`;
	const more = unknown
		? worded` and may have been added to the agent.`
		: worded`, and was not added to the agent.`;
	return {
		consequence: sentences(before, worded`${there}${more}`, entries.words),
		goOn: hasFailed(statuses) ? ('' as const) : hasOld ? GO_ON_WITH_BOTH : GO_ON_WITH_NEW,
	};
}

/** What it means for the agent that the way went no further. */
function notAdded({ unknown }: Progress): Words {
	return unknown === 'added'
		? 'It is not known whether the agent has it.'
		: 'Not added to the agent.';
}

function named({ names }: Progress, at: number, id: string): Words {
	return `${quoted(names[at] ?? '')} (ID ${id})`;
}

const GO_ON_WITH_THE_OTHERS: ShownText =
	'To go on, upload only those that are missing; for the others, use these IDs in Document: Get Status and Add Files: uploading them again would make a second copy.';

const GO_ON_WITH_READABLE: ShownText =
	'To go on with the others, use their IDs in Document: Get Status and Add Files; uploading them again would make a second copy.';

const GO_ON_WITH_FILES: ShownText =
	'To go on, use these IDs in Document: Get Status and Add Files; uploading again would make a second copy.';

const TEXT_LOST: ShownText =
	'It is not known whether the text was added. It was not sent again, because it would then be there twice.';

const LOOK_FIRST: ShownText =
	'Look at the knowledge base in the CometChat dashboard before you run it again.';

const GO_ON_WITH_TEXT: ShownText =
	'To go on, use this ID in Document: Get Status and Add Files; adding the text again would make a second copy.';

const GO_ON_WITH_BOTH: ShownText =
	'To go on, use Add Files and Remove Files with these IDs, or delete the new one: with both there, its name stands for two files.';

const GO_ON_WITH_NEW: ShownText =
	'To go on, use this ID in Document: Get Status and Add Files; uploading again would make a second copy.';
