import type { Subject } from '../suite';
import { firstBroken } from '../suite';
import { text, timelineOf } from '../timeline';
import type { Passed } from './play';
import { playNights } from './play';
import { actionsOf, promises } from './promises';
import type { Nights } from './scenario';
import { FROM_ELSEWHERE, isGood, nightsArbitrary } from './scenario';

/** What some night has to meet, so that no promise is kept only because nothing ever happened. */
const MEETS: Record<string, (passed: Passed) => boolean> = {
	new: hasReason('New'),
	'the same content': hasReason('The content is the same'),
	'a changed content': hasReason('The content has changed'),
	'not known what was sent': hasReason('Not known what was sent last'),
	'not modified': hasReason('Not modified since its upload'),
	modified: hasReason('Modified since its upload'),
	'uploaded and not added': hasReason('Its upload was not added yet'),
	'lost by the agent': hasReason('The agent no longer had it'),
	'had more than once': hasReason('The agent had it more than once'),
	'not readable': hasReason('CometChat was not able to read it'),
	'nobody knows which': hasReason('has 2 uploads named'),
	gone: hasReason('No longer in the folder'),
	'gone, and left for safety': hasReason('missing at once'),
	'gone, and deleted': ({ settings, log }) =>
		settings.goneFiles === 'delete' && log.some(({ operation }) => operation === 'deleteUpload'),
	'killed in the middle': ({ night, log }) =>
		night.killed !== undefined && log.some(({ kind, applied }) => kind === 'aborted' && applied),
	'two that change something at once': ({ runs }) =>
		runs.length === 2 &&
		runs.every((one) => actionsOf(one).some(({ action }) => /d$/.test(action))),
	'an empty folder': ({ runs }) => runs.length === 0,
	'nothing to do after a good night': ({ night, previous, log }) =>
		previous !== undefined && isGood(night) && log.every(({ operation }) => operation !== 'add'),
};

function hasReason(fragment: string) {
	return ({ runs }: Passed) =>
		runs.some((one) => actionsOf(one).some(({ reason }) => reason.includes(fragment)));
}

const missed = new Map(Object.entries(MEETS));

/** Sync Files over several nights: what one night leaves behind, the next has to cope with. */
export const nights: Subject<Nights> = {
	name: 'sync',
	runs: 120,
	records: FROM_ELSEWHERE,
	scenarios: nightsArbitrary,
	promises: promises.map(({ title }) => title),
	play: async (environment, scenario) => {
		let timeline = '';
		return await playNights(environment, scenario, (passed) => {
			for (const [name, isMet] of missed) if (isMet(passed)) missed.delete(name);
			timeline += `${storyOf(passed)}\n\n`;
			const broken = firstBroken(promises, passed);
			return broken && { ...broken, timeline };
		});
	},
	describe: ({ settings, first, nights: all }) => [settings, first, ...all].map(text).join('\n'),
	missing: () => [...missed.keys()],
};

function storyOf({ log, runs }: Passed): string {
	const [first, ...others] = runs;
	if (first === undefined) return 'The folder is empty.';
	const told = runs.map(({ files }) => text(files));
	const rest = others.map(({ run }) => timelineOf({ log: [], run }));
	return [...told, timelineOf({ log, run: first.run }), ...rest].join('\n');
}
