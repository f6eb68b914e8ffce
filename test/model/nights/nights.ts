import type { Environment } from '../environment';
import { firstBroken } from '../suite';
import { text, timelineOf } from '../timeline';
import type { Passed } from './play';
import { playNights } from './play';
import { lossesOf } from './losses';
import { promises, saidIn } from './promises';
import type { Nights } from './scenario';
import { isGood } from './scenario';

/** Situations that some night must contain, so that no promise is kept only because nothing happened. */
const MEETS: Record<string, (passed: Passed) => boolean> = {
	new: hasReason('New'),
	'a text that has changed': (passed) =>
		passed.settings.areTexts && hasReason('The content has changed')(passed),
	'the same content': hasReason('The content is the same'),
	'the same time': hasReason('Last Modified is the same'),
	'a changed content': hasReason('The content has changed'),
	'not known what was sent': hasReason('no record of the earlier upload'),
	'not modified': hasReason('Not modified since its upload'),
	modified: hasReason('Modified after its upload'),
	'uploaded before': hasReason('An earlier execution uploaded'),
	'lost by the agent': hasReason('The agent no longer used the document'),
	'had more than once': hasReason('The agent used several uploads'),
	'not readable': hasReason("CometChat couldn't index the document"),
	'not readable, and to be read again': ({ log }) =>
		log.some(({ operation }) => operation === 'sync'),
	'empty, and the agent keeps what it had': hasReason(
		'The agent continues to use the earlier version',
	),
	'gone, and never used': hasReason('The agent did not use the document'),
	'never accepted': hasReason('is a temporary, hidden or system file'),
	'back in the folder': hasReason('Back in the input'),
	gone: hasReason('Missing from the input'),
	'missing, and gone the next time': hasReason('Removed once the document is missing'),
	'half of the folder': hasReason('Half or more of the documents'),
	'an item in the place of a file': hasReason('Some items have no name'),
	'missing in a retry': hasReason('A retry uses the items of an earlier execution'),
	'missing in a run by hand': hasReason('Only executions of the published workflow'),
	'gone, and only tried': (passed) =>
		saidIn(passed).some(({ action, isDry }) => action === 'removed' && isDry),
	'half of the folder, with a warning': hasHint('half or more of the documents were missing'),
	'no text in a new version': hasReason('so the old version was not replaced'),
	'from elsewhere, replaced and kept': keepsForeign,
	'gone, and deleted': ({ settings, log }) =>
		settings.goneFiles === 'delete' && log.some(({ operation }) => operation === 'deleteUpload'),
	'killed in the middle': ({ night, log }) =>
		night.killed !== undefined && log.some(({ kind, applied }) => kind === 'aborted' && applied),
	'two that change something at once': ({ executions }) =>
		executions.length === 2 &&
		executions.every((one) =>
			saidIn({ executions: [one] }).some(({ action }) => /d$/.test(action)),
		),
	'an empty folder': ({ executions }) => executions.length === 0,
	'nothing to do after a good night': ({ night, previous, log }) =>
		previous !== undefined && isGood(night) && log.every(({ operation }) => operation !== 'add'),
};

/** Whether a file of the folder replaced an upload from elsewhere, which is still in CometChat. */
function keepsForeign(passed: Passed): boolean {
	const isReplaced = saidIn(passed).some(({ action }) => action === 'replaced');
	const uploads = passed.moments.at(-1)?.uploads;
	return (
		isReplaced && lossesOf(passed).some(({ id, upload }) => upload.isForeign && uploads?.has(id))
	);
}

function hasReason(fragment: string) {
	return (passed: Passed) => saidIn(passed).some(({ reason }) => reason.includes(fragment));
}

function hasHint(fragment: string) {
	return ({ executions }: Passed) =>
		executions.some(({ calls }) =>
			calls.some(({ hints }) => hints.some(({ message }) => message.includes(fragment))),
		);
}

/** The situations that no execution had so far. */
export const missed = new Map(Object.entries(MEETS));

export interface Broken {
	title: string;
	what: string;
	timeline: string;
}

/** Plays several nights of Sync Folder, each with the documents of the previous night. */
export async function playUntilBroken(
	environment: Environment,
	scenario: Nights,
): Promise<Broken | undefined> {
	let timeline = '';
	return await playNights(environment, scenario, (passed) => {
		for (const [name, isMet] of missed) if (isMet(passed)) missed.delete(name);
		timeline += `${storyOf(passed)}\n\n`;
		const broken = firstBroken(promises, passed);
		return broken && { ...broken, timeline };
	});
}

function storyOf({ log, executions }: Passed): string {
	const [first] = executions;
	if (first === undefined) return 'Nothing comes.';
	const told = executions.flatMap(({ planned, folder }) => [
		`folder: ${text(folder)}`,
		...planned.map((items) => `call: ${text(items)}`),
	]);
	const ends = executions.map(({ status, calls }, at) => {
		const run = {
			status,
			error: calls.find(({ error }) => error)?.error,
			output: calls.flatMap(({ output }) => output),
			errorOutput: [],
		};
		return timelineOf({ log: at === 0 ? log : [], run });
	});
	return [...told, ...ends].join('\n');
}
