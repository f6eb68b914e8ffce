import { startEnvironment, withPictures, type Pictures } from '../browser/environment.mjs';
import { proveFirstWorkflow } from '../browser/firstRun.mjs';
import { noFilm } from '../browser/film.mjs';
import { proveNotes } from '../browser/notes.mjs';
import { noPictures } from '../browser/pictures.mjs';
import { proveResources } from '../browser/resources.mjs';
import { proveCredential, provePanel } from '../browser/settingUp.mjs';
import type { Topic } from '../prove.mjs';
import { withStarted } from '../withStarted.mjs';

/** Proves the node in n8n's editor, in a headless Chromium, like a new user. */
export const browser: Topic = inBrowser({ takePicture: noPictures, film: noFilm });

/** @param pictures Takes the steps that the README and docs/ show. @param servicePort The simulation's port; 0: any. */
export function inBrowser(pictures: Pictures, servicePort = 0): Topic {
	return {
		name: 'browser',
		async proveAll(prove, { tarball }) {
			await withStarted(async (start) => {
				const environment = await startEnvironment(start, tarball, pictures, servicePort);
				const proveHere = withPictures(prove, environment.page);
				await provePanel(proveHere, environment);
				await proveCredential(proveHere, environment);
				await proveFirstWorkflow(proveHere, environment);
				await proveResources(proveHere, environment);
				await proveNotes(proveHere, environment);
			});
		},
	};
}
