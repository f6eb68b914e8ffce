import { proveAgents } from './browser/agents.mjs';
import { proveDocuments } from './browser/documents.mjs';
import { startEnvironment, withPictures, type Pictures } from './browser/environment.mjs';
import { proveExamples } from './browser/examples.mjs';
import { proveFillingIn } from './browser/fillingIn.mjs';
import { proveFirstDay } from './browser/firstDay.mjs';
import { proveOptions } from './browser/options.mjs';
import { proveFirstWeek } from './browser/firstWeek.mjs';
import { noFilm } from './browser/film.mjs';
import { noPictures } from './browser/pictures.mjs';
import { proveRunningTheStep } from './browser/running.mjs';
import { proveSettingUp } from './browser/settingUp.mjs';
import { proveSync } from './browser/sync.mjs';
import { proveTrigger } from './browser/trigger.mjs';
import type { Topic } from './prove.mjs';
import { withStarted } from './withStarted.mjs';

/** The node in n8n's editor, used in a headless Chromium as by somebody who has never seen it. */
export const browser: Topic = inBrowser({ takePicture: noPictures, film: noFilm });

/**
 * @param pictures Taken at the steps that the README and docs/ show.
 * @param servicePort The port of the stand-in, which can be read in a picture; 0: any.
 */
export function inBrowser(pictures: Pictures, servicePort = 0): Topic {
	return {
		name: 'browser',
		async proveAll(prove, tarball) {
			await withStarted(async (start) => {
				const environment = await startEnvironment(start, tarball, pictures, servicePort);
				const proveHere = withPictures(prove, environment.page);
				await proveSettingUp(proveHere, environment);
				await proveFillingIn(proveHere, environment);
				await proveRunningTheStep(proveHere, environment);
				await proveOptions(proveHere, environment);
				await proveDocuments(proveHere, environment);
				await proveFirstDay(proveHere, environment);
				await proveFirstWeek(proveHere, environment);
				await proveSync(proveHere, environment);
				await proveTrigger(proveHere, environment);
				await proveAgents(proveHere, environment);
				await proveExamples(proveHere, environment);
			});
		},
	};
}
