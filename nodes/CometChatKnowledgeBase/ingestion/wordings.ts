import { sentences } from '../results/itemResult';
import { FAILED, hasFailed } from '../service/statuses';
import { quoted } from '../values/quoting';
import type { Progress, Wording } from './report';

/** Files that are new. */
export const OF_FILES: Wording = (progress) => {
	const { entries, hasAgent, ids, names, reached, readable, statuses, unknown } = progress;
	const arrived: string | false =
		ids.length > 0 && `Uploaded: ${ids.map((id, at) => named(progress, at, id)).join(', ')}.`;
	if (reached === undefined) {
		const isUnknown = entries.count > 0 && (entries.mayBeMore || unknown !== undefined);
		const surely = isUnknown ? 'Not uploaded, as far as is known' : 'Not uploaded';
		const missing = names.slice(ids.length).map(quoted).join(', ');
		return {
			consequence: sentences(arrived, `${surely}: ${missing}.`, entries.words),
			goOn: ids.length > 0 ? GO_ON_WITH_THE_OTHERS : undefined,
		};
	}
	const left = oldLeft(progress, 'the new ones');
	if (left) return left;
	const isSplit = hasFailed(statuses) || readable.length > 0;
	const [old, goOn] = withOld(progress, isSplit ? onlyReadable(progress) : GO_ON_WITH_FILES);
	return {
		consequence: sentences(arrived, hasAgent && notAdded(progress), old, entries.words),
		goOn,
	};
};

/** How to go on where some of several files could not be read. */
function onlyReadable({ ids, readable, statuses }: Progress): string {
	const isLeft = (id: string) => statuses.get(id) !== FAILED && !readable.includes(id);
	if (ids.some(isLeft)) return GO_ON_WITH_READABLE;
	return readable.length > 0 ? GO_ON_WITH_UNREADABLE : '';
}

/** A text that is new. */
export const OF_TEXT: Wording = (progress) => {
	const { hasAgent, names, newId, reached, statuses, unknown } = progress;
	if (reached === undefined) {
		return unknown === undefined
			? { consequence: 'The text was not added.' }
			: { consequence: TEXT_LOST, goOn: LOOK_FIRST };
	}
	const left = oldLeft(progress, `the new text ${quoted(names[0] ?? '')} (ID ${newId})`);
	if (left) return left;
	const [old, goOn] = withOld(progress, hasFailed(statuses) ? '' : GO_ON_WITH_TEXT);
	const consequence = sentences(
		`The text ${quoted(names[0] ?? '')} is in CometChat (ID ${newId ?? ''}).`,
		hasAgent && notAdded(progress),
		old,
	);
	return { consequence, goOn };
};

/** A text that was changed where it is: to do that once more does no harm. */
export const OF_CHANGED_TEXT: Wording = (progress) => {
	const { hasAgent, names, newId, reached, statuses, unknown } = progress;
	if (reached === undefined) {
		return unknown === undefined
			? { consequence: 'The text was not changed.' }
			: { consequence: CHANGE_LOST, goOn: CHANGE_AGAIN };
	}
	const [name = ''] = names;
	const called: string = name === newId ? '' : `${quoted(name)} `;
	return {
		consequence: sentences(
			`The text ${called}(ID ${newId ?? ''}) is changed in CometChat.`,
			hasAgent && notAdded(progress),
		),
		goOn: hasFailed(statuses) ? '' : CHANGE_AGAIN,
	};
};

/** A text that is looked for by its title, so that to bring it once more finds what is there. */
export const OF_TITLED_TEXT: Wording = (progress) => {
	const { hasAgent, ids, names, reached, statuses, unknown } = progress;
	const [missing = '', ...others] = names.slice(ids.length).map(quoted);
	const written = ids.map((id, at) => named(progress, at, id)).join(', ');
	return {
		consequence: sentences(
			ids.length > 0 && `In CometChat as it should be: ${written}.`,
			reached === undefined &&
				(unknown
					? `It is not known whether ${missing} was written.`
					: `Not written: ${[missing, ...others].join(', ')}.`),
			reached !== undefined && hasAgent && notAdded(progress),
		),
		goOn: hasFailed(statuses) ? '' : FIND_AGAIN,
	};
};

/** A website: a run finds by its address what is there, and goes on with it. */
export const OF_WEBSITE: Wording = (progress) => {
	const { hasAgent, names, newId, reached, unknown } = progress;
	const site = quoted(names[0] ?? '');
	if (reached === undefined) {
		return unknown === undefined
			? { consequence: 'Nothing was crawled.' }
			: { consequence: CRAWL_LOST, goOn: FIND_SITE };
	}
	const left = oldLeft(progress, `the website ${site} as it was crawled now (ID ${newId})`);
	if (left) return left;
	const [old, goOn] = withOld(progress, GO_ON_CRAWLED);
	const there = `The website ${site} is in CometChat (ID ${newId ?? ''}).`;
	return {
		consequence: sentences(there, hasAgent && notAdded(progress), old),
		goOn: goOn === GO_ON_CRAWLED ? goOn : GO_ON_WITH_SITES,
	};
};

/** A new version, and what the agent has of the document now. */
export const OF_NEW_VERSION: Wording = (progress) => {
	const { names, newId } = progress;
	const newOne = `the new version of ${quoted(names[0] ?? '')} (ID ${newId})` as const;
	return oldLeft(progress, newOne) ?? notWithAgent(progress);
};

/** What is left of old versions once the agent has the new ones; undefined before that. */
function oldLeft(
	{ entries, hasAgent, old, reached, unknown }: Progress,
	newOnes: string,
): ReturnType<Wording> | undefined {
	switch (reached) {
		case undefined:
		case 'uploaded':
		case 'indexed':
			return undefined;
		case 'added':
			return {
				consequence: sentences(
					`The agent has ${newOnes} and ${unknown ? 'may still have' : 'still has'} the old one (ID ${old.held.join(', ')}).`,
					entries.words,
				),
				goOn: 'To go on, remove the old one with Remove Files.',
			};
		default:
			return {
				consequence: sentences(
					hasAgent
						? `The agent has ${newOnes} and no longer the old one.`
						: `CometChat has ${newOnes}.`,
					`The old one (ID ${old.left.join(', ')}) ${unknown ? 'may still be' : 'is still'} in CometChat.`,
					entries.words,
				),
				goOn: 'To go on, delete the old one with Document: Delete.',
			};
	}
}

/** The same with old versions that the agent has still. */
function withOld({ old }: Progress, goOn: string): [old: string | false, goOn: string] {
	if (old.held.length === 0) return [false, goOn];
	const kept: string = `The agent still has what they were to replace (ID ${old.held.join(', ')}).`;
	return [kept, goOn === '' ? '' : GO_ON_WITH_BOTH];
}

/** A new version that the agent does not have. */
function notWithAgent({ entries, names, newId, old, reached, statuses, unknown }: Progress) {
	const name = quoted(names[0] ?? '');
	const hasOld = old.held.length > 0;
	const before: string | false =
		hasOld &&
		`The old version of ${name} (ID ${old.held.join(', ')}) was not taken from the agent.`;
	if (reached === undefined) {
		const what = unknown
			? `It is not known whether ${hasOld ? 'the new one' : name} was uploaded.`
			: `${hasOld ? 'The new one' : name} was not uploaded.`;
		return { consequence: sentences(before, what, entries.words) };
	}
	const there = `${hasOld ? 'The new one' : name} (ID ${newId ?? ''}) is in CometChat`;
	const more = unknown
		? ` and may have been added to the agent.`
		: `, and was not added to the agent.`;
	return {
		consequence: sentences(before, `${there}${more}`, entries.words),
		goOn: hasFailed(statuses) ? ('' as const) : hasOld ? GO_ON_WITH_BOTH : GO_ON_WITH_NEW,
	};
}

/** What it means for the agent that the way went no further. */
function notAdded(progress: Progress): string {
	const { ids, readable, unknown } = progress;
	if (unknown === 'added') return 'It is not known whether the agent has it.';
	if (readable.length === 0) return 'Not added to the agent.';
	const namesOf = (areReadable: boolean) =>
		ids.flatMap((id, at) =>
			readable.includes(id) === areReadable ? [quoted(progress.names[at] ?? '')] : [],
		);
	return `Added to the agent: ${namesOf(true).join(', ')}. Not added: ${namesOf(false).join(', ')}.`;
}

function named({ names }: Progress, at: number, id: string): string {
	return `${quoted(names[at] ?? '')} (ID ${id})`;
}

const GO_ON_WITH_THE_OTHERS: string =
	'To go on, upload only those that are missing; for the others, use these IDs in Document: Get Status and Add Files: uploading them again would make a second copy.';

const GO_ON_WITH_READABLE: string =
	'To go on with the others, use their IDs in Document: Get Status and Add Files; uploading them again would make a second copy.';

const GO_ON_WITH_UNREADABLE: string =
	"To go on, upload only what could not be read. With 'If the Name Is There' set to Skip, the item can be run again as it is.";

const GO_ON_WITH_FILES: string =
	'To go on, use these IDs in Document: Get Status and Add Files; uploading again would make a second copy.';

const TEXT_LOST: string =
	'It is not known whether the text was added. It was not sent again, because it would then be there twice.';

const LOOK_FIRST: string =
	'Look at the knowledge base in the CometChat dashboard before you run it again.';

const CHANGE_LOST: string = 'It is not known whether the text was changed.';

const CHANGE_AGAIN: string =
	'To go on, run the item again: to change the text once more does no harm.';

const FIND_AGAIN: string =
	'To go on, run the item again in a minute: it finds by its title what is there, and brings what is missing.';

const CRAWL_LOST: string =
	'CometChat was asked to crawl it, and which website came of that is not known. It was not asked again, because the website could then be there twice.';

const FIND_SITE: string =
	'To go on, run the item again in a few minutes: it looks first whether the website is there, and goes on with it.';

const GO_ON_CRAWLED: string =
	'To go on, run the item again: it does not crawl anew, but goes on with the pages that were found.';

const GO_ON_WITH_SITES: string =
	'To go on, use Website: Add to Agent with the new one and Website: Remove From Agent with the old one. Or delete the new one with Website: Delete, and run the item again: with both there, it would crawl a third one.';

const GO_ON_WITH_TEXT: string =
	'To go on, use this ID in Document: Get Status and Add Files; adding the text again would make a second copy.';

const GO_ON_WITH_BOTH: string =
	'To go on, use Add Files and Remove Files with these IDs, or delete the new one: with both there, its name stands for two files.';

const GO_ON_WITH_NEW: string =
	'To go on, use this ID in Document: Get Status and Add Files; uploading again would make a second copy.';
